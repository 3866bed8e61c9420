//! The pure core of nebuko: it decides what happens on a GitHub issue thread, and does none of it.
//!
//! # The promise
//!
//! A person writes `@@architect …` on an issue; the engine picks the workflow step, gives the agent the relevant
//! part of the thread, posts its answer and routes on, with people holding the say. All of that is decided here,
//! and everything this crate knows comes in as an argument: the thread, the time, the settings, who the engine is.
//! Everything it wants leaves as plain data. So a run is a list of events, and a list of events is a test, a
//! replay and an audit: **the same events give the same bytes, on every machine.**
//!
//! The compiler holds the promise. The crate is `no_std`: files, sockets, clocks, environment and hash maps have no
//! name here. It holds no cell and no atomic, and no unsafe code. `docs/architecture.md` names the lock beside each
//! rule.
//!
//! # The contract
//!
//! > One event in. The interpreter carries out **all** effects of a step, in order, before it feeds the next event;
//! > every effect comes back as exactly one event, success or failure.
//!
//! ```
//! use nebuko::{effect::Effect, event::{Event, Trigger}, run::Run, setup::Setup, snapshot::ThreadSnapshot};
//! use nebuko::{step::step, time::Timestamp};
//!
//! let run = Run::new(Setup::default());
//! let woken = Event::Woken { trigger: Trigger::Manual, at: Timestamp::from_seconds(0) };
//! let (run, effects) = step(run, &ThreadSnapshot::default(), woken);
//! assert!(effects.contains(&Effect::ReadThread { since: None }));
//! assert!(run.report().is_none());
//! ```
//!
//! # The words
//!
//! | word | meaning |
//! |---|---|
//! | thread | the issue or pull request and all its comments |
//! | snapshot | one read of a thread, as plain data: [`snapshot::ThreadSnapshot`] |
//! | ledger | the list of what is in a thread, who put it there and whether it may be believed: [`state::ThreadRecord`] |
//! | state | what a run leaves in the thread for the next: [`state::WorkflowState`] |
//! | event | a fact handed in: [`event::Event`] |
//! | effect | a request handed out: [`effect::Effect`] |
//! | run | everything from one trigger to its [`report::Report`]: [`run::Run`] |
//! | dispatch | how a step ended and what it wishes for the next: [`dispatch::Dispatch`] |
//! | sentinel | the line of a comment that hands a run on: [`sentinel::AgentRunConfig`] |
//! | engine actor | the account the engine writes as |
//! | trigger author | the person whose words started the run |
//!
//! # Where to read
//!
//! Where the code cites a rule (`decision 5`, `ADR-0012`, `fault kind 2.1`), `docs/rules.md` says what it is.
//!
//! Start with [`step`](mod@step) and the two enums, [`event`] and [`effect`]. How a thread becomes a ledger is in
//! [`thread`]; what of it an agent sees is in [`prompt`]; what people can write is in [`command`]; where the state
//! stands and which of several counts is in [`state`]; the steps and their routes are in [`workflow`].
//! [`inspect`] answers what a run would see, without one, [`mod@explain`] why a thread is where it is, and [`metrics`] what
//! its steps used.
#![no_std]
#![forbid(unsafe_code)]
#![forbid(clippy::disallowed_types)]

extern crate alloc;
#[cfg(test)]
extern crate std;

// The contract: one way in, facts in, requests out, and how a run ends.
pub mod effect;
pub mod event;
pub mod process;
pub mod report;
pub mod run;
pub mod step;
pub mod workspace;

// What is handed in.
pub mod ids;
pub mod setup;
pub mod snapshot;
pub mod time;

// What is read out of a thread, and what an agent is told of it.
pub mod command;
pub mod explain;
pub mod inspect;
pub mod markdown;
pub mod metrics;
pub mod prompt;
pub mod sentinel;
pub mod thread;

// What stands in the thread, and how it gets there.
pub mod canonical;
pub mod comment;
pub mod dispatch;
pub mod state;

// What is configured.
pub mod agent;
pub mod config;
pub mod graph;
pub mod lint;
pub mod nearest;
pub mod problem;
pub mod shipped;
pub mod workflow;
pub mod yaml;

mod grammar;
mod stage;
mod text;

#[cfg(test)]
mod props;

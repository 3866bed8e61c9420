//! The moments of a run. Each file of the folder holds one: what it waits for and what follows from the answer.
//!
//! ```text
//! Asleep → Gather → decide ─┬→ Prepare ─┬→ Agent → Aftermath ─┬→ Recheck ─┬→ Post → Confirm ─┬→ decide again
//!                           │           ├→ Outside → Aftermath ┤
//!                           │           └→ Script ────────────┘           └→ Update → Post … └→ Yield
//!                           ├→ Recheck (answers to commands)
//!                           ├→ Permit, Fetch (something has to be known first), then decide again
//!                           └→ Finished
//! ```

use alloc::{boxed::Box, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    effect::{Effect, Level},
    event::Failure,
    report::{Reason, Report, RunOutcome},
    setup::Setup,
    snapshot::ThreadSnapshot,
    time::Timestamp,
};

mod aftermath;
mod agenda;
mod at_work;
mod bounds;
mod confirm;
mod decide;
mod demanded;
mod draft;
mod fetch;
mod gate;
mod gather;
mod initiator;
mod inputs;
mod known;
mod material;
mod measured;
mod opening;
mod outputs;
mod outside;
mod permit;
mod post;
mod prepare;
mod ran_at;
mod recheck;
mod refine;
mod script;
mod settle;
mod skills;
mod slots;
mod spending;
mod surround;
mod update;

pub(crate) use aftermath::Aftermath;
pub(crate) use agenda::{Agenda, Start, StartBy, to_ask as starts_behind_gate};
pub(crate) use at_work::{AgentAtWork, failed, failed_with};
pub(crate) use confirm::{Confirm, Yield};
pub(crate) use draft::{After, Draft, Replaces};
pub(crate) use fetch::Fetch;
pub(crate) use gate::to_ask as decides_next;
pub(crate) use gather::Gather;
pub(crate) use known::{Base, Known};
pub(crate) use opening::{Opened, open, open_older, reconcile_for};
pub(crate) use outside::OutsideAtWork;
pub(crate) use permit::{Permit, Permitted};
pub(crate) use post::Post;
pub(crate) use prepare::Prepare;
pub(crate) use ran_at::ran_at;
pub(crate) use recheck::Recheck;
pub(crate) use script::ScriptAtWork;
pub(crate) use update::Update;

pub(crate) use decide::{next_start, nothing_due};
pub(crate) use material::{Material, prompt_input};
pub(crate) use surround::path;

/// The moment a run is in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// Nothing was heard yet.
    Asleep,
    /// The thread and the engine's account are being read.
    Gather(Gather),
    /// The repository is asked what a person may do.
    Permit(Box<Permit>),
    /// A workflow of another repository is being read.
    Fetch(Box<Fetch>),
    /// A step is made ready: its hook and its inputs.
    Prepare(Box<Prepare>),
    /// A model is at work.
    Agent(Box<AgentAtWork>),
    /// An outside program is at work for an agent.
    Outside(Box<OutsideAtWork>),
    /// A script is at work.
    Script(Box<ScriptAtWork>),
    /// The hook after an agent runs.
    Aftermath(Box<Aftermath>),
    /// The newest state is looked at once more before one is posted.
    Recheck(Box<Recheck>),
    /// The comment of an earlier run of a script is being brought up to date.
    Update(Box<Update>),
    /// The parts of a comment are being posted.
    Post(Box<Post>),
    /// The thread is read once more, to see whether another run posted at the same time.
    Confirm(Box<Confirm>),
    /// Another run was faster, and our comment is being edited to say so.
    Yield(Box<Yield>),
    /// It is over.
    Finished(Box<Report>),
}

/// What a stage comes to: the moment after it, and what is to be done.
pub(crate) type Next = (Stage, Vec<Effect>);

/// What every stage is given besides its own: the setup, the thread as it was last read, and the time.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// What the run was set up with.
    pub(crate) setup: &'a Setup,
    /// The thread as it was last read.
    pub(crate) thread: &'a ThreadSnapshot,
    /// When the event happened.
    pub(crate) at: Timestamp,
}

impl Stage {
    /// Ends a run, with the last words to whoever watches.
    fn finished(report: Report) -> Next {
        (Self::Finished(Box::new(report)), Vec::new())
    }
}

/// Ends a run that got nowhere before it had a state.
pub(crate) fn end_unopened(outcome: RunOutcome, reason: Reason, detail: alloc::string::String) -> Next {
    Stage::finished(Report::unopened(outcome, reason, detail))
}

/// Tells a failure of an outside effect in words.
pub(crate) fn in_words(failure: &Failure) -> alloc::string::String {
    alloc::format!("could not {}: {}. {}", failure.attempted, failure.why, failure.next)
}

/// Makes a line for whoever watches.
pub(crate) fn tell(level: Level, text: alloc::string::String) -> Effect {
    Effect::Tell { level, text }
}

#[cfg(test)]
pub(crate) mod tests;

//! What models used: read out of a thread's states or out of recordings, and summed by step, agent, run and issue.
//!
//! It only reads and adds. Where the files and threads come from, and how a sum is shown, is for the edge.

use alloc::{string::String, vec::Vec};

use crate::{
    setup::Usd,
    state::{Spending, StateMetrics},
};

mod recording;
mod sums;
#[cfg(test)]
mod tests;
mod thread;

pub use recording::Tape;
pub use sums::{METRICS_VERSION, Metrics, Prompts, Row, Sums};
pub use thread::of_thread;

/// What was read: each attempt at a step, in order, and what each issue's newest state says was used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    /// The attempts.
    pub attempts: Vec<Attempt>,
    /// By issue, the account that budgets go by.
    pub accounts: Vec<(String, Spending)>,
}

/// One attempt at a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// `owner/name#number`.
    pub issue: String,
    /// The run it belongs to: a recording's name, or whose words started it.
    pub run: String,
    /// The step.
    pub step: String,
    /// The role.
    pub agent: String,
    /// Whether it came to a report. What an attempt that did not used is paid for as well.
    pub done: bool,
    /// What it used.
    pub metrics: StateMetrics,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// Turns of the model, where that is known.
    pub turns: u64,
    /// What it cost, where that is known.
    pub cost_usd: Option<Usd>,
    /// What was asked, where the requests are there.
    pub asked: Vec<Asked>,
}

/// One request to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Bytes of its prompt: the tool list and every part of every message.
    pub bytes: u64,
    /// How many of them, from the first on, are those of the request before.
    pub repeated: u64,
    /// Digest of the tool list and the system message: the same for all agents of a repository (decision 5).
    pub head: String,
}

impl Readings {
    /// Notes an issue's account; the newest counts.
    fn account(&mut self, issue: &str, spent: Spending) {
        match self.accounts.iter_mut().find(|(known, _)| known == issue) {
            Some((_, known)) => *known = spent,
            None => self.accounts.push((issue.into(), spent)),
        }
    }
}

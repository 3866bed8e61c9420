//! A workflow: the steps, and which follows which.
//!
//! How one is read from a file is for `parse`, where a step leads once it ran for `route`.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::dispatch::Complexity;

mod parse;
mod route;

pub use parse::parse;
pub use route::{Move, RouteNotice, Routing, route};

/// A workflow that was read and checked: every `next` names a step that is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workflow {
    /// Its name, equal to its file's.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// The steps; the first is the entry. Never empty.
    pub steps: Vec<Step>,
    /// Where it stands: `workflows/default.yaml`, or `built-in:default.yaml`.
    pub location: String,
}

/// One step: a role at work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its name, unique in the workflow.
    pub name: String,
    /// The role that runs it.
    pub agent: String,
    /// The step after it; `None` ends the workflow.
    pub next: Option<String>,
    /// Routes by result, tried in order before `next`.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// A standing instruction for the agent.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The declared tier.
    #[serde(default)]
    pub complexity: Option<Complexity>,
}

/// One conditional route.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The result it waits for; `default` takes whatever no other took.
    pub on_result: String,
    /// Where it leads; `None` ends the workflow.
    pub next: Option<String>,
}

impl Workflow {
    /// Finds a step by name.
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// Finds the first step that a role runs.
    pub fn step_of(&self, agent: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.agent == agent)
    }
}

//! A workflow: the steps, what does their work, and which follows which.
//!
//! How one is read from a file is for `parse`, where a step leads once it ran for `route`.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    dispatch::Complexity,
    setup::{Output, Wishes},
};

mod call;
mod gated;
mod grammar;
mod library;
mod parse;
pub mod reference;
mod route;
pub mod schema;
pub mod template;
mod ways;

pub(crate) use call::{Mismatch, mismatches};
pub(crate) use gated::gate_before;
#[cfg(test)]
pub(crate) use grammar::WORKFLOW;
pub use library::own_key;
pub use library::{Callee, Fetched, Library};
pub(crate) use parse::stem;
pub use parse::{Parsed, parse, read};
pub use route::{Ask, DEPTH_MAX, Entered, Move, Needed, Passed, RouteNotice, Routing, enter, route};
pub(crate) use route::{PARAMETER, condition_on, place};
pub(crate) use ways::{APPROVED, FAIL, Opened, PASS, REJECTED, Way, leaves_nothing, taken, ways};

/// A workflow that was read and checked: every `next` names a step that is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Workflow {
    /// Its name, equal to its file's.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// The parameters it is mounted with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// The steps whose comments are its results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// What a release of its gates takes, besides permission (decision 4).
    #[serde(default)]
    pub gate: GatePolicy,
    /// The steps; the first is the entry. Never empty.
    pub steps: Vec<Step>,
    /// Where it stands: `workflows/default.yaml`, or `built-in:default.yaml`.
    pub location: String,
}

/// A declared parameter of a workflow (reference: `inputs[]` of a file).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its name; steps refer to it as `input.NAME`.
    pub name: String,
    /// What it is bound to.
    pub kind: InputKind,
    /// Whether a step that uses it fails where it has no value. True unless the file says otherwise.
    pub required: bool,
}

/// What a parameter is bound to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A command whose output is the value.
    Exec,
    /// A constant text.
    #[default]
    Str,
}

/// What a release of a gate takes, besides write permission (decision 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GatePolicy {
    /// Whether the person who started the run may not decide.
    pub not_by_initiator: bool,
    /// How many people must approve; at least 1.
    pub approvals: u32,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its name, unique in the workflow.
    pub name: String,
    /// What does its work.
    pub work: Work,
    /// The step after it; `None` ends the workflow.
    pub next: Option<String>,
    /// Routes by result, tried in order before `next`.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// Skills for the agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<SkillUse>,
    /// A standing instruction for the agent; `{{ STEP }}` in it stands for that step's newest comment.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The declared tier.
    #[serde(default)]
    pub complexity: Option<Complexity>,
    /// The model and sampling that this step wants of its agent.
    #[serde(default, skip_serializing_if = "Wishes::is_empty")]
    pub wishes: Wishes,
    /// What the report of this step has to hold (reference: Step Output Fields).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    /// Whether a person has to release every advance out of it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub human_gate: bool,
    /// What it is given: the callee's parameters for a mount, values for the prompt of an agent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Binding>,
    /// What runs before the agent, and fails the step if it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre_hook: Option<Hook>,
    /// What runs after the agent, whatever came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_hook: Option<Hook>,
}

/// What does a step's work: exactly one of the four.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// A role.
    Agent(String),
    /// Another workflow, by name or by path.
    Workflow(String),
    /// A workflow of another repository: `owner/name//path@ref`.
    Repo(String),
    /// A program.
    Script(Script),
}

/// A program that is a step of its own (reference: `steps[].script`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// An executable, or a script of the repository.
    pub command: String,
    /// Its arguments, as they are written.
    #[serde(default)]
    pub args: Vec<String>,
    /// Where it runs, inside the checkout; empty is the checkout itself.
    #[serde(default)]
    pub working_dir: String,
    /// Variables on top of the caller's.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// How long it may take: 1 to 60.
    pub timeout_minutes: u32,
}

/// A program before or after an agent (reference: `steps[].pre_hook`, `post_hook`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    /// A script of the repository.
    pub path: String,
    /// Its arguments, as they are written.
    #[serde(default)]
    pub args: Vec<String>,
    /// How long it may take: 1 to 60.
    pub timeout_minutes: u32,
}

/// What a name is bound to at a call site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binding {
    /// The output of a command, run when the value is needed.
    Exec(Vec<String>),
    /// The text itself.
    Str(String),
    /// `input.NAME`, a parameter of this workflow, or `STEP`, that step's newest comment.
    Ref(String),
}

/// Skills attached to a step, in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillUse {
    /// Their text goes into the prompt.
    Inject(Vec<String>),
    /// They are named in the prompt and read on demand.
    Discover(Vec<String>),
}

/// One conditional route.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The result it waits for; `default` takes whatever no other took.
    pub on_result: String,
    /// Where it leads; `None` ends the workflow.
    pub next: Option<String>,
}

/// The pseudo-role of script steps (reference: Bot Marker Conventions).
pub const SCRIPT_ROLE: &str = "script";
/// The condition that takes what no other took.
pub const CATCH_ALL: &str = "default";
/// How long scripts, hooks and commands may take where nothing is said (reference: `timeout_minutes`).
pub const TIMEOUT_MINUTES: u32 = 30;
/// The longest time that is granted.
pub const TIMEOUT_MINUTES_MAX: u32 = 60;
/// The most approvals that a gate may ask for: no team has more at hand.
pub const APPROVALS_MAX: u32 = 10;

impl Workflow {
    /// Finds a step by name.
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// Finds the first step that a role runs.
    pub fn step_of(&self, agent: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.agent() == Some(agent))
    }
}

impl Step {
    /// Gives the agent, where one does the work.
    pub fn agent(&self) -> Option<&str> {
        match &self.work {
            Work::Agent(role) => Some(role),
            Work::Workflow(_) | Work::Repo(_) | Work::Script(_) => None,
        }
    }

    /// Gives the role that its comments and its state name: the agent, `script`, or nothing for a mount.
    pub fn role(&self) -> &str {
        match &self.work {
            Work::Agent(role) => role,
            Work::Script(_) => SCRIPT_ROLE,
            Work::Workflow(_) | Work::Repo(_) => "",
        }
    }
}

impl InputKind {
    /// Gives the word of the grammar.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Exec => "exec",
            Self::Str => "str",
        }
    }
}

impl Default for GatePolicy {
    fn default() -> Self {
        Self { not_by_initiator: false, approvals: 1 }
    }
}

impl Default for Work {
    fn default() -> Self {
        Self::Agent(String::new())
    }
}

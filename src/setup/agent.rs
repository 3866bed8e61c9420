//! What an agent is: its prompt, what it may use, what does its work and what its reports have to hold.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{dispatch::Complexity, setup::Wishes, workflow::SkillUse};

/// An agent: a role, the prompt that makes it, and what the settings say of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// The role's prompt, as markdown.
    pub prompt: String,
    /// Where it stands: `workflows/agents/dev.md`, or `built-in:agents/dev.md`.
    pub location: String,
    /// Its skills, wherever it works. A step's mode wins for a repeated name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<SkillUse>,
    /// The workspace tools it may use, by name; none unless listed (decision 8).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// The commands that `run_command` may run: an argv that begins with one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Vec<String>>,
    /// What does its work.
    #[serde(default, skip_serializing_if = "Runtime::is_model")]
    pub runtime: Runtime,
    /// The phase that its steps are in, where the settings say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// What its reports have to hold, where the step says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    /// The model and sampling it wants.
    #[serde(default, skip_serializing_if = "Wishes::is_empty")]
    pub wishes: Wishes,
    /// What it wants instead at a tier (reference: `complexity_overrides`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub overrides: BTreeMap<Complexity, Wishes>,
}

/// What does an agent's work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runtime {
    /// A model, asked by the engine.
    #[default]
    Model,
    /// An outside program (decision 8).
    Command {
        /// The program and its arguments. Never empty.
        argv: Vec<String>,
        /// How long it may take: 1 to 60.
        timeout_minutes: u32,
    },
}

/// The fields of a report (reference: Step Output Fields).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// In the order in which the report shows them. Names are unique.
    pub fields: Vec<Field>,
}

/// One field of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name, as the agent gives it: `coverage`.
    pub name: String,
    /// What belongs into it, for the agent.
    #[serde(default)]
    pub description: String,
    /// Whether a report without it is refused.
    #[serde(default)]
    pub required: bool,
    /// What its text is.
    #[serde(default)]
    pub kind: FieldKind,
}

impl Field {
    /// Tells whether a field stands under the heading of a name: case, `_` and `-` make no other heading.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        key_of_field(&self.name) == key_of_field(name)
    }
}

/// Gives what two fields of a report cannot share: their heading, in small letters.
pub(crate) fn key_of_field(name: &str) -> String {
    name.replace(['_', '-'], " ").trim().to_lowercase()
}

/// What the text of a field is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Markdown.
    #[default]
    Text,
    /// A markdown table.
    Table,
    /// JSON, shown in a fence.
    Json,
}

impl Runtime {
    /// Tells whether a model does the work.
    pub fn is_model(&self) -> bool {
        *self == Self::Model
    }
}

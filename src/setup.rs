//! What is configured before a run: the repository, the settings, the workflows and the agents.
//!
//! It is read once by the edge, handed in once, and written into the first line of a recording.

use alloc::{collections::BTreeMap, string::String};

use serde::{Deserialize, Serialize};

use crate::workflow::Workflow;

mod agent;
mod models;
mod money;
mod settings;
mod wishes;

pub(crate) use agent::key_of_field;
pub use agent::{Agent, Field, FieldKind, Output, Runtime};
pub use models::{Model, Prices, Provider, ProviderKind};
pub use money::Usd;
pub use settings::{Limits, PromptOrder, Settings, Tiers, TrustPolicy};
pub use wishes::Wishes;

/// Everything that is given to a run from outside the thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// `owner/name`, for words and links.
    pub repo: String,
    /// The number in it.
    pub number: u64,
    /// What a maintainer may set.
    #[serde(default)]
    pub settings: Settings,
    /// The workflows, by name.
    pub workflows: BTreeMap<String, Workflow>,
    /// The agents, by role.
    pub agents: BTreeMap<String, Agent>,
    /// The skills, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skills: BTreeMap<String, Skill>,
}

/// A skill: a text that steps attach to their agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skill {
    /// The text, as markdown.
    pub text: String,
    /// Where it stands: `workflows/skills/testing.md`.
    pub location: String,
}

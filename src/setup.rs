//! What is configured before a run: the repository, the settings, the workflows and the agents.
//!
//! It is read once by the edge, handed in once, and written into the first line of a recording.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{ids::Identity, workflow::Workflow};

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

/// An agent: a role and the prompt that makes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The role's prompt, as markdown.
    pub prompt: String,
    /// Where it stands: `workflows/agents/dev.md`, or `built-in:agents/dev.md`.
    pub location: String,
}

/// What a maintainer may set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The workflow of a thread that has none yet.
    pub workflow: String,
    /// The model's name, as its service knows it.
    pub model: String,
    /// `HISTORY_COMMENT_COUNT`: `None` or ≤ 0 shows every relevant record, N the last N (ADR-0012, decision 4).
    pub history_comment_count: Option<i64>,
    /// Accounts besides the engine's own whose state blocks count, by id or login (decision 2.2).
    pub trusted_actors: Vec<Identity>,
    /// The engine's account where the service does not tell it (decision 1).
    pub engine_login: Option<String>,
    /// Whether the engine goes on by itself after a step (`--chain`) or leaves that to the next job.
    pub chain: bool,
    /// At most so many steps in one run.
    pub max_steps: u32,
    /// Whether to stop before the first model call or post.
    pub dry_run: bool,
    /// Bounds on what a thread may use up.
    pub limits: Limits,
}

/// Bounds on what a thread may use up (decision 6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Agent comments since a person last wrote.
    pub rounds: u32,
    /// Runs of one step in a row.
    pub same_step: u32,
    /// Characters of a record that is not pinned, before it is cut with a note.
    pub record_chars: usize,
    /// Characters of one input's value in a prompt (decision 7).
    pub input_chars: usize,
    /// How often people may send one step back at its gate (decision 4).
    pub gate_rework: u32,
    /// Rounds of refinement in a thread.
    pub refine_rounds: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workflow: "default".into(),
            model: "default".into(),
            history_comment_count: None,
            trusted_actors: Vec::new(),
            engine_login: None,
            chain: true,
            max_steps: 50,
            dry_run: false,
            limits: Limits::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds: 25, same_step: 5, record_chars: 16_000, input_chars: 60_000, gate_rework: 3, refine_rounds: 5 }
    }
}

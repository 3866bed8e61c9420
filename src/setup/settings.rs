//! What a maintainer may set: in `.nebuko/config.yaml`, on the command line, in the environment.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    dispatch::Complexity,
    ids::Identity,
    setup::{Model, Prices, Provider, Usd, Wishes},
};

/// What a maintainer may set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The workflow of a thread that has none yet.
    pub workflow: String,
    /// The model of agents that want no other: one of `models` by name, or a name as its service knows it.
    pub model: String,
    /// The models, by the name that is used here.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, Model>,
    /// The services, by the name that `models` uses.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub providers: BTreeMap<String, Provider>,
    /// What is wanted of a model where nobody else says anything.
    #[serde(skip_serializing_if = "Wishes::is_empty")]
    pub defaults: Wishes,
    /// The least temperature of each tier.
    pub tiers: Tiers,
    /// Whether answers come piece by piece, with progress (decision 8).
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub stream: bool,
    /// How long one request to a model may take, in seconds.
    pub model_seconds: u64,
    /// In which order a prompt is put together (decision 5).
    pub prompt_order: PromptOrder,
    /// Whose words may be an agent's instructions.
    pub trust: TrustPolicy,
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

impl Settings {
    /// Gives the prices of a model by the name that its service knows, and by that service: two may sell one of the same
    /// name. `None` is the service that the command line names.
    pub fn prices_of(&self, provider: Option<&Provider>, name: &str) -> Option<Prices> {
        let is_it = |model: &&Model| model.name == name && self.providers.get(&model.provider) == provider;
        self.models.values().find(is_it)?.prices
    }
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
    /// Turns of a model in one step.
    pub step_turns: u32,
    /// Bytes of what one use of a workspace tool gives back.
    pub tool_bytes: u64,
    /// Seconds that one use of a workspace tool may take.
    pub tool_seconds: u64,
    /// Turns of models in one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_turns: Option<u64>,
    /// Turns of models in one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue_turns: Option<u64>,
    /// Tokens in one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_tokens: Option<u64>,
    /// Tokens in one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_tokens: Option<u64>,
    /// Tokens in one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue_tokens: Option<u64>,
    /// Minutes of models and their tools in one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_minutes: Option<u64>,
    /// The same in one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_minutes: Option<u64>,
    /// The same in one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue_minutes: Option<u64>,
    /// What one step may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_cost_usd: Option<Usd>,
    /// What one run may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_cost_usd: Option<Usd>,
    /// What one thread may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue_cost_usd: Option<Usd>,
}

/// The least temperature of each tier, unless a temperature is explicit (decision 8).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tiers {
    /// Of `low`.
    pub low: f64,
    /// Of `medium`.
    pub medium: f64,
    /// Of `high`.
    pub high: f64,
}

/// In which order a prompt is put together (decision 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromptOrder {
    /// What all steps share first, so that providers can cache it.
    #[default]
    ThreadFirst,
    /// The role first, for models that need it.
    RoleFirst,
}

/// Whose words may be an agent's instructions (decision 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrustPolicy {
    /// Those of the person who started the run (ADR-0012).
    #[default]
    Initiator,
    /// Those of everybody whose association is in the allow-list.
    Maintainers,
}

impl Tiers {
    /// Gives the floor of a tier.
    pub fn floor(&self, tier: Complexity) -> f64 {
        match tier {
            Complexity::Low => self.low,
            Complexity::Medium => self.medium,
            Complexity::High => self.high,
        }
    }
}

impl Default for Tiers {
    fn default() -> Self {
        Self { low: 0.0, medium: 0.2, high: 0.4 }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workflow: "default".into(),
            model: "default".into(),
            models: BTreeMap::new(),
            providers: BTreeMap::new(),
            defaults: Wishes::default(),
            tiers: Tiers::default(),
            stream: false,
            model_seconds: 600,
            prompt_order: PromptOrder::default(),
            trust: TrustPolicy::default(),
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
        Self {
            rounds: 25,
            same_step: 5,
            record_chars: 16_000,
            input_chars: 60_000,
            gate_rework: 3,
            refine_rounds: 5,
            step_turns: 40,
            tool_bytes: 64 * 1024,
            tool_seconds: 60,
            run_turns: None,
            issue_turns: None,
            step_tokens: None,
            run_tokens: None,
            issue_tokens: None,
            step_minutes: None,
            run_minutes: None,
            issue_minutes: None,
            step_cost_usd: None,
            run_cost_usd: None,
            issue_cost_usd: None,
        }
    }
}

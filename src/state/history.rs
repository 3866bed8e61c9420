//! What one step did: the entry that every later step can be audited from.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    dispatch::Dispatch,
    snapshot::null_is_default,
    state::{StepRef, Unknown},
};

/// One step that ran (reference: HistoryEntry).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HistoryEntry {
    /// The step.
    #[serde(deserialize_with = "null_is_default")]
    pub step: String,
    /// The role that ran it.
    #[serde(deserialize_with = "null_is_default")]
    pub agent: String,
    /// What happened, on one line.
    #[serde(deserialize_with = "null_is_default")]
    pub summary: String,
    /// The comments that hold the output, in order. The newest entry of a state that was just read gets
    /// the carrying comment's own id on reading, because nobody knows it before it is posted.
    #[serde(deserialize_with = "one_or_many")]
    pub comment_ids: Vec<u64>,
    /// Whether the output belongs into the next agent's context.
    #[serde(default = "included", deserialize_with = "null_is_included", skip_serializing_if = "is_true")]
    pub inject_context: bool,
    /// Paths of what the step made.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<String>,
    /// Whether the output is pinned.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub pin: bool,
    /// What the agent reported (`approved`, `rejected`, …), or the dispatch status where it said nothing.
    pub result: Option<String>,
    /// The routing decision the step gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<Dispatch>,
    /// The call stack after the step: that of the state that carries this as its newest entry.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub position: Vec<StepRef>,
    /// What the model call cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<StateMetrics>,
    /// The deterministic inputs the step was given.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<StepInputRecord>,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// What one agent invocation used (reference: the annotated example's `metrics`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StateMetrics {
    /// UUIDv8 over repository, issue, run id and step (decision 11).
    #[serde(deserialize_with = "null_is_default")]
    pub run_id: String,
    /// The model that answered, in its own words.
    #[serde(deserialize_with = "null_is_default")]
    pub model_name: String,
    /// The role.
    #[serde(deserialize_with = "null_is_default")]
    pub agent_role: String,
    /// Prompt tokens, all turns.
    #[serde(deserialize_with = "null_is_default")]
    pub input_tokens: u64,
    /// Completion tokens, all turns.
    #[serde(deserialize_with = "null_is_default")]
    pub output_tokens: u64,
    /// The model's window in tokens, or 0 where unknown.
    #[serde(deserialize_with = "null_is_default")]
    pub max_context_window: u64,
    /// `cache_hit_tokens / input_tokens`, 0 where nothing was read.
    #[serde(deserialize_with = "null_is_default")]
    pub cache_hit_rate: f64,
    /// Prompt tokens that the provider had cached.
    #[serde(deserialize_with = "null_is_default")]
    pub cache_hit_tokens: u64,
    /// Completion tokens spent on reasoning.
    #[serde(deserialize_with = "null_is_default")]
    pub reasoning_tokens: u64,
    /// Milliseconds spent in tools.
    #[serde(deserialize_with = "null_is_default")]
    pub tool_call_latency_ms: f64,
    /// Milliseconds from the first request to the last answer.
    #[serde(deserialize_with = "null_is_default")]
    pub agent_runtime_ms: f64,
    /// How many tool calls there were.
    #[serde(deserialize_with = "null_is_default")]
    pub nb_tool_calls: u64,
    /// The share of tool calls that failed, 0 where there were none.
    #[serde(deserialize_with = "null_is_default")]
    pub tool_call_error_rate: f64,
    /// How often a review asked for a fix.
    #[serde(deserialize_with = "null_is_default")]
    pub review_fix_requests: u64,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// One materialised input of a step (reference: StepInputRecord).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepInputRecord {
    /// The input's name.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
    /// `exec`, `str` or `ref`.
    #[serde(deserialize_with = "null_is_default")]
    pub binding: String,
    /// Whether there is a value.
    #[serde(deserialize_with = "null_is_default")]
    pub ok: bool,
    /// Why there is none.
    #[serde(deserialize_with = "null_is_default")]
    pub detail: String,
    /// The value, capped at `MAX_VALUE_CHARS`.
    #[serde(deserialize_with = "null_is_default")]
    pub value: String,
    /// Whether it was capped.
    #[serde(deserialize_with = "null_is_default")]
    pub truncated: bool,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

fn null_is_included<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Option::deserialize(deserializer).map(|included| included.unwrap_or(true))
}

fn included() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// Reads a list of ids, or the single id (or null) that older generations wrote.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Ids {
        Many(Vec<u64>),
        One(u64),
        None(()),
    }
    Ok(match Ids::deserialize(deserializer)? {
        Ids::Many(ids) => ids,
        Ids::One(id) => Vec::from([id]),
        Ids::None(()) => Vec::new(),
    })
}

//! What somebody wants of a model call: which model, how much thinking, which sampling.
//!
//! The settings, an agent, a step and a dispatch can each say it; which of them counts is for `agent::effective`.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::dispatch::Reasoning;

/// What is wanted of a model call; `None` leaves it to whoever counts less.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wishes {
    /// A model of the settings by name, or a name as its service knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The reasoning effort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Reasoning>,
    /// Sampling temperature, 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Top-K selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<i64>,
    /// Minimum-P sampling, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f64>,
    /// Presence penalty, −2 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    /// Repetition penalty, above 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// At most so many tokens in one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
}

impl Wishes {
    /// Tells whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Gives what is wanted where `self` counts more than `other`.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        Self {
            model: self.model.clone().or_else(|| other.model.clone()),
            reasoning: self.reasoning.or(other.reasoning),
            temperature: self.temperature.or(other.temperature),
            top_p: self.top_p.or(other.top_p),
            top_k: self.top_k.or(other.top_k),
            min_p: self.min_p.or(other.min_p),
            presence_penalty: self.presence_penalty.or(other.presence_penalty),
            repetition_penalty: self.repetition_penalty.or(other.repetition_penalty),
            max_output_tokens: self.max_output_tokens.or(other.max_output_tokens),
        }
    }
}

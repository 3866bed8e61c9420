//! The dispatch: how a step ended and what it wishes for the next (reference: Dispatch Object).

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::IntoDeserializer};

use crate::{snapshot::null_is_default, state::Unknown};

/// Outcome and wishes of a step. Everything but `status` may be left open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dispatch {
    /// How the step ended.
    #[serde(deserialize_with = "empty_is_default")]
    pub status: Status,
    /// A suggested next agent.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub task_hint: Option<String>,
    /// The tier of the next step.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// The reasoning effort of the next step.
    #[serde(deserialize_with = "empty_is_default", skip_serializing_if = "Reasoning::is_none")]
    pub reasoning: Reasoning,
    /// Another model for the next step.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Top-K selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<i64>,
    /// Minimum-P sampling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f64>,
    /// Presence penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    /// Repetition penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// Another workflow.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// Another step of the workflow.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// A key for the step's conditions.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The workflow that mounts, when a sub-workflow is entered.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub parent_workflow: Option<String>,
    /// The step that mounts it.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub parent_workflow_step: Option<String>,
    /// Skills for the next agent: one text, or a list.
    #[serde(skip_serializing_if = "Skills::is_empty")]
    pub skills: Skills,
    /// Whether this step's output is pinned.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "core::ops::Not::not")]
    pub pin: bool,
    /// Why, in the agent's words.
    #[serde(deserialize_with = "empty_is_none", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// On to the next step.
    #[default]
    Advance,
    /// The same step again.
    Loop,
    /// Stay, until a person says more.
    Hold,
    /// The run is over.
    Terminate,
}

/// The tier of a step: it selects sampling and overrides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Complexity {
    /// Routine.
    Low,
    /// What applies where nothing is said.
    #[default]
    Medium,
    /// Hard.
    High,
}

/// The reasoning effort of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reasoning {
    /// No thinking.
    #[default]
    None,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// As much as there is; `high` is read as the same.
    #[serde(alias = "high")]
    Xhigh,
}

impl Reasoning {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

impl Complexity {
    /// Gives the word of the wire contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl Status {
    /// Gives the word of the wire contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Advance => "advance",
            Self::Loop => "loop",
            Self::Hold => "hold",
            Self::Terminate => "terminate",
        }
    }
}

/// Names of skills, written as one text where there is one and as a list where there are several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skills(pub Vec<String>);

impl Skills {
    /// Tells whether none is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Skills {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            many => many.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Skills {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Shape {
            One(String),
            Many(Vec<String>),
            None(()),
        }
        Ok(Self(match Shape::deserialize(deserializer)? {
            Shape::One(name) if name.is_empty() => Vec::new(),
            Shape::One(name) => Vec::from([name]),
            Shape::Many(names) => names,
            Shape::None(()) => Vec::new(),
        }))
    }
}

/// Reads an empty text as no wish: the reference leaves what is not set "empty/null".
fn empty_is_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    match Option::<String>::deserialize(deserializer)? {
        Some(text) if !text.is_empty() => T::deserialize(text.into_deserializer()).map(Some),
        _ => Ok(None),
    }
}

fn empty_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    empty_is_none(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use quickcheck::{Arbitrary, Gen};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_dispatch_is_read_forgivingly_and_written_shortly() {
        let check = |given: Value, written: Option<Value>| {
            let dispatch = serde_json::from_str::<Dispatch>(&given.to_string()).ok();
            let found = dispatch.map(|dispatch| serde_json::to_value(dispatch).expect("a dispatch is JSON"));
            assert_eq!(found, written, "{given}");
        };
        let advance = || Some(json!({"status": "advance"}));
        check(json!({}), advance());
        check(json!({"status": null, "reasoning": null, "skills": null, "pin": null, "top_k": null}), advance());
        check(
            json!({"status": "", "task_hint": "", "complexity": "", "reasoning": "", "skills": "", "step": ""}),
            advance(),
        );
        check(json!({"status": "hold", "reasoning": "high"}), Some(json!({"status": "hold", "reasoning": "xhigh"})));
        check(json!({"skills": "a"}), Some(json!({"status": "advance", "skills": "a"})));
        check(json!({"skills": ["a", "b"]}), Some(json!({"status": "advance", "skills": ["a", "b"]})));
        check(json!({"temperature": 1}), Some(json!({"status": "advance", "temperature": 1.0})));
        check(json!({"round": 2}), Some(json!({"status": "advance", "round": 2})));
        check(json!({"reason": " "}), Some(json!({"status": "advance", "reason": " "})));
        check(json!({"status": "stop"}), None);
        check(json!({"complexity": "urgent"}), None);
        check(json!({"complexity": 1}), None);
        check(json!({"skills": 1}), None);
        check(json!({"top_k": 1.5}), None);
    }

    #[test]
    fn every_dispatch_comes_back_as_it_was_written() {
        for seed in 0..300 {
            let dispatch = Dispatch::arbitrary(&mut Gen::from_size_and_seed(6, seed));
            let json = serde_json::to_value(&dispatch).expect("a dispatch is JSON").to_string();
            assert_eq!(serde_json::from_str(&json).ok(), Some(dispatch), "seed {seed}: {json}");
        }
    }
}

//! `AGENT_RUN_CONFIG`: the one-line record of a hand-off that the engine leaves in a comment.
//!
//! It is written from a typed value and read back strictly: from a comment at top level, on one line, the
//! last one in a body. Whose sentinels are believed, and where they lead, is for `thread` and `run`.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
};

use memchr::memmem;
use once_cell::sync::Lazy;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    dispatch::{Complexity, Dispatch, Reasoning, Skills},
    markdown::{SENTINEL, Scan, comment_json},
    state::Unknown,
};

/// What a body's sentinel says.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// There is none.
    None,
    /// It is whole and keeps both invariants.
    Valid(Box<AgentRunConfig>),
    /// It looks like one but is none: cut short, not JSON, or without an action. Worth one warning.
    Invalid {
        /// What is wrong with it.
        why: String,
    },
}

/// The payload of a sentinel (reference: AGENT_RUN_CONFIG), current and legacy fields.
///
/// It names at least one of `dispatch`, `task` and `function_call`, and never both of the last two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentRunConfig {
    /// The current contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<Dispatch>,
    /// Legacy: the role to run next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// A role to call and come back from: its name, or an object with the name in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_call: Option<Value>,
    /// Legacy: skills of the next step.
    #[serde(skip_serializing_if = "Skills::is_empty")]
    pub skills: Skills,
    /// Legacy: tier of the next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Legacy: reasoning effort of the next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Reasoning>,
    /// Legacy: how often development and review have called each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<i64>,
    /// Legacy: sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Legacy: nucleus sampling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Legacy: Top-K selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<i64>,
    /// Legacy: repetition penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// Legacy: another model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Legacy: another workflow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// Legacy: another step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Legacy: a key for the step's conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// Finds the sentinel of a body: the last one at top level counts.
pub fn find(body: &str) -> Found {
    if memmem::find(body.as_bytes(), SENTINEL.as_bytes()).is_none() {
        return Found::None;
    }
    let scan = Scan::new(body);
    match scan.comments().iter().rev().find_map(|comment| payload(&body[comment.clone()])) {
        Some(json) => read(json),
        None => Found::None,
    }
}

/// Writes a sentinel: one line with exactly one start and one end of a comment in it.
pub fn render(config: &AgentRunConfig) -> String {
    let json = serde_json::to_string(config).expect("every key is a text, so it is always JSON");
    format!("<!-- {SENTINEL} {} -->", comment_json(&json))
}

/// Takes the payload out of a comment.
fn payload(comment: &str) -> Option<&str> {
    Some(PATTERN.captures(comment)?.get(1)?.as_str())
}

/// The canonical pattern (reference: Bot Marker Conventions) over a whole comment. No line end is a `.`, a lone
/// `\r` neither.
static PATTERN: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?R)\A<!--(?:[ \t])*AGENT_RUN_CONFIG[ \t]+(\{.*?\})(?:[ \t])*-->\z").expect("the pattern is fixed")
});

fn read(json: &str) -> Found {
    let config: AgentRunConfig = match serde_json::from_str(json) {
        Ok(config) => config,
        Err(error) => return Found::Invalid { why: error.to_string() },
    };
    match config.broken_rule() {
        Some(why) => Found::Invalid { why: why.into() },
        None => Found::Valid(Box::new(config)),
    }
}

impl AgentRunConfig {
    /// Records a dispatch and nothing else: what this engine writes.
    pub fn of(dispatch: Dispatch) -> Self {
        Self { dispatch: Some(dispatch), ..Self::default() }
    }

    /// Gives the dispatch in force: the current contract's fields first, legacy flat fields where it has none.
    pub fn dispatch(&self) -> Dispatch {
        let mut dispatch = self.dispatch.clone().unwrap_or_default();
        let target = self.task().or_else(|| self.called());
        fill(&mut dispatch.task_hint, &target.map(String::from));
        fill(&mut dispatch.complexity, &self.complexity);
        fill(&mut dispatch.temperature, &self.temperature);
        fill(&mut dispatch.top_p, &self.top_p);
        fill(&mut dispatch.top_k, &self.top_k);
        fill(&mut dispatch.repetition_penalty, &self.repetition_penalty);
        fill(&mut dispatch.model, &self.model);
        fill(&mut dispatch.workflow, &self.workflow);
        fill(&mut dispatch.step, &self.step);
        fill(&mut dispatch.branch, &self.branch);
        if dispatch.reasoning == Reasoning::None {
            dispatch.reasoning = self.reasoning.unwrap_or_default();
        }
        if dispatch.skills.is_empty() {
            dispatch.skills = self.skills.clone();
        }
        dispatch
    }

    /// Gives the role that is called and comes back, if one is.
    pub fn called(&self) -> Option<&str> {
        let name = match self.function_call.as_ref()? {
            Value::String(name) => Some(name.as_str()),
            Value::Object(call) => ["task", "agent", "name"].iter().find_map(|key| call.get(*key)?.as_str()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        };
        name.filter(|name| !name.is_empty())
    }

    fn task(&self) -> Option<&str> {
        self.task.as_deref().filter(|task| !task.is_empty())
    }

    fn broken_rule(&self) -> Option<&'static str> {
        match (self.task(), &self.function_call, &self.dispatch) {
            (Some(_), Some(_), _) => Some("`task` and `function_call` exclude each other"),
            (None, Some(_), _) if self.called().is_none() => Some("`function_call` names no role"),
            (None, None, None) => Some("one of `task`, `dispatch` and `function_call` is required"),
            _ => None,
        }
    }
}

fn fill<T: Clone>(field: &mut Option<T>, legacy: &Option<T>) {
    if field.is_none() {
        field.clone_from(legacy);
    }
}

#[cfg(test)]
mod tests;

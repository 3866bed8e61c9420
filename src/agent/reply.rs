//! What a chat-completion body says, whatever server wrote it.
//!
//! It reads shapes only. Whether an empty answer is asked again or a call is obeyed is for `talk`.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{agent::stream::STREAM_FAULT, text::cut};

/// One turn of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// Its visible text; reasoning is not part of it.
    pub(crate) content: String,
    /// What it called.
    pub(crate) calls: Vec<Call>,
    /// Whether the output limit cut it, so that no call of it may run.
    pub(crate) is_cut: bool,
    /// What it used.
    pub(crate) usage: Usage,
    /// The model, in the server's words.
    pub(crate) model: String,
}

/// One tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Call {
    /// The id to answer under.
    pub(crate) id: String,
    /// The tool.
    pub(crate) name: String,
    /// Its arguments as a text that holds JSON, to be sent back.
    pub(crate) written: String,
    /// Its arguments, or why they cannot be read.
    pub(crate) arguments: Result<Map<String, Value>, String>,
}

/// Tokens, as far as the server said; each is 0 where it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Of the prompt.
    pub input: u64,
    /// Of the answer.
    pub output: u64,
    /// Those of the prompt that the server had cached.
    pub cached: u64,
    /// Those of the answer that were reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// Tells whether the server said nothing of the prompt: none is empty.
    pub(crate) fn is_unsaid(self) -> bool {
        self.input == 0
    }
}

/// A body that is no completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What it is instead.
    pub(crate) kind: FaultKind,
    /// The id under which the service keeps it, where it names one.
    pub(crate) id: String,
}

/// What a body is that is no completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The provider reports an error under HTTP 200.
    Provider {
        /// Its code: a status of HTTP, or a word.
        code: String,
        /// Its words.
        message: String,
    },
    /// JSON without a choice; the keys that were there.
    Shapeless {
        /// In order.
        keys: Vec<String>,
    },
    /// The model would not, or a filter did not let it.
    Refusal {
        /// In its own words, or in ours.
        why: String,
    },
    /// A stream that did not become an answer.
    Broken {
        /// How.
        why: String,
    },
    /// No JSON at all.
    NotJson {
        /// The parser's words.
        why: String,
    },
}

impl Fault {
    /// Tells whether the same request may be answered later (fault kind 7.3).
    pub(crate) fn may_pass(&self) -> bool {
        match &self.kind {
            FaultKind::Provider { code, .. } => match code.parse::<u64>() {
                Ok(status) => !matches!(status, 400..=407 | 409..=428 | 430..=499),
                Err(_) => !LASTING.iter().any(|word| code.to_ascii_lowercase().contains(word)),
            },
            FaultKind::Shapeless { .. } | FaultKind::Broken { .. } | FaultKind::NotJson { .. } => true,
            FaultKind::Refusal { .. } => false,
        }
    }
}

/// Reads a body.
pub(crate) fn read(body: &str) -> Result<Turn, Fault> {
    let value: Value = serde_json::from_str(body)
        .map_err(|error| Fault { kind: FaultKind::NotJson { why: error.to_string() }, id: String::new() })?;
    read_turn(&value).map_err(|kind| Fault { kind, id: id_of(&value) })
}

/// Reads what a body says was used, for whoever only counts.
pub fn usage_of(body: &str) -> Usage {
    serde_json::from_str::<Value>(body).map(|value| read_usage(&value["usage"])).unwrap_or_default()
}

fn read_turn(value: &Value) -> Result<Turn, FaultKind> {
    if let Some(why) = value[STREAM_FAULT].as_str() {
        return Err(FaultKind::Broken { why: cut(why, MESSAGE_CHARS) });
    }
    if let Some(fault) = provider_error(value) {
        return Err(fault);
    }
    let Some(choice) = value.get("choices").and_then(|choices| choices.get(0)) else {
        let keys =
            value.as_object().map(|object| object.keys().take(KEYS_MAX).map(|key| cut(key, KEY_CHARS)).collect());
        return Err(FaultKind::Shapeless { keys: keys.unwrap_or_default() });
    };
    if let Some(fault) = provider_error(choice).or_else(|| refusal(choice)) {
        return Err(fault);
    }
    let message = &choice["message"];
    Ok(Turn {
        content: visible_text(&message["content"]),
        calls: message["tool_calls"].as_array().map(|calls| read_calls(calls)).unwrap_or_default(),
        is_cut: choice["finish_reason"] == "length",
        usage: read_usage(&value["usage"]),
        model: cut(value["model"].as_str().unwrap_or_default(), MODEL_CHARS),
    })
}

/// Finds an error in a body or a choice: under its key, or as vLLM writes it, as the whole.
fn provider_error(value: &Value) -> Option<FaultKind> {
    let is_whole = value["object"] == "error";
    let error = match value.get("error").filter(|error| !error.is_null()) {
        Some(error) => error,
        None if is_whole => value,
        None if value["finish_reason"] == "error" => {
            let message = "the provider stopped the answer with an error".to_string();
            return Some(FaultKind::Provider { code: String::new(), message });
        }
        None => return None,
    };
    let message = match error.get("message").unwrap_or(error) {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let code = ["code", "status", "type"].iter().find_map(|key| match &error[*key] {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if !text.is_empty() => Some(cut(text, KEY_CHARS)),
        _ => None,
    });
    Some(FaultKind::Provider { code: code.unwrap_or_default(), message: cut(&message, MESSAGE_CHARS) })
}

/// Finds the id under which a service keeps an answer, for whoever asks it what went wrong.
fn id_of(value: &Value) -> String {
    let places = [&value["error"]["request_id"], &value["request_id"], &value["id"]];
    places.iter().find_map(|place| place.as_str()).map(|id| cut(id, KEY_CHARS)).unwrap_or_default()
}

/// Tells that the model or its provider's filter gave no answer on purpose: what came is not a report.
fn refusal(choice: &Value) -> Option<FaultKind> {
    let words = choice["message"]["refusal"].as_str().filter(|words| !words.trim().is_empty());
    let is_filtered = choice["finish_reason"] == "content_filter";
    let why = words.or(is_filtered.then_some("the provider's content filter stopped the answer"))?;
    Some(FaultKind::Refusal { why: cut(why, MESSAGE_CHARS) })
}

/// Gives the text of a content field: a text, a list of parts, or nothing.
fn visible_text(content: &Value) -> String {
    match content {
        Value::String(text) => without_thinking(text).to_string(),
        Value::Array(parts) => parts.iter().filter_map(text_of).collect(),
        _ => String::new(),
    }
}

/// Gives the text of a content part, unless it is of a kind that is not the answer, such as reasoning.
pub(super) fn text_of(part: &Value) -> Option<&str> {
    let is_text = matches!(part["type"].as_str(), None | Some("text" | "output_text"));
    part["text"].as_str().filter(|_| is_text)
}

/// Takes off the thinking that some servers leave at the head of the text: reasoning is not the answer.
///
/// Some send its end alone, because their template has opened it already. That end stands at the end of its line; a
/// report that names the tag stands in code, or goes on behind it.
fn without_thinking(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let tag = |at: usize, tags: [&str; 2]| tags.into_iter().find(|tag| lower[at..].starts_with(tag)).map(str::len);
    let blank = |at: usize| lower[at..].len() - lower[at..].trim_start().len();
    let mut start = 0;
    while let Some(opened) = tag(start + blank(start), OPENS) {
        let inside = start + blank(start) + opened;
        let ends = lower[inside..].match_indices("</think").find_map(|(at, _)| {
            let at = inside + at;
            tag(at, ENDS).map(|length| at + length)
        });
        let Some(end) = ends else { return "" };
        start = end;
    }
    if start > 0 || lower.contains("<think") {
        return &text[start..];
    }
    let (mut counted, mut ticks) = (0, 0);
    for (at, _) in lower.match_indices("</think") {
        ticks += lower[counted..at].matches('`').count();
        counted = at;
        let Some(end) = tag(at, ENDS).map(|length| at + length) else { continue };
        let is_last_of_its_line = lower[end..].lines().next().is_none_or(|line| line.trim().is_empty());
        if is_last_of_its_line && ticks.is_multiple_of(2) {
            return &text[end..];
        }
    }
    text
}

const OPENS: [&str; 2] = ["<think>", "<thinking>"];
const ENDS: [&str; 2] = ["</think>", "</thinking>"];

/// Tells whether a text shows anything at all: not only white space, invisible characters and hidden comments.
pub(crate) fn is_visible(text: &str) -> bool {
    let mut rest = text;
    let mut shown = String::new();
    while let Some((before, after)) = rest.split_once("<!--") {
        shown.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    shown.push_str(rest);
    shown.chars().any(|c| !c.is_whitespace() && !c.is_control() && !INVISIBLE.contains(&c))
}

fn read_calls(calls: &[Value]) -> Vec<Call> {
    calls
        .iter()
        .enumerate()
        .map(|(place, call)| {
            let id = call["id"].as_str().filter(|id| !id.is_empty()).map(ToString::to_string);
            let arguments = read_arguments(&call["function"]["arguments"]);
            Call {
                id: id.unwrap_or_else(|| format!("call-{place}")),
                name: call["function"]["name"].as_str().unwrap_or_default().to_string(),
                written: match &arguments {
                    Ok(map) => Value::Object(map.clone()).to_string(),
                    Err(_) => "{}".to_string(),
                },
                arguments,
            }
        })
        .collect()
}

/// Reads arguments in the shapes that servers send: a text that holds JSON, an object, nothing at all.
fn read_arguments(arguments: &Value) -> Result<Map<String, Value>, String> {
    let parsed;
    let value = match arguments {
        Value::String(text) if text.trim().is_empty() => &Value::Null,
        Value::String(text) => {
            parsed = serde_json::from_str(text).map_err(|error| format!("the arguments are no JSON: {error}"))?;
            &parsed
        }
        other => other,
    };
    match value {
        Value::Null => Ok(Map::new()),
        Value::Object(map) => Ok(map.clone()),
        _ => Err("the arguments must be a JSON object".to_string()),
    }
}

/// Reads usage in the shapes of several services: the details of OpenAI, DeepSeek's cache hits, and the same names
/// without a level between.
fn read_usage(usage: &Value) -> Usage {
    let input = first_number(&[&usage["prompt_tokens"], &usage["input_tokens"]]);
    let cached = [
        &usage["prompt_tokens_details"]["cached_tokens"],
        &usage["input_tokens_details"]["cached_tokens"],
        &usage["prompt_cache_hit_tokens"],
        &usage["cached_tokens"],
    ];
    let reasoning = [&usage["completion_tokens_details"]["reasoning_tokens"], &usage["reasoning_tokens"]];
    Usage {
        input,
        output: first_number(&[&usage["completion_tokens"], &usage["output_tokens"]]),
        // A part is not more than the whole, whatever a service counts.
        cached: first_number(&cached).min(input),
        reasoning: first_number(&reasoning),
    }
}

/// Gives the first count that is there, however the service writes numbers; else 0.
fn first_number(places: &[&Value]) -> u64 {
    let count = |value: &&Value| value.as_u64().or_else(|| value.as_f64().map(|count| count as u64));
    places.iter().find_map(count).unwrap_or(0).min(TOKENS_MAX)
}

/// Characters that take no room: joiners, marks of direction, soft hyphens.
const INVISIBLE: [char; 21] = [
    '\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}',
    '\u{202d}', '\u{202e}', '\u{2060}', '\u{2061}', '\u{2062}', '\u{2063}', '\u{feff}', '\u{34f}', '\u{180e}',
    '\u{2800}', '\u{3164}', '\u{fe0f}',
];
/// A model's name goes into the state.
const MODEL_CHARS: usize = 100;
/// A provider may send a page; its beginning says what is wrong.
const MESSAGE_CHARS: usize = 1_000;
/// Words in an error's code or type that say that the request itself is at fault, or the account.
const LASTING: [&str; 8] =
    ["invalid", "authentication", "permission", "not_found", "quota", "billing", "context_length", "unsupported"];
/// Names of keys, codes and ids are short.
const KEY_CHARS: usize = 80;
/// So many keys say enough about what came.
const KEYS_MAX: usize = 20;
/// More tokens than this were never used: sums of them stay within what JSON readers keep exactly.
const TOKENS_MAX: u64 = 1 << 40;

#[cfg(test)]
mod tests;

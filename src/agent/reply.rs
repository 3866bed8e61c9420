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

use crate::text::cut;

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

/// Tokens, as far as the server said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cached: u64,
    pub(crate) reasoning: u64,
}

/// A body that is no completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The provider reports an error under HTTP 200.
    Provider {
        /// Its code, where it gave a number.
        code: Option<u64>,
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
    /// No JSON at all.
    NotJson {
        /// The parser's words.
        why: String,
    },
}

/// Reads a body.
pub(crate) fn read(body: &str) -> Result<Turn, Fault> {
    let value: Value = serde_json::from_str(body).map_err(|error| Fault::NotJson { why: error.to_string() })?;
    if let Some(fault) = provider_error(&value) {
        return Err(fault);
    }
    let Some(choice) = value.get("choices").and_then(|choices| choices.get(0)) else {
        let keys = value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default();
        return Err(Fault::Shapeless { keys });
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

fn provider_error(value: &Value) -> Option<Fault> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let message = error.get("message").or(Some(error)).map(|message| match message {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let code = error.get("code").and_then(|code| match code {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    });
    Some(Fault::Provider { code, message: cut(&message.unwrap_or_default(), MESSAGE_CHARS) })
}

/// Tells that the model or its provider's filter gave no answer on purpose: what came is not a report.
fn refusal(choice: &Value) -> Option<Fault> {
    let words = choice["message"]["refusal"].as_str().filter(|words| !words.trim().is_empty());
    let is_filtered = choice["finish_reason"] == "content_filter";
    let why = words.or(is_filtered.then_some("the provider's content filter stopped the answer"))?;
    Some(Fault::Refusal { why: cut(why, MESSAGE_CHARS) })
}

/// Gives the text of a content field: a text, a list of parts, or nothing.
fn visible_text(content: &Value) -> String {
    match content {
        Value::String(text) => without_thinking(text).to_string(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// Takes off the thinking that some servers leave at the head of the text: reasoning is not the answer. Some
/// send its end alone, because their template has opened it already.
fn without_thinking(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let end = ["</think>", "</thinking>"].iter().filter_map(|end| Some(lower.rfind(end)? + end.len())).max();
    let opens = ["<think>", "<thinking>"].iter().any(|start| lower.trim_start().starts_with(start));
    match end {
        Some(end) if opens || !lower.contains("<think") => &text[end..],
        None if opens => "",
        Some(_) | None => text,
    }
}

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

fn read_usage(usage: &Value) -> Usage {
    let number = |value: &Value| value.as_u64().unwrap_or(0).min(TOKENS_MAX);
    Usage {
        input: number(&usage["prompt_tokens"]),
        output: number(&usage["completion_tokens"]),
        cached: number(&usage["prompt_tokens_details"]["cached_tokens"]),
        reasoning: number(&usage["completion_tokens_details"]["reasoning_tokens"]),
    }
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
/// More tokens than this were never used: sums of them stay within what JSON readers keep exactly.
const TOKENS_MAX: u64 = 1 << 40;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with_message(message: Value) -> String {
        json!({"choices": [{"finish_reason": "stop", "message": message}]}).to_string()
    }

    #[test]
    fn content_comes_in_several_shapes_and_null_is_no_word() {
        let check = |content: Value, text: &str| {
            let turn = read(&with_message(json!({"content": content, "reasoning_content": "hmm"})));
            assert_eq!(turn.map(|turn| turn.content), Ok(text.to_string()), "{content}");
        };
        check(json!("done"), "done");
        check(json!(null), "");
        check(json!(""), "");
        check(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "ab");
        check(json!(7), "");
        check(json!("<think>let me see</think>\nhello"), "\nhello");
        check(json!("<think>and so on"), "");
        check(json!("<THINK>a</THINK><think>b</think>c"), "c");
        check(json!("a thought</think>\nhello"), "\nhello");
        check(json!("<thinking>a</thinking>b"), "b");
        check(json!("a <think> tag"), "a <think> tag");
        check(json!("a <think>pair</think> inside"), "a <think>pair</think> inside");
    }

    #[test]
    fn only_what_shows_is_an_answer() {
        let check = |text: &str, shows: bool| assert_eq!(is_visible(text), shows, "{text:?}");
        check("done", true);
        check("", false);
        check(" \n\t", false);
        check("\u{200b}\u{feff}", false);
        check("<!-- nothing -->", false);
        check("<!-- nothing", false);
        check("<!-- a -->x<!-- b -->", true);
    }

    #[test]
    fn a_refusal_and_a_filtered_answer_are_no_reports() {
        let check = |choice: Value, why: &str| {
            let found = read(&json!({"choices": [choice]}).to_string());
            assert_eq!(found, Err(Fault::Refusal { why: why.into() }));
        };
        check(json!({"message": {"content": null, "refusal": "I will not."}}), "I will not.");
        check(
            json!({"finish_reason": "content_filter", "message": {"content": "half"}}),
            "the provider's content filter stopped the answer",
        );
        let broken = json!({"choices": [{"error": {"code": 502, "message": "upstream"}}]}).to_string();
        assert_eq!(read(&broken), Err(Fault::Provider { code: Some(502), message: "upstream".into() }));
    }

    #[test]
    fn arguments_come_in_several_shapes() {
        let check = |arguments: Value, count: Result<usize, &str>| {
            let body =
                with_message(json!({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": arguments}}]}));
            let turn = read(&body).expect("the body has a choice");
            let call = &turn.calls[0];
            match (&call.arguments, count) {
                (Ok(map), Ok(count)) => assert_eq!(map.len(), count, "{arguments}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{arguments}: {why}"),
                (found, wanted) => panic!("{arguments}: {found:?}, not {wanted:?}"),
            }
            assert!(serde_json::from_str::<Value>(&call.written).is_ok(), "{arguments}");
        };
        check(json!(""), Ok(0));
        check(json!(null), Ok(0));
        check(json!("null"), Ok(0));
        check(json!({"path": "a"}), Ok(1));
        check(json!("{\"path\": \"a\"}"), Ok(1));
        check(json!("[1]"), Err("must be a JSON object"));
        check(json!("{\"re\":\"\\d+\"}"), Err("no JSON"));
    }

    #[test]
    fn a_body_that_is_no_completion_is_told_apart() {
        let check = |body: Value, fault: Fault| assert_eq!(read(&body.to_string()), Err(fault), "{body}");
        check(
            json!({"error": {"message": "Rate limit exceeded", "code": 429}}),
            Fault::Provider { code: Some(429), message: "Rate limit exceeded".into() },
        );
        check(json!({"error": "no"}), Fault::Provider { code: None, message: "no".into() });
        check(json!({"id": "x"}), Fault::Shapeless { keys: Vec::from(["id".into()]) });
        check(json!({"choices": null}), Fault::Shapeless { keys: Vec::from(["choices".into()]) });
        check(json!({"choices": []}), Fault::Shapeless { keys: Vec::from(["choices".into()]) });
        assert!(matches!(read("<html>"), Err(Fault::NotJson { .. })));
    }

    #[test]
    fn usage_may_lack_anything() {
        let check = |usage: Value, wanted: Usage| {
            let body = json!({"choices": [{"message": {}}], "usage": usage}).to_string();
            assert_eq!(read(&body).map(|turn| turn.usage), Ok(wanted), "{usage}");
        };
        check(json!(null), Usage::default());
        check(json!({"prompt_tokens": 0, "prompt_tokens_details": null}), Usage::default());
        check(
            json!({"prompt_tokens": u64::MAX, "completion_tokens": -1}),
            Usage { input: TOKENS_MAX, ..Usage::default() },
        );
        check(
            json!({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}),
            Usage { input: 9, output: 2, cached: 4, reasoning: 0 },
        );
    }
}

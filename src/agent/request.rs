//! A chat-completion request, in the shape every OpenAI-compatible service takes.
//!
//! It is wire format: [`ChatRequest::body`] is what is sent, so the edge has nothing to decide. What serialises here
//! keeps the blocks of the prompt apart, for recordings.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The body of `POST /chat/completions`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The model's name.
    pub model: String,
    /// What the model may call. The same list for every agent, and before the messages as providers put it, so
    /// that the head of every request is the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// Sampling temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Top-K selection, where the service takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_k: Option<i64>,
    /// Minimum-P sampling, where the service takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f64>,
    /// Presence penalty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    /// Repetition penalty, where the service takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// At most so many tokens in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The reasoning effort, as OpenAI names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// The reasoning effort, as OpenRouter takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Value>,
    /// What a chat template is given, as vLLM takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_template_kwargs: Option<Value>,
    /// Whether the answer comes piece by piece.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub stream: bool,
    /// What a stream is to hold besides: its usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_options: Option<Value>,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Message {
    /// The engine's own contract with every agent.
    System {
        /// One part a block.
        content: Vec<ContentPart>,
    },
    /// The thread and the task.
    User {
        /// One part a block.
        content: Vec<ContentPart>,
    },
    /// What the model said before.
    Assistant {
        /// Its text; never null, because some servers refuse a null on the way back.
        content: String,
        /// What it called.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    /// What a call came to.
    Tool {
        /// The call it answers.
        tool_call_id: String,
        /// The result.
        content: String,
    },
}

/// Which of the first two messages a block goes into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The system message.
    System,
    /// The user message.
    User,
}

/// One block of the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentPart {
    /// Always `text`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The block.
    pub text: String,
    /// The mark of a cache boundary, where the service takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_control: Option<CacheControl>,
}

/// The mark of a cache boundary: everything up to it may be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheControl {
    /// Always `ephemeral`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Something the model may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is.
    pub function: ToolFunction,
}

/// The name and arguments of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolFunction {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// A JSON Schema of its arguments.
    pub parameters: Value,
}

/// A call that the model made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id to answer under.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was called.
    pub function: FunctionCall,
}

/// The called function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionCall {
    /// Its name.
    pub name: String,
    /// Its arguments: always a text that holds JSON when it goes out.
    pub arguments: String,
}

impl ChatRequest {
    /// Writes the body that goes over the wire. A message without a mark in it is one text: every server takes that,
    /// and some take nothing else, or show a model the list itself.
    pub fn body(&self) -> String {
        let mut body = serde_json::to_value(self).expect("a request is plain data");
        for message in body["messages"].as_array_mut().into_iter().flatten() {
            let Some(parts) = message["content"].as_array() else { continue };
            if parts.iter().all(|part| part.get("cache_control").is_none()) {
                let text: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
                message["content"] = text.into();
            }
        }
        body.to_string()
    }
}

impl Default for CacheControl {
    fn default() -> Self {
        Self { kind: "ephemeral".into() }
    }
}

impl ContentPart {
    /// Wraps a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { kind: "text".into(), text: text.into(), cache_control: None }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_is_one_text_on_the_wire_unless_a_part_of_it_is_marked() {
        let check = |content: Vec<ContentPart>, wanted: Value| {
            let said = Message::Assistant { content: "a".into(), tool_calls: Vec::new() };
            let request =
                ChatRequest { messages: Vec::from([Message::User { content }, said]), ..ChatRequest::default() };
            let sent: Value = serde_json::from_str(&request.body()).expect("a body is JSON");
            assert_eq!(sent["messages"][0], json!({"role": "user", "content": wanted}), "{request:?}");
            assert_eq!(sent["messages"][1], json!({"role": "assistant", "content": "a"}));
            assert!(sent.get("tools").is_none() && sent.get("stream").is_none(), "{sent}");
        };
        let marked = ContentPart { cache_control: Some(CacheControl::default()), ..ContentPart::text("b") };
        check(Vec::from([ContentPart::text("one\n"), ContentPart::text("two \"ü\"")]), json!("one\ntwo \"ü\""));
        check(Vec::from([ContentPart::text("a")]), json!("a"));
        check(Vec::new(), json!(""));
        let mark = json!({"type": "ephemeral"});
        check(
            Vec::from([ContentPart::text("a"), marked]),
            json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b", "cache_control": mark}]),
        );
    }
}

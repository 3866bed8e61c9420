//! What the chunks of a stream come to: text, reasoning, calls, usage and how it ended.
//!
//! Services differ most in how they send calls, so each piece of one is put where it can only belong.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value, json};

/// What has come so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// `id`, `model` and the like, as the first chunk with them says.
    about: Map<String, Value>,
    content: String,
    reasoning: String,
    refusal: String,
    calls: Vec<Call>,
    has_choice: bool,
    finish_reason: Option<String>,
    usage: Map<String, Value>,
    pieces: u64,
    /// A chunk that is the whole body: an error, or the last one of a stream without a choice.
    instead: Option<Value>,
    fault: Option<&'static str>,
}

/// A call so far.
#[derive(Clone, Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Answer {
    /// Takes a chunk in, and tells whether it ends the stream.
    pub(super) fn take(&mut self, is_error: bool, chunk: Value) -> bool {
        if is_error || says_error(&chunk) {
            self.instead = Some(if says_error(&chunk) { chunk } else { json!({ "error": chunk }) });
            return true;
        }
        for key in ["id", "model", "provider", "system_fingerprint"] {
            if let Some(value) = chunk.get(key).filter(|value| !value.is_null()) {
                self.about.entry(key).or_insert_with(|| value.clone());
            }
        }
        self.count(&chunk["usage"]);
        self.count(&chunk["x_groq"]["usage"]);
        let choices = chunk["choices"].as_array();
        let first = |choice: &&Value| choice["index"].as_u64().unwrap_or(0) == 0;
        match choices.and_then(|choices| choices.iter().find(first)) {
            Some(choice) => self.choice(choice),
            None if self.has_choice => {}
            None => self.instead = Some(chunk),
        }
        self.fault.is_some()
    }

    /// Says that the stream cannot be read.
    pub(super) fn give_up(&mut self, why: &'static str) {
        self.fault.get_or_insert(why);
    }

    /// Gives how many pieces came.
    pub(super) fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Writes the body of a completion, or one that says why there is none. `is_done`: the service ended the stream.
    pub(super) fn into_body(mut self, is_done: bool) -> Vec<u8> {
        let broke_off = self.has_choice && !is_done && self.finish_reason.is_none();
        let is_empty = !self.has_choice && !is_done && self.instead.is_none();
        if self.fault.is_none() && (broke_off || is_empty) {
            self.fault = Some("it broke off");
        }
        let mut body = core::mem::take(&mut self.about);
        if let Some(why) = self.fault {
            body.insert(STREAM_FAULT.into(), format!("{why} after {} pieces", self.pieces).into());
        } else if let Some(instead) = self.instead.take() {
            return instead.to_string().into_bytes();
        } else if self.has_choice {
            let usage = core::mem::take(&mut self.usage);
            body.insert("choices".into(), json!([self.into_choice()]));
            if !usage.is_empty() {
                body.insert("usage".into(), usage.into());
            }
        }
        Value::Object(body).to_string().into_bytes()
    }

    /// Some services send usage with every chunk, some its parts one after the other: what came last counts.
    fn count(&mut self, usage: &Value) {
        if let Value::Object(usage) = usage {
            let known = usage.iter().filter(|(_, value)| !value.is_null());
            self.usage.extend(known.map(|(key, value)| (key.clone(), value.clone())));
        }
    }

    fn choice(&mut self, choice: &Value) {
        self.instead = None;
        self.count(&choice["usage"]);
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            self.finish_reason = Some(reason.into());
        }
        let is_first = !core::mem::replace(&mut self.has_choice, true);
        let whole = choice.get("message").filter(|_| is_first || self.pieces == 0);
        let Some(delta) = choice.get("delta").filter(|delta| delta.is_object()).or(whole) else {
            return;
        };
        let mut grew = add(&mut self.content, &delta["content"]);
        // Where a service writes both, they say the same.
        grew |= add(&mut self.reasoning, &delta["reasoning_content"]) || add(&mut self.reasoning, &delta["reasoning"]);
        grew |= add(&mut self.refusal, &delta["refusal"]);
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            self.call(piece);
            grew = true;
        }
        self.pieces += u64::from(grew);
    }

    /// Adds a piece of a call to the call that it belongs to.
    fn call(&mut self, piece: &Value) {
        let (index, id) = (piece["index"].as_u64(), piece["id"].as_str().unwrap_or_default());
        let name = piece["function"]["name"].as_str().unwrap_or_default();
        let at = self.place_of(index, id, name).unwrap_or(self.calls.len());
        if at == CALLS_MAX {
            return self.give_up("it holds too many calls");
        }
        if at == self.calls.len() {
            self.calls.push(Call { index, ..Call::default() });
        }
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            call.id = id.into();
        }
        // Some services repeat the name with every piece.
        let is_repeated = name == call.name && (!id.is_empty() || !call.arguments.is_empty());
        if !is_repeated {
            call.name.push_str(name);
        }
        match &piece["function"]["arguments"] {
            Value::String(text) => call.arguments.push_str(text),
            Value::Null => {}
            // A service that sends them whole; an empty object is where some begin.
            whole if call.arguments.is_empty() && *whole != json!({}) => call.arguments = whole.to_string(),
            _ => {}
        }
    }

    /// Finds the call that a piece goes on with: of those with its number the one with its id, else the latest.
    ///
    /// A name under an id of its own begins another call, because some services number every call 0. An id without a
    /// name does not, because some make up a new one for each piece.
    fn place_of(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let is_numbered = |call: &Call| index.is_none() || call.index == index;
        let same_id = self.calls.iter().rposition(|call| is_numbered(call) && !id.is_empty() && call.id == id);
        let at = same_id.or_else(|| self.calls.iter().rposition(is_numbered))?;
        let call = &self.calls[at];
        let has_another_id = !id.is_empty() && !call.id.is_empty() && call.id != id;
        let is_after_a_whole_one = index.is_none() && id.is_empty() && !call.arguments.is_empty();
        let begins = !name.is_empty() && (has_another_id || is_after_a_whole_one);
        (!begins).then_some(at)
    }

    fn into_choice(self) -> Value {
        let calls: Vec<Value> = self.calls.into_iter().map(Call::into_json).collect();
        let mut message = json!({ "role": "assistant", "content": self.content });
        let more = [("reasoning_content", self.reasoning), ("refusal", self.refusal)];
        for (key, text) in more.into_iter().filter(|(_, text)| !text.is_empty()) {
            message[key] = text.into();
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        json!({ "index": 0, "finish_reason": self.finish_reason, "message": message })
    }
}

impl Call {
    fn into_json(self) -> Value {
        let function = json!({ "name": self.name, "arguments": self.arguments });
        json!({ "id": self.id, "type": "function", "function": function })
    }
}

/// Tells whether a chunk reports an error, as a whole or in its choice.
fn says_error(chunk: &Value) -> bool {
    let has_error = |value: &Value| value.get("error").is_some_and(|error| !error.is_null());
    has_error(chunk) || chunk["object"] == "error" || has_error(&chunk["choices"][0])
}

/// Adds a text, or the texts of parts, and tells whether there was one.
fn add(to: &mut String, piece: &Value) -> bool {
    let before = to.len();
    match piece {
        Value::String(text) => to.push_str(text),
        Value::Array(parts) => parts.iter().filter_map(super::super::reply::text_of).for_each(|text| to.push_str(text)),
        _ => {}
    }
    to.len() > before
}

/// The key under which a body says that the stream did not become an answer.
pub(in crate::agent) const STREAM_FAULT: &str = "nebuko_stream_fault";
/// No turn makes as many calls in earnest.
const CALLS_MAX: usize = 256;

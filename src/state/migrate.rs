//! States of older generations, brought into today's shape as they are read (reference: `schema_version`).
//!
//! A block of a newer generation is refused rather than guessed at. Where the block stands in a comment is for
//! `codec`; the generation number itself is raised by `restore`, when the state is taken up to be written anew.

use alloc::{
    format,
    string::{String, ToString},
};

use memchr::memchr_iter;
use serde_json::Value;

use crate::{
    canonical,
    state::{HistoryEntry, Reading, STATE_SCHEMA_VERSION, WorkflowState},
};

/// Reads the JSON of a block, of any generation up to ours.
///
/// Refused are: what is no JSON object, what has no `run_id` (or the `version` that was its name before
/// generation 4), what has another type than the contract says, and integers that no canonical form can hold,
/// because every digest of a run would fail on them.
pub(super) fn read(json: &str) -> Result<Reading, Fault> {
    let value: Value = serde_json::from_str(json).map_err(|error| Fault::of(&error, json))?;
    let generation = generation_of(&value)?;
    let sha256 = match canonical::of_value(&value) {
        Ok(text) => canonical::sha256_hex(text.as_bytes()),
        Err(error) => return Err(Fault::at_start(error.to_string())),
    };
    let mut state: WorkflowState = serde_json::from_str(json).map_err(|error| Fault::of(&error, json))?;
    bring_forward(&mut state, generation, &value);
    Ok(Reading { state, generation, sha256 })
}

/// Why some JSON is no state, and where in it reading stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// What is wrong, in words.
    pub(super) why: String,
    /// Where, in bytes of the JSON.
    pub(super) offset: usize,
}

impl Fault {
    fn at_start(why: impl Into<String>) -> Self {
        Self { why: why.into(), offset: 0 }
    }

    fn of(error: &serde_json::Error, json: &str) -> Self {
        let line_start = match error.line() {
            0 | 1 => 0,
            line => memchr_iter(b'\n', json.as_bytes()).nth(line - 2).map_or(0, |at| at + 1),
        };
        let offset = line_start + error.column().saturating_sub(1);
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let why = text.strip_suffix(&place).unwrap_or(&text);
        let kind = if error.is_data() { "it has not the shape of a state" } else { "it is no valid JSON" };
        Self { why: format!("{kind}: {why}"), offset: offset.min(json.len()) }
    }
}

/// Tells the generation. Where the block does not say it, the keys do: only a generation with a ledger has one.
fn generation_of(value: &Value) -> Result<u32, Fault> {
    let Value::Object(members) = value else {
        return Err(Fault::at_start("it is no JSON object"));
    };
    match (members.get("run_id"), members.get("version")) {
        (Some(_), _) => {}
        (None, Some(version)) if version.is_u64() => return Ok(VERSION_KEY_GENERATION),
        (None, Some(_)) => return Err(Fault::at_start("its version is no number, and there is no run_id")),
        (None, None) => return Err(Fault::at_start("it has no run_id")),
    }
    match members.get("schema_version").and_then(Value::as_u64) {
        Some(generation) if generation > u64::from(STATE_SCHEMA_VERSION) => Err(Fault::at_start(format!(
            "its schema_version is {generation}, and this version reads up to {STATE_SCHEMA_VERSION}"
        ))),
        Some(generation) => Ok(generation as u32),
        None if members.contains_key("thread") => Ok(STATE_SCHEMA_VERSION),
        None if members.contains_key("version") => Ok(VERSION_KEY_GENERATION),
        None => Ok(STATE_SCHEMA_VERSION - 1),
    }
}

fn bring_forward(state: &mut WorkflowState, generation: u32, value: &Value) {
    state.schema_version = generation;
    if value.get("run_id").is_none() {
        state.run_id = state.unknown.remove("version").and_then(|version| version.as_u64()).unwrap_or(0);
    }
    for entry in &mut state.history {
        take_scalar_comment_id(entry);
    }
}

/// Moves the single `comment_id` of old entries into the list, where it is not yet.
fn take_scalar_comment_id(entry: &mut HistoryEntry) {
    match entry.unknown.get("comment_id") {
        Some(Value::Null) => {}
        Some(Value::Number(number)) => match number.as_u64() {
            Some(id) if id == 0 || entry.comment_ids.contains(&id) => {}
            Some(id) => entry.comment_ids.push(id),
            None => return,
        },
        _ => return,
    }
    entry.unknown.remove("comment_id");
}

/// The last generation that called `run_id` `version`.
const VERSION_KEY_GENERATION: u32 = 3;

#[cfg(test)]
mod tests;

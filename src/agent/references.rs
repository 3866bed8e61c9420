//! External references: the JSON that a report carries under `### EXTERNAL REFERENCES`, so that agents without tools
//! can read what another found (reference: External Reference JSON).
//!
//! Every fault is told at once, with its place, for the agent to repair.

use alloc::{format, string::String, vec::Vec};

use serde_json::{Map, Value};

use crate::{
    markdown::{Outline, plain},
    nearest::{did_you_mean, nearest},
    text::cut,
    time::Timestamp,
};

#[cfg(test)]
mod tests;

/// Checks the references of a report, where it has that heading. `before` counts the characters of earlier reports.
///
/// # Errors
/// Everything that is wrong, a line each.
pub(crate) fn check(report: &str, before: impl Fn() -> usize) -> Result<(), String> {
    let blocks = blocks(report);
    if blocks.is_empty() {
        return Ok(());
    }
    let mut faults = Vec::new();
    let quoted = before();
    let mut sum = quoted;
    for block in blocks {
        match block.first().map(|code| serde_json::from_str::<Value>(code)) {
            None => {
                faults.push("references: there is no fenced json block below the heading; an empty array is one".into())
            }
            Some(Err(error)) => faults.push(format!("references: the fenced block is no JSON: {error}")),
            Some(Ok(Value::Array(references))) => {
                for (at, reference) in references.iter().enumerate() {
                    each(&format!("references[{at}]"), reference, &mut faults);
                    sum += chunk_chars(reference);
                }
            }
            Some(Ok(other)) => faults.push(format!("references: must be an array of objects, not {}", shown(&other))),
        }
    }
    if sum > RUN_CHARS && sum > quoted {
        let earlier = if quoted == 0 { String::new() } else { format!(", {quoted} of them in earlier reports") };
        faults.push(format!(
            "references: the chunks of a whole run have at most {RUN_CHARS} characters together, and this makes it \
             {sum}{earlier}; leave the least relevant ones out"
        ));
    }
    if faults.is_empty() { Ok(()) } else { Err(words(&faults)) }
}

/// Counts the characters of the references in a report that was posted. A block that was cut between comments can no
/// longer be read, so all of it counts.
pub(crate) fn quoted(report: &str) -> usize {
    let of_block = |block: Vec<&str>| match block.first().map(|code| serde_json::from_str::<Vec<Value>>(code)) {
        Some(Ok(references)) => references.iter().map(chunk_chars).sum(),
        Some(Err(_)) => block.iter().map(|code| code.chars().count()).sum(),
        None => 0,
    };
    blocks(report).into_iter().map(of_block).sum()
}

/// Gives the fenced JSON below each such heading; the first is the block.
fn blocks(report: &str) -> Vec<Vec<&str>> {
    let is_named = report.as_bytes().windows(HEADING.len()).any(|bytes| bytes.eq_ignore_ascii_case(HEADING.as_bytes()));
    if !is_named {
        return Vec::new();
    }
    let outline = Outline::new(report);
    let below = outline.below(|heading| plain(heading.words).trim_end_matches(':').eq_ignore_ascii_case(HEADING));
    let is_json = |info: &str| info.split([' ', '{']).next().is_some_and(|word| word.eq_ignore_ascii_case("json"));
    let block = |range: core::ops::Range<usize>| {
        let first = outline.fences.partition_point(|fence| fence.start < range.start);
        let inside = outline.fences[first..].iter().take_while(|fence| fence.start < range.end);
        inside.filter(|fence| is_json(fence.info)).map(|fence| fence.code).collect()
    };
    below.into_iter().map(block).collect()
}

/// Checks one reference.
fn each(place: &str, reference: &Value, faults: &mut Vec<String>) {
    let Some(object) = reference.as_object() else {
        return faults.push(format!("{place}: must be an object, not {}", shown(reference)));
    };
    for key in object.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        let near = did_you_mean(&nearest(key, KEYS));
        let hint = if near.is_empty() { format!("the keys are {}", KEYS.join(", ")) } else { near };
        faults.push(format!("{place}.{}: is no key of a reference; {hint}", cut(key, SHOWN_CHARS)));
    }
    for (key, check) in KEYS.into_iter().zip(CHECKS) {
        match object.get(key) {
            None => faults.push(format!("{place}.{key}: is missing")),
            Some(value) => {
                if let Err(why) = check(value) {
                    faults.push(format!("{place}.{key}: {why}"));
                }
            }
        }
    }
}

/// What can be wrong with the value of a key.
type Check = fn(&Value) -> Result<(), String>;

/// The keys of a reference, and the check of each.
const KEYS: [&str; 5] = ["url", "date", "chunks", "summary", "score"];
const CHECKS: [Check; 5] = [url, date, chunks, summary, score];

fn url(value: &Value) -> Result<(), String> {
    let is_url = |text: &str| {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let has_host = rest.is_some_and(|rest| !rest.starts_with(['/', '?', '#']) && !rest.is_empty());
        has_host && !text.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    match value.as_str() {
        Some(text) if text.chars().count() > URL_CHARS => Err(format!("must have at most {URL_CHARS} characters")),
        Some(text) if is_url(text) => Ok(()),
        _ => Err(format!("must be an http or https address, not {}", shown(value))),
    }
}

fn date(value: &Value) -> Result<(), String> {
    match value.as_str() {
        Some(text) if is_utc(text) => Ok(()),
        _ => Err(format!("must be a UTC date in ISO 8601 such as 2026-09-23T09:25:00Z, not {}", shown(value))),
    }
}

/// Tells whether a text is a date, or a date and a time in UTC, with or without seconds and parts of them.
fn is_utc(text: &str) -> bool {
    let Some((day, time)) = text.split_once('T') else {
        return Timestamp::parse(&format!("{text}T00:00:00Z")).is_some();
    };
    let Some(time) = time.strip_suffix('Z').or_else(|| time.strip_suffix("+00:00")) else { return false };
    let (whole, part) = time.split_once('.').unwrap_or((time, "0"));
    let has_part = time.contains('.');
    let is_part = (1..=9).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = if whole.len() == 5 && !has_part { ":00" } else { "" };
    is_part && Timestamp::parse(&format!("{day}T{whole}{seconds}Z")).is_some()
}

fn chunks(value: &Value) -> Result<(), String> {
    let Some(list) = value.as_array() else {
        return Err(format!("must be an array of texts, not {}", shown(value)));
    };
    if let Some((at, other)) = list.iter().enumerate().find(|(_, chunk)| !chunk.is_string()) {
        return Err(format!("must hold texts only, and at [{at}] stands {}", shown(other)));
    }
    match text_chars(list) {
        chars if chars > REFERENCE_CHARS => {
            Err(format!("have {chars} characters together, at most {REFERENCE_CHARS}; keep what matters most"))
        }
        _ => Ok(()),
    }
}

fn summary(value: &Value) -> Result<(), String> {
    match value.as_str().map(str::trim) {
        Some("") | None => Err(format!("must be one to three sentences, not {}", shown(value))),
        Some(text) if text.chars().count() > SUMMARY_CHARS => {
            Err(format!("must be one to three sentences, at most {SUMMARY_CHARS} characters"))
        }
        Some(_) => Ok(()),
    }
}

fn score(value: &Value) -> Result<(), String> {
    let is_score = value.as_f64().is_some_and(|score| (0.0..=1.0).contains(&score));
    is_score.then_some(()).ok_or_else(|| format!("must be a number from 0.0 to 1.0, not {}", shown(value)))
}

fn chunk_chars(reference: &Value) -> usize {
    let chunks = reference.as_object().and_then(|object: &Map<String, Value>| object.get("chunks"));
    chunks.and_then(Value::as_array).map(|list| text_chars(list)).unwrap_or_default()
}

fn text_chars(list: &[Value]) -> usize {
    list.iter().filter_map(Value::as_str).map(|text| text.chars().count()).sum()
}

/// Shows a value that is wrong, within bounds.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
        plain => cut(&format!("{plain}"), SHOWN_CHARS),
    }
}

fn words(faults: &[String]) -> String {
    let more = faults.len().saturating_sub(FAULTS_MAX);
    let mut words = faults[..faults.len() - more].join("\n");
    if more > 0 {
        words.push_str(&format!("\nand {more} more"));
    }
    words
}

/// What the heading says (reference).
const HEADING: &str = "EXTERNAL REFERENCES";
/// Characters of one reference's chunks, about 2,000 tokens (reference).
const REFERENCE_CHARS: usize = 8_000;
/// Characters of all chunks of a run, about 20,000 tokens (reference).
const RUN_CHARS: usize = 80_000;
/// Three long sentences.
const SUMMARY_CHARS: usize = 1_000;
/// Longer addresses carry data, not a place.
const URL_CHARS: usize = 2_000;
/// A wrong value is shown up to here.
const SHOWN_CHARS: usize = 60;
/// So many faults at once are enough to repair from.
const FAULTS_MAX: usize = 20;

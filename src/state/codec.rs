//! A state as a block of a comment, and back.
//!
//! The block is folded away for people and safe against every text inside: nothing in it can close a comment,
//! make a marker, ping a person or link an issue. What older generations mean is for `migrate`; whose comment
//! may carry a block that counts is for `locate`.

use alloc::{boxed::Box, format, string::String};
use core::{fmt, ops::Range};

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::{
    markdown::{STATE_END as END, STATE_START as START, Scan, comment_json},
    state::{WorkflowState, migrate},
};

pub(super) use crate::markdown::units;

/// Writes a state as the block that goes into a comment, on lines of its own.
///
/// The JSON stands on one line, whatever the texts in it hold.
pub fn render_block(state: &WorkflowState) -> String {
    let json = json_of(state);
    format!("<details>\n<summary>Workflow state</summary>\n\n<!-- {START} -->\n{json}\n<!-- {END} -->\n\n</details>")
}

/// Reads the last block of a body (reference: WORKFLOW_STATE v1; fault kinds 1.1 and 1.2).
///
/// The start marker counts only at top level; from there on the text is raw, to the next end marker. Line ends
/// may be of any kind, the JSON may be spread over lines and may stand in a code fence.
pub fn read_block(body: &str, scan: &Scan) -> Block {
    read_between(body, scan.comments())
}

/// What a body says about the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// There is no block.
    Absent,
    /// The last block can be read.
    Readable(Box<Reading>),
    /// There are markers, but no state that this version can read.
    Damaged(Damage),
}

/// A state as it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The state; `schema_version` is the generation it was read at.
    pub state: WorkflowState,
    /// The generation it was read at. Before 5 there was no ledger.
    pub generation: u32,
    /// SHA-256 of the canonical form of the JSON that stands in the comment, in lowercase hex.
    pub sha256: String,
}

/// Why a block cannot be read, and where reading stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// What is wrong, in words.
    pub why: String,
    /// Where, in bytes of the body.
    pub offset: usize,
    /// The line of the body, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Damage {
    /// Places a fault of a body; an offset inside a character means that character.
    fn at(body: &str, offset: usize, why: impl Into<String>) -> Self {
        let mut offset = offset.min(body.len());
        while !body.is_char_boundary(offset) {
            offset -= 1;
        }
        let (line, column) = line_and_column(body, offset);
        Self { why: why.into(), offset, line, column }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.why)
    }
}

/// Counts what a value takes inside the block.
pub(super) fn json_units(value: &impl Serialize) -> usize {
    units(&json_of(value))
}

/// Tells whether a body may hold a block at all: a cheap question before a scan.
pub(super) fn may_hold_block(body: &str) -> bool {
    memmem::find(body.as_bytes(), b"WORKFLOW_STATE_").is_some()
}

/// Finds the JSON of the last block, without the code fence it may stand in.
pub(super) fn find_json(body: &str, comments: &[Range<usize>]) -> Result<Option<Range<usize>>, Damage> {
    let Some(start) = comments.iter().rev().find(|range| is_marker(&body[(*range).clone()], START)) else {
        return match comments.iter().find(|range| is_marker(&body[(*range).clone()], END)) {
            Some(end) => Err(Damage::at(body, end.start, "the state's start marker is missing")),
            None => Ok(None),
        };
    };
    let rest = &body[start.end..];
    let Some(length) = find_end_marker(rest) else {
        return Err(Damage::at(body, body.len(), "the state's end marker is missing"));
    };
    let json = without_fence(body, start.end..start.end + length);
    if json.is_empty() {
        return Err(Damage::at(body, start.end, "nothing stands between the state's markers"));
    }
    Ok(Some(json))
}

fn read_between(body: &str, comments: &[Range<usize>]) -> Block {
    let json = match find_json(body, comments) {
        Ok(Some(json)) => json,
        Ok(None) => return Block::Absent,
        Err(damage) => return Block::Damaged(damage),
    };
    match migrate::read(&body[json.clone()]) {
        Ok(reading) => Block::Readable(Box::new(reading)),
        Err(fault) => Block::Damaged(Damage::at(body, json.start + fault.offset, fault.why)),
    }
}

fn is_marker(comment: &str, word: &str) -> bool {
    let inner = comment.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    inner.is_some_and(|inner| inner.trim_matches([' ', '\t']) == word)
}

/// Finds where the next end marker starts. What stands before it is raw text, so the scan has no say here.
fn find_end_marker(text: &str) -> Option<usize> {
    memmem::find_iter(text.as_bytes(), END).find_map(|at| {
        let head = text[..at].trim_end_matches([' ', '\t']).strip_suffix("<!--")?;
        let tail = text[at + END.len()..].trim_start_matches([' ', '\t']);
        tail.starts_with("-->").then_some(head.len())
    })
}

fn without_fence(body: &str, range: Range<usize>) -> Range<usize> {
    let range = trimmed(body, range);
    let text = &body[range.clone()];
    let fence = match text.as_bytes() {
        [b'`', b'`', b'`', ..] => '`',
        [b'~', b'~', b'~', ..] => '~',
        _ => return range,
    };
    let opening = text.find(['\n', '\r']).unwrap_or(text.len());
    let closing = text.trim_end_matches(fence).len().max(opening);
    trimmed(body, range.start + opening..range.start + closing)
}

fn trimmed(body: &str, range: Range<usize>) -> Range<usize> {
    let start = range.end - body[range.clone()].trim_start().len();
    start..start + body[start..range.end].trim_end().len()
}

fn line_and_column(body: &str, offset: usize) -> (usize, usize) {
    let bytes = body.as_bytes();
    let ends_line = |at: usize| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    let (mut line, mut start) = (1, 0);
    for at in (0..offset).filter(|at| ends_line(*at)) {
        (line, start) = (line + 1, at + 1);
    }
    (line, body[start..offset].chars().count() + 1)
}

fn json_of(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("a state has text keys and no value that JSON cannot say");
    comment_json(&json)
}

#[cfg(test)]
mod tests;

//! Comments that ignore findings: `# nebuko: ignore[L12] the suite is flaky on purpose`.
//!
//! One stands on the line of the finding, or alone on the line before. What looks like one inside a text is none. What
//! is wrong with a comment is for `l21_ignores`.

use alloc::{collections::BTreeMap, vec::Vec};
use core::ops::Range;

use memchr::memmem;

use super::{Finding, Rule, l21_ignores::NEVER, rule};
use crate::yaml::{Node, Place, Value};

/// What such a comment says behind its `#`.
const WORDS: [&str; 2] = ["nebuko:", "ignore"];

/// A comment that ignores findings, or is meant to.
pub(super) struct Comment<'a> {
    /// Where it stands, from its `#`.
    pub(super) place: Place,
    /// The line whose findings it ignores.
    pub(super) line: usize,
    /// The rules that it names.
    pub(super) names: Vec<Name<'a>>,
    /// The bytes between the brackets.
    pub(super) inside: Range<usize>,
    /// The bytes that go when the comment goes.
    pub(super) around: Range<usize>,
    /// Why.
    pub(super) reason: &'a str,
}

/// A rule as a comment names it.
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
    pub(super) rule: Option<&'static Rule>,
    pub(super) is_used: bool,
}

impl Name<'_> {
    /// Tells whether it could have ignored something, and did not.
    pub(super) fn is_idle(&self) -> bool {
        !self.is_used && self.rule.is_some_and(|rule| !NEVER.contains(&rule.id))
    }
}

/// Finds the comments of a file, in its order.
pub(super) fn comments<'a>(text: &'a str, root: &Node) -> Vec<Comment<'a>> {
    let found: Vec<usize> = memmem::find_iter(text.as_bytes(), WORDS[0].as_bytes()).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let texts = texts(text, root);
    let mut lines = Lines { text, at: 0, line: 1, line_start: 0 };
    let hashes = found.into_iter().filter_map(|at| hash_before(text, at));
    let outside = hashes.filter(|hash| texts.range(..=hash).next_back().is_none_or(|(_, end)| hash >= end));
    outside.filter_map(|hash| comment(text, hash, &mut lines)).collect()
}

/// Ignores the findings that a comment names with a reason, and notes which names did so.
pub(super) fn apply(comments: &mut [Comment<'_>], findings: &mut [Finding]) {
    let mut by_line: BTreeMap<usize, Vec<&mut Comment<'_>>> = BTreeMap::new();
    for comment in comments.iter_mut().filter(|comment| !comment.reason.is_empty()) {
        by_line.entry(comment.line).or_default().push(comment);
    }
    for finding in findings.iter_mut().filter(|finding| !NEVER.contains(&finding.rule)) {
        for comment in by_line.get_mut(&finding.place.line).into_iter().flatten() {
            let reason = comment.reason;
            for name in comment.names.iter_mut().filter(|name| name.rule.is_some_and(|rule| rule.id == finding.rule)) {
                name.is_used = true;
                finding.ignored.get_or_insert_with(|| reason.into());
            }
        }
    }
}

/// Gives the spans of all texts, by their first byte. The first line of a block is no text: a comment can stand there.
fn texts(source: &str, root: &Node) -> BTreeMap<usize, usize> {
    let (mut spans, mut open) = (BTreeMap::new(), Vec::from([root]));
    while let Some(node) = open.pop() {
        match &node.value {
            Value::Scalar { .. } => {
                let Place { start, end, .. } = node.place;
                let written = source.get(start..end).unwrap_or_default();
                let header = if written.starts_with(['|', '>']) { written.find('\n').unwrap_or_default() } else { 0 };
                spans.insert(start + header, end);
            }
            Value::List(items) => open.extend(items),
            Value::Map(entries) => {
                spans.extend(entries.iter().map(|(key, _)| (key.place.start, key.place.end)));
                open.extend(entries.iter().map(|(_, value)| value));
            }
        }
    }
    spans
}

/// Finds the `#` of the comment that the word at some byte begins.
fn hash_before(text: &str, word: usize) -> Option<usize> {
    let before = text[..word].trim_end_matches([' ', '\t']).strip_suffix('#')?;
    (before.is_empty() || before.ends_with([' ', '\t', '\n', '\r'])).then_some(before.len())
}

fn comment<'a>(text: &'a str, hash: usize, lines: &mut Lines<'a>) -> Option<Comment<'a>> {
    let end = line_end(text, hash);
    let said = text[hash + 1..end].trim_start().strip_prefix(WORDS[0])?.trim_start().strip_prefix(WORDS[1])?;
    let (inside, reason) = match said.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inside, reason)) => (inside, reason.trim()),
        None => ("", ""),
    };
    let inside_start = end - said.len() + said.find('[').map_or(0, |bracket| bracket + 1);
    let place = lines.place(hash, end);
    let names = names(inside, inside_start, lines);
    let line_start = lines.line_start;
    let before = text[line_start..hash].trim_end().len();
    let next = text[end..].strip_prefix("\r\n").or_else(|| text[end..].strip_prefix(['\n', '\r']));
    let around = match next {
        Some(rest) if before == 0 => line_start..text.len() - rest.len(),
        Some(_) | None => line_start + before..end,
    };
    let line = if before == 0 { line_below(text, end, place.line) } else { place.line };
    Some(Comment { place, line, names, inside: inside_start..inside_start + inside.len(), around, reason })
}

fn names<'a>(inside: &'a str, start: usize, lines: &mut Lines<'a>) -> Vec<Name<'a>> {
    let mut at = start;
    let mut names = Vec::new();
    for part in inside.split(',') {
        let text = part.trim();
        let first = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        if !text.is_empty() {
            let place = lines.place(first, first + text.len());
            names.push(Name { text, place, rule: rule(text), is_used: false });
        }
    }
    names
}

/// Gives the line that a comment alone on its line is about: the next one that is no comment.
fn line_below(text: &str, mut end: usize, mut line: usize) -> usize {
    loop {
        let rest = &text[end..];
        let width = if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) };
        line += 1;
        let start = end + width;
        end = line_end(text, start);
        if width == 0 || !text[start..end].trim_start().starts_with('#') {
            return line;
        }
    }
}

fn line_end(text: &str, from: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text.as_bytes()[from..]).map_or(text.len(), |end| from + end)
}

/// Counts lines on the way through a text, from its start to its end.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    line_start: usize,
}

impl Lines<'_> {
    /// Gives the place of some bytes; none before those of an earlier call.
    fn place(&mut self, start: usize, end: usize) -> Place {
        let bytes = self.text.as_bytes();
        while let Some(found) = memchr::memchr2(b'\n', b'\r', &bytes[self.at..start]) {
            let sign = self.at + found;
            self.at = if bytes[sign..].starts_with(b"\r\n") { sign + 2 } else { sign + 1 };
            self.line += 1;
            self.line_start = self.at;
        }
        let column = 1 + self.text[self.line_start..start].chars().count();
        Place { line: self.line, column, start, end }
    }
}

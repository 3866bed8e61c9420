//! Making text safe to post that a model wrote: everything in it is shown, nothing in it acts (decisions 4
//! and 10).
//!
//! Our markers, `/nebuko` and `@@role` stay readable but are read by nobody, accounts that are not part of
//! the thread are named without being called, and nothing is left open that would swallow what follows.

use alloc::{
    borrow::Cow,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops::Range;

use memchr::memmem;

use super::scan::{Layout, Scan};

mod calls;

/// Accounts that a text may call by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guests {
    /// Their logins; case does not matter.
    pub logins: Vec<String>,
}

/// Makes a text safe to post: markers, commands and mentions in it are shown but not active.
///
/// What comes out reads the same for people, gains nothing from being defused again, and ends with nothing
/// open: a marker in a paragraph of its own after it is at top level.
pub fn defuse(text: &str, guests: &Guests) -> String {
    let text = settled(unmarked(text));
    let (scan, layout) = Scan::with_layout(&text);
    let safe = calls::silenced(&text, &scan, &layout, guests);
    if is_inert(&safe) && ends_clear(&safe) { safe } else { fenced(&safe) }
}

/// What our own comments start with, for us or for other readers of the thread.
const MARKS: [&str; 7] = [
    "bot-workflow-terminal",
    "bot-agent-",
    "nebuko-part",
    "po-agent-state",
    "AGENT_RUN_CONFIG",
    "WORKFLOW_STATE_START",
    "WORKFLOW_STATE_END",
];

/// Breaks the start of our own comments, in code too: other readers look for them without reading markdown.
fn unmarked(text: &str) -> Cow<'_, str> {
    let is_ours = |at: &usize| {
        let inside = text[at + 4..].trim_start();
        MARKS.iter().any(|mark| inside.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark)))
    };
    let found = memmem::find_iter(text.as_bytes(), b"<!--").filter(is_ours);
    edited(text, found.map(|at| (at + 2..at + 2, " ".to_string())).collect())
}

/// Ends what the text leaves open, else shows its raw HTML as text.
fn settled(text: Cow<'_, str>) -> Cow<'_, str> {
    if ends_clear(&text) {
        return text;
    }
    let (_, layout) = Scan::with_layout(&text);
    if let Some(fence) = layout.fences.last().filter(|fence| fence.close == text.len()) {
        let mark = &text[fence.open.start..fence.open.start + fence.length];
        let closed = format!("{text}{}{mark}", if text.ends_with('\n') { "" } else { "\n" });
        if ends_clear(&closed) {
            return Cow::Owned(closed);
        }
    }
    let is_raw = |at: &usize| !is_code(&text, &layout, *at);
    let angles = memchr::memchr_iter(b'<', text.as_bytes()).filter(is_raw);
    Cow::Owned(edited(&text, angles.map(|at| (at..at + 1, "&lt;".to_string())).collect()).into_owned())
}

/// Tells whether a place is in a code block or in inline code.
fn is_code(text: &str, layout: &Layout, at: usize) -> bool {
    let fences = &layout.fences;
    let fence = fences[..fences.partition_point(|fence| fence.open.start <= at)].last();
    let quiet = layout.quiet[..layout.quiet.partition_point(|range| range.start <= at)].last();
    fence.is_some_and(|fence| at < fence.end)
        || quiet.is_some_and(|range| range.contains(&at) && !text[range.clone()].starts_with('<'))
}

/// Tells whether a marker after the text would be at top level.
fn ends_clear(text: &str) -> bool {
    let followed = format!("{text}\n\n<!-- end -->");
    Scan::new(&followed).comments().last().is_some_and(|last| last.start == text.len() + 2)
}

/// Tells whether nothing in the text would be read as a command or a mention.
fn is_inert(text: &str) -> bool {
    let mentions = |visible: &str| {
        memmem::find_iter(visible.as_bytes(), b"@@").any(|at| visible[at + 2..].starts_with(calls::in_name))
    };
    !Scan::new(text).prose().iter().any(|prose| {
        let visible = &text[prose.range.clone()];
        mentions(visible) || (prose.starts_line && visible.starts_with("/nebuko"))
    })
}

/// Shows a text as code from its first to its last character, in little more than twice its size at most.
pub(super) fn as_code(text: &str) -> String {
    fenced(&unmarked(text))
}

/// Puts a text whose markdown is beyond repair into a code block.
fn fenced(text: &str) -> String {
    let longest = |mark: char| text.split(|c| c != mark).map(str::len).max().unwrap_or(0);
    let (tildes, backticks) = (longest('~'), longest('`'));
    let mark = if tildes <= backticks { "~".repeat(tildes.max(2) + 1) } else { "`".repeat(backticks.max(2) + 1) };
    format!("{mark}\n{text}{}{mark}", if text.ends_with('\n') { "" } else { "\n" })
}

/// Replaces stretches of a text, in order.
fn edited(text: &str, edits: Vec<(Range<usize>, String)>) -> Cow<'_, str> {
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len() + 4 * edits.len());
    let mut from = 0;
    for (range, new) in edits {
        result.push_str(&text[from..range.start]);
        result.push_str(&new);
        from = range.end;
    }
    Cow::Owned(result + &text[from..])
}

#[cfg(test)]
pub(super) mod tests;

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

use super::{
    marker::{MARKS, STATE_END, STATE_START},
    scan::{BYTE_ORDER_MARK, Layout, Scan},
    visible::with_controls_shown,
};

mod calls;
mod html;

/// Accounts that a text may call by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guests {
    /// Their logins; case does not matter.
    pub logins: Vec<String>,
}

/// Makes a text safe to post: markers, commands and mentions in it are shown but not active.
///
/// What comes out reads the same for people, gains nothing from being defused again, and ends with nothing
/// open: a marker in a paragraph of its own after it is at top level. No HTML in it hides what follows. A mark
/// of byte order at the start is left out: it would be text in the middle of a comment. Control characters are shown
/// as U+FFFD.
pub fn defuse(text: &str, guests: &Guests) -> String {
    let written = &*with_controls_shown(text.trim_start_matches(BYTE_ORDER_MARK));
    let mut text = Cow::Borrowed(written);
    // An edit can change what is code and what is not, so the text is looked at until nothing is left to do.
    for round in 0..ROUNDS_MAX {
        match again(&text, guests, round >= GENTLE_ROUNDS) {
            Pass::Safe => return text.into_owned(),
            Pass::Changed(new) => text = Cow::Owned(new),
            Pass::Hopeless => break,
        }
    }
    as_code(written)
}

/// Text that is not settled after so many looks was written to confuse: it is shown as code.
const ROUNDS_MAX: usize = 9;
/// After so many, all HTML is shown as text.
const GENTLE_ROUNDS: usize = 5;

/// What one look at a text brings.
enum Pass {
    Safe,
    Changed(String),
    Hopeless,
}

/// Takes one look at a text and changes what may not stay.
fn again(text: &str, guests: &Guests, strict: bool) -> Pass {
    let (scan, layout) = Scan::with_layout(text);
    let places = Places { text, scan: &scan, layout: &layout };
    let mut edits = html::shown(&places, strict);
    if edits.is_empty() {
        edits = calls::silenced(&places, guests);
    }
    if !edits.is_empty() {
        return Pass::Changed(edited(text, edits).into_owned());
    }
    if !is_inert(text, &scan) {
        return Pass::Hopeless;
    }
    if ends_clear(text) { Pass::Safe } else { ended(&places) }
}

/// Ends the fence that a text leaves open, else shows its HTML as text.
fn ended(places: &Places<'_>) -> Pass {
    let text = places.text;
    if let Some(fence) = places.layout.fences.last().filter(|fence| fence.close == text.len()) {
        let mark = &text[fence.open.start..fence.open.start + fence.length];
        let closed = format!("{text}{}{mark}", if text.ends_with('\n') { "" } else { "\n" });
        if ends_clear(&closed) {
            return Pass::Changed(closed);
        }
    }
    match html::shown(places, true) {
        edits if edits.is_empty() => Pass::Hopeless,
        edits => Pass::Changed(edited(text, edits).into_owned()),
    }
}

/// Breaks the start of our own comments, in code too: other readers look for them without reading markdown.
fn unmarked(text: &str) -> Cow<'_, str> {
    let found = memmem::find_iter(text.as_bytes(), b"<!--").filter(|at| is_ours(text, *at));
    edited(text, found.map(broken).collect())
}

/// Tells whether the comment that starts here is one of ours, or one that others read.
fn is_ours(text: &str, at: usize) -> bool {
    let inside = text[at + 4..].trim_start();
    let starts = |mark: &str| inside.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark));
    MARKS.iter().copied().chain([STATE_START, STATE_END, FOREIGN_MARK]).any(starts)
}

/// What another engine leaves in the same threads (reference: Bot Marker Conventions).
const FOREIGN_MARK: &str = "po-agent-state";

/// Makes no comment of the one that starts here, where it is in code.
fn broken(at: usize) -> (Range<usize>, String) {
    (at + 2..at + 2, " ".to_string())
}

/// A text and what stands where in it.
struct Places<'a> {
    text: &'a str,
    scan: &'a Scan,
    layout: &'a Layout,
}

impl Places<'_> {
    fn is_prose(&self, at: usize) -> bool {
        let prose = self.scan.prose();
        let after = prose.partition_point(|prose| prose.range.start <= at);
        after > 0 && prose[after - 1].range.contains(&at)
    }

    /// Finds the code, tag, address or comment in a line that a place is in.
    fn quiet_at(&self, at: usize) -> Option<&Range<usize>> {
        range_at(&self.layout.quiet, at)
    }

    fn is_in_fence(&self, at: usize) -> bool {
        let fences = &self.layout.fences;
        let after = fences.partition_point(|fence| fence.open.start <= at);
        after > 0 && at < fences[after - 1].end
    }

    /// Tells whether a place is in a code block or in inline code.
    fn is_code(&self, at: usize) -> bool {
        self.is_in_fence(at) || self.quiet_at(at).is_some_and(|range| !self.text[range.clone()].starts_with('<'))
    }

    /// Tells whether names at a place call nobody: in code, tags, addresses and comments.
    fn is_quiet(&self, at: usize) -> bool {
        self.quiet_at(at).is_some() || self.is_in_fence(at)
    }

    /// Finds the block of raw HTML that a place is in.
    fn raw_at(&self, at: usize) -> Option<&Range<usize>> {
        range_at(&self.layout.raw, at)
    }
}

/// Finds the range that a place is in, of ranges in order.
fn range_at(ranges: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    let after = ranges.partition_point(|range| range.start <= at);
    ranges[..after].last().filter(|range| range.contains(&at))
}

/// Tells whether a marker after the text would be at top level.
fn ends_clear(text: &str) -> bool {
    let followed = format!("{text}\n\n<!-- end -->");
    Scan::new(&followed).comments().last().is_some_and(|last| last.start == text.len() + 2)
}

/// Tells whether nothing in the text would be read as a command or a mention.
fn is_inert(text: &str, scan: &Scan) -> bool {
    let mentions = |visible: &str| {
        memmem::find_iter(visible.as_bytes(), b"@@").any(|at| visible[at + 2..].starts_with(calls::in_name))
    };
    !scan.prose().iter().any(|prose| {
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

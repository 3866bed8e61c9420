//! Cutting a long text into comments (decision 10): where it reads best, never inside a character, and with
//! fences closed at a cut and opened again after it.
//!
//! What a cut makes of the text behind it is not looked at, but for a fence that would open: text that acts
//! is for `pieces`.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::{
    plain::unix_lines,
    scan::{Fence, Scan, opens_fence},
};

/// How many characters a cut may move back so that it does not part what is drawn as one.
const JOINED_MAX: usize = 32;

/// Counts as GitHub does: in UTF-16 code units.
pub fn units(text: &str) -> usize {
    // One for each first byte of a character, and one more where the character needs a surrogate pair.
    text.bytes().map(|byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum()
}

/// Splits a text into parts of at most `first` units and, from the second on, at most `rest` units.
///
/// It cuts at a paragraph if one ends in the second half of what fits, else at a line, else at a word, else
/// between two characters. White space at a cut is dropped. Both bounds are taken as 2 at least, which
/// every character fits.
pub fn split(text: &str, first: usize, rest: usize) -> Vec<String> {
    let text = unix_lines(text);
    let splitter = Splitter::new(&text, first.min(rest));
    let mut parts = Vec::new();
    let mut at = 0;
    while at < text.len() || parts.is_empty() {
        let limit = if parts.is_empty() { first } else { rest };
        let (part, next) = splitter.part(at, limit);
        parts.push(part);
        at = next;
    }
    parts
}

/// A text that is cut from its start on.
pub(super) struct Splitter<'a> {
    text: &'a str,
    fences: Vec<Fence>,
}

impl<'a> Splitter<'a> {
    /// Reads a text with `\n` at its line ends; `smallest` is the least that a part will have room for.
    pub(super) fn new(text: &'a str, smallest: usize) -> Self {
        let (_, mut layout) = Scan::with_layout(text);
        // A fence that would take much of every part is cut like text.
        layout.fences.retain(|fence| units(&text[fence.open.clone()]) + fence.length + 2 <= smallest / 4);
        Self { text, fences: layout.fences }
    }

    /// Gives the part of at most `limit` units that starts at a place, and where the next one starts.
    pub(super) fn part(&self, at: usize, limit: usize) -> (String, usize) {
        let limit = limit.max(2);
        let mut part = String::new();
        if let Some(fence) = self.fence_around(at) {
            part.push_str(&self.text[fence.open.clone()]);
            part.push('\n');
        } else if self.is_inside_line(at) && opens_fence(&self.text[at..self.line_of(at).end]) {
            part.push('\\');
        }
        let room = limit - units(&part);
        let all = self.reach(at, room);
        if all == self.text.len() {
            part.push_str(&self.text[at..]);
            return (part, all);
        }
        let longest = self.fences.iter().map(|fence| fence.length + 1).max().unwrap_or(0);
        let cut = self.cut(at, self.reach(at, room.saturating_sub(longest)));
        part.push_str(&self.text[at..cut.start]);
        if let Some(fence) = self.fence_around(cut.end) {
            let mark = &self.text[fence.open.start..fence.open.start + fence.length];
            part.push_str(if part.ends_with('\n') { "" } else { "\n" });
            part.push_str(mark);
        }
        (part, cut.end)
    }

    /// Finds how far a number of units reaches: one character at least.
    fn reach(&self, at: usize, units: usize) -> usize {
        let mut left = units;
        for (offset, next) in self.text[at..].char_indices() {
            if next.len_utf16() > left && offset > 0 {
                return at + offset;
            }
            left = left.saturating_sub(next.len_utf16());
        }
        self.text.len()
    }

    /// Finds the best cut between `at` and `hard`: the white space it drops, which may be none.
    fn cut(&self, at: usize, hard: usize) -> Range<usize> {
        let half = (at + (hard - at) / 2..hard).find(|place| self.text.is_char_boundary(*place)).unwrap_or(hard);
        // The character after the longest part may be the white space to cut at.
        let end = hard + usize::from(self.text[hard..].starts_with([' ', '\n']));
        let window = &self.text[half..end];
        let places =
            |what: &'static str| window.rmatch_indices(what).map(move |(found, _)| half + found).filter(|p| *p > at);
        let paragraph = places("\n\n").find(|place| self.fence_around(place + 1).is_none());
        let line = || places("\n").find(|place| self.may_cut_line(place + 1));
        let word = || places(" ").next();
        match paragraph.or_else(line) {
            Some(place) => self.dropping_lines(place),
            None => {
                let unjoined = self.unjoined(at, hard);
                self.kept_whole(at, word().map_or(unjoined..unjoined, |place| place..place + 1))
            }
        }
    }

    /// Takes in the line end at a cut, and outside of code the blank lines after it.
    fn dropping_lines(&self, place: usize) -> Range<usize> {
        if self.fence_around(place + 1).is_some() {
            return place..place + 1;
        }
        let rest = &self.text[place..];
        let blank = rest.len() - rest.trim_start_matches('\n').len();
        place..place + blank
    }

    /// Moves a cut out of the line that opens or closes a fence.
    fn kept_whole(&self, at: usize, cut: Range<usize>) -> Range<usize> {
        let inside = |line: Range<usize>| line.start < cut.end && cut.start < line.end && at + 1 < line.start;
        // Only the last fence that opens before the cut, and the one behind it, can have a line here.
        let near = self.fences.partition_point(|fence| fence.open.start < cut.end);
        let broken = self.fences[near.saturating_sub(1)..].iter().take(2).find_map(|fence| {
            let closing = (fence.close < fence.end).then(|| self.line_of(fence.close));
            [Some(self.line_of(fence.open.start)), closing].into_iter().flatten().find(|line| inside(line.clone()))
        });
        broken.map_or(cut, |line| line.start - 1..line.start)
    }

    /// Tells whether a part that starts here starts with what did not start a line.
    fn is_inside_line(&self, at: usize) -> bool {
        self.text[..at].chars().next_back().is_some_and(|before| before != '\n')
    }

    fn line_of(&self, place: usize) -> Range<usize> {
        let start = self.text[..place].rfind('\n').map_or(0, |end| end + 1);
        start..self.text[place..].find('\n').map_or(self.text.len(), |end| place + end)
    }

    /// Finds the fence in whose code a part would start.
    fn fence_around(&self, start: usize) -> Option<&Fence> {
        let after = self.fences.partition_point(|fence| fence.open.start < start);
        let fence = &self.fences[after.checked_sub(1)?];
        let before_its_end = start < fence.close || (start == fence.close && fence.close < fence.end);
        (fence.open.end < start && before_its_end).then_some(fence)
    }

    /// Tells whether a part may start at this line: not between a fence's first or last line and its code.
    fn may_cut_line(&self, start: usize) -> bool {
        self.fence_around(start).is_none_or(|fence| start > fence.open.end + 1 && start < fence.close)
    }

    /// Moves a cut back to where two characters are drawn apart, if that is near.
    fn unjoined(&self, at: usize, hard: usize) -> usize {
        let mut after = self.text[hard..].chars().next();
        let back = self.text[at..hard].char_indices().rev().take(JOINED_MAX);
        for (offset, before) in back {
            if !after.is_some_and(|after| joins(before, after)) {
                return at + offset + before.len_utf8();
            }
            after = Some(before);
        }
        hard
    }
}

/// Tells whether two characters are drawn as one, as far as that can be told without tables.
fn joins(before: char, after: char) -> bool {
    let is_flag = |c: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
    let extends = matches!(after,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e01ef}');
    before == '\u{200d}' || extends || (is_flag(before) && is_flag(after))
}

#[cfg(test)]
mod tests;

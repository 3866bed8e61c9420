//! Commands, mentions and account names in a text that must not call anybody.

use alloc::{format, string::String, vec::Vec};
use core::ops::Range;

use super::{Guests, edited};
use crate::markdown::scan::{Layout, Scan};

/// How far back a name is followed to see whether it is part of an address.
const ADDRESS_MAX: usize = 256;

/// Shows commands with a backslash, names in visible text as code, and names where it is not certain what is
/// code (in quotations and raw HTML) with another `@`.
pub(super) fn silenced(text: &str, scan: &Scan, layout: &Layout, guests: &Guests) -> String {
    let mut edits = commands(text, scan);
    let places = Places { text, scan, layout };
    let ticks = places.free_ticks();
    let (mut end, mut silenced) = (0, 0);
    while let Some(found) = memchr::memchr(b'@', &text.as_bytes()[end..]) {
        let start = end + found;
        let name = Name::at(text, start);
        end = name.end;
        if places.is_quiet(start) || !name.calls(text, silenced, guests) {
            continue;
        }
        let joined = silenced == start && start > 0;
        let shown = if places.is_prose(start) { name.as_code(text, &ticks, joined) } else { name.elsewhere(text) };
        edits.push((start..end, shown));
        silenced = end;
    }
    edits.sort_by_key(|(range, _)| range.start);
    edited(text, edits).into_owned()
}

fn commands(text: &str, scan: &Scan) -> Vec<(Range<usize>, String)> {
    let is_command = |start: usize| text[start..].starts_with("/nebuko");
    let starts = scan.prose().iter().filter(|prose| prose.starts_line).map(|prose| prose.range.start);
    starts.filter(|start| is_command(*start)).map(|start| (start..start, String::from("\\"))).collect()
}

/// Tells whether a character can stand in the name of an account or a role.
pub(super) fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// One or more `@`, and the name behind them.
struct Name {
    start: usize,
    /// Where the `@` end.
    word: usize,
    end: usize,
}

impl Name {
    fn at(text: &str, start: usize) -> Self {
        let behind =
            |from: usize, is: fn(char) -> bool| text[from..].find(|c| !is(c)).map_or(text.len(), |end| from + end);
        let word = behind(start, |c| c == '@');
        let mut end = behind(word, in_name);
        if end > word && text[end..].starts_with('/') && text[end + 1..].starts_with(in_name) {
            end = behind(end + 1, in_name);
        }
        Self { start, word, end }
    }

    /// Tells whether it calls somebody who is no guest; `silenced` is where the last name ends that is changed.
    fn calls(&self, text: &str, silenced: usize, guests: &Guests) -> bool {
        if self.word == self.end {
            return false;
        }
        if self.word - self.start > 1 {
            return true;
        }
        let before = text[..self.start].chars().next_back();
        let in_word = before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') && silenced < self.start;
        let login = &text[self.word..self.end];
        let is_guest = guests.logins.iter().any(|guest| guest.eq_ignore_ascii_case(login));
        !in_word && !is_guest && !self.is_in_address(text, silenced)
    }

    /// Tells whether it is part of an address that stands in the text as it is.
    fn is_in_address(&self, text: &str, silenced: usize) -> bool {
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | '<' | '"' | '\'' | '`');
        let before = text[..self.start].char_indices().rev().take(ADDRESS_MAX);
        let start = before.take_while(|(_, c)| !ends(*c)).last().map_or(self.start, |(at, _)| at);
        start >= silenced && text[start..self.start].contains("://")
    }

    fn as_code(&self, text: &str, ticks: &str, joined: bool) -> String {
        let before = text[..self.start].ends_with(['`', '\\']) || joined;
        let after = text[self.end..].starts_with('`');
        let space = |needed: bool| if needed { " " } else { "" };
        format!("{}{ticks}{}{ticks}{}", space(before), &text[self.start..self.end], space(after))
    }

    fn elsewhere(&self, text: &str) -> String {
        text[self.start..self.end].replace('@', "\u{ff20}")
    }
}

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

    /// Tells whether names at a place call nobody: in code, tags, addresses and comments.
    fn is_quiet(&self, at: usize) -> bool {
        let within = |ranges: &[Range<usize>]| {
            let after = ranges.partition_point(|range| range.start <= at);
            after > 0 && ranges[after - 1].contains(&at)
        };
        let fences = &self.layout.fences;
        let after = fences.partition_point(|fence| fence.open.start <= at);
        within(&self.layout.quiet) || within(self.scan.comments()) || (after > 0 && at < fences[after - 1].end)
    }

    /// Finds a number of backticks that pairs with none outside of code.
    fn free_ticks(&self) -> String {
        let mut lengths = Vec::new();
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'`', &self.text.as_bytes()[at..]) {
            let start = at + found;
            at = self.text[start..].find(|c| c != '`').map_or(self.text.len(), |end| start + end);
            if !self.is_quiet(start) {
                // A backslash takes the first one out of the run.
                let escaped = usize::from(self.text[..start].ends_with('\\'));
                lengths.extend([at - start, at - start - escaped]);
            }
        }
        lengths.retain(|length| *length > 0);
        lengths.sort_unstable();
        lengths.dedup();
        let free = lengths.iter().zip(1..).take_while(|(length, count)| **length == *count).count() + 1;
        "`".repeat(free)
    }
}

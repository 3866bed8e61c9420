//! Commands, mentions and account names in a text that must not call anybody.

use alloc::{format, string::String, vec::Vec};
use core::ops::Range;

use memchr::{memchr_iter, memmem};

use super::{Guests, Places};

/// How far back a name is followed to see whether it is part of an address.
const ADDRESS_MAX: usize = 256;
/// Names stand in more backticks than these nowhere; they get another `@` then.
const TICKS_MAX: usize = 8;

/// Shows commands with a backslash, names in visible text as code, and names where it is not certain what is
/// code (in quotations and raw HTML) with another `@`.
pub(super) fn silenced(places: &Places<'_>, guests: &Guests) -> Vec<(Range<usize>, String)> {
    let text = places.text;
    let mut edits = commands(places);
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
        let shown = match &ticks {
            Some(ticks) if places.is_prose(start) && name.end > name.word => name.as_code(text, ticks, joined),
            _ => name.elsewhere(text),
        };
        edits.push((start..end, shown));
        silenced = end;
    }
    let escaped = memchr_iter(b'&', text.as_bytes()).filter(|at| is_at_sign(text, *at) && !places.is_quiet(*at));
    edits.extend(escaped.map(|at| (at..at + 1, String::from("&amp;"))));
    edits.sort_by_key(|(range, _)| range.start);
    edits
}

/// Tells whether a reference stands here that may be shown as `@`, or as a letter right behind one.
fn is_at_sign(text: &str, at: usize) -> bool {
    let name = &text[at + 1..];
    if text[..at].ends_with('@') {
        let is_quiet = ["amp;", "lt;", "gt;"].iter().any(|quiet| name.starts_with(quiet));
        return name.starts_with(|next: char| next == '#' || next.is_ascii_alphabetic()) && !is_quiet;
    }
    let Some(number) = name.strip_prefix('#') else { return name.starts_with("commat;") };
    let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |digits| (digits, 16));
    let digits = &digits[..digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len())];
    let digits = digits.trim_start_matches('0');
    digits.eq_ignore_ascii_case(if radix == 16 { "40" } else { "64" })
}

fn commands(places: &Places<'_>) -> Vec<(Range<usize>, String)> {
    let is_command = |start: usize| places.text[start..].starts_with("/nebuko");
    let starts = places.scan.prose().iter().filter(|prose| prose.starts_line).map(|prose| prose.range.start);
    starts.filter(|start| is_command(*start)).map(|start| (start..start, String::from("\\"))).collect()
}

/// Tells whether a character can stand in the name of an account or a role.
pub(super) fn in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
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
        // They end an emphasis rather than a name, unless they are all that stands behind the two `@` of a mention.
        let named = text[word..end].trim_end_matches('_').len();
        if named > 0 || word - start < 2 {
            end = word + named;
        }
        Self { start, word, end }
    }

    /// Tells whether it calls somebody who is no guest; `silenced` is where the last name ends that is changed.
    ///
    /// Names are looked for in the text as it is shown: a mark of emphasis before one is none there.
    fn calls(&self, text: &str, silenced: usize, guests: &Guests) -> bool {
        if self.word == self.end {
            // A tag behind it may be taken out, so that a name follows.
            return text[self.end..].starts_with('<');
        }
        if self.word - self.start > 1 {
            return true;
        }
        let in_word = text[..self.start].ends_with(|c: char| c.is_ascii_alphanumeric()) && silenced < self.start;
        let login = &text[self.word..self.end];
        let is_guest = guests.logins.iter().any(|guest| guest.eq_ignore_ascii_case(login));
        !in_word && !is_guest && !self.is_in_address(text, silenced)
    }

    /// Tells whether it is part of an address that stands in the text as it is, in the path of a plain one.
    fn is_in_address(&self, text: &str, silenced: usize) -> bool {
        let first = self.start.saturating_sub(ADDRESS_MAX);
        let before = &text.as_bytes()[first..self.start];
        let Some(colon) = memmem::rfind(before, b"://") else { return false };
        let scheme = &before[..colon];
        let Some(edge) = scheme.strip_suffix(b"https").or_else(|| scheme.strip_suffix(b"http")) else { return false };
        let starts = edge.last().map_or(first == 0, |last| last.is_ascii_whitespace() || b"(\"'".contains(last));
        let rest = &before[colon + 3..];
        let Some(slash) = memchr::memchr(b'/', rest) else { return false };
        let in_label = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let is_label = |label: &[u8]| !label.is_empty() && label.iter().all(in_label);
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"./%?=+@-".contains(byte);
        let is_address = rest[..slash].split(|byte| *byte == b'.').all(is_label) && rest[slash..].iter().all(is_plain);
        starts && first + edge.len() >= silenced && is_address
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

impl Places<'_> {
    /// Finds a number of backticks that pairs with none outside of code, if a small one does.
    fn free_ticks(&self) -> Option<String> {
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
        (free <= TICKS_MAX).then(|| "`".repeat(free))
    }
}

//! Finding the lines of a recording, also where a byte of it was changed afterwards.
//!
//! A line that is not as it was written is still the line it was: one that a new line end cut in two is put together,
//! two that lost the end between them are taken apart, and a kind or a digest that is nearly one is known.

use std::ops::Range;

use super::{Difference, compare::shown};
use crate::record::{Kind, SEAL_BYTES, SEAL_END, SEAL_START, link};

/// One line.
#[derive(Debug)]
pub(super) struct Line {
    /// Its number, from 1, as it was written.
    pub(super) number: usize,
    /// What it is about.
    pub(super) kind: Kind,
    /// The object without its digest; bytes that are no text are shown as `\xFF`.
    pub(super) text: String,
    /// The same, as near to text as it can be read.
    pub(super) readable: Option<String>,
    /// Whether its digest is the right one.
    pub(super) sound: bool,
}

/// What a recording's bytes are.
pub(super) struct Lines {
    /// The lines that are some of a recording.
    pub(super) lines: Vec<Line>,
    /// How many lines there are with those that are not.
    pub(super) count: usize,
    /// What was changed, by line.
    pub(super) damages: Vec<Difference>,
    /// Where what stands behind the last line end begins: the half line of a killed run, as a rule nothing.
    pub(super) half: usize,
}

/// Takes a recording apart.
pub(super) fn lines(bytes: &[u8]) -> Lines {
    let mut found = Lines { lines: Vec::new(), count: 0, damages: Vec::new(), half: 0 };
    let mut chain = Chain::default();
    while let Some(raw) = next(bytes, found.half) {
        found.count += 1;
        found.half = raw.next;
        found.take(&bytes[raw.line], raw.end, &mut chain);
    }
    found
}

/// The digests that the next line may hang on: what the last line says is its own, or what it really is.
#[derive(Default)]
struct Chain {
    said: String,
    found: String,
}

/// A line where it stands.
struct Raw {
    line: Range<usize>,
    /// What ends it, where that is no line end.
    end: Option<u8>,
    next: usize,
}

/// Finds the line that starts here; `None` where no line is whole any more.
fn next(bytes: &[u8], start: usize) -> Option<Raw> {
    let first = line_end(bytes, start);
    let piece = &bytes[start..first.unwrap_or(bytes.len())];
    if let Some(length) = lost_end(piece, first.is_none()) {
        let end = start + length;
        return Some(Raw { line: start..end, end: Some(bytes[end]), next: end + 1 });
    }
    let first = first?;
    let mut end = first;
    for _ in 0..=PIECES_MAX {
        if is_nearly_whole(&bytes[start..end]) {
            return Some(Raw { line: start..end, end: None, next: end + 1 });
        }
        let Some(later) = line_end(bytes, end + 1) else { break };
        // What is a line by itself is no rest of this one.
        if is_nearly_whole(&bytes[end + 1..later]) {
            break;
        }
        end = later;
    }
    Some(Raw { line: start..first, end: None, next: first + 1 })
}

fn line_end(bytes: &[u8], start: usize) -> Option<usize> {
    bytes.get(start..)?.iter().position(|&byte| byte == b'\n').map(|length| start + length)
}

/// Finds the end of a line whose line end was changed: a whole digest with one byte behind it, and then another line, or
/// nothing more in the file.
fn lost_end(piece: &[u8], is_last: bool) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = piece[from..].windows(SEAL_START.len()).position(|part| part == SEAL_START.as_bytes()) {
        let end = from + found + SEAL_BYTES;
        let rest = piece.get(end + 1..)?;
        let follows = if rest.is_empty() { is_last } else { Kind::near(rest).is_some() };
        if piece[..end].ends_with(SEAL_END.as_bytes()) && follows {
            return Some(end);
        }
        from += found + 1;
    }
    None
}

fn is_nearly_whole(raw: &[u8]) -> bool {
    is_framed(raw) || is_framed(trimmed(raw))
}

fn is_framed(raw: &[u8]) -> bool {
    Kind::near(raw).is_some() && seal_start(raw).is_some()
}

fn trimmed(raw: &[u8]) -> &[u8] {
    raw.strip_prefix("\u{feff}".as_bytes()).unwrap_or(raw).trim_ascii()
}

/// Finds where the digest starts at the end of a line, also where a byte or two around it were changed.
fn seal_start(raw: &[u8]) -> Option<usize> {
    let start = raw.len().checked_sub(SEAL_BYTES)?;
    let (front, end) = (&raw[start..start + SEAL_START.len()], &raw[raw.len() - SEAL_END.len()..]);
    (unlike(front, SEAL_START) + unlike(end, SEAL_END) <= CHANGED_MAX).then_some(start)
}

fn unlike(one: &[u8], other: &str) -> usize {
    one.iter().zip(other.bytes()).filter(|(one, other)| **one != *other).count()
}

impl Lines {
    fn take(&mut self, raw: &[u8], changed_end: Option<u8>, chain: &mut Chain) {
        let number = self.count;
        // A line may start or end in white space where that is the byte that was changed.
        let line = if is_framed(raw) { raw } else { trimmed(raw) };
        let Some(kind) = Kind::near(line) else {
            let what = "this line is not one of a recording";
            self.damages.push(Difference::of_lines(number, what, &shown(raw), ""));
            return;
        };
        let (front, seal) = line.split_at(seal_start(line).unwrap_or(line.len()));
        let object = if seal.is_empty() { front.to_vec() } else { [front, b"}"].concat() };
        let sound = self.check_seal(&object, seal, chain);
        if line != raw {
            let what = "there is white space around this line";
            self.damages.push(Difference::of_lines(number, what, &shown(raw), &shown(line)));
        }
        if let Some(end) = changed_end {
            let tail = shown(&line[line.len() - SEAL_END.len()..]);
            let what = "the line end behind the digest was changed";
            let (recorded, computed) = (format!("{tail}{}", shown(&[end])), format!("{tail}\\n"));
            self.damages.push(Difference::of_field(number, SEAL_FIELD, recorded, computed, what));
        }
        let text = shown(&object);
        let readable = readable(&object).filter(|readable| *readable != text);
        self.lines.push(Line { number, kind, text, readable, sound: sound && line == raw && changed_end.is_none() });
    }

    /// Compares the digest of a line with what it must be, and tells whether it is that.
    fn check_seal(&mut self, object: &[u8], seal: &[u8], chain: &mut Chain) -> bool {
        let expected = [link(&chain.said, object), link(&chain.found, object)];
        let digest = seal.strip_prefix(SEAL_START.as_bytes()).and_then(|rest| rest.strip_suffix(SEAL_END.as_bytes()));
        let sound = digest.is_some_and(|digest| expected.iter().any(|expected| expected.as_bytes() == digest));
        if !sound {
            let (recorded, computed) = match digest {
                Some(digest) => (shown(digest), expected[0].clone()),
                None => (shown(seal), format!("{SEAL_START}{}{SEAL_END}", expected[0])),
            };
            let what = "this line was changed after it was recorded";
            self.damages.push(Difference::of_field(self.count, SEAL_FIELD, recorded, computed, what));
        }
        let [found, _] = expected;
        *chain = Chain { said: digest.map_or_else(String::new, shown), found };
        sound
    }
}

/// Reads what is nearly JSON as if a changed byte inside a text had been a space or a sign that nobody knows.
fn readable(object: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(object).replace(|sign: char| sign < ' ', " ");
    Some(text)
}

/// The field of a line that holds its digest.
pub(super) const SEAL_FIELD: &str = "/sha256";
/// How many bytes of a line's start or of its digest's frame may be others, so that it is still known.
const CHANGED_MAX: usize = 2;
/// Into how many pieces new line ends may have cut a line that is put together again.
const PIECES_MAX: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Chain as Writer;

    fn sealed() -> Vec<u8> {
        let mut chain = Writer::default();
        let texts = [r#"{"recording":1}"#, r#"{"event":"woken"}"#, r#"{"effects":[],"state":"x"}"#, r#"{"end":"é"}"#];
        texts.map(|text| chain.seal(text.into())).concat().into_bytes()
    }

    #[test]
    fn a_recording_as_it_was_written_has_no_damage() {
        let found = lines(&sealed());
        assert!(found.damages.is_empty(), "{:?}", found.damages);
        let kinds: Vec<_> = found.lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [Kind::Header, Kind::Event, Kind::Step, Kind::End]);
        assert_eq!((found.count, found.half), (4, sealed().len()));
    }

    #[test]
    fn whatever_byte_is_changed_every_line_is_known_and_the_changed_one_is_named() {
        let whole = sealed();
        let mut number = 1;
        for at in 0..whole.len() {
            for new in [whole[at] ^ 1, b'\n', b'*', b'"', b' ', 0, 0xff] {
                let mut changed = whole.clone();
                changed[at] = new;
                if changed == whole {
                    continue;
                }
                let found = lines(&changed);
                let kinds: Vec<_> = found.lines.iter().map(|line| line.kind).collect();
                let named = found.damages.iter().all(|one| one.line == number) && !found.damages.is_empty();
                let told = format!("byte {at} of line {number} as {new}: {kinds:?} {:#?}", found.damages);
                assert!(kinds.len() == 4 && named, "{told}");
            }
            number += usize::from(whole[at] == b'\n');
        }
    }

    #[test]
    fn what_is_no_line_is_told_and_passed_over() {
        let whole = String::from_utf8(sealed()).expect("text");
        let check = |changed: &str, lines_known: usize, what: &str| {
            let found = lines(changed.as_bytes());
            assert_eq!(found.lines.len(), lines_known, "{changed}");
            assert!(found.damages.iter().any(|one| one.what.contains(what)), "{changed}: {:#?}", found.damages);
        };
        check(&whole.replace("{\"effects", "\n{\"effects"), 4, "not one of a recording");
        check(&whole.replace("{\"effects", "hello\n{\"effects"), 4, "not one of a recording");
        check(&whole.replace("{\"effects", " {\"effects"), 4, "white space");
        check(&whole.replace('\n', "\r\n"), 4, "white space");
        check(&format!("\u{feff}{whole}"), 4, "white space");
        check(&whole.replace("{\"effects\":[],\"state\":\"x\"", "{\"effects\":["), 4, "changed after");
    }
}

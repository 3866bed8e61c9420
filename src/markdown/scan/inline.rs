//! The second look at a paragraph: what of it is code, a comment, a tag or a link's address.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::memmem;

use super::html::{Doubt, autolink, tag};

/// Backtick runs of this length and more are not paired but put what follows them in doubt.
const RUN_MAX: usize = 32;

/// The stretches of a paragraph that are not visible text, as places in the body, in order.
#[derive(Default)]
pub(super) struct Hidden {
    /// All of them.
    pub(super) cuts: Vec<Range<usize>>,
    /// Those that call nobody: code, comments, tags and addresses.
    pub(super) quiet: Vec<Range<usize>>,
}

/// Finds what of a paragraph is hidden; `base` is where it starts in the body. Tags of doubtful elements are
/// noted in `doubt` and hide what they enclose; `data` says that the paragraph is data, whose tags are none.
pub(super) fn read(text: &[u8], base: usize, doubt: &mut Doubt, data: bool, hidden: &mut Hidden) {
    hidden.cuts.clear();
    hidden.quiet.clear();
    let doubtful_from = doubt.is_open().then_some(0);
    let mut reader = Reader { text, base, at: 0, hidden, doubt, doubtful_from, data, runs: None, comments_end: None };
    while let Some(found) = memchr::memchr3(b'`', b'<', b']', &text[reader.at..]) {
        let at = reader.at + found;
        reader.at = if reader.is_escaped(at) { at + 1 } else { reader.special(at) };
    }
    if let Some(from) = reader.doubtful_from {
        reader.cut(from..text.len());
    }
}

struct Reader<'a> {
    text: &'a [u8],
    base: usize,
    /// Everything before it is read. A backslash before it escapes nothing.
    at: usize,
    hidden: &'a mut Hidden,
    doubt: &'a mut Doubt,
    /// Where the tag stands that put what follows it in doubt.
    doubtful_from: Option<usize>,
    data: bool,
    /// Where the last backtick run of each length starts, once that is asked.
    runs: Option<[usize; RUN_MAX]>,
    /// Where the last `-->` stands, or 0, once that is asked.
    comments_end: Option<usize>,
}

impl Reader<'_> {
    /// Reads what starts at a character of interest and gives where to go on.
    fn special(&mut self, at: usize) -> usize {
        match self.text[at] {
            b'`' => self.code(at),
            b'<' => self.angle(at),
            _ => self.bracket(at),
        }
    }

    /// Reads a backtick run: code, if a run of the same length follows.
    fn code(&mut self, at: usize) -> usize {
        let length = super::line::run(&self.text[at..], b'`');
        if length >= RUN_MAX {
            return self.give_up(at);
        }
        let mut next = at + length;
        if self.runs.get_or_insert_with(|| last_runs(self.text))[length] < next {
            return next;
        }
        while let Some(found) = memchr::memchr(b'`', &self.text[next..]) {
            let closing = super::line::run(&self.text[next + found..], b'`');
            next += found + closing;
            if closing == length {
                return self.hide(at..next);
            }
        }
        next
    }

    /// Reads a comment, a tag, an autolink, or a `<` that is just one.
    fn angle(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        match rest.get(1) {
            Some(b'!') if rest.starts_with(b"<!--") => return self.comment(at),
            Some(b'?') => return self.give_up(at),
            Some(b'!') if rest.get(2).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'[') => {
                return self.give_up(at);
            }
            _ => {}
        }
        if let Some(length) = tag(rest) {
            self.hide(at..at + length);
            self.note(at, length);
            return at + length;
        }
        match autolink(rest) {
            Some(length) => self.hide(at..at + length),
            None => at + 1,
        }
    }

    /// Takes note of a tag: text in a doubtful element is hidden from its opening tag to its closing tag.
    fn note(&mut self, at: usize, length: usize) {
        if self.data {
            return;
        }
        self.doubt.note(&self.text[at..at + length]);
        match (self.doubtful_from, self.doubt.is_open()) {
            (None, true) => self.doubtful_from = Some(at),
            (Some(from), false) => {
                self.cut(from..at + length);
                self.doubtful_from = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }

    /// Reads an inline comment. What follows one with `--` in it is in doubt: renderers differ there.
    fn comment(&mut self, at: usize) -> usize {
        if *self.comments_end.get_or_insert_with(|| memmem::rfind(self.text, b"-->").unwrap_or(0)) < at + 2 {
            return at + 4;
        }
        let found = memmem::find(&self.text[at + 2..], b"-->").unwrap_or_default();
        let end = at + 2 + found + 3;
        let inside = self.text.get(at + 4..end - 3).unwrap_or_default();
        if end < at + 7 || memmem::find(inside, b"--").is_some() || inside.ends_with(b"-") {
            return self.give_up(at);
        }
        self.hide(at..end)
    }

    /// Reads what stands behind a `]`: an address or a label is not visible, and code in it is no code.
    fn bracket(&mut self, at: usize) -> usize {
        let rest = &self.text[at + 1..];
        match rest.first() {
            Some(b'(') => match address(rest) {
                // With blanks in it, and no link after all, it would call whom it names.
                Some(length) if rest[..length].contains(&b' ') || rest[1] == b'@' => {
                    self.cut_visible(at + 1..at + 1 + length)
                }
                Some(length) => self.hide(at + 1..at + 1 + length),
                None => self.give_up(at + 1),
            },
            Some(b'[') => {
                let label = memchr::memchr(b']', rest).map_or(rest, |end| &rest[..end]);
                if memchr::memchr2(b'`', b'<', label).is_some() { self.give_up(at + 1) } else { at + 1 }
            }
            _ => at + 1,
        }
    }

    /// Leaves the rest of the paragraph out, but takes note of its tags.
    fn give_up(&mut self, at: usize) -> usize {
        if !self.data {
            self.doubt.note_all(&self.text[at..]);
        }
        self.cut_visible(at..self.text.len())
    }

    /// Leaves out what calls nobody, and gives where it ends.
    fn hide(&mut self, range: Range<usize>) -> usize {
        self.hidden.quiet.push(range.start + self.base..range.end + self.base);
        self.cut_visible(range)
    }

    /// Leaves out a stretch, if it is not left out anyway, and gives where it ends.
    fn cut_visible(&mut self, range: Range<usize>) -> usize {
        let end = range.end;
        if self.doubtful_from.is_none() {
            self.cut(range);
        }
        end
    }

    fn cut(&mut self, range: Range<usize>) {
        self.hidden.cuts.push(range.start + self.base..range.end + self.base);
    }

    /// Tells whether an odd number of backslashes stands before a character.
    fn is_escaped(&self, at: usize) -> bool {
        self.text[self.at..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    }
}

/// Finds where the last backtick run of each length starts, 0 where there is none.
fn last_runs(text: &[u8]) -> [usize; RUN_MAX] {
    let mut runs = [0; RUN_MAX];
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &text[at..]) {
        at += found;
        let length = super::line::run(&text[at..], b'`');
        if let Some(last) = runs.get_mut(length) {
            *last = at;
        }
        at += length;
    }
    runs
}

/// Measures a link's `(address "title")` where it is plain enough that every renderer reads it alike.
fn address(text: &[u8]) -> Option<usize> {
    let plain = |byte: &u8| !byte.is_ascii_whitespace() && !b"()<>\"'`\\".contains(byte);
    let mut at = 1 + text[1..].iter().take_while(|byte| plain(byte)).count();
    let spaces = super::line::indent(&text[at..], 0).0;
    at += spaces;
    if spaces > 0 && text.get(at) == Some(&b'"') {
        let inside = |byte: &u8| !b"\"<`\\\r\n".contains(byte);
        at += 1 + text[at + 1..].iter().take_while(|byte| inside(byte)).count();
        at += usize::from(text.get(at) == Some(&b'"'));
    }
    (text.get(at) == Some(&b')')).then_some(at + 1)
}

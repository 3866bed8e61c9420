//! Lines of raw HTML: which comments in them count, and what they put in doubt.

use core::mem;

use memchr::memmem;

use super::{Blocks, Leaf, Rest};
use crate::markdown::{
    marker::{STATE_END, STATE_START},
    scan::html::Ending,
};

/// Tags whose block may hold comments that count: the state of a run folds away in such a block.
const CARRIERS: [&str; 4] = ["<details", "</details", "<summary", "</summary"];

impl Blocks<'_> {
    /// Opens a block of raw HTML with its first line.
    pub(super) fn open_html(&mut self, rest: Rest, ending: Ending) {
        self.keep(rest.items);
        let text = &self.text[rest.at..rest.end];
        let is_tag = |tag: &&str| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()));
        let carries = ending == Ending::Blank && CARRIERS.iter().any(is_tag);
        self.leaf = Leaf::Html { ending, carries, comment: None };
        self.layout.raw.push(rest.at..rest.end);
        self.html(rest);
        let is_open = matches!(self.leaf, Leaf::Html { .. });
        self.lost |= is_open && (self.blurred || (self.disputed && ending != Ending::Blank));
    }

    /// Reads a line of raw HTML: comments, tags, and whether the block ends with it.
    pub(super) fn html(&mut self, rest: Rest) {
        let Leaf::Html { ending, carries, mut comment } = mem::replace(&mut self.leaf, Leaf::None) else { return };
        let Rest { at, end, column, .. } = rest;
        let text = &self.text[at..end];
        if let Some(raw) = self.layout.raw.last_mut() {
            raw.end = end;
        }
        let is_comment = ending == Ending::Text("-->");
        let free = self.items.is_empty() && !self.blurred && column < 4 && self.is_certain();
        if free && comment.is_none() && (is_comment || carries) && text.starts_with(b"<!--") {
            comment = Some(at);
        }
        // `<!-->` is a whole comment.
        let from = if comment == Some(at) { at + 2 } else { at };
        let closed = memmem::find(&self.text[from..end], b"-->").map(|found| from + found + 3);
        if let (Some(start), Some(stop)) = (comment, closed) {
            self.comment(start, stop);
        }
        self.tags(at, end, ending);
        self.lost |= ending.is_disputed_in(text);
        let ends = if is_comment && from > at { closed.is_some() } else { ending.is_in(text) };
        if !ends {
            let comment = if is_comment { comment } else { None };
            self.leaf = Leaf::Html { ending, carries, comment };
        }
    }

    fn comment(&mut self, start: usize, stop: usize) {
        self.found.comments.push(start..stop);
        let comment = &self.text[start..stop];
        let inside = comment.strip_prefix(b"<!-- ").and_then(|rest| rest.strip_suffix(b" -->")).unwrap_or_default();
        if inside == STATE_START.as_bytes() || inside == STATE_END.as_bytes() {
            self.data = inside == STATE_START.as_bytes();
        }
    }

    /// Follows comments and doubtful elements through a line of raw HTML.
    fn tags(&mut self, mut at: usize, end: usize, ending: Ending) {
        while at < end {
            if self.in_comment {
                let Some(found) = memmem::find(&self.text[at..end], b"-->") else { return };
                at += found + 3;
                self.in_comment = false;
                continue;
            }
            let Some(found) = memchr::memchr(b'<', &self.text[at..end]) else { return };
            at += found;
            if self.text[at..end].starts_with(b"<!--") {
                self.in_comment = ending == Ending::Text("-->") || !self.data;
                at += 2;
            } else {
                if !self.data {
                    self.doubt.note(&self.text[at..end]);
                }
                at += 1;
            }
        }
    }
}

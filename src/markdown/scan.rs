//! The one top-level scan (decision 2.1): what of a body is visible text, and which HTML comments stand free.
//!
//! One pass over the lines follows CommonMark's block rules; paragraphs with backticks, `<` or links in them
//! get a second look. Where renderers disagree, or where text would be shown as code or as a quotation, it
//! is left out: a command that is in doubt does not count. What the text means is for others.

use alloc::vec::Vec;
use core::ops::Range;

mod block;
pub(super) mod html;
mod inline;
mod line;
mod paragraph;

/// What stands at the top level of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    comments: Vec<Range<usize>>,
    prose: Vec<Prose>,
}

/// A stretch of visible top-level text inside one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prose {
    /// Where it stands in the body, in bytes, without indentation and line end.
    pub range: Range<usize>,
    /// Whether it starts its line at the root of the document, so that a command may start here.
    pub starts_line: bool,
}

/// Where code and other text stands that calls nobody; for what is written, not for what is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Fenced code blocks at top level and in lists, in order.
    pub(super) fences: Vec<Fence>,
    /// Indented and inline code, tags, inline comments and addresses of links, in order. What starts with `<` is
    /// no code. Tags in tables are not among them.
    pub(super) quiet: Vec<Range<usize>>,
    /// Blocks of raw HTML at top level and in lists, in order.
    pub(super) raw: Vec<Range<usize>>,
}

/// A fenced code block.
#[derive(Clone, Debug)]
pub(super) struct Fence {
    /// The opening line without its indentation.
    pub(super) open: Range<usize>,
    /// How many fence characters open it.
    pub(super) length: usize,
    /// Where the closing line starts, or what follows where there is none.
    pub(super) close: usize,
    /// Where the closing line ends.
    pub(super) end: usize,
}

/// An editor's leftover: at the start of a body it is no text (CommonMark's reference reader skips it too).
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

impl Scan {
    /// Scans a body in time linear in its length.
    pub fn new(body: &str) -> Self {
        block::Blocks::read(body.as_bytes()).0
    }

    /// Scans a body that is to be written.
    pub(super) fn with_layout(body: &str) -> (Self, Layout) {
        block::Blocks::read(body.as_bytes())
    }

    /// Gives the top-level HTML comments that start a line, `<!--` and `-->` included, in order.
    pub fn comments(&self) -> &[Range<usize>] {
        &self.comments
    }

    /// Gives the visible top-level text, in order.
    pub fn prose(&self) -> &[Prose] {
        &self.prose
    }
}

/// Tells whether a line, without its indentation, opens a fenced code block.
pub(super) fn opens_fence(line: &str) -> bool {
    line::fence(line.as_bytes()).is_some()
}

#[cfg(test)]
pub(super) mod oracle;
#[cfg(test)]
mod tests;

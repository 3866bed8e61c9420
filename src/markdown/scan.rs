//! The one top-level scan (decision 2.1).

use alloc::vec::Vec;
use core::ops::Range;

/// What stands at the top level of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    comments: Vec<Range<usize>>,
    prose: Vec<Prose>,
}

/// A stretch of visible top-level text inside one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prose {
    /// Where it stands in the body, in bytes, without a line end.
    pub range: Range<usize>,
    /// Whether it starts its line at the root of the document, so that a command may start here.
    pub starts_line: bool,
}

impl Scan {
    /// Scans a body.
    pub fn new(_body: &str) -> Self {
        Self::default()
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

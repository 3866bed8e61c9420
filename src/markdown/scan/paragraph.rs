//! The paragraph (or heading) that is being read, and what of its lines is visible.

use alloc::vec::Vec;
use core::ops::Range;

use super::Prose;

/// What is known of a paragraph while its lines are read.
pub(super) struct Paragraph {
    /// Where its text starts.
    pub(super) start: usize,
    /// Where its last line ends.
    pub(super) end: usize,
    /// Its first entry in the prose found so far.
    pub(super) first: usize,
    /// Whether it needs a second look.
    pub(super) special: bool,
    /// Whether a line in it may be the rule of a table.
    pub(super) table: bool,
    /// Whether it could be the definition of a link: then it is not shown.
    pub(super) definition: bool,
}

impl Paragraph {
    /// Cuts what is not visible out of the paragraph's lines, which stand last in `prose`; `lines` is a vessel.
    pub(super) fn cut(&self, text: &[u8], prose: &mut Vec<Prose>, cuts: &[Range<usize>], lines: &mut Vec<Prose>) {
        lines.clear();
        lines.extend(prose.drain(self.first.min(prose.len())..));
        // In a table no code goes over cells, so that a line with some may be read in two ways.
        let is_plain = |line: &Prose| memchr::memchr2(b'`', b'<', &text[line.range.clone()]).is_none();
        let mut cuts = cuts.iter().peekable();
        for line in lines.iter().filter(|line| !self.table || is_plain(line)) {
            let end = line.range.end;
            let mut at = line.range.start;
            while at < end {
                while cuts.next_if(|cut| cut.end <= at).is_some() {}
                let (stop, next) = cuts.peek().map_or((end, end), |cut| (cut.start.min(end), cut.end));
                if at < stop {
                    prose.push(Prose { range: at..stop, starts_line: line.starts_line && at == line.range.start });
                }
                at = if stop < end { next } else { end };
            }
        }
    }
}

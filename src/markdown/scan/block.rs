//! The block structure: which line belongs to a quotation, a fence, a list item, raw HTML or a paragraph.
//!
//! List items are kept as the column their text starts at. Block quotes are never looked into, so a line
//! that may or may not continue one is left out.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::memmem;

use super::{
    BYTE_ORDER_MARK, Fence, Layout, Prose, Scan,
    html::{self, Doubt, Ending},
    inline::{self, Hidden},
    line,
    paragraph::Paragraph,
};

mod raw;

/// What the previous line left open, inside the innermost list item.
enum Leaf {
    /// Nothing.
    None,
    /// A block quote, which the next line may continue; `lazy` says that a line without a mark may have done so.
    Quote { lazy: bool },
    /// Text.
    Paragraph(Paragraph),
    /// A fenced code block.
    Fence { mark: u8, length: usize },
    /// Raw HTML. `carries` says that comments in it count.
    Html { ending: Ending, carries: bool, comment: Option<usize> },
}

/// What is left of the line at hand.
#[derive(Clone, Copy)]
struct Rest {
    /// Its first character that is no blank.
    at: usize,
    end: usize,
    /// The column of that character.
    column: usize,
    /// How many of the open list items the line goes on with.
    items: usize,
}

/// The lines read so far, and what they leave open.
pub(super) struct Blocks<'a> {
    text: &'a [u8],
    found: Scan,
    layout: Layout,
    /// The columns at which the text of the open list items starts.
    items: Vec<usize>,
    /// Whether the newest item has nothing in it yet.
    empty_item: bool,
    /// Whether it is uncertain which list items are open, because a line may or may not continue a quotation.
    blurred: bool,
    /// Whether the lines since the last blank one are raw HTML for some renderers only.
    disputed: bool,
    /// Whether it is uncertain where a fence or raw HTML ends: then nothing counts any more.
    lost: bool,
    leaf: Leaf,
    doubt: Doubt,
    /// Vessels for the second look at a paragraph.
    hidden: Hidden,
    lines: Vec<Prose>,
    /// Whether raw HTML opened a comment that has not ended.
    in_comment: bool,
    /// Whether the line at hand is left out for one of these.
    muted: bool,
    /// Whether the lines are the data of a state, in which no tag is one.
    data: bool,
}

impl<'a> Blocks<'a> {
    /// Reads a body.
    pub(super) fn read(text: &'a [u8]) -> (Scan, Layout) {
        let mut blocks = Self {
            text,
            found: Scan::default(),
            layout: Layout::default(),
            items: Vec::new(),
            empty_item: false,
            blurred: false,
            disputed: false,
            lost: false,
            leaf: Leaf::None,
            doubt: Doubt::default(),
            hidden: Hidden::default(),
            lines: Vec::new(),
            in_comment: false,
            muted: false,
            data: false,
        };
        let mut mark = [0; 4];
        let mark = BYTE_ORDER_MARK.encode_utf8(&mut mark).as_bytes();
        let mut start = if text.starts_with(mark) { mark.len() } else { 0 };
        while start < text.len() {
            let end = memchr::memchr2(b'\n', b'\r', &text[start..]).map_or(text.len(), |found| start + found);
            blocks.line(start, end);
            start = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        }
        if let Leaf::Paragraph(_) = blocks.leaf {
            blocks.close();
        }
        (blocks.found, blocks.layout)
    }

    /// Reads a line.
    fn line(&mut self, start: usize, end: usize) {
        let (spaces, column) = line::indent(&self.text[start..end], 0);
        let at = start + spaces;
        let is_blank = at == end;
        let items = if is_blank { self.items.len() } else { self.items_up_to(column) };
        let rest = Rest { at, end, column, items };
        let inside = items == self.items.len();
        self.muted = self.in_comment || self.disputed;
        match self.leaf {
            Leaf::Fence { mark, length } if inside => return self.in_fence(start, rest, mark, length),
            Leaf::Html { ending, .. } if inside && !(is_blank && ending == Ending::Blank) => return self.html(rest),
            Leaf::None | Leaf::Quote { .. } | Leaf::Paragraph(_) => {}
            Leaf::Fence { .. } => {
                self.leaf = Leaf::None;
                self.end_fence(start, start);
            }
            Leaf::Html { .. } => self.leaf = Leaf::None,
        }
        if self.in_comment {
            self.in_comment = memmem::find(&self.text[start..end], b"-->").is_none();
        }
        if is_blank {
            self.blank();
        } else {
            self.empty_item = false;
            self.start(rest);
        }
    }

    fn blank(&mut self) {
        self.close();
        self.disputed = false;
        if core::mem::take(&mut self.empty_item) {
            self.items.pop();
        }
    }

    /// Reads a line that is not blank from its first character on.
    fn start(&mut self, mut rest: Rest) {
        let mut continues = matches!(self.leaf, Leaf::Quote { .. } | Leaf::Paragraph(_));
        while !self.is_indented(rest, continues) && !self.starts_block(rest, continues) {
            let in_paragraph = self.is_in_paragraph(rest);
            match line::marker(&self.text[rest.at..rest.end], rest.column) {
                Some(ref marker) if !marker.interrupts && self.may_be_paragraph() => return self.dispute(),
                Some(marker) if marker.interrupts || !in_paragraph => match self.item(&marker, rest) {
                    Some(text) => (rest, continues) = (text, false),
                    None => return,
                },
                _ if continues => return self.go_on(rest),
                _ => {
                    self.keep(rest.items);
                    return self.begin(rest);
                }
            }
        }
    }

    /// Reads a line that is indented like code, if it is: code, or more of a paragraph.
    fn is_indented(&mut self, rest: Rest, continues: bool) -> bool {
        if self.blurred && rest.column >= 4 && !continues {
            self.keep(rest.items);
            self.leaf = Leaf::Quote { lazy: true };
            return true;
        }
        if rest.column - self.base(rest.items) < 4 {
            return false;
        }
        match continues {
            true if self.is_table() => self.dispute(),
            true => self.go_on(rest),
            false => {
                self.keep(rest.items);
                // With the blank before it, so that it does not start with `<`.
                self.layout.quiet.push(rest.at - 1..rest.end);
            }
        }
        true
    }

    /// Reads a line that starts something other than a list item or a paragraph, if it does.
    fn starts_block(&mut self, rest: Rest, continues: bool) -> bool {
        let text = &self.text[rest.at..rest.end];
        let in_paragraph = self.is_in_paragraph(rest);
        match text[0] {
            b'>' => self.quote(rest),
            b'#' if line::is_heading(text) => self.heading(rest),
            b'`' | b'~' => match line::fence(text) {
                Some((mark, length)) => self.fence(rest, mark, length),
                None => return false,
            },
            b'<' => {
                let lazy = continues && (!in_paragraph || self.is_table());
                match html::block_start(text, in_paragraph && !lazy) {
                    Some(Ending::Blank) if lazy && html::block_start(text, true).is_none() => self.dispute(),
                    Some(ending) => self.open_html(rest, ending),
                    None => return false,
                }
            }
            b'=' | b'-' if in_paragraph && line::underline(text).is_some() => self.underline(rest.at),
            b'-' | b'*' | b'_' if line::is_break(text) => self.keep(rest.items),
            _ => return false,
        }
        true
    }

    /// Opens a list item and gives what stands in it on the same line, if anything does.
    fn item(&mut self, marker: &line::Marker, rest: Rest) -> Option<Rest> {
        self.keep(rest.items);
        self.lost |= self.disputed;
        self.items.push(rest.column + marker.width);
        self.empty_item = marker.empty;
        let from = rest.at + marker.content;
        let (spaces, column) = line::indent(&self.text[from..rest.end], marker.column);
        (!marker.empty).then_some(Rest { at: from + spaces, end: rest.end, column, items: rest.items + 1 })
    }

    /// Starts a paragraph.
    fn begin(&mut self, rest: Rest) {
        let Rest { at, end, .. } = rest;
        let definition = self.text[at] == b'[';
        let first = self.found.prose.len();
        self.leaf = Leaf::Paragraph(Paragraph { start: at, end, first, special: false, table: false, definition });
        self.go_on(Rest { items: self.items.len(), ..rest });
    }

    /// Adds a line to the paragraph, or to the quotation that may go on.
    fn go_on(&mut self, rest: Rest) {
        let Rest { at, end, column, items } = rest;
        let Leaf::Paragraph(paragraph) = &mut self.leaf else {
            self.blurred |= items < self.items.len();
            self.leaf = Leaf::Quote { lazy: true };
            return;
        };
        paragraph.end = end;
        let text = &self.text[at..end];
        paragraph.table |= at > paragraph.start && line::is_table_rule(text);
        paragraph.special |= memchr::memchr3(b'`', b'<', b']', text).is_some();
        if !self.muted {
            let starts_line = self.items.is_empty() && !self.blurred && column < 4 && !paragraph.table;
            self.found.prose.push(Prose { range: at..end, starts_line });
        }
    }

    /// Takes a tag alone on a line that may continue a paragraph: renderers differ on whether it does.
    ///
    /// If it does, then what is code in that paragraph may be none, and the other way round: it is left out.
    fn dispute(&mut self) {
        let doubtful = match &self.leaf {
            Leaf::Paragraph(paragraph) => Some((paragraph.first, self.layout.quiet.len())),
            _ => None,
        };
        self.close();
        if let Some((prose, quiet)) = doubtful {
            self.found.prose.truncate(prose);
            self.layout.quiet.truncate(quiet);
        }
        self.leaf = Leaf::Quote { lazy: true };
        (self.blurred, self.disputed) = (true, true);
    }

    fn heading(&mut self, rest: Rest) {
        self.keep(rest.items);
        self.begin(rest);
        self.close();
    }

    /// Reads the line that makes a heading of the paragraph before it, unless that is no text at all.
    fn underline(&mut self, at: usize) {
        match &self.leaf {
            Leaf::Paragraph(paragraph) if paragraph.definition && self.text[at] == b'=' => self.dispute(),
            _ => self.close(),
        }
    }

    fn quote(&mut self, rest: Rest) {
        let is_mark = |byte: &u8| matches!(byte, b'>' | b' ' | b'\t');
        self.keep(rest.items);
        self.lost |= self.disputed;
        if !self.text[rest.at..rest.end].iter().all(is_mark) {
            self.leaf = Leaf::Quote { lazy: false };
        }
    }

    fn fence(&mut self, rest: Rest, mark: u8, length: usize) {
        self.keep(rest.items);
        self.lost |= self.blurred || self.disputed;
        self.leaf = Leaf::Fence { mark, length };
        let size = self.text.len();
        self.layout.fences.push(Fence { open: rest.at..rest.end, length, close: size, end: size });
    }

    /// Reads a line in a fence, which may close it.
    fn in_fence(&mut self, start: usize, rest: Rest, mark: u8, length: usize) {
        let indent = rest.column.saturating_sub(self.base(rest.items));
        if indent < 4 && line::closes_fence(&self.text[rest.at..rest.end], mark, length) {
            self.leaf = Leaf::None;
            self.end_fence(start, rest.end);
            // Not every renderer lets a tab follow.
            self.lost |= self.text[rest.end - 1] == b'\t';
        }
    }

    /// Takes note of the line that ends a fence: its closing line, or none where a list item ends.
    fn end_fence(&mut self, close: usize, end: usize) {
        if let Some(fence) = self.layout.fences.last_mut() {
            (fence.close, fence.end) = (close, end);
        }
    }

    /// Ends what is open behind the first `items` open list items, and the items behind them.
    fn keep(&mut self, items: usize) {
        self.close();
        self.items.truncate(items);
        if items == 0 {
            self.blurred = false;
        }
    }

    /// Ends the open block. A paragraph that needs it gets its second look.
    fn close(&mut self) {
        let Leaf::Paragraph(paragraph) = core::mem::replace(&mut self.leaf, Leaf::None) else { return };
        if self.lost {
            return self.found.prose.truncate(paragraph.first);
        }
        if !paragraph.special && self.is_certain() {
            return;
        }
        let text = &self.text[paragraph.start..paragraph.end];
        inline::read(text, paragraph.start, &mut self.doubt, self.data, &mut self.hidden);
        if paragraph.definition && memmem::find(text, b"]:").is_some() {
            return self.found.prose.truncate(paragraph.first);
        }
        paragraph.cut(self.text, &mut self.found.prose, &self.hidden.cuts, &mut self.lines);
        if paragraph.table {
            self.quiet_cells();
        } else {
            self.layout.quiet.append(&mut self.hidden.quiet);
        }
    }

    /// Takes note of code in what may be a table, which goes over no cell: it must be code in plain text as well.
    ///
    /// What follows the first that does go over cells is uncertain.
    fn quiet_cells(&mut self) {
        let in_text = core::mem::take(&mut self.hidden.quiet);
        for line in &self.lines {
            let text = &self.text[line.range.clone()];
            inline::read(text, line.range.start, &mut self.doubt, true, &mut self.hidden);
            let in_cell = |range: &Range<usize>| memchr::memchr(b'|', &self.text[range.clone()]).is_none();
            let is_both = |range: &Range<usize>| {
                in_text.binary_search_by_key(&range.start, |known| known.start).is_ok_and(|at| in_text[at] == *range)
            };
            let is_code = |range: &Range<usize>| self.text[range.start] != b'<' && is_both(range);
            self.layout.quiet.extend(self.hidden.quiet.drain(..).take_while(in_cell).filter(is_code));
        }
    }

    fn is_certain(&self) -> bool {
        !self.lost && !self.in_comment && !self.doubt.is_open()
    }

    /// Tells whether the line at hand stands where the open paragraph stands.
    fn is_in_paragraph(&self, rest: Rest) -> bool {
        rest.items == self.items.len() && matches!(self.leaf, Leaf::Paragraph(_))
    }

    fn is_table(&self) -> bool {
        matches!(&self.leaf, Leaf::Paragraph(Paragraph { table: true, .. }))
    }

    /// Tells whether renderers differ on whether a paragraph is open here.
    fn may_be_paragraph(&self) -> bool {
        matches!(self.leaf, Leaf::Quote { lazy: true }) || self.is_table()
    }

    fn items_up_to(&self, column: usize) -> usize {
        self.items.iter().take_while(|item| **item <= column).count()
    }

    /// Gives the column at which the text behind the first `items` open list items starts.
    fn base(&self, items: usize) -> usize {
        items.checked_sub(1).map_or(0, |newest| self.items[newest])
    }
}

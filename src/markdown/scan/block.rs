//! The block structure: which line belongs to a quotation, a fence, a list item, raw HTML or a paragraph.
//!
//! List items are kept as the column their text starts at. Block quotes are never looked into, so a line
//! that may or may not continue one is left out.

use alloc::vec::Vec;

use memchr::memmem;

use super::{
    Prose, Scan,
    html::{self, Doubt, Ending},
    inline, line,
};

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

/// The paragraph (or heading) that is being read.
struct Paragraph {
    start: usize,
    end: usize,
    /// Its first entry in the prose found so far.
    first: usize,
    /// Whether it needs a second look.
    special: bool,
    /// Whether a line in it may be the rule of a table.
    table: bool,
    /// Whether it could be the definition of a link: then it is not shown.
    definition: bool,
}

/// The lines read so far, and what they leave open.
pub(super) struct Blocks<'a> {
    text: &'a [u8],
    found: Scan,
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
    /// Whether raw HTML opened a comment that has not ended.
    in_comment: bool,
    /// Whether the line at hand is left out for one of these.
    muted: bool,
    /// Whether the lines are the data of a state, in which no tag is one.
    data: bool,
}

impl<'a> Blocks<'a> {
    /// Reads a body and gives what was found and what was left open at its end.
    pub(super) fn read(text: &'a [u8]) -> (Scan, Self) {
        let mut blocks = Self {
            text,
            found: Scan::default(),
            items: Vec::new(),
            empty_item: false,
            blurred: false,
            disputed: false,
            lost: false,
            leaf: Leaf::None,
            doubt: Doubt::default(),
            in_comment: false,
            muted: false,
            data: false,
        };
        let mut start = 0;
        while start < text.len() {
            let end = memchr::memchr2(b'\n', b'\r', &text[start..]).map_or(text.len(), |found| start + found);
            blocks.line(start, end);
            start = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        }
        if let Leaf::Paragraph(_) = blocks.leaf {
            blocks.close();
        }
        (core::mem::take(&mut blocks.found), blocks)
    }

    fn line(&mut self, start: usize, end: usize) {
        let (spaces, column) = line::indent(&self.text[start..end], 0);
        let first = start + spaces;
        let matched = if first == end { self.items.len() } else { self.items_up_to(column) };
        let inside = matched == self.items.len();
        self.muted = self.in_comment || self.disputed;
        match self.leaf {
            Leaf::Fence { mark, length } if inside => {
                let indent = column - self.base(matched).min(column);
                if indent < 4 && line::closes_fence(&self.text[first..end], mark, length) {
                    self.leaf = Leaf::None;
                    // Not every renderer lets a tab follow.
                    self.lost |= self.text[end - 1] == b'\t';
                }
                return;
            }
            Leaf::Html { ending, .. } if inside && !(first == end && ending == Ending::Blank) => {
                return self.html(first, end, column);
            }
            Leaf::None | Leaf::Quote { .. } | Leaf::Paragraph(_) => {}
            Leaf::Fence { .. } | Leaf::Html { .. } => self.leaf = Leaf::None,
        }
        if self.in_comment {
            self.in_comment = memmem::find(&self.text[start..end], b"-->").is_none();
        }
        if first == end {
            self.blank();
        } else {
            self.empty_item = false;
            self.start(first, end, column, matched);
        }
    }

    fn blank(&mut self) {
        self.close();
        self.disputed = false;
        if core::mem::take(&mut self.empty_item) {
            self.items.pop();
        }
    }

    /// Reads a line that is not blank from its first character on; `matched` list items go on in it.
    fn start(&mut self, mut at: usize, end: usize, mut column: usize, mut matched: usize) {
        let mut continues = matches!(self.leaf, Leaf::Quote { .. } | Leaf::Paragraph(_));
        loop {
            let rest = &self.text[at..end];
            let base = self.base(matched);
            if self.blurred && column >= 4 && !continues {
                self.keep(matched);
                self.leaf = Leaf::Quote { lazy: true };
                return;
            }
            if column - base >= 4 {
                return match continues {
                    true if self.is_table() => self.dispute(),
                    true => self.go_on(at, end, column, matched),
                    false => self.keep(matched),
                };
            }
            let in_paragraph = matched == self.items.len() && matches!(self.leaf, Leaf::Paragraph(_));
            match rest[0] {
                b'>' => return self.quote(at, end, matched),
                b'#' if line::is_heading(rest) => return self.heading(at, end, column, matched),
                b'`' | b'~' => {
                    if let Some((mark, length)) = line::fence(rest) {
                        self.keep(matched);
                        self.lost |= self.blurred || self.disputed;
                        self.leaf = Leaf::Fence { mark, length };
                        return;
                    }
                }
                b'<' => {
                    let lazy = continues && (!in_paragraph || self.is_table());
                    match html::block_start(rest, in_paragraph && !lazy) {
                        Some(Ending::Blank) if lazy && html::block_start(rest, true).is_none() => {
                            return self.dispute();
                        }
                        Some(ending) => return self.open_html(at, end, column, matched, ending),
                        None => {}
                    }
                }
                b'=' | b'-' if in_paragraph && line::underline(rest).is_some() => return self.underline(at),
                _ => {}
            }
            if line::is_break(rest) {
                return self.keep(matched);
            }
            match line::marker(rest, column) {
                Some(ref marker) if !marker.interrupts && self.may_be_paragraph() => return self.dispute(),
                Some(marker) if marker.interrupts || !in_paragraph => {
                    self.keep(matched);
                    self.lost |= self.disputed;
                    self.items.push(column + marker.width);
                    matched += 1;
                    continues = false;
                    if marker.empty {
                        self.empty_item = true;
                        return;
                    }
                    let (spaces, next) = line::indent(&rest[marker.content..], marker.column);
                    (at, column) = (at + marker.content + spaces, next);
                }
                _ if continues => return self.go_on(at, end, column, matched),
                _ => {
                    self.keep(matched);
                    return self.begin(at, end, column);
                }
            }
        }
    }

    /// Starts a paragraph.
    fn begin(&mut self, at: usize, end: usize, column: usize) {
        let definition = self.text[at] == b'[';
        let first = self.found.prose.len();
        self.leaf = Leaf::Paragraph(Paragraph { start: at, end, first, special: false, table: false, definition });
        self.go_on(at, end, column, self.items.len());
    }

    /// Adds a line to the paragraph, or to the quotation that may go on.
    fn go_on(&mut self, at: usize, end: usize, column: usize, matched: usize) {
        let Leaf::Paragraph(paragraph) = &mut self.leaf else {
            self.blurred |= matched < self.items.len();
            self.leaf = Leaf::Quote { lazy: true };
            return;
        };
        paragraph.end = end;
        let rest = &self.text[at..end];
        paragraph.table |= at > paragraph.start && line::is_table_rule(rest);
        paragraph.special |= memchr::memchr3(b'`', b'<', b']', rest).is_some();
        if !self.muted {
            let starts_line = self.items.is_empty() && !self.blurred && column < 4 && !paragraph.table;
            self.found.prose.push(Prose { range: at..end, starts_line });
        }
    }

    /// Takes a tag alone on a line that may continue a paragraph: renderers differ on whether it does.
    ///
    /// If it does, then what was code in that paragraph may be none, and the other way round.
    fn dispute(&mut self) {
        let doubtful = match &self.leaf {
            Leaf::Paragraph(paragraph) if paragraph.special => Some(paragraph.first),
            _ => None,
        };
        self.close();
        self.found.prose.truncate(doubtful.unwrap_or(usize::MAX));
        self.leaf = Leaf::Quote { lazy: true };
        (self.blurred, self.disputed) = (true, true);
    }

    fn heading(&mut self, at: usize, end: usize, column: usize, matched: usize) {
        self.keep(matched);
        self.begin(at, end, column);
        self.close();
    }

    /// Reads the line that makes a heading of the paragraph before it, unless that is no text at all.
    fn underline(&mut self, at: usize) {
        match &self.leaf {
            Leaf::Paragraph(paragraph) if paragraph.definition && self.text[at] == b'=' => self.dispute(),
            _ => self.close(),
        }
    }

    fn quote(&mut self, at: usize, end: usize, matched: usize) {
        let marks = self.text[at..end].iter().take_while(|byte| matches!(byte, b'>' | b' ' | b'\t')).count();
        self.keep(matched);
        self.lost |= self.disputed;
        if at + marks < end {
            self.leaf = Leaf::Quote { lazy: false };
        }
    }

    fn open_html(&mut self, at: usize, end: usize, column: usize, matched: usize, ending: Ending) {
        self.keep(matched);
        let carries = ["<details", "</details", "<summary", "</summary"].iter().any(|name| {
            self.text[at..end].get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
        });
        self.leaf = Leaf::Html { ending, carries: carries && ending == Ending::Blank, comment: None };
        self.html(at, end, column);
        let is_open = matches!(self.leaf, Leaf::Html { .. });
        self.lost |= is_open && (self.blurred || (self.disputed && ending != Ending::Blank));
    }

    /// Reads a line of raw HTML: comments, tags, and whether the block ends with it.
    fn html(&mut self, first: usize, end: usize, column: usize) {
        let Leaf::Html { ending, carries, mut comment } = core::mem::replace(&mut self.leaf, Leaf::None) else {
            return;
        };
        let rest = &self.text[first..end];
        let is_comment = ending == Ending::Text("-->");
        let free = self.items.is_empty() && !self.blurred && column < 4 && self.is_certain();
        if free && comment.is_none() && (is_comment || carries) && rest.starts_with(b"<!--") {
            comment = Some(first);
        }
        let from = if comment == Some(first) { first + 2 } else { first };
        let closed = memmem::find(&self.text[from.min(end)..end], b"-->").map(|found| from + found + 3);
        if let (Some(start), Some(stop)) = (comment, closed) {
            self.comment(start, stop);
        }
        self.tags(first, end, ending);
        self.lost |= ending.is_disputed_in(rest);
        let ends = if is_comment && from > first { closed.is_some() } else { ending.is_in(rest) };
        if !ends {
            let comment = if is_comment { comment } else { None };
            self.leaf = Leaf::Html { ending, carries, comment };
        }
    }

    fn comment(&mut self, start: usize, stop: usize) {
        self.found.comments.push(start..stop);
        match &self.text[start..stop] {
            b"<!-- WORKFLOW_STATE_START -->" => self.data = true,
            b"<!-- WORKFLOW_STATE_END -->" => self.data = false,
            _ => {}
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

    /// Ends what is open behind the first `matched` list items, and those items.
    fn keep(&mut self, matched: usize) {
        self.close();
        self.items.truncate(matched);
        if matched == 0 {
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
        let cuts = inline::cuts(text, &mut self.doubt, self.data);
        let lines = self.found.prose.split_off(paragraph.first);
        if paragraph.definition && memmem::find(text, b"]:").is_some() {
            return;
        }
        let is_plain = |line: &Prose| memchr::memchr2(b'`', b'<', &self.text[line.range.clone()]).is_none();
        let mut cuts = cuts.iter().map(|cut| cut.start + paragraph.start..cut.end + paragraph.start).peekable();
        for line in lines.into_iter().filter(|line| !paragraph.table || is_plain(line)) {
            let mut at = line.range.start;
            while at < line.range.end {
                while cuts.next_if(|cut| cut.end <= at).is_some() {}
                let cut = cuts.peek().map_or(line.range.end..line.range.end, Clone::clone);
                if at < cut.start {
                    let starts_line = line.starts_line && at == line.range.start;
                    self.found.prose.push(Prose { range: at..cut.start.min(line.range.end), starts_line });
                }
                at = cut.end.max(at);
                if cut.start >= line.range.end {
                    break;
                }
            }
        }
    }

    fn is_certain(&self) -> bool {
        !self.lost && !self.in_comment && !self.doubt.is_open()
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

    fn base(&self, matched: usize) -> usize {
        matched.checked_sub(1).map_or(0, |newest| self.items[newest])
    }
}

//! Raw HTML as far as the scan needs it: how HTML blocks start and end, what is a tag, and which elements
//! put the text after them in doubt.

use memchr::memmem;

/// What ends an HTML block (CommonMark 0.31, 4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The closing tag of this element of raw text.
    Tag(&'static str),
    /// A line that holds this.
    Text(&'static str),
    /// A blank line.
    Blank,
}

/// Finds out whether a line opens an HTML block, and what would end it.
pub(super) fn block_start(line: &[u8], in_paragraph: bool) -> Option<Ending> {
    const PREFIXES: [(&str, &str); 3] = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")];
    if let Some((_, ending)) = PREFIXES.iter().find(|(prefix, _)| line.starts_with(prefix.as_bytes())) {
        return Some(Ending::Text(ending));
    }
    match line {
        [b'<', b'!', letter, ..] if letter.is_ascii_alphabetic() => return Some(Ending::Text(">")),
        [b'<', b'/', ..] | [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] => {}
        _ => return None,
    }
    let closing = line[1] == b'/';
    let name = name(&line[1 + usize::from(closing)..]);
    let after = &line[1 + usize::from(closing) + name.len()..];
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'>'));
    if let Some(raw) = RAW.into_iter().find(|raw| !closing && name.eq_ignore_ascii_case(raw.as_bytes()))
        && ends(after.first())
    {
        return Some(Ending::Tag(raw));
    }
    if (ends(after.first()) || after.starts_with(b"/>")) && is_block_name(name) {
        return Some(Ending::Blank);
    }
    let alone = !in_paragraph
        && (closing || !is_one_of(name, &RAW))
        && tag(line).is_some_and(|length| super::line::is_blank(&line[length..]));
    alone.then_some(Ending::Blank)
}

impl Ending {
    /// Tells whether a line that is not blank ends the block.
    pub(super) fn is_in(self, line: &[u8]) -> bool {
        match self {
            Self::Text(text) => memmem::find(line, text.as_bytes()).is_some(),
            Self::Tag(element) => closes(line, &[element]),
            Self::Blank => false,
        }
    }

    /// Tells whether a line ends the block for some renderers only: it closes another element of raw text.
    pub(super) fn is_disputed_in(self, line: &[u8]) -> bool {
        matches!(self, Self::Tag(_)) && !self.is_in(line) && closes(line, &RAW)
    }
}

/// Tells whether a line closes one of some elements.
fn closes(line: &[u8], elements: &[&str]) -> bool {
    memmem::find_iter(line, b"</").any(|at| {
        let name = name(&line[at + 2..]);
        is_one_of(name, elements) && line.get(at + 2 + name.len()) == Some(&b'>')
    })
}

/// Elements whose block runs to their closing tag.
const RAW: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Elements that show their content as code or as a quotation, or not at all: open, they put text in doubt.
const DOUBTFUL: [&str; 7] = ["blockquote", "code", "pre", "script", "style", "template", "textarea"];

/// The doubtful elements that are open.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt([u32; DOUBTFUL.len()]);

impl Doubt {
    /// Tells whether any is open.
    pub(super) fn is_open(&self) -> bool {
        self.0.iter().any(|count| *count > 0)
    }

    /// Takes note of the tag that starts here, if it is one of a doubtful element.
    pub(super) fn note(&mut self, tag: &[u8]) {
        let closing = tag.get(1) == Some(&b'/');
        let name = name(&tag[1 + usize::from(closing)..]);
        let Some(which) = DOUBTFUL.iter().position(|known| name.eq_ignore_ascii_case(known.as_bytes())) else { return };
        let count = &mut self.0[which];
        *count = if closing { count.saturating_sub(1) } else { *count + 1 };
    }

    /// Takes note of every tag in a stretch of raw HTML.
    pub(super) fn note_all(&mut self, html: &[u8]) {
        for at in memchr::memchr_iter(b'<', html) {
            self.note(&html[at..]);
        }
    }
}

/// Measures the complete open or closing tag that starts here (CommonMark 0.31, 6.6).
pub(in crate::markdown) fn tag(text: &[u8]) -> Option<usize> {
    let closing = text.get(1) == Some(&b'/');
    let start = 1 + usize::from(closing);
    let name = name(text.get(start..)?);
    if !name.first()?.is_ascii_alphabetic() {
        return None;
    }
    let mut at = start + name.len();
    loop {
        let gap = spaces(&text[at..]);
        at += gap;
        match text.get(at)? {
            b'>' => return Some(at + 1),
            b'/' if !closing => return (text.get(at + 1) == Some(&b'>')).then_some(at + 2),
            byte if !closing && gap > 0 && (byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')) => {
                at += attribute(&text[at..])?;
            }
            _ => return None,
        }
    }
}

/// Measures an attribute: its name, and its value if it has one.
fn attribute(text: &[u8]) -> Option<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-');
    let name = text.iter().take_while(|byte| is_name(byte)).count();
    let equals = name + spaces(&text[name..]);
    if text.get(equals) != Some(&b'=') {
        return Some(name);
    }
    let value = equals + 1 + spaces(&text[equals + 1..]);
    match text.get(value)? {
        quote @ (b'"' | b'\'') => Some(value + 1 + memchr::memchr(*quote, &text[value + 1..])? + 1),
        _ => {
            let ends =
                |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`');
            let length = text[value..].iter().take_while(|byte| !ends(byte)).count();
            (length > 0).then_some(value + length)
        }
    }
}

/// Measures the autolink that starts here: `<scheme:…>` or `<name@host>` (CommonMark 0.31, 6.5).
pub(in crate::markdown) fn autolink(text: &[u8]) -> Option<usize> {
    let ends = |byte: &u8| *byte == b' ' || byte.is_ascii_control() || matches!(byte, b'<' | b'>');
    let end = 1 + text[1..].iter().position(ends)?;
    let inside = &text[1..end];
    (text[end] == b'>' && (is_address(inside) || is_mail(inside))).then_some(end + 1)
}

fn is_address(text: &[u8]) -> bool {
    let in_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-');
    let scheme = text.iter().take_while(|byte| in_scheme(byte)).count();
    (2..=32).contains(&scheme) && text[0].is_ascii_alphabetic() && text.get(scheme) == Some(&b':')
}

fn is_mail(text: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', text) else { return false };
    let (name, host) = (&text[..at], &text[at + 1..]);
    let label = |label: &[u8]| {
        let plain = label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
        plain && (1..=63).contains(&label.len()) && label[0] != b'-' && label[label.len() - 1] != b'-'
    };
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte);
    !name.is_empty() && name.iter().all(in_name) && host.split(|byte| *byte == b'.').all(label)
}

/// Tells whether the name of an element is listed.
fn is_one_of(name: &[u8], list: &[&str]) -> bool {
    list.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

fn is_block_name(name: &[u8]) -> bool {
    let longest = BLOCKS.iter().map(|known| known.len()).max().unwrap_or_default();
    name.len() <= longest && is_one_of(name, &BLOCKS)
}

fn name(text: &[u8]) -> &[u8] {
    let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    &text[..length]
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Elements that make a block to the next blank line, whatever follows them.
#[rustfmt::skip]
const BLOCKS: [&str; 62] = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup",
    "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link",
    "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];

//! HTML that would hide what follows it, or hold it: shown as text.
//!
//! Outside of code no comment, declaration or instruction stays, and no element that is not closed. Where it
//! is not certain what is code (in quotations and tables) only elements that are closed at once stay.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::{Places, broken, is_ours};
use crate::markdown::scan::html::{autolink, tag};

/// Elements in more than these are shown as text: nobody needs them, and each closing tag looks through all.
const DEPTH_MAX: usize = 64;

/// Gives the edits that show HTML as text: what may not stay or, if `strict`, all of it.
pub(super) fn shown(places: &Places<'_>, strict: bool) -> Vec<(Range<usize>, String)> {
    let mut reader = Reader { places, strict, open: Vec::new(), comments: Vec::new(), tags: Vec::new() };
    let text = places.text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &text[at..]) {
        at = reader.angle(at + found);
    }
    reader.tags.extend(reader.open.iter().map(|element| as_text(element.at)));
    let mut edits = if reader.comments.is_empty() { reader.tags } else { reader.comments };
    edits.sort_by_key(|(range, _)| range.start);
    edits
}

/// An element that is not closed yet.
struct Element<'a> {
    name: &'a str,
    at: usize,
}

struct Reader<'a> {
    places: &'a Places<'a>,
    strict: bool,
    open: Vec<Element<'a>>,
    /// Edits of what is no element. They come first: what a comment hides may be tags or code when it is none.
    comments: Vec<(Range<usize>, String)>,
    /// Edits of tags.
    tags: Vec<(Range<usize>, String)>,
}

impl<'a> Reader<'a> {
    /// Reads what starts at a `<` and gives where to go on.
    fn angle(&mut self, at: usize) -> usize {
        let places = self.places;
        let rest = &places.text[at..];
        if places.is_code(at) {
            if rest.starts_with("<!--") && is_ours(places.text, at) {
                self.comments.push(broken(at));
            }
            return at + 1;
        }
        let closing = rest.starts_with("</");
        let next = rest.as_bytes().get(1 + usize::from(closing));
        let starts_tag = next.is_some_and(u8::is_ascii_alphabetic);
        if !starts_tag {
            if closing || matches!(next, Some(b'!' | b'?')) {
                self.comments.push(as_text(at));
            }
            return at + 1;
        }
        if self.strict {
            return self.show(at);
        }
        match (places.quiet_at(at), places.raw_at(at)) {
            (Some(quiet), _) => self.element(at, &rest[..quiet.end - at], closing),
            (None, Some(raw)) => match tag(&rest.as_bytes()[..raw.end - at]) {
                Some(length) => self.element(at, &rest[..length], closing),
                None => self.show(at),
            },
            (None, None) if places.is_prose(at) => at + 1,
            // In a quotation or a table a tag ends in its own line, or it would go on into what follows.
            (None, None) if closing => match tag(rest.lines().next().unwrap_or_default().as_bytes()) {
                Some(_) => at + 1,
                None => self.show(at),
            },
            (None, None) => self.uncertain(at),
        }
    }

    /// Reads a whole tag, or an address in angle brackets.
    fn element(&mut self, at: usize, html: &'a str, closing: bool) -> usize {
        let name = name(&html[1 + usize::from(closing)..]);
        if tag(html.as_bytes()).is_none() {
            return at + html.len();
        }
        if closing {
            self.close(name);
        } else if is_one_of(name, &NEVER) || (self.open.len() == DEPTH_MAX && !is_one_of(name, &EMPTY)) {
            self.show(at);
        } else if !is_one_of(name, &EMPTY) {
            self.open.push(Element { name, at });
        }
        at + html.len()
    }

    /// Closes the newest element of a name. What is open in it, and does not end with it, is shown.
    fn close(&mut self, name: &str) {
        let Some(found) = self.open.iter().rposition(|element| element.name.eq_ignore_ascii_case(name)) else { return };
        let inner = self.open.drain(found..).skip(1).filter(|inner| !is_one_of(inner.name, &IMPLIED));
        self.tags.extend(inner.map(|inner| as_text(inner.at)));
    }

    /// Reads an opening tag where it may be code: it stays if its element is empty or ends in the same line.
    fn uncertain(&mut self, at: usize) -> usize {
        let text = &self.places.text[at..];
        let line = &text[..text.find(['\n', '\r']).unwrap_or(text.len())];
        if let Some(length) = autolink(line.as_bytes()) {
            return at + length;
        }
        let name = name(&line[1..]);
        let Some(length) = tag(line.as_bytes()).filter(|_| !is_one_of(name, &NEVER)) else { return self.show(at) };
        let inside = &line[length..];
        let end = inside.find(['<', '`', '|', '\\']).unwrap_or(inside.len());
        let closing = inside[end..].strip_prefix("</").and_then(|rest| rest.get(name.len()..=name.len()).map(|_| rest));
        let ends = closing
            .is_some_and(|rest| rest[..name.len()].eq_ignore_ascii_case(name) && rest[name.len()..].starts_with('>'));
        if ends || is_one_of(name, &EMPTY) { at + length } else { self.show(at) }
    }

    /// Makes text of the `<` at a place, and gives where to go on.
    fn show(&mut self, at: usize) -> usize {
        self.tags.push(as_text(at));
        at + 1
    }
}

fn as_text(at: usize) -> (Range<usize>, String) {
    (at..at + 1, String::from("&lt;"))
}

fn name(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len())]
}

fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Elements without content.
const EMPTY: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements that end with the one they are in.
const IMPLIED: [&str; 14] =
    ["caption", "colgroup", "dd", "dt", "li", "optgroup", "option", "p", "tbody", "td", "tfoot", "th", "thead", "tr"];

/// Elements whose content is not read like other HTML, so that their end is in doubt.
const NEVER: [&str; 15] = [
    "frameset",
    "iframe",
    "math",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "select",
    "style",
    "svg",
    "template",
    "textarea",
    "title",
    "xmp",
];

#[cfg(test)]
mod tests;

//! The YAML between two `---` lines at the top of a markdown file.
//!
//! It only finds the lines; the YAML between them is read as any other.

use alloc::vec::Vec;

use super::{Node, Place, Problems, build};
use crate::problem::Problem;

/// Splits a markdown file into its front matter and the body after it.
///
/// A file whose first line is not `---` has none and is all body. The front matter ends at the next line that
/// is `---` or `...`. A byte-order mark is no part of either. Places count from the top of the file.
///
/// # Errors
/// Gives every mistake in the YAML, or that the front matter never ends.
pub fn front_matter<'s>(file: &str, source: &'s str) -> Result<(Option<Node>, &'s str), Vec<Problem>> {
    let text = source.strip_prefix('\u{feff}').unwrap_or(source);
    let Some(opening) = Line::first(text).filter(|line| line.text.trim_end() == "---") else {
        return Ok((None, text));
    };
    let mut problems = Problems::new(file);
    let inner = &text[opening.length..];
    let Some((yaml, body)) = split_at_closing(inner) else {
        let place = Place { line: 1, column: 1, start: source.len() - text.len(), end: source.len() };
        problems.add(place, "the front matter never ends", "close it with a line `---`, or start the file otherwise");
        return Err(problems.into_list());
    };
    let origin = build::Origin { lines: 1, bytes: source.len() - inner.len() };
    match build::tree(yaml, origin, &mut problems) {
        Some(node) if problems.is_empty() => Ok((Some(node), body)),
        _ => Err(problems.into_list()),
    }
}

fn split_at_closing(inner: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    while let Some(line) = Line::first(&inner[at..]) {
        if matches!(line.text.trim_end(), "---" | "...") {
            return Some((&inner[..at], &inner[at + line.length..]));
        }
        at += line.length;
    }
    None
}

/// A line: its text, and its length in bytes with its end (`\n`, `\r\n` or a lone `\r`).
struct Line<'s> {
    text: &'s str,
    length: usize,
}

impl<'s> Line<'s> {
    fn first(rest: &'s str) -> Option<Self> {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let end = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(rest.len());
        let length = match bytes.get(end..) {
            Some([b'\r', b'\n', ..]) => end + 2,
            Some([_, ..]) => end + 1,
            _ => end,
        };
        Some(Self { text: &rest[..end], length })
    }
}

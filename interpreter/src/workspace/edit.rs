//! `apply_edit`: a piece of a file that stands there exactly once is replaced, and every other byte stays as it is.

use std::borrow::Cow;

use memchr::memmem;

use super::{
    Ground,
    file::{self, LineEnds},
    write::put,
};
use crate::secret::Masker;

/// Replaces `old` by `new`.
///
/// # Errors
/// Says how often the piece stands there and near which lines, or why the file cannot be edited.
pub(super) fn edit(ground: &Ground, path: &str, (old, new): (&str, &str), masker: &Masker) -> Result<String, String> {
    if old.is_empty() || old == new {
        return Err("nothing would change; give the piece in old, and what takes its place in new".into());
    }
    let target = ground.to_write(path)?;
    let shown = ground.shown(&target.path);
    if target.there.is_none() {
        return Err(format!("there is no file `{shown}`; write_file makes one"));
    }
    let bytes = file::bytes(&target.path, &shown)?;
    if !file::is_text(&bytes) {
        return Err(format!("`{shown}` is no text file, so it is not edited"));
    }
    let ends = LineEnds::of(&bytes);
    let (old, new) = (as_in(ends, old), as_in(ends, new));
    let places = places(&bytes, old.as_bytes());
    let [place] = places.as_slice() else {
        return Err(not_once(&bytes, &shown, &old, &places, ends, masker));
    };
    let after = [&bytes[..*place], new.as_bytes(), &bytes[place + old.len()..]].concat();
    put(&target, &after, path)?;
    let (line, before, now) = (line_at(&bytes, *place), old.lines().count(), new.lines().count());
    Ok(format!(
        "{shown} was edited at line {line}: {before} lines of it became {now}; it has {} bytes now",
        after.len()
    ))
}

/// Gives a piece the line ends of its file. Where they are mixed it is taken as it is.
fn as_in(ends: LineEnds, piece: &str) -> Cow<'_, str> {
    match ends {
        LineEnds::Crlf if piece.contains('\n') => Cow::Owned(piece.replace("\r\n", "\n").replace('\n', "\r\n")),
        LineEnds::Lf | LineEnds::Crlf | LineEnds::Mixed => Cow::Borrowed(piece),
    }
}

/// Finds where a piece stands, also where one place reaches into the next; no more than are worth counting.
fn places(bytes: &[u8], piece: &[u8]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = memmem::find(&bytes[from..], piece) {
        places.push(from + at);
        if places.len() == COUNTED_MAX {
            break;
        }
        from += at + 1;
    }
    places
}

/// Says why a piece is not the only one, with the lines to look at.
fn not_once(bytes: &[u8], shown: &str, old: &str, places: &[usize], ends: LineEnds, masker: &Masker) -> String {
    if !places.is_empty() {
        let lines: Vec<_> = places.iter().take(LINES_TOLD).map(|at| line_at(bytes, *at).to_string()).collect();
        let more = if places.len() > lines.len() { " and further on" } else { "" };
        let count = if places.len() == COUNTED_MAX { "at least " } else { "" };
        return format!(
            "old stands {count}{} times in `{shown}`, at the lines {}{more}; give more of what is around the one you mean",
            places.len(),
            lines.join(", ")
        );
    }
    let near = near(&file::shown(bytes, masker).text, old);
    let near = match near.as_slice() {
        [] => "no line of it is like the first one of old".into(),
        lines => format!("the lines that are most like its first one:\n{}", lines.join("\n")),
    };
    let mixed = if ends == LineEnds::Mixed { "; some lines there end with CRLF and some with LF" } else { "" };
    format!("old does not stand in `{shown}`{mixed}; read the file again and give the piece letter by letter; {near}")
}

/// Finds the lines that a piece may have been meant for: the same but for blanks, else those that share its longest word.
fn near(text: &str, old: &str) -> Vec<String> {
    let Some(first) = old.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return Vec::new();
    };
    let word = first.split(|letter: char| !letter.is_alphanumeric() && letter != '_').max_by_key(|word| word.len());
    let word = word.filter(|word| word.len() >= WORD_BYTES_MIN).unwrap_or(first);
    let told = |is_near: &dyn Fn(&str) -> bool| -> Vec<String> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| is_near(line)).take(LINES_TOLD);
        lines.map(|(number, line)| format!("{number:>6}\t{}", cut(line))).collect()
    };
    let same = told(&|line| line.trim() == first);
    if same.is_empty() { told(&|line| line.contains(word)) } else { same }
}

fn cut(line: &str) -> &str {
    line.char_indices().nth(LINE_CHARS).map_or(line, |(end, _)| &line[..end])
}

fn line_at(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count()
}

/// Who finds that many is not helped by the exact number.
const COUNTED_MAX: usize = 100;
/// Enough lines to see what is meant.
const LINES_TOLD: usize = 5;
const LINE_CHARS: usize = 200;
/// Shorter words stand everywhere.
const WORD_BYTES_MIN: usize = 4;

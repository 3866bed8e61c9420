//! `read_file`: lines of a text file, each with its number.

use super::{
    Bounds, Ground,
    bounds::floor,
    file::{self, LineEnds},
};
use crate::secret::Masker;

/// Reads lines of a file: from one on, and at most so many.
///
/// # Errors
/// Says why they cannot be read, and what to do.
pub(super) fn read(
    ground: &Ground,
    path: &str,
    (from_line, lines): (u64, u64),
    bounds: &Bounds<'_>,
    masker: &Masker,
) -> Result<String, String> {
    let real = ground.to_read(path)?;
    let shown = ground.shown(&real);
    let bytes = file::bytes(&real, &shown)?;
    if !file::is_text(&bytes) {
        return Err(format!("`{shown}` is no text file; it has {} bytes", bytes.len()));
    }
    let file = file::shown(&bytes, masker);
    let total = file.text.split_inclusive('\n').count() as u64;
    if total == 0 {
        return Ok(format!("{shown} is empty"));
    }
    if from_line > total {
        return Err(format!("`{shown}` has {total} lines, so there is no line {from_line}"));
    }
    let (numbered, last) = numbered(&file.text, from_line.max(1), lines, bounds.room());
    let mut said = format!("{shown}, lines {} to {last} of {total}:\n{numbered}", from_line.max(1));
    for note in notes(&bytes, file.replaced) {
        said.push_str(&format!("[{note}]\n"));
    }
    Ok(said)
}

/// Numbers the lines that are wanted, as far as there is room; gives the number of the last one too.
fn numbered(text: &str, from_line: u64, lines: u64, room: usize) -> (String, u64) {
    let (mut numbered, mut last) = (String::new(), from_line);
    let skipped = usize::try_from(from_line - 1).unwrap_or(usize::MAX);
    for (number, line) in (from_line..from_line.saturating_add(lines)).zip(text.split_inclusive('\n').skip(skipped)) {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let left = room.saturating_sub(numbered.len() + NUMBER_BYTES);
        if line.len() > left {
            if number == from_line {
                let end = floor(line, left);
                numbered.push_str(&format!("{number:>6}\t{}\n", &line[..end]));
                numbered.push_str(&format!("[{} bytes of line {number} are left out here]\n", line.len() - end));
            } else {
                numbered.push_str(&format!("[there is no room for more; read on with from_line {number}]\n"));
            }
            return (numbered, last);
        }
        numbered.push_str(&format!("{number:>6}\t{line}\n"));
        last = number;
    }
    (numbered, last)
}

/// Says what of the file the numbered lines do not show.
fn notes(bytes: &[u8], replaced: bool) -> impl Iterator<Item = &'static str> {
    let ends = match LineEnds::of(bytes) {
        LineEnds::Lf => None,
        LineEnds::Crlf => Some("the lines of this file end with CRLF; edits keep that"),
        LineEnds::Mixed => Some("some lines of this file end with CRLF and some with LF"),
    };
    let last = (!bytes.ends_with(b"\n")).then_some("the last line of this file has no line end");
    let replaced = replaced.then_some("bytes of this file that are no UTF-8 show as U+FFFD");
    [ends, last, replaced].into_iter().flatten()
}

/// A number, a tab and a line end.
const NUMBER_BYTES: usize = 24;

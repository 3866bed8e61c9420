//! What a single line can be, by its first characters (CommonMark 0.31, chapters 4 and 5).
//!
//! Every function looks at one line without its line end. Whether the thing may stand where the line
//! stands is for `block`.

/// A marker that opens a list item.
pub(super) struct Marker {
    /// Where to read on, in bytes from the marker's first character.
    pub(super) content: usize,
    /// The column of that place.
    pub(super) column: usize,
    /// How many columns lie between the marker's first character and the item's text.
    pub(super) width: usize,
    /// Whether it may end a paragraph without a blank line: not empty, and counting from 1 where it counts.
    pub(super) interrupts: bool,
    /// Whether nothing follows it.
    pub(super) empty: bool,
}

/// Measures indentation from `column` on: how many bytes, and the column of the first other character.
pub(super) fn indent(line: &[u8], mut column: usize) -> (usize, usize) {
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b' ' => column += 1,
            b'\t' => column = (column / 4 + 1) * 4,
            _ => return (at, column),
        }
    }
    (line.len(), column)
}

/// Reads an opening code fence: its character and length.
pub(super) fn fence(line: &[u8]) -> Option<(u8, usize)> {
    let mark = *line.first().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let length = run(line, mark);
    let fits = length >= 3 && (mark == b'~' || memchr::memchr(b'`', &line[length..]).is_none());
    fits.then_some((mark, length))
}

/// Tells whether a line closes a fence of at least `length` times `mark`.
pub(super) fn closes_fence(line: &[u8], mark: u8, length: usize) -> bool {
    let found = run(line, mark);
    found >= length && is_blank(&line[found..])
}

/// Tells whether a line is an ATX heading.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let level = run(line, b'#');
    (1..=6).contains(&level) && line.get(level).is_none_or(|next| matches!(next, b' ' | b'\t'))
}

/// Tells whether a line underlines a paragraph into a heading, and with which character.
pub(super) fn underline(line: &[u8]) -> Option<u8> {
    let mark = *line.first().filter(|mark| matches!(mark, b'=' | b'-'))?;
    is_blank(&line[run(line, mark)..]).then_some(mark)
}

/// Tells whether a line is a thematic break.
pub(super) fn is_break(line: &[u8]) -> bool {
    let Some(mark) = line.first().filter(|mark| matches!(mark, b'-' | b'_' | b'*')) else { return false };
    let only = line.iter().all(|byte| byte == mark || matches!(byte, b' ' | b'\t'));
    only && line.iter().filter(|byte| *byte == mark).count() >= 3
}

/// Tells whether a line could be the delimiter row of a table.
pub(super) fn is_table_rule(line: &[u8]) -> bool {
    let only = line.iter().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'));
    only && line.contains(&b'-')
}

/// Reads a list marker that stands at `column`.
pub(super) fn marker(line: &[u8], column: usize) -> Option<Marker> {
    let digits = line.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let mark = match (digits, line.get(digits)?) {
        (0, b'-' | b'+' | b'*') => 1,
        (1..=9, b'.' | b')') => digits + 1,
        _ => return None,
    };
    let (spaces, after) = indent(&line[mark..], column + mark);
    let empty = mark + spaces == line.len();
    let gap = after - (column + mark);
    if gap == 0 && !empty {
        return None;
    }
    // Five columns or more are one column and an indented code block; an empty item is one column wide.
    let wide = empty || gap > 4;
    let (content, width) = if wide { (mark, mark + 1) } else { (mark + spaces, mark + gap) };
    let counts_from_one = digits == 0 || line[..digits].iter().fold(0, |sum, d| sum * 10 + u64::from(d - b'0')) == 1;
    let column = if wide { column + mark } else { column + width };
    Some(Marker { content, column, width, interrupts: !empty && counts_from_one, empty })
}

/// Tells whether nothing but spaces and tabs is left.
pub(super) fn is_blank(rest: &[u8]) -> bool {
    rest.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Counts how often `mark` stands at the start.
pub(super) fn run(line: &[u8], mark: u8) -> usize {
    line.iter().take_while(|byte| **byte == mark).count()
}

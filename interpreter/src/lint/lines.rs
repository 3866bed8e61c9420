//! A text and where its lines begin: from a byte to line and column, and back to whole lines.

use std::ops::Range;

use nebuko::yaml::Place;

/// A text and where its lines begin. A line ends at `\n`, `\r\n` or a lone `\r`.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    pub(super) text: &'a str,
    starts: Vec<usize>,
}

/// A piece of a text in lines and columns, both from 1; the end is the place after the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let ends = |(at, byte): (usize, &u8)| match byte {
            b'\n' => Some(at + 1),
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
            _ => None,
        };
        let starts = [0].into_iter().chain(bytes.iter().enumerate().filter_map(ends)).collect();
        Self { text, starts }
    }

    /// Gives the region of a piece, which is taken to the text's bounds where it is beyond them.
    pub(super) fn region(&self, start: usize, end: usize) -> Region {
        let Range { start, end } = self.within(start, end);
        let ((line, column), (end_line, end_column)) = (self.at(start), self.at(end));
        Region { line, column, end_line, end_column }
    }

    /// Gives a piece inside the text, on whole characters.
    pub(super) fn within(&self, start: usize, end: usize) -> Range<usize> {
        let whole = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = whole(start);
        start..whole(end).max(start)
    }

    /// Gives the part of a piece that stands on its first line, without blanks at its end.
    pub(super) fn first_line(&self, start: usize, end: usize) -> Range<usize> {
        let Range { start, end } = self.within(start, end);
        let piece = self.text[start..end].split(['\n', '\r']).next().unwrap_or_default();
        start..start + piece.trim_end().len()
    }

    /// Gives the whole lines that hold a piece, and the number of the first.
    pub(super) fn around(&self, start: usize, end: usize) -> (Range<usize>, usize) {
        let first = self.index(start.min(self.text.len()));
        let after = self.starts.get(self.index(end.max(start)) + 1).copied().unwrap_or(self.text.len());
        (self.starts[first]..after, first + 1)
    }

    fn index(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    fn at(&self, byte: usize) -> (usize, usize) {
        let index = self.index(byte);
        // A byte order mark is no character of the line.
        let before = self.text[self.starts[index]..byte].trim_start_matches('\u{feff}');
        (index + 1, before.chars().count() + 1)
    }
}

/// Gives the region of a place; without the text it has no length.
pub(super) fn region(lines: Option<&Lines<'_>>, place: Place) -> Region {
    let Place { line, column, start, end } = place;
    match lines.filter(|_| end > start) {
        Some(lines) => Region { line, column, ..lines.region(start, end) },
        None => Region { line, column, end_line: line, end_column: column },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_lines_and_columns() {
        let check = |text: &str, piece: (usize, usize), expected: (usize, usize, usize, usize)| {
            let found = Lines::of(text).region(piece.0, piece.1);
            let found = (found.line, found.column, found.end_line, found.end_column);
            assert_eq!(found, expected, "{text:?} {piece:?}");
        };
        check("", (0, 0), (1, 1, 1, 1));
        check("ab\ncd", (1, 4), (1, 2, 2, 2));
        check("ab\r\ncd", (4, 6), (2, 1, 2, 3));
        check("a\rb", (2, 3), (2, 1, 2, 2));
        check("é\né!", (3, 5), (2, 1, 2, 2));
        check("é", (1, 2), (1, 1, 1, 2));
        check("\u{feff}ab", (3, 5), (1, 1, 1, 3));
        check("ab", (7, 9), (1, 3, 1, 3));
        check("ab\n", (2, 1), (1, 3, 1, 3));
        check("ab\n", (3, 3), (2, 1, 2, 1));
    }

    #[test]
    fn a_piece_stands_in_whole_lines() {
        let lines = Lines::of("one\ntwo\nthree\n");
        assert_eq!(lines.around(5, 9), (4..14, 2));
        assert_eq!(lines.around(14, 14), (14..14, 4));
        assert_eq!(lines.first_line(5, 9), 5..7);
        assert_eq!(Lines::of("a  \nb").first_line(0, 5), 0..1);
    }
}

//! The tables of a text, as GitHub shows them: a header row, a delimiter row, and rows up to a blank line.
//!
//! What the columns mean is for others.

use alloc::{string::String, vec::Vec};

use super::outline::Outline;

/// A table. Every row has as many cells as the header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// The cells of the header row, as they are written.
    pub(crate) header: Vec<String>,
    /// The cells of each row below it.
    pub(crate) rows: Vec<Vec<String>>,
}

/// Reads the tables of a text whose lines end with `\n`, in order. What stands in code or in a quotation is none.
pub(crate) fn tables(text: &str) -> Vec<Table> {
    let mut found = Vec::new();
    for run in Outline::new(text).runs() {
        let mut lines = run.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(header) = cells(line) else { continue };
            let Some(rule) = lines.peek() else { break };
            if !is_rule(rule, header.len()) {
                continue;
            }
            lines.next();
            let mut rows = Vec::new();
            while let Some(mut row) = lines.peek().and_then(|line| cells(line)) {
                row.resize(header.len(), String::new());
                rows.push(row);
                lines.next();
            }
            found.push(Table { header, rows });
        }
    }
    found
}

/// Splits a line at its bars; `None` where it is no row: without a bar, quoted, or indented like code.
fn cells(line: &str) -> Option<Vec<String>> {
    let row = line.trim();
    let indent = line.len() - line.trim_start_matches(' ').len();
    if indent >= 4 || line.starts_with('\t') || row.starts_with('>') {
        return None;
    }
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut chars = row.strip_prefix('|').unwrap_or(row).chars();
    let mut has_bar = row.starts_with('|');
    while let Some(c) = chars.next() {
        match c {
            // A bar that is escaped belongs to the cell, in code too.
            '\\' => match chars.next() {
                Some('|') => cell.push('|'),
                Some(other) => cell.extend(['\\', other]),
                None => cell.push('\\'),
            },
            '|' => {
                has_bar = true;
                cells.push(core::mem::take(&mut cell).trim().into());
            }
            c => cell.push(c),
        }
    }
    if !cell.trim().is_empty() || cells.is_empty() {
        cells.push(cell.trim().into());
    }
    has_bar.then_some(cells)
}

fn is_rule(line: &str, count: usize) -> bool {
    let is_dashes = |cell: &String| {
        let inner = cell.strip_prefix(':').unwrap_or(cell);
        let inner = inner.strip_suffix(':').unwrap_or(inner);
        !inner.is_empty() && inner.bytes().all(|byte| byte == b'-')
    };
    cells(line).is_some_and(|cells| cells.len() == count && cells.iter().all(is_dashes))
}

/// Takes the ornaments off a cell that holds a word: emphasis, code, tags, the target of a link.
pub(crate) fn plain(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let mut rest = cell;
    while let Some(c) = rest.chars().next() {
        rest = match c {
            '*' | '`' | '~' | '[' => &rest[1..],
            ']' => {
                let after = &rest[1..];
                let target = after.starts_with('(').then(|| after.find(')')).flatten();
                target.map_or(after, |end| &after[end + 1..])
            }
            '<' if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => {
                rest.find('>').map_or(&rest[1..], |end| &rest[end + 1..])
            }
            c => {
                text.push(c);
                &rest[c.len_utf8()..]
            }
        };
    }
    text.trim_matches(|c: char| c.is_whitespace() || c == '_').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_what_github_shows_as_one() {
        let check = |text: &str, wanted: &[&[&[&str]]]| {
            let found = tables(text);
            let rows =
                |table: &Table| core::iter::once(table.header.clone()).chain(table.rows.clone()).collect::<Vec<_>>();
            let wanted: Vec<Vec<Vec<String>>> = wanted
                .iter()
                .map(|table| table.iter().map(|row| row.iter().map(|cell| (*cell).into()).collect()).collect())
                .collect();
            assert_eq!(found.iter().map(rows).collect::<Vec<_>>(), wanted, "{text:?}");
        };
        check("| a | b |\n|---|:-:|\n| 1 | 2 |\n", &[&[&["a", "b"], &["1", "2"]]]);
        check("a | b\n-|-\n1 | 2", &[&[&["a", "b"], &["1", "2"]]]);
        check("text\n| a |\n|---|\n\n| b |", &[&[&["a"]]]);
        check("| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n", &[&[&["a", "b"], &["1", ""], &["1", "2"]]]);
        check("| a \\| b | c\\\\ |\n|---|---|\n| `x \\| y` | |", &[&[&["a | b", "c\\\\"], &["`x | y`", ""]]]);
        check("|a|\n|-|\n|1|\n\n|b|\n|-|\n|2|", &[&[&["a"], &["1"]], &[&["b"], &["2"]]]);
        // None of these is one.
        check("| a | b |\n|---|\n| 1 | 2 |", &[]);
        check("| a |\n| b |", &[]);
        check("a\n---\n", &[]);
        check("```\n| a |\n|---|\n```", &[]);
        check("> | a |\n> |---|", &[]);
        check("    | a |\n    |---|", &[]);
        check("<!--\n| a |\n|---|\n-->", &[]);
        check("", &[]);
    }

    #[test]
    fn a_cell_is_read_without_its_ornaments() {
        let check = |cell: &str, word: &str| assert_eq!(plain(cell), word, "{cell:?}");
        check("R1", "R1");
        check("**R1**", "R1");
        check("_R1_", "R1");
        check("`R1`", "R1");
        check("[R1](#r1)", "R1");
        check("[**R1**](https://example.org/a_b)", "R1");
        check("<a id=\"r1\"></a>R1", "R1");
        check("<b>R1</b>", "R1");
        check("[R1]", "R1");
        check("a < b", "a < b");
        check("<b", "b");
        check("[R1](open", "R1(open");
        check("", "");
    }
}

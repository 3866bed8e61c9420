//! Strange text made harmless: on one line, as a quote, with plain line ends, or cut.
//!
//! A line may end in more ways than `\n`: readers differ on which characters break a line, so every one that
//! might is treated as if it did.

use alloc::string::String;

/// Appends at most `chars_max` characters on one line: every control and separator character is a space.
pub(super) fn push_flat(out: &mut String, text: &str, chars_max: usize) {
    out.extend(text.chars().take(chars_max).map(flat));
}

/// Appends like `push_flat`, with all that markdown could take for syntax escaped.
pub(super) fn push_escaped(out: &mut String, text: &str, chars_max: usize) {
    for char in text.chars().take(chars_max).map(flat) {
        if is_syntax(char) {
            out.push('\\');
        }
        out.push(char);
    }
}

/// Appends every line behind `> `, so that no heading, list or fence can start in the text.
pub(super) fn push_quoted(out: &mut String, text: &str) {
    let mut lines = text.trim_end_matches(ends_line);
    while !lines.is_empty() {
        let end = lines.find(ends_line).unwrap_or(lines.len());
        out.push('>');
        if end > 0 {
            out.push(' ');
        }
        // A tab stays, as far as text goes: it indents code that people quote.
        out.extend(lines[..end].chars().map(|char| if char == '\t' { char } else { flat(char) }));
        out.push('\n');
        let rest = &lines[end..];
        let width = if rest.starts_with("\r\n") { 2 } else { rest.chars().next().map_or(0, char::len_utf8) };
        lines = &rest[width..];
    }
}

/// Appends a text as it is but for its line ends: `\r\n` and lone `\r` become `\n`.
pub(super) fn push_lines(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\r', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push('\n');
        let after = &rest[at + 1..];
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    out.push_str(rest);
}

/// Splits off at most `chars_max` characters, and counts the rest.
pub(super) fn cut(text: &str, chars_max: usize) -> (&str, usize) {
    // No text has more characters than bytes, so most are not looked at.
    if text.len() <= chars_max {
        return (text, 0);
    }
    match text.char_indices().nth(chars_max) {
        Some((at, _)) => (&text[..at], text[at..].chars().count()),
        None => (text, 0),
    }
}

fn flat(char: char) -> char {
    if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') { ' ' } else { char }
}

fn ends_line(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_syntax(char: char) -> bool {
    matches!(char, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_may_break_a_line_is_a_space() {
        let check = |text: &str, flat: &str, escaped: &str| {
            let (mut found_flat, mut found_escaped) = (String::new(), String::new());
            push_flat(&mut found_flat, text, 12);
            push_escaped(&mut found_escaped, text, 12);
            assert_eq!((found_flat.as_str(), found_escaped.as_str()), (flat, escaped), "{text:?}");
        };
        check("", "", "");
        check("dana-k", "dana-k", "dana-k");
        check("a\r\nb\u{b}c\u{c}d", "a  b c d", "a  b c d");
        check("a\u{85}b\u{2028}c\u{2029}d\0e", "a b c d e", "a b c d e");
        check("<!-- `#` -->", "<!-- `#` -->", "\\<!-- \\`\\#\\` --\\>");
        check("ünïcödé twelve", "ünïcödé twel", "ünïcödé twel");
    }

    #[test]
    fn a_quote_holds_every_line() {
        let check = |text: &str, quoted: &str| {
            let mut found = String::new();
            push_quoted(&mut found, text);
            assert_eq!(found, quoted, "{text:?}");
        };
        check("", "");
        check("\n\r\n", "");
        check("one", "> one\n");
        check("one\n\n# two\n", "> one\n>\n> # two\n");
        check("one\r\ntwo\rthree\u{2028}four\u{85}five", "> one\n> two\n> three\n> four\n> five\n");
        check("\n\ttabbed\u{7}bell", ">\n> \ttabbed bell\n");
    }

    #[test]
    fn line_ends_become_plain() {
        let check = |text: &str, plain: &str| {
            let mut found = String::new();
            push_lines(&mut found, text);
            assert_eq!(found, plain, "{text:?}");
        };
        check("a\nb", "a\nb");
        check("a\r\nb\rc\r\r\nd\r", "a\nb\nc\n\nd\n");
        check("", "");
    }

    #[test]
    fn a_cut_counts_what_it_leaves_out() {
        let check = |text: &str, chars_max: usize, kept: &str, left_out: usize| {
            assert_eq!(cut(text, chars_max), (kept, left_out), "{text:?} at {chars_max}");
        };
        check("abc", 3, "abc", 0);
        check("abcd", 3, "abc", 1);
        check("äöü", 3, "äöü", 0);
        check("äöü𝄞!", 3, "äöü", 2);
        check("a", 0, "", 1);
        check("", 0, "", 0);
    }

    quickcheck::quickcheck! {
        fn no_text_gets_out_of_its_line_or_quote(text: String, bound: u8) -> bool {
            let (mut flat, mut escaped, mut quoted) = (String::new(), String::new(), String::new());
            push_flat(&mut flat, &text, bound.into());
            push_escaped(&mut escaped, &text, bound.into());
            push_quoted(&mut quoted, &text);
            let breaks = |char: char| char.is_control() || ends_line(char);
            !flat.contains(breaks)
                && flat.chars().count() == text.chars().count().min(bound.into())
                && flat == unescaped(&escaped)
                && quoted.split_terminator('\n').all(|line| {
                    (line == ">" || line.starts_with("> ")) && !line.contains(|char| char != '\t' && breaks(char))
                })
        }

        fn a_cut_loses_no_character(text: String, bound: u8) -> bool {
            let (kept, left_out) = cut(&text, bound.into());
            text.starts_with(kept) && kept.chars().count() + left_out == text.chars().count()
        }
    }

    /// Reads what was escaped, and fails where a character that needs a backslash has none.
    fn unescaped(escaped: &str) -> String {
        let (mut text, mut chars) = (String::new(), escaped.chars());
        while let Some(char) = chars.next() {
            let read = if char == '\\' { chars.next().filter(|char| is_syntax(*char)) } else { Some(char) };
            assert!(char == '\\' || !is_syntax(char), "{escaped:?}");
            text.extend(read);
        }
        text
    }
}

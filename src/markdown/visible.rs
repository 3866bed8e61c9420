//! What stands in a text for a terminal and not for readers: sequences that colour it, and characters that show nothing.

use alloc::borrow::Cow;

use once_cell::sync::Lazy;
use regex::Regex;

/// Takes the sequences off that a program writes for a terminal: colours, titles, movements (ECMA-48).
pub(crate) fn without_sequences(text: &str) -> Cow<'_, str> {
    if memchr::memchr(ESCAPE, text.as_bytes()).is_none() { Cow::Borrowed(text) } else { SEQUENCE.replace_all(text, "") }
}

/// Shows the control characters that have no place in a comment as U+FFFD: services store some of them and refuse others,
/// and no reader sees them. Tabs and line ends stay.
pub(crate) fn with_controls_shown(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| is_control(byte.into())) {
        Cow::Owned(text.chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

fn is_control(c: char) -> bool {
    c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r')
}

const ESCAPE: u8 = 0x1b;
/// A control sequence, a string up to its terminator, or an escape by itself.
static SEQUENCE: Lazy<Regex> = Lazy::new(|| {
    let pattern = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])";
    Regex::new(pattern).expect("the pattern is fixed")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_for_a_terminal_is_taken_off() {
        let check = |text: &str, wanted: &str| assert_eq!(without_sequences(text), wanted, "{text:?}");
        check("plain\t\u{7} text", "plain\t\u{7} text");
        check("\u{1b}[31mred\u{1b}[0m and \u{1b}[1;38;5;12mblue\u{1b}[m", "red and blue");
        check("\u{1b}]0;title\u{7}a \u{1b}]8;;https://x.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", "a link");
        check("\u{1b}(Ba\u{1b}[2K\u{1b}[1Gb\u{1b}M", "ab");
        check("[31m is no sequence", "[31m is no sequence");
        check("cut \u{1b}[31", "cut 31");
        check("é\u{1b}[0mé", "éé");
    }

    #[test]
    fn controls_are_shown_and_line_ends_stay() {
        let check = |text: &str, wanted: &str| assert_eq!(with_controls_shown(text), wanted, "{text:?}");
        check("a\tb\r\nc", "a\tb\r\nc");
        check("a\0b\u{7}c\u{7f}", "a\u{fffd}b\u{fffd}c\u{fffd}");
        check("\u{1b}[31mé", "\u{fffd}[31mé");
    }
}

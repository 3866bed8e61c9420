//! How wide a text will be, without its font: a reader's machine picks one, so the wider of the usual ones is assumed.

use crate::graph::layout::Px;

/// A size of letters.
#[derive(Clone, Copy)]
pub(super) struct Letters {
    size: Px,
    /// What bold ones need more, in hundredths.
    bold: Px,
}

/// The name of a step or a group.
pub(super) const TITLE: Letters = Letters { size: 14, bold: 108 };
/// What else stands on a step.
pub(super) const DETAIL: Letters = Letters { size: 12, bold: 100 };
/// What stands beside a route.
pub(super) const LABEL: Letters = Letters { size: 11, bold: 100 };

/// Gives the width of a text, rather too large than too small.
pub(super) fn width(text: &str, letters: Letters) -> Px {
    let hundredths: Px = text.chars().map(hundredths).sum();
    (hundredths * letters.size * letters.bold).div_euclid(10_000) + 1
}

/// Gives the width of a sign in hundredths of the size.
fn hundredths(sign: char) -> Px {
    match sign {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' => 34,
        'f' | 't' | 'r' | 'I' | ' ' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' | '`' => 42,
        'm' | 'M' | 'W' | '@' | '%' | '…' => 102,
        'w' | '#' | '=' | '+' | '<' | '>' | '~' | '&' => 84,
        'A'..='Z' => 74,
        '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
        sign if sign.is_ascii() => 64,
        // Ideographs, syllables and pictures are square or wider.
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{fbff}' | '\u{fe30}'..='\u{ffef}' => 104,
        '\u{10000}'.. => 130,
        _ => 76,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_text_is_wider() {
        let check = |narrow: &str, wide: &str| assert!(width(narrow, DETAIL) < width(wide, DETAIL), "{narrow} {wide}");
        check("", "i");
        check("ill", "mum");
        check("abc", "ABC");
        check("ab", "日本");
        check("abc", "abcd");
        assert_eq!(width("e\u{301}", DETAIL), width("e", DETAIL));
        assert!(width("name", DETAIL) < width("name", TITLE));
    }
}

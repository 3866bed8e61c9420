//! Undoing JSON's escapes in any text, JSON or not, and knowing where each character came from.

use std::borrow::Cow;

/// A text with its escapes undone.
pub(super) struct Unescaped<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where the rest after each escape begins: here and in the text as it was.
    anchors: Vec<(usize, usize)>,
}

/// Undoes every escape once. What is no escape of JSON stays as it is.
pub(super) fn unescape(text: &str) -> Unescaped<'_> {
    let mut plain = String::new();
    let mut anchors = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let Some((character, length)) = escape(&text.as_bytes()[at..]) else {
            at += 1;
            continue;
        };
        plain.push_str(&text[done..at]);
        plain.push(character);
        at += length;
        done = at;
        anchors.push((plain.len(), at));
    }
    if anchors.is_empty() {
        return Unescaped { text: Cow::Borrowed(text), anchors };
    }
    plain.push_str(&text[done..]);
    Unescaped { text: Cow::Owned(plain), anchors }
}

impl Unescaped<'_> {
    /// Tells whether there was no escape.
    pub(super) fn is_same(&self) -> bool {
        self.anchors.is_empty()
    }

    /// Gives where a place between two characters was in the text before.
    pub(super) fn origin(&self, at: usize) -> usize {
        let after = self.anchors.partition_point(|(plain, _)| *plain <= at);
        let (plain, before) = after.checked_sub(1).map_or((0, 0), |index| self.anchors[index]);
        before + (at - plain)
    }
}

/// Reads the escape at the start: the character that it stands for, and its length.
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let simple = |character| Some((character, 2));
    match bytes.get(1)? {
        b'"' => simple('"'),
        b'\\' => simple('\\'),
        b'/' => simple('/'),
        b'b' => simple('\u{8}'),
        b'f' => simple('\u{c}'),
        b'n' => simple('\n'),
        b'r' => simple('\r'),
        b't' => simple('\t'),
        b'u' => unicode(bytes),
        _ => None,
    }
}

fn unicode(bytes: &[u8]) -> Option<(char, usize)> {
    let first = unit(bytes)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 6));
    }
    // Beyond the basic plane a character is two units; one alone is none.
    let second = bytes.get(6..).filter(|_| first < 0xDC00).and_then(unit).filter(|low| (0xDC00..0xE000).contains(low));
    let pair = second.and_then(|low| char::from_u32(0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00)));
    pair.map(|character| (character, 12))
}

/// Reads `\u` and its four hexadecimal digits.
fn unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |sum, &digit| Some(sum * 16 + char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_once() {
        let check = |text: &str, plain: &str| assert_eq!(unescape(text).text, plain, "{text}");
        check("plain", "plain");
        check(r"\u0068i\/\n\t", "hi/\n\t");
        check(r"\\u0068", r"\u0068");
        check(r"a\ud83d\ude00b", "a😀b");
        check(r"\ud83d x \ude00", r"\ud83d x \ude00");
        check(r"C:\quick \u00zz \", r"C:\quick \u00zz \");
        check("日\\u672c", "日本");
    }

    #[test]
    fn every_place_is_known_in_the_text_as_it_was() {
        let text = r"a\u0062c\\d";
        let plain = unescape(text);
        assert_eq!(plain.text, r"abc\d");
        let origins: Vec<_> = (0..=plain.text.len()).map(|at| plain.origin(at)).collect();
        assert_eq!(origins, [0, 1, 7, 8, 10, 11]);
    }

    #[test]
    fn what_json_escapes_is_found_again() {
        fn holds(text: String) -> bool {
            let escaped = serde_json::Value::from(text.as_str()).to_string();
            let plain = unescape(&escaped);
            let whole = plain.text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(text.as_str());
            let ends = plain.origin(plain.text.len()) == escaped.len();
            whole && ends
        }
        quickcheck::quickcheck(holds as fn(String) -> bool);
    }
}

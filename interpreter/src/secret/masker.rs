//! Takes the values of this process's secrets out of a text, in every form in which they commonly travel.

use std::{borrow::Cow, fmt, ops::Range};

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::{Secret, escapes::unescape, forms::collect_forms, is_secret_name};

/// Replaces known secrets by `***`.
pub struct Masker {
    forms: Option<AhoCorasick>,
}

impl Masker {
    /// Collects the secrets from environment variables (decision 7) and from what is given besides.
    pub fn new(variables: impl IntoIterator<Item = (String, String)>, given: &[Secret]) -> Self {
        let named = variables.into_iter().filter(|(name, _)| is_secret_name(name)).map(|(_, value)| value);
        let mut forms = Vec::new();
        for value in named.chain(given.iter().map(|secret| secret.reveal().to_owned())) {
            collect_forms(value.trim(), &mut forms);
        }
        forms.sort_unstable();
        forms.dedup();
        // Built in a moment, where a DFA takes far longer than it saves. It refuses only more than an environment holds.
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::ContiguousNFA));
        let automaton = (!forms.is_empty()).then(|| builder.build(&forms).ok()).flatten();
        Self { forms: automaton }
    }

    /// Masks nothing. For tests, and for text that was masked before.
    pub fn none() -> Self {
        Self { forms: None }
    }

    /// Gives the text with every secret replaced by `***`, also where it is written with JSON's escapes. All else
    /// stays byte for byte as it is, and JSON stays JSON. It borrows when there is no secret.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let found = self.find(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for span in found {
            masked.push_str(&text[done..span.start]);
            masked.push_str(MASK);
            done = span.end;
        }
        masked.push_str(&text[done..]);
        Cow::Owned(masked)
    }

    /// Finds where secrets stand in a text: in order, none over another.
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let Some(forms) = &self.forms else {
            return Vec::new();
        };
        let mut found = spans(forms, text, ESCAPED_TIMES_MAX);
        found.sort_unstable();
        // Secrets may overlap, and a rest of one must not stay behind: overlapping finds are one span.
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for (start, end) in found {
            match apart.last_mut() {
                Some(last) if start < last.end => last.end = last.end.max(end),
                _ => apart.push(start..end),
            }
        }
        apart
    }

    /// Gives the length of the longest form of a secret, in bytes.
    #[cfg(unix)]
    pub(crate) fn longest(&self) -> usize {
        self.forms.as_ref().map_or(0, AhoCorasick::max_pattern_len)
    }

    /// Masks a text in its place.
    pub fn mask_in(&self, text: &mut String) {
        if let Cow::Owned(masked) = self.mask(text) {
            *text = masked;
        }
    }
}

/// Finds the secrets in a text as it stands, and as it reads with its escapes undone.
fn spans(forms: &AhoCorasick, text: &str, times: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<_> = forms.find_overlapping_iter(text).map(|found| (found.start(), found.end())).collect();
    if times > 0 {
        let plain = unescape(text);
        if !plain.is_same() {
            let below = spans(forms, &plain.text, times - 1);
            found.extend(below.into_iter().map(|(start, end)| (plain.origin(start), plain.origin(end))));
        }
    }
    found
}

impl fmt::Debug for Masker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.forms.as_ref().map_or(0, AhoCorasick::patterns_len);
        write!(f, "Masker({count} forms)")
    }
}

/// What stands in the place of a secret.
pub(crate) const MASK: &str = "***";
/// How many times a text may be escaped over: a tool call in a model's answer in a state in a comment is at three.
const ESCAPED_TIMES_MAX: usize = 4;

#[cfg(test)]
mod tests {
    use super::{super::forms::is_masked, *};

    const VALUE: &str = "S3cr/et+va lue\"1";

    fn masker(name: &str, value: &str) -> Masker {
        Masker::new([(name.to_owned(), value.to_owned())], &[])
    }

    #[test]
    fn every_form_of_a_secret_goes_and_nothing_else() {
        let check = |text: &str, masked: &str| assert_eq!(masker("API_KEY", VALUE).mask(text), masked, "{text}");
        check("before S3cr/et+va lue\"1 after", "before *** after");
        check(r#"{"key":"S3cr/et+va lue\"1"}"#, r#"{"key":"***"}"#);
        check("?key=S3cr%2Fet%2Bva%20lue%221&x=1", "?key=***&x=1");
        check("?key=S3cr%2fet%2bva%20lue%221&x=1", "?key=***&x=1");
        check("S3cr/et+va lue", "S3cr/et+va lue");
        check("", "");
        check("日本 S3cr/et+va lue\"1 語", "日本 *** 語");
    }

    #[test]
    fn base64_is_found_at_each_alignment() {
        // `printf 'token-0123456789'`, and the same after `x` and `x:`, through base64.
        let masker = masker("GH_PAT", "token-0123456789");
        let check = |encoded: &str| {
            let masked = masker.mask(encoded);
            assert!(masked.contains("***") && masked.len() <= 9, "{encoded}: {masked}");
        };
        check("dG9rZW4tMDEyMzQ1Njc4OQ==");
        check("eHRva2VuLTAxMjM0NTY3ODk=");
        check("eDp0b2tlbi0wMTIzNDU2Nzg5");
    }

    #[test]
    fn only_what_is_a_secret_is_masked() {
        let check = |name: &str, value: &str, hidden: bool| {
            let masked = masker(name, value).mask(value).contains(MASK);
            assert_eq!(masked, hidden, "{name}={value}");
        };
        check("GITHUB_TOKEN", "abcdefg8", true);
        check("GH_PAT", "  abcdefg8\n", true);
        check("HOME", "/root/abcdefg8", false);
        check("GITHUB_TOKEN", "abcdefgh", false);
        check("GITHUB_TOKEN", "", false);
    }

    #[test]
    fn escapes_hide_no_secret_however_often_they_are_piled_up() {
        let masker = Masker::new([], &[Secret::new("hunter2/\"ü\nx")]);
        let mut text = "say hunter2/\"ü\nx twice".to_owned();
        for times in 0..=ESCAPED_TIMES_MAX {
            let masked = masker.mask(&text).into_owned();
            assert!(masked.contains("say *** twice"), "{times}: {masked}");
            // As a cautious writer does it: every character but the plain ones as `\\u…`.
            text = text
                .encode_utf16()
                .map(|unit| match unit {
                    0x20 | 0x61..=0x7a => char::from(unit as u8).to_string(),
                    unit => format!("\\u{unit:04x}"),
                })
                .collect();
        }
        let json = r#"{"a": ["\u0068unter2\/\"\u00fc\nx", 1.50], "b":"caf\u00e9"}"#;
        assert_eq!(masker.mask(json), r#"{"a": ["***", 1.50], "b":"caf\u00e9"}"#);
    }

    #[test]
    fn overlapping_secrets_leave_no_rest() {
        let pairs = [("A_KEY", "abcd3fgh"), ("B_KEY", "3fghijkl"), ("C_KEY", "abcd3fghij")];
        let masker = Masker::new(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())), &[]);
        assert_eq!(masker.mask("<abcd3fghijkl>"), "<***>");
        assert_eq!(masker.mask("abcd3fghabcd3fgh"), "******");
    }

    #[test]
    fn each_line_of_a_long_key_goes() {
        let masker = Masker::new([], &[Secret::new("-----BEGIN-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n")]);
        assert_eq!(masker.mask("got kqhkiG9w0BAQEF"), "got ***");
        assert!(!format!("{masker:?}").contains("kqhk"));
    }

    #[test]
    fn masking_twice_changes_nothing_more() {
        fn holds(around: (String, String), value: String) -> bool {
            let masker = Masker::new([], &[Secret::new(&value)]);
            let text = format!("{}{value}{}", around.0, around.1);
            let once = masker.mask(&text).into_owned();
            let hidden = !is_masked(value.trim()) || !once.contains(value.trim());
            hidden && masker.mask(&once) == once
        }
        quickcheck::quickcheck(holds as fn((String, String), String) -> bool);
    }
}

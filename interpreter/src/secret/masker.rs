//! Takes the values of this process's secrets out of a text, in every form in which they commonly travel:
//! as they are, inside JSON, percent-encoded, and in base64 at any of its three alignments.

use std::{borrow::Cow, fmt};

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::Secret;

/// Replaces known secrets by `***`.
pub struct Masker {
    forms: Option<AhoCorasick>,
}

impl Masker {
    /// Collects the secrets from environment variables (decision 7) and from what is given besides.
    ///
    /// Values of fewer than 8 bytes are left alone: they would blacken ordinary words. So are values that are part
    /// of the public wire format, as masking those would destroy the markers and keys of a comment.
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

    /// Gives the text with every secret replaced by `***`. It borrows when there is none.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(forms) = &self.forms else {
            return Cow::Borrowed(text);
        };
        let mut spans = forms.find_overlapping_iter(text).map(|found| (found.start(), found.end())).collect::<Vec<_>>();
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        // Secrets may overlap, and a rest of one must not stay behind: overlapping finds are one span.
        spans.sort_unstable();
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in spans {
            if start >= done {
                masked.push_str(&text[done..start]);
                masked.push_str(MASK);
            }
            done = done.max(end);
        }
        masked.push_str(&text[done..]);
        Cow::Owned(masked)
    }
}

impl fmt::Debug for Masker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.forms.as_ref().map_or(0, AhoCorasick::patterns_len);
        write!(f, "Masker({count} forms)")
    }
}

/// Tells whether a variable of this name holds a secret: `*_TOKEN`, `*_KEY`, `GH_PAT`, `*SECRET*`, `*PASSWORD*`.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.ends_with("_TOKEN")
        || name.ends_with("_KEY")
        || name == "GH_PAT"
        || name.contains("SECRET")
        || name.contains("PASSWORD")
}

fn collect_forms(value: &str, forms: &mut Vec<String>) {
    if value.len() < SECRET_BYTES_MIN || WIRE_WORDS.contains(value) {
        return;
    }
    forms.push(value.to_owned());
    // A key over several lines is rarely quoted whole.
    forms.extend(value.lines().map(str::trim).filter(|line| line.len() >= SECRET_BYTES_MIN).map(str::to_owned));
    forms.push(inside_json(value));
    forms.push(percent_encoded(value, |byte| format!("%{byte:02X}")));
    forms.push(percent_encoded(value, |byte| format!("%{byte:02x}")));
    for offset in 0..3 {
        let encoded = base64_core(value.as_bytes(), offset);
        if encoded.len() >= SECRET_BYTES_MIN {
            forms.push(encoded.replace('+', "-").replace('/', "_"));
            forms.push(encoded);
        }
    }
}

fn inside_json(value: &str) -> String {
    let quoted = serde_json::Value::from(value).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Escapes everything but the characters that RFC 3986 calls unreserved.
fn percent_encoded(value: &str, escape: fn(u8) -> String) -> String {
    value.bytes().fold(String::with_capacity(value.len()), |mut text, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            _ => text.push_str(&escape(byte)),
        }
        text
    })
}

/// Gives the base64 characters that depend on the value alone when `offset` bytes stand before it.
fn base64_core(value: &[u8], offset: usize) -> String {
    let bit = |at: usize| {
        let (byte, shift) = (at / 8, 7 - at % 8);
        value.get(byte).map_or(0, |byte| byte >> shift & 1)
    };
    // The value's first bit stands at `offset * 8`; characters start at each multiple of six.
    let skipped = (6 - offset * 8 % 6) % 6;
    let whole = (value.len() * 8).saturating_sub(skipped) / 6;
    (0..whole)
        .map(|index| (0..6).fold(0, |sum, step| sum << 1 | usize::from(bit(skipped + index * 6 + step))))
        .map(|digit| char::from(BASE64[digit]))
        .collect()
}

const MASK: &str = "***";
/// Below this a value is more likely a word than a secret.
const SECRET_BYTES_MIN: usize = 8;
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Words that every comment of ours or GitHub's JSON carries. They are public, so they hide nothing.
const WIRE_WORDS: &str = "<!-- bot-workflow-terminal --> <!-- bot-agent-script --> <!-- AGENT_RUN_CONFIG --> \
    <!-- WORKFLOW_STATE_START --> <!-- WORKFLOW_STATE_END --> <!-- nebuko-part: --> schema_version workflow_state \
    workflow_name comment_ids comment_id run_id dispatch status advance hold loop terminate complexity function_call \
    task_hint history position resolution gate_decision gate_history thread issue-body command engine-output \
    agent-output human-feedback user_id user_login user_name created_at updated_at author_association trusted deleted \
    html_url comments engine previous compacted OWNER MEMBER COLLABORATOR CONTRIBUTOR messages content tool_calls \
    tool_call_id function arguments assistant system";

#[cfg(test)]
mod tests {
    use super::*;

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
    fn only_what_is_secret_and_long_enough_is_masked() {
        let check = |name: &str, value: &str, hidden: bool| {
            let masked = masker(name, value).mask(value).contains(MASK);
            assert_eq!(masked, hidden, "{name}={value}");
        };
        check("GITHUB_TOKEN", "abcdefgh", true);
        check("openrouter_api_key", "abcdefgh", true);
        check("MY_SECRET_THING", "abcdefgh", true);
        check("DB_PASSWORD", "abcdefgh", true);
        check("GH_PAT", "  abcdefgh\n", true);
        check("GH_PATH", "abcdefgh", false);
        check("TOKENS", "abcdefgh", false);
        check("HOME", "/root/abcdefgh", false);
        check("GITHUB_TOKEN", "abcdefg", false);
        check("GITHUB_TOKEN", "", false);
        check("SORT_KEY", "created_at", false);
        check("X_KEY", "terminal", false);
    }

    #[test]
    fn overlapping_secrets_leave_no_rest() {
        let pairs = [("A_KEY", "abcdefgh"), ("B_KEY", "efghijkl"), ("C_KEY", "abcdefghij")];
        let masker = Masker::new(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())), &[]);
        assert_eq!(masker.mask("<abcdefghijkl>"), "<***>");
        assert_eq!(masker.mask("abcdefghabcdefgh"), "******");
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
            let hidden = value.trim().len() < SECRET_BYTES_MIN || !once.contains(value.trim());
            hidden && masker.mask(&once) == once
        }
        quickcheck::quickcheck(holds as fn((String, String), String) -> bool);
    }
}

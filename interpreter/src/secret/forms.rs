//! Which values are secrets worth masking, and in which forms they commonly travel.

/// Tells whether a variable of this name holds a secret: `*_TOKEN`, `*_KEY`, `GH_PAT`, `*SECRET*`, `*PASSWORD*`
/// (decision 7).
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.ends_with("_TOKEN")
        || name.ends_with("_KEY")
        || name == "GH_PAT"
        || name.contains("SECRET")
        || name.contains("PASSWORD")
}

/// Adds the forms of a value that is masked: as it is, each of its lines, percent-encoded, and in base64 at any of
/// its three alignments. What JSON makes of it needs no form: escapes are undone before the search.
pub(super) fn collect_forms(value: &str, forms: &mut Vec<String>) {
    if !is_masked(value) {
        return;
    }
    forms.push(value.to_owned());
    // A key over several lines is rarely quoted whole.
    forms.extend(value.lines().map(str::trim).filter(|line| is_masked(line)).map(str::to_owned));
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

/// Tells whether a value is masked at all: the rule stands at the top of `secret`.
pub(super) fn is_masked(value: &str) -> bool {
    value.len() >= SECRET_BYTES_MIN && !is_number(value) && !is_short_word(value) && !WIRE_WORDS.contains(value)
}

/// Numbers, dates and times: whatever has no letter but those of a timestamp.
fn is_number(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit() || b"TZ -+:.,/_".contains(&byte))
}

/// A word as it stands in prose, or a name of a few of them.
fn is_short_word(value: &str) -> bool {
    let is_word = |rest: &str| {
        rest.bytes().all(|byte| byte.is_ascii_lowercase()) || rest.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let mut words = value.split(['-', '_', '.', ' ']);
    value.len() < WORD_BYTES_MAX
        && words
            .all(|word| is_word(word) || word.get(1..).is_some_and(is_word) && word.as_bytes()[0].is_ascii_uppercase())
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

/// Below this a value is more likely a word than a secret.
const SECRET_BYTES_MIN: usize = 8;
/// From here on also plain letters are a secret: hardly a name is as long.
const WORD_BYTES_MAX: usize = 12;
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Words that every comment of ours, GitHub's JSON or a chat completion carries. They are public, so they hide nothing.
const WIRE_WORDS: &str = "<!-- bot-workflow-terminal --> <!-- bot-agent-script --> <!-- AGENT_RUN_CONFIG --> \
    <!-- WORKFLOW_STATE_START --> <!-- WORKFLOW_STATE_END --> <!-- nebuko-part: --> schema_version workflow_state \
    workflow_name comment_ids comment_id run_id dispatch status advance hold loop terminate complexity function_call \
    task_hint history position resolution matched_rule gate_decision gate_history thread issue-body command \
    engine-output agent-output human-feedback user_id user_login user_name created_at updated_at author_association \
    trusted deleted html_url comments engine previous compacted initiator cursor OWNER MEMBER COLLABORATOR CONTRIBUTOR \
    FIRST_TIME_CONTRIBUTOR FIRST_TIMER MANNEQUIN Organization pull_request messages content tool_calls tool_call_id \
    function arguments assistant system choices finish_reason content_filter prompt_tokens completion_tokens \
    total_tokens prompt_tokens_details cached_tokens completion_tokens_details reasoning_content reasoning_tokens \
    cache_hit_rate pinned_comment_ids current_context";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_known_by_the_name_of_its_variable() {
        let check = |name: &str, secret: bool| assert_eq!(is_secret_name(name), secret, "{name}");
        check("GITHUB_TOKEN", true);
        check("openrouter_api_key", true);
        check("MY_SECRET_THING", true);
        check("DB_PASSWORD", true);
        check("GH_PAT", true);
        check("GH_PATH", false);
        check("TOKENS", false);
        check("HOME", false);
    }

    #[test]
    fn what_is_public_anyway_is_left_alone() {
        let check = |value: &str, masked: bool| assert_eq!(is_masked(value), masked, "{value}");
        check("hunter2-hunter2", true);
        check("ghp_0123456789abcdefABCDEF0123456789abcd", true);
        check("supersecretive", true);
        check("aBcDeFgH", true);
        check("pass word 1", true);
        check("pässwörter", true);
        check("p4ssword", true);
        check("7!3#9$2@5", true);
        check("", false);
        check("hunter2", false);
        check("12345678", false);
        check("2123456789", false);
        check("2026-11-30", false);
        check("2026-11-30T08:00:00Z", false);
        check("--------", false);
        check("postgres", false);
        check("Postgres", false);
        check("POST_FAILED", false);
        check("answered", false);
        check("recording", false);
        check("dev-review", false);
        check("created_at", false);
        check("author_association", false);
        check("workflow-terminal", false);
        check("FIRST_TIME_CONTRIBUTOR", false);
    }
}

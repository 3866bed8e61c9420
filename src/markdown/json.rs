//! JSON that stands in an HTML comment (decision 10).

use alloc::{format, string::String};

/// Writes JSON so that nothing in it can end a comment, start one, call somebody or link an issue.
///
/// `<`, `>`, `@`, `#` before a digit, DEL, the C1 controls and U+2028/9 become `\u` escapes. In valid JSON
/// they stand in strings only, so the value stays the same.
pub fn comment_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len() + json.len() / 16);
    let mut rest = json;
    while let Some(at) =
        rest.find(|c: char| matches!(c, '<' | '>' | '@' | '#' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}'))
    {
        let (before, from) = rest.split_at(at);
        let mut chars = from.chars();
        let Some(found) = chars.next() else { break };
        rest = chars.as_str();
        safe.push_str(before);
        if found == '#' && !rest.starts_with(|next: char| next.is_ascii_digit()) {
            safe.push(found);
        } else {
            safe.push_str(&format!("\\u{:04x}", u32::from(found)));
        }
    }
    safe.push_str(rest);
    safe
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use quickcheck::quickcheck;
    use serde_json::Value;

    use super::*;

    #[test]
    fn only_characters_that_could_act_are_escaped() {
        let check = |json: &str, expected: &str| assert_eq!(comment_json(json), expected, "{json:?}");
        check(r#"{"a":[1,"b"]}"#, r#"{"a":[1,"b"]}"#);
        check(r#""a} --> b <!-- c""#, r#""a} --\u003e b \u003c!-- c""#);
        check(r#""@dana #12 # #a \\<""#, r#""\u0040dana \u002312 # #a \\\u003c""#);
        check("\"\u{2028}\u{85}é\"", "\"\\u2028\\u0085é\"");
    }

    quickcheck! {
        fn the_value_stays_the_same(text: String) -> bool {
            let safe = comment_json(&Value::from(text.as_str()).to_string());
            !safe.contains(['<', '>', '@', '\n']) && serde_json::from_str::<String>(&safe).is_ok_and(|back| back == text)
        }
    }
}

//! The nearest known names to one that is not known: "did you mean …?".

use alloc::{format, string::String, vec::Vec};

/// More suggestions than these do not help.
const NEAREST_MAX: usize = 3;
/// A longer text is no misspelt name, and comparing costs its square.
const NAME_MAX_CHARS: usize = 64;
/// Names beyond these are not compared; no file that a person keeps has so many.
const KNOWN_MAX: usize = 1_000;

/// Gives up to three known names that are near to a wanted one, nearest first, equals by alphabet.
///
/// Near is: equal but for case, the beginning of the other, or one slip for every three letters.
pub fn nearest<'n>(wanted: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    if wanted.is_empty() || wanted.chars().nth(NAME_MAX_CHARS).is_some() {
        return Vec::new();
    }
    let wanted = wanted.to_lowercase();
    let mut near: Vec<(usize, &str)> =
        known.into_iter().take(KNOWN_MAX).filter_map(|name| Some((distance(&wanted, name)?, name))).collect();
    near.sort_unstable();
    near.dedup();
    near.truncate(NEAREST_MAX);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Says the suggestions as a question, or nothing where there are none.
pub fn did_you_mean(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        [one] => format!("did you mean `{one}`?"),
        [first, middle @ .., last] => {
            let middle: String = middle.iter().map(|name| format!(", `{name}`")).collect();
            format!("did you mean `{first}`{middle} or `{last}`?")
        }
    }
}

/// Counts the slips between two names; `None` is too far. `wanted` is in lower case.
fn distance(wanted: &str, name: &str) -> Option<usize> {
    if name.chars().nth(NAME_MAX_CHARS).is_some() {
        return None;
    }
    let name = name.to_lowercase();
    let slips = strsim::osa_distance(wanted, &name);
    let length = wanted.chars().count().max(name.chars().count());
    let begins = wanted.len() >= 3 && name.starts_with(wanted) || name.len() >= 3 && wanted.starts_with(name.as_str());
    (slips <= length.div_ceil(3) && slips < length || begins).then_some(slips)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_name_and_strangers_do_not() {
        let known = ["human_gate", "conditions", "next", "name", "agent", "review", "dev"];
        let check = |wanted: &str, near: &[&str]| assert_eq!(nearest(wanted, known), near, "{wanted}");
        check("human_gat", &["human_gate"]);
        check("condition", &["conditions"]);
        check("Agent", &["agent"]);
        check("nxet", &["next"]);
        check("nam", &["name"]);
        check("reviewer", &["review"]);
        check("devv", &["dev"]);
        check("zebra", &[]);
        check("x", &[]);
        check("", &[]);
        check(&"a".repeat(100_000), &[]);
    }

    #[test]
    fn a_suggestion_reads_as_a_question() {
        let check = |near: &[&str], text: &str| assert_eq!(did_you_mean(near), text);
        check(&[], "");
        check(&["dev"], "did you mean `dev`?");
        check(&["dev", "plan"], "did you mean `dev` or `plan`?");
        check(&["a", "b", "c"], "did you mean `a`, `b` or `c`?");
    }
}

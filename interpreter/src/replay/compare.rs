//! Saying what differs between a recorded and a computed line: the field, both values, and the effect that is
//! most like one that has no counterpart.

use serde_json::{Map, Value};

use super::{
    Difference, STATE,
    lines::Line,
    pointer::{pointer_at, token},
};

impl Difference {
    /// Makes the difference of two lines as a whole.
    pub(super) fn of_lines(line: usize, what: &str, recorded: &str, computed: &str) -> Self {
        let (recorded, computed) = around(recorded, computed);
        Self::of_field(line, "", recorded, computed, what)
    }

    /// Makes the difference of a field.
    pub(super) fn of_field(line: usize, field: &str, recorded: String, computed: String, what: &str) -> Self {
        let (recorded, computed) = (visible(&recorded), visible(&computed));
        Self { line, field: field.into(), recorded, computed, what: what.into(), follows: None, nearest: None }
    }

    /// Tells whether it names a field and both values.
    pub(super) fn is_plain(&self) -> bool {
        !self.field.is_empty() && !self.recorded.is_empty() && !self.computed.is_empty()
    }
}

/// Gives the fields in which two lines differ, in the order of the recorded one; at least one.
pub(super) fn fields(line: usize, recorded: &str, computed: &str) -> Vec<Difference> {
    let (Ok(old), Ok(new)) = (serde_json::from_str(recorded), serde_json::from_str(computed)) else {
        return vec![bytes_differ(line, "the line is not JSON any more", recorded, computed)];
    };
    let mut found = Vec::new();
    collect(&mut String::new(), Some(&old), Some(&new), &mut |field, recorded, computed| {
        if found.len() < FIELDS_MAX {
            found.push(difference(line, field, recorded, computed));
        }
    });
    if found.is_empty() {
        found.push(bytes_differ(line, "the values are the same, the bytes are not", recorded, computed));
    }
    found
}

/// Names the field of the computed line in which the first byte differs.
fn bytes_differ(line: usize, what: &str, recorded: &str, computed: &str) -> Difference {
    let field = pointer_at(computed, first_difference(recorded, computed));
    Difference { field, ..Difference::of_lines(line, what, recorded, computed) }
}

fn difference(line: usize, field: &str, recorded: Option<&Value>, computed: Option<&Value>) -> Difference {
    let what = match (recorded, computed) {
        (None, _) => "this was not recorded",
        (_, None) => "this was recorded and did not come again",
        _ if field == STATE => "the state after the step is another one",
        _ => "this is not what was recorded",
    };
    let text = |value: Option<&Value>| value.map_or_else(String::new, Value::to_string);
    let (recorded, computed) = around(&text(recorded), &text(computed));
    Difference::of_field(line, field, recorded, computed, what)
}

/// Walks two values and tells every place where they part. JSON's own depth bound holds here.
fn collect(
    field: &mut String,
    old: Option<&Value>,
    new: Option<&Value>,
    tell: &mut impl FnMut(&str, Option<&Value>, Option<&Value>),
) {
    match (old, new) {
        (old, new) if old == new => {}
        (Some(Value::Object(old)), Some(Value::Object(new))) if alike(old, new) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                below(field, &token(key), |field| collect(field, old.get(key), new.get(key), tell));
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for index in 0..old.len().max(new.len()) {
                below(field, &index.to_string(), |field| collect(field, old.get(index), new.get(index), tell));
            }
        }
        (old, new) => tell(field, old, new),
    }
}

fn below(field: &mut String, name: &str, go: impl FnOnce(&mut String)) {
    let length = field.len();
    field.push('/');
    field.push_str(name);
    go(field);
    field.truncate(length);
}

/// Objects without a common key are two variants of an enum, and differ as a whole.
fn alike(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    old.is_empty() || new.is_empty() || old.keys().any(|key| new.contains_key(key))
}

/// For a computed effect that differs as a whole: says which recorded effect is most like it, and where.
pub(super) fn nearest<'l>(
    difference: &Difference,
    computed: &str,
    steps: impl Iterator<Item = &'l Line>,
) -> Option<String> {
    let index = difference.field.strip_prefix("/effects/")?;
    let computed: Value = serde_json::from_str(computed).ok()?;
    let effect = computed["effects"].get(index.parse::<usize>().ok()?)?;
    let (kind, text) = (variant(effect)?, effect.to_string());
    let mut best: Option<(usize, String)> = None;
    for line in steps {
        let recorded: Value = serde_json::from_str(&line.text).ok()?;
        for (at, other) in recorded["effects"].as_array()?.iter().enumerate() {
            let common = if variant(other) == Some(kind) { in_common(&text, &other.to_string()) } else { 0 };
            if common > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((common, format!("line {}, /effects/{at} ({kind})", line.number)));
            }
        }
    }
    best.map(|(_, place)| place)
}

/// The name of an effect's variant: its only key, or itself where it carries nothing.
fn variant(effect: &Value) -> Option<&str> {
    effect.as_str().or_else(|| effect.as_object()?.keys().next().map(String::as_str))
}

/// How many bytes two texts share at both ends.
fn in_common(one: &str, other: &str) -> usize {
    let front = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let rest = one.len().min(other.len()) - front;
    front + one.bytes().rev().zip(other.bytes().rev()).take(rest).take_while(|(one, other)| one == other).count()
}

/// Cuts two texts to where they part, with a little before it.
fn around(one: &str, other: &str) -> (String, String) {
    let at = first_difference(one, other);
    (window(one, at), window(other, at))
}

/// Finds the first character in which two texts differ.
fn first_difference(one: &str, other: &str) -> usize {
    let parts = one.char_indices().zip(other.chars()).find(|((_, one), other)| one != other);
    parts.map_or(one.len().min(other.len()), |((at, _), _)| at)
}

/// Cuts a text to some place in it.
pub(super) fn around_offset(text: &str, offset: usize) -> String {
    window(text, (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0))
}

/// Shows bytes as text: those that are none as `\xFF`.
pub(super) fn shown(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::with_capacity(bytes.len()), |mut text, chunk| {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
        text
    })
}

fn window(text: &str, at: usize) -> String {
    let start = text[..at.min(text.len())].char_indices().rev().take(BEFORE_CHARS).last().map_or(0, |(at, _)| at);
    // A beginning that is nearly shown anyway is shown.
    let start = if start <= BEFORE_CHARS { 0 } else { start };
    let end = text[start..].char_indices().nth(WINDOW_CHARS).map_or(text.len(), |(at, _)| start + at);
    let (front, back) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
    format!("{front}{}{back}", &text[start..end])
}

/// Shows signs that steer a terminal, as line ends, by their escapes. JSON as it was written has none.
fn visible(text: &str) -> String {
    let sign = |sign: char| if sign.is_control() { sign.escape_default().to_string() } else { sign.into() };
    text.chars().map(sign).collect()
}

/// How many fields of one line are told: a reader looks at the first few.
const FIELDS_MAX: usize = 10;
/// How much of a long value is shown, and how much of that before the place where it differs.
const WINDOW_CHARS: usize = 120;
const BEFORE_CHARS: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Kind;

    #[test]
    fn fields_are_named_with_both_values() {
        let check = |recorded: &str, computed: &str, expected: &[(&str, &str, &str)]| {
            let found = fields(3, recorded, computed);
            let told: Vec<_> =
                found.iter().map(|one| (one.field.as_str(), one.recorded.as_str(), one.computed.as_str())).collect();
            assert_eq!(told, expected, "{recorded} and {computed}");
        };
        check(r#"{"a":1}"#, r#"{"a":2}"#, &[("/a", "1", "2")]);
        check(r#"{"a":[1,{"b":"x"}]}"#, r#"{"a":[1,{"b":"y"},3]}"#, &[("/a/1/b", "\"x\"", "\"y\""), ("/a/2", "", "3")]);
        check(r#"{"a":1,"b":2}"#, r#"{"b":2,"c":3}"#, &[("/a", "1", ""), ("/c", "", "3")]);
        check(r#"{"e":{"post":{}}}"#, r#"{"e":{"edit":{}}}"#, &[("/e", r#"{"post":{}}"#, r#"{"edit":{}}"#)]);
        check(r#"{"a/b~":1}"#, r#"{"a/b~":null}"#, &[("/a~1b~0", "1", "null")]);
        check(r#"{"a": 1}"#, r#"{"a":1}"#, &[("/a", r#"{"a": 1}"#, r#"{"a":1}"#)]);
        check(r#"{"a":1"#, r#"{"a":1}"#, &[("/a", r#"{"a":1"#, r#"{"a":1}"#)]);
        check("{\"a\":[1,\"x\ny\"]}", r#"{"a":[1,"xzy"]}"#, &[("/a/1", r#"{"a":[1,"x\ny"]}"#, r#"{"a":[1,"xzy"]}"#)]);
    }

    #[test]
    fn long_values_are_cut_to_where_they_part() {
        let (front, back) = ("é".repeat(500), "z".repeat(500));
        let (one, other) = around(&format!("{front}a{back}"), &format!("{front}b{back}"));
        assert!(one.starts_with('…') && one.ends_with('…') && one.contains("éaz"), "{one}");
        assert!(other.contains("ébz") && other.chars().count() == one.chars().count(), "{other}");
        assert_eq!(around("", "abc"), (String::new(), "abc".into()));
        assert_eq!(around(&front, "é"), (format!("{}…", "é".repeat(120)), "é".into()));
    }

    #[test]
    fn the_nearest_recorded_effect_is_of_the_same_kind() {
        let line =
            |number, text: &str| Line { number, kind: Kind::Step, text: text.into(), readable: None, sound: true };
        let lines = [
            line(3, r#"{"effects":[{"tell":{"text":"abc"}},{"post":{"body":"hello"}}]}"#),
            line(6, r#"{"effects":[{"post":{"body":"hello world"}},"read_viewer"]}"#),
        ];
        let check = |computed: &str, field: &str, expected: Option<&str>| {
            let difference = Difference { field: field.into(), ..Difference::of_lines(9, "", "", "") };
            assert_eq!(nearest(&difference, computed, lines.iter()).as_deref(), expected, "{computed}");
        };
        check(r#"{"effects":[{"post":{"body":"hello worlds"}}]}"#, "/effects/0", Some("line 6, /effects/0 (post)"));
        check(r#"{"effects":[{"post":{"body":"hell"}}]}"#, "/effects/0", Some("line 3, /effects/1 (post)"));
        check(r#"{"effects":["read_viewer"]}"#, "/effects/0", Some("line 6, /effects/1 (read_viewer)"));
        check(r#"{"effects":[{"edit":{"body":"hello"}}]}"#, "/effects/0", None);
        check(r#"{"effects":[{"post":{}}]}"#, "/effects/0/post/body", None);
        check(r#"{"effects":[]}"#, "/state", None);
    }

    #[test]
    fn any_two_texts_can_be_compared() {
        fn holds(one: String, other: String) -> bool {
            let (left, right) = around(&one, &other);
            left.chars().count() <= WINDOW_CHARS + 2
                && right.chars().count() <= WINDOW_CHARS + 2
                && in_common(&one, &other) <= one.len().min(other.len())
                && !fields(1, &one, &other).is_empty()
        }
        quickcheck::quickcheck(holds as fn(String, String) -> bool);
    }
}

//! Canonical JSON (RFC 8785) and SHA-256 digests over it.
//!
//! The same value gives the same bytes in every version and on every machine: keys in UTF-16 order, numbers
//! as ECMAScript writes them, no white space. What is digested, and when, is for the callers to say.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::{self, Write as _};

use serde::Serialize;
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

/// Gives the SHA-256 of a value's canonical JSON, in lowercase hex.
///
/// Fails where `to_string` fails.
pub fn digest(value: &impl Serialize) -> Result<String, NotCanonical> {
    to_string(value).map(|text| sha256_hex(text.as_bytes()))
}

/// Writes a value as canonical JSON.
///
/// Fails on an integer beyond ±(2^53−1), because a reader that keeps numbers as doubles would round it, and on
/// what has no JSON at all, such as a map whose keys are no text.
pub fn to_string(value: &impl Serialize) -> Result<String, NotCanonical> {
    let value = serde_json::to_value(value).map_err(|error| NotCanonical::NoJson { why: error.to_string() })?;
    of_value(&value)
}

/// Writes parsed JSON as canonical JSON. Fails on an integer beyond ±(2^53−1).
pub fn of_value(value: &Value) -> Result<String, NotCanonical> {
    let mut text = String::new();
    match write_value(&mut text, value) {
        Ok(()) => Ok(text),
        Err(refused) => Err(refused.named()),
    }
}

/// Gives the SHA-256 of some bytes in lowercase hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        hex.push(hex_digit(byte >> 4));
        hex.push(hex_digit(byte & 15));
    }
    hex
}

/// Why a value has no canonical JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCanonical {
    /// An integer that a double cannot hold exactly.
    #[error("the number {number} at {path} is beyond ±(2^53−1)")]
    TooLarge {
        /// The integer.
        number: String,
        /// Where it stands, as a JSON pointer; `/` is the value itself.
        path: String,
    },
    /// The value cannot be written as JSON.
    #[error("no JSON can say this: {why}")]
    NoJson {
        /// What the encoder said.
        why: String,
    },
}

/// A refused number; the path grows from the inside out on the way back, so that the good case pays nothing.
struct Refused {
    number: String,
    path: Vec<String>,
}

impl Refused {
    fn inside(mut self, part: impl ToString) -> Self {
        self.path.push(part.to_string().replace('~', "~0").replace('/', "~1"));
        self
    }

    fn named(self) -> NotCanonical {
        let mut path = String::new();
        for part in self.path.iter().rev() {
            path.push('/');
            path.push_str(part);
        }
        if path.is_empty() {
            path.push('/');
        }
        NotCanonical::TooLarge { number: self.number, path }
    }
}

fn write_value(out: &mut String, value: &Value) -> Result<(), Refused> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(out, number)?,
        Value::String(text) => write_text(out, text),
        Value::Array(items) => write_array(out, items)?,
        Value::Object(members) => write_object(out, members)?,
    }
    Ok(())
}

fn write_array(out: &mut String, items: &[Value]) -> Result<(), Refused> {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_value(out, item).map_err(|refused| refused.inside(index))?;
    }
    out.push(']');
    Ok(())
}

fn write_object(out: &mut String, members: &Map<String, Value>) -> Result<(), Refused> {
    let mut members: Vec<(&String, &Value)> = members.iter().collect();
    // The map is already in UTF-8 order, so this is one pass but for the rarest keys.
    members.sort_by(|(left, _), (right, _)| utf16_ranks(left).cmp(utf16_ranks(right)));
    out.push('{');
    for (index, (key, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(out, key);
        out.push(':');
        write_value(out, value).map_err(|refused| refused.inside(key))?;
    }
    out.push('}');
    Ok(())
}

/// Gives bytes that compare as the text's UTF-16 units do.
///
/// UTF-8 and UTF-16 differ in order only where a code point above U+FFFF (a surrogate pair, 0xD800 and up)
/// meets one from U+E000 to U+FFFF (first byte 0xEE or 0xEF), which then comes last.
fn utf16_ranks(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().map(|byte| if matches!(byte, 0xEE | 0xEF) { byte + 0x10 } else { byte })
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        out.push_str(&rest[..at]);
        write_escaped(out, rest.as_bytes()[at]);
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

fn write_escaped(out: &mut String, byte: u8) {
    out.push('\\');
    match byte {
        0x08 => out.push('b'),
        b'\t' => out.push('t'),
        b'\n' => out.push('n'),
        0x0C => out.push('f'),
        b'\r' => out.push('r'),
        b'"' | b'\\' => out.push(char::from(byte)),
        _ => {
            out.push_str("u00");
            out.push(hex_digit(byte >> 4));
            out.push(hex_digit(byte & 15));
        }
    }
}

fn write_number(out: &mut String, number: &Number) -> Result<(), Refused> {
    let exact = match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(natural), ..) => natural <= INTEGER_MAX,
        (_, Some(integer), _) => integer.unsigned_abs() <= INTEGER_MAX,
        (.., Some(double)) => {
            write_double(out, number, double);
            return Ok(());
        }
        (None, None, None) => false,
    };
    if !exact {
        return Err(Refused { number: number.to_string(), path: Vec::new() });
    }
    push_display(out, number);
    Ok(())
}

/// Writes a double as ECMAScript's Number::toString does, from the shortest digits that read back as the same.
///
/// The digits are serde_json's: of two that are equally near it takes the even one, as RFC 8785 asks. Core's
/// own `{:e}` does not (1424953923781206.25).
fn write_double(out: &mut String, number: &Number, double: f64) {
    if double == 0.0 {
        return out.push('0'); // -0 as well
    }
    if double.is_sign_negative() {
        out.push('-');
    }
    let spelling = number.to_string();
    let (digits, point) = digits_and_point(&spelling);
    let count = digits.len() as i32;
    match point {
        _ if count <= point && point <= 21 => {
            out.push_str(&digits);
            push_zeros(out, point - count);
        }
        1..=21 => {
            let (whole, fraction) = digits.split_at(point as usize);
            push_joined(out, &[whole, ".", fraction]);
        }
        -5..=0 => {
            out.push_str("0.");
            push_zeros(out, -point);
            out.push_str(&digits);
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            push_joined(out, &[first, if rest.is_empty() { "" } else { "." }, rest]);
            push_joined(out, &["e", if point > 0 { "+" } else { "-" }]);
            push_display(out, (point - 1).unsigned_abs());
        }
    }
}

/// Takes a decimal spelling (`-0.00012`, `12.0`, `1.2e-7`) apart: its digits without the zeros at both ends, and
/// how many of them stand before the decimal point (0 or less: so many zeros follow the point first).
fn digits_and_point(spelling: &str) -> (String, i32) {
    let spelling = spelling.trim_start_matches('-');
    let (mantissa, exponent) = spelling.split_once('e').unwrap_or((spelling, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0');
    let leading_zeros = digits.len() - significant.len();
    let point = whole.len() as i32 - leading_zeros as i32 + exponent.parse().unwrap_or(0);
    (significant.trim_end_matches('0').into(), point)
}

fn push_joined(out: &mut String, parts: &[&str]) {
    for part in parts {
        out.push_str(part);
    }
}

fn push_zeros(out: &mut String, count: i32) {
    for _ in 0..count {
        out.push('0');
    }
}

fn push_display(out: &mut String, value: impl fmt::Display) {
    write!(out, "{value}").expect("writing to a String does not fail");
}

fn hex_digit(nibble: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(nibble & 15)])
}

/// 2^53−1: beyond it, doubles skip integers.
const INTEGER_MAX: u64 = (1 << 53) - 1;

#[cfg(test)]
mod tests {
    use quickcheck::Gen;
    use serde_json::json;

    use super::*;
    use crate::props;

    #[test]
    fn numbers_are_written_as_ecmascript_writes_them() {
        let check = |double: f64, text: &str| {
            assert_eq!(to_string(&double).as_deref(), Ok(text), "{double:e}");
        };
        check(0.0, "0");
        check(-0.0, "0");
        check(1.0, "1");
        check(-1.5, "-1.5");
        check(f64::from_bits(1), "5e-324");
        check(f64::MAX, "1.7976931348623157e+308");
        check(-f64::MAX, "-1.7976931348623157e+308");
        check(9_007_199_254_740_994.0, "9007199254740994");
        check(295_147_905_179_352_830_000.0, "295147905179352830000");
        check(1e21, "1e+21");
        check(999_999_999_999_999_900_000.0, "999999999999999900000");
        check(1e23, "1e+23");
        check(9.999_999_999_999_997e22, "9.999999999999997e+22");
        check(1e-6, "0.000001");
        check(1e-7, "1e-7");
        check(9.999_999_999_999_997e-7, "9.999999999999997e-7");
        check(333_333_333.333_333_3, "333333333.3333333");
        check(0.44, "0.44");
        check(1_424_953_923_781_206.0 + 0.25, "1424953923781206.2"); // a tie: the even digit
    }

    #[test]
    fn keys_are_in_utf16_order_and_text_is_escaped_as_little_as_possible() {
        let check = |value: Value, text: &str| assert_eq!(to_string(&value).as_deref(), Ok(text));
        check(json!({"b": 1, "a": [true, null]}), r#"{"a":[true,null],"b":1}"#);
        check(json!({"\u{fb33}": 1, "\u{1f600}": 2, "\u{20ac}": 3}), "{\"\u{20ac}\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}");
        check(json!({"a\u{fb33}": 1, "a\u{1f600}": 2, "a": 3}), "{\"a\":3,\"a\u{1f600}\":2,\"a\u{fb33}\":1}");
        check(json!("\u{8}\t\n\u{c}\r\"\\\u{0}\u{1f}\u{7f}</é"), "\"\\b\\t\\n\\f\\r\\\"\\\\\\u0000\\u001f\u{7f}</é\"");
        check(json!({}), "{}");
        check(json!([]), "[]");
    }

    #[test]
    fn an_integer_that_a_double_would_round_is_refused_with_its_place() {
        let check = |value: Value, path: Option<&str>| {
            let found = match of_value(&value) {
                Err(NotCanonical::TooLarge { path, .. }) => Some(path),
                _ => None,
            };
            assert_eq!(found.as_deref(), path, "{value}");
        };
        check(json!(9_007_199_254_740_991_u64), None);
        check(json!(-9_007_199_254_740_991_i64), None);
        check(json!(9_007_199_254_740_992_u64), Some("/"));
        check(json!(-9_007_199_254_740_992_i64), Some("/"));
        check(json!({"a": [0, {"b/c~": u64::MAX}]}), Some("/a/1/b~1c~0"));
        check(json!(i64::MIN), Some("/"));
        check(json!(1e300), None);
    }

    #[test]
    fn a_digest_is_the_hash_of_the_canonical_bytes() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256_hex(b""), empty);
        assert_eq!(digest(&json!({"b": 2, "a": 1})), Ok(sha256_hex(br#"{"a":1,"b":2}"#)));
    }

    #[test]
    fn what_has_no_json_is_an_error() {
        let unwritable = alloc::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(matches!(to_string(&unwritable), Err(NotCanonical::NoJson { .. })));
    }

    #[test]
    fn another_encoder_writes_the_same() {
        for seed in 0..2_000 {
            let value = props::value(&mut Gen::from_size_and_seed(12, seed), 3);
            let theirs = serde_json_canonicalizer::to_string(&value).expect("the oracle takes every value");
            assert_eq!(to_string(&value), Ok(theirs), "seed {seed}");
        }
    }

    #[test]
    fn every_double_is_written_as_the_other_encoder_writes_it() {
        fn holds(bits: u64) -> bool {
            let double = f64::from_bits(bits);
            !double.is_finite() || to_string(&double).ok() == serde_json_canonicalizer::to_string(&double).ok()
        }
        quickcheck::QuickCheck::new().tests(20_000).quickcheck(holds as fn(u64) -> bool);
        for power in -330..310 {
            let double: f64 = alloc::format!("1e{power}").parse().expect("a float");
            assert!([-1, 0, 1].iter().all(|step| holds(double.to_bits().wrapping_add_signed(*step))), "1e{power}");
        }
    }
}

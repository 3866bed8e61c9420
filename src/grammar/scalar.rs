//! What a plain scalar means where a flag, a number or an argument is wanted.
//!
//! Nothing is guessed (fault kinds 4.1 and 4.4): a text is taken as it is written, and what is no flag and no number
//! is nothing.

use crate::{
    grammar::DOLLARS_MAX,
    setup::Usd,
    yaml::{Node, Style, Value},
};

/// Reads a flag: one of the words of YAML's core schema, without quotes.
pub(crate) fn flag(node: &Node) -> Option<bool> {
    match plain(node)? {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Reads a whole number in decimal digits, without quotes; one that is too large is the largest.
pub(crate) fn number(node: &Node) -> Option<u64> {
    let digits = plain(node)?;
    is_whole(digits).then(|| digits.parse().unwrap_or(u64::MAX))
}

/// Reads a number in decimal digits, with a point or without, without quotes.
pub(crate) fn decimal(node: &Node) -> Option<f64> {
    let text = plain(node)?;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let is_part = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (is_whole(whole) && is_part && text.len() <= DECIMAL_MAX).then(|| text.parse().ok())?
}

/// Reads an amount of dollars, in quotes or without.
pub(crate) fn dollars(node: &Node) -> Option<Usd> {
    let most = Usd::from_micro(DOLLARS_MAX * 1_000_000);
    Usd::parse(node.text()?).filter(|amount| *amount <= most)
}

fn is_whole(digits: &str) -> bool {
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

fn plain(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar { text, style: Style::Plain } => Some(text),
        _ => None,
    }
}

/// A longer number is no setting that anybody means.
const DECIMAL_MAX: usize = 32;

//! What a plain scalar means where a flag, a number or an argument is wanted.
//!
//! Nothing is guessed (fault kinds 4.1 and 4.4): a text is taken as it is written, and what is no flag and no number
//! is nothing.

use crate::yaml::{Node, Style, Value};

/// Reads a flag: one of the words of YAML's core schema, without quotes.
pub(super) fn flag(node: &Node) -> Option<bool> {
    match plain(node)? {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Reads a whole number in decimal digits, without quotes; one that is too large is the largest.
pub(super) fn number(node: &Node) -> Option<u32> {
    let digits = plain(node)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    (is_number && !digits.is_empty()).then(|| digits.parse().unwrap_or(u32::MAX))
}

fn plain(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar { text, style: Style::Plain } => Some(text),
        _ => None,
    }
}

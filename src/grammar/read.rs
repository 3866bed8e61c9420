//! From a checked tree to values. What is wrong was told before: here it is left out.

use alloc::{string::String, vec::Vec};

use super::scalar;
use crate::{
    dispatch::{Complexity, Reasoning},
    setup::{Field, FieldKind, Output, Wishes},
    workflow::{SkillUse, TIMEOUT_MINUTES, TIMEOUT_MINUTES_MAX},
    yaml::Node,
};

/// Gives the text behind a key, or an empty one.
pub(crate) fn text(node: &Node, key: &str) -> String {
    said(node, key).unwrap_or_default()
}

/// Gives the text behind a key, where there is one.
pub(crate) fn said(node: &Node, key: &str) -> Option<String> {
    node.get(key).and_then(Node::text).map(String::from)
}

/// Gives the items behind a key.
pub(crate) fn items<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key).and_then(Node::items).unwrap_or_default()
}

/// Gives the texts of a list.
pub(crate) fn words(node: Option<&Node>) -> Vec<String> {
    let items = node.and_then(Node::items).unwrap_or_default();
    items.iter().filter_map(Node::text).map(String::from).collect()
}

/// Gives how long a program may take.
pub(crate) fn minutes(node: &Node) -> u32 {
    let written = node.get("timeout_minutes").and_then(scalar::number);
    let granted = |minutes: u64| u32::try_from(minutes).unwrap_or(TIMEOUT_MINUTES_MAX).clamp(1, TIMEOUT_MINUTES_MAX);
    written.map_or(TIMEOUT_MINUTES, granted)
}

/// Reads a tier.
pub(crate) fn complexity(word: &str) -> Option<Complexity> {
    match word {
        "low" => Some(Complexity::Low),
        "medium" => Some(Complexity::Medium),
        "high" => Some(Complexity::High),
        _ => None,
    }
}

/// Reads an entry of a list of skills; a bare name is injected.
pub(crate) fn skill(node: &Node) -> SkillUse {
    match (node.text(), node.get("discover")) {
        (Some(name), _) => SkillUse::Inject(Vec::from([name.into()])),
        (None, Some(names)) => SkillUse::Discover(words(Some(names))),
        (None, None) => SkillUse::Inject(words(node.get("inject"))),
    }
}

/// Reads what a report has to hold.
pub(crate) fn output(node: &Node) -> Output {
    Output { fields: items(node, "fields").iter().map(field).collect() }
}

fn field(node: &Node) -> Field {
    if let Some(name) = node.text() {
        return Field { name: name.into(), required: true, ..Field::default() };
    }
    let kind = match node.get("kind").and_then(Node::text) {
        Some("table") => FieldKind::Table,
        Some("json") => FieldKind::Json,
        _ => FieldKind::Text,
    };
    let required = node.get("required").and_then(scalar::flag).unwrap_or(true);
    Field { name: text(node, "name"), description: text(node, "description"), required, kind }
}

/// Reads the wishes of a map with `model`, `reasoning` and `sampling`.
pub(crate) fn wishes(node: &Node) -> Wishes {
    Wishes {
        model: said(node, "model"),
        reasoning: reasoning(node),
        ..node.get("sampling").map(sampling).unwrap_or_default()
    }
}

/// Reads how words are drawn.
pub(crate) fn sampling(node: &Node) -> Wishes {
    let decimal = |key: &str| node.get(key).and_then(scalar::decimal);
    let number = |key: &str| node.get(key).and_then(scalar::number);
    Wishes {
        model: None,
        reasoning: None,
        temperature: decimal("temperature"),
        top_p: decimal("top_p"),
        top_k: number("top_k").and_then(|count| i64::try_from(count).ok()),
        min_p: decimal("min_p"),
        presence_penalty: decimal("presence_penalty"),
        repetition_penalty: decimal("repetition_penalty"),
        max_output_tokens: number("max_output_tokens"),
    }
}

/// Reads a reasoning effort.
pub(crate) fn reasoning(node: &Node) -> Option<Reasoning> {
    match node.get("reasoning")?.text()? {
        "none" => Some(Reasoning::None),
        "low" => Some(Reasoning::Low),
        "medium" => Some(Reasoning::Medium),
        "high" | "xhigh" => Some(Reasoning::Xhigh),
        _ => None,
    }
}

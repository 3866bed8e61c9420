//! L19: a key that is unknown or stands twice.

use alloc::{format, vec::Vec};

use super::{Edit, Fix, LintFile, Rule, Severity};
use crate::{
    problem::Problem,
    yaml::{Node, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L19",
    name: "bad-key",
    summary: "a key that is unknown or stands twice",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L19.md"),
};

/// Renames an unknown key, where exactly one known key is near to it and does not stand beside it.
pub(super) fn fix(file: &LintFile<'_>, problem: &Problem) -> Option<Fix> {
    let near = problem.hint.strip_prefix("did you mean `")?.strip_suffix("`?").filter(|near| !near.contains('`'))?;
    let map = map_of(file.parsed.root.as_ref()?, problem.start)?;
    map.get(near).is_none().then(|| Fix {
        title: format!("write {}", quoted(near)),
        edits: Vec::from([Edit { start: problem.start, end: problem.end, text: near.into() }]),
    })
}

/// Finds the map in which a key stands.
fn map_of(node: &Node, key_start: usize) -> Option<&Node> {
    let mut open = Vec::from([node]);
    while let Some(node) = open.pop() {
        let entries = node.entries().unwrap_or_default();
        if entries.iter().any(|(key, _)| key.place.start == key_start) {
            return Some(node);
        }
        open.extend(entries.iter().map(|(_, value)| value).chain(node.items().unwrap_or_default()));
    }
    None
}

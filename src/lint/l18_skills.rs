//! L18: a skill that is not there.

use alloc::{format, vec::Vec};

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::yaml::{Node, quoted};

pub(super) const RULE: Rule = Rule {
    id: "L18",
    name: "unknown-skill",
    summary: "a skill that is not there",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L18.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let skills = &reading.around.skills;
    for at in reading.steps() {
        for node in at.node.get("skill").and_then(Node::items).unwrap_or_default().iter().flat_map(names) {
            let Some(name) = node.text().filter(|name| !name.trim().is_empty() && !skills.contains(name)) else {
                continue;
            };
            let hint = findings.near(name, skills.iter().copied(), format!("write it, as `skills/{name}.md`"));
            findings.add(&RULE, reading.file, node.place, format!("there is no skill {}", quoted(name)), hint);
        }
    }
}

/// Gives the names in an entry of `skill`: one that stands bare, or those under `inject` or `discover`.
fn names(entry: &Node) -> Vec<&Node> {
    let listed = ["inject", "discover"].iter().filter_map(|key| entry.get(key)?.items()).flatten();
    entry.text().map(|_| entry).into_iter().chain(listed).collect()
}

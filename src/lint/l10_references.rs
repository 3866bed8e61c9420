//! L10: a reference to an input or a step that cannot be there.

use alloc::{format, vec::Vec};

use super::{
    Rule, Severity,
    findings::Findings,
    reading::{At, Reading},
};
use crate::{
    workflow::template::{self, Piece},
    yaml::{Node, Place, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L10",
    name: "unresolved-reference",
    summary: "a reference to an input or a step that cannot be there",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L10.md"),
};

/// What stands before the name of a parameter in a reference.
pub(super) const PARAMETER: &str = "input.";
/// For so many steps of a file it is looked up what runs before them: each takes a walk over the routes, and no file
/// that a person keeps has so many steps that refer to others.
const WALKS_MAX: usize = 500;

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let mut walks = 0;
    for at in reading.steps() {
        let mut named = Vec::new();
        for (_, _, node) in at.bindings() {
            let Some(reference) = node.text().filter(|text| !text.trim().is_empty()) else { continue };
            match reference.strip_prefix(PARAMETER) {
                Some(name) => parameter(reading, node, name, findings),
                None => named.extend(step(reading, node, reference, findings).map(|index| (node.place, index))),
            }
        }
        let prompt = at.node.get("prompt").into_iter();
        named.extend(
            prompt
                .flat_map(|node| slots(node).map(|name| (node.place, reading.index_of(name))))
                .filter_map(|(place, index)| Some((place, index?))),
        );
        if !named.is_empty() && walks < WALKS_MAX {
            walks += 1;
            never_before(reading, at, &named, findings);
        }
    }
}

fn parameter(reading: &Reading<'_>, node: &Node, name: &str, findings: &mut Findings) {
    let declared = || reading.workflow.inputs.iter().map(|input| input.name.as_str());
    if declared().any(|own| own == name) {
        return;
    }
    let hint = findings.near(name, declared(), "declare it under `inputs` at the top of the file");
    findings.add(&RULE, reading.file, node.place, format!("this workflow has no input {}", quoted(name)), hint);
}

fn step(reading: &Reading<'_>, node: &Node, name: &str, findings: &mut Findings) -> Option<usize> {
    let found = reading.index_of(name);
    if found.is_none() {
        let otherwise = "a bare word is a step of this file; a text is `str: …`, a parameter `input.NAME`";
        let hint = findings.near(name, reading.names(), otherwise);
        findings.add(&RULE, reading.file, node.place, format!("no step is named {}", quoted(name)), hint);
    }
    found
}

/// Reports references to steps that cannot have run when they are asked for.
fn never_before(reading: &Reading<'_>, at: At<'_>, named: &[(Place, usize)], findings: &mut Findings) {
    let Some(routes) = reading.routes.as_ref().filter(|routes| routes.reachable[at.index]) else { return };
    let before = routes.graph.before(at.index);
    for (place, other) in named {
        let name = quoted(&reading.at(*other).step.name);
        let what = if *other == at.index {
            format!("the step {name} refers to itself, and has no comment when it first runs")
        } else if !before[*other] {
            format!("no route leads from the step {name} to this one, so it has no comment yet")
        } else {
            continue;
        };
        let finding = findings.add(&RULE, reading.file, *place, what, "refer to a step that runs before this one");
        if *other != at.index {
            finding.labels.push(reading.label(reading.at(*other).name_place(), "that step is here"));
        }
    }
}

/// Gives the steps that a prompt refers to.
fn slots(prompt: &Node) -> impl Iterator<Item = &str> {
    template::pieces(prompt.text().unwrap_or_default()).filter_map(|piece| match piece {
        Ok(Piece::Slot { name, .. }) => Some(name),
        Ok(Piece::Text(_)) | Err(_) => None,
    })
}

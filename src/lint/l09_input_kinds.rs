//! L9: an input that is bound to the other kind.

use alloc::format;

use super::{
    Label, Rule, Severity,
    findings::Findings,
    mounting::{Mounted, mounted},
    reading::Reading,
};
use crate::{
    workflow::{Input, InputKind, Mismatch, mismatches},
    yaml::{Node, Place, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L9",
    name: "wrong-kind",
    summary: "an input that is bound to the other kind",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L9.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.steps() {
        let Some(callee) = mounted(at.step).and_then(|name| reading.mounting.find(name)) else { continue };
        let bound = at.bindings();
        for mismatch in mismatches(reading.workflow, at.step, callee.workflow) {
            let Mismatch::Kind { input, found } = mismatch else { continue };
            if let Some((.., node)) = bound.iter().find(|(_, name, _)| *name == input.name) {
                wrong(reading, &callee, input, (node.place, found), findings);
            }
        }
    }
}

fn wrong(
    reading: &Reading<'_>,
    callee: &Mounted<'_>,
    input: &Input,
    (place, found): (Place, InputKind),
    findings: &mut Findings,
) {
    let (wanted, found, name) = (input.kind.word(), found.word(), input.name.as_str());
    let what = format!("the input {} of {} is {wanted:?}, and this is {found:?}", quoted(name), quoted(callee.key));
    let hint = format!("bind {wanted:?}, or a parameter of that kind; a step's comment is a \"str\"");
    let finding = findings.add(&RULE, reading.file, place, what, hint);
    finding.labels.extend(declaration(callee, name, "its kind is declared here"));
}

/// Labels the place where a mounted workflow declares an input, if its file is looked at too.
pub(super) fn declaration(callee: &Mounted<'_>, name: &str, what: &str) -> Option<Label> {
    let file = callee.file?;
    let declared = file.parsed.root.as_ref()?.get("inputs")?.items()?;
    let node = declared.iter().find(|node| node.get("name").and_then(Node::text) == Some(name))?;
    Some(Label { file: file.file.into(), place: node.get("name")?.place, what: what.into() })
}

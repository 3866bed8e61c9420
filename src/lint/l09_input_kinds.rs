//! L9: an input that is bound to the other kind.

use alloc::format;

use super::{
    Label, Rule, Severity,
    findings::Findings,
    l10_references::PARAMETER,
    mounting::{Mounted, mounted},
    reading::Reading,
};
use crate::{
    workflow::{Binding, InputKind, Workflow},
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
        for (_, name, node) in at.bindings() {
            let Some(input) = callee.workflow.inputs.iter().find(|input| input.name == name) else { continue };
            match at.step.inputs.get(name).and_then(|binding| kind_of(binding, reading.workflow)) {
                Some(kind) if kind != input.kind => {
                    wrong(reading, &callee, (name, input.kind), (node.place, kind), findings);
                }
                Some(_) | None => {}
            }
        }
    }
}

fn wrong(
    reading: &Reading<'_>,
    callee: &Mounted<'_>,
    (name, wanted): (&str, InputKind),
    (place, found): (Place, InputKind),
    findings: &mut Findings,
) {
    let (wanted, found) = (word(wanted), word(found));
    let what = format!("the input {} of {} is {wanted:?}, and this is {found:?}", quoted(name), quoted(callee.key));
    let hint = format!("bind {wanted:?}, or a parameter of that kind; a step's comment is a \"str\"");
    let finding = findings.add(&RULE, reading.file, place, what, hint);
    finding.labels.extend(declaration(callee, name, "its kind is declared here"));
}

/// Tells what a binding gives: a parameter has its own kind, a step's comment is a text. `None`: nobody knows it.
fn kind_of(binding: &Binding, workflow: &Workflow) -> Option<InputKind> {
    match binding {
        Binding::Exec(_) => Some(InputKind::Exec),
        Binding::Str(_) => Some(InputKind::Str),
        Binding::Ref(name) => match name.strip_prefix(PARAMETER) {
            None => Some(InputKind::Str),
            Some(name) => workflow.inputs.iter().find(|input| input.name == name).map(|input| input.kind),
        },
    }
}

/// Labels the place where a mounted workflow declares an input, if its file is looked at too.
pub(super) fn declaration(callee: &Mounted<'_>, name: &str, what: &str) -> Option<Label> {
    let file = callee.file?;
    let declared = file.parsed.root.as_ref()?.get("inputs")?.items()?;
    let node = declared.iter().find(|node| node.get("name").and_then(Node::text) == Some(name))?;
    Some(Label { file: file.file.into(), place: node.get("name")?.place, what: what.into() })
}

/// Gives the word for a kind as files write it.
pub(super) fn word(kind: InputKind) -> &'static str {
    match kind {
        InputKind::Exec => "exec",
        InputKind::Str => "str",
    }
}

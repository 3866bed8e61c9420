//! L8: a declared input that is not bound exactly once, or a bound one that is not declared.

use alloc::format;

use super::{
    Rule, Severity,
    findings::Findings,
    l09_input_kinds::declaration,
    mounting::{Mounted, mounted},
    reading::{At, Reading},
};
use crate::{
    workflow::{Input, Mismatch, mismatches},
    yaml::{Node, Place, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L8",
    name: "unbound-input",
    summary: "a declared input that is not bound exactly once, or a bound one that is not declared",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L8.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.steps() {
        let Some(callee) = mounted(at.step).and_then(|name| reading.mounting.find(name)) else { continue };
        let bound = at.bindings();
        for mismatch in mismatches(reading.workflow, at.step, callee.workflow) {
            if findings.is_full() {
                return;
            }
            match mismatch {
                Mismatch::Unbound(input) => unbound(reading, at, &callee, input, findings),
                Mismatch::Undeclared(name) => undeclared(reading, &callee, (name, &bound), findings),
                Mismatch::Kind { .. } => {}
            }
        }
    }
}

fn unbound(reading: &Reading<'_>, at: At<'_>, callee: &Mounted<'_>, input: &Input, findings: &mut Findings) {
    let (name, kind) = (quoted(&input.name), input.kind.word());
    let what = format!("{} wants the input {name}, and nothing is bound to it here", quoted(callee.key));
    let hint = format!("bind it under `inputs`: an {kind:?} value, or `input.NAME` of this workflow");
    let finding = findings.add(&RULE, reading.file, at.place_of("workflow"), what, hint);
    finding.labels.extend(declaration(callee, &input.name, "it is declared here"));
}

fn undeclared(
    reading: &Reading<'_>,
    callee: &Mounted<'_>,
    (name, bound): (&str, &[(Place, &str, &Node)]),
    findings: &mut Findings,
) {
    let declared = callee.workflow.inputs.iter().map(|input| input.name.as_str());
    let Some((place, ..)) = bound.iter().find(|(_, own, _)| *own == name) else { return };
    let what = format!("{} has no input {}", quoted(callee.key), quoted(name));
    let hint = findings.near(name, declared, "leave it out, or declare it there under `inputs`");
    findings.add(&RULE, reading.file, *place, what, hint);
}

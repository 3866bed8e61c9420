//! L7: a mount of a workflow that is not there, of itself, or too deep.

use alloc::{format, vec::Vec};

use super::{
    Label, LintFile, Rule, Severity,
    findings::Findings,
    mounting::{Mounted, mounted},
    reading::{At, Reading},
};
use crate::{
    workflow::{DEPTH_MAX, own_key},
    yaml::{Place, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L7",
    name: "bad-mount",
    summary: "a mount of a workflow that is not there, of itself, or too deep",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L7.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.steps() {
        if findings.is_full() {
            return;
        }
        let Some(name) = mounted(at.step).filter(|name| !name.is_empty()) else { continue };
        match reading.mounting.find(name) {
            None => unknown(reading, at, name, findings),
            Some(callee) => match reading.mounting.way_back(reading.workflow, &callee) {
                Some(way) => circle(reading, at, &way, findings),
                None if reading.mounting.depth(&callee) > DEPTH_MAX => too_deep(reading, at, &callee, findings),
                None => {}
            },
        }
    }
}

fn unknown(reading: &Reading<'_>, at: At<'_>, name: &str, findings: &mut Findings) {
    let otherwise = "a workflow is mounted by its name, or by its path from the folder of the workflows";
    let hint = findings.near(name, reading.mounting.names(), otherwise);
    findings.add(&RULE, reading.file, at.place_of("workflow"), format!("there is no workflow {}", quoted(name)), hint);
}

fn circle(reading: &Reading<'_>, at: At<'_>, way: &[Mounted<'_>], findings: &mut Findings) {
    let names: Vec<_> = way.iter().map(|mounted| quoted(mounted.key)).collect();
    let own = names.last().cloned().unwrap_or_default();
    let what = format!("this mount comes back to its own workflow: {own} → {}", names.join(" → "));
    let hint = "a workflow cannot stand in itself; go round with `next` inside one workflow";
    let finding = findings.add(&RULE, reading.file, at.place_of("workflow"), what, hint);
    for pair in way.windows(2) {
        let Some((file, place)) = pair[0].file.and_then(|file| Some((file, mount_in(file, pair[1].key)?))) else {
            continue;
        };
        let what = format!("{} is mounted here", quoted(pair[1].key));
        finding.labels.push(Label { file: file.file.into(), place, what });
    }
}

/// Finds where a file mounts a workflow.
fn mount_in(file: &LintFile<'_>, key: &str) -> Option<Place> {
    let steps = file.parsed.root.as_ref()?.get("steps")?.items()?;
    let mut mounts = steps.iter().filter_map(|step| step.get("workflow"));
    mounts.find(|node| node.text().is_some_and(|name| name == key || own_key(name) == key)).map(|node| node.place)
}

fn too_deep(reading: &Reading<'_>, at: At<'_>, callee: &Mounted<'_>, findings: &mut Findings) {
    let depth = reading.mounting.depth(callee);
    let way: Vec<_> = reading.mounting.deepest(callee).into_iter().map(quoted).collect();
    let what = format!("{depth} workflows stand in one another here; a run goes at most {DEPTH_MAX} deep");
    let hint = format!("mount fewer in one another: {}", way.join(" → "));
    findings.add(&RULE, reading.file, at.place_of("workflow"), what, hint);
}

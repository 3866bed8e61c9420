//! L15: a workflow of another repository that is not pinned to a commit.

use alloc::format;

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::{
    workflow::{Work, reference::RepoReference},
    yaml::quoted,
};

pub(super) const RULE: Rule = Rule {
    id: "L15",
    name: "unpinned-repo",
    summary: "a workflow of another repository that is not pinned to a commit",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L15.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.steps() {
        let Work::Repo(text) = &at.step.work else { continue };
        // What is no reference was told by the parser.
        let Ok(reference) = RepoReference::parse(text) else { continue };
        if !reference.is_pinned() {
            let what = format!("{} can be moved by whoever writes to that repository", quoted(&reference.revision));
            let hint = "name a commit by its whole ID behind the `@`";
            findings.add(&RULE, reading.file, at.place_of("repo"), what, hint);
        }
    }
}

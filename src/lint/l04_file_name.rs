//! L4: a workflow whose name is not its file's.

use alloc::{format, vec::Vec};

use super::{Edit, Fix, LintFile, Rule, Severity};
use crate::{
    problem::Problem,
    workflow::stem,
    yaml::{as_scalar, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L4",
    name: "name-is-not-the-file",
    summary: "a workflow whose name is not its file's",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L4.md"),
};

/// Puts the file's name in the place of the wrong one.
pub(super) fn fix(file: &LintFile<'_>, problem: &Problem) -> Option<Fix> {
    let stem = stem(&problem.file);
    let written = file.text.get(problem.start..problem.end)?;
    // What stands behind an alias is not written here.
    (!stem.is_empty() && !written.starts_with('*')).then(|| Fix {
        title: format!("name it {}", quoted(stem)),
        edits: Vec::from([Edit { start: problem.start, end: problem.end, text: as_scalar(stem) }]),
    })
}

//! Lint: what is wrong, or probably not meant, in workflow files, each with its place and what would be right.
//!
//! One rule stands in one file of the folder, with its page in `docs/lint/`. What the parser refuses is among the
//! findings, so that one list tells everything. How findings are shown and fixes are written is for the command.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use crate::{
    workflow::{Parsed, Workflow},
    yaml::Place,
};

mod findings;
mod graph;
mod ignore;
mod l01_unique_steps;
mod l02_known_targets;
mod l03_one_work;
mod l04_file_name;
mod l05_unreachable;
mod l06_no_end;
mod l07_mounts;
mod l08_bound_inputs;
mod l09_input_kinds;
mod l10_references;
mod l11_catch_all;
mod l12_fail_route;
mod l13_jumped_gate;
mod l14_tainted;
mod l15_pinned;
mod l16_unbounded;
mod l17_roles;
mod l18_skills;
mod l19_keys;
mod l20_values;
mod l21_ignores;
mod l22_syntax;
mod l23_timeout;
mod l24_dead_route;
mod l25_idle_gate;
mod l26_command_line;
mod mounting;
mod reading;
mod rules;

pub use rules::{rule, rules};

use findings::Findings;
use ignore::{apply, comments};
use mounting::Mounting;
use reading::Reading;
use rules::CHECKS;

/// The rules that a run holds too, beside what the parser refuses by itself: with such a file it cannot work.
pub const HELD_BY_RUNS: [&str; 6] = ["L7", "L8", "L9", "L10", "L17", "L18"];

/// Looks for what is wrong in files, all rules at once.
///
/// The findings are ordered by file, line, column and rule. Those that a comment ignores are among them, with the
/// reason that the comment gives.
pub fn check(files: &[LintFile<'_>], around: &Around<'_>) -> Vec<Finding> {
    let mounting = Mounting::of(files, around);
    let mut all: Vec<Finding> = files.iter().flat_map(|file| check_one(file, around, &mounting)).collect();
    all.sort_by(|a, b| order_of(a).cmp(&order_of(b)));
    all
}

fn check_one<'a>(file: &LintFile<'a>, around: &'a Around<'a>, mounting: &'a Mounting<'a>) -> Vec<Finding> {
    let mut findings = Findings::default();
    findings.add_problems(file);
    if let Some(reading) = Reading::of(file, around, mounting) {
        CHECKS.iter().for_each(|check| check(&reading, &mut findings));
        findings.drop_told(file);
    }
    let mut comments = file.parsed.root.as_ref().map(|root| comments(file.text, root)).unwrap_or_default();
    apply(&mut comments, findings.list());
    // The rules about routes wait until a file has no other mistakes, and rules about a step until that has none.
    let is_whole = file.parsed.problems.iter().all(|problem| problem.rule == "L4");
    comments.iter().for_each(|comment| l21_ignores::report(file.file, comment, is_whole, &mut findings));
    let mut list = findings.into_list();
    for finding in &mut list {
        // What other places repeat through an anchor is not changed for one of them.
        finding.fix.take_if(|fix| fix.edits.iter().any(|edit| is_anchored(file.text, edit.start)));
    }
    list
}

/// Tells whether an anchor stands right before a place.
fn is_anchored(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let word = before.trim_end().rsplit([' ', '\t', '\n', '\r', '[', '{', ',']).next().unwrap_or_default();
    word.starts_with('&')
}

fn order_of(finding: &Finding) -> (&str, usize, usize, usize) {
    let number = finding.rule.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or_default();
    (&finding.file, finding.place.line, finding.place.column, number)
}

/// A file to look at.
#[derive(Clone, Copy, Debug)]
pub struct LintFile<'a> {
    /// The file, as the user names it.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
    /// What the parser made of it.
    pub parsed: &'a Parsed,
}

/// What the files are looked at against.
#[derive(Clone, Debug)]
pub struct Around<'a> {
    /// The roles that have a prompt.
    pub roles: BTreeSet<&'a str>,
    /// The skills that there are.
    pub skills: BTreeSet<&'a str>,
    /// Every workflow that can be mounted, by name or by relative path; also those that are not looked at.
    pub workflows: &'a BTreeMap<String, Workflow>,
}

/// One thing that is wrong, or probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id, such as `L5`.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The file, as the user names it.
    pub file: String,
    /// Where in it.
    pub place: Place,
    /// What is wrong.
    pub what: String,
    /// What would be right, or empty.
    pub hint: String,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// An edit that mends it and changes nothing else.
    pub fix: Option<Fix>,
    /// The reason that an ignore comment gives, where one ignores it.
    pub ignored: Option<String>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It cannot be what was meant.
    Error,
    /// It can be meant, and mostly is not.
    Warning,
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The file, as the user names it.
    pub file: String,
    /// Where in it.
    pub place: Place,
    /// What it has to do with the finding.
    pub what: String,
}

/// How a finding is mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is done, in a few words.
    pub title: String,
    /// The edits, in the order of the file; none touches another.
    pub edits: Vec<Edit>,
}

/// A piece of a file's text that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// What stands there instead.
    pub text: String,
}

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id, such as `L5`; it never changes.
    pub id: &'static str,
    /// Its name, such as `unreachable-step`.
    pub name: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// How bad its findings are.
    pub severity: Severity,
    /// Its page, as markdown: `docs/lint/L5.md`.
    pub page: &'static str,
}

#[cfg(test)]
mod tests;

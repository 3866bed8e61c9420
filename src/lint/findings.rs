//! The findings of a lint, on their way to the list.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use super::{Finding, Label, LintFile, Rule, l04_file_name, l19_keys, l22_syntax, rule};
use crate::{
    nearest::{did_you_mean, nearest},
    problem::{Problem, Related},
    yaml::Place,
};

/// Findings of one file beyond these are not listed: whoever has so many mends some and looks again.
const FINDINGS_MAX: usize = 500;

/// The growing list of the findings of one file.
#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    /// The first that is not listed.
    more: Option<Finding>,
    /// The latest that is not listed.
    dropped: Option<Finding>,
}

impl Findings {
    /// Adds a finding, and gives it back for what belongs to it.
    pub(super) fn add(
        &mut self,
        rule: &Rule,
        file: &str,
        place: Place,
        what: impl Into<String>,
        hint: impl Into<String>,
    ) -> &mut Finding {
        let (what, hint) = (what.into(), hint.into());
        let (rule, severity, labels) = (rule.id, rule.severity, Vec::new());
        let finding =
            Finding { rule, severity, file: file.into(), place, what, hint, labels, fix: None, ignored: None };
        if self.is_full() {
            self.more.get_or_insert_with(|| finding.clone());
            return self.dropped.insert(finding);
        }
        self.list.push(finding);
        self.list.last_mut().expect("one was just added")
    }

    /// Gives the line of a finding of a rule that no comment ignores.
    pub(super) fn line_of(&self, rule: &str) -> Option<usize> {
        let stays = |finding: &&Finding| finding.rule == rule && finding.ignored.is_none();
        self.list.iter().find(stays).map(|finding| finding.place.line)
    }

    /// Tells whether one more would not be listed, so that it need not be looked for.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= FINDINGS_MAX
    }

    /// Asks whether a near name was meant, or says something else where there is none.
    pub(super) fn near<'n>(
        &self,
        wanted: &str,
        known: impl IntoIterator<Item = &'n str>,
        otherwise: impl Into<String>,
    ) -> String {
        let near = if self.is_full() { Vec::new() } else { nearest(wanted, known) };
        if near.is_empty() { otherwise.into() } else { did_you_mean(&near) }
    }

    /// Adds what the parser found; a problem without a rule means that the file cannot be read.
    pub(super) fn add_problems(&mut self, file: &LintFile<'_>) {
        for problem in &file.parsed.problems {
            let rule = rule(&problem.rule).unwrap_or(&l22_syntax::RULE);
            let finding = self.add(rule, file.file, place_of(problem), problem.what.clone(), problem.hint.clone());
            finding.labels = problem.related.iter().map(|related| label_of(file.file, related)).collect();
            finding.fix = match rule.id {
                "L4" => l04_file_name::fix(file, problem),
                "L19" => l19_keys::fix(file, problem),
                _ => None,
            };
        }
    }

    /// Drops what was found about places that the parser told something about, its own findings kept.
    pub(super) fn drop_told(&mut self, file: &LintFile<'_>) {
        let told: BTreeSet<usize> = file.parsed.problems.iter().map(|problem| problem.start).collect();
        let mut place = 0;
        self.list.retain(|finding| {
            place += 1;
            place <= file.parsed.problems.len() || !told.contains(&finding.place.start)
        });
    }

    /// Gives the findings so far.
    pub(super) fn list(&mut self) -> &mut [Finding] {
        &mut self.list
    }

    /// Gives the findings.
    pub(super) fn into_list(self) -> Vec<Finding> {
        let Self { mut list, more, .. } = self;
        list.extend(more.map(|first| Finding {
            what: "there are more findings in this file".into(),
            hint: "they show once those above are mended".into(),
            ..first
        }));
        list
    }
}

fn place_of(problem: &Problem) -> Place {
    Place { line: problem.line, column: problem.column, start: problem.start, end: problem.end }
}

fn label_of(file: &str, related: &Related) -> Label {
    let Related { line, column, start, end, ref what } = *related;
    Label { file: file.into(), place: Place { line, column, start, end }, what: what.clone() }
}

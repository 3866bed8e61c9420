//! The findings of a lint, on their way to the list.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use super::{Finding, Label, LintFile, Rule, l04_file_name, l19_keys, l22_syntax, rule};
use crate::{
    problem::{Problem, Related},
    yaml::Place,
};

/// A growing list of findings.
#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
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
        self.list.push(Finding {
            rule: rule.id,
            severity: rule.severity,
            file: file.into(),
            place,
            what: what.into(),
            hint: hint.into(),
            labels: Vec::new(),
            fix: None,
            ignored: None,
        });
        self.list.last_mut().expect("one was just added")
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
        self.list
    }
}

fn place_of(problem: &Problem) -> Place {
    Place { line: problem.line, column: problem.column, start: problem.start, end: problem.end }
}

fn label_of(file: &str, related: &Related) -> Label {
    let Related { line, column, start, end, ref what } = *related;
    Label { file: file.into(), place: Place { line, column, start, end }, what: what.clone() }
}

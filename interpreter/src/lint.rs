//! Lint at the edge: which files are looked at, how the findings are shown, and how the safe ones are mended.
//!
//! What is wrong with a workflow is for the core's rules; nothing here judges one.

use std::collections::BTreeMap;

use nebuko::{
    lint::{Finding, Severity},
    yaml::Place,
};

mod diff;
mod explain;
mod github;
mod human;
mod json;
mod lines;
mod looked;
mod mend;
mod places;
mod sarif;
mod write;

use lines::{Lines, Region, region};

pub(crate) use explain::{list, list_document, page, page_document, wanted};
pub(crate) use looked::Looked;
pub(crate) use mend::Mended;

/// What a look at some files came to.
pub(crate) struct Report<'a> {
    /// The findings, by file and place; those that a comment ignores are among them.
    findings: &'a [Finding],
    /// The files' texts, by the name that people see.
    texts: BTreeMap<&'a str, Lines<'a>>,
    /// The settings, for regions alone: their lines are never shown, as a key may have been pasted into one.
    settings: BTreeMap<&'a str, Lines<'a>>,
    /// How many files were looked at.
    files: usize,
    /// How many findings were mended; `None` where that was not asked for.
    mended: Option<usize>,
}

/// How many findings there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) ignored: usize,
    /// How many of the errors and warnings have a safe fix.
    pub(crate) fixable: usize,
}

impl<'a> Report<'a> {
    /// Puts findings beside the texts that they are about.
    pub(crate) fn new(looked: &'a Looked, findings: &'a [Finding], mended: Option<usize>) -> Self {
        let texts = looked.texts().map(|(file, text)| (file, Lines::of(text))).collect();
        let settings = looked.settings().map(|(file, text)| (file, Lines::of(text))).collect();
        Self { findings, texts, settings, files: looked.len(), mended }
    }

    /// Gives the region of a place in a file; where nobody has the text it has no length.
    fn region(&self, file: &str, place: Place) -> Region {
        region(self.texts.get(file).or_else(|| self.settings.get(file)), place)
    }

    /// Shows the findings for people, with colours in them.
    pub(crate) fn human(&self) -> String {
        human::findings(self)
    }

    /// Says on a line or two what there is.
    pub(crate) fn summary(&self) -> String {
        human::summary(self)
    }

    /// Says on one line, without colours, what there is.
    pub(crate) fn outcome(&self) -> String {
        human::outcome(self)
    }

    /// Says on one line, without colours, what would be mended and what would be left.
    pub(crate) fn outlook(&self) -> String {
        human::outlook(self)
    }

    /// Gives the findings as one JSON document.
    pub(crate) fn json(&self, diff: Option<&str>) -> String {
        json::document(self, diff)
    }

    /// Gives the findings as SARIF 2.1.0.
    pub(crate) fn sarif(&self) -> String {
        sarif::document(self)
    }

    /// Gives the findings as annotations of GitHub Actions.
    pub(crate) fn github(&self) -> String {
        github::annotations(self)
    }

    /// Counts the findings.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for finding in self.findings {
            match (&finding.ignored, finding.severity) {
                (Some(_), _) => counts.ignored += 1,
                (None, Severity::Error) => counts.errors += 1,
                (None, Severity::Warning) => counts.warnings += 1,
            }
            counts.fixable += usize::from(finding.ignored.is_none() && finding.fix.is_some());
        }
        counts
    }

    /// Gives the findings that count.
    fn live(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.ignored.is_none())
    }
}

/// Gives the word for how bad a finding is.
fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Gives the name of a rule, such as `unreachable-step`.
fn name_of(rule: &str) -> &'static str {
    nebuko::lint::rule(rule).map_or("", |rule| rule.name)
}

#[cfg(test)]
mod tests;

//! What a step demands of its report: its declared fields, the coverage of the requirements ledger, and references
//! that are sound (reference: Step Output Fields, External Reference JSON).
//!
//! A report that does not meet it is refused with words for the agent, which repairs it in the same turn. How often
//! that may happen is for `talk`; where the ledger in force stands in a thread is for the stage.

use alloc::{format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{
        is_visible, references,
        requirements::{self, Ledger, listed},
        tools::Finish,
    },
    markdown::{Guests, Outline, plain},
    setup::Field,
    state::StepFigures,
};

mod fields;
mod render;
#[cfg(test)]
mod tests;

pub(crate) use render::heading;

/// What a step demands of its report.
#[derive(Clone, Copy)]
pub(crate) struct Demand<'s> {
    /// The fields that its report has, in order.
    pub(crate) fields: &'s [Field],
    /// Finds the ledger that a report with a field `coverage` has to cover; `None` where the thread has none.
    pub(crate) ledger: &'s dyn Fn() -> Option<Ledger>,
    /// Who may be called by name in a report.
    pub(crate) guests: &'s dyn Fn() -> Guests,
    /// Counts the characters of references that the run has in earlier reports.
    pub(crate) quoted: &'s dyn Fn() -> usize,
}

/// A report that meets what its step demands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Accepted {
    /// The whole report, as markdown.
    pub(crate) report: String,
    /// What is odd about it and no reason to refuse it, for whoever watches.
    pub(crate) notes: Vec<String>,
}

/// Why a report is refused, in words for the agent that gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Refusal {
    /// Entries of the ledger have no row in the coverage.
    Coverage(String),
    /// Anything else.
    Other(String),
}

impl Refusal {
    /// Gives the words.
    pub(crate) fn words(&self) -> &str {
        let (Self::Coverage(words) | Self::Other(words)) = self;
        words
    }
}

impl Demand<'_> {
    /// Takes what `finish` was given: renders the report, or says what has to be repaired.
    pub(crate) fn take(&self, finish: &Finish) -> Result<Accepted, Refusal> {
        let given = fields::read(self.fields, &finish.fields).map_err(Refusal::Other)?;
        if given.is_empty() && !is_visible(&finish.report) {
            return Err(Refusal::Other("report is empty: finish needs the whole report as markdown".into()));
        }
        let coverage = given.iter().find(|(field, _)| field.is_named(COVERAGE)).map(|(_, text)| &**text);
        let report = if given.is_empty() {
            finish.report.clone()
        } else {
            render::report(&finish.report, &given, &(self.guests)())
        };
        self.weigh(report, coverage)
    }

    /// Takes an answer that is a report by itself. Where fields are required it cannot be one.
    pub(crate) fn take_text(&self, text: &str) -> Result<Accepted, Refusal> {
        let required: Vec<&Field> = self.fields.iter().filter(|field| field.required).collect();
        if !required.is_empty() {
            let names: Vec<&str> = required.iter().map(|field| field.name.as_str()).collect();
            return Err(Refusal::Other(format!(
                "the report of this step has the fields that `## Report` lists, so it is handed in with finish: call \
                 finish and give it, in fields, {}",
                names.join(", ")
            )));
        }
        self.weigh(text.into(), None)
    }

    /// Takes a report that is written out with its fields under their headings, as an outside program hands it in.
    pub(crate) fn take_written(&self, text: &str) -> Result<Accepted, Refusal> {
        let is_there = |field: &&Field| section(text, &field.name).is_some_and(|text| is_visible(&text));
        let lacking = self.fields.iter().filter(|field| field.required && !is_there(field));
        let lacking: Vec<String> = lacking.map(|field| format!("`## {}`", heading(&field.name))).collect();
        if lacking.is_empty() {
            return self.weigh(text.into(), None);
        }
        Err(Refusal::Other(format!("the report lacks {}", lacking.join(", "))))
    }

    fn declares(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.is_named(name))
    }

    fn requires(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.required && field.is_named(name))
    }

    /// Checks a report as a whole.
    fn weigh(&self, report: String, coverage: Option<&str>) -> Result<Accepted, Refusal> {
        references::check(&report, self.quoted).map_err(Refusal::Other)?;
        let own = ledger_of(&report);
        let theirs;
        let mut notes = own.as_ref().map(|ledger| ledger.notes.clone()).unwrap_or_default();
        let covered = coverage.map(String::from).or_else(|| section(&report, COVERAGE));
        // A step that writes the ledger and its coverage at once covers what it writes. One that may write both and
        // writes the ledger alone leaves the coverage to the plan that follows.
        let in_force = match own.as_ref().filter(|_| self.declares(REQUIREMENTS)) {
            _ if !self.declares(COVERAGE) => None,
            Some(_) if covered.is_none() && !self.requires(COVERAGE) => None,
            Some(own) => Some(own),
            None => {
                theirs = (self.ledger)();
                theirs.as_ref()
            }
        };
        if let Some(ledger) = in_force {
            let coverage = requirements::coverage(&covered.unwrap_or_default(), ledger);
            let missing = ledger.missing(&coverage);
            if !missing.is_empty() {
                return Err(Refusal::Coverage(format!("coverage missing: {}", listed(&missing))));
            }
            notes.extend(coverage.notes);
        }
        Ok(Accepted { report, notes })
    }
}

/// Reads the ledger that a report carries under its heading `## Requirements`.
pub(crate) fn ledger_of(report: &str) -> Option<Ledger> {
    requirements::ledger(&section(report, REQUIREMENTS)?)
}

/// Tells whether a report has the heading of a ledger.
pub(crate) fn names_ledger(report: &str) -> bool {
    section(report, REQUIREMENTS).is_some()
}

/// Gives the figures of a step that has its report: what it wrote of a ledger, and how often it was refused.
pub(crate) fn figures(report: &str, spent: &super::Spent) -> StepFigures {
    let ledger = ledger_of(report).unwrap_or_default();
    StepFigures {
        turns: spent.turns,
        ledger_size: ledger.entries.len() as u64,
        ledger_inferred: ledger.inferred() as u64,
        coverage_refusals: spent.coverage_refusals,
        other_refusals: spent.other_refusals,
        ..StepFigures::default()
    }
}

/// Gives what stands in a report under the heading of a field. Of several such headings the last counts: the free text
/// of a report stands before its fields.
fn section(report: &str, field: &str) -> Option<String> {
    let outline = Outline::new(report);
    let wanted = heading(field).to_lowercase();
    let of_field = |level: usize, words: &str| level == 2 && plain(words).to_lowercase() == wanted;
    let found = outline.below(|heading| of_field(heading.level, heading.words)).pop()?;
    report.get(found).map(Into::into)
}

/// The field that holds the ledger (reference).
pub(crate) const REQUIREMENTS: &str = "requirements";
/// The field that says how a plan covers it (reference).
pub(crate) const COVERAGE: &str = "coverage";

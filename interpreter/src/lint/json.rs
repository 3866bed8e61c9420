//! Findings as one JSON document. `docs/commands.md` describes it; a change that a reader could trip over is a new
//! version.

use nebuko::{
    lint::{Edit, Finding, Label},
    yaml::Place,
};
use serde::Serialize;

use super::{Counts, Report, lines::Region, name_of, word};

/// The version of the document.
pub(super) const VERSION: u32 = 1;

/// Gives the document.
pub(super) fn document(report: &Report<'_>, diff: Option<&str>) -> String {
    let Counts { errors, warnings, ignored, fixable } = report.counts();
    let document = Document {
        version: VERSION,
        findings: report.findings.iter().map(|finding| one(report, finding)).collect(),
        summary: Summary { files: report.files, errors, warnings, ignored, fixable, mended: report.mended },
        diff,
    };
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

fn one<'a>(report: &'a Report<'_>, finding: &'a Finding) -> One<'a> {
    One {
        rule: finding.rule,
        name: name_of(finding.rule),
        severity: word(finding.severity),
        at: at(report, &finding.file, finding.place),
        what: &finding.what,
        hint: &finding.hint,
        labels: finding.labels.iter().map(|label| other(report, label)).collect(),
        fix: finding.fix.as_ref().map(|fix| Mending {
            title: &fix.title,
            edits: fix
                .edits
                .iter()
                .map(|Edit { start, end, text }| Change { start: *start, end: *end, text })
                .collect(),
        }),
        ignored: finding.ignored.as_deref(),
    }
}

fn other<'a>(report: &'a Report<'_>, label: &'a Label) -> Other<'a> {
    Other { at: at(report, &label.file, label.place), what: &label.what }
}

fn at<'a>(report: &'a Report<'_>, file: &'a str, place: Place) -> At<'a> {
    let Region { line, column, end_line, end_column } = report.region(file, place);
    At { file, line, column, end_line, end_column, start: place.start, end: place.end }
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    findings: Vec<One<'a>>,
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

#[derive(Serialize)]
struct One<'a> {
    rule: &'a str,
    name: &'a str,
    severity: &'a str,
    #[serde(flatten)]
    at: At<'a>,
    what: &'a str,
    hint: &'a str,
    labels: Vec<Other<'a>>,
    fix: Option<Mending<'a>>,
    ignored: Option<&'a str>,
}

#[derive(Serialize)]
struct At<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: usize,
    end: usize,
}

#[derive(Serialize)]
struct Other<'a> {
    #[serde(flatten)]
    at: At<'a>,
    what: &'a str,
}

#[derive(Serialize)]
struct Mending<'a> {
    title: &'a str,
    edits: Vec<Change<'a>>,
}

#[derive(Serialize)]
struct Change<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    ignored: usize,
    fixable: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    mended: Option<usize>,
}

//! Findings for people: the line with its caret, what belongs to it, what would be right, and the fix as a change.

use std::collections::BTreeMap;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use nebuko::lint::{Finding, Fix, Severity};

use super::{Counts, Report, lines::Lines};
use crate::term::{bold, line};

/// Shows every finding that counts.
pub(super) fn findings(report: &Report<'_>) -> String {
    let renderer = Renderer::styled();
    let mut text = String::new();
    for finding in report.live() {
        text.push_str(&renderer.render(&shown(report, finding)));
        text.push_str("\n\n");
    }
    text
}

/// Says what there is, and what to do about it.
pub(super) fn summary(report: &Report<'_>) -> String {
    let mut text = looked_at(report, &bold(found(report))) + "\n";
    let fixable = report.counts().fixable;
    if fixable > 0 && report.mended.is_none() {
        text.push_str(&format!("`nebuko lint --fix` mends {fixable} of them, with --dry-run it shows how\n"));
    }
    if let Some(first) = report.live().next() {
        text.push_str(&format!("`nebuko lint --explain {}` tells more about a rule\n", first.rule));
    }
    text
}

/// Says what there is.
pub(super) fn outcome(report: &Report<'_>) -> String {
    looked_at(report, &found(report))
}

fn looked_at(report: &Report<'_>, found: &str) -> String {
    let mended = report.mended.map_or_else(String::new, |count| format!("mended {}; ", counted(count, "finding")));
    format!("{mended}{} looked at: {found}", counted(report.files, "file"))
}

/// Says what a fix would mend, and what it would leave.
pub(super) fn outlook(report: &Report<'_>) -> String {
    let mended = counted(report.mended.unwrap_or_default(), "finding");
    format!("would mend {mended} in {}; left: {}", counted(report.files, "file"), found(report))
}

fn found(report: &Report<'_>) -> String {
    let Counts { errors, warnings, ignored, fixable: _ } = report.counts();
    let parts = [(errors, "error"), (warnings, "warning"), (ignored, "ignored finding")];
    let parts: Vec<_> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(count, what)).collect();
    if parts.is_empty() { "no findings".into() } else { parts.join(", ") }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn shown<'a>(report: &'a Report<'_>, finding: &'a Finding) -> Vec<Group<'a>> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(line(&finding.what)).id(finding.rule);
    let own = report.texts.get(finding.file.as_str()).filter(|_| fit_a_screen(report, finding));
    let mut group = match own {
        Some(lines) => title.elements(snippets(report, finding, lines)),
        None => places(finding, Group::with_title(title)),
    };
    if !finding.hint.is_empty() {
        group = group.element(Level::HELP.message(line(&finding.hint)));
    }
    let fix = match (&finding.fix, own) {
        (Some(fix), Some(lines)) => Some(change(&finding.file, lines, fix)),
        (Some(fix), None) => {
            group = group.element(Level::HELP.with_name("fix").message(line(&fix.title)));
            None
        }
        (None, _) => None,
    };
    [group].into_iter().chain(fix).collect()
}

/// Tells whether the lines of a finding and of what belongs to it are worth showing: not those that a program wrote.
fn fit_a_screen(report: &Report<'_>, finding: &Finding) -> bool {
    let own = (finding.file.as_str(), finding.place.start, finding.place.end);
    let labels = finding.labels.iter().map(|label| (label.file.as_str(), label.place.start, label.place.end));
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| (own.0, edit.start, edit.end));
    let mut bounds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (file, start, end) in [own].into_iter().chain(labels).chain(edits) {
        let known = bounds.entry(file).or_insert((start, end));
        *known = (known.0.min(start), known.1.max(end));
    }
    bounds.iter().all(|(file, (start, end))| {
        report.texts.get(file).is_none_or(|lines| {
            let whole = &lines.text[lines.around(*start, *end).0];
            whole.len() <= SHOWN_BYTES_MAX && whole.lines().all(|line| line.len() <= LINE_BYTES_MAX)
        })
    })
}

/// Names the place of a finding and what belongs to it, without their lines.
fn places<'a>(finding: &'a Finding, group: Group<'a>) -> Group<'a> {
    let place = finding.place;
    let group = group.element(Origin::path(line(&finding.file)).line(place.line).char_column(place.column));
    group.elements(finding.labels.iter().map(|label| {
        let (place, what) = (label.place, &label.what);
        Level::NOTE.message(line(&format!("{}:{}:{}: {what}", label.file, place.line, place.column)).into_owned())
    }))
}

/// Gives the lines of the finding, then those of other files that belong to it.
fn snippets<'a>(
    report: &'a Report<'_>,
    finding: &'a Finding,
    lines: &'a Lines<'_>,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let mut own = vec![(AnnotationKind::Primary, lines.first_line(finding.place.start, finding.place.end), None)];
    let mut others: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for label in &finding.labels {
        let marks = if label.file == finding.file { &mut own } else { others.entry(&label.file).or_default() };
        let Some(lines) = report.texts.get(label.file.as_str()) else { continue };
        let span = lines.first_line(label.place.start, label.place.end);
        marks.push((AnnotationKind::Context, span, Some(label.what.as_str())));
    }
    let mut found = vec![snippet(&finding.file, lines, own)];
    for (file, marks) in others {
        if let Some(lines) = report.texts.get(file).filter(|_| !marks.is_empty()) {
            found.push(snippet(file, lines, marks));
        }
    }
    found
}

type Mark<'a> = (AnnotationKind, std::ops::Range<usize>, Option<&'a str>);

fn snippet<'a>(
    file: &'a str,
    lines: &'a Lines<'_>,
    marks: Vec<Mark<'a>>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let start = marks.iter().map(|(_, span, _)| span.start).min().unwrap_or_default();
    let end = marks.iter().map(|(_, span, _)| span.end).max().unwrap_or_default();
    let (whole, number) = lines.around(start, end);
    let offset = whole.start;
    let marks = marks
        .into_iter()
        .map(|(kind, span, what)| kind.span(span.start - offset..span.end - offset).label(what.map(line)));
    Snippet::source(&lines.text[whole]).line_start(number).path(line(file)).annotations(marks.collect::<Vec<_>>())
}

/// Shows a fix as the lines that it changes.
fn change<'a>(file: &'a str, lines: &'a Lines<'_>, fix: &'a Fix) -> Group<'a> {
    let spans: Vec<_> = fix.edits.iter().map(|edit| lines.within(edit.start, edit.end)).collect();
    let start = spans.iter().map(|span| span.start).min().unwrap_or_default();
    let end = spans.iter().map(|span| span.end).max().unwrap_or_default();
    let (whole, number) = lines.around(start, end);
    let offset = whole.start;
    let patches = fix
        .edits
        .iter()
        .zip(spans)
        .map(|(edit, span)| Patch::new(span.start - offset..span.end - offset, edit.text.as_str()));
    let patches = Snippet::source(&lines.text[whole]).line_start(number).path(line(file)).patches(patches);
    Level::HELP.with_name("fix").secondary_title(line(&fix.title)).element(patches)
}

/// A longer line is no line that a person wrote, and takes long to lay out.
const LINE_BYTES_MAX: usize = 2_000;
/// Places that are farther apart are better looked up.
const SHOWN_BYTES_MAX: usize = 64 * 1024;

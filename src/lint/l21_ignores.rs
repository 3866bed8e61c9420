//! L21: an ignore comment that ignores nothing, or says no reason.

use alloc::{format, string::String, vec::Vec};

use super::{
    Edit, Fix, Rule, Severity,
    findings::Findings,
    ignore::{Comment, Name},
    rules,
};
use crate::yaml::quoted;

pub(super) const RULE: Rule = Rule {
    id: "L21",
    name: "bad-ignore",
    summary: "an ignore comment that ignores nothing, or says no reason",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L21.md"),
};

/// Rules that no comment ignores: a run refuses such a file whatever is written in it, and this rule itself.
pub(super) const NEVER: [&str; 14] =
    ["L1", "L2", "L3", "L4", "L7", "L8", "L9", "L10", "L17", "L18", "L19", "L20", "L21", "L22"];

/// What is right in place of a comment that is not.
const FORM: &str = "write `# nebuko: ignore[L12] and the reason`";

/// Reports what is wrong with an ignore comment, once the findings were held against it.
///
/// `is_whole`: every rule was looked at. Where a file has mistakes that keep some from it, nothing is called unused.
pub(super) fn report(file: &str, comment: &Comment<'_>, is_whole: bool, findings: &mut Findings) {
    if comment.names.is_empty() {
        findings.add(&RULE, file, comment.place, "this comment names no rule to ignore", FORM);
    } else if comment.reason.is_empty() {
        let what = "this comment gives no reason, and so ignores nothing";
        findings.add(&RULE, file, comment.place, what, "say behind the `]` why the finding may stay");
    }
    for name in &comment.names {
        match &name.rule {
            None => {
                let near = findings.near(name.text, rules().iter().flat_map(|rule| [rule.id, rule.name]), "");
                findings.add(&RULE, file, name.place, format!("no rule is called {}", quoted(name.text)), near);
            }
            Some(rule) if NEVER.contains(&rule.id) => {
                let what = format!("{} cannot be ignored", rule.id);
                let hint = if rule.id == RULE.id { "mend the comment" } else { "a run refuses the file all the same" };
                findings.add(&RULE, file, name.place, what, hint);
            }
            Some(_) => {}
        }
    }
    if !comment.reason.is_empty() && is_whole {
        unused(file, comment, findings);
    }
}

/// Reports the names of a comment that ignore nothing, all at once: they are taken out together.
fn unused(file: &str, comment: &Comment<'_>, findings: &mut Findings) {
    let idle: Vec<&Name<'_>> = comment.names.iter().filter(|name| name.is_idle()).collect();
    let Some(first) = idle.first() else { return };
    let names: Vec<_> = idle.iter().map(|name| name.text).collect();
    let what = format!("this comment ignores nothing of {} in line {}", names.join(", "), comment.line);
    let elsewhere = findings.line_of(first.rule.map_or("", |rule| rule.id));
    let hint = match elsewhere {
        Some(line) => format!("move it to line {line}, where such a finding stands, or take it out"),
        None => "take it out; it stands on the line of the finding, or alone on the line before".into(),
    };
    let finding = findings.add(&RULE, file, first.place, what, hint);
    if elsewhere.is_some() {
        return;
    }
    let edit = if idle.len() == comment.names.len() {
        Edit { start: comment.around.start, end: comment.around.end, text: String::new() }
    } else {
        let kept: Vec<_> = comment.names.iter().filter(|name| !name.is_idle()).map(|name| name.text).collect();
        Edit { start: comment.inside.start, end: comment.inside.end, text: kept.join(", ") }
    };
    finding.fix = Some(Fix { title: format!("ignore {} no more", names.join(", ")), edits: Vec::from([edit]) });
}

//! L23: a time limit above the longest that is granted.

use alloc::{format, string::ToString, vec::Vec};

use super::{Edit, Fix, Rule, Severity, findings::Findings, reading::Reading};
use crate::{
    workflow::TIMEOUT_MINUTES_MAX,
    yaml::{Place, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L23",
    name: "capped-timeout",
    summary: "a time limit above the longest that is granted",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L23.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.steps() {
        for node in
            ["script", "pre_hook", "post_hook"].iter().filter_map(|key| at.node.get(key)?.get("timeout_minutes"))
        {
            let Some(minutes) = node.text().filter(|text| is_above(text)) else { continue };
            let what = format!("a limit of {} minutes counts as {TIMEOUT_MINUTES_MAX}", quoted(minutes));
            let hint = format!("write {TIMEOUT_MINUTES_MAX}, the most that is granted");
            let finding = findings.add(&RULE, reading.file, node.place, what, hint);
            let Place { start, end, .. } = node.place;
            // Behind an alias stands what is written elsewhere.
            if end - start == minutes.len() {
                let edits = Vec::from([Edit { start, end, text: TIMEOUT_MINUTES_MAX.to_string() }]);
                finding.fix = Some(Fix { title: format!("write {TIMEOUT_MINUTES_MAX}"), edits });
            }
        }
    }
}

fn is_above(text: &str) -> bool {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_number && text.parse().map_or(text.len() > 2, |minutes: u32| minutes > TIMEOUT_MINUTES_MAX)
}

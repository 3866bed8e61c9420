//! L26: a whole command line where the name of a program is wanted.

use alloc::{format, vec::Vec};

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::yaml::{Node, quoted};

pub(super) const RULE: Rule = Rule {
    id: "L26",
    name: "command-line",
    summary: "a whole command line where the name of a program is wanted",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L26.md"),
};

/// The maps of a step that start a program, and the key that names it.
const PROGRAMS: [(&str, &str); 3] = [("script", "command"), ("pre_hook", "path"), ("post_hook", "path")];

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.steps() {
        for (map, key) in PROGRAMS {
            let Some(map) = at.node.get(map) else { continue };
            let Some((node, text)) = map.get(key).and_then(|node| Some((node, node.text()?))) else { continue };
            let Some((program, rest)) = split(text) else { continue };
            let what = format!("no shell takes {} apart: a program of that whole name is started", quoted(text));
            let written = map.get("args").and_then(Node::items).unwrap_or_default();
            let args: Vec<_> = rest.into_iter().chain(written.iter().filter_map(Node::text)).collect();
            let (program, args) = (quoted(&format!("{key}: {program}")), quoted(&format!("args: {args:?}")));
            let hint = format!("write {program} and {args}");
            findings.add(&RULE, reading.file, node.place, what, hint);
        }
    }
}

/// Takes a command line apart at its blanks; `None` for one word.
fn split(text: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = text.split_whitespace();
    let (program, rest) = (words.next()?, words.collect::<Vec<_>>());
    (!rest.is_empty()).then_some((program, rest))
}

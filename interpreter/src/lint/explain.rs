//! The rules themselves: their list, and the page of one.

use nebuko::{
    lint::{self, Rule},
    nearest::{did_you_mean, nearest},
};
use serde_json::json;

use super::{json::VERSION, word};
use crate::{
    error::Error,
    term::{bold, table},
};

/// Finds the rule that was asked for.
///
/// # Errors
/// Usage: there is no such rule; it names the nearest.
pub(crate) fn wanted(id_or_name: &str) -> Result<&'static Rule, Error> {
    lint::rule(id_or_name).ok_or_else(|| {
        let near = nearest(id_or_name, lint::rules().iter().flat_map(|rule| [rule.id, rule.name]));
        let hint = if near.is_empty() { String::new() } else { format!("; {}", did_you_mean(&near)) };
        let why = format!("no rule is called {id_or_name}{hint}");
        Error::usage("explain a rule", why, "`nebuko lint --list` lists them")
    })
}

/// Gives the list of the rules for people.
pub(crate) fn list() -> String {
    let rows = lint::rules().iter().map(|rule| [rule.id, rule.name, word(rule.severity), rule.summary]);
    let rows = [["ID", "NAME", "SEVERITY", "WHAT IT FINDS"]].into_iter().chain(rows);
    table(&rows.map(|row| row.map(str::to_owned).to_vec()).collect::<Vec<_>>())
}

/// Gives the list of the rules as one JSON document.
pub(crate) fn list_document() -> String {
    let rules: Vec<_> = lint::rules().iter().map(document_of).collect();
    format!("{}\n", json!({ "version": VERSION, "rules": rules }))
}

/// Gives a rule and its page as one JSON document.
pub(crate) fn page_document(rule: &Rule) -> String {
    let mut document = document_of(rule);
    document["version"] = VERSION.into();
    document["page"] = rule.page.into();
    format!("{document}\n")
}

fn document_of(rule: &Rule) -> serde_json::Value {
    json!({ "rule": rule.id, "name": rule.name, "severity": word(rule.severity), "summary": rule.summary })
}

/// Gives the page of a rule for a terminal: headings in bold, code indented, and no signs of markdown around them.
pub(crate) fn page(rule: &Rule) -> String {
    let mut text = String::new();
    let mut in_code = false;
    for line in rule.page.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            continue;
        }
        match line.trim_start_matches('#') {
            _ if in_code => text.push_str(format!("    {line}").trim_end()),
            heading if heading.len() < line.len() => text.push_str(&bold(heading.trim().replace('`', ""))),
            plain => text.push_str(&without_links(plain).replace("**", "")),
        }
        text.push('\n');
    }
    text
}

/// Leaves of `[words](target)` the words.
fn without_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(words, target)| Some((words, target.split_once(')')?.1)));
        text.push_str(before);
        match link.filter(|(words, _)| !words.contains(['[', ']'])) {
            Some((words, after)) => {
                text.push_str(words);
                rest = after;
            }
            None => {
                text.push('[');
                rest = after;
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_leave_their_words() {
        let check = |line: &str, expected: &str| assert_eq!(without_links(line), expected);
        check("see [L8](L8.md) and [L9](L9.md).", "see L8 and L9.");
        check("args: [a, b] (c)", "args: [a, b] (c)");
        check("[a][b](c", "[a][b](c");
        check("none", "none");
    }

    #[test]
    fn a_page_is_plain() {
        let rule = Rule {
            page: "# L1 `same-name`\n\nTwo **steps**, see [L2](L2.md).\n\n```yaml\n# a comment\n\nname: x\n```\n## Mend\n",
            ..lint::rules()[0]
        };
        let shown = anstream::adapter::strip_str(&page(&rule)).to_string();
        assert_eq!(shown, "L1 same-name\n\nTwo steps, see L2.\n\n    # a comment\n\n    name: x\nMend\n");
    }

    #[test]
    fn a_rule_is_found_by_its_name_or_the_nearest_is_told() {
        let rule = lint::rules()[4];
        for name in [rule.id, rule.name] {
            assert_eq!(wanted(name).expect("it is there").id, rule.id);
        }
        let error = wanted(&format!("{}x", rule.name)).expect_err("there is none").to_string();
        assert!(error.contains(rule.name) && error.contains("--list"), "{error}");
    }

    #[test]
    fn what_cannot_be_read_has_its_rule() {
        assert_eq!(lint::rule("L22").expect("it is there").name, "unreadable");
    }
}

//! The pages of the rules: their examples do what they say, and their index lists them all.

use super::*;

#[test]
fn what_a_page_says_fails_does_and_what_it_says_passes_does() {
    for rule in rules() {
        let found = lint(&examples(rule, "Fails"));
        let ids: BTreeSet<_> = found.iter().map(|finding| finding.rule).collect();
        assert_eq!(ids, BTreeSet::from([rule.id]), "{found:#?}");
        assert!(found.iter().all(|finding| finding.ignored.is_none()), "{found:#?}");
        let left = lint(&examples(rule, "Passes"));
        assert!(left.iter().all(|finding| finding.ignored.is_some()), "{}: {left:#?}", rule.id);
    }
}

/// A fix does away with its finding and brings no other.
#[test]
fn what_can_be_mended_is_gone_when_it_is() {
    let mut fixes = 0;
    for rule in rules() {
        let files = examples(rule, "Fails");
        for finding in lint(&files) {
            let Some(fix) = &finding.fix else { continue };
            let mend = |(file, text): &(&str, &str)| {
                let is_meant = *file == finding.file;
                (file.to_string(), if is_meant { mended(text, fix) } else { text.to_string() })
            };
            let files: Vec<_> = files.iter().map(mend).collect();
            let files: Vec<_> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
            assert_eq!(lint(&files), [], "{}: {files:?}", rule.id);
            fixes += 1;
        }
    }
    assert_eq!(fixes, 4);
}

#[test]
fn a_page_tells_how_to_ignore_its_rule_and_the_comment_that_it_shows_does() {
    for rule in rules() {
        let section = section(rule, "To ignore it");
        let comment = section.split('`').find(|span| span.starts_with("# nebuko: ignore["));
        assert_eq!(comment.is_none(), l21_ignores::NEVER.contains(&rule.id), "{}", rule.id);
        let Some(comment) = comment else { continue };
        let files = examples(rule, "Fails");
        let lines: BTreeSet<_> =
            lint(&files).iter().map(|finding| (finding.file.clone(), finding.place.line)).collect();
        let with_comment = |(file, text): &(&str, &str)| {
            let line = |(at, line): (usize, &str)| match lines.contains(&(file.to_string(), at + 1)) {
                true => format!("{comment}\n{line}\n"),
                false => format!("{line}\n"),
            };
            (file.to_string(), text.lines().enumerate().map(line).collect::<String>())
        };
        let files: Vec<_> = files.iter().map(with_comment).collect();
        let files: Vec<_> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        let found = lint(&files);
        assert!(!found.is_empty() && found.iter().all(|finding| finding.ignored.is_some()), "{found:#?}");
    }
}

#[test]
fn nobody_ignores_what_a_run_refuses() {
    let ignored = |id: &&&str| !l21_ignores::NEVER.contains(id);
    assert_eq!(HELD_BY_RUNS.iter().find(ignored), None);
}

#[test]
fn every_rule_has_a_page_and_a_row_of_the_index() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lint");
    let index = fs::read_to_string(folder.join("README.md")).expect("the index can be read");
    let rows: Vec<&str> = index.lines().filter(|line| line.starts_with("| [L")).collect();
    let wanted = |rule: &Rule| {
        let severity = format!("{:?}", rule.severity).to_lowercase();
        format!("| [{0}]({0}.md) | `{1}` | {severity} | {2} |", rule.id, rule.name, rule.summary)
    };
    assert_eq!(rows.len(), rules().len());
    for (row, rule) in rows.iter().zip(rules()) {
        assert!(row.starts_with(&wanted(rule)), "{row} is not {}", wanted(rule));
        assert_eq!(row.ends_with("| never |"), l21_ignores::NEVER.contains(&rule.id), "{row}");
        let title = format!("# {} `{}`: {}\n", rule.id, rule.name, rule.summary);
        assert!(rule.page.starts_with(&title), "{} does not start with {title}", rule.id);
    }
    assert_eq!(fs::read_dir(folder).expect("the pages can be listed").count(), rules().len() + 1);
}

#[test]
fn a_rule_is_found_by_id_and_by_name_and_both_are_its_own() {
    for (place, own) in rules().iter().enumerate() {
        assert_eq!(own.id, format!("L{}", place + 1));
        assert_eq!((rule(own.id), rule(own.name)), (Some(own), Some(own)));
        assert_eq!(rule(&own.id.to_lowercase()), Some(own));
    }
    for unknown in ["", "L", "L0", "L99", "5", "unreachable"] {
        assert_eq!(rule(unknown), None, "{unknown}");
    }
}

/// Gives the files of a section: each is a fence whose first line names it. The line is part of the file.
fn examples(rule: &Rule, heading: &str) -> Vec<(&'static str, &'static str)> {
    let fences = section(rule, heading).split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let named = fences.map(|text| {
        let name = text.lines().next().and_then(|line| line.strip_prefix("# "));
        (name.expect("an example begins with the name of its file"), text)
    });
    let files: Vec<_> = named.collect();
    assert!(!files.is_empty(), "{} shows nothing under {heading}", rule.id);
    files
}

fn section(rule: &Rule, heading: &str) -> &'static str {
    let rest = rule.page.split(&format!("\n## {heading}\n")).nth(1).expect("a page has the section");
    rest.split("\n## ").next().unwrap_or(rest)
}

#[test]
fn what_is_shipped_is_lint_clean() {
    let files: Vec<_> = shipped::WORKFLOWS.iter().map(|(file, text)| (*file, *text)).collect();
    let parsed: Vec<_> = files.iter().map(|(file, text)| workflow::read(file, text)).collect();
    let key = |file: &str| if file.contains('/') { file.to_string() } else { file.replace(".yaml", "") };
    let all = files.iter().zip(&parsed).filter_map(|((file, _), parsed)| Some((key(file), parsed.workflow.clone()?)));
    let workflows: BTreeMap<String, Workflow> = all.collect();
    let roles = shipped::AGENTS.iter().filter_map(|(file, _)| file.strip_prefix("agents/")?.strip_suffix(".md"));
    let around = Around { roles: roles.collect(), skills: BTreeSet::new(), workflows: &workflows };
    let looked: Vec<_> =
        files.iter().zip(&parsed).map(|((file, text), parsed)| LintFile { file, text, parsed }).collect();
    assert_eq!(check(&looked, &around), []);
}

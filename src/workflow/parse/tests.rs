use alloc::{format, string::String};

use super::{whole::stem, *};
use crate::dispatch::Complexity;

mod anything;
mod faults;
mod keys;

const GOOD: &str = "\
name: build
description: Says what it is for.
trigger:
  agents: [architect]
steps:
  - name: plan
    agent: architect
    complexity: high
    prompt: |
      Plan it.
    next: review
  - name: review
    agent: review
    conditions:
      - {on_result: approved, next: null}
      - on_result: default
        next: plan
";

/// Reads a file and gives its problems as `line:column: what`.
fn problems(source: &str) -> Vec<String> {
    let found = parse("workflows/build.yaml", source).err().unwrap_or_default();
    found.iter().map(|problem| format!("{}:{}: {}", problem.line, problem.column, problem.what)).collect()
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(problems(source), expected, "{source}");
}

/// Checks the problems of a file whose one step has some lines more, the first of them on line 5.
#[track_caller]
fn check_step(lines: &str, expected: &[&str]) {
    check(&format!("name: build\nsteps:\n  - name: a\n    agent: dev\n{lines}"), expected);
}

#[test]
fn a_good_file_gives_its_workflow() {
    let read = parse("workflows/build.yaml", GOOD).expect("nothing is wrong with it");
    let names: Vec<_> = read.steps.iter().map(|step| (step.name.as_str(), step.role())).collect();
    assert_eq!((read.name.as_str(), read.location.as_str()), ("build", "workflows/build.yaml"));
    assert_eq!(read.description, "Says what it is for.");
    assert_eq!(names, [("plan", "architect"), ("review", "review")]);
    assert_eq!(read.steps[0].next.as_deref(), Some("review"));
    assert_eq!(read.steps[0].prompt.as_deref(), Some("Plan it.\n"));
    assert_eq!(read.steps[0].complexity, Some(Complexity::High));
    let routes: Vec<_> = read.steps[1].conditions.iter().map(|c| (c.on_result.as_str(), c.next.as_deref())).collect();
    assert_eq!(routes, [("approved", None), ("default", Some("plan"))]);
}

#[test]
fn only_a_plain_null_ends_the_workflow() {
    let next = |written: &str| {
        let source =
            format!("name: build\nsteps:\n  - {{name: a, agent: dev{written}}}\n  - {{name: 'null', agent: dev}}\n");
        parse("build.yaml", &source).map(|read| read.steps[0].next.clone())
    };
    let check = |written: &str, expected: Option<&str>| {
        assert_eq!(next(written), Ok(expected.map(String::from)), "{written:?}");
    };
    check("", None);
    check(", next: ", None);
    check(", next: ~", None);
    check(", next: null", None);
    check(", next: 'null'", Some("null"));
    check(", next: \"null\"", Some("null"));
    check(", next: a", Some("a"));
    assert!(next(", next: ''").is_err());
    assert!(next(", next: None").is_err());
}

#[test]
fn a_misspelt_key_gets_the_nearest_as_its_hint() {
    let check = |key: &str, hint: &str| {
        let source = format!("name: build\nsteps:\n  - name: a\n    agent: dev\n    {key}: x\n");
        let found = parse("build.yaml", &source).expect_err("the key is not known");
        assert_eq!(found[0].hint, hint, "{key}");
    };
    check("human_gat", "did you mean `human_gate`?");
    check("condition", "did you mean `conditions`?");
    check("Prompt", "did you mean `prompt`?");
    check("skills", "did you mean `skill`?");
    check("zebra", "");
}

#[test]
fn names_are_there_and_fit_their_place() {
    check("steps: [{name: a, agent: dev}]\n", &["1:1: a workflow needs `name`"]);
    check("name: other\nsteps: [{name: a, agent: dev}]\n", &["1:7: the name `other` is not the file's, `build`"]);
    check("name: build\nsteps: [{agent: dev}]\n", &["2:9: a step needs `name`"]);
    check("name: build\nsteps: [{name: a}]\n", &["2:9: a step needs `agent`, `workflow`, `repo` or `script`"]);
    check("name: build\nsteps: [{name: '', agent: ' '}]\n", &["2:16: `name` is empty", "2:27: `agent` is empty"]);
    check("name: build\nsteps: [{name: \"a --> b\", agent: dev}]\n", &["2:16: `a --> b` cannot be a step's name"]);
    check("name: build\nsteps: [{name: \"a\\nb\", agent: dev}]\n", &["2:16: `a\u{fffd}b` cannot be a step's name"]);
    check("name: build\nsteps: [{name: a, agent: \"dev -->\"}]\n", &["2:26: `dev -->` cannot be a role"]);
    check("name: build\nsteps: [{name: run tests, agent: dev-2_x}]\n", &[]);
}

#[test]
fn a_target_must_be_a_step() {
    check_step("    next: b\n", &["5:11: no step is named `b`"]);
    check_step("    conditions: [{on_result: x, next: bb}]\n", &["5:39: no step is named `bb`"]);
    check_step("    next: b\n  - {name: b, agent: dev}\n", &[]);
    let source = "name: build\nsteps:\n  - {name: review, agent: dev, next: reveiw}\n";
    let found = parse("build.yaml", source).expect_err("nothing is so named");
    assert_eq!(found[0].hint, "did you mean `review`?");
}

/// What is wrong in one place hides nothing of the others.
#[test]
fn what_can_be_read_of_a_broken_file_is_there() {
    let source =
        "name: build\nsteps:\n  - just text\n  - name: b\n    agent: dev\n    next: gone\n  - [x]\n  - name: d\n";
    let found = read("build.yaml", source);
    let workflow = found.workflow.expect("it is a map with a list of steps");
    let names: Vec<_> = workflow.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["", "b", "", "d"]);
    assert_eq!(found.root.and_then(|root| root.get("steps")?.items().map(<[Node]>::len)), Some(4));
    assert_eq!(found.problems.len(), 4);

    let check = |source: &str, workflow: bool, root: bool| {
        let found = read("build.yaml", source);
        assert_eq!((found.workflow.is_some(), found.root.is_some()), (workflow, root), "{source:?}");
        assert!(!found.problems.is_empty(), "{source:?}");
    };
    check("", false, true);
    check("- a\n", false, true);
    check("name: build\n", false, true);
    check("name: build\nsteps: x\n", false, true);
    check("steps: []\n", true, true);
    check("name: build\nsteps: [{name: a, agent: dev}\n", false, false);
}

#[test]
fn everything_is_found_in_one_pass() {
    let source = "name: other\nsteps:\n  - name: a\n    agent: dev\n    agent: review\n    next: gone\n    \
                  human_gate: on\n  - name: a\n    prompt: null\nextra: 1\n";
    check(
        source,
        &[
            "1:7: the name `other` is not the file's, `build`",
            "5:5: the key `agent` stands here and at 4:5",
            "6:11: no step is named `gone`",
            "7:17: `human_gate` must be a flag, not `on`",
            "8:5: a step needs `agent`, `workflow`, `repo` or `script`",
            "8:11: a step named `a` stands at 3:11 already",
            "9:13: `prompt` must be a text, not null",
            "10:1: a workflow has no key `extra`",
        ],
    );
}

#[test]
fn a_name_is_compared_with_the_files_stem() {
    let check = |file: &str, expected: &str| assert_eq!(stem(file), expected, "{file}");
    check("default.yaml", "default");
    check("workflows/default.yml", "default");
    check(r"C:\flows\default.yaml", "default");
    check("built-in:default.yaml", "default");
    check("a.b.yaml", "a.b");
    check("noext", "noext");
    check("", "");
}

#[test]
fn wrong_types_and_nulls_are_errors() {
    check("", &["1:1: a workflow is a map of keys, not null"]);
    check("- a\n", &["1:1: a workflow is a map of keys, not a list"]);
    check("just text\n", &["1:1: a workflow is a map of keys, not a text"]);
    check("name: build\n", &["1:1: a workflow needs `steps`"]);
    check("name: build\nsteps: []\n", &["2:8: `steps` is empty"]);
    check("name: build\nsteps:\n", &["2:6: `steps` must be a list, not null"]);
    check("name: build\nsteps: {a: 1}\n", &["2:8: `steps` must be a list, not a map"]);
    check("name: build\nsteps: [a]\n", &["2:9: a step is a map of keys, not a text"]);
    check("name: null\nsteps: [{name: a, agent: dev}]\n", &["1:7: `name` must be a text, not null"]);
    check_step("    prompt: ~\n", &["5:13: `prompt` must be a text, not null"]);
    check_step("    prompt: [a]\n", &["5:13: `prompt` must be a text, not a list"]);
    check_step("    next: [a]\n", &["5:11: `next` must be a step's name or null, not a list"]);
    check_step("    complexity: hihg\n", &["5:17: `complexity` cannot be `hihg`"]);
    check_step("    complexity: null\n", &["5:17: `complexity` must be a text, not null"]);
    check_step("    conditions: a\n", &["5:17: `conditions` must be a list, not a text"]);
    check_step("    conditions: [{on_result: x}]\n", &["5:18: a condition needs `next`"]);
    check_step("    conditions: [{next: a}]\n", &["5:18: a condition needs `on_result`"]);
    check_step("    conditions: [{on_result: null, next: a}]\n", &["5:30: `on_result` must be a text, not null"]);
}

#[test]
fn a_result_has_one_condition() {
    let twice = "    conditions:\n      - {on_result: x, next: a}\n      - {on_result: X, next: null}\n";
    check_step(twice, &["7:21: a condition for `X` stands at 6:21 already"]);
    check_step("    conditions:\n      - {on_result: x, next: a}\n      - {on_result: y, next: a}\n", &[]);
}

#[test]
fn a_mistake_says_which_rule_it_breaks_and_what_else_belongs_to_it() {
    let check = |lines: &str, rule: &str, span: &str, related: Option<&str>| {
        let source = format!("name: build\nsteps:\n  - name: a\n    agent: dev\n{lines}");
        let found = read("build.yaml", &source).problems;
        let spans: Vec<_> = found.iter().map(|problem| &source[problem.start..problem.end]).collect();
        assert_eq!((found[0].rule.as_ref(), spans[0]), (rule, span), "{lines}");
        let other = found[0].related.first().map(|other| &source[other.start..other.end]);
        assert_eq!(other, related, "{lines}");
    };
    check("  - {name: 'a', agent: dev}\n", "L1", "'a'", Some("a"));
    check("    next: b\n", "L2", "b", None);
    check("    conditions: [{on_result: x, next: b}]\n", "L2", "b", None);
    check("    repo: a/b//c.yaml@d\n", "L3", "repo", Some("agent"));
    check("  - {name: b}\n", "L3", "{name: b}", None);
    check("    prompt: see {{ b }}!\n", "L10", "{{ b }}", None);
    check("    prompt: see {{ b\n", "L10", "{{", None);
    check("outputs: [b]\n", "L10", "b", None);
    check("    next: a\n    next: b\n", "L19", "next", Some("next"));
    check("    nxet: a\n", "L19", "nxet", None);
    check("    output: a\n", "L20", "a", None);
    check("    output: {fields: [a, b, a]}\n", "L20", "a", Some("a"));
    check("    human_gate: yes\n", "L20", "yes", None);
    check("    next: 'x\n", "", "", None);
    let found = read("other.yaml", "name: build\nsteps: [{name: a, agent: dev}]\n").problems;
    assert_eq!((found[0].rule.as_ref(), found[0].start, found[0].end), ("L4", 6, 11));
}

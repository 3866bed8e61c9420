//! Fault kinds 4.1 to 4.4, and files made to cost time.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use std::time::Instant;

use super::{GOOD, check, check_step, problems};
use crate::workflow::{Binding, Work, Workflow, parse};

/// Fault kind 4.1.
#[test]
fn words_that_look_like_booleans_stay_words() {
    let source = "name: build\nsteps:\n  - name: on\n    agent: y\n    next: off\n    conditions:\n      \
                  - {on_result: no, next: off}\n      - {on_result: yes, next: on}\n  - {name: off, agent: n}\n";
    let read = parse("build.yml", source).expect("words are words");
    let (on, off) = (&read.steps[0], &read.steps[1]);
    assert_eq!((on.name.as_str(), on.role(), on.next.as_deref()), ("on", "y", Some("off")));
    assert_eq!((off.name.as_str(), off.role()), ("off", "n"));
    let results: Vec<_> = on.conditions.iter().map(|c| c.on_result.as_str()).collect();
    assert_eq!(results, ["no", "yes"]);
}

/// Fault kind 4.1: a flag is never quietly false.
#[test]
fn a_flag_is_true_false_or_an_error_with_its_line() {
    let gate = |written: &str| {
        let source = format!("name: build\nsteps:\n  - name: a\n    agent: dev\n    human_gate: {written}\n");
        parse("build.yaml", &source).map(|read| read.steps[0].human_gate)
    };
    for (written, expected) in
        [("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false), ("FALSE", false)]
    {
        assert_eq!(gate(written), Ok(expected), "{written}");
    }
    for written in ["yes", "no", "on", "off", "y", "n", "Yes", "tRUE", "1", "0", "'true'", "\"false\"", "~", "", "[]"] {
        let found = gate(written).expect_err("it is no flag");
        assert_eq!((found[0].line, found[0].rule.as_ref()), (5, "L20"), "{written}");
        assert!(found[0].what.starts_with("`human_gate` must be a flag, not "), "{written}: {}", found[0].what);
        assert_eq!(found[0].hint, "write `true` or `false`, without quotes");
    }
    check(
        "name: build\ninputs: [{name: x, kind: str, required: no}]\nsteps: [{name: a, agent: dev}]\n",
        &["2:41: `required` must be a flag, not `no`"],
    );
}

/// Fault kind 4.1: where a gate cannot be read, what is read of the file has one.
#[test]
fn a_gate_that_cannot_be_read_is_closed() {
    let gate = |lines: &str| {
        let source = format!("name: build\nsteps:\n  - name: a\n    agent: dev\n{lines}");
        super::read("build.yaml", &source).workflow.expect("there is a list of steps").steps[0].human_gate
    };
    assert!(gate("    human_gate: yes\n"));
    assert!(gate("    human_gate: {}\n"));
    assert!(!gate("    human_gate: false\n"));
    assert!(!gate(""));
}

/// Fault kind 4.2.
#[test]
fn repeated_and_unknown_keys_are_errors() {
    check_step("    next: a\n    prompt: x\n    next: b\n", &["7:5: the key `next` stands here and at 5:5"]);
    check_step("    human_gat: true\n", &["5:5: a step has no key `human_gat`"]);
    check_step("    condition: []\n", &["5:5: a step has no key `condition`"]);
    check_step("  - name: a\n    agent: dev\n", &["5:11: a step named `a` stands at 3:11 already"]);
    check("name: build\nsteps: [{name: a, agent: dev}]\nzebra: 1\n", &["3:1: a workflow has no key `zebra`"]);
    check_step("    conditions:\n      - {on_result: x, next: a, if: y}\n", &["6:33: a condition has no key `if`"]);
    check_step("    pre_hook: {path: x, argv: [a]}\n", &["5:25: a hook has no key `argv`"]);
    check_step(
        "    inputs: {x: {run: [a]}}\n",
        &["5:17: a value needs `exec` or `str`", "5:18: a value has no key `run`"],
    );
    check("name: build\ntrigger: {agents: [x]}\nsteps: [{name: a, agent: dev}]\n", &[]);
}

/// Fault kind 4.3.
#[test]
fn aliases_work_and_a_bomb_of_them_does_not() {
    let source = "name: build\nsteps:\n  - name: a\n    agent: &role dev\n    prompt: &prompt Do it.\n    \
                  conditions: &routes\n      - {on_result: default, next: b}\n  - {name: b, agent: *role, prompt: *prompt, \
                  conditions: *routes}\n  - {name: c, agent: *role, prompt: *prompt}\n";
    let read = parse("build.yaml", source).expect("three anchors and five aliases");
    assert_eq!(read.steps[1].prompt.as_deref(), Some("Do it."));
    assert_eq!(read.steps[1].conditions, read.steps[0].conditions);

    let before = Instant::now();
    let bomb = crate::yaml::bomb();
    let found = problems(&format!("{bomb}{GOOD}"));
    assert!(found.iter().any(|problem| problem.contains("copy more than")), "{found:?}");
    assert!(before.elapsed().as_millis() < 1_000, "the bomb took {:?}", before.elapsed());
}

/// Fault kind 4.4.
#[test]
fn arguments_reach_the_child_as_they_are_written() {
    let source = "name: build\nsteps:\n  - name: a\n    script:\n      command: run\n      \
                  args: [--port, 8080, true, 1.10, 007, 1e3, '', ' x ', \"null\", 0x1F, .5, ~x]\n      \
                  env: {CI: true, N: 1.10, E: ''}\n  - name: b\n    agent: dev\n    \
                  inputs: {when: {exec: [run, 2024-01-01]}, constant: {str: 007}}\n    \
                  post_hook: {path: x.sh, args: [no, 1_000]}\n";
    let Workflow { steps, .. } = parse("build.yaml", source).expect("all of it is text");
    let Work::Script(script) = &steps[0].work else { unreachable!("the first step is a script") };
    let written = ["--port", "8080", "true", "1.10", "007", "1e3", "", " x ", "null", "0x1F", ".5", "~x"];
    assert_eq!(script.args, written);
    let variables: Vec<_> = script.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(variables, [("CI", "true"), ("E", ""), ("N", "1.10")]);
    assert_eq!(steps[1].inputs["when"], Binding::Exec(["run", "2024-01-01"].map(String::from).to_vec()));
    assert_eq!(steps[1].inputs["constant"], Binding::Str("007".into()));
    assert_eq!(
        steps[1].post_hook.as_ref().map(|hook| hook.args.clone()),
        Some(["no", "1_000"].map(String::from).to_vec())
    );
}

/// Fault kind 4.4: a null is refused, with step, field and index.
#[test]
fn an_argument_that_is_no_text_is_refused_where_it_stands() {
    let script = |args: &str, expected: &[&str]| {
        check(&format!("name: build\nsteps:\n  - name: a\n    script: {{command: x, args: {args}}}\n"), expected);
    };
    script("[--port, null]", &["4:41: `script.args[1]` of step `a` must be a text, not null"]);
    script(
        "[~, x, NULL]",
        &[
            "4:33: `script.args[0]` of step `a` must be a text, not null",
            "4:39: `script.args[2]` of step `a` must be a text, not null",
        ],
    );
    script("[x, ]", &[]);
    script(
        "[{a: b}, [c]]",
        &[
            "4:33: `script.args[0]` of step `a` must be a text, not a map",
            "4:41: `script.args[1]` of step `a` must be a text, not a list",
        ],
    );
    script("--all", &["4:32: `args` must be a list, not a text"]);
    script("null", &["4:32: `args` must be a list, not null"]);
    check_step(
        "    inputs: {x: {exec: [run, null]}}\n",
        &["5:30: `inputs.x.exec[1]` of step `a` must be a text, not null"],
    );
    check_step(
        "    pre_hook:\n      path: x\n      args:\n        - a\n        -\n",
        &["9:10: `pre_hook.args[1]` of step `a` must be a text, not null"],
    );
}

#[test]
fn a_large_file_of_mistakes_is_answered_at_once() {
    let before = Instant::now();
    let step = |n: usize| format!("  - {{name: step-{n}, agent: dev, next: stepp-{n}}}\n");
    let source: String = (0..5_000).map(step).collect();
    let found = problems(&format!("name: build\nsteps:\n{source}"));
    assert_eq!(found.len(), 101);
    let keys: String = (0..50_000).map(|n| format!("stepp{n}: 1\n")).collect();
    assert_eq!(problems(&keys).len(), 101);
    let slots = "{{ x }}".repeat(100_000);
    assert_eq!(problems(&format!("name: build\nsteps: [{{name: a, agent: dev, prompt: '{slots}'}}]\n")).len(), 101);
    let results: String = (0..20_000).map(|n| format!("      - {{on_result: r{n}, next: a}}\n")).collect();
    let many = format!("name: build\nsteps:\n  - name: a\n    agent: dev\n    conditions:\n{results}");
    assert_eq!(problems(&many), Vec::<String>::new());
    assert!(before.elapsed().as_secs() < 30, "it took {:?}", before.elapsed().as_secs().to_string());
}

#[test]
fn a_prompt_refers_to_steps_of_its_file() {
    check_step("    prompt: see {{ a }} and {{a}}\n", &[]);
    check_step("    prompt: see {{ plan }}\n", &["5:17: no step is named `plan`"]);
    check_step("    prompt: |\n      Read {{ a }}.\n      é {{ plan }}\n", &["7:9: no step is named `plan`"]);
    check_step("    prompt: |\r\n      Read on.\r\n      é {{ plan }}\r\n", &["7:9: no step is named `plan`"]);
    check_step("    prompt: \"\\x7b{ plan }}\"\n", &["5:13: no step is named `plan`"]);
    check_step("    prompt: '{{ b }}, {{ b }}'\n", &["5:14: no step is named `b`", "5:23: no step is named `b`"]);
    check_step("    prompt: see {{ input.x }}\n", &["5:17: no step is named `input.x`"]);
    check_step("    prompt: see {{ a\n", &["5:17: this `{{` is never closed"]);
    check_step("    prompt: see {{ }}\n", &["5:17: no step is named between `{{` and `}}`"]);
    check_step("    prompt: see {{ a | b }}\n", &["5:17: no step is named `a | b`"]);
    check_step("    prompt: see {{ {a} }}\n", &["5:17: only a step's name can stand between `{{` and `}}`"]);
    check_step("    prompt: '{ one } { two }} }'\n", &[]);
}

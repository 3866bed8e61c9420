//! Rows for each rule: what is found, at which words, and what is not.

use super::*;

/// Looks at a file of some steps; each finding as its rule and the words at its place.
fn check_steps(steps: &str, expected: &[(&str, &str)]) -> Vec<Finding> {
    check_file(&format!("name: a\nsteps:\n{steps}"), expected)
}

fn check_file(text: &str, expected: &[(&str, &str)]) -> Vec<Finding> {
    let found = lint(&[("a.yaml", text)]);
    let seen: Vec<_> = found
        .iter()
        .filter(|finding| finding.ignored.is_none())
        .map(|finding| (finding.rule, words(text, finding.place)))
        .collect();
    assert_eq!(seen, expected, "{text}\n{found:#?}");
    found
}

fn words(text: &str, place: Place) -> &str {
    text[place.start..place.end].trim_end()
}

const END: &str = "  - {name: z, agent: dev, next: null}\n";

#[test]
fn a_name_is_written_so_that_it_reads_as_the_files() {
    let check = |file: &str, hint: &str| {
        let found = lint(&[(file, "name: c\nsteps: [{name: x, agent: dev, next: null}]\n")]);
        let told: Vec<_> = found.iter().map(|finding| (finding.rule, finding.hint.as_str())).collect();
        assert_eq!(told, [("L4", hint)], "{file}");
    };
    check("a.yaml", "write `name: a`, or rename the file");
    check("a b.yaml", "write `name: \"a b\"`, or rename the file");
    check("null.yaml", "write `name: \"null\"`, or rename the file");
}

#[test]
fn a_merge_key_is_told_and_nothing_that_it_was_to_bring() {
    check_file(
        "name: a\nsteps:\n  - &s {name: x, agent: dev, next: y}\n  - {<<: *s, name: y, next: null}\n",
        &[("L22", "<<")],
    );
    check_file("name: a\nsteps:\n  - &s {name: x, agent: dev, next: null}\n  - {<<: *s}\n", &[("L22", "<<")]);
    check_file("name: a\nsteps:\n  - {name: x, agent: dev, \"<<\": y}\n", &[("L19", "\"<<\"")]);
}

#[test]
fn a_mistake_in_a_route_is_told_once() {
    check_steps("  - {name: x, agent: dev, next: y}\n  - {name: z, agent: dev}\n", &[("L2", "y")]);
    check_steps("  - {name: x, agent: dev, nxet: z}\n  - {name: z, agent: dev}\n", &[("L19", "nxet")]);
    check_steps("  - {name: x, agent: dev}\n  - {name: z, agent: dev}\n", &[("L5", "z")]);
    check_steps(
        "  - {name: x, agent: dev}\n  - {name: y, agent: dev, next: z}\n  - {name: z, agent: dev}\n",
        &[("L5", "y"), ("L5", "z")],
    );
}

#[test]
fn what_releases_a_gate_needs_a_gate() {
    let check = |gate: &str, step: &str, expected: &[(&str, &str)]| {
        check_file(&format!("name: a\n{gate}steps:\n  - {{name: x, agent: dev, {step}}}\n"), expected);
    };
    check("gate: {approvals: 2}\n", "next: null", &[("L25", "gate")]);
    check("gate: {}\n", "human_gate: false", &[("L25", "gate")]);
    check("gate: {approvals: 2}\n", "human_gate: true", &[]);
    check("", "next: null", &[]);
}

#[test]
fn a_program_is_named_and_its_arguments_are_given() {
    let script =
        |script: &str| format!("  - {{name: x, script: {script}, conditions: [{{on_result: default, next: null}}]}}\n");
    let hint = |steps: &str, words: &str| check_steps(steps, &[("L26", words)]).remove(0).hint;
    let found = hint(&script("{command: git status}"), "git status");
    assert_eq!(found, "write `command: git` and `args: [\"status\"]`");
    let found = hint(&script("{command: ' git  log ', args: [-1]}"), "' git  log '");
    assert_eq!(found, "write `command: git` and `args: [\"log\", \"-1\"]`");
    hint("  - {name: x, agent: dev, pre_hook: {path: scripts/a.sh --fast}}\n", "scripts/a.sh --fast");
    hint("  - {name: x, agent: dev, post_hook: {path: scripts/a.sh b}}\n", "scripts/a.sh b");
    check_steps(&script("{command: git, args: [a b]}"), &[]);
    check_steps("  - {name: x, agent: dev, pre_hook: {path: scripts/a.sh}}\n", &[]);
}

#[test]
fn steps_that_never_end_are_told_together() {
    let found = check_steps(
        "  - {name: x, agent: dev, conditions: [{on_result: no, next: null}], next: y}\n  \
         - {name: y, agent: dev, next: z}\n  - {name: z, agent: dev, next: y}\n",
        &[("L6", "y")],
    );
    assert_eq!(found[0].labels.len(), 1);
    check_steps("  - {name: x, agent: dev, next: x}\n", &[("L6", "x")]);
    check_steps("  - {name: x, agent: dev}\n", &[]);
}

#[test]
fn conditions_take_every_result_or_say_what_is_left() {
    let step = |rest: &str| format!("  - {{name: x, {rest}}}\n{END}");
    check_steps(&step("agent: dev, conditions: [{on_result: ok, next: z}]"), &[("L11", "conditions")]);
    check_steps(&step("agent: dev, conditions: [{on_result: ok, next: z}], next: null"), &[]);
    check_steps(&step("agent: dev, conditions: [{on_result: Default, next: z}]"), &[]);
    check_steps(&step("agent: dev, conditions: [{on_result: default, next: z}], next: z"), &[("L24", "z")]);
    check_steps(&step("agent: dev, conditions: [], next: z"), &[]);
    let script = |rest: &str| step(&format!("script: {{command: make}}, {rest}"));
    check_steps(&script("next: z"), &[("L12", "x")]);
    check_steps(&script("conditions: [{on_result: pass, next: z}]"), &[("L12", "x"), ("L11", "conditions")]);
    check_steps(&script("conditions: [{on_result: fail, next: z}], next: z"), &[]);
    check_steps(&script("conditions: [{on_result: FAIL, next: z}, {on_result: pass, next: null}]"), &[]);
    let both = "conditions: [{on_result: fail, next: z}, {on_result: pass, next: null}";
    check_steps(&script(&format!("{both}], next: z")), &[("L24", "z")]);
    check_steps(&script(&format!("{both}, {{on_result: default, next: z}}]")), &[("L24", "default")]);
    check_steps(&script(&format!("{both}, {{on_result: rejected, next: z}}]")), &[("L24", "rejected")]);
    check_steps(&script(&format!("human_gate: true, {both}, {{on_result: rejected, next: z}}]")), &[]);
}

#[test]
fn a_broken_step_is_not_told_to_lack_what_it_may_have() {
    let step = "  - {name: x, agent: dev, conditions: [{on_result: ok, next: null, on: z}]}\n";
    check_steps(step, &[("L19", "on")]);
    check_steps("  - {name: x, script: {command: make}, condition: []}\n", &[("L19", "condition")]);
    check_steps("  - {name: x, agent: 'no body'}\n", &[("L20", "'no body'")]);
    check_file("- a\n", &[("L20", "- a")]);
    check_file("name: a\nsteps: []\n", &[("L20", "[]")]);
}

#[test]
fn mounts_lead_to_other_workflows() {
    check_steps("  - {name: x, workflow: b}\n", &[("L7", "b")]);
    let found = check_steps("  - {name: x, workflow: a}\n", &[("L7", "a")]);
    assert_eq!(found[0].what, "this mount comes back to its own workflow: `a` → `a`");
    let near = lint(&[
        ("build.yaml", "name: build\nsteps:\n  - {name: x, workflow: tset}\n"),
        ("test.yaml", "name: test\nsteps:\n  - {name: x, agent: dev}\n"),
    ]);
    assert_eq!((near.len(), near[0].hint.as_str()), (1, "did you mean `test`?"));
    let path = lint(&[
        ("build.yaml", "name: build\nsteps:\n  - {name: x, workflow: sub/test.yaml}\n"),
        ("sub/test.yaml", "name: test\nsteps:\n  - {name: x, agent: dev}\n"),
    ]);
    assert_eq!(path, []);
}

#[test]
fn a_circle_of_files_is_told_in_each_with_all_its_places() {
    let mount = |own: &str, other: &str| format!("name: {own}\nsteps:\n  - {{name: x, workflow: {other}}}\n");
    let (a, b, c) = (mount("a", "b"), mount("b", "c"), mount("c", "b"));
    let found = lint(&[("a.yaml", &a), ("b.yaml", &b), ("c.yaml", &c)]);
    let places: Vec<_> = found.iter().map(|finding| (finding.file.as_str(), finding.rule)).collect();
    assert_eq!(places, [("b.yaml", "L7"), ("c.yaml", "L7")]);
    assert_eq!(found[0].what, "this mount comes back to its own workflow: `b` → `c` → `b`");
    let labels: Vec<_> = found[0].labels.iter().map(|label| (label.file.as_str(), words(&c, label.place))).collect();
    assert_eq!(labels, [("c.yaml", "b")]);
}

#[test]
fn sixteen_workflows_may_stand_in_one_another_below_the_first() {
    let chain = |length: usize| {
        let file = |at: usize| {
            let work = if at + 1 < length { format!("workflow: w{}", at + 1) } else { "agent: dev".into() };
            (format!("w{at}.yaml"), format!("name: w{at}\nsteps:\n  - {{name: x, {work}}}\n"))
        };
        let files: Vec<_> = (0..length).map(file).collect();
        let files: Vec<_> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        lint(&files).iter().map(|finding| (finding.file.clone(), finding.rule)).collect::<Vec<_>>()
    };
    assert_eq!(chain(17), []);
    assert_eq!(chain(18), [("w0.yaml".to_string(), "L7")]);
    assert_eq!(chain(19), [("w0.yaml".to_string(), "L7"), ("w1.yaml".to_string(), "L7")]);
}

const CALLEE: &str = "name: b\ninputs:\n  - {name: cmd, kind: exec}\n  - {name: words, kind: str, required: false}\n\
                      steps:\n  - {name: y, agent: dev, inputs: {cmd: input.cmd, words: input.words}}\n";

#[test]
fn what_a_mounted_workflow_declares_is_bound_once_and_in_kind() {
    let check = |inputs: &str, expected: &[(&str, &str)]| {
        let text = format!(
            "name: a\ninputs: [{{name: run, kind: exec}}, {{name: say, kind: str}}]\nsteps:\n  \
             - {{name: p, agent: dev, next: x}}\n  - {{name: x, workflow: b{inputs}}}\n"
        );
        let found = lint(&[("a.yaml", &text), ("b.yaml", CALLEE)]);
        let seen: Vec<_> = found.iter().map(|finding| (finding.rule, words(&text, finding.place))).collect();
        assert_eq!(seen, expected, "{text}\n{found:#?}");
        found
    };
    check(", inputs: {cmd: {exec: [make]}, words: {str: hello}}", &[]);
    check(", inputs: {cmd: input.run, words: input.say}", &[]);
    check(", inputs: {cmd: input.run, words: p}", &[]);
    check(", inputs: {cmd: input.say, words: input.run}", &[("L9", "input.say"), ("L9", "input.run")]);
    check(", inputs: {cmd: p, words: {exec: [make]}}", &[("L9", "p"), ("L9", "{exec: [make]}")]);
    check("", &[("L8", "b"), ("L8", "b")]);
    check(", inputs: {cmd: input.run}", &[("L8", "b")]);
    check(", inputs: [p]", &[("L8", "b"), ("L8", "b"), ("L8", "p")]);
    check(", inputs: {cmd: input.rum, words: q}", &[("L10", "input.rum"), ("L10", "q")]);
    let found = check(", inputs: {cdm: input.run, words: p}", &[("L8", "b"), ("L8", "cdm")]);
    assert_eq!(found[1].hint, "did you mean `cmd`?");
    assert_eq!((found[0].labels[0].file.as_str(), words(CALLEE, found[0].labels[0].place)), ("b.yaml", "cmd"));
}

#[test]
fn a_reference_is_to_what_ran_before() {
    let steps =
        |rest: &str| format!("  - {{name: x, agent: dev, next: y}}\n  - {{name: y, agent: dev, {rest}}}\n{END}");
    check_steps(&steps("inputs: [x], next: z"), &[]);
    check_steps(&steps("inputs: {a: x}, prompt: 'see {{ x }}', next: z"), &[]);
    check_steps(&steps("inputs: [z], next: z"), &[("L10", "z")]);
    check_steps(&steps("inputs: [y], next: z"), &[("L10", "y")]);
    check_steps(&steps("prompt: 'see {{ z }}', next: z"), &[("L10", "'see {{ z }}'")]);
    check_steps(&steps("prompt: 'see {{ q }}', next: z"), &[("L10", "{{ q }}")]);
    check_steps(&steps("inputs: {a: input.q}, next: z"), &[("L10", "input.q")]);
    let round = "inputs: [z], next: z";
    let back = "  - {name: z, agent: dev, conditions: [{on_result: ok, next: null}, {on_result: default, next: y}]}\n";
    check_steps(&steps(round).replace(END, back), &[]);
}

#[test]
fn loops_of_scripts_alone_are_told() {
    let script = "script: {command: make}, conditions: [{on_result: pass, next: null}, {on_result: fail, next:";
    check_steps(&format!("  - {{name: x, {script} x}}]}}\n"), &[("L16", "x")]);
    check_steps(&format!("  - {{name: x, human_gate: true, {script} x}}]}}\n"), &[]);
    check_steps(&format!("  - {{name: x, {script} y}}]}}\n  - {{name: y, {script} x}}]}}\n"), &[("L16", "x")]);
    check_steps(&format!("  - {{name: x, {script} y}}]}}\n  - {{name: y, agent: dev, next: x}}\n"), &[]);
    let check = |callee: &str, expected: &[&str]| {
        let text = format!("name: a\nsteps:\n  - {{name: x, {script} y}}]}}\n  - {{name: y, workflow: b, next: x}}\n");
        let found = lint(&[("a.yaml", &text), ("b.yaml", &format!("name: b\nsteps:\n  - {{name: z, {callee}}}\n"))]);
        assert_eq!(found.iter().map(|finding| finding.rule).collect::<Vec<_>>(), expected, "{found:#?}");
    };
    check("agent: dev", &[]);
    check("script: {command: make}, conditions: [{on_result: default, next: null}]", &["L16"]);
}

#[test]
fn a_gate_that_can_be_missed_is_told_and_others_are_not() {
    let gate = ("L13", "true");
    // A role that stands on both sides, with an agent before the gate to whom the name means the one before it.
    let shared = "  - {name: x, agent: architect, next: g}\n  - {name: g, agent: review, human_gate: true, next: y}\n  \
                  - {name: y, agent: architect, next: null}\n";
    let found = check_steps(shared, &[gate]);
    assert_eq!(found[0].what, "the step `x` can hand on to `architect` and land behind this gate, at `y`");
    check_steps(&shared.replace("y, agent: architect", "y, agent: dev"), &[]);
    check_steps(&shared.replace("x, agent: architect,", "x, agent: architect, human_gate: true,"), &[]);
    // The gate's own step says `architect`: its dispatch is held.
    check_steps(&shared.replace("g, agent: review", "g, agent: architect"), &[]);
    check_steps(&shared.replace(", human_gate: true", ""), &[]);
    // The nearest step of the role below stands before the gate.
    let near = "  - {name: x, agent: dev, next: p}\n  - {name: p, agent: architect, human_gate: true, next: y}\n  \
                - {name: y, agent: architect, next: null}\n";
    check_steps(near, &[]);

    // A route around.
    let around = "  - {name: x, agent: dev, conditions: [{on_result: small, next: y}], next: g}\n  \
                  - {name: g, agent: architect, human_gate: true, next: y}\n  - {name: y, agent: review, next: null}\n";
    let found = check_steps(around, &[gate]);
    assert_eq!(found[0].labels.len(), 1);
    check_steps(&around.replace("x, agent: dev,", "x, agent: dev, human_gate: true,"), &[]);
    // A release that sends the work back, and a rejection that does.
    let back = "  - {name: x, agent: dev, next: g}\n  - {name: g, agent: review, human_gate: true, conditions: \
                [{on_result: approved, next: null}, {on_result: default, next: x}]}\n";
    check_steps(back, &[]);
    let rejected = "  - {name: x, agent: dev, conditions: [{on_result: bad, next: c}], next: g}\n  - {name: g, agent: \
                    review, human_gate: true, conditions: [{on_result: rejected, next: c}], next: null}\n  \
                    - {name: c, agent: architect, next: null}\n";
    check_steps(rejected, &[]);
    check_steps(&rejected.replace("rejected", "changes"), &[gate]);
}

#[test]
fn strangers_words_do_not_go_into_code() {
    let check = |argv: &str, expected: &[&str]| {
        let text = format!("  - {{name: x, agent: dev, inputs: {{v: {{exec: {argv}}}}}}}\n");
        let expected: Vec<_> = expected.iter().map(|words| ("L14", *words)).collect();
        check_steps(&text, &expected);
    };
    check("[sh, -c, 'echo $TRIGGER_BODY']", &["'echo $TRIGGER_BODY'"]);
    check("[bin/bash, -euxc, 'echo \"${TRIGGER_AUTHOR}\"']", &["'echo \"${TRIGGER_AUTHOR}\"'"]);
    check("[env, A=b, bash, -o, pipefail, -c, 'gh  issue view 1 | wc']", &["'gh  issue view 1 | wc'"]);
    check("[bash, -c, 'x; gh -R a/b pr view 1']", &["'x; gh -R a/b pr view 1'"]);
    check("[bash, -c, 'gh api repos/a/b/issues/1/comments']", &["'gh api repos/a/b/issues/1/comments'"]);
    check("[bash, -c, 'curl -s https://api.example/issues/1']", &["'curl -s https://api.example/issues/1'"]);
    check("[python3, -c, 'open(E[\"GITHUB_EVENT_PATH\"])']", &["'open(E[\"GITHUB_EVENT_PATH\"])'"]);
    check("[node, --eval, 'process.env.STEP_INPUTS']", &["'process.env.STEP_INPUTS'"]);
    check("[deno, eval, 'GITHUB_HEAD_REF']", &["'GITHUB_HEAD_REF'"]);
    check("[echo, $TRIGGER_BODY]", &[]);
    check("[gh, issue, view, '1']", &[]);
    check("[sh, -c, 'echo \"$1\"', _, $TRIGGER_BODY]", &[]);
    check("[sh, -c, 'echo $MY_TRIGGER_BODY2']", &[]);
    check("[sh, scripts/TRIGGER_BODY.sh]", &[]);
    check("[sh, -c]", &[]);
    check("[sh, -c, 'gh issue list; cat view']", &[]);
    check("[nix, develop, -c, TRIGGER_BODY]", &[]);
    check("[cargo, test, -c, TRIGGER_BODY]", &[]);
    let script = "  - {name: x, script: {command: bash, args: [-c, 'echo $TRIGGER_BODY']}, conditions: [{on_result: \
                  default, next: null}]}\n";
    check_steps(script, &[("L14", "'echo $TRIGGER_BODY'")]);
    let hook = "  - {name: x, agent: dev, pre_hook: {path: bin/sh, args: [-c, $TRIGGER_BODY]}}\n";
    check_steps(hook, &[("L14", "$TRIGGER_BODY")]);
}

#[test]
fn names_lead_to_prompts_skills_and_commits() {
    let found = check_steps("  - {name: x, agent: reviewr}\n", &[("L17", "reviewr")]);
    assert_eq!(found[0].hint, "did you mean `review`?");
    let skills = "  - {name: x, agent: dev, skill: [careful, careles, {inject: [thorough, b]}, {discover: [c]}]}\n";
    check_steps(skills, &[("L18", "careles"), ("L18", "b"), ("L18", "c")]);
    let commit = "a1".repeat(20);
    check_steps(&format!("  - {{name: x, repo: o/n//f.yaml@{commit}}}\n"), &[]);
    let short = format!("o/n//f.yaml@{}", &commit[1..]);
    check_steps(&format!("  - {{name: x, repo: {short}}}\n"), &[("L15", &short)]);
    check_steps("  - {name: x, repo: nothing}\n", &[("L20", "nothing")]);
}

#[test]
fn a_file_full_of_mistakes_is_told_up_to_a_bound() {
    let step = |at: usize| format!("  - {{name: s{at}, agent: nobody, next: s{}}}\n", at + 1);
    let text = format!("name: a\nsteps:\n{}  - {{name: s5000, agent: dev}}\n", (0..5000).map(step).collect::<String>());
    let found = lint(&[("a.yaml", &text)]);
    let last = found.last().expect("there are many");
    assert_eq!((found.len(), last.what.as_str()), (501, "there are more findings in this file"));
    assert_eq!((last.rule, last.place.line), ("L17", 503));
    // What a run refuses is told, however much else there is.
    let step = |at: usize| format!("  - {{name: s{at}, agent: dev}}\n");
    let many: String = (0..5000).map(step).collect();
    let found = lint(&[("a.yaml", &format!("name: a\nsteps:\n{many}  - {{name: x, agent: nobody}}\n"))]);
    assert!(found.iter().any(|finding| finding.rule == "L17"), "it is the last of {}", found.len());
}

#[test]
fn fixes_are_offered_where_they_are_safe() {
    let check = |file: &str, text: &str, expected: Option<&str>| {
        let found = lint(&[(file, text)]);
        let fixed = found[0].fix.as_ref().map(|fix| mended(text, fix));
        assert_eq!(fixed.as_deref(), expected, "{text}\n{found:#?}");
    };
    let steps = "steps: [{name: x, agent: dev}]\n";
    check("a.yaml", &format!("name: b # b\n{steps}"), Some(&format!("name: a # b\n{steps}")));
    check("a b.yaml", &format!("name: b\n{steps}"), Some(&format!("name: \"a b\"\n{steps}")));
    check("null.yaml", &format!("name: 'b'\n{steps}"), Some(&format!("name: \"null\"\n{steps}")));
    check("a.yaml", "name: a\nsteps: [{nam: x, agent: dev}]\n", None);
    check("a.yaml", "name: a\nsteps: [{name: x, agnet: dev}]\n", None);
    let gate = |key: &str| format!("name: a\nsteps: [{{name: x, agent: dev, {key}: true}}]\n");
    check("a.yaml", &gate("'human_gat'"), Some(&gate("human_gate")));
    check("a.yaml", &gate("zebra"), None);
    check("a.yaml", &gate("human_gate: true, human_gat"), None);
    check("a.yaml", &gate("human_gate: true, human_gate"), None);
    let limit = |limit: &str| {
        format!("name: a\nsteps: [{{name: x, agent: dev, pre_hook: {{path: p, timeout_minutes: {limit}}}}}]\n")
    };
    check("a.yaml", &limit("61"), Some(&limit("60")));
    check("a.yaml", &limit("99999999999999999999"), Some(&limit("60")));
    assert_eq!(lint(&[("a.yaml", &limit("60"))]), []);
    // What an anchor names is written once and read in many places.
    check("a.yaml", &limit("&t 61"), None);
    check("a.yaml", &format!("name: &n b\n{steps}"), None);
    check("a.yaml", &gate("&k human_gat"), None);
}

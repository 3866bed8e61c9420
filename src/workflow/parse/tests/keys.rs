//! Every key of the grammar, good and bad.

use alloc::{format, string::String, vec::Vec};

use super::{check, check_step};
use crate::{
    dispatch::{Complexity, Reasoning},
    setup::{Field, FieldKind, Output, Wishes},
    workflow::{Binding, GatePolicy, Hook, Input, InputKind, Script, SkillUse, TIMEOUT_MINUTES, Work, grammar, parse},
};

/// A file with every key of the grammar.
pub(super) const EVERY_KEY: &str = "\
name: build
description: All of it.
trigger: whatever
inputs:
  - {name: branch, kind: str, required: false}
  - {name: run_test, kind: exec}
outputs: [review]
gate: {not_by: initiator, approvals: 2}
steps:
  - name: setup
    script:
      command: scripts/setup.sh
      args: [--all]
      working_dir: tools
      env: {CI: 'true'}
      timeout_minutes: 90
    conditions:
      - {on_result: fail, next: null}
  - name: plan
    workflow: part/plan.yaml
    inputs: {branch: input.branch, tests: {exec: [make, test]}, mode: {str: quick}}
  - name: far
    repo: acme/flows//build.yaml@v1
    inputs: [plan, setup]
  - name: review
    agent: dev
    pre_hook: {path: scripts/before.sh, args: [x], timeout_minutes: 5}
    post_hook: {path: scripts/after.sh}
    inputs: {tests: input.run_test, plan: plan}
    skill: [rust, {inject: [a, b]}, {discover: [c]}]
    prompt: Look at {{ plan }}.
    complexity: high
    model: fast
    reasoning: low
    sampling: {temperature: 0.1, top_k: 40, max_output_tokens: 500}
    output: {fields: [summary, {name: coverage, description: Who covers what., required: false, kind: table}]}
    human_gate: true
    next: null
";

#[test]
fn every_key_is_read() {
    let read = parse("build.yaml", EVERY_KEY).expect("nothing is wrong with it");
    let input = |name: &str, kind, required| Input { name: name.into(), kind, required };
    assert_eq!(read.inputs, [input("branch", InputKind::Str, false), input("run_test", InputKind::Exec, true)]);
    assert_eq!(read.outputs, ["review"]);
    assert_eq!(read.gate, GatePolicy { not_by_initiator: true, approvals: 2 });
    let [setup, plan, far, review] = read.steps.as_slice() else { unreachable!("there are four steps") };
    let script = Script {
        command: "scripts/setup.sh".into(),
        args: texts(&["--all"]),
        working_dir: "tools".into(),
        env: [("CI".into(), "true".into())].into(),
        timeout_minutes: 60,
    };
    assert_eq!((&setup.work, setup.conditions.len()), (&Work::Script(script), 1));
    assert_eq!(plan.work, Work::Workflow("part/plan.yaml".into()));
    let bound = [
        ("branch".into(), Binding::Ref("input.branch".into())),
        ("mode".into(), Binding::Str("quick".into())),
        ("tests".into(), Binding::Exec(texts(&["make", "test"]))),
    ];
    assert_eq!(plan.inputs, bound.into());
    assert_eq!(far.work, Work::Repo("acme/flows//build.yaml@v1".into()));
    let listed = ["plan", "setup"].map(|step| (String::from(step), Binding::Ref(step.into())));
    assert_eq!(far.inputs, listed.into());
    let before = Hook { path: "scripts/before.sh".into(), args: texts(&["x"]), timeout_minutes: 5 };
    let after = Hook { path: "scripts/after.sh".into(), args: Vec::new(), timeout_minutes: TIMEOUT_MINUTES };
    assert_eq!((&review.pre_hook, &review.post_hook), (&Some(before), &Some(after)));
    let skills =
        [SkillUse::Inject(texts(&["rust"])), SkillUse::Inject(texts(&["a", "b"])), SkillUse::Discover(texts(&["c"]))];
    assert_eq!(review.skills, skills);
    assert_eq!((review.complexity, review.human_gate), (Some(Complexity::High), true));
    let wishes = Wishes {
        model: Some("fast".into()),
        reasoning: Some(Reasoning::Low),
        temperature: Some(0.1),
        top_k: Some(40),
        max_output_tokens: Some(500),
        ..Wishes::default()
    };
    assert_eq!(review.wishes, wishes);
    let summary = Field { name: "summary".into(), required: true, ..Field::default() };
    let description = "Who covers what.".into();
    let coverage = Field { name: "coverage".into(), description, required: false, kind: FieldKind::Table };
    assert_eq!(review.output, Some(Output { fields: [summary, coverage].into() }));
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| String::from(*text)).collect()
}

/// A key that is added to the table must be added to the file above.
#[test]
fn the_file_with_every_key_has_every_key() {
    let has = |name: &str| EVERY_KEY.contains(&format!("{name}:"));
    for scope in [&grammar::WORKFLOW, &grammar::STEP] {
        let missing: Vec<_> = scope.names().filter(|name| !has(name)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", scope.of);
    }
}

#[test]
fn what_is_not_said_has_its_default() {
    let source = "name: build\ninputs: [{name: x, kind: str}]\nsteps:\n  - name: a\n    script: {command: make}\n";
    let read = parse("build.yaml", source).expect("the least of each");
    assert!(read.inputs[0].required);
    assert_eq!(read.gate, GatePolicy { not_by_initiator: false, approvals: 1 });
    let step = &read.steps[0];
    assert_eq!((step.human_gate, &step.next, step.complexity), (false, &None, None));
    let least = Script { command: "make".into(), timeout_minutes: 30, ..Script::default() };
    assert_eq!(step.work, Work::Script(least));
}

/// Checks the problems of a file with some lines between its name and its one step, the first of them on line 2.
#[track_caller]
fn check_file(lines: &str, expected: &[&str]) {
    check(&format!("name: build\n{lines}steps: [{{name: a, agent: dev}}]\n"), expected);
}

#[test]
fn a_file_declares_what_it_takes_and_gives() {
    check_file("inputs: []\n", &[]);
    check_file("inputs: {a: b}\n", &["2:9: `inputs` must be a list, not a map"]);
    check_file("inputs: [a]\n", &["2:10: an input is a map of keys, not a text"]);
    check_file("inputs: [{kind: str}]\n", &["2:10: an input needs `name`"]);
    check_file("inputs: [{name: x}]\n", &["2:10: an input needs `kind`"]);
    check_file("inputs: [{name: x, kind: int}]\n", &["2:26: `kind` cannot be `int`"]);
    check_file("inputs: [{name: 'a b', kind: str}]\n", &["2:17: `a b` cannot be a parameter's name"]);
    check_file("inputs: [{name: 1x, kind: str}]\n", &["2:17: `1x` cannot be a parameter's name"]);
    check_file(
        "inputs: [{name: x, kind: str}, {name: x, kind: exec}]\n",
        &["2:39: an input named `x` stands at 2:17 already"],
    );
    check_file("outputs: a\n", &[]);
    check_file("outputs: []\n", &[]);
    check_file("outputs: b\n", &["2:10: no step is named `b`"]);
    check_file("outputs: [a, b]\n", &["2:14: no step is named `b`"]);
    check_file("outputs: [a, a]\n", &["2:14: an output `a` stands at 2:11 already"]);
    check_file("outputs: {a: b}\n", &["2:10: `outputs` must be a text or a list, not a map"]);
    check_file("outputs: [null]\n", &["2:11: `outputs[0]` must be a text, not null"]);
    check_file("description: null\n", &["2:14: `description` must be a text, not null"]);
    check_file("description: ''\n", &[]);
}

#[test]
fn a_gate_has_a_policy_for_the_whole_file() {
    check_file("gate: {}\n", &[]);
    check_file("gate: {approvals: 1}\n", &[]);
    check_file("gate: {approvals: 10}\n", &[]);
    check_file("gate: {approvals: 0}\n", &["2:19: `approvals` cannot be `0`"]);
    check_file("gate: {approvals: 11}\n", &["2:19: `approvals` cannot be `11`"]);
    check_file("gate: {approvals: 99999999999999}\n", &["2:19: `approvals` cannot be `99999999999999`"]);
    check_file("gate: {approvals: two}\n", &["2:19: `approvals` must be a whole number, not `two`"]);
    check_file("gate: {not_by: author}\n", &["2:16: `not_by` cannot be `author`"]);
    check_file("gate: true\n", &["2:7: `gate` is a map of keys, not a text"]);
    check_file("gate: {by: dana}\n", &["2:8: `gate` has no key `by`"]);
}

/// Checks the problems of a file whose one step is a script with these keys, on line 4 after `script: `.
#[track_caller]
fn check_script(script: &str, expected: &[&str]) {
    check(&format!("name: build\nsteps:\n  - name: a\n    script: {script}\n"), expected);
}

#[test]
fn a_script_is_a_program_inside_the_repository() {
    for command in ["uv", "scripts/test.sh", "./x", "a b", "..x/y", "x..", "8080"] {
        check_script(&format!("{{command: {command}}}"), &[]);
    }
    for command in ["/bin/sh", "../x", "a/../b", "..", "a/..", r"a\\b"] {
        let what = format!("4:23: `{}` cannot be a program", command.replace(r"\\", r"\"));
        check_script(&format!("{{command: \"{command}\"}}"), &[&what]);
    }
    check_script("{command: \"a\\0b\"}", &["4:23: `a\u{fffd}b` cannot be a program"]);
    check_script("{command: ''}", &["4:23: `command` is empty"]);
    check_script("{command: null}", &["4:23: `command` must be a text, not null"]);
    check_script("{args: [x]}", &["4:13: a script needs `command`"]);
    check_script("make test", &["4:13: a script is a map of keys, not a text"]);
    check_script("{command: x, working_dir: .}", &[]);
    check_script("{command: x, working_dir: /tmp}", &["4:39: `/tmp` cannot be a path in the repository"]);
    check_script("{command: x, working_dir: ''}", &["4:39: `working_dir` is empty"]);
    check_script(
        "{command: x, args: [\"a\\0b\"]}",
        &["4:33: `a\u{fffd}b` cannot be what a program is given, in `script.args[0]` of step `a`"],
    );
}

#[test]
fn a_variable_has_a_name_and_a_value_that_a_process_can_take() {
    let check = |env: &str, expected: &[&str]| check_script(&format!("{{command: x, env: {env}}}"), expected);
    check("{}", &[]);
    check("{A: b, _x.y: 'a=b', 1: 2, E: ''}", &[]);
    check("{'': x}", &["4:32: `` cannot be a variable's name, in `env`"]);
    check("{A=B: x}", &["4:32: `A=B` cannot be a variable's name, in `env`"]);
    check("{\"A\\0\": x}", &["4:32: `A\u{fffd}` cannot be a variable's name, in `env`"]);
    check("{A: \"x\\0y\"}", &["4:35: `x\u{fffd}y` cannot be what a program is given, in `script.env.A` of step `a`"]);
    check("{A: null}", &["4:35: `script.env.A` of step `a` must be a text, not null"]);
    check("{A: [x]}", &["4:35: `script.env.A` of step `a` must be a text, not a list"]);
    check("[A=b]", &["4:31: `env` must be a map of variables, not a list"]);
}

#[test]
fn a_time_limit_is_a_whole_number_of_minutes() {
    let read = |written: &str| {
        let source = format!(
            "name: build\nsteps: [{{name: a, agent: dev, pre_hook: {{path: x, timeout_minutes: {written}}}}}]\n"
        );
        parse("build.yaml", &source).map(|read| read.steps[0].pre_hook.as_ref().map(|hook| hook.timeout_minutes))
    };
    for (written, minutes) in [("1", 1), ("15", 15), ("60", 60), ("61", 60), ("99999999999999999999", 60)] {
        assert_eq!(read(written), Ok(Some(minutes)), "{written}");
    }
    for written in ["0", "-1", "1.5", "'15'", "+5", "015", "1e1", "0x10", "ten", "null", "[1]"] {
        assert!(read(written).is_err_and(|found| found[0].rule == "L20"), "{written}");
    }
}

#[test]
fn a_hook_is_a_script_around_an_agent() {
    check_step("    pre_hook: {path: a/b.sh}\n    post_hook: {path: c.sh, args: [], timeout_minutes: 1}\n", &[]);
    check_step("    pre_hook: {}\n", &["5:15: a hook needs `path`"]);
    check_step("    pre_hook: a.sh\n", &["5:15: a hook is a map of keys, not a text"]);
    check_step("    post_hook: {path: ../a.sh}\n", &["5:23: `../a.sh` cannot be a path in the repository"]);
    check_step("    post_hook: {path: /a.sh}\n", &["5:23: `/a.sh` cannot be a path in the repository"]);
}

#[test]
fn what_is_for_agents_stands_at_agents_only() {
    let on = |work: &str, lines: &str, expected: &[&str]| {
        check(&format!("name: build\nsteps:\n  - name: a\n    {work}\n    {lines}\n"), expected);
    };
    let script = "script: {command: x}";
    for (key, value) in [
        ("pre_hook", "{path: x}"),
        ("post_hook", "{path: x}"),
        ("skill", "[x]"),
        ("prompt", "x"),
        ("complexity", "low"),
        ("model", "fast"),
        ("reasoning", "none"),
        ("sampling", "{top_p: 1}"),
        ("output", "{fields: [a]}"),
    ] {
        let line = format!("{key}: {value}");
        on("agent: dev", &line, &[]);
        on(script, &line, &[&format!("5:5: a step with `script` has no `{key}`")]);
        on("workflow: x", &line, &[&format!("5:5: a step with `workflow` has no `{key}`")]);
        on("repo: a/b//c.yaml@d", &line, &[&format!("5:5: a step with `repo` has no `{key}`")]);
    }
    on(script, "inputs: {x: a}", &["5:5: a step with `script` has no `inputs`"]);
    on("workflow: x", "inputs: {x: a}", &[]);
    on(script, "human_gate: true", &[]);
    on("workflow: x", "human_gate: true", &[]);
}

#[test]
fn a_step_has_exactly_one_work() {
    let on = |works: &str, expected: &[&str]| {
        check(&format!("name: build\nsteps:\n  - name: a\n    {works}\n"), expected);
    };
    on("next: null", &["3:5: a step needs `agent`, `workflow`, `repo` or `script`"]);
    on("agent: dev\n    script: {command: x}", &["5:5: a step has either `agent` or `script`"]);
    on(
        "workflow: x\n    repo: a/b//c.yaml@d\n    agent: dev",
        &["5:5: a step has either `workflow` or `repo`", "6:5: a step has either `workflow` or `agent`"],
    );
    on("agent: null", &["4:12: `agent` must be a text, not null"]);
}

#[test]
fn a_mount_is_a_name_a_path_or_a_reference() {
    let on = |mount: &str, expected: &[&str]| {
        check(&format!("name: build\nsteps:\n  - name: a\n    {mount}\n"), expected);
    };
    for mount in ["part", "part.yaml", "tmp_impl/workflow.yaml", "./part"] {
        on(&format!("workflow: {mount}"), &[]);
    }
    for mount in ["/part", "../part.yaml", "a/../b", "a//b", "acme/flows//a.yaml@v1"] {
        on(&format!("workflow: {mount}"), &[&format!("4:15: `{mount}` cannot be a workflow of this repository")]);
    }
    on("workflow: ''", &["4:15: `workflow` is empty"]);
    on("repo: acme/flows//a.yaml@main", &[]);
    on("repo: acme/flows", &["4:11: `acme/flows` cannot be a workflow of another repository"]);
    on("repo: [a]", &["4:11: `repo` must be a text, not a list"]);
}

#[test]
fn inputs_bind_names_to_commands_constants_and_references() {
    check_step("    inputs: {}\n", &[]);
    check_step("    inputs: []\n", &[]);
    check_step("    inputs: {x: input.y, z: a, n: {str: ''}, e: {exec: [git, diff]}}\n", &[]);
    check_step("    inputs: a\n", &["5:13: `inputs` must be a map or a list, not a text"]);
    check_step("    inputs: {'a b': x}\n", &["5:14: `a b` cannot be a parameter's name, in `inputs`"]);
    check_step("    inputs: {x: null}\n", &["5:17: `x` must be a text or a map, not null"]);
    check_step("    inputs: {x: [a]}\n", &["5:17: `x` must be a text or a map, not a list"]);
    check_step("    inputs: {x: ''}\n", &["5:17: `x` is empty"]);
    check_step("    inputs: {x: input.}\n", &["5:17: `input.` cannot be a reference"]);
    check_step("    inputs: {x: 'input.a b'}\n", &["5:17: `input.a b` cannot be a reference"]);
    check_step("    inputs: {x: {}}\n", &["5:17: a value needs `exec` or `str`"]);
    check_step("    inputs: {x: {exec: [a], str: b}}\n", &["5:29: a value has either `exec` or `str`"]);
    check_step("    inputs: {x: {exec: []}}\n", &["5:24: `exec` is empty"]);
    check_step("    inputs: {x: {exec: ['']}}\n", &["5:25: `inputs.x.exec[0]` of step `a` is empty"]);
    check_step("    inputs: {x: {exec: make test}}\n", &["5:24: `exec` must be a list, not a text"]);
    check_step(
        "    inputs: {x: {exec: [/bin/sh]}}\n",
        &["5:25: `/bin/sh` cannot be a program, in `inputs.x.exec[0]` of step `a`"],
    );
    check_step("    inputs: {x: {str: null}}\n", &["5:23: `str` must be a text, not null"]);
    check_step("    inputs: [a, a]\n", &["5:17: an input `a` stands at 5:14 already"]);
    check_step("    inputs: [input.x]\n", &["5:14: only steps are listed, and `x` is a parameter"]);
    check_step("    inputs: [null]\n", &["5:14: `inputs[0]` of step `a` must be a text, not null"]);
}

#[test]
fn skills_are_names_to_inject_or_discover() {
    check_step("    skill: []\n", &[]);
    check_step("    skill: [rust, {inject: [a]}, {discover: [b, lang/c]}]\n", &[]);
    check_step("    skill: rust\n", &["5:12: `skill` must be a list, not a text"]);
    check_step("    skill: [{}]\n", &["5:13: a skill entry needs `inject` or `discover`"]);
    check_step(
        "    skill: [{inject: [a], discover: [b]}]\n",
        &["5:27: a skill entry has either `inject` or `discover`"],
    );
    check_step("    skill: [{inject: a}]\n", &["5:22: `inject` must be a list, not a text"]);
    check_step("    skill: [{inject: []}]\n", &["5:22: `inject` is empty"]);
    check_step("    skill: [../secret]\n", &["5:13: `../secret` cannot be a skill"]);
    check_step("    skill: [[a]]\n", &["5:13: `skill[0]` of step `a` must be a text or a map, not a list"]);
}

#[test]
fn a_report_has_fields_and_each_has_its_own_name() {
    check_step("    output: {fields: [a, {name: b}]}\n", &[]);
    check_step("    output: {}\n", &["5:13: `output` needs `fields`"]);
    check_step("    output: {fields: []}\n", &["5:22: `fields` is empty"]);
    check_step("    output: [a]\n", &["5:13: `output` is a map of keys, not a list"]);
    check_step(
        "    output: {fields: [[a]]}\n",
        &["5:23: `output.fields[0]` of step `a` must be a text or a map, not a list"],
    );
    check_step("    output: {fields: ['a b']}\n", &["5:23: `a b` cannot be a field's name"]);
    check_step("    output: {fields: [{kind: json}]}\n", &["5:23: a field needs `name`"]);
    check_step("    output: {fields: [{name: a, kind: list}]}\n", &["5:39: `kind` cannot be `list`"]);
    check_step("    output: {fields: [{name: a, required: yes}]}\n", &["5:43: `required` must be a flag, not `yes`"]);
    check_step(
        "    output: {fields: [a, {name: a}]}\n",
        &["5:33: a field with the heading of `a` stands at 5:23 already"],
    );
}

#[test]
fn a_number_is_written_in_digits_and_lies_between_its_bounds() {
    let check = |sampling: &str, expected: &[&str]| check_step(&format!("    sampling: {{{sampling}}}\n"), expected);
    for good in ["temperature: 0", "temperature: 2", "temperature: 0.25", "presence_penalty: -2", "top_p: 1.0"] {
        check(good, &[]);
    }
    for good in ["repetition_penalty: 0.1", "top_k: 0", "min_p: 0", "max_output_tokens: 1", "presence_penalty: -0.5"] {
        check(good, &[]);
    }
    check("temperature: 2.1", &["5:29: `temperature` cannot be `2.1`"]);
    check("temperature: -1", &["5:29: `temperature` cannot be `-1`"]);
    check("presence_penalty: -2.5", &["5:34: `presence_penalty` cannot be `-2.5`"]);
    check("repetition_penalty: 0", &["5:36: `repetition_penalty` cannot be `0`"]);
    check("max_output_tokens: 0", &["5:35: `max_output_tokens` cannot be `0`"]);
    check("top_k: 1.5", &["5:23: `top_k` must be a whole number, not `1.5`"]);
    for bad in ["'1'", "1e0", ".5", "1.", "+1", "--1", "01", "0x1", "1_0", "1,5", "nan", ".inf", "warm", "-0x1"] {
        let what = format!("5:29: `temperature` must be a number, not `{}`", bad.trim_matches('\''));
        let bad = if bad == "1,5" { "'1,5'" } else { bad };
        check(&format!("temperature: {bad}"), &[&what]);
    }
    check("temperature: null", &["5:29: `temperature` must be a number, not null"]);
    check("tempreature: 1", &["5:16: `sampling` has no key `tempreature`"]);
}

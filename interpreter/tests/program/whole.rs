//! Whole runs of the program with real programs in the checkout: mounts, a gate, scripts, hooks and inputs together.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::{Value, json};

use crate::place::Place;

const TOP: &str = "\
name: top
steps:
  - name: build
    workflow: middle
    human_gate: true
    inputs:
      run_test: {exec: [sh, -c, 'echo \"tests for $WORKFLOW_STEP\"']}
    next: ship
  - {name: ship, agent: dev, prompt: 'Announce: {{ build }}', next: null}
";
const MIDDLE: &str = "\
name: middle
inputs: [{name: run_test, kind: exec}]
outputs: [code]
steps:
  - {name: code, workflow: part/leaf.yaml, inputs: {run_test: input.run_test}, next: null}
";
const LEAF: &str = "\
name: leaf
inputs: [{name: run_test, kind: exec}]
outputs: [write]
steps:
  - name: write
    agent: dev
    pre_hook: {path: scripts/note.sh, args: [before]}
    post_hook: {path: scripts/note.sh, args: [after]}
    inputs: {tests: input.run_test}
    next: check
  - name: check
    script: {command: scripts/check.sh}
    conditions: [{on_result: fail, next: write}, {on_result: pass, next: null}]
";
/// Fails when it runs first.
const CHECK: &str = "#!/bin/sh\nif [ -e checked ]; then echo fine; else touch checked; echo broken; exit 1; fi\n";

/// A checkout with the three workflows, their scripts, and a thread in which dana starts the outermost.
fn checkout() -> Place {
    let place = Place::with_a_thread();
    place.write("demo/0001-dana.md", "/nebuko run top\n");
    for (file, text) in [("top.yaml", TOP), ("middle.yaml", MIDDLE), ("part/leaf.yaml", LEAF)] {
        place.write(&format!("flows/{file}"), text);
    }
    for (file, text) in [("check.sh", CHECK), ("note.sh", "#!/bin/sh\necho \"$1 $WORKFLOW_POSITION_PATH\" >> notes\n")]
    {
        place.write(&format!("scripts/{file}"), text);
        let path = place.path(&format!("scripts/{file}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    place
}

/// Runs the program and gives its report; in the state the newest entry stands where the state does.
fn ran(place: &Place, more: &str) -> Value {
    let line = format!("run --local demo --workflows flows --model script:answers.json --json {more}");
    let mut command = place.command(&line);
    command.env("PATH", std::env::var("PATH").expect("programs are found somewhere"));
    command.env("GH_PAT", "a-token-that-nobody-may-see-1234");
    let done = command.output().expect("the program starts");
    let report: Value = serde_json::from_slice(&done.stdout).expect("one document");
    let state = &report["state"];
    let newest = state["history"].as_array().and_then(|history| history.last());
    assert_eq!(newest.map(|entry| &entry["position"]), Some(&state["position"]), "{report}");
    report
}

#[test]
fn three_levels_with_everything_run_to_their_end() {
    let place = checkout();
    let held = ran(&place, "--record first.jsonl");
    assert_eq!((&held["outcome"], &held["reason"]), (&json!("held"), &json!("GATE_WAITS")), "{held}");
    let steps = |report: &Value| -> Vec<String> {
        let history = report["state"]["history"].as_array().expect("a list");
        history.iter().map(|entry| format!("{} {}", entry["step"], entry["result"]).replace('"', "")).collect()
    };
    assert_eq!(steps(&held), ["write done", "check fail", "write done", "check pass"]);
    assert_eq!(held["state"]["history"][0]["inputs"][0]["value"], "tests for write");
    place.write("demo/0099-dana.md", "/nebuko approve gate well done\n");
    let finished = ran(&place, "--record second.jsonl");
    assert_eq!((&finished["outcome"], &finished["step"]), (&json!("finished"), &json!("ship")), "{finished}");
    let at = "top/build|middle/code|part/leaf.yaml/write";
    assert_eq!(place.read("notes"), format!("before {at}\nafter {at}\n").repeat(2));
    let replayed = place.run("replay first.jsonl second.jsonl");
    assert_eq!((replayed.code, replayed.out.matches("the same, byte for byte").count()), (0, 2), "{}", replayed.out);
    assert!(!place.read("first.jsonl").contains("nobody-may-see"));
    let explained = place.run("explain --local demo --workflows flows");
    assert!(explained.code == 0 && explained.out.contains("DECIDED_GATE"), "{}{}", explained.out, explained.err);
}

#[test]
fn single_steps_run_scripts_in_a_row_and_stop_before_the_next_agent() {
    let place = checkout();
    let script = |name: &str, next: &str| format!("  - {{name: {name}, script: {{command: ls}}, next: {next}}}\n");
    let flow =
        format!("name: top\nsteps:\n{}{}  - {{name: dev, agent: dev}}\n", script("one", "two"), script("two", "dev"));
    place.write("flows/top.yaml", &flow);
    fs::remove_file(place.path("flows/middle.yaml")).expect("it is there");
    let report = ran(&place, "--single-step");
    assert_eq!((&report["outcome"], &report["step"]), (&json!("advanced"), &json!("dev")), "{report}");
    assert_eq!(report["state"]["history"].as_array().map(Vec::len), Some(2));
}

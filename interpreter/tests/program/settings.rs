//! The settings: read by a run, shown, and looked at by lint.

use serde_json::Value;

use crate::place::Place;

const CONFIG: &str = "\
history: 9
agents:
  dev:
    tools: [read_file]
    complexity_overrides: {high: {reasoning: high}}
providers:
  lab: {base_url: 'https://lab.example/v1', key: LAB_API_KEY}
";

fn setting(document: &Value, key: &str) -> Value {
    let settings = document["settings"].as_array().expect("a list");
    settings.iter().find(|setting| setting["key"] == key).unwrap_or_else(|| unreachable!("{key} in {document}")).clone()
}

#[test]
fn each_setting_is_shown_with_who_set_it() {
    let place = Place::empty();
    place.write(".nebuko/config.yaml", CONFIG);
    place.write("other.yaml", "history: 2\n");
    let check = |line: &str, variables: &[(&str, &str)], key: &str, value: Value, origin: &str| {
        let output = place.command(line).envs(variables.iter().copied()).output().expect("the program starts");
        let ran = crate::place::Ran::of(output);
        let found = setting(&ran.json(), key);
        assert_eq!((ran.code, &found["value"], &found["origin"]), (0, &value, &origin.into()), "{line} {key}");
    };
    let show = "config show --json";
    check(show, &[], "history", 9.into(), ".nebuko/config.yaml:1");
    check(show, &[("HISTORY_COMMENT_COUNT", "4")], "history", 4.into(), "HISTORY_COMMENT_COUNT");
    check(&format!("{show} --history 3"), &[("HISTORY_COMMENT_COUNT", "4")], "history", 3.into(), "--history");
    check(&format!("{show} --config other.yaml"), &[], "history", 2.into(), "other.yaml:1");
    check(show, &[], "limits.rounds", 25.into(), "built-in");
    check(show, &[], "agents.dev.tools", serde_json::json!(["read_file"]), ".nebuko/config.yaml:4");
    check(show, &[], "providers.lab.kind", "openai".into(), "built-in");
    check(&format!("{show} dev"), &[], "high.reasoning", "xhigh".into(), ".nebuko/config.yaml:5");
    check(&format!("{show} dev"), &[], "low.temperature", 0.0.into(), "built-in");
}

#[test]
fn of_a_key_only_its_variable_is_shown() {
    let place = Place::empty();
    place.write(".nebuko/config.yaml", CONFIG);
    let secret = "lab-0123456789abcdef";
    for line in ["config show", "config show --origin", "config show --json", "--color always config show"] {
        let output = place.command(line).env("LAB_API_KEY", secret).output().expect("the program starts");
        let ran = crate::place::Ran::of(output);
        assert!(ran.code == 0 && ran.out.contains("LAB_API_KEY"), "{line}: {}", ran.err);
        assert!(!(ran.out + &ran.err).contains(secret), "{line}");
    }
    let is_set = |output: std::process::Output| {
        setting(&crate::place::Ran::of(output).json(), "providers.lab.key")["is_set"].clone()
    };
    let show = || place.command("config show --json");
    assert_eq!(is_set(show().env("LAB_API_KEY", secret).output().expect("it starts")), true);
    assert_eq!(is_set(show().output().expect("it starts")), false);
    place.write(".nebuko/config.yaml", &format!("providers: {{vllm: {{key: {secret}}}}}\n"));
    for line in ["config show", "lint", "lint --json", "lint --format sarif", "lint --format github"] {
        let ran = place.run(line);
        assert!(ran.code > 0 && !(ran.out.clone() + &ran.err).contains(secret), "{line}: {} {}", ran.out, ran.err);
    }
}

#[test]
fn the_table_stands_in_columns_and_has_no_colours_in_a_pipe() {
    let place = Place::empty();
    place.write(".nebuko/config.yaml", CONFIG);
    let out = place.run("config show --origin").out;
    let at = out.find("VALUE").expect("a heading");
    let value = |line: &str| line.get(at..).and_then(|rest| rest.split(' ').next().map(str::to_owned));
    let line = out.lines().find(|line| line.starts_with("history ")).expect("a row");
    assert_eq!(value(line).as_deref(), Some("9"), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
    assert!(place.run("--color always config show").out.contains('\u{1b}'));
    assert!(!place.run("config show").out.contains("ORIGIN"));
    let commands: Vec<_> = (0..40).map(|n| format!("[run, \"{n}\"]")).collect();
    let long = format!("agents: {{dev: {{tools: [run_command], commands: [{}]}}}}\n", commands.join(", "));
    place.write(".nebuko/config.yaml", &long);
    let longest = |line: &str| place.run(line).out.lines().map(|line| line.chars().count()).max();
    assert!(longest("config show --origin").is_some_and(|chars| chars < 150));
    assert!(longest("config show").is_some_and(|chars| chars > 300));
}

#[test]
fn a_finding_in_the_settings_has_its_span_and_shows_no_line_of_them() {
    let place = Place::empty();
    place.write(".nebuko/config.yaml", "# hunter2hunter2\nlimts: {} # hunter2hunter2\n");
    let found = place.run("lint --json").json()["findings"][0].clone();
    assert_eq!((&found["line"], &found["column"], &found["end_column"]), (&2.into(), &1.into(), &6.into()), "{found}");
    for line in ["lint", "lint --json", "lint --format sarif", "lint --format github"] {
        let ran = place.run(line);
        assert!(ran.code == 1 && !ran.out.contains("hunter2"), "{line}: {}", ran.out);
    }
}

#[test]
fn an_agent_that_is_not_there_is_told_with_the_nearest() {
    let place = Place::empty();
    let ran = place.run("config show dve");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("did you mean `dev`?"), "{}", ran.err);
}

#[test]
fn a_run_goes_by_the_settings_and_its_recording_has_them() {
    let place = Place::with_a_thread();
    let text = "workflow: refine\nlimits: {rounds: 3}\nagents: {po: {phase: thinking}}\n";
    place.write(".nebuko/config.yaml", text);
    let ran = place.run("run --local demo --model script:answers.json --single-step --record run.jsonl");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let recording = place.read("run.jsonl");
    let header: Value = serde_json::from_str(recording.lines().next().expect("a header")).expect("JSON");
    assert!(header.to_string().contains("limits: {rounds: 3}"), "the text is kept: {header}");
    assert_eq!(place.run("replay run.jsonl").code, 0);
    let state = place.run("state show --local demo --json").json();
    assert_eq!((&state["workflow"], &state["phase"]), (&"refine".into(), &"thinking".into()), "{state}");
}

#[test]
fn lint_looks_at_the_settings_beside_the_workflows() {
    let place = Place::empty();
    assert_eq!(place.run("lint").code, 2, "there is nothing to look at");
    place.write(".nebuko/config.yaml", CONFIG);
    let ran = place.run("lint");
    assert!(ran.code == 0 && ran.out.contains("1 file looked at: no findings"), "{} {}", ran.out, ran.err);
    place.write(".nebuko/config.yaml", "limts: {}\nagents: {scribe: {}}\n");
    place.write(".nebuko/workflows/a.yaml", "name: a\nsteps: [{name: s, agent: scribe, nxt: null}]\n");
    let document = place.run("lint --json").json();
    let found: Vec<_> = document["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| (finding["rule"].as_str().unwrap_or_default(), finding["file"].as_str().unwrap_or_default()))
        .collect();
    let config = ".nebuko/config.yaml";
    assert_eq!(found, [("L19", config), ("L17", config), ("L19", ".nebuko/workflows/a.yaml")], "{document}");
    assert_eq!(place.run("config show").code, 2);
}

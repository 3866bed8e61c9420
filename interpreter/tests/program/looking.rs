//! The commands that only look: ledger, prompt, state.

use std::{fs, io::Write, path::Path, process::Stdio};

use serde_json::Value;

use crate::place::{Place, Ran};

#[test]
fn looking_at_a_thread_changes_nothing() {
    let place = Place::with_a_thread();
    place.run("run --local demo --model script:answers.json --single-step");
    let before = names(&place.path("demo"));
    let ledger = place.run("ledger --local demo --json").json();
    assert_eq!(ledger["records"].as_array().map(Vec::len), Some(3), "{ledger}");
    assert_eq!(ledger["actor"]["login"], "nebuko[bot]");
    assert_eq!((&ledger["state"]["comment_id"], &ledger["state"]["run_id"]), (&2.into(), &1.into()));
    assert!(ledger["reasons"]["1"].is_string() && ledger["damaged"].as_array().is_some_and(Vec::is_empty));
    let table = place.run("ledger --local demo").out;
    assert!(table.starts_with("ID  KIND") && table.contains("state    run 1 in comment 2"), "{table}");
    let other = place.run("ledger --local demo --trigger-login lee --json").json();
    assert_eq!((&other["trigger"]["login"], &other["records"][1]["trusted"]), (&"lee".into(), &false.into()));
    let text = place.run("prompt --local demo").out;
    let blocks = place.run("prompt --local demo --json").json();
    let texts =
        blocks["blocks"].as_array().expect("a list").iter().map(|block| block["text"].as_str().expect("a text"));
    assert_eq!(texts.collect::<String>(), text, "the text is its blocks");
    assert!(place.run("prompt --local demo --blocks").out.contains("=== record:1 | user | trusted | "));
    let state = place.run("state extract --local demo").out;
    assert_eq!(place.run("state show --local demo --json").out, state);
    assert!(place.run("state show --local demo").out.contains("step       context"));
    assert_eq!(names(&place.path("demo")), before);
}

#[test]
fn a_state_is_taken_out_of_a_comments_text() {
    let place = Place::with_a_thread();
    place.run("run --local demo --model script:answers.json --single-step");
    let ran = place.run("state extract demo/0002-nebuko.md");
    assert_eq!((ran.code, &ran.json()["step"]), (0, &Value::from("context")), "{}", ran.err);
    let mut child = place.command("state extract -");
    let mut child =
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(place.read("demo/0002-nebuko.md").as_bytes()).expect("it reads");
    drop(input);
    assert_eq!(Ran::of(child.wait_with_output().expect("it ends")).out, ran.out);
    place.write(
        "damaged.md",
        "<!-- WORKFLOW_STATE_START -->\n{\"run_id\": 4, \"workflow\":\n<!-- WORKFLOW_STATE_END -->\n",
    );
    let check = |file: &str, part: &str| {
        let ran = place.run(&format!("state extract {file}"));
        assert_eq!(ran.code, 2, "{file}");
        assert!(ran.err.contains(part), "{file}: {}", ran.err);
    };
    check("damaged.md", "damaged.md:");
    check("demo/0001-dana.md", "no state block");
}

#[test]
fn a_damaged_state_is_not_called_absent() {
    let place = Place::with_a_thread();
    assert_eq!(place.run("state show --local demo --json").out, "null\n");
    place.run("run --local demo --model script:answers.json --single-step");
    let damaged = "<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\n\n<!-- WORKFLOW_STATE_START -->\n{\"run_id\": 4, \
                   \"workflow\":\n<!-- WORKFLOW_STATE_END -->\n";
    place.write("demo/0003-nebuko.md", &format!("---\nauthor: \"nebuko[bot]\"\nauthor_id: 1\n---\n\n{damaged}"));
    for line in ["state show --local demo", "state extract --local demo", "state show --local demo --json"] {
        let ran = place.run(line);
        assert_eq!(ran.code, 1, "{line}: {}", ran.err);
        for part in ["in comment 3 (demo/0003-nebuko.md)", "line 5, column 25", "/nebuko recover"] {
            assert!(ran.err.contains(part), "{line}: {} has no {part:?}", ran.err);
        }
    }
    let document = place.run("state show --local demo --json").json();
    assert!(document["error"]["why"].as_str().is_some_and(|why| why.starts_with("line 5, column 25: ")), "{document}");
    for line in ["prompt --local demo", "ledger --local demo --json"] {
        let ran = place.run(line);
        assert!(ran.code == 0 && ran.err.contains("! the newest state, in comment 3, cannot be read"), "{}", ran.err);
    }
    place.write("demo/0004-dana.md", "/nebuko recover\n");
    assert_eq!(place.run("state show --local demo --json").json()["run_id"], 1, "somebody said to go back");
}

#[test]
fn a_prompt_that_is_not_due_says_so() {
    let place = Place::with_a_thread();
    assert_eq!(place.run("prompt --local demo").err, "", "a step is due");
    place.run("run --local demo --model script:answers.json");
    let ran = place.run("prompt --local demo");
    assert!(ran.code == 0 && ran.err.contains("  no step is due (the last one ended with terminate: "), "{}", ran.err);
    assert!(ran.err.contains("this is what `review` would get on `/nebuko retry`"), "{}", ran.err);
    place.write("demo/0001-dana.md", "Look at the start first.\n");
    for id in 2..7 {
        fs::remove_file(place.path(&format!("demo/000{id}-nebuko.md"))).expect("it was posted");
    }
    let ran = place.run("prompt --local demo --json");
    assert!(ran.err.contains("(nobody has asked for one yet); this is what `analyze` would"), "{}", ran.err);
    assert!(ran.json()["blocks"].is_array());
}

#[test]
fn a_step_that_is_not_configured_has_no_prompt() {
    let place = Place::with_a_thread();
    let flow = |name: &str, next: &str| {
        format!(
            "name: {name}\nsteps:\n  - name: look\n    agent: architect\n    next: {next}\n  - name: {next}\n    agent: dev\n    next: null\n"
        )
    };
    place.write("flows/own.yaml", &flow("own", "fix"));
    place.write("demo/0001-dana.md", "/nebuko run own\n");
    let ran = place.run("run --local demo --workflows flows --model script:answers.json --single-step");
    assert!(ran.code == 0 && ran.out.contains("Advanced"), "{}{}", ran.out, ran.err);
    let check = |line: &str, parts: &[&str]| {
        let ran = place.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}: {}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{line}: {} has no {part:?}", ran.err);
        }
    };
    let absent = [
        "step `fix` of workflow `own`",
        "no workflow `own`; there is bugfix, default, ",
        "looked for in .nebuko/workflows",
    ];
    check("prompt --local demo", &absent);
    place.write("flows/own.yaml", &flow("own", "mend"));
    let gone = ["the workflow `own` (flows/own.yaml) has no step `fix`; it has look, mend", "in flows and"];
    check("prompt --local demo --workflows flows", &gone);
}

#[test]
fn an_account_whose_id_nobody_knows_is_shown_by_its_login() {
    let place = Place::with_a_thread();
    let out = place.run("ledger --local demo --trigger-login omar").out;
    assert!(out.contains("trigger  omar\n") && out.contains("engine   nebuko[bot] (1)\n"), "{out}");
}

#[test]
fn a_dump_with_nulls_is_read() {
    let place = Place::empty();
    let check = |dump: &str, records: usize| {
        place.write("thread.json", dump);
        let ran = place.run("ledger --thread thread.json --json");
        assert_eq!(ran.code, 0, "{dump}: {}", ran.err);
        assert_eq!(ran.json()["records"].as_array().map(Vec::len), Some(records), "{dump}");
    };
    check(r#"{"issue":{"number":7},"comments":null,"user":null}"#, 1);
    check(r#"{"issue":{"number":null,"id":null,"title":null,"comments":null,"user":null}}"#, 1);
    check(r#"{"issue":{},"comments":[{"id":null,"body":null},{"id":3,"user":{"id":null,"login":null}}]}"#, 3);
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there").flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

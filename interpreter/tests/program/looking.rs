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

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there").flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

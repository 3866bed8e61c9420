//! Whole runs of the program in which a model works in the checkout and an outside program reviews what it did.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::{Value, json};

use crate::place::Place;

const CONFIG: &str = "\
workflow: coded
agents:
  dev:
    tools: [list_files, read_file, search_text, write_file, apply_edit, run_command]
    commands: [[scripts/check.sh], [cat]]
  review:
    runtime: {command: [scripts/review.sh, --strict], timeout_minutes: 1}
";
const FLOW: &str = "\
name: coded
steps:
  - {name: dev, agent: dev, next: review}
  - {name: review, agent: review, conditions: [{on_result: approved, next: null}], next: dev}
";
/// Compares its input with the file of its prompt, and hands in what it was given.
const REVIEW: &str = "\
#!/bin/sh
cat > given
cmp -s given \"$NEBUKO_PROMPT_FILE\" && echo \"The prompt is in a file too.\"
echo \"$1, $ROLE_NAME, $CONFIG_COMPLEXITY, token ${GH_PAT-none}\"
echo \"Looks right: $(cat src/paste.rs)\"
echo '{\"dispatch\": {\"status\": \"advance\"}, \"result\": \"approved\"}'
";

fn turn(calls: &[(&str, Value)]) -> Value {
    let calls: Vec<_> = (1..)
        .zip(calls)
        .map(|(number, (name, arguments))| {
            json!({"id": format!("c{number}"), "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()}})
        })
        .collect();
    json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": calls}}]})
}

fn checkout(answers: &[Value]) -> Place {
    let place = Place::with_a_thread();
    place.write("demo/0001-dana.md", "@@dev keep the tabs\n");
    place.write(".nebuko/config.yaml", CONFIG);
    place.write(".nebuko/workflows/coded.yaml", FLOW);
    place.write(".git/config", "a token\n");
    place.write("src/paste.rs", "let row = cells.join(\" \");\n");
    for (file, text) in [("check.sh", "#!/bin/sh\ngrep -c \"$1\" src/paste.rs\n"), ("review.sh", REVIEW)] {
        place.write(&format!("scripts/{file}"), text);
        let path = place.path(&format!("scripts/{file}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    place.write("answers.json", &Value::from(answers).to_string());
    place
}

fn ran(place: &Place, record: &str) -> Value {
    let line = format!("run --local demo --model script:answers.json --json --record {record}");
    let mut command = place.command(&line);
    command.env("PATH", std::env::var("PATH").expect("programs are found somewhere"));
    command.env("GH_PAT", "a-token-that-nobody-may-see-1234");
    let done = command.output().expect("the program starts");
    serde_json::from_slice(&done.stdout).expect("one document")
}

#[test]
fn a_model_edits_the_checkout_and_an_outside_program_reviews_it() {
    let edit = json!({"path": "src/paste.rs", "old": "\" \"", "new": "\"\\t\""});
    let place = checkout(&[
        turn(&[("search_text", json!({"text": "join"})), ("read_file", json!({"path": "src/paste.rs"}))]),
        turn(&[("apply_edit", edit), ("write_file", json!({"path": "notes/new.md", "text": "Tabs stay.\n"}))]),
        turn(&[("run_command", json!({"argv": ["scripts/check.sh", "join"]}))]),
        turn(&[("finish", json!({"report": "Cells are joined by a tab."}))]),
    ]);
    let report = ran(&place, "run.jsonl");
    assert_eq!((&report["outcome"], &report["step"]), (&json!("finished"), &json!("review")), "{report}");
    assert_eq!(place.read("src/paste.rs"), "let row = cells.join(\"\\t\");\n");
    assert_eq!(place.read("notes/new.md"), "Tabs stay.\n");
    let posted = report["posted"].to_string() + &place.read("run.jsonl");
    for part in ["The prompt is in a file too.", "--strict, review, medium, token none", "Looks right: let row"] {
        assert!(posted.contains(part), "{part}: {posted}");
    }
    assert!(!posted.contains("nobody-may-see"));
    assert!(place.read("given").contains("Cells are joined by a tab."), "the reviewer sees the report");
    let history = &report["state"]["history"];
    let figures = |at: usize, key: &str| history[at]["metrics"][key].clone();
    assert_eq!((figures(0, "nb_tool_calls"), figures(0, "tool_call_error_rate")), (json!(6), json!(0.0)));
    assert_eq!((figures(1, "model_name"), &history[1]["result"]), (json!("scripts/review.sh"), &json!("approved")));
    // The recording needs no checkout to say the same again.
    let elsewhere = Place::empty();
    fs::copy(place.path("run.jsonl"), elsewhere.path("run.jsonl")).expect("it is there");
    let replayed = elsewhere.run("replay run.jsonl");
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
}

#[test]
fn what_a_model_may_not_do_is_not_done() {
    let place = checkout(&[
        turn(&[
            ("write_file", json!({"path": ".nebuko/config.yaml", "text": "x"})),
            ("write_file", json!({"path": "../out.txt", "text": "x"})),
            ("read_file", json!({"path": ".git/config"})),
            ("run_command", json!({"argv": ["sh", "-c", "touch out.txt"]})),
            ("run_command", json!({"argv": ["cat", "/proc/self/environ"]})),
        ]),
        turn(&[("dispatch_next", json!({"status": "hold"})), ("finish", json!({"report": "I may not."}))]),
    ]);
    let report = ran(&place, "run.jsonl");
    assert_eq!(report["outcome"], "held", "{report}");
    let recording = place.read("run.jsonl");
    for part in ["does not change its own rules", "give a relative one without `..`", "may hold a token of this job"] {
        assert!(recording.contains(part), "{part}");
    }
    assert!(recording.contains("ROLE_NAME=dev"), "the command that is listed was run");
    assert!(!recording.contains("nobody-may-see") && !recording.contains("a token\\n"));
    assert_eq!(place.read(".nebuko/config.yaml"), CONFIG);
    assert!(!place.path("out.txt").exists() && !place.path("../out.txt").exists());
    assert_eq!(report["state"]["history"][0]["metrics"]["nb_tool_calls"], 7);
}

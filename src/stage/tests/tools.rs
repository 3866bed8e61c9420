//! Models that use the tools of the checkout: what is done, what is refused, and what a turn of several calls comes to.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Value, json};

use super::{
    forge::{Forge, Played, comment, setup},
    woken_by,
};
use crate::{
    agent::WORKSPACE_TOOLS,
    process::{Captured, Process, ProcessEnd, Purpose, Ran},
    report::{Reason, RunOutcome},
    run::Run,
    setup::{Agent, Setup},
    workspace::ToolDone,
};

/// The setup of the tests, in which `dev` may do everything.
mod rounds;

fn able() -> Setup {
    let mut setup = setup();
    let dev = setup.agents.entry("dev".into()).or_default();
    dev.tools = WORKSPACE_TOOLS.map(ToString::to_string).into();
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
    dev.commands = Vec::from([words(&["cargo", "test"]), words(&["scripts/check.sh"]), words(&[])]);
    setup
}

fn turn(reason: &str, calls: &[(&str, Value)]) -> String {
    let calls: Vec<_> = (1..)
        .zip(calls)
        .map(|(number, (name, arguments))| {
            let mut function = json!({"name": name});
            if *arguments != Value::Bool(false) {
                function["arguments"] = arguments.clone();
            }
            json!({"id": format!("call-{number}"), "type": "function", "function": function})
        })
        .collect();
    json!({"choices": [{"finish_reason": reason, "message": {"content": null, "tool_calls": calls}}]}).to_string()
}

fn calls(calls: &[(&str, Value)]) -> String {
    turn("tool_calls", calls)
}

/// The end of a step: a report, and nobody goes on.
fn done() -> String {
    calls(&[("dispatch_next", json!({"status": "hold"})), ("finish", json!({"report": "Done."}))])
}

fn found(ok: bool, text: &str) -> ToolDone {
    ToolDone { ok, text: text.into(), took_ms: 7 }
}

fn asked(answers: &[String]) -> Forge {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")]));
    forge.answers = answers.iter().cloned().collect();
    forge.done = (0..100).map(|_| found(true, "found")).collect();
    forge.runs = (0..100).map(|_| Ran { took_ms: 30, ..Ran::default() }).collect();
    forge
}

/// Gives what the calls of the turns so far came to, as the model is told: id and text.
fn results(forge: &Forge) -> Vec<(String, String)> {
    let request: Value = serde_json::from_str(forge.prompts.last().expect("it was asked")).expect("it is JSON");
    let messages = request["messages"].as_array().expect("a request has messages");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let results = messages.iter().filter(|message| message["role"] == "tool");
    results.map(|result| (text(&result["tool_call_id"]), text(&result["content"]))).collect()
}

fn metrics(played: &Played) -> (u64, f64, f64) {
    let state = played.report.state.as_ref().expect("it was posted");
    let metrics = state.history.last().and_then(|entry| entry.metrics.clone()).expect("a step has metrics");
    (metrics.nb_tool_calls, metrics.tool_call_error_rate, metrics.tool_call_latency_ms)
}

#[test]
fn a_call_is_a_use_within_its_bounds_or_an_error_that_says_how() {
    let check = |name: &str, arguments: Value, wanted: Result<Value, &str>| {
        let mut forge = asked(&[calls(&[(name, arguments.clone())]), done()]);
        let played = forge.play(able(), woken_by(10));
        assert_eq!(played.report.reason, Reason::AgentHold, "{name} {arguments}");
        let (id, told) = results(&forge).swap_remove(0);
        assert_eq!(id, "call-1");
        let used = forge.uses.first().map(|used| {
            assert_eq!((used.bytes_max, used.seconds_max), (65_536, 60));
            serde_json::to_value(&used.tool).expect("a use is JSON")
        });
        match wanted {
            Ok(wanted) => assert_eq!((used, told.as_str()), (Some(wanted), "found"), "{name} {arguments}"),
            Err(part) => assert!(
                used.is_none() && told.starts_with("error: ") && told.contains(part),
                "{name} {arguments}: {told}"
            ),
        }
    };
    let list = |path: &str| Ok(json!({"list_files": {"path": path}}));
    check("list_files", json!({}), list(""));
    check("list_files", json!({"path": "src"}), list("src"));
    check("list_files", json!({"path": null}), list(""));
    check("list_files", json!({"path": "src", "text": "x"}), Err("list_files takes no text; it takes path"));
    check("list_files", json!({"folder": "src"}), Err("list_files takes no folder; it takes path"));
    let read =
        |from_line: u64, lines: u64| Ok(json!({"read_file": {"path": "a", "from_line": from_line, "lines": lines}}));
    check("read_file", json!({"path": "a"}), read(1, 400));
    check("read_file", json!({"path": "a", "from_line": 0, "lines": 0}), read(1, 1));
    check("read_file", json!({"path": "a", "from_line": 7, "lines": u64::MAX}), read(7, 10_000));
    check("read_file", json!({"path": "a", "from_line": -1}), Err("invalid value: integer `-1`"));
    check("read_file", json!({"path": "a", "lines": "10"}), Err("invalid type"));
    check("read_file", json!({}), Err("read_file needs path"));
    check("read_file", json!({"path": "a", "new": "x"}), Err("read_file takes no new"));
    check("read_file", json!({"path": "a", "old": null, "what": null}), read(1, 400));
    check("search_text", json!({"text": " a "}), Ok(json!({"search_text": {"text": " a ", "path": ""}})));
    check("search_text", json!({"text": " \n"}), Err("needs a text that says something"));
    check("search_text", json!({"path": "a"}), Err("search_text needs text"));
    check("search_text", json!({"text": "a", "old": "b"}), Err("search_text takes no old"));
    check("write_file", json!({"path": "a", "text": ""}), Ok(json!({"write_file": {"path": "a", "text": ""}})));
    check("write_file", json!({"path": "a"}), Err("write_file needs text"));
    check("write_file", json!({"text": "a"}), Err("write_file needs path"));
    check("write_file", json!({"path": "a", "text": "b", "lines": 1}), Err("write_file takes no lines"));
    let edit = Ok(json!({"apply_edit": {"path": "a", "old": "b", "new": ""}}));
    check("apply_edit", json!({"path": "a", "old": "b", "new": ""}), edit);
    check("apply_edit", json!({"path": "a", "old": "", "new": "b"}), Err("the piece to replace in old"));
    check("apply_edit", json!({"path": "a", "new": "b"}), Err("apply_edit needs old"));
    check("apply_edit", json!({"path": "a", "old": "b"}), Err("apply_edit needs new"));
    check("apply_edit", json!({"old": "a", "new": "b"}), Err("apply_edit needs path"));
    check("apply_edit", json!({"path": "a", "old": "b", "new": "c", "text": "d"}), Err("apply_edit takes no text"));
}

#[test]
fn arguments_come_in_every_shape_and_go_back_as_text() {
    // Fault kind 7.1. `false` leaves the field out.
    let check = |name: &str, arguments: Value, uses: usize, told: &str| {
        let mut forge = asked(&[calls(&[(name, arguments.clone())]), done()]);
        forge.play(able(), woken_by(10));
        let result = results(&forge).swap_remove(0).1;
        assert!(forge.uses.len() == uses && result.contains(told), "{arguments}: {result}");
        let request: Value = serde_json::from_str(&forge.prompts[1]).expect("it is JSON");
        let sent_back = &request["messages"][2]["tool_calls"][0]["function"]["arguments"];
        assert!(sent_back.as_str().is_some_and(|text| text.starts_with('{')), "{arguments}: {sent_back}");
    };
    check("list_files", json!(""), 1, "found");
    check("list_files", json!(false), 1, "found");
    check("list_files", json!(null), 1, "found");
    check("list_files", json!("null"), 1, "found");
    check("read_file", json!({"path": "a"}), 1, "found");
    check("read_file", json!("{\"path\": \"a\"}"), 1, "found");
    check("read_file", json!("[1]"), 0, "error: the arguments must be a JSON object");
    check("search_text", json!("{\"text\":\"\\d+\"}"), 0, "error: the arguments are no JSON");
    check("delete_file", json!({"path": "a"}), 0, "error: there is no tool delete_file; the tools are finish,");
    check("List_Files", json!({}), 0, "there is no tool List_Files");
}

#[test]
fn a_tool_that_the_role_does_not_list_is_refused_when_it_is_called() {
    let check = |tools: &[&str], name: &str, uses: usize, told: &str| {
        let mut setup = setup();
        setup.agents.entry("dev".into()).or_default().tools = tools.iter().map(ToString::to_string).collect();
        let arguments = json!({"path": "a", "text": "b"});
        let mut forge = asked(&[calls(&[(name, arguments)]), done()]);
        let played = forge.play(setup, woken_by(10));
        assert!(forge.uses.len() == uses && results(&forge)[0].1.contains(told), "{tools:?}: {:?}", results(&forge));
        assert_eq!((forge.processes.len(), played.report.outcome), (0, RunOutcome::Held));
    };
    check(&["write_file"], "write_file", 1, "found");
    check(&[], "write_file", 0, "your role may not use write_file; it has no workspace tools");
    check(&["read_file", "list_files"], "write_file", 0, "may not use write_file; it may use read_file, list_files");
    check(&["list_files"], "run_command", 0, "your role may not use run_command");
    // A list from elsewhere may hold what is no tool.
    check(&["finish", "delete_file", ""], "delete_file", 0, "there is no tool delete_file");
    // A role without settings has none.
    let mut setup = setup();
    setup.agents.insert("dev".into(), Agent::default());
    let mut forge = asked(&[calls(&[("list_files", json!({}))]), done()]);
    forge.play(setup, woken_by(10));
    assert!(forge.uses.is_empty());
}

#[test]
fn only_the_words_of_the_list_are_run() {
    let check = |arguments: Value, is_run: bool, told: &str| {
        let mut forge = asked(&[calls(&[("run_command", arguments.clone())]), done()]);
        forge.play(able(), woken_by(10));
        let result = results(&forge).swap_remove(0).1;
        assert!(result.contains(told), "{arguments}: {result}");
        assert_eq!(forge.processes.len(), usize::from(is_run), "{arguments}");
        if let Some(Process { purpose, argv, working_dir, env, stdin, timeout_seconds }) = forge.processes.first() {
            assert_eq!((purpose, stdin, *timeout_seconds), (&Purpose::Tool, &None, 60));
            assert_eq!(json!(argv), arguments["argv"], "it is handed over as it is");
            assert_eq!(json!(working_dir), *arguments.get("working_dir").unwrap_or(&json!("")));
            assert_eq!(env.get("ROLE_NAME").map(String::as_str), Some("dev"));
        }
    };
    let ran = "It ended with exit code 0 after 30 ms.";
    check(json!({"argv": ["cargo", "test"]}), true, ran);
    check(json!({"argv": ["cargo", "test", "--", "; rm -rf /", "$(id)", "a\nb", ""]}), true, ran);
    check(json!({"argv": ["scripts/check.sh"], "working_dir": "sub"}), true, ran);
    // The edge judges where that is.
    check(json!({"argv": ["cargo", "test"], "working_dir": "../.."}), true, ran);
    let refused = "error: your role may only run commands that begin with: cargo test; scripts/check.sh";
    for argv in [
        json!(["cargo"]),
        json!(["cargo", "tests"]),
        json!(["cargo", "build"]),
        json!(["cargo", "+nightly", "test"]),
        json!(["cargo test"]),
        json!(["Cargo", "test"]),
        json!([" cargo", "test"]),
        json!(["cargo\u{0}", "test"]),
        json!(["/usr/bin/cargo", "test"]),
        json!(["./cargo", "test"]),
        json!(["./scripts/check.sh"]),
        json!(["scripts/../scripts/check.sh"]),
        json!(["scripts/check.sh "]),
        json!(["sh", "-c", "cargo test"]),
        json!(["env", "cargo", "test"]),
        json!([]),
        json!([""]),
    ] {
        check(json!({"argv": argv}), false, refused);
    }
    check(json!({"argv": "cargo test"}), false, "error: invalid type");
    check(json!({"argv": ["cargo", 7]}), false, "error: invalid type");
    check(json!({"argv": ["cargo", "test"], "env": {"A": "b"}}), false, "error: unknown field `env`");
    check(json!({}), false, "error: missing field `argv`");
    let mut setup = able();
    setup.agents.entry("dev".into()).or_default().commands = Vec::from([Vec::new()]);
    let mut forge = asked(&[calls(&[("run_command", json!({"argv": ["cargo", "test"]}))]), done()]);
    forge.play(setup, woken_by(10));
    assert!(forge.processes.is_empty(), "an empty prefix allows nothing");
}

#[test]
fn what_a_command_comes_to_is_told() {
    let check = |ran: Ran, told: &str, error_rate: f64| {
        let mut forge = asked(&[calls(&[("run_command", json!({"argv": ["cargo", "test"]}))]), done()]);
        forge.runs = [ran].into();
        let played = forge.play(able(), woken_by(10));
        assert_eq!(results(&forge)[0].1, told);
        assert_eq!(metrics(&played).1, error_rate, "{told}");
    };
    let captured = |head: &str| Captured { head: head.into(), ..Captured::default() };
    let ran = |end| Ran { end, stdout: captured("out\n"), stderr: captured("err\n"), took_ms: 30 };
    let both = "\n\nstandard output:\nout\n\nstandard error:\nerr";
    check(ran(ProcessEnd::Exited { code: 3 }), &format!("It ended with exit code 3 after 30 ms.{both}"), 0.0);
    let late = "It timed out: it was ended with all its processes at its limit of 60.0 s.";
    check(ran(ProcessEnd::TimedOut { seconds: 60 }), &format!("{late}{both}"), 0.0);
    check(ran(ProcessEnd::Signalled { signal: 9 }), &format!("It was ended by signal 9 after 30 ms.{both}"), 0.0);
    let never = ProcessEnd::NotStarted { why: "no program `cargo`".into() };
    check(ran(never), "error: it was not started: no program `cargo`", 1.0 / 3.0);
}

#[test]
fn a_turn_of_several_calls_has_a_result_for_each_in_order() {
    let mixed = [
        ("read_file", json!({"path": "a"})),
        ("write_file", json!({"path": "a"})),
        ("run_command", json!({"argv": ["cargo", "test"]})),
        ("read_skill", json!({"name": "x"})),
        ("list_files", json!("[")),
        ("apply_edit", json!({"path": "a", "old": "b", "new": "c"})),
    ];
    let mut forge = asked(&[calls(&mixed), done()]);
    forge.done = [found(true, "text of a"), found(false, "old stands 2 times")].into();
    let played = forge.play(able(), woken_by(10));
    let told = results(&forge);
    let ids: Vec<_> = told.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["call-1", "call-2", "call-3", "call-4", "call-5", "call-6"]);
    let starts =
        ["text of a", "error: write_file needs", "It ended", "error: this step has no", "error: the arg", "error: old"];
    for ((_, text), start) in told.iter().zip(starts) {
        assert!(text.starts_with(start), "{text}");
    }
    // Two calls end the step; four of eight were wrong, and tools took 7 + 30 + 7 ms.
    assert_eq!(metrics(&played), (8, 0.5, 44.0));
    // A run can be written down and read back at any moment, also in the middle of a turn.
    for (run, ..) in &played.moments {
        let json = serde_json::to_string(run).expect("a run is JSON");
        assert_eq!(serde_json::from_str::<Run>(&json).ok().as_ref(), Some(run));
    }
}

#[test]
fn a_turn_has_so_many_calls_and_no_more() {
    let many: Vec<_> = (0..40).map(|_| ("list_files", json!({}))).collect();
    let mut forge = asked(&[calls(&many), done()]);
    let played = forge.play(able(), woken_by(10));
    let told = results(&forge);
    assert_eq!((forge.uses.len(), told.len(), metrics(&played).0), (32, 40, 42));
    let refused = "error: no more than 32 calls of one turn are carried out; call again";
    assert!(told.iter().skip(32).all(|(_, text)| text == refused), "{told:?}");
}

#[test]
fn a_report_in_the_same_turn_ends_the_step_once_all_is_done() {
    let turn = [
        ("write_file", json!({"path": "a", "text": "b"})),
        ("finish", json!({"report": "Written."})),
        ("dispatch_next", json!({"status": "hold"})),
        ("list_files", json!({})),
    ];
    let mut forge = asked(&[calls(&turn)]);
    let played = forge.play(able(), woken_by(10));
    assert_eq!((forge.uses.len(), forge.prompts.len(), played.report.reason), (2, 1, Reason::AgentHold));
    assert!(played.report.posted[0].body.contains("Written."));
    assert_eq!(metrics(&played), (4, 0.0, 14.0));
}

#[test]
fn a_tool_that_this_machine_cannot_use_ends_the_run_and_blames_nobody() {
    let mut forge = asked(&[calls(&[("list_files", json!({}))]), done()]);
    forge.done.clear();
    let played = forge.play(able(), woken_by(10));
    assert_eq!((played.report.reason, played.report.posted.len()), (Reason::LocalFailed, 0));
}

//! The built program, from outside: what it prints where, how it ends, what it leaves behind.
//!
//! No test has a token or leaves this machine: the environment is scrubbed, and GitHub is a socket that refuses.

#[path = "program/looking.rs"]
mod looking;
#[path = "program/metrics.rs"]
mod metrics;
#[path = "program/place.rs"]
mod place;
#[path = "program/recordings.rs"]
mod recordings;
#[path = "program/settings.rs"]
mod settings;
#[path = "program/shapes.rs"]
mod shapes;
#[cfg(unix)]
#[path = "program/terminal.rs"]
mod terminal;
#[cfg(target_os = "linux")]
#[path = "program/tools.rs"]
mod tools;
#[cfg(unix)]
#[path = "program/whole.rs"]
mod whole;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    process::Stdio,
    thread,
};

use place::{Place, Ran};
use serde_json::Value;

#[test]
fn wrong_usage_ends_with_two_and_says_what_to_do() {
    let place = Place::with_a_thread();
    place.write("broken/issue.md", "---\nauthor: dana\nnumber: x\n---\n");
    place.write("broken.json", "{\n  \"issue\": [}");
    place.write("flows/a.yaml", "name: a\nstep: []\n");
    place.write(
        "event.json",
        r#"{"action":"created","issue":{"number":7},"comment":{"id":1},"repository":{"full_name":"a/b"}}"#,
    );
    let check = |line: &str, parts: &[&str]| {
        let ran = place.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}: {}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{line}: {} has no {part:?}", ran.err);
        }
    };
    check("", &["Usage: nebuko"]);
    check("fly", &["unrecognized subcommand"]);
    check("run", &["no thread is given", "--local DIR"]);
    check("run --repo acme/site", &["add --issue N"]);
    check("run --repo acme --issue 1", &["no OWNER/NAME"]);
    check("run --local demo --thread t.json", &["cannot be used with"]);
    check("run --local demo --model gpt", &["neither an http address nor script:FILE", "next:"]);
    check("run --local demo --model script:none.json", &["none.json", "No such file"]);
    check("run --local demo --model script:broken.json", &["broken.json:2"]);
    check("run --local demo --max-steps 0", &["--max-steps"]);
    check("run --local demo --elsewhere none", &["from none", "there is no such folder", "next: give --elsewhere"]);
    check("run --local missing", &["could not read the thread in missing", "issue.md"]);
    check("run --local broken", &["broken/issue.md:3:9: `number: x` is no number"]);
    check("run --thread broken.json", &["broken.json:2:", "as GitHub's REST"]);
    check("run --thread none.json", &["none.json", "No such file"]);
    check("run --local demo --workflows flows", &["flows/a.yaml:2:1: "]);
    check("run --local demo --workflows none", &["could not read none"]);
    check("run --event-path none.json", &["the event in none.json"]);
    check("run --event-path broken.json", &["broken.json:2:"]);
    check("run --event-path event.json --issue 8", &["it is about 7, and --issue says 8"]);
    check("run --local demo --record demo/issue.md", &["nothing is written over", "next: give another name"]);
    check("run --local demo --record none/r.jsonl", &["could not write a recording to none/r.jsonl"]);
    check("ledger --local missing", &["could not read the thread in missing"]);
    check("state extract none.md", &["none.md"]);
    check("replay", &["required"]);
    assert!(place.read("demo/issue.md").contains("It crashes"), "nothing was written over");
    assert_eq!(fs::read_dir(place.path("demo")).expect("the thread").count(), 2, "nothing was posted");
}

#[test]
fn an_error_is_one_document_where_one_was_promised() {
    let place = Place::empty();
    for line in ["run --local missing --json", "ledger --local missing --json", "prompt --local missing --json"] {
        let ran = place.run(line);
        assert_eq!(ran.code, 2, "{line}");
        assert_eq!(ran.json()["error"]["attempted"], "read the thread in missing", "{line}");
        assert!(ran.err.contains("could not read the thread in missing"), "{line}: {}", ran.err);
    }
}

#[test]
fn every_command_shows_help_with_examples() {
    let place = Place::empty();
    let commands = [
        "run",
        "ledger",
        "prompt",
        "state show",
        "state extract",
        "metrics",
        "replay",
        "schema",
        "lint",
        "graph",
        "explain",
        "completions",
    ];
    for command in commands {
        let ran = place.run(&format!("{command} --help"));
        assert_eq!(ran.code, 0, "{command}");
        assert!(
            ran.out.contains("Examples:") && ran.out.contains(&format!("nebuko {command}")),
            "{command}: {}",
            ran.out
        );
    }
    let ran = place.run("--help");
    assert!(ran.out.contains("Exit codes:") && !ran.out.contains('\u{1b}'), "{}", ran.out);
    assert!(place.run("completions bash").out.contains("_nebuko"));
}

#[test]
fn a_run_goes_from_the_trigger_to_the_end_of_the_workflow() {
    let place = Place::with_a_thread();
    let ran = place.run("run --local demo --model script:answers.json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in
        ["Finished", "posted    demo/0002-nebuko.md", "posted    demo/0006-nebuko.md", "nebuko ledger --local demo"]
    {
        assert!(ran.out.contains(part), "{} has no {part:?}", ran.out);
    }
    assert!(ran.err.contains("● ") && ran.err.contains("✓ read #7 with 1 comment\n"), "{}", ran.err);
    assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "no colours into a pipe");
    assert!(place.read("demo/0002-nebuko.md").contains("Report 0."));
    let again = place.run("run --local demo --model script:answers.json --quiet");
    assert_eq!((again.code, again.err.as_str()), (0, ""), "a second delivery finds nothing to do");
    assert!(again.out.contains("Nothing to do"), "{}", again.out);
    assert_eq!(fs::read_dir(place.path("demo")).expect("the thread").count(), 7);
}

#[test]
fn the_document_of_a_run_has_the_agreed_keys() {
    let place = Place::with_a_thread();
    let ran = place.run("run --local demo --model script:answers.json --single-step --json");
    let document = ran.json();
    assert_eq!((ran.code, &document["outcome"]), (0, &Value::from("advanced")), "{}", ran.err);
    for key in ["reason", "workflow", "step", "agent", "run_id", "posted", "state", "requests"] {
        assert!(document.get(key).is_some(), "{key}: {document}");
    }
    assert_eq!(document["posted"][0]["url"], "demo/0002-nebuko.md");
    assert_eq!(document["requests"], 1, "one completion was asked for");
}

#[test]
fn a_dump_is_not_changed_and_its_posts_are_printed() {
    let place = Place::with_a_thread();
    let dump = serde_json::json!({
        "issue": { "id": 1, "number": 7, "title": "It crashes", "html_url": "https://github.com/acme/site/issues/7",
            "user": { "id": 501, "login": "dana", "type": "User" }, "author_association": "OWNER", "comments": 1 },
        "comments": [{ "id": 5_794_187_059_u64, "body": "@@architect look", "author_association": "OWNER",
            "user": { "id": 501, "login": "dana", "type": "User" } }],
        "user": { "id": 99, "login": "nebuko[bot]", "type": "Bot" },
    });
    place.write("thread.json", &dump.to_string());
    let ran = place.run("run --thread thread.json --model script:answers.json --single-step");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Report 0.") && ran.out.contains("not sent  comment 5794187060"), "{}", ran.out);
    assert!(ran.err.contains("comment 5794187060 would be posted"), "{}", ran.err);
    assert!(!ran.err.contains("posted comment") && !ran.out.contains("posted  "), "{}{}", ran.err, ran.out);
    assert_eq!(place.read("thread.json"), dump.to_string());
}

#[test]
fn a_failed_run_ends_with_one_and_an_outside_failure_with_three() {
    let place = Place::with_a_thread();
    let ran = place.run("run --local demo --json");
    assert_eq!((ran.code, &ran.json()["outcome"]), (2, &Value::from("failed")), "no model was given: {}", ran.err);
    assert!(ran.err.contains("error: could not ask the model default\n  no model was given, and"), "{}", ran.err);
    place.write("short.json", "[\"\"]");
    let ran = place.run("run --local demo --model script:short.json --json");
    assert_eq!((ran.code, &ran.json()["reason"]), (1, &Value::from("LOCAL_FAILED")), "{}", ran.err);
    let github = a_github_that_refuses();
    for line in ["run --repo acme/site --issue 7 --json", "ledger --repo acme/site --issue 7 --json"] {
        let ran = place.run(&format!("{line} --github-url {github}"));
        assert_eq!(ran.code, 3, "{line}: {}", ran.err);
        assert!(ran.out.contains("acme/site") && ran.json().is_object(), "{line}: {}", ran.out);
    }
    let ran = place.run(&format!("run --repo acme/site --issue 7 --github-url {github}"));
    assert!(ran.out.contains("READ_FAILED") && !ran.out.contains("Look at it"), "{}", ran.out);
}

#[test]
fn a_password_in_an_address_is_never_shown() {
    let place = Place::with_a_thread();
    for line in [
        "run --local demo --model http://user:hunter2@host/v1",
        "run --local demo --model user:hunter2@host --json",
        "run --repo acme/site --issue 7 --github-url https://user:hunter2@host",
        "ledger --repo acme/site --issue 7 --github-url https://hunter2@host --json",
        "run --repo https://x:hunter2@github.com/acme/site --issue 7",
    ] {
        let ran = place.run(line);
        assert_eq!(ran.code, 2, "{line}: {}", ran.err);
        assert!(!ran.err.contains("hunter2") && !ran.out.contains("hunter2"), "{line}: {}{}", ran.err, ran.out);
    }
    let mut command = place.command("run --repo acme/site --issue 7");
    let ran = Ran::of(command.env("GITHUB_API_URL", "http://user:hunter2@host").output().expect("the program starts"));
    assert!(ran.code == 2 && ran.err.contains("http://host") && !ran.err.contains("hunter2"), "{}", ran.err);
}

#[test]
fn nothing_that_is_printed_commands_a_runner_of_github_actions() {
    let place = Place::with_a_thread();
    place.write("demo/0001-dana.md", "@@architect look\n\n  ::add-mask::site\n##[error]no\n");
    let dump = serde_json::json!({
        "issue": { "number": 7, "user": { "id": 501, "login": "dana" }, "author_association": "OWNER" },
        "comments": [{ "id": 5, "body": "@@architect look\n\r ::set-env name=A::b", "author_association": "OWNER",
            "user": { "id": 501, "login": "dana" } }],
    });
    place.write("thread.json", &dump.to_string());
    let answers = place.read("answers.json").replace("Report 0.", "::error::gone\\\\n##[group]x");
    place.write("answers.json", &answers);
    for line in [
        "prompt --local demo",
        "prompt --local demo --blocks",
        "run --thread thread.json --model script:answers.json --single-step",
        "prompt --thread thread.json",
    ] {
        let mut command = place.command(line);
        let ran = Ran::of(command.env("GITHUB_ACTIONS", "true").output().expect("the program starts"));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        for text in [&ran.out, &ran.err] {
            let obeyed = text.split(['\n', '\r']).any(|line| line.trim().starts_with("::")) || text.contains("##[");
            assert!(!obeyed, "{line}: {text}");
        }
        assert!(ran.out.contains("\\::"), "{line}: {}", ran.out);
    }
    assert!(place.run("prompt --local demo").out.contains("\n  ::add-mask::site\n##[error]no"), "elsewhere as it is");
}

#[test]
fn a_trigger_that_is_not_in_the_thread_is_warned_of() {
    let place = Place::with_a_thread();
    for line in ["run --local demo --dry-run --trigger 99", "prompt --local demo --trigger 99"] {
        let ran = place.run(line);
        assert!(ran.code == 0 && ran.err.contains("! comment 99 is to start this run"), "{line}: {}", ran.err);
        let ran = place.run(&line.replace("99", "1"));
        assert!(ran.code == 0 && !ran.err.contains("is to start"), "{line}: {}", ran.err);
    }
}

#[test]
fn an_engine_that_the_folder_does_not_name_is_called_the_default() {
    let place = Place::with_a_thread();
    let ran = place.run("run --local demo --dry-run");
    assert!(ran.err.contains("nebuko[bot] (the default of a local thread"), "{}", ran.err);
    assert!(ran.out.starts_with("Dry run: architect would run"), "{}", ran.out);
    let issue = place.read("demo/issue.md").replace("number: 7", "number: 7\nengine: lee");
    place.write("demo/issue.md", &issue);
    let ran = place.run("run --local demo --dry-run");
    assert!(ran.err.contains("lee (`engine` in demo/issue.md)"), "{}", ran.err);
}

#[test]
fn what_was_set_is_set_in_the_commands_to_look_at_it_too() {
    let place = Place::with_a_thread();
    place.write("flows/agents/dev.md", "You are dev.");
    let set = "--workflows flows --history 3 --trusted-actor @old --engine-login lee";
    let ran = place.run(&format!("run --local demo --dry-run {set}"));
    assert!(ran.out.contains(&format!("nebuko prompt --local demo {set}\n")), "{}", ran.out);
    assert_eq!(place.run(&format!("prompt --local demo {set}")).code, 0);
}

/// Answers every request with 404, until the test ends.
fn a_github_that_refuses() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            while lines.next().is_some_and(|line| !line.is_empty()) {}
            let body = r#"{"message":"Not Found"}"#;
            let head = format!("HTTP/1.1 404 Not Found\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = (&stream).write_all((head + body).as_bytes());
        }
    });
    format!("http://{address}")
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let place = Place::with_a_thread();
    let ran = place.run("run --local demo --model script:answers.json --record /dev/full");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("finish the recording /dev/full") && ran.err.contains("No space left"), "{}", ran.err);
    assert!(ran.out.contains("Finished"), "the run itself was finished: {}", ran.out);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output = place.command("ledger --local demo").stdout(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let mut child = place.command("prompt --local demo --quiet");
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn colours_come_only_when_they_are_wanted() {
    let place = Place::with_a_thread();
    let check = |line: &str, variable: Option<(&str, &str)>, coloured: bool| {
        let mut command = place.command(line);
        if let Some((name, value)) = variable {
            command.env(name, value);
        }
        let ran = Ran::of(command.output().expect("the program starts"));
        assert_eq!(ran.err.contains('\u{1b}'), coloured, "{line} {variable:?}: {:?}", ran.err);
    };
    check("run --local demo --dry-run", None, false);
    check("run --local demo --dry-run --color always", None, true);
    check("run --local demo --dry-run --color never", Some(("CLICOLOR_FORCE", "1")), false);
    check("run --local demo --dry-run", Some(("CLICOLOR_FORCE", "1")), true);
    check("run --local demo --dry-run", Some(("NO_COLOR", "1")), false);
    check("run --local demo --dry-run --json", Some(("CLICOLOR_FORCE", "1")), true);
}

#[test]
fn an_event_that_starts_nothing_costs_nothing() {
    let place = Place::with_a_thread();
    let event = |action: &str| format!(r#"{{"action":"{action}","issue":{{"number":7}},"comment":{{"id":1}}}}"#);
    for action in ["edited", "deleted"] {
        place.write("event.json", &event(action));
        let ran = place.run("run --local demo --event-path event.json --json");
        assert_eq!((ran.code, &ran.json()["reason"]), (0, &Value::from("EVENT_IGNORED")), "{action}");
        assert_eq!(ran.err.lines().count(), 1, "{action}: one log line: {}", ran.err);
    }
    place.write("event.json", &event("created"));
    let ran = place.run("run --local demo --event-path event.json --model script:answers.json --single-step --json");
    assert_eq!((ran.code, &ran.json()["outcome"]), (0, &Value::from("advanced")), "{}", ran.err);
}

#[test]
fn an_event_that_is_about_no_thread_ends_with_nothing_to_do() {
    let place = Place::empty();
    let repository = r#""repository":{"full_name":"acme/site"}"#;
    let check = |event: &str, name: Option<&str>, told: &str| {
        place.write("event.json", event);
        for json in ["", " --json"] {
            let mut command = place.command(&format!("run --event-path event.json{json}"));
            if let Some(name) = name {
                command.env("GITHUB_EVENT_NAME", name);
            }
            let ran = Ran::of(command.output().expect("the program starts"));
            assert_eq!(ran.code, 0, "{event}: {}", ran.err);
            assert!(ran.err.contains(told) && ran.err.lines().count() == 1, "{event}: {}", ran.err);
            if json.is_empty() {
                assert!(ran.out.contains("EVENT_IGNORED") && !ran.out.contains("Look at it"), "{event}: {}", ran.out);
            } else {
                let document = ran.json();
                let ended = (&document["outcome"], &document["reason"], &document["requests"]);
                assert_eq!(ended, (&"nothing".into(), &"EVENT_IGNORED".into(), &0.into()), "{event}");
            }
        }
    };
    check(&format!(r#"{{"action":"opened","number":3,"pull_request":{{}},{repository}}}"#), None, "kind pull_request");
    check(&format!(r#"{{"ref":"main","pusher":{{}},{repository}}}"#), None, "kind push");
    check(&format!(r#"{{"action":"created","discussion":{{}},{repository}}}"#), Some("discussion"), "kind discussion");
    check("{}", Some("issue_comment"), "kind issue_comment");
    place.write("event.json", "{}");
    let mut command = place.command("run --event-path event.json");
    let ran = Ran::of(command.env("GITHUB_EVENT_NAME", "workflow_dispatch").output().expect("the program starts"));
    assert!(ran.code == 2 && ran.err.contains("no thread is given"), "it would start something: {}", ran.err);
}

#[test]
fn a_repositorys_own_folder_is_one_and_stays_inside() {
    let check = |make: &dyn Fn(&Place), parts: &[&str]| {
        let place = Place::with_a_thread();
        make(&place);
        let ran = place.run("prompt --local demo");
        assert_eq!(ran.code, 2, "{parts:?}: {}", ran.out);
        for part in parts {
            assert!(ran.err.contains(part), "{} has no {part:?}", ran.err);
        }
    };
    check(&|place| place.write(".nebuko", "x"), &[".nebuko:1:1: it is no folder"]);
    check(&|place| place.write(".nebuko/workflows", "x"), &[".nebuko/workflows:1:1: "]);
    check(&|place| place.write(".nebuko/agents", "x"), &[".nebuko/agents:1:1: "]);
    check(
        &|place| {
            place.write(".nebuko/workflows/a.yml", "name: a\n");
            place.write(".nebuko/agents/dev.md", " ");
        },
        &["a.yml:1:1: this is not read: the ending is .yaml", "dev.md:1:1: there is no prompt in here"],
    );
    #[cfg(unix)]
    check(
        &|place| {
            place.write(".nebuko/workflows/a.yaml", "name: b\n");
            std::os::unix::fs::symlink("/etc", place.path(".nebuko/agents")).expect("a link");
        },
        &[".nebuko/agents:1:1: it leads out of", "a.yaml:1:7: "],
    );
}

#[cfg(unix)]
#[test]
fn what_never_ends_is_not_read_to_the_end() {
    let place = Place::with_a_thread();
    let check = |line: &str| {
        let ran = place.run(line);
        assert_eq!(ran.code, 2, "{line}: {}", ran.err);
        assert!(ran.err.contains("/dev/zero") && ran.err.contains("the most that is read here"), "{line}: {}", ran.err);
    };
    check("run --local demo --model script:/dev/zero");
    check("run --event-path /dev/zero");
    check("state extract /dev/zero");
}

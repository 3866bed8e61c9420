//! Recordings: made by a run, replayed elsewhere, changed, cut, and free of secrets.

use crate::place::{Place, Ran};

#[test]
fn a_recording_replays_in_another_folder_byte_for_byte() {
    let place = Place::with_a_thread();
    let ran = place.run("run --local demo --model script:answers.json --record run.jsonl");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let elsewhere = Place::empty();
    elsewhere.write("run.jsonl", &place.read("run.jsonl"));
    let replayed = elsewhere.run("replay run.jsonl");
    assert_eq!(replayed.code, 0, "{}", replayed.out);
    assert!(replayed.out.contains("the same, byte for byte"), "{}", replayed.out);
}

#[test]
fn a_recording_is_never_written_over() {
    let place = Place::with_a_thread();
    for (name, text) in [("run.jsonl", "{\"recording\":1}\n"), ("empty.jsonl", ""), ("demo/issue.md", "")] {
        if name != "demo/issue.md" {
            place.write(name, text);
        }
        let before = place.read(name);
        let ran = place.run(&format!("run --local demo --model script:answers.json --record {name}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{name}: {}", ran.err);
        assert!(ran.err.contains("next: give another name"), "{name}: {}", ran.err);
        assert_eq!(place.read(name), before, "{name}");
    }
    assert!(!place.path("demo/0002-nebuko.md").exists(), "and nothing was done");
}

#[test]
fn one_changed_byte_is_named_with_the_field_and_both_values() {
    let place = Place::with_a_thread();
    place.run("run --local demo --model script:answers.json --record run.jsonl");
    let whole = place.read("run.jsonl");
    let check = |from: &str, to: &str, field: &str, recorded: &str, computed: &str| {
        place.write("changed.jsonl", &whole.replacen(from, to, 1));
        let ran = place.run("replay run.jsonl changed.jsonl --json");
        let files = &ran.json()["files"];
        assert_eq!((ran.code, &files[0]["outcome"], &files[1]["outcome"]), (1, &"same".into(), &"different".into()));
        let differences = files[1]["differences"].as_array().expect("a list");
        let named = differences.iter().any(|one| {
            let says = |key: &str, part: &str| one[key].as_str().is_some_and(|text| text.contains(part));
            one["field"] == field && says("recorded", recorded) && says("computed", computed)
        });
        assert!(named, "{from}: {differences:#?}");
    };
    // A posted body, a told line, and a fact: of the last only what follows from it can be known.
    let body = "/effects/0/post_comment/body";
    check("\\n\\nReport 1.\\n", "\\n\\nRepors 1.\\n", body, "Repors 1", "Report 1");
    check(
        "\"text\":\"reading the thread\"",
        "\"text\":\"reading the threat\"",
        "/effects/0/tell/text",
        "threat",
        "thread",
    );
    let request = "/effects/2/complete/request/messages/1/content/0/text";
    check("\"body\":\"On start.\"", "\"body\":\"On stard.\"", request, "On start.", "On stard.");
}

#[test]
fn a_recording_that_is_not_whole_or_not_one_is_told_apart() {
    let place = Place::with_a_thread();
    place.run("run --local demo --model script:answers.json --record run.jsonl");
    let whole = place.read("run.jsonl");
    place.write("cut.jsonl", &whole[..whole.len() / 2]);
    let check = |file: &str, code: i32, part: &str| {
        let ran = place.run(&format!("replay {file}"));
        assert_eq!(ran.code, code, "{file}: {}", ran.out);
        assert!(ran.out.contains(part), "{file}: {}", ran.out);
    };
    check("cut.jsonl", 1, "cut short");
    check("run.jsonl cut.jsonl", 1, "byte for byte");
    place.write("header.jsonl", whole.split_inclusive('\n').next().expect("a line"));
    place.write("start.jsonl", &whole[..100]);
    place.write("nothing.jsonl", "");
    check(
        "start.jsonl",
        2,
        "it was cut inside its first line, so nothing of the run is in it\n  next: record the run again",
    );
    check("header.jsonl", 2, "it was cut after its first line");
    check("nothing.jsonl", 2, "it is empty");
    check("answers.json", 2, "unreadable: it does not start with the header");
    check("none.jsonl", 2, "unreadable: No such file");
    check("run.jsonl none.jsonl cut.jsonl", 2, "cut short");
}

#[test]
fn no_secret_of_the_environment_gets_into_a_post_or_a_recording() {
    let place = Place::with_a_thread();
    let secret = "hunter2-hunter2-hunter2";
    place.write("demo/0001-dana.md", &format!("@@architect my key is {secret}, look\n"));
    let answers = place.read("answers.json").replace("Report 0.", &format!("The key {secret} is yours."));
    place.write("answers.json", &answers);
    let mut command = place.command("run --local demo --model script:answers.json --record run.jsonl --json");
    let ran = Ran::of(command.env("SITE_API_KEY", secret).output().expect("the program starts"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = [ran.out, ran.err, place.read("run.jsonl"), place.read("demo/0002-nebuko.md")].concat();
    assert!(told.contains("The key *** is yours") && !told.contains("hunter2"), "masked everywhere");
    assert_eq!(place.run("replay run.jsonl").code, 0, "and it replays without the secret");
}

#[test]
fn a_secret_is_masked_however_a_model_writes_it() {
    let place = Place::with_a_thread();
    let escaped = |text: &str| text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
    let secret = "hunter2-hunter2";
    // Escapes inside the tool call's arguments, which are JSON inside JSON: there each `\` is written twice.
    let hidden = escaped(secret).replace('\\', "\\\\");
    place.write("answers.json", &place.read("answers.json").replace("Report 0.", &format!("Key {hidden} end.")));
    let line = "run --local demo --model script:answers.json --single-step --record run.jsonl --json";
    let ran = Ran::of(place.command(line).env("APP_SECRET", secret).output().expect("the program starts"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = [ran.out, ran.err, place.read("run.jsonl"), place.read("demo/0002-nebuko.md")].concat();
    assert!(told.contains("Key *** end.") && !told.contains("unter2") && !told.contains(&escaped("unter2")), "{told}");
    assert_eq!(place.run("replay run.jsonl").code, 0);
}

#[test]
fn a_recording_replays_whatever_the_secrets_are() {
    let check = |variable: (&str, &str), hidden: bool| {
        let place = Place::with_a_thread();
        place.write("demo/2123456789-postgresfan.md", "my s3cret-w0rd is answered on 2026-11-30\n");
        place.write("demo/0003-s3cret-w0rd.md", "---\ncreated_at: 2026-11-30T08:00:00Z\n---\nhello\n");
        let line = "run --local demo --model script:answers.json --record run.jsonl --json";
        let ran = Ran::of(place.command(line).env(variable.0, variable.1).output().expect("the program starts"));
        assert_eq!((ran.code, &ran.json()["outcome"]), (0, &"finished".into()), "{variable:?}: {}", ran.err);
        let recording = place.read("run.jsonl");
        assert_eq!(!recording.contains(variable.1), hidden, "{variable:?}");
        let replayed = place.run("replay run.jsonl");
        assert_eq!(replayed.code, 0, "{variable:?}: {}", replayed.out);
    };
    check(("SITE_KEY", "s3cret-w0rd"), true);
    check(("POSTGRES_PASSWORD", "postgres"), false);
    check(("DB_PASSWORD", "12345678"), false);
    check(("X_KEY", "answered"), false);
    check(("X_KEY", "2026-11-30"), false);
    check(("X_KEY", "thread_read"), false);
    check(("X_KEY", "outcome"), false);
}

#[test]
fn a_secret_in_a_workflow_or_a_prompt_is_masked() {
    let place = Place::with_a_thread();
    let secret = "hunter2-hunter2";
    let flow = format!(
        "name: default\ndescription: uses {secret}\nsteps:\n  - name: only\n    agent: architect\n    prompt: Log in with {secret}.\n    next: null\n"
    );
    place.write("flows/default.yaml", &flow);
    place.write("flows/agents/architect.md", &format!("You know {secret}.\n"));
    let with = |line: &str| Ran::of(place.command(line).env("APP_SECRET", secret).output().expect("it starts"));
    for line in ["prompt --local demo --workflows flows", "ledger --local demo --workflows flows --json"] {
        let ran = with(line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        assert!(!ran.out.contains("hunter2"), "{line}: {}", ran.out);
    }
    assert!(with("prompt --local demo --workflows flows").out.contains("You know ***."));
    let line = "run --local demo --workflows flows --model script:answers.json --record run.jsonl --json";
    let ran = with(line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = [ran.out, ran.err, place.read("run.jsonl")].concat();
    assert!(told.contains("Log in with ***.") && !told.contains("hunter2"), "{told}");
    let replayed = place.run("replay run.jsonl");
    assert_eq!(replayed.code, 0, "{}", replayed.out);
}

#[test]
fn a_recording_is_no_comment_of_its_own_thread() {
    let place = Place::with_a_thread();
    for name in ["demo/0007-run.md", "demo/7.md", "./demo/../demo/0007-run.md"] {
        let ran = place.run(&format!("run --local demo --model script:answers.json --record {name}"));
        assert_eq!(ran.code, 2, "{name}: {}", ran.err);
        assert!(ran.err.contains("would read it as one of its comments"), "{name}: {}", ran.err);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("demo/0007-run.md", place.path("run.jsonl")).expect("a link");
        let ran = place.run("run --local demo --model script:answers.json --record run.jsonl");
        assert_eq!(ran.code, 2, "{}", ran.err);
    }
    assert_eq!(std::fs::read_dir(place.path("demo")).expect("the thread").count(), 2, "nothing was written");
}

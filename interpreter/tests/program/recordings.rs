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

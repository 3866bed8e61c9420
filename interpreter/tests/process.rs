//! Programs, run for real through a world: fault kinds 5.1 to 5.3, what a child gets, and what it may be.
//!
//! Nothing outlives a test: each looks through `/proc` for a number that only its own processes have as an argument.
#![cfg(target_os = "linux")]
// The list of disallowed types is the core's; tests that run side by side may count together.
#![allow(clippy::disallowed_types)]
#![allow(clippy::panic, reason = "a test says what is wrong by ending")]

#[path = "process/agent.rs"]
mod agent;
#[path = "process/ends.rs"]
mod ends;
#[path = "process/place.rs"]
mod place;
#[path = "process/recorded.rs"]
mod recorded;
#[path = "process/stopped.rs"]
mod stopped;

use std::collections::BTreeMap;

use nebuko::process::{Captured, Process, ProcessEnd, Purpose};

use place::{Place, not_started, script};

#[test]
fn much_output_in_a_wrong_encoding_is_kept_at_both_ends() {
    let text = "b=$(head -c 16384 /dev/zero | tr '\\0' x)
        for turn in $(seq 64); do printf %s \"$b\"; printf %s \"$b\" >&2; done
        printf '\\377\\376last line\\n'
        exit 3";
    let ran = Place::empty().ran(&Process { timeout_seconds: 60, ..script(&["sh", "-c", text]) });
    assert_eq!(ran.end, ProcessEnd::Exited { code: 3 });
    let Captured { head, tail, left_out, replaced } = &ran.stdout;
    let (mib, half) = (1024 * 1024, 128 * 1024);
    assert!(tail.ends_with("x\u{fffd}\u{fffd}last line\n") && *replaced, "nothing after the bad bytes is lost");
    assert_eq!((head.len(), tail.len()), (half, half));
    // Two bad bytes are shown in six.
    assert_eq!(*left_out, (mib + 12 - (2 * half - 4)) as u64);
    assert_eq!((ran.stderr.left_out, ran.stderr.replaced), ((mib - 2 * half) as u64, false));
    assert!(ran.stderr.head.bytes().chain(ran.stderr.tail.bytes()).all(|byte| byte == b'x'));
}

#[test]
fn a_value_that_no_process_takes_fails_before_the_start_by_name() {
    let place = Place::empty();
    let big = "x".repeat(200_000);
    let check = |arguments: &[&str], env: &[(&str, &str)], parts: &[&str]| {
        let argv = [&["touch", "started"][..], arguments].concat();
        let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let why = not_started(place.ran(&Process { env, ..script(&argv) }));
        assert!(parts.iter().all(|part| why.contains(part)), "{why} has not all of {parts:?}");
        assert!(!place.path("started").exists(), "{why}");
    };
    check(&[], &[("BIG", &big)], &["`BIG` is 200005 bytes", "131072"]);
    check(&[&big], &[], &["argument 2 is 200001 bytes", "131072"]);
    check(&["a\0b"], &[], &["argument 2 holds U+0000"]);
    check(&[], &[("ZERO", "a\0b")], &["`ZERO` holds U+0000"]);
    check(&[], &[("", "a")], &["a variable has an empty name"]);
    check(&[], &[("A=B", "c")], &["`A=B`"]);
    check(&[&big[..130_000]; 13], &[], &["together are", "the largest is argument"]);
}

#[test]
fn the_largest_values_that_are_let_through_really_start() {
    let place = Place::empty();
    let big = "x".repeat(131_071);
    let env = BTreeMap::from([("BIG".to_owned(), big[..131_067].to_owned())]);
    let ran = place.ran(&Process { env, ..script(&["sh", "-c", "echo ${#BIG} ${#0}", &big]) });
    assert_eq!((ran.end, ran.stdout.head.as_str()), (ProcessEnd::Exited { code: 0 }, "131067 131071\n"));
    let many = [&["sh", "-c", "echo $#"][..], &[big.as_str(); 11]].concat();
    let ran = place.ran(&script(&many));
    assert_eq!((ran.end, ran.stdout.head.as_str()), (ProcessEnd::Exited { code: 0 }, "10\n"));
}

#[test]
fn no_token_reaches_a_child_and_none_is_shown() {
    let place = Place::empty();
    place.file("key.txt", "the file says hunter2/hunter2\n");
    let env = [("DEPLOY_KEY", "as the workflow writes it"), ("STEP", "build")];
    let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let ran = place.ran(&Process { env, ..script(&["sh", "-c", "env; cat key.txt"]) });
    let out = &ran.stdout.head;
    let names: Vec<&str> = out.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    for name in ["GITHUB_TOKEN", "GH_PAT", "my_api_key", "A_SECRET_B", "DB_PASSWORD", "ACTIONS_RUNTIME_TOKEN", "COPY"] {
        assert!(place.environment().value(name).is_some(), "the caller has {name}");
        assert!(!names.contains(&name), "{name} reached the child");
    }
    for line in ["LANG=C", "STEP=build", "DEPLOY_KEY=as the workflow writes it", "the file says ***"] {
        assert!(out.lines().any(|one| one == line), "{line} is not in {out}");
    }
    assert!(!format!("{ran:?}").contains("hunter2"));
}

#[test]
fn a_program_gets_its_arguments_as_they_are_and_nothing_to_read() {
    let place = Place::empty();
    place.executable("scripts/say.sh", "#!/bin/sh\npwd; for one in \"$@\"; do printf '[%s]' \"$one\"; done; cat\n");
    let argv = ["scripts/say.sh", "a b", "", "$HOME", "*", "--", "'\"", "日本", "x\ny"];
    let ran = place.ran(&Process { working_dir: "scripts".into(), ..script(&argv) });
    let expected = format!("{}/scripts\n[a b][][$HOME][*][--]['\"][日本][x\ny]", place.real().display());
    assert_eq!((ran.end, ran.stdout.head, ran.stderr.head), (ProcessEnd::Exited { code: 0 }, expected, String::new()));
}

#[test]
fn what_is_not_of_the_checkout_is_not_started() {
    let place = Place::empty();
    place.executable("run.sh", "#!/bin/sh\necho ran\n");
    place.executable("lost.sh", "#!/nowhere/at/all\n");
    place.file("plain.sh", "#!/bin/sh\n");
    let outside = Place::empty();
    outside.executable("run.sh", "#!/bin/sh\ntouch started\n");
    place.link(&outside.real(), "away");
    place.link(&outside.path("run.sh"), "away.sh");
    let check = |purpose: Purpose, name: &str, folder: &str, expected: Result<&str, &str>| {
        let process = Process { purpose, working_dir: folder.into(), ..script(&[name]) };
        let ran = place.ran(&process);
        match expected {
            Ok(out) => assert_eq!((ran.end, ran.stdout.head.as_str()), (ProcessEnd::Exited { code: 0 }, out), "{name}"),
            Err(words) => {
                let why = not_started(ran);
                assert!(why.contains(words), "{name} in {folder:?}: {why}");
            }
        }
    };
    let script = || Purpose::Script;
    check(script(), "./run.sh", "", Ok("ran\n"));
    check(Purpose::PreHook, "run.sh", "", Ok("ran\n"));
    check(Purpose::PostHook, "./run.sh", "", Ok("ran\n"));
    check(Purpose::Input { name: "a".into() }, "./run.sh", "", Ok("ran\n"));
    check(script(), "run.sh", "", Err("there is no program `run.sh` in PATH"));
    check(script(), "nobody-has-this", "", Err("in PATH"));
    check(Purpose::PreHook, "true", "", Err("no such file in the checkout"));
    check(script(), "./away.sh", "", Err("leads out of the checkout"));
    check(script(), "away/run.sh", "", Err("leads out of the checkout"));
    check(Purpose::PostHook, "away.sh", "", Err("leads out of the checkout"));
    check(script(), "/bin/true", "", Err("inside the checkout"));
    check(script(), "../run.sh", "", Err("inside the checkout"));
    check(script(), "true", "away", Err("leads out of the checkout"));
    check(script(), "true", "../", Err("inside the checkout"));
    check(script(), "true", "run.sh", Err("is no folder"));
    check(script(), "./plain.sh", "", Err("chmod +x ./plain.sh"));
    check(script(), "./lost.sh", "", Err("the interpreter that its first line names"));
    check(script(), "", "", Err("is empty"));
    assert!(!place.path("started").exists() && !outside.path("started").exists());
}

#[test]
fn without_a_checkout_nothing_runs() {
    let failure = Place::nowhere(&script(&["true"]));
    assert!(failure.why.contains("no checkout") && failure.attempted.contains("`true`"), "{failure:?}");
}

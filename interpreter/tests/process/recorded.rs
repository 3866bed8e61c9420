//! Programs in recordings: what came of one replays byte for byte, with no secret in it.

use std::collections::BTreeMap;

use nebuko::{
    effect::Effect,
    event::{Event, Outcome, Permission, Trigger},
    process::{Captured, Process, ProcessEnd, Purpose, Ran},
    run::Run,
    setup::Setup,
    snapshot::ThreadSnapshot,
    time::Timestamp,
};
use nebuko_interpreter::{
    record::{Header, Masked, Recorder},
    replay::replay,
    run::drive,
    secret::Masker,
    world::World,
};

use crate::place::{Place, script};

/// A world that mishears: whatever it is asked to read, it runs a program.
struct Misheard {
    world: Masked,
    process: Process,
}

impl World for Misheard {
    fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
        match effect {
            Effect::ReadThread { .. } => {
                let process = Box::new(self.process.clone());
                self.world.carry_out(&Effect::RunProcess { process }, thread)
            }
            other => self.world.carry_out(other, thread),
        }
    }

    fn requests(&self) -> u64 {
        0
    }
}

#[test]
fn what_came_of_a_program_replays_byte_for_byte() {
    let check = |process: Process, parts: &[&str]| {
        let place = Place::empty();
        let masker = Masker::new(place.environment().all(), &[]);
        let mut world = Misheard { world: Masked::new(Box::new(place.world()), masker.into()), process };
        let setup = Setup { repo: "acme/site".into(), number: 12, ..Setup::default() };
        let mut recorder = Recorder::start(Vec::new(), &Header::of(setup.clone(), BTreeMap::new()));
        let at = Timestamp::from_seconds(1_800_000_000);
        drive(Run::new(setup), &mut world, ThreadSnapshot::default(), Trigger::Manual, at, &mut recorder);
        let bytes = recorder.finish().expect("memory takes every line");
        let text = String::from_utf8(bytes.clone()).expect("a recording is text");
        for part in ["\"process_ran\"", "\"took_ms\""].iter().chain(parts) {
            assert!(text.contains(part), "{part} is not in {text:.2000}");
        }
        assert!(!text.contains("hunter2"));
        let verdict = replay(&bytes).expect("a recording");
        assert!(verdict.is_good(), "{verdict:#?}");
    };
    let sh = |text: &str| script(&["sh", "-c", text]);
    check(
        sh("printf 'a\\0b\\033[1m\\377 hunter2/hunter2'; exit 3"),
        &["\"code\":3", "***", "\\u0000", "\"replaced\":true"],
    );
    check(sh("yes | head -c 600000"), &["\"tail\":", "\"left_out\":337856"]);
    check(sh("kill -9 $$"), &["\"signalled\":{\"signal\":9}"]);
    check(script(&["./none"]), &["\"not_started\"", "no such file"]);
    check(Process { timeout_seconds: 0, ..sh("sleep 300") }, &["\"timed_out\":{\"seconds\":0}"]);
}

#[test]
fn the_effects_and_their_answers_come_back_as_they_went() {
    fn check<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(value: T) {
        let text = serde_json::to_string(&value).expect("plain data");
        let back: T = serde_json::from_str(&text).expect("it was written so");
        assert_eq!(serde_json::to_string(&back).expect("plain data"), text);
        assert_eq!(back, value);
    }
    let process = Process {
        stdin: None,
        purpose: Purpose::Input { name: "diff".into() },
        argv: vec!["git".into(), "a\0\u{fffd}\u{2028}".into()],
        working_dir: "a/b".into(),
        env: [("A".to_owned(), "=\n".to_owned())].into(),
        timeout_seconds: u64::MAX >> 11,
    };
    check(Effect::RunProcess { process: Box::new(process) });
    check(Effect::RunProcess { process: Box::new(script(&["true"])) });
    check(Effect::ReadPermission { login: "nebuko[bot]".into() });
    check(Effect::ReadWorkflow { reference: "acme/flows//a.yaml@v1".into() });
    let stdout = Captured { head: "a".into(), tail: "b".into(), left_out: 9, replaced: true };
    let ran = Ran { end: ProcessEnd::TimedOut { seconds: 1 }, stdout, ..Ran::default() };
    check(Outcome::ProcessRan { ran: Box::new(ran) });
    check(Outcome::PermissionRead { permission: Permission::Write, how: "asked".into() });
    check(Outcome::WorkflowRead { source: "name: a\r\n".into() });
}

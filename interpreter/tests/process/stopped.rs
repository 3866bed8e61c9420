//! When nebuko is told to stop while a program runs. The test is its own nebuko: it starts itself again, and that one runs
//! the program and gets the signals.

use std::{
    io::Read,
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use crate::place::{Place, alive, script, unique_sleep, wait_until};

/// In the environment of the test that was started again: what its program is to sleep for.
const AGAIN: &str = "NEBUKO_TEST_SLEEP";

#[test]
fn a_run_that_is_told_to_stop_ends_its_program_first() {
    if let Ok(sleep) = std::env::var(AGAIN) {
        let ran = Place::empty().ran(&script(&["sh", "-c", "sleep $1 & sleep $1", "sh", &sleep]));
        panic!("the signal ends this process, and here it went on: {ran:?}");
    }
    thread::scope(|scope| {
        for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
            if is_ignored(number) {
                println!("SIG{name} is not tried: whoever started these tests ignores it, and so do their children");
                continue;
            }
            scope.spawn(move || {
                let (place, sleep) = (Place::empty(), unique_sleep());
                let mut nebuko = again(&place, "a_run_that_is_told_to_stop_ends_its_program_first", &sleep, "");
                wait_until("the program runs", || alive(&sleep).len() >= 3);
                send(name, nebuko.id());
                let status = nebuko.wait().expect("a child of ours");
                assert_eq!((status.signal(), alive(&sleep)), (Some(number as i32), vec![]), "SIG{name}");
            });
        }
    });
}

#[test]
fn a_signal_that_is_to_be_ignored_stops_nothing() {
    if let Ok(sleep) = std::env::var(AGAIN) {
        let ran = Place::empty().ran(&script(&["sh", "-c", "sleep $1", "sh", &sleep]));
        panic!("the second signal ends this process, and here it went on: {ran:?}");
    }
    let (place, sleep) = (Place::empty(), unique_sleep());
    let mut nebuko = again(&place, "a_signal_that_is_to_be_ignored_stops_nothing", &sleep, "trap '' HUP; ");
    wait_until("the program runs", || !alive(&sleep).is_empty());
    send("HUP", nebuko.id());
    thread::sleep(Duration::from_millis(100));
    assert!(nebuko.try_wait().expect("a child of ours").is_none() && !alive(&sleep).is_empty());
    send("TERM", nebuko.id());
    let status = nebuko.wait().expect("a child of ours");
    assert_eq!((status.signal(), alive(&sleep)), (Some(15), vec![]));
}

#[test]
fn between_two_programs_a_signal_ends_the_run_at_once() {
    if let Ok(sleep) = std::env::var(AGAIN) {
        Place::empty().ran(&script(&["true"]));
        println!("idle after {sleep}");
        thread::sleep(Duration::from_secs(60));
        panic!("the signal ends this process, and here it went on");
    }
    let place = Place::empty();
    let mut nebuko = again(&place, "between_two_programs_a_signal_ends_the_run_at_once", &unique_sleep(), "");
    let (mut out, mut said) = (nebuko.stdout.take().expect("it is piped"), String::new());
    let mut piece = [0; 256];
    while !said.contains("idle after") {
        let count = out.read(&mut piece).expect("a pipe can be read");
        assert_ne!(count, 0, "it ended before it was idle: {said}");
        said.push_str(&String::from_utf8_lossy(&piece[..count]));
    }
    send("TERM", nebuko.id());
    assert_eq!(nebuko.wait().expect("a child of ours").signal(), Some(15));
}

/// Tells whether this process was started with a signal ignored, as `nohup` does.
fn is_ignored(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (number - 1) & 1 == 1
}

/// Starts this test program again for one of its tests. What that one leaves behind goes with the place.
fn again(place: &Place, test: &str, sleep: &str, before: &str) -> Child {
    let own = std::env::current_exe().expect("a program knows its file");
    let test = format!("stopped::{test}");
    let line = format!("{before}exec \"$0\" --exact --nocapture \"$1\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).arg(own).arg(test).env(AGAIN, sleep).env("TMPDIR", place.real());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("sh starts")
}

fn send(signal: &str, id: u32) {
    let sent = Command::new("kill").arg(format!("-{signal}")).arg(id.to_string()).status();
    assert!(sent.expect("kill starts").success(), "SIG{signal} to {id}");
}

//! The end of a program, with everything it started (fault kind 5.1).

use std::{thread, time::Duration};

use nebuko::process::{Process, ProcessEnd};

use crate::place::{Place, alive, script, unique_sleep};

#[test]
fn nothing_is_alive_after_a_time_limit() {
    let check = |text: &'static str, most_ms: u64| {
        let sleep = unique_sleep();
        let argv = ["sh", "-c", text, "sh", &sleep];
        let ran = Place::empty().ran(&Process { timeout_seconds: 1, ..script(&argv) });
        assert_eq!(alive(&sleep), [0; 0], "{text}");
        assert_eq!((ran.end, ran.stdout.head.as_str()), (ProcessEnd::TimedOut { seconds: 1 }, "so far\n"), "{text}");
        assert!((1_000..most_ms).contains(&ran.took_ms), "{text}: {} ms", ran.took_ms);
    };
    // Six seconds each for those that do not listen, so they wait side by side.
    thread::scope(|scope| {
        for text in [
            "echo so far; sleep $1 & sleep $1",
            "echo so far; sleep $1",
            "echo so far; (sleep $1 & sleep $1 &) ; sleep $1 >/dev/null 2>&1",
        ] {
            scope.spawn(move || check(text, 5_500));
        }
        for text in [
            "trap '' TERM; echo so far; sleep $1",
            "trap '' TERM; echo so far; sleep $1 & sleep $1",
            "(trap '' TERM; sleep $1 & sleep $1) & echo so far; sleep $1",
            "(trap '' TERM; exec sleep $1 >/dev/null 2>&1) & echo so far; sleep $1",
            "trap 'sleep $1' TERM; echo so far; sleep $1",
        ] {
            scope.spawn(move || check(text, 15_000));
        }
    });
}

#[test]
fn what_a_program_leaves_behind_is_ended_with_it() {
    let check = |text: &str| {
        let sleep = unique_sleep();
        let ran = Place::empty().ran(&script(&["sh", "-c", text, "sh", &sleep]));
        assert_eq!(alive(&sleep), [0; 0], "{text}");
        assert_eq!((ran.end, ran.stdout.head.as_str()), (ProcessEnd::Exited { code: 7 }, "done\n"), "{text}");
    };
    check("sleep $1 & echo done; exit 7");
    check("sleep $1 >/dev/null 2>&1 & echo done; exit 7");
    check("(trap '' TERM HUP; sleep $1 & sleep $1) & echo done; exit 7");
    check("nohup sleep $1 >/dev/null 2>&1 & echo done; exit 7");
}

#[test]
fn whoever_leaves_the_group_is_not_waited_for() {
    let sleep = unique_sleep();
    let ran = Place::empty().ran(&script(&["sh", "-c", "setsid sleep $1 & echo done", "sh", &sleep]));
    assert_eq!((ran.end, ran.stdout.head.as_str()), (ProcessEnd::Exited { code: 0 }, "done\n"));
    assert!(ran.took_ms < 15_000, "{} ms", ran.took_ms);
    // This one is out of reach, as docs/programs.md says; the test ends what it started.
    for id in alive(&sleep) {
        let _ = std::process::Command::new("kill").args(["-KILL", &id.to_string()]).status();
    }
    crate::place::wait_until("the sleeper is gone", || alive(&sleep).is_empty());
}

#[test]
fn a_program_that_was_ended_by_somebody_else_says_by_which_signal() {
    let ran = Place::empty().ran(&script(&["sh", "-c", "kill -KILL $$"]));
    assert_eq!(ran.end, ProcessEnd::Signalled { signal: 9 });
    assert!(Duration::from_millis(ran.took_ms) < Duration::from_secs(15));
}

//! Groups with short waits. That the usual waits hold as well is tested from outside, in `interpreter/tests/process.rs`.

use super::*;
use crate::secret::Secret;

/// Shorter waits than usual. No upper bound below is near one of them, as a test may get little of a busy machine.
fn patience(limit_ms: u64) -> Patience {
    Patience {
        limit: Duration::from_millis(limit_ms),
        asked: Duration::from_millis(500),
        left_behind: Duration::from_millis(300),
    }
}

fn ran(limit_ms: u64, script: &str) -> (Ended, Ran) {
    let masker = Masker::new([], &[Secret::new("hunter2/hunter2")]);
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    run(&mut command, &patience(limit_ms), &masker).expect("sh starts")
}

#[test]
fn a_program_ends_by_itself_and_says_how() {
    let check = |script: &str, end: ProcessEnd, out: &str, err: &str| {
        let (ended, ran) = ran(20_000, script);
        let said = (ran.stdout.head.as_str(), ran.stderr.head.as_str());
        assert_eq!((ended, &ran.end, said), (Ended::ByItself, &end, (out, err)), "{script}");
    };
    check("echo a; echo b >&2; exit 3", ProcessEnd::Exited { code: 3 }, "a\n", "b\n");
    check("exit 0", ProcessEnd::Exited { code: 0 }, "", "");
    check("kill -USR1 $$", ProcessEnd::Signalled { signal: Signal::USR1.as_raw() }, "", "");
    check("kill -KILL $$", ProcessEnd::Signalled { signal: 9 }, "", "");
    check("read line || echo empty", ProcessEnd::Exited { code: 0 }, "empty\n", "");
    check("exec >&- 2>&-; sleep 0.1; exit 4", ProcessEnd::Exited { code: 4 }, "", "");
    check("echo hunter2/hunter2", ProcessEnd::Exited { code: 0 }, "***\n", "");
}

#[test]
fn at_the_limit_everything_ends_and_what_was_written_stays() {
    let check = |script: &str, least_ms: u64| {
        let (ended, ran) = ran(200, script);
        assert_eq!((ended, ran.stdout.head.as_str()), (Ended::AtItsLimit, "so far\n"), "{script}");
        assert!((least_ms..20_000).contains(&ran.took_ms), "{script}: {} ms", ran.took_ms);
    };
    check("echo so far; sleep 300", 200);
    check("echo so far; sleep 300 & sleep 300", 200);
    // Whoever does not listen gets the second signal.
    check("trap '' TERM; echo so far; sleep 300", 700);
    check("trap '' TERM; echo so far; sleep 300 & sleep 300", 700);
    check("(trap '' TERM; sleep 300) & echo so far; sleep 300", 700);
}

#[test]
fn what_a_program_leaves_behind_is_ended_after_a_moment() {
    let (ended, first) = ran(20_000, "sleep 300 & echo done");
    assert_eq!((ended, first.stdout.head.as_str()), (Ended::ByItself, "done\n"));
    assert!((300..20_000).contains(&first.took_ms), "{} ms", first.took_ms);
    // It may say its last words in that moment.
    let (_, last) = ran(20_000, "(sleep 0.05; echo late) & echo done");
    assert_eq!((last.stdout.head.as_str(), last.end), ("done\nlate\n", ProcessEnd::Exited { code: 0 }));
    // Whoever holds no pipe is not waited for.
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "sleep 300 >/dev/null 2>&1 & echo done"]);
    let patience = Patience { left_behind: Duration::from_secs(60), ..patience(20_000) };
    let (_, quiet) = run(&mut command, &patience, &Masker::none()).expect("sh starts");
    assert!(quiet.took_ms < 20_000, "{} ms", quiet.took_ms);
}

#[test]
fn a_flood_does_not_outlast_the_limit() {
    let (ended, ran) = ran(300, "yes & yes");
    assert_eq!(ended, Ended::AtItsLimit);
    assert!(ran.stdout.left_out > 0 && ran.took_ms < 20_000, "{} ms", ran.took_ms);
}

#[test]
fn what_is_no_program_is_an_error() {
    let mut command = Command::new("/nowhere/at/all");
    assert!(run(&mut command, &patience(100), &Masker::none()).is_err());
}

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
    fed(limit_ms, script, None)
}

fn fed(limit_ms: u64, script: &str, input: Option<&str>) -> (Ended, Ran) {
    let masker = Masker::new([], &[Secret::new("hunter2/hunter2")]);
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    run(&mut command, input, &patience(limit_ms), &masker).expect("sh starts")
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
    let (_, quiet) = run(&mut command, None, &patience, &Masker::none()).expect("sh starts");
    assert!(quiet.took_ms < 20_000, "{} ms", quiet.took_ms);
}

#[test]
fn a_flood_does_not_outlast_the_limit() {
    let (ended, ran) = ran(300, "yes & yes");
    assert_eq!(ended, Ended::AtItsLimit);
    assert!(ran.stdout.left_out > 0 && ran.took_ms < 20_000, "{} ms", ran.took_ms);
}

#[test]
fn a_program_is_fed_while_it_is_read() {
    let large = "0123456789abcde\n".repeat(64 * 1024);
    let check = |script: &str, input: &str, out: &str| {
        let (ended, ran) = fed(60_000, script, Some(input));
        assert_eq!((ended, &ran.end), (Ended::ByItself, &ProcessEnd::Exited { code: 0 }), "{script}");
        assert_eq!(ran.stdout.head.trim(), out, "{script}");
        ran
    };
    check("cat", "日本\r\n", "日本");
    check("cat", "", "");
    check("wc -c", &large, "1048576");
    check("sleep 0.2; wc -c", &large, "1048576");
    // It reads nothing, little, or only after it has said much.
    check("echo done", &large, "done");
    check("exec <&-; sleep 0.2; echo done", &large, "done");
    check("read line; echo $line", &large, "0123456789abcde");
    check("head -c 1048576 /dev/zero >&2; wc -c", &large, "1048576");
    // As much goes in as comes out, at the same time.
    let (_, both) = fed(60_000, "cat", Some(&large));
    let kept = both.stdout.head.len() + both.stdout.tail.len();
    assert_eq!(kept as u64 + both.stdout.left_out, large.len() as u64);
    assert!(both.stdout.tail.ends_with("abcde\n"));
    let (ended, _) = fed(300, "sleep 300", Some(&large));
    assert_eq!(ended, Ended::AtItsLimit, "nobody reads, and the limit holds");
}

#[test]
fn what_is_no_program_is_an_error() {
    let mut command = Command::new("/nowhere/at/all");
    assert!(run(&mut command, None, &patience(100), &Masker::none()).is_err());
}

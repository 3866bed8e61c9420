//! What is listed, read and found, and how it is shown.

use std::fs;

use super::*;

#[test]
fn a_folder_is_listed_in_order() {
    let ground = Ground::with(&[("b/c.txt", ""), ("B", "xy"), ("new\nline", "")]).link("../out", "away");
    rustix::fs::mkfifoat(rustix::fs::CWD, ground.scratch.path().join("in/pipe"), rustix::fs::Mode::RUSR)
        .expect("a pipe");
    let all = "./ holds 6 entries:\nB (2 bytes)\na.txt (14 bytes)\naway (link)\nb/\nnew\\u{a}line (0 bytes)\n\
               pipe (no regular file)\n";
    ground.check(list(""), Ok(all));
    ground.check(list("./b/."), Ok("b/ holds 1 entry:\nc.txt (0 bytes)\n"));
    ground.check(list("a.txt"), Err("is no folder"));
    ground.check(list("none"), Err("no such file"));
}

#[test]
fn lines_of_a_file_are_read_with_their_numbers() {
    let ground = Ground::with(&[("crlf", "a\r\nb\r\n"), ("mixed", "a\r\nb\nc"), ("empty", ""), ("zero", "a\0b")]);
    fs::write(ground.scratch.path().join("in/bad"), b"a\xff\xfe b\n").expect("a file of ours");
    ground.check(read("a.txt", 1, 400), Ok("a.txt, lines 1 to 3 of 3:\n     1\tone\n     2\ttwo\n     3\tthree\n"));
    ground.check(read("./a.txt", 2, 1), Ok("a.txt, lines 2 to 2 of 3:\n     2\ttwo\n"));
    ground.check(read("a.txt", 4, 1), Err("has 3 lines, so there is no line 4"));
    ground.check(read("a.txt", u64::MAX, u64::MAX), Err("has 3 lines"));
    let crlf =
        "crlf, lines 1 to 2 of 2:\n     1\ta\n     2\tb\n[the lines of this file end with CRLF; edits keep that]\n";
    ground.check(read("crlf", 1, u64::MAX), Ok(crlf));
    let mixed = "mixed, lines 3 to 3 of 3:\n     3\tc\n[some lines of this file end with CRLF and some with LF]\n\
                 [the last line of this file has no line end]\n";
    ground.check(read("mixed", 3, 9), Ok(mixed));
    let bad =
        "bad, lines 1 to 1 of 1:\n     1\ta\u{fffd}\u{fffd} b\n[bytes of this file that are no UTF-8 show as U+FFFD]\n";
    ground.check(read("bad", 1, 9), Ok(bad));
    ground.check(read("empty", 1, 9), Ok("empty is empty"));
    ground.check(read("zero", 1, 9), Err("is no text file; it has 3 bytes"));
    ground.check(read("", 1, 9), Err("is a folder"));
    ground.check(read("none", 1, 9), Err("no such file"));
}

#[test]
fn lines_that_hold_a_text_are_found_in_order() {
    let ground =
        Ground::with(&[("b/z", "Two\r\ntwo.\r\n"), ("b.txt", "x two\n"), ("zero", "two\0"), ("c/d/e", "tw\no")])
            .link("a.txt", "again")
            .link("b", "b-again");
    let found = "3 lines in 3 files hold it:\na.txt:2: two\nb/z:2: two.\nb.txt:1: x two\n";
    ground.check(search("two", ""), Ok(found));
    ground.check(search("two", "b"), Ok("1 line holds it:\nb/z:2: two.\n"));
    ground.check(search("two", "a.txt"), Ok("1 line holds it:\na.txt:2: two\n"));
    ground.check(search("t.o", ""), Ok("no line holds it, of 5 files that were looked at\n"));
    ground.check(search("tw\no", ""), Err("one line at a time"));
    ground.check(search("two", "none"), Err("no such file"));
    let line = format!("{}needle{}\n", "é".repeat(300), "é".repeat(300));
    ground.scratch.write("in/long", &line);
    let ToolDone { text, .. } = ground.uses(search("needle", "long"), 65_536);
    assert!(text.contains("needle") && text.contains("long:1: …é") && text.len() < 500, "{text}");
}

#[test]
fn no_secret_is_shown_or_found_and_line_numbers_stay() {
    let ground = Ground::with(&[("env", "KEY=hunter2/hunter2\nfirst line\nsecond line\nlast\n")]);
    let shown = "env, lines 1 to 4 of 4:\n     1\tKEY=***\n     2\t***\n     3\t\n     4\tlast\n";
    ground.check(read("env", 1, 9), Ok(shown));
    ground.check(search("KEY", ""), Ok("1 line holds it:\nenv:1: KEY=***\n"));
    ground.check(search("KEY=h", ""), Ok("no line holds it, of 2 files that were looked at\n"));
    ground.check(search("hunter2", ""), Ok("no line holds it, of 2 files that were looked at\n"));
    ground.check(edit("env", "KEY=x", "y"), Err("old does not stand"));
    ground.check(read(SECRET, 1, 9), Err("`***`"));
    // Nor is half of one left where there was no room for more.
    for bytes_max in 1_000..1_100 {
        let text = ground.uses(read("env", 1, 9), bytes_max).text;
        assert!(!text.contains("hunt"), "{bytes_max}: {text}");
    }
}

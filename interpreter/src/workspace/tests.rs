//! Tools on real folders, with links, pipes and everything else that a checkout may hold: where they stop.
#![cfg(unix)]
#![allow(clippy::disallowed_types, reason = "a test's clock goes on whenever it is looked at; the list is the core's")]

use std::{cell::Cell, fs, os::unix::fs::symlink, time::Duration};

use nebuko::{
    event::Outcome,
    time::Timestamp,
    workspace::{ToolDone, ToolUse, WorkspaceTool},
};

use super::run;
use crate::{
    args::Environment,
    clock::Clock,
    process::Checkout,
    scratch::Scratch,
    secret::{Masker, Secret},
    surroundings::{Surroundings, Workplace},
};

mod changing;
mod looking;

const SECRET: &str = "hunter2/hunter2";

/// A clock that goes on by some milliseconds whenever it is looked at.
struct Ticking(Cell<u64>, u64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp::default()
    }
    fn elapsed_ms(&self) -> u64 {
        self.0.set(self.0.get() + self.1);
        self.0.get()
    }
    fn sleep(&self, _: Duration) {}
    fn part_of(&self, _: Duration) -> Duration {
        Duration::ZERO
    }
}

/// A checkout in a folder `in`, with things outside of it.
struct Ground {
    scratch: Scratch,
    tick_ms: u64,
}

impl Ground {
    fn with(files: &[(&str, &str)]) -> Self {
        let scratch = Scratch::with(&[("in/a.txt", "one\ntwo\nthree\n"), ("out/b.txt", "outside\n")]);
        files.iter().for_each(|(name, text)| scratch.write(&format!("in/{name}"), text));
        Self { scratch, tick_ms: 0 }
    }

    fn link(self, target: &str, name: &str) -> Self {
        symlink(target, self.scratch.path().join("in").join(name)).expect("the folder takes a link");
        self
    }

    fn uses(&self, tool: WorkspaceTool, bytes_max: u64) -> ToolDone {
        let masker = Masker::new([], &[Secret::new(SECRET), Secret::new("first line\nsecond line")]);
        let folder = self.scratch.path().join("in");
        let checkout = Some(Checkout { folder, environment: Environment::of(&[]) });
        let around = Surroundings::new(Ticking(Cell::new(0), self.tick_ms), |_, _| {}, masker);
        let around = around.at(Workplace { checkout, ..Workplace::default() });
        done(&ToolUse { tool, bytes_max, seconds_max: 5 }, &around)
    }

    fn check(&self, tool: WorkspaceTool, expected: Result<&str, &str>) {
        let ToolDone { ok, text, .. } = self.uses(tool.clone(), 65_536);
        match expected {
            Ok(wanted) => assert_eq!((ok, text.as_str()), (true, wanted), "{tool:?}"),
            Err(part) => assert!(!ok && text.contains(part), "{tool:?}: {ok} {text}"),
        }
    }

    fn text(&self, name: &str) -> Vec<u8> {
        fs::read(self.scratch.path().join(name)).unwrap_or_default()
    }
}

fn done(used: &ToolUse, around: &Surroundings) -> ToolDone {
    match run(used, around) {
        Outcome::ToolUsed { done } => *done,
        other => panic!("{other:?} is no answer of a tool"),
    }
}

fn list(path: &str) -> WorkspaceTool {
    WorkspaceTool::ListFiles { path: path.into() }
}

fn read(path: &str, from_line: u64, lines: u64) -> WorkspaceTool {
    WorkspaceTool::ReadFile { path: path.into(), from_line, lines }
}

fn search(text: &str, path: &str) -> WorkspaceTool {
    WorkspaceTool::SearchText { text: text.into(), path: path.into() }
}

fn write(path: &str, text: &str) -> WorkspaceTool {
    WorkspaceTool::WriteFile { path: path.into(), text: text.into() }
}

fn edit(path: &str, old: &str, new: &str) -> WorkspaceTool {
    WorkspaceTool::ApplyEdit { path: path.into(), old: old.into(), new: new.into() }
}

/// One use of each tool at a path.
fn all(path: &str) -> [WorkspaceTool; 5] {
    [list(path), read(path, 1, 10), search("o", path), write(path, "x"), edit(path, "o", "x")]
}

#[test]
fn no_tool_leaves_the_checkout() {
    let ground = Ground::with(&[("sub/c.txt", "c\n")])
        .link("../out", "away")
        .link("../out/b.txt", "away.txt")
        .link("away", "twice")
        .link("loop", "loop")
        .link("../out/new.txt", "dangling")
        .link("../..", "sub/up");
    let secret = ground.scratch.path().join("out/b.txt");
    let absolute = secret.to_str().expect("the path is plain");
    let outside = [
        "..",
        "../out/b.txt",
        "sub/../../out/b.txt",
        absolute,
        "/etc/passwd",
        "away",
        "away/b.txt",
        "away.txt",
        "twice/b.txt",
        "twice/deep/new.txt",
        "loop",
        "dangling",
        "sub/up/../out/b.txt",
        "a.txt/../a.txt",
        "x\0y",
        "loop/x",
        "sub/up/out/b.txt",
        "sub/up/new",
        "/",
        "//",
        "../in/a.txt",
    ];
    for path in outside {
        for tool in all(path) {
            let ToolDone { ok, text, .. } = ground.uses(tool.clone(), 65_536);
            assert!(!ok && !text.contains("outside"), "{tool:?}: {text}");
        }
    }
    let left: Vec<_> = fs::read_dir(ground.scratch.path().join("out")).expect("it is there").collect();
    assert_eq!((left.len(), ground.text("out/b.txt")), (1, b"outside\n".to_vec()));
}

#[test]
fn no_path_of_these_parts_leads_out_or_to_the_rules() {
    let ground = Ground::with(&[("sub/c.txt", "c\n"), (".git/x", "g\n"), (".nebuko/x", "n\n")]);
    let ground = ground.link("../out", "away").link("..", "sub/up").link("../..", "sub/out").link(".git", "sub/git");
    let parts =
        ["..", ".", "", "sub", "up", "out", "away", "git", ".git", ".GIT", ".nebuko", "x", "new", "b.txt", "c.txt"];
    let mut written = 0;
    for seed in 0..600 {
        let mut given = quickcheck::Gen::from_size_and_seed(10, seed);
        let count = 1 + usize::from(<u8 as quickcheck::Arbitrary>::arbitrary(&mut given) % 5);
        let path: Vec<_> = (0..count).map(|_| *given.choose(&parts).expect("some")).collect();
        let path = path.join("/");
        written += u32::from(ground.uses(write(&path, "x"), 65_536).ok);
        let seen = ground.uses(read(&path, 1, 9), 65_536).text;
        assert!(!seen.contains("outside") && !seen.contains("\tg"), "seed {seed}: {path}: {seen}");
    }
    assert!(written > 50, "{written}");
    assert_eq!((ground.text("in/.git/x"), ground.text("in/.nebuko/x")), (b"g\n".to_vec(), b"n\n".to_vec()));
    assert_eq!(ground.text("out/b.txt"), b"outside\n");
    for folder in ["out", "in/.git", "in/.nebuko"] {
        let there = fs::read_dir(ground.scratch.path().join(folder)).expect("it is there");
        assert_eq!(there.count(), 1, "{folder}");
    }
    assert_eq!(fs::read_dir(ground.scratch.path()).expect("it is there").count(), 2);
}

#[test]
fn what_an_agent_is_ruled_by_is_not_written_and_gits_own_is_not_shown() {
    let ground = Ground::with(&[(".git/config", "o"), (".nebuko/config.yaml", "o\n"), ("sub/.git/hooks/x", "o")])
        .link(".git", "git")
        .link(".nebuko", "rules");
    let check = |path: &str, shown: bool| {
        for tool in all(path) {
            let is_write = matches!(tool, WorkspaceTool::WriteFile { .. } | WorkspaceTool::ApplyEdit { .. });
            let text = ground.uses(tool.clone(), 65_536).text;
            let refused = text.contains("may not be written") || text.contains("may hold a token");
            assert_eq!(refused, is_write || !shown, "{tool:?}: {text}");
        }
    };
    check(".git/config", false);
    check("git/config", false);
    check("sub/.git/hooks/x", false);
    check(".nebuko/config.yaml", true);
    check("rules/config.yaml", true);
    ground.check(write(".GIT/new", "x"), Err("may not be written"));
    ground.check(write(".Nebuko/agents/dev.md", "x"), Err("does not change its own rules"));
    ground.check(write("sub/.nebuko/x", "x"), Err("does not change its own rules"));
    ground.check(write(".git", "x"), Err("may not be written"));
    ground.check(list("sub"), Ok("sub/ is empty"));
    ground.check(
        search("o", ""),
        Ok("3 lines in 2 files hold it:\n.nebuko/config.yaml:1: o\na.txt:1: one\na.txt:2: two\n"),
    );
    // What leads there by a link of that name is the same.
    let linked = Ground::with(&[("settings/config.yaml", "o\n")]).link("settings", ".nebuko");
    linked.check(write("settings/config.yaml", "x"), Err("does not change its own rules"));
}

#[test]
fn what_is_no_regular_file_is_neither_opened_nor_written() {
    let ground = Ground::with(&[]).link("/dev/zero", "zero").link("pipe", "to-pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, ground.scratch.path().join("in/pipe"), rustix::fs::Mode::RUSR)
        .expect("a pipe");
    ground.check(read("pipe", 1, 9), Err("is no regular file"));
    ground.check(read("to-pipe", 1, 9), Err("is no regular file"));
    ground.check(read("zero", 1, 9), Err("leads out of the checkout"));
    ground.check(write("pipe", "x"), Err("is no regular file"));
    ground.check(edit("pipe", "a", "b"), Err("is no regular file"));
    ground.check(
        search("x", "pipe"),
        Ok("no line holds it, of 0 files that were looked at\n[1 files or folders were passed over: \
        too large, or not readable]\n"),
    );
    let large = fs::File::create(ground.scratch.path().join("in/large")).expect("a file of ours");
    large.set_len(17 * 1024 * 1024).expect("it has a size");
    ground
        .check(read("large", 1, 9), Err("`large` has 17825792 bytes, and files of more than 16777216 are not opened"));
}

#[test]
fn a_result_stays_within_its_bytes_and_says_what_is_left_out() {
    let ground = Ground::with(&[("long", &"é".repeat(3_000)), ("many", &"a line\n".repeat(1_000))]);
    (0..200).for_each(|number| ground.scratch.write(&format!("in/sub/{number:03}-日本"), "a line\n"));
    let tools = [
        list("sub"),
        read("long", 1, 9),
        read("many", 1, 9_000),
        search("line", ""),
        write("new", "x"),
        edit("many", "line", "x"),
        read("none", 1, 1),
    ];
    for tool in tools {
        for bytes_max in [0, 1, 7, 100, 1_023, 1_024, 1_025, 1_300, 2_000, 5_000] {
            let ToolDone { text, .. } = ground.uses(tool.clone(), bytes_max);
            assert!(text.len() as u64 <= bytes_max, "{tool:?} {bytes_max}: {}", text.len());
        }
    }
    let says = |tool: WorkspaceTool, part: &str| {
        let ToolDone { ok, text, .. } = ground.uses(tool, 2_000);
        assert!(ok && text.contains(part), "{text}");
    };
    says(list("sub"), "sub/ holds 200 entries; the first 46:\n000-");
    says(list("sub"), "[154 more are left out here");
    says(read("long", 1, 9), "[5048 bytes of line 1 are left out here]");
    says(read("many", 1, 9_000), "many, lines 1 to 68 of 1000:");
    says(read("many", 1, 9_000), "[there is no room for more; read on with from_line 69]");
    says(search("line", ""), "[there is no room for more; search a folder below, or for a longer text]");
}

#[test]
fn a_use_stays_within_its_time() {
    let mut ground = Ground::with(&[("b/c", "two\n"), ("d", "two\n")]);
    ground.tick_ms = 1_000;
    ground.check(list(""), Ok("./ holds 3 entries:\na.txt (14 bytes)\nb/\nd (4 bytes)\n"));
    let ToolDone { ok, text, took_ms } = ground.uses(search("two", ""), 65_536);
    assert!(ok && took_ms > 5_000, "{took_ms}");
    assert!(text.contains("[the time of 5 s is over; ") && text.contains("was not looked at"), "{text}");
    ground.tick_ms = 3_000;
    let text = ground.uses(list(""), 65_536).text;
    assert!(text.contains("[the time of 5 s was over before all of it was seen]"), "{text}");
}

#[test]
fn without_a_checkout_the_answer_says_so() {
    let around = Surroundings::new(Ticking(Cell::new(0), 0), |_, _| {}, Masker::none());
    for tool in all("a.txt") {
        let ToolDone { ok, text, .. } = done(&ToolUse { tool, bytes_max: 65_536, seconds_max: 5 }, &around);
        assert!(!ok && text.contains("there is no checkout here"), "{text}");
    }
    let folder = "/nowhere/at/all".into();
    let checkout = Some(Checkout { folder, environment: Environment::of(&[]) });
    let around = around.at(Workplace { checkout, ..Workplace::default() });
    let ToolDone { ok, text, .. } = done(&ToolUse { tool: list(""), bytes_max: 65_536, seconds_max: 5 }, &around);
    assert!(!ok && text.contains("the checkout cannot be used"), "{text}");
}

//! One phase on one thread, alone in a process, so that its instructions, memory and time can be measured.
//!
//! The phases build on each other: `reconcile` parses first and `render` reconciles first. What one costs is the
//! difference to the one before it. Comparing and judging is for `interpreter/bench/gate.sh`.
#![allow(clippy::panic, reason = "a measurement that cannot be taken has no result")]

use std::{
    env, fs,
    hint::black_box,
    io::Read,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use nebuko::snapshot::ThreadSnapshot;
use nebuko_bench::{Eyes, Mix, messages, parse, reconciled, rendered, thread_json};

const USAGE: &str = "\
gate thread (usual|reports|commands) N     writes a thread of N comments
gate (nothing|parse|reconcile|render) FILE goes so far with it
gate (memory|memory-held) FILE             goes all the way, and prints the most KiB it had
gate time FILE ROUNDS                      prints each phase's median in microseconds
gate start ROUNDS PROGRAM [ARGUMENT…]      prints the median microseconds to a program's first byte on stderr";

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["thread", mix, comments] => print!("{}", thread_json(number(comments), mix_of(mix))),
        ["nothing", file] => drop(black_box(read(file))),
        ["parse", file] => drop(black_box(parsed(&read(file)))),
        ["reconcile", file] => drop(black_box(reconciled(&parsed(&read(file)), &Eyes::default()))),
        ["render", file] => render(&parsed(&read(file))),
        ["memory", file] => {
            // As the program does it: the bytes go once they are parsed.
            let thread = parsed(&read(file));
            render(&thread);
            println!("{}", peak_kib());
        }
        ["memory-held", file] => {
            let bytes = read(file);
            render(&parsed(&bytes));
            println!("{}", peak_kib());
            drop(black_box(bytes));
        }
        ["time", file, rounds] => time(&read(file), number(rounds)),
        ["start", rounds, program, ref arguments @ ..] => start(number(rounds), program, arguments),
        _ => panic!("{USAGE}"),
    }
}

/// Goes from a parsed thread to a request, and holds all of it until the end.
fn render(thread: &ThreadSnapshot) {
    let ledger = reconciled(thread, &Eyes::default());
    let blocks = rendered(thread, &ledger);
    drop(black_box(messages(&blocks)));
    drop(black_box(blocks));
}

/// Prints the median time of each phase in microseconds, and of all of them.
fn time(json: &[u8], rounds: u64) {
    let eyes = Eyes::default();
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..rounds {
        let start = Instant::now();
        let thread = parsed(black_box(json));
        let read = Instant::now();
        let ledger = reconciled(&thread, &eyes);
        let folded = Instant::now();
        drop(black_box(messages(&rendered(&thread, &ledger))));
        let end = Instant::now();
        for (of, took) in times.iter_mut().zip([read - start, folded - read, end - folded, end - start]) {
            of.push(took);
        }
    }
    for (name, of) in ["parse", "reconcile", "render", "all"].into_iter().zip(times) {
        println!("{name} {}", median(of));
    }
}

/// Prints how long a program takes from its start to the first byte it tells on stderr.
fn start(rounds: u64, program: &str, arguments: &[&str]) {
    let once = || {
        let start = Instant::now();
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|why| panic!("could not start {program}: {why}"));
        let mut told = child.stderr.take().expect("stderr is piped");
        told.read_exact(&mut [0]).unwrap_or_else(|why| panic!("{program} told nothing: {why}"));
        let took = start.elapsed();
        // The rest is read too, so that the program ends as it would.
        told.read_to_end(&mut Vec::new()).expect("a pipe can be read");
        child.wait().expect("a child can be waited for");
        took
    };
    println!("{}", median((0..rounds).map(|_| once()).collect()));
}

fn median(mut times: Vec<Duration>) -> u128 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0, Duration::as_micros)
}

/// Gives the most memory this process ever had, in KiB, as Linux counts it.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux tells the status of a process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak is in the status");
    number(peak.trim().trim_end_matches("kB").trim())
}

fn parsed(json: &[u8]) -> ThreadSnapshot {
    parse(json).unwrap_or_else(|why| panic!("the file holds no thread: {why}"))
}

fn mix_of(word: &str) -> Mix {
    match word {
        "usual" => Mix::Usual,
        "reports" => Mix::Reports,
        "commands" => Mix::Commands,
        _ => panic!("{USAGE}"),
    }
}

fn read(file: &str) -> Vec<u8> {
    fs::read(file).unwrap_or_else(|why| panic!("could not read {file}: {why}"))
}

fn number(word: &str) -> u64 {
    word.parse().unwrap_or_else(|why| panic!("{word} is no number: {why}"))
}

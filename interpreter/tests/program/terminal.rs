//! What a person at a terminal sees while a model is asked: a line that moves, and nothing of it elsewhere.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::fd::OwnedFd,
    process::Command,
    sync::mpsc,
    thread,
};

use rustix::{
    fs::{Mode, OFlags, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};
use serde_json::json;

use crate::place::{Place, Ran};

/// Runs a program with a terminal as its standard error, and gives what came there, and its exit code.
fn on_a_terminal(mut command: Command) -> (String, String, Option<i32>) {
    if command.get_envs().all(|(name, _)| name != "TERM") {
        command.env("TERM", "xterm");
    }
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("the system has terminals");
    grantpt(&terminal).expect("it is ours");
    unlockpt(&terminal).expect("it is ours");
    let name = ptsname(&terminal, Vec::new()).expect("it has a name");
    let end: OwnedFd = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("it can be opened");
    let mut child = command.stderr(end).stdout(std::process::Stdio::piped()).spawn().expect("the program starts");
    // The command still holds the other end, and reading would not come to an end with it.
    drop(command);
    let mut reading = File::from(terminal);
    let shown = thread::spawn(move || {
        let mut shown = Vec::new();
        // Linux ends a terminal whose last user is gone with an error.
        let _ = reading.read_to_end(&mut shown);
        String::from_utf8_lossy(&shown).into_owned()
    });
    let mut out = String::new();
    child.stdout.take().expect("it is a pipe").read_to_string(&mut out).expect("it writes UTF-8");
    let code = child.wait().expect("it ends").code();
    (shown.join().expect("reading does not fail"), out, code)
}

/// A model that streams a good report in three pieces to whoever asks, and stays on the line until it may end.
fn model() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| answer(&stream)));
    format!("http://{address}/v1")
}

fn answer(mut stream: &TcpStream) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    while lines.next().is_some_and(|line| !line.is_empty()) {}
    let chunk = |text: &str, reason: Option<&str>| {
        let delta = json!({ "choices": [{ "index": 0, "delta": { "content": text }, "finish_reason": reason }],
                            "usage": { "prompt_tokens": 1000, "completion_tokens": 3 } });
        format!("data: {delta}\n\n")
    };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let text = [head.into(), chunk("A ", None), chunk("good ", None), chunk("report.", Some("stop"))].concat();
    let _ = stream.write_all((text + "data: [DONE]\n\n").as_bytes());
}

fn place() -> Place {
    let place = Place::with_a_thread();
    let models = "model: fast\nmodels: {fast: {name: m-1, prices: {input: 1000, output: 1000}}}\nllm: {stream: true}\n";
    place.write(".nebuko/config.yaml", models);
    place
}

#[test]
fn a_terminal_shows_who_is_asked_and_the_line_is_gone_afterwards() {
    let place = place();
    let line = format!("run --local demo --single-step --json --model {}", model());
    let (shown, out, code) = on_a_terminal(place.command(&line));
    assert_eq!(code, Some(0), "{shown}{out}");
    assert!(shown.contains("waiting for m-1: 0s"), "{shown:?}");
    assert!(shown.contains("answered after") && shown.contains("1000 + 3 tokens, 1.003 USD so far"), "{shown:?}");
    // The line that moves is written over before what follows.
    let (_, after) = shown.rsplit_once("waiting for m-1").expect("it was shown");
    assert!(after.contains("\u{1b}[2K"), "{shown:?}");
    let document: serde_json::Value = serde_json::from_str(&out).expect("standard output is one document");
    assert_eq!(document["outcome"], "advanced", "{out}");
}

#[test]
fn whoever_wants_no_progress_sees_none_of_it() {
    let place = place();
    let line = format!("run --local demo --single-step --json --quiet --model {}", model());
    let (shown, _, code) = on_a_terminal(place.command(&line));
    assert_eq!((code, shown.as_str()), (Some(0), ""));
    for (name, value) in [("TERM", "dumb"), ("GITHUB_ACTIONS", "true")] {
        let place = self::place();
        let mut command = place.command(&format!("run --local demo --single-step --color never --model {}", model()));
        command.env(name, value);
        let (shown, _, code) = on_a_terminal(command);
        assert!(code == Some(0) && shown.contains("answered after"), "{name}: {shown}");
        assert!(!shown.contains("waiting for") && !shown.contains('\u{1b}'), "{name}: {shown:?}");
    }
    let place = self::place();
    let ran: Ran = place.run(&format!("run --local demo --single-step --model {}", model()));
    assert!(ran.code == 0 && ran.err.contains("answered after") && !ran.err.contains("waiting for"), "{}", ran.err);
}

#[test]
fn a_terminal_keeps_the_lines_that_are_told_meanwhile() {
    let place = place();
    // Nobody listens there: the client tells that it tries again.
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut streams = listener.incoming().flatten();
        // The first is sent away without a word.
        drop(streams.next());
        let _ = sender.send(());
        streams.for_each(|stream| answer(&stream));
    });
    let (shown, _, code) =
        on_a_terminal(place.command(&format!("run --local demo --single-step --model http://{address}/v1")));
    assert_eq!((code, receiver.recv()), (Some(0), Ok(())), "{shown}");
    let told = shown.split('\n').find(|line| line.contains("trying again in")).expect("it was told");
    assert!(told.contains("\u{1b}[2K") || !told.contains("waiting for"), "{told:?}");
}

//! An answer that comes piece by piece, put together into the body that it would have had in one piece.
//!
//! It reads server-sent events in whatever pieces the wire brings them. What a chunk adds is for `answer`, and what the
//! body means for `reply`. A stream that breaks off becomes a body that says so, and never an answer.

use alloc::{string::String, vec::Vec};
use core::mem;

use memchr::memchr2;
use serde_json::Value;

mod answer;

use answer::Answer;
pub(super) use answer::STREAM_FAULT;

/// An answer on its way. It takes at most 32 MiB; what is more ends it as too large.
#[derive(Clone, Debug, Default)]
pub struct Streamed {
    form: Form,
    /// What has come and is not read yet: the head until its form is known, else the line that is not whole.
    kept: Vec<u8>,
    after_return: bool,
    name: String,
    data: String,
    answer: Answer,
    bytes: usize,
    is_done: bool,
}

/// How far a streamed answer has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Pieces of text, reasoning and calls so far; most services send about one a token.
    pub pieces: u64,
    /// Whether nothing more is needed: the service has ended the stream or reports an error, or sent too much.
    pub is_done: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Unknown,
    /// A service that does not stream, although it was asked to.
    Plain,
    Events,
}

impl Streamed {
    /// Takes in what has come, cut anywhere.
    pub fn push(&mut self, bytes: &[u8]) -> Heard {
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > STREAM_BYTES_MAX {
            self.kept.clear();
            self.give_up("it is too large");
            self.form = Form::Events;
        }
        match self.form {
            _ if self.is_done => {}
            Form::Events => self.read(bytes),
            Form::Plain => self.kept.extend_from_slice(bytes),
            Form::Unknown => {
                self.kept.extend_from_slice(bytes);
                self.form = form_of(&self.kept);
                if self.form == Form::Events {
                    let head = mem::take(&mut self.kept);
                    self.read(without_mark(&head));
                }
            }
        }
        Heard { pieces: self.answer.pieces(), is_done: self.is_done }
    }

    /// Gives the body. It is JSON, unless the service did not stream: then it is what the service sent.
    pub fn finish(mut self) -> Vec<u8> {
        if self.form != Form::Events {
            return self.kept;
        }
        if !self.is_done {
            // A stream may end without the blank line that ends an event, and also within one.
            let line = mem::take(&mut self.kept);
            self.line(&line);
            if serde_json::from_str::<Value>(&self.data).is_ok() {
                self.dispatch();
            }
        }
        self.answer.into_body(self.is_done)
    }

    /// Reads lines: each ends at `\n`, `\r\n` or a lone `\r`.
    fn read(&mut self, mut bytes: &[u8]) {
        while !self.is_done && !bytes.is_empty() {
            if mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', bytes) else {
                return self.kept.extend_from_slice(bytes);
            };
            self.after_return = bytes[end] == b'\r';
            if self.kept.is_empty() {
                self.line(&bytes[..end]);
            } else {
                let mut line = mem::take(&mut self.kept);
                line.extend_from_slice(&bytes[..end]);
                self.line(&line);
            }
            bytes = &bytes[end + 1..];
        }
    }

    /// Reads one line of an event.
    fn line(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" if value.trim() == "[DONE]" => {
                self.dispatch();
                self.is_done = true;
            }
            "data" => self.add_data(value),
            "event" => self.name = value.into(),
            // Some services put an error between the events as it is.
            _ if line.trim_start().starts_with('{') => self.add_data(&line),
            // A comment (with which services keep the line open), an id, a time to come back after.
            _ => {}
        }
    }

    fn add_data(&mut self, value: &str) {
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(value);
    }

    fn dispatch(&mut self) {
        let (name, data) = (mem::take(&mut self.name), mem::take(&mut self.data));
        if self.is_done || data.trim().is_empty() {
            return;
        }
        match serde_json::from_str(&data) {
            Ok(chunk) => self.chunk(&name, chunk),
            Err(_) if name == "error" => self.chunk(&name, Value::String(data)),
            Err(_) if data.contains('\n') => self.lines_as_events(&name, &data),
            Err(_) => self.give_up("an event of it is no JSON"),
        }
    }

    /// Some services leave out the blank line between two events.
    fn lines_as_events(&mut self, name: &str, data: &str) {
        for line in data.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                _ if self.is_done => return,
                Ok(chunk) => self.chunk(name, chunk),
                Err(_) => self.give_up("an event of it is no JSON"),
            }
        }
    }

    fn chunk(&mut self, name: &str, chunk: Value) {
        self.is_done = self.answer.take(name == "error", chunk);
    }

    fn give_up(&mut self, why: &'static str) {
        self.answer.give_up(why);
        self.is_done = true;
    }
}

/// Tells how a body goes on from how it begins, as soon as that can be told.
fn form_of(head: &[u8]) -> Form {
    let head = without_mark(head);
    if head.is_empty() || MARK.starts_with(head) {
        return Form::Unknown;
    }
    let is_field = |field: &&[u8]| head.starts_with(field);
    let may_be_field = |field: &&[u8]| field.starts_with(head);
    if FIELDS.iter().any(is_field) {
        Form::Events
    } else if FIELDS.iter().any(may_be_field) {
        Form::Unknown
    } else {
        Form::Plain
    }
}

/// Takes off a byte-order mark and blank lines.
fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(MARK).unwrap_or(head).trim_ascii_start()
}

const MARK: &[u8] = "\u{feff}".as_bytes();
/// How a line of an event stream begins (HTML standard, server-sent events).
const FIELDS: [&[u8]; 5] = [b":", b"data:", b"event:", b"id:", b"retry:"];
/// Services send some 300 bytes about each token, and no model writes a hundred thousand of them in one answer.
const STREAM_BYTES_MAX: usize = 32 * 1024 * 1024;

#[cfg(test)]
mod tests;

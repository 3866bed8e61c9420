//! What the tests of the wire talk to: a server on this machine that answers, or fails to, as a test tells it.

pub(crate) mod clock;
pub(crate) mod github;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

/// A request as it came in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What the server does about a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// It answers.
    Reply { status: u16, headers: Vec<(String, String)>, body: String },
    /// It closes the connection without a word.
    Silence,
    /// It promises a body and closes in the middle of it.
    Half { body: String },
    /// It sends a stream of events in these pieces, and says that it is all, or closes without a word.
    Pieces { pieces: Vec<String>, ends: bool },
}

impl Answer {
    pub(crate) fn json(status: u16, body: impl ToString) -> Self {
        Self::Reply { status, headers: vec![], body: body.to_string() }
    }

    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Self {
        if let Self::Reply { headers, .. } = &mut self {
            headers.push((name.into(), value.to_string()));
        }
        self
    }
}

/// A server on a free port of 127.0.0.1. It ends when it is dropped.
pub(crate) struct Server {
    pub(crate) base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers each request by what `answer` makes of it.
    pub(crate) fn start(mut answer: impl FnMut(&Seen) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on this machine");
        let address = listener.local_addr().expect("the port that was bound");
        let (seen, ending) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (seen_there, ending_there) = (Arc::clone(&seen), Arc::clone(&ending));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if ending_there.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let Some(request) = read_request(&stream) else { continue };
                seen_there.lock().expect("no other thread panicked").push(request.clone());
                give(stream, answer(&request));
            }
        });
        Self { base: format!("http://{address}"), seen, ending, thread: Some(thread) }
    }

    /// Answers the requests by these, in order; any further one with 500 and the words `no more rows`.
    pub(crate) fn rows(rows: Vec<Answer>) -> Self {
        let mut rows = rows.into_iter();
        Self::start(move |_| rows.next().unwrap_or_else(|| Answer::json(500, "no more rows")))
    }

    /// Everything that came in so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("no other thread panicked").clone()
    }

    /// Everything that came in so far, as `GET /path`.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().iter().map(|seen| format!("{} {}", seen.method, seen.path)).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.base.trim_start_matches("http://"));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// An address of this machine where nobody listens.
pub(crate) fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on this machine");
    format!("http://{}", listener.local_addr().expect("the port that was bound"))
}

fn read_request(stream: &TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let mut seen = Seen { method: words.next()?.into(), path: words.next()?.into(), ..Seen::default() };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        seen.headers.push((name.to_ascii_lowercase(), value.trim().into()));
    }
    let length = seen.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    seen.body = String::from_utf8(body).ok()?;
    Some(seen)
}

fn give(mut stream: TcpStream, answer: Answer) {
    let (head, body) = match answer {
        Answer::Silence => (String::new(), String::new()),
        Answer::Pieces { pieces, ends } => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
            // One write each, so that the pieces come apart as far as the network lets them.
            let chunks = pieces.iter().map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()));
            let written = std::iter::once(head.into())
                .chain(chunks)
                .try_for_each(|bytes: String| stream.write_all(bytes.as_bytes()).and_then(|()| stream.flush()));
            if ends && written.is_ok() {
                let _ = stream.write_all(b"0\r\n\r\n");
            }
            (String::new(), String::new())
        }
        Answer::Half { body } => (format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len() + 100), body),
        Answer::Reply { status, headers, body } => {
            let mut head = format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            (head + "\r\n", body)
        }
    };
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    let _ = stream.shutdown(Shutdown::Both);
}

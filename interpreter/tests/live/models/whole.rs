//! A whole run against a model on a socket: a thread in a folder, the core, and the client over the wire.

use std::{
    fs,
    path::{Path, PathBuf},
};

use nebuko::{event::Trigger, report::Report, run::Run, snapshot::ThreadSnapshot, time::Timestamp};
use nebuko_interpreter::{
    local::Local,
    model::HttpModel,
    record::Recorder,
    run::drive,
    secret::{Masker, Secret},
    setup::{Given, configure},
};
use serde_json::{Value, json};

use super::KEY;
use crate::support::{Answer, Seen, Server, clock::Notes};

/// What a run came to.
pub(super) struct Ran {
    pub(super) report: Report,
    /// What the model was asked.
    pub(super) seen: Vec<Seen>,
    pub(super) notes: Notes,
}

impl Ran {
    /// Everything that was posted.
    pub(super) fn posted(&self) -> String {
        self.report.posted.iter().map(|posted| posted.body.as_str()).collect()
    }

    /// The messages of the request with this number, from 0.
    pub(super) fn messages(&self, request: usize) -> Vec<Value> {
        let body = &self.seen.get(request).expect("so many requests were sent").body;
        let body: Value = serde_json::from_str(body).expect("a request is JSON");
        body["messages"].as_array().cloned().unwrap_or_default()
    }
}

/// Runs one step whose agent is answered so, one answer a request.
pub(super) fn run(answers: Vec<Answer>, stream: bool) -> Ran {
    let folder = Folder::new();
    folder
        .write("demo/issue.md", "---\nauthor: dana\nauthor_id: 501\nassociation: OWNER\nnumber: 7\n---\n\nOn start.\n");
    folder.write("demo/0001-dana.md", "/nebuko run top\n");
    folder.write("flows/top.yaml", "name: top\nsteps:\n  - {name: work, agent: dev, next: null}\n");
    folder.write("flows/agents/dev.md", "You are dev.\n");
    let (server, notes) = (Server::rows(answers), Notes::default());
    let key = Secret::new(KEY);
    let around = notes.surroundings(std::slice::from_ref(&key));
    let model = HttpModel::new(&server.base, Some(&key), around.clone()).expect("a good address");
    let (mut world, about) = Local::open(&folder.0.join("demo"), around, Box::new(model)).expect("a good thread");
    let given = Given::with_workflows(Some(folder.0.join("flows")));
    let configured = configure(about.repo, about.number, &given, &Masker::none()).expect("good files");
    let mut setup = configured.setup;
    setup.settings.stream = stream;
    let report = drive(
        Run::new(setup),
        &mut world,
        ThreadSnapshot::default(),
        Trigger::Manual,
        Timestamp::from_seconds(crate::support::clock::START),
        &mut None::<Recorder<Vec<u8>>>,
    );
    Ran { report, seen: server.seen(), notes }
}

/// A completion as a service that does not stream sends it.
pub(super) fn completion(message: Value, finish_reason: &str) -> Value {
    let mut body = json!({ "id": "c-1", "model": "m-1", "choices": [{ "index": 0, "finish_reason": finish_reason }],
                           "usage": { "prompt_tokens": 100, "completion_tokens": 10 } });
    body["choices"][0]["message"] = message;
    body
}

/// A turn that calls one tool; without arguments where there are none.
pub(super) fn call(name: &str, arguments: Option<Value>) -> Value {
    let mut function = json!({ "name": name });
    if let Some(arguments) = arguments {
        function["arguments"] = arguments;
    }
    completion(
        json!({ "role": "assistant", "content": null, "tool_calls": [
        { "id": "call-a", "type": "function", "function": function } ] }),
        "tool_calls",
    )
}

/// The turn that ends a step well.
pub(super) fn good_end() -> Value {
    call("finish", Some(json!({ "report": "A good report." }).to_string().into()))
}

/// The same answer as a service sends it, streamed or in one piece.
pub(super) fn answer(body: &Value, stream: bool) -> Answer {
    if !stream {
        return Answer::json(200, body);
    }
    let text = events(body);
    // Seven characters at a time cut through every word.
    let signs: Vec<char> = text.chars().collect();
    Answer::Pieces { pieces: signs.chunks(7).map(|piece| piece.iter().collect()).collect(), ends: true }
}

/// Writes a completion as events, its text and arguments in halves; a body without a choice is one event.
pub(super) fn events(body: &Value) -> String {
    let mut text = String::from(": OPENROUTER PROCESSING\n\n");
    let mut event = |chunk: &Value| text.push_str(&format!("data: {chunk}\r\n\r\n"));
    let Some(choice) = body["choices"].get(0).filter(|choice| choice.get("error").is_none()) else {
        event(body);
        return text + "data: [DONE]\n\n";
    };
    let mut chunk = |delta: Value, reason: &Value| {
        event(&json!({ "id": body["id"], "model": body["model"],
                       "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] }));
    };
    let message = &choice["message"];
    let mut first = message.clone();
    if let Some(first) = first.as_object_mut() {
        first.remove("tool_calls");
    }
    match message["content"].as_str() {
        Some(content) => {
            let (one, two) = halves(content);
            first["content"] = one.into();
            chunk(first, &Value::Null);
            chunk(json!({ "role": null, "content": two }), &Value::Null);
        }
        None => chunk(first, &Value::Null),
    }
    for (index, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
        let mut piece = call.clone();
        piece["index"] = index.into();
        let arguments = call["function"]["arguments"].as_str().map(halves);
        if let Some((one, _)) = arguments {
            piece["function"]["arguments"] = one.into();
        }
        chunk(json!({ "tool_calls": [piece] }), &Value::Null);
        if let Some((_, two)) = arguments {
            chunk(json!({ "tool_calls": [{ "index": index, "function": { "arguments": two } }] }), &Value::Null);
        }
    }
    chunk(json!({}), &choice["finish_reason"]);
    event(&json!({ "choices": [], "usage": body["usage"] }));
    text + "data: [DONE]\n\n"
}

fn halves(text: &str) -> (&str, &str) {
    let middle = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.split_at(middle)
}

/// A folder of its own for each run, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let name = |number: u32| std::env::temp_dir().join(format!("nebuko-live-{}-{number}", std::process::id()));
        let folder = (0..).map(name).find(|folder| fs::create_dir(folder).is_ok());
        Self(folder.expect("some number is free"))
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("the temporary folder takes a folder");
        fs::write(path, text).expect("the temporary folder takes a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

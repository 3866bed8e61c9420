//! The model service: the raw body of HTTP 200, retries, refusals in words, and streams.
//!
//! Whole runs against one that misbehaves are in `faults`.

#[path = "models/faults.rs"]
mod faults;
#[path = "models/streams.rs"]
mod streams;
#[path = "models/whole.rs"]
mod whole;

use std::net::TcpListener;

use nebuko::{
    agent::{ChatRequest, ContentPart, Message},
    effect::Asking,
    event::{Failure, FailureKind, Outcome},
    setup::Provider,
};
use nebuko_interpreter::{
    args::Environment,
    model::{HttpModel, Model, Providers},
    secret::Secret,
};
use serde_json::json;

use crate::support::{Answer, Server, clock::Notes, nobody};

const KEY: &str = "key-of-the-model";

fn request() -> ChatRequest {
    let content = vec![ContentPart::text(format!("Hello. My key is {KEY}."))];
    ChatRequest { model: "m-1".into(), messages: vec![Message::User { content }], ..ChatRequest::default() }
}

fn ask(base: &str, notes: &Notes) -> Result<String, Failure> {
    ask_for(&request(), &Asking::default(), base, notes)
}

fn ask_for(request: &ChatRequest, how: &Asking, base: &str, notes: &Notes) -> Result<String, Failure> {
    let key = Secret::new(KEY);
    let around = notes.surroundings(std::slice::from_ref(&key));
    let mut model = HttpModel::new(base, Some(&key), around).expect("a good address");
    match model.complete(request, how) {
        Outcome::Completed { body, .. } => Ok(body),
        Outcome::Failed { failure } => Err(failure),
        other => unreachable!("a model completes or fails, and not {other:?}"),
    }
}

#[test]
fn any_body_of_a_200_is_handed_over_as_it_came() {
    for body in [
        r#"{ "choices": [{"message":{"content":"hi"}}] }"#,
        r#"{"error":{"message":"Rate limit exceeded","code":429}}"#,
        "{\"choices\":null}\n",
        "<html>",
        "",
    ] {
        let server = Server::start(move |_| Answer::json(200, body));
        assert_eq!(ask(&server.base, &Notes::default()).as_deref(), Ok(body));
    }
}

#[test]
fn the_request_is_what_the_core_wrote_without_secrets() {
    let server = Server::start(|_| Answer::json(200, "{}"));
    ask(&format!("{}/v1/", server.base), &Notes::default()).expect("an answer");
    let seen = server.seen().remove(0);
    assert_eq!((seen.method.as_str(), seen.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(seen.header("authorization"), Some("Bearer key-of-the-model"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    let sent: serde_json::Value = serde_json::from_str(&seen.body).expect("JSON");
    assert_eq!(sent["messages"][0]["content"], "Hello. My key is ***.");
}

#[test]
fn what_passes_is_asked_again() {
    let check = |fault: Answer, slept: u64| {
        let (server, notes) = (Server::rows(vec![fault.clone(), Answer::json(200, "{}")]), Notes::default());
        assert_eq!(ask(&server.base, &notes).as_deref(), Ok("{}"), "{fault:?}");
        assert_eq!(notes.slept(), [slept], "{fault:?}");
    };
    check(Answer::json(429, ""), 5);
    check(Answer::json(429, "").with("Retry-After", 20), 20);
    check(Answer::json(500, "Internal Server Error"), 1);
    check(Answer::json(529, "overloaded"), 1);
    check(Answer::Silence, 1);
    check(Answer::Half { body: "{".into() }, 1);
}

#[test]
fn a_refusal_is_final_and_carries_the_services_words() {
    let check = |status: u16, body: serde_json::Value, words: &str, next: &str| {
        let (server, notes) = (Server::rows(vec![Answer::json(status, body)]), Notes::default());
        let found = ask(&server.base, &notes).expect_err(words);
        assert_eq!((found.kind, notes.slept().len()), (FailureKind::Refused, 0), "{found:?}");
        assert!(found.attempted.starts_with("ask the model m-1 at http://127.0.0.1"), "{found:?}");
        assert!(found.why.contains(words) && found.next.contains(next), "{found:?}");
    };
    check(401, json!({"error": {"message": "Incorrect API key provided"}}), "Incorrect API key", "key");
    check(400, json!({"error": {"message": "maximum context length is 8192"}}), "context length", "too long");
    check(404, json!({"detail": "Not Found"}), "HTTP 404: Not Found", "model's name");
    check(402, json!({"error": "no credit"}), "no credit", "credit");
    let quota = json!({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}});
    check(429, quota, "current quota", "credit");
    check(400, json!({"id": "gen-7", "error": {"message": "no"}}), "HTTP 400: no (request gen-7)", "the model");
    let overloaded = Answer::json(503, json!({"error": "overloaded"})).with("X-Should-Retry", "false");
    let (server, notes) = (Server::rows(vec![overloaded.with("x-request-id", "req_9")]), Notes::default());
    let found = ask(&server.base, &notes).expect_err("a failure");
    assert_eq!((found.kind, found.why.as_str()), (FailureKind::Unavailable, "HTTP 503: overloaded (request req_9)"));
    assert!(notes.slept().is_empty(), "the service says that it is of no use");
}

#[test]
fn a_service_that_stays_away_is_given_up() {
    let (server, notes) = (Server::start(|_| Answer::json(500, "broken")), Notes::default());
    let found = ask(&server.base, &notes).expect_err("a failure");
    assert_eq!((found.kind, found.why.as_str()), (FailureKind::Unavailable, "HTTP 500: broken"));
    assert_eq!((server.lines().len(), found.took_ms), (6, 31_000), "1, 2, 4, 8 and 16 s were waited");

    let found = ask(&nobody(), &Notes::default()).expect_err("a failure");
    assert!(found.kind == FailureKind::Unavailable && found.why.contains("refused"), "{found:?}");

    let limited = Server::start(|_| Answer::json(429, "").with("Retry-After", 86_400));
    let found = ask(&limited.base, &Notes::default()).expect_err("a failure");
    assert_eq!(found.next, "Run again after 2026-10-03T00:00:00Z.");
}

#[test]
fn a_request_waits_as_the_core_says_and_takes_no_longer_than_it_says() {
    let (server, notes) = (Server::start(|_| Answer::json(200, "{}")), Notes::default());
    let how = Asking { wait_ms: 20_000, ..Asking::default() };
    assert_eq!(ask_for(&request(), &how, &server.base, &notes).as_deref(), Ok("{}"));
    let told = notes.told.borrow().clone();
    assert!(notes.slept() == [20] && told.iter().any(|line| line.contains("again in 20 s")), "{told:?}");

    // Whoever takes the connection and never answers is left after a second.
    let mute = TcpListener::bind("127.0.0.1:0").expect("a free port on this machine");
    let base = format!("http://{}", mute.local_addr().expect("the port that was bound"));
    let how = Asking { timeout_seconds: 1, ..Asking::default() };
    let failure = ask_for(&request(), &how, &base, &Notes::default()).expect_err("nobody answers");
    assert!(failure.kind == FailureKind::Unavailable && failure.why.contains("timeout"), "{failure:?}");
    drop(mute);
}

#[test]
fn a_provider_is_asked_with_its_own_key() {
    let server = Server::start(|_| Answer::json(200, "{}"));
    let environment = Environment::of(&[("LAB_API_KEY", KEY)]);
    let notes = Notes::default();
    let mut model = Providers::new(environment, notes.surroundings(&[]));
    let mut ask = |path: &str, key: Option<&str>| {
        let base_url = format!("{}{path}", server.base);
        let provider = Provider { base_url, key: key.map(Into::into), ..Provider::default() };
        let how = Asking { provider: Some(provider), ..Asking::default() };
        model.complete(&request(), &how)
    };
    for path in ["/a", "/a", "/b"] {
        assert!(matches!(ask(path, Some("LAB_API_KEY")), Outcome::Completed { .. }), "{path}");
    }
    assert!(matches!(ask("/b", None), Outcome::Completed { .. }));
    let Outcome::Failed { failure } = ask("/a", Some("OTHER_API_KEY")) else { unreachable!("it has no key") };
    assert!(failure.why.contains("OTHER_API_KEY, and that variable is not set"), "{failure:?}");
    let seen: Vec<_> =
        server.seen().iter().map(|seen| (seen.path.clone(), seen.header("authorization").is_some())).collect();
    let path = |base: &str, has_key| (format!("{base}/chat/completions"), has_key);
    assert_eq!(seen, [path("/a", true), path("/a", true), path("/b", true), path("/b", false)]);
    assert_eq!(model.requests(), 4);
}

#[test]
fn an_address_that_cannot_be_one_is_told_at_once() {
    for bad in ["", "localhost:8080", "ftp://host", "https://"] {
        let found = HttpModel::new(bad, None, Notes::default().surroundings(&[])).err().expect(bad);
        assert_eq!(found.kind, FailureKind::Local, "{bad}");
    }
}

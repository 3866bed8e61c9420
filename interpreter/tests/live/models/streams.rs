//! Streams as services send and break them, over a real socket and through a whole run.

use nebuko::{
    agent::ChatRequest,
    effect::Asking,
    event::FailureKind,
    report::{Reason, RunOutcome},
};
use serde_json::{Value, json};

use super::{
    ask_for, request,
    whole::{answer, completion, events, good_end, run},
};
use crate::support::{Answer, Server, clock::Notes};

fn pieces(text: &str, ends: bool) -> Answer {
    Answer::Pieces { pieces: vec![text.into()], ends }
}

fn half() -> String {
    let chunk = json!({"id": "gen-1", "choices": [{"index": 0, "delta": {"content": "Half of a rep"}}]});
    format!("data: {chunk}\n\n")
}

#[test]
fn a_stream_that_breaks_off_is_no_report_and_is_asked_again() {
    let error = json!({"error": {"message": "upstream broke", "code": 502}});
    let in_choice = json!({"choices": [{"delta": {"content": ""}, "finish_reason": "error", "error": error["error"]}]});
    let rows = [
        ("closed at an end of an event", half(), true),
        ("closed without a word", half(), false),
        ("closed within an event", half() + "data: {\"choices\": [{\"del", false),
        ("an error event", format!("{}data: {error}\n\n", half()), true),
        ("an error in a choice, and an end", format!("{}data: {in_choice}\n\ndata: [DONE]\n\n", half()), true),
        ("an error between events", format!("{}{error}\n\n", half()), true),
        ("a page between events", format!("{}data: <html>\n\n", half()), true),
        ("comments alone", ": OPENROUTER PROCESSING\n\n".into(), true),
    ];
    for (says, text, ends) in rows {
        let ran = run(vec![pieces(&text, ends), answer(&good_end(), true)], true);
        assert_eq!((ran.report.outcome, ran.seen.len()), (RunOutcome::Finished, 2), "{says}: {:?}", ran.report);
        assert!(!ran.posted().contains("Half of a rep"), "{says}: {}", ran.posted());
        assert_eq!(ran.notes.slept(), [5], "{says}");
        // What was said to the model is what was said before: half an answer is not in it.
        assert_eq!(ran.messages(0), ran.messages(1), "{says}");

        let ran = run(vec![pieces(&text, ends); 3], true);
        let found = (ran.report.outcome, ran.report.reason);
        assert_eq!(found, (RunOutcome::Failed, Reason::ModelFailed), "{says}: {:?}", ran.report);
        assert!(!ran.posted().contains("Half of a rep"), "{says}: {}", ran.posted());
    }
    let refused = json!({"error": {"message": "the key has expired", "code": 401}});
    let ran = run(vec![pieces(&format!("{}data: {refused}\n\n", half()), true)], true);
    assert_eq!((ran.report.reason, ran.seen.len()), (Reason::ModelFailed, 1), "{:?}", ran.report);
    assert!(ran.report.detail.contains("(401): the key has expired"), "{:?}", ran.report);
}

#[test]
fn a_connection_that_breaks_before_the_answer_is_tried_again_by_the_wire() {
    for fault in [Answer::Silence, Answer::Half { body: "{\"choi".into() }, pieces(": wait\n\n", false)] {
        let ran = run(vec![fault.clone(), answer(&good_end(), true)], true);
        assert_eq!((ran.report.outcome, ran.seen.len()), (RunOutcome::Finished, 2), "{fault:?}: {:?}", ran.report);
        assert_eq!(ran.notes.slept(), [1], "{fault:?}");
    }
    let limited = Answer::json(429, json!({"error": {"message": "slow"}})).with("Retry-After", 7);
    let ran = run(vec![limited, answer(&good_end(), true)], true);
    assert_eq!((ran.report.outcome, ran.notes.slept()), (RunOutcome::Finished, vec![7]), "{:?}", ran.report);
    let refusal = Answer::json(400, json!({"error": {"message": "stream is not supported"}}));
    let ran = run(vec![refusal], true);
    assert!(ran.report.detail.contains("stream is not supported"), "{:?}", ran.report);
}

#[test]
fn a_stream_is_read_until_the_service_says_that_it_is_over() {
    let text = events(&good_end());
    // More comes, or the connection breaks, when all is said.
    for (more, ends) in [("", false), ("data: {\"error\": \"late\"}\n\n", true)] {
        let ran = run(vec![pieces(&format!("{text}{more}"), ends)], true);
        assert_eq!(ran.report.outcome, RunOutcome::Finished, "{more:?}: {:?}", ran.report);
    }
    let without_done = text.replace("data: [DONE]\n\n", "");
    for ends in [true, false] {
        let ran = run(vec![pieces(&without_done, ends)], true);
        assert_eq!(ran.report.outcome, RunOutcome::Finished, "{:?}", ran.report);
        let metrics = ran.report.state.and_then(|state| state.history.last()?.metrics.clone()).expect("metrics");
        assert_eq!((metrics.input_tokens, metrics.output_tokens, metrics.model_name.as_str()), (100, 10, "m-1"));
    }
}

#[test]
fn a_service_that_ignores_the_wish_to_stream_is_heard_as_well() {
    for body in [good_end(), completion(json!({"content": "A report."}), "stop")] {
        let ran = run(vec![answer(&body, false)], true);
        assert_eq!(ran.report.outcome, RunOutcome::Finished, "{:?}", ran.report);
        let asked: Value = serde_json::from_str(&ran.seen[0].body).expect("a request is JSON");
        assert_eq!((&asked["stream"], &asked["stream_options"]["include_usage"]), (&json!(true), &json!(true)));
    }
}

#[test]
fn the_body_that_is_handed_on_is_the_same_streamed_or_not() {
    let body = good_end();
    let request = ChatRequest { stream: true, ..request() };
    let ask = |answer: Answer| {
        let server = Server::rows(vec![answer]);
        let text = ask_for(&request, &Asking::default(), &server.base, &Notes::default()).expect("an answer");
        serde_json::from_str::<Value>(&text).expect("a body is JSON")
    };
    let (streamed, whole) = (ask(answer(&body, true)), ask(answer(&body, false)));
    for place in ["/choices/0/message/tool_calls", "/choices/0/finish_reason", "/usage", "/id", "/model"] {
        assert_eq!(streamed.pointer(place), whole.pointer(place), "{place}");
    }
}

#[test]
fn more_than_is_taken_ends_the_reading() {
    let request = ChatRequest { stream: true, ..request() };
    let filler = format!(": {}\n", "x".repeat(1 << 20));
    let server = Server::rows(vec![Answer::Pieces { pieces: vec![filler; 40], ends: true }]);
    let body = ask_for(&request, &Asking::default(), &server.base, &Notes::default()).expect("a body that says so");
    assert!(body.len() < 200 && body.contains("it is too large"), "{body}");
    let page = Server::start(|_| Answer::json(200, "[\n"));
    assert_eq!(ask_for(&request, &Asking::default(), &page.base, &Notes::default()).as_deref(), Ok("[\n"));
    let odd = Server::start(|_| Answer::json(404, "data: no such model"));
    let found = ask_for(&request, &Asking::default(), &odd.base, &Notes::default()).expect_err("a refusal");
    assert_eq!((found.kind, found.why.as_str()), (FailureKind::Refused, "HTTP 404: data: no such model"));
}

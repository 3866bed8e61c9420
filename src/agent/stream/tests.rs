use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use std::iter;

use quickcheck::quickcheck;
use serde_json::{Value, json};

use super::*;
use crate::agent::reply;

/// Streams a text in pieces of so many bytes and gives the body.
fn streamed_in(text: &str, size: usize) -> String {
    let mut streamed = Streamed::default();
    for piece in text.as_bytes().chunks(size) {
        if streamed.push(piece).is_done {
            break;
        }
    }
    String::from_utf8(streamed.finish()).expect("a body of text is text")
}

/// The body is the same however the wire cuts it and ends its lines.
fn body_of(events: &str) -> String {
    let whole = streamed_in(events, events.len().max(1));
    for (text, size) in [(events, 1), (events, 3), (&events.replace('\n', "\r\n"), 1), (&events.replace('\n', "\r"), 7)]
    {
        assert_eq!(streamed_in(text, size), whole, "{text:?} in pieces of {size}");
    }
    whole
}

/// Writes chunks as events.
fn events(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

fn delta(delta: Value) -> Value {
    json!({"id": "c-1", "model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn ended(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn why(body: &str) -> String {
    crate::text::no_answer(&reply::read(body).expect_err("no answer"))
}

const DONE: &str = "data: [DONE]\n\n";

#[test]
fn a_stream_becomes_the_body_that_it_would_have_been() {
    let chunks = [
        delta(json!({"role": "assistant", "content": ""})),
        delta(json!({"role": null, "content": "Two ", "refusal": null, "tool_calls": null})),
        delta(json!({"content": null, "reasoning": "hm", "reasoning_content": "hm"})),
        delta(json!({"content": "wörds 日本"})),
        ended("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}),
    ];
    let body = json!({"id": "c-1", "model": "m-1", "usage": {"prompt_tokens": 9, "completion_tokens": 2}, "choices": [
        {"index": 0, "finish_reason": "stop",
         "message": {"role": "assistant", "content": "Two wörds 日本", "reasoning_content": "hm"}}]});
    let text = events(&chunks);
    for text in [text.clone() + DONE, text.clone(), text.trim_end().into(), format!("\u{feff}\n{text}")] {
        assert_eq!(body_of(&text), body.to_string(), "{text:?}");
    }
}

#[test]
fn what_stands_between_the_events_does_not_count() {
    let plain = body_of(&(events(&[delta(json!({"content": "hi"})), ended("stop")]) + DONE));
    let check = |text: &str| assert_eq!(body_of(text), plain, "{text:?}");
    let (hi, end) = (delta(json!({"content": "hi"})), ended("stop"));
    check(&format!(": OPENROUTER PROCESSING\n\n:\n\ndata: {hi}\n\n: keep-alive\n\ndata: {end}\n\ndata: [DONE]\n\n"));
    check(&format!("event: message\nid: 7\nretry: 10\ndata:{hi}\n\ndata:{end}\n\ndata:[DONE]"));
    check(&format!("data: {hi}\n\ndata:\n\ndata\n\nevent: ping\ndata: {{\"type\": \"ping\"}}\n\ndata: {end}\n\n"));
    // No blank lines at all; one event in several lines; something behind the end.
    check(&format!("data: {hi}\ndata: {end}\ndata: [DONE]\n"));
    let several = serde_json::to_string_pretty(&hi).expect("it is JSON").replace('\n', "\ndata: ");
    check(&format!("data: {several}\n\ndata: {end}\n\n"));
    check(&format!("data: {hi}\n\ndata: {end}\n\ndata: [DONE]\n\ndata: {hi}\n\nwhatever"));
    // A service may start another choice, and answer the last time with the whole message.
    let second = json!({"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": "stop"}]});
    check(&(events(&[hi.clone(), second, end.clone()]) + DONE));
    let mut whole = end;
    whole["choices"][0]["message"] = json!({"content": "hi"});
    check(&(events(&[hi, whole]) + DONE));
}

#[test]
fn calls_are_put_together_from_what_services_send() {
    let check = |pieces: Value, calls: Value| {
        let pieces = pieces.as_array().expect("the row gives a list");
        let chunks = pieces.iter().map(|piece| delta(json!({"tool_calls": piece})));
        let chunks: Vec<Value> = chunks.chain(iter::once(ended("tool_calls"))).collect();
        let body: Value = serde_json::from_str(&body_of(&events(&chunks))).expect("a body is JSON");
        let found = body["choices"][0]["message"]["tool_calls"].as_array().cloned().unwrap_or_default();
        let found: Vec<Value> = found
            .iter()
            .map(|call| json!([call["id"], call["function"]["name"], call["function"]["arguments"]]))
            .collect();
        assert_eq!(Value::from(found), calls, "{pieces:?}");
    };
    let f = |name: Value, arguments: Value| json!({"name": name, "arguments": arguments});
    // As OpenAI: a number each, the id and the name first, two at once.
    check(
        json!([
            [{"index": 0, "id": "a", "type": "function", "function": f(json!("read"), json!(""))}],
            [{"index": 0, "function": {"arguments": "{\"x\""}}],
            [{"index": 1, "id": "b", "function": f(json!("list"), json!(""))}, {"index": 0, "function": {"arguments": ":1}"}}],
            [{"index": 1, "id": null, "function": f(json!(null), json!("{}"))}],
        ]),
        json!([["a", "read", "{\"x\":1}"], ["b", "list", "{}"]]),
    );
    // The name in pieces; the name with every piece; an id that is new with every piece.
    check(
        json!([[{"index": 0, "id": "a", "function": {"name": "re"}}], [{"index": 0, "function": {"name": "ad"}}]]),
        json!([["a", "read", ""]]),
    );
    let again = json!([{"index": 0, "id": "a", "function": f(json!("read"), json!("1"))}]);
    check(json!([again, again]), json!([["a", "read", "11"]]));
    check(
        json!([
            [{"index": 0, "id": "a", "function": {"name": "read"}}],
            [{"index": 0, "id": "z", "function": {"arguments": "{}"}}],
        ]),
        json!([["a", "read", "{}"]]),
    );
    // Every call is number 0, and comes whole; no numbers, with ids and without.
    let whole = |index: Value, id: Value, name: &str| json!([{"index": index, "id": id, "function": f(json!(name), json!("{}"))}]);
    check(
        json!([whole(json!(0), json!("a"), "read"), whole(json!(0), json!("b"), "read")]),
        json!([["a", "read", "{}"], ["b", "read", "{}"]]),
    );
    check(
        json!([whole(json!(null), json!("a"), "read"), whole(json!(null), json!("b"), "read")]),
        json!([["a", "read", "{}"], ["b", "read", "{}"]]),
    );
    check(
        json!([whole(json!(null), json!(null), "read"), whole(json!(null), json!(""), "list")]),
        json!([["", "read", "{}"], ["", "list", "{}"]]),
    );
    check(
        json!([
            [{"id": "a", "function": {"name": "read"}}, {"id": "b", "function": {"name": "list"}}],
            [{"id": "a", "function": {"arguments": "1"}}],
            [{"function": {"arguments": "2"}}],
        ]),
        json!([["a", "read", "1"], ["b", "list", "2"]]),
    );
    // Arguments as an object; odd things.
    check(
        json!([[{"index": 0, "id": "a", "function": f(json!("f"), json!({"x": 1}))}]]),
        json!([["a", "f", "{\"x\":1}"]]),
    );
    check(
        json!([[{"index": 0, "id": "a", "function": f(json!("f"), json!({}))}], [{"index": 0, "function": {"arguments": "{}"}}]]),
        json!([["a", "f", "{}"]]),
    );
    check(json!([[{"id": "a", "function": f(json!("f"), json!([1]))}]]), json!([["a", "f", "[1]"]]));
    check(json!([[], {}, [null], [7]]), json!([["", "", ""]]));
}

#[test]
fn usage_is_what_came_last_wherever_it_stood() {
    let check = |chunks: &[Value], usage: Value| {
        let body: Value = serde_json::from_str(&body_of(&(events(chunks) + DONE))).expect("a body is JSON");
        assert_eq!(body["usage"], usage, "{chunks:?}");
    };
    let (hi, end) = (delta(json!({"content": "hi"})), ended("stop"));
    let with = |chunk: &Value, usage: Value| {
        let mut chunk = chunk.clone();
        chunk["usage"] = usage;
        chunk
    };
    check(&[hi.clone(), end.clone()], json!(null));
    check(&[with(&hi, json!(null)), with(&end, json!({"prompt_tokens": 3}))], json!({"prompt_tokens": 3}));
    check(
        &[with(&hi, json!({"prompt_tokens": 3, "completion_tokens": 1})), with(&end, json!({"completion_tokens": 2}))],
        json!({"prompt_tokens": 3, "completion_tokens": 2}),
    );
    let mut inside = end.clone();
    inside["choices"][0]["usage"] = json!({"prompt_tokens": 4});
    check(&[hi.clone(), inside], json!({"prompt_tokens": 4}));
    check(&[hi, end, json!({"choices": null, "x_groq": {"usage": {"prompt_tokens": 5}}})], json!({"prompt_tokens": 5}));
}

#[test]
fn a_stream_without_an_answer_says_so() {
    let check = |text: &str, words: &str| assert_eq!(why(&body_of(text)), words, "{text:?}");
    let (half, call) =
        (delta(json!({"content": "Half"})), json!({"index": 0, "id": "a", "function": {"name": "finish"}}));
    let broke = "the model's answer cannot be read: it broke off after 1 pieces (request c-1)";
    check(&events(core::slice::from_ref(&half)), broke);
    check(&events(&[delta(json!({"tool_calls": [call]}))]), broke);
    check(&(events(core::slice::from_ref(&half)) + "data: {\"choices\": [{\"index\": 0, \"delta\": {\"cont"), broke);
    check(&(events(core::slice::from_ref(&half)) + "da"), broke);
    check(": OPENROUTER PROCESSING\n\n", "the model's answer cannot be read: it broke off after 0 pieces");
    let garbled = "the model's answer cannot be read: an event of it is no JSON after 1 pieces (request c-1)";
    check(&(events(core::slice::from_ref(&half)) + "data: <html>\n\n"), garbled);
    check(&(events(core::slice::from_ref(&half)) + "data: {}\ndata: {\n\ndata: [DONE]\n"), garbled);
    let reports = "the model's service reports an error (502): upstream";
    let error = json!({"error": {"code": 502, "message": "upstream"}});
    check(&events(&[half.clone(), error.clone()]), reports);
    check(&format!("{}{error}\n\n", events(core::slice::from_ref(&half))), reports);
    check(&format!("{}event: error\ndata: {}\n\n", events(core::slice::from_ref(&half)), error["error"]), reports);
    check("event: error\ndata: overloaded\n\n", "the model's service reports an error: overloaded");
    check(
        &events(&[half, json!({"object": "error", "message": "too long", "code": 400})]),
        "the model's service reports an error (400): too long",
    );
    let keys = "the model's service gave no choice; its answer has the keys [choices, id] (request x)";
    check(&(events(&[json!({"id": "x", "choices": null})]) + DONE), keys);
    check(&events(&[json!({"id": "x", "choices": []})]), keys);
    check(DONE, "the model's service gave no choice; its answer has the keys []");
}

#[test]
fn a_service_that_does_not_stream_is_handed_on_as_it_is() {
    for text in ["{\"choices\": [ ] }\n", "<html>", "", "  ", "[1]", "dat", "null", "data", "Internal Server Error"] {
        assert_eq!(streamed_in(text, 1), text);
    }
    let mut streamed = Streamed::default();
    streamed.push(b"{\"x\":\"\xff");
    assert_eq!(streamed.finish(), b"{\"x\":\"\xff");
}

#[test]
fn too_much_is_not_taken() {
    let check = |text: &str, words: &str| {
        let mut streamed = Streamed::default();
        let pushes = STREAM_BYTES_MAX / text.len() + 1;
        let done = iter::repeat_n(text, pushes).any(|text| streamed.push(text.as_bytes()).is_done);
        assert!(done, "{words}");
        let body = String::from_utf8(streamed.finish()).expect("it is text");
        assert!(body.len() < 1_000 && why(&body).contains(words), "{}", why(&body));
    };
    let filler = ":".to_string() + &"x".repeat(1 << 20);
    check(&(filler.clone() + "\n"), "it is too large after 0 pieces");
    check(&filler, "it is too large");
    check(&"{".repeat(1 << 20), "it is too large");
    let mut next = 0;
    let calls = iter::repeat_with(|| {
        next += 1;
        delta(json!({"tool_calls": [{"index": next, "id": next.to_string(), "function": {"name": "f"}}]}))
    });
    check(&events(&calls.take(1_000).collect::<Vec<_>>()), "it holds too many calls");
}

#[test]
fn progress_counts_what_says_something() {
    let mut streamed = Streamed::default();
    let mut heard = |chunk: Value| streamed.push(events(&[chunk]).as_bytes());
    assert_eq!(heard(delta(json!({"role": "assistant", "content": ""}))), Heard { pieces: 0, is_done: false });
    assert_eq!(heard(delta(json!({"reasoning": "hm"}))).pieces, 1);
    assert_eq!(heard(delta(json!({"content": "a"}))).pieces, 2);
    assert_eq!(heard(ended("stop")), Heard { pieces: 2, is_done: false });
    assert_eq!(streamed.push(b"data: [DONE]\n"), Heard { pieces: 2, is_done: true });
}

quickcheck! {
    /// Whatever comes, in whatever pieces, there is a body, and the pieces do not matter.
    fn any_bytes_have_one_body(bytes: Vec<u8>, size: u8, at: u8) -> bool {
        let mut text = events(&[delta(json!({"content": "a"})), delta(json!({"tool_calls": [{"id": "x"}]})), ended("stop")]);
        text.insert_str(usize::from(at) % text.len(), &String::from_utf8_lossy(&bytes));
        let whole = streamed_in(&text, text.len());
        streamed_in(&text, usize::from(size) + 1) == whole && !whole.is_empty()
    }
}

#[test]
fn a_cut_stream_is_no_report_wherever_it_is_cut() {
    let calls = json!([{"index": 0, "id": "a", "function": {"name": "finish", "arguments": "{\"report\":\"R\"}"}}]);
    let text = events(&[delta(json!({"content": "Text"})), delta(json!({"tool_calls": calls})), ended("tool_calls")]);
    let end = text.trim_end().len();
    for at in 0..text.len() {
        let turn = reply::read(&streamed_in(&text[..at], 5));
        assert_eq!(turn.is_ok(), at >= end, "cut at {at} of {end}: {turn:?}");
    }
}

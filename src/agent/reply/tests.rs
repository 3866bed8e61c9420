//! Bodies of services, in all the shapes they come in.

use serde_json::json;

use super::*;

fn with_message(message: Value) -> String {
    json!({"choices": [{"finish_reason": "stop", "message": message}]}).to_string()
}

#[test]
fn content_comes_in_several_shapes_and_null_is_no_word() {
    let check = |content: Value, text: &str| {
        let turn = read(&with_message(json!({"content": content, "reasoning_content": "hmm"})));
        assert_eq!(turn.map(|turn| turn.content), Ok(text.to_string()), "{content}");
    };
    check(json!("done"), "done");
    check(json!(null), "");
    check(json!(""), "");
    check(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "ab");
    check(json!([{"type": "thinking", "thinking": [{"text": "hmm"}]}, {"type": "reasoning", "text": "hm"}]), "");
    check(json!([{"text": "a"}, null, {"type": "output_text", "text": "b"}]), "ab");
    check(json!(7), "");
    check(json!("<think>let me see</think>\nhello"), "\nhello");
    check(json!("<think>and so on"), "");
    check(json!("<THINK>a</THINK><think>b</think>c"), "c");
    check(json!("a thought</think>\nhello"), "\nhello");
    check(json!("<thinking>a</thinking>b"), "b");
    check(json!("a <think> tag"), "a <think> tag");
    check(json!("<think>a</think>\n\nServers end with `</think>`.\n"), "\n\nServers end with `</think>`.\n");
    let named = "Servers that end with `</think>` leave it in.\n\nFix: strip it.";
    check(json!(named), named);
    check(json!("It writes </think> there.\nStrip it."), "It writes </think> there.\nStrip it.");
    check(json!("Strip `</think>\n` there."), "Strip `</think>\n` there.");
    check(json!("a thought\n</think>\nhello"), "\nhello");
    check(json!("a thought</think>"), "");
    check(json!("a thought </thinking>  \nhello </think>\n"), "  \nhello </think>\n");
    check(json!("</thinks>\nx"), "</thinks>\nx");
    check(json!("a <think>pair</think> inside"), "a <think>pair</think> inside");
}

#[test]
fn only_what_shows_is_an_answer() {
    let check = |text: &str, shows: bool| assert_eq!(is_visible(text), shows, "{text:?}");
    check("done", true);
    check("", false);
    check(" \n\t", false);
    check("\u{200b}\u{feff}", false);
    check("<!-- nothing -->", false);
    check("<!-- nothing", false);
    check("<!-- a -->x<!-- b -->", true);
}

fn fault_of(body: &Value) -> FaultKind {
    read(&body.to_string()).expect_err("the row gives no completion").kind
}

fn reported(code: &str, message: &str) -> FaultKind {
    FaultKind::Provider { code: code.into(), message: message.into() }
}

#[test]
fn a_refusal_and_a_filtered_answer_are_no_reports() {
    let check = |choice: Value, why: &str| {
        assert_eq!(fault_of(&json!({"choices": [choice]})), FaultKind::Refusal { why: why.into() });
    };
    check(json!({"message": {"content": null, "refusal": "I will not."}}), "I will not.");
    check(
        json!({"finish_reason": "content_filter", "message": {"content": "half"}}),
        "the provider's content filter stopped the answer",
    );
    let broken = json!({"choices": [{"error": {"code": 502, "message": "upstream"}}]});
    assert_eq!(fault_of(&broken), reported("502", "upstream"));
    let stopped = json!({"choices": [{"finish_reason": "error", "message": {"content": "half"}}]});
    assert_eq!(fault_of(&stopped), reported("", "the provider stopped the answer with an error"));
}

#[test]
fn arguments_come_in_several_shapes() {
    let check = |arguments: Value, count: Result<usize, &str>| {
        let body =
            with_message(json!({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": arguments}}]}));
        let turn = read(&body).expect("the body has a choice");
        let call = &turn.calls[0];
        match (&call.arguments, count) {
            (Ok(map), Ok(count)) => assert_eq!(map.len(), count, "{arguments}"),
            (Err(why), Err(part)) => assert!(why.contains(part), "{arguments}: {why}"),
            (found, wanted) => panic!("{arguments}: {found:?}, not {wanted:?}"),
        }
        assert!(serde_json::from_str::<Value>(&call.written).is_ok(), "{arguments}");
    };
    check(json!(""), Ok(0));
    check(json!(null), Ok(0));
    check(json!("null"), Ok(0));
    check(json!({"path": "a"}), Ok(1));
    check(json!("{\"path\": \"a\"}"), Ok(1));
    check(json!("[1]"), Err("must be a JSON object"));
    check(json!("{\"re\":\"\\d+\"}"), Err("no JSON"));
}

#[test]
fn a_body_that_is_no_completion_is_told_apart() {
    let check = |body: Value, fault: FaultKind| assert_eq!(fault_of(&body), fault, "{body}");
    let keys = |keys: &[&str]| FaultKind::Shapeless { keys: keys.iter().map(ToString::to_string).collect() };
    check(json!({"error": {"message": "Rate limit exceeded", "code": 429}}), reported("429", "Rate limit exceeded"));
    check(
        json!({"error": {"message": "Bad key", "code": null, "type": "invalid_request_error"}}),
        reported("invalid_request_error", "Bad key"),
    );
    check(
        json!({"object": "error", "message": "too long", "code": 400, "type": "BadRequestError"}),
        reported("400", "too long"),
    );
    check(json!({"error": "no"}), reported("", "no"));
    check(json!({"error": {"status": 503}}), reported("503", "{\"status\":503}"));
    check(json!({"error": null, "id": "x"}), keys(&["error", "id"]));
    check(json!({"id": "x"}), keys(&["id"]));
    check(json!({"choices": null}), keys(&["choices"]));
    check(json!({"choices": []}), keys(&["choices"]));
    check(json!([]), keys(&[]));
    check(json!({STREAM_FAULT: "it broke off"}), FaultKind::Broken { why: "it broke off".into() });
    assert!(matches!(read("<html>").map_err(|fault| fault.kind), Err(FaultKind::NotJson { .. })));
}

#[test]
fn only_what_may_pass_is_asked_again() {
    let check = |code: Value, passes: bool| {
        let fault = read(&json!({"error": {"message": "x", "code": code}}).to_string()).expect_err("an error");
        assert_eq!(fault.may_pass(), passes, "{code}");
    };
    for code in [json!(429), json!("429"), json!(500), json!(503), json!(529), json!(408), json!(null)] {
        check(code, true);
    }
    for code in [json!(400), json!(401), json!("401"), json!(402), json!(403), json!(404), json!(422)] {
        check(code, false);
    }
    check(json!("rate_limit_exceeded"), true);
    check(json!("server_error"), true);
    check(json!("insufficient_quota"), false);
    check(json!("invalid_api_key"), false);
    check(json!("Context_Length_Exceeded"), false);
}

#[test]
fn a_fault_names_the_request() {
    let check = |body: Value, id: &str| {
        assert_eq!(read(&body.to_string()).expect_err("no completion").id, id, "{body}");
    };
    check(json!({"id": "gen-1", "error": "x"}), "gen-1");
    check(json!({"id": "gen-1", "error": {"request_id": "req-2"}}), "req-2");
    check(json!({"id": 7, "choices": []}), "");
    check(json!({"id": "x".repeat(500)}), &crate::text::cut(&"x".repeat(500), KEY_CHARS));
}

#[test]
fn usage_may_lack_anything() {
    let check = |usage: Value, wanted: Usage| {
        let body = json!({"choices": [{"message": {}}], "usage": usage}).to_string();
        assert_eq!(read(&body).map(|turn| turn.usage), Ok(wanted), "{usage}");
    };
    let used = |input, output, cached, reasoning| Usage { input, output, cached, reasoning };
    check(json!(null), Usage::default());
    check(json!([]), Usage::default());
    check(json!({"prompt_tokens": 0, "prompt_tokens_details": null}), Usage::default());
    check(json!({"prompt_tokens": u64::MAX, "completion_tokens": -1}), used(TOKENS_MAX, 0, 0, 0));
    check(json!({"prompt_tokens": null, "completion_tokens": "7"}), Usage::default());
    check(json!({"prompt_tokens": 9.0, "completion_tokens": 2.0}), used(9, 2, 0, 0));
    check(
        json!({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}),
        used(9, 2, 4, 0),
    );
    check(json!({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": null}}), used(9, 0, 0, 0));
    check(json!({"prompt_tokens": 9, "prompt_cache_hit_tokens": 8, "prompt_cache_miss_tokens": 1}), used(9, 0, 8, 0));
    check(json!({"prompt_tokens": 9, "cached_tokens": 3}), used(9, 0, 3, 0));
    check(json!({"prompt_tokens": 9, "cached_tokens": 30}), used(9, 0, 9, 0));
    check(json!({"cached_tokens": 30}), Usage::default());
    check(
        json!({"input_tokens": 9, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 1},
               "completion_tokens_details": {"reasoning_tokens": 4}, "cost": 0.25, "is_byok": false}),
        used(9, 5, 1, 4),
    );
}

//! Fault kinds 7 as whole runs against a real socket: the bodies that services send when something is wrong, streamed
//! and in one piece. Nothing here knows how the client works; it sees what was asked, waited for and posted.

use nebuko::report::{Reason, RunOutcome};
use serde_json::{Value, json};

use super::whole::{Ran, answer, call, completion, good_end, run};
use crate::support::Answer;

/// Runs a step that is answered so, streamed and not, and has both looked at.
fn check(says: &str, bodies: &[Value], look: impl Fn(&Ran, &str)) {
    for stream in [false, true] {
        let ran = run(bodies.iter().map(|body| answer(body, stream)).collect(), stream);
        let says = format!("{says}, {}", if stream { "streamed" } else { "in one piece" });
        assert_eq!(ran.seen.len(), bodies.len(), "{says}: {:?}", ran.report);
        let posted = ran.posted();
        for word in ["null", "None", "NaN"] {
            let shown = posted.split("<details>").next().unwrap_or_default();
            assert!(!shown.contains(word), "{says}: {word} in {posted}");
        }
        look(&ran, &says);
    }
}

fn is_good(ran: &Ran, says: &str) {
    assert_eq!(ran.report.outcome, RunOutcome::Finished, "{says}: {:?}", ran.report);
    assert!(ran.posted().contains("A good report."), "{says}: {}", ran.posted());
}

fn is_failed(ran: &Ran, says: &str, reason: Reason, words: &str) {
    let (report, posted) = (&ran.report, ran.posted());
    assert_eq!((report.outcome, report.reason), (RunOutcome::Failed, reason), "{says}: {report:?}");
    assert!(report.detail.contains(words), "{says}: {report:?}");
    assert!(!posted.contains("A good report."), "{says}: {posted}");
}

/// Fault kind 7.1.
#[test]
fn arguments_come_in_every_shape() {
    let row = |name: &str, arguments: Option<Value>, is_repaired: bool, words: &str| {
        let says = format!("{name} with {arguments:?}");
        check(&says, &[call(name, arguments), good_end()], |ran, says| {
            is_good(ran, says);
            let messages = ran.messages(1);
            let [.., turn, result] = &messages[..] else { unreachable!("{says}: the turn is sent back") };
            let written = turn["tool_calls"][0]["function"]["arguments"].as_str().expect("always a string");
            assert!(serde_json::from_str::<Value>(written).is_ok_and(|it| it.is_object()), "{says}: {written}");
            assert_eq!((&result["role"], &result["tool_call_id"]), (&json!("tool"), &json!("call-a")), "{says}");
            let content = result["content"].as_str().expect("a result is a text");
            assert_eq!(content.starts_with("error: "), is_repaired, "{says}: {content}");
            assert!(content.contains(words), "{says}: {content}");
        });
    };
    row("dispatch_next", Some(json!("")), false, "noted");
    row("dispatch_next", None, false, "noted");
    row("dispatch_next", Some(json!("null")), false, "noted");
    row("dispatch_next", Some(json!(null)), false, "noted");
    row("dispatch_next", Some(json!({})), false, "noted");
    row("dispatch_next", Some(json!({"reason": "a"})), false, "noted");
    row("dispatch_next", Some(json!("{\"reason\":\"a\"}")), false, "noted");
    row("dispatch_next", Some(json!("[1]")), true, "must be a JSON object");
    row("dispatch_next", Some(json!([1])), true, "must be a JSON object");
    row("dispatch_next", Some(json!("{\"re\":\"\\d+\"}")), true, "no JSON");
    row("fly", Some(json!("{}")), true, "there is no tool fly");
}

#[test]
fn rounds_of_wrong_calls_are_bounded() {
    check("a tool that is not there, again and again", &vec![call("fly", None); 4], |ran, says| {
        is_failed(ran, says, Reason::AgentFailed, "tool calls were wrong 4 times in a row");
    });
}

/// Fault kind 7.2.
#[test]
fn no_call_of_a_cut_turn_runs() {
    let lucky = json!("{\"path\":\"README.md\",\"content\":\"# Ti\"}");
    let two = json!([
        {"id": "call-a", "type": "function", "function": {"name": "write_file", "arguments": lucky}},
        {"id": "call-b", "type": "function", "function": {"name": "finish", "arguments": "{\"report\":\"Half"}},
    ]);
    let cut = completion(json!({"role": "assistant", "content": null, "tool_calls": two}), "length");
    check("two calls, cut", &[cut.clone(), good_end()], |ran, says| {
        is_good(ran, says);
        let messages = ran.messages(1);
        let results = &messages[messages.len() - 2..];
        for (result, id) in results.iter().zip(["call-a", "call-b"]) {
            let content = result["content"].as_str().unwrap_or_default();
            assert_eq!(result["tool_call_id"], id, "{says}");
            assert!(content.contains("cut by the output limit") && content.contains("call again"), "{says}: {content}");
        }
    });
    check("cut every time", &[cut.clone(), cut.clone(), cut], |ran, says| {
        is_failed(ran, says, Reason::AgentFailed, "output limit");
    });
    let text = completion(json!({"role": "assistant", "content": "A report that breaks o"}), "length");
    check("a text, cut", &[text, good_end()], |ran, says| {
        is_good(ran, says);
        assert!(!ran.posted().contains("breaks o"), "{says}: {}", ran.posted());
    });
}

/// Fault kind 7.3.
#[test]
fn an_error_under_http_200_is_asked_again_where_it_may_pass() {
    let error = |code: Value| json!({"error": {"message": "So says the provider", "code": code}});
    for code in [json!(429), json!(500), json!(502), json!("429"), json!(null), json!("rate_limit_exceeded")] {
        check(&format!("once {code}"), &[error(code.clone()), good_end()], |ran, says| {
            is_good(ran, says);
            assert_eq!(ran.notes.slept(), [5], "{says}");
        });
        check(&format!("always {code}"), &vec![error(code.clone()); 3], |ran, says| {
            is_failed(ran, says, Reason::ModelFailed, "So says the provider");
            assert_eq!(ran.notes.slept(), [5, 20], "{says}: longer each time");
        });
    }
    for code in [json!(400), json!(401), json!(403), json!(404), json!("401"), json!("invalid_api_key")] {
        check(&format!("for good {code}"), &[error(code.clone())], |ran, says| {
            is_failed(ran, says, Reason::ModelFailed, "So says the provider");
            assert!(ran.notes.slept().is_empty(), "{says}");
        });
    }
    let twice = [error(json!(429)), call("dispatch_next", None), error(json!(503)), good_end()];
    check("once and later once more", &twice, |ran, says| {
        is_good(ran, says);
        assert_eq!(ran.notes.slept(), [5, 5], "{says}: an answer in between begins anew");
    });
    let in_choice = json!({"id": "gen-9", "choices": [{"error": {"message": "So says the provider", "code": 403}}]});
    check("in the choice", &[in_choice], |ran, says| {
        is_failed(ran, says, Reason::ModelFailed, "(403): So says the provider (request gen-9)");
    });
}

#[test]
fn a_body_without_a_choice_is_asked_again_and_then_told_by_its_keys() {
    let bodies = [
        (json!({"id": "x", "object": "chat.completion"}), "the keys [id, object]"),
        (json!({"choices": null, "warning": "w"}), "the keys [choices, warning]"),
        (json!({"choices": []}), "the keys [choices]"),
    ];
    for (body, keys) in bodies {
        check(&format!("once {body}"), &[body.clone(), good_end()], is_good);
        check(&format!("always {body}"), &vec![body.clone(); 3], |ran, says| {
            is_failed(ran, says, Reason::ModelFailed, keys);
            assert_eq!(ran.notes.slept(), [5, 20], "{says}");
        });
    }
    // What is no JSON is the same streamed or not: the service does not stream then.
    for stream in [false, true] {
        let ran = run(vec![Answer::json(200, "<html>"), answer(&good_end(), stream)], stream);
        is_good(&ran, "a page, once");
        let ran = run(vec![Answer::json(200, "<html>"); 3], stream);
        is_failed(&ran, "a page, always", Reason::ModelFailed, "no JSON");
    }
}

/// Fault kind 7.4.
#[test]
fn no_text_is_no_report_and_reasoning_is_none() {
    for content in [json!(null), json!(""), json!(" \n"), json!("<think>secret thoughts</think>")] {
        for key in ["reasoning_content", "reasoning"] {
            let mut message = json!({"role": "assistant", "content": content});
            message[key] = "secret thoughts".into();
            let empty = completion(message, "stop");
            check(&format!("once {content} with {key}"), &[empty.clone(), good_end()], |ran, says| {
                is_good(ran, says);
                assert!(!ran.posted().contains("secret thoughts"), "{says}: {}", ran.posted());
                assert!(ran.messages(1).iter().all(|message| !message["content"].is_null()), "{says}");
            });
            check(&format!("always {content} with {key}"), &vec![empty; 3], |ran, says| {
                is_failed(ran, says, Reason::AgentFailed, "empty answer");
                assert!(!ran.posted().contains("secret thoughts"), "{says}: {}", ran.posted());
            });
        }
    }
    let both = json!({"role": "assistant", "content": "A good report.", "reasoning": "secret thoughts"});
    check("a report in text", &[completion(both, "stop")], |ran, says| {
        is_good(ran, says);
        assert!(!ran.posted().contains("secret thoughts"), "{says}");
    });
}

#[test]
fn metrics_are_numbers_whatever_usage_says() {
    let row = |usage: Option<Value>, expected: (u64, u64, u64, f64)| {
        let mut body = good_end();
        match &usage {
            Some(usage) => body["usage"] = usage.clone(),
            None => {
                body.as_object_mut().and_then(|body| body.remove("usage"));
            }
        }
        check(&format!("{usage:?}"), &[body], |ran, says| {
            is_good(ran, says);
            let state = ran.report.state.as_ref().expect("a state was posted");
            let metrics = state.history.last().and_then(|entry| entry.metrics.as_ref()).expect("metrics");
            let found = (metrics.input_tokens, metrics.output_tokens, metrics.cache_hit_tokens, metrics.cache_hit_rate);
            assert_eq!(found, expected, "{says}");
            assert!(metrics.tool_call_error_rate.is_finite() && metrics.agent_runtime_ms.is_finite(), "{says}");
        });
    };
    row(None, (0, 0, 0, 0.0));
    row(Some(json!(null)), (0, 0, 0, 0.0));
    row(Some(json!({"prompt_tokens": 0, "completion_tokens": 0})), (0, 0, 0, 0.0));
    row(Some(json!({"prompt_tokens": 8, "prompt_tokens_details": null})), (8, 0, 0, 0.0));
    row(
        Some(json!({"prompt_tokens": 8, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}})),
        (8, 2, 4, 0.5),
    );
    row(Some(json!({"prompt_tokens": 0, "prompt_tokens_details": {"cached_tokens": 4}})), (0, 0, 0, 0.0));
    row(Some(json!({"prompt_tokens": 8, "prompt_cache_hit_tokens": 6})), (8, 0, 6, 0.75));
}

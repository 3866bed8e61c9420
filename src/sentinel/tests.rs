use std::{format, string::String, vec::Vec};

use quickcheck::quickcheck;

use super::*;
use crate::dispatch::Status;

fn check(body: &str, expected: &str) {
    for end in ["\n", "\r\n", "\r"] {
        let body = body.replace('\n', end);
        let found = match find(&body) {
            Found::None => String::from("none"),
            Found::Valid(config) => serde_json::to_string(&config.dispatch()).expect("a dispatch is JSON"),
            Found::Invalid { .. } => String::from("invalid"),
        };
        assert_eq!(found, expected, "{body:?}");
    }
}

#[test]
fn the_last_whole_sentinel_at_top_level_counts() {
    let hold = r#"<!-- AGENT_RUN_CONFIG {"dispatch":{"status":"hold"}} -->"#;
    check(hold, r#"{"status":"hold"}"#);
    check(&format!("text\n{hold}\n"), r#"{"status":"hold"}"#);
    check(
        &format!("{hold}\n\n<!--AGENT_RUN_CONFIG\t{{\"task\":\"dev\"}}-->"),
        r#"{"status":"advance","task_hint":"dev"}"#,
    );
    check(&format!("<!-- AGENT_RUN_CONFIG {{\"task\":\"dev\"}} -->\n{hold}"), r#"{"status":"hold"}"#);
    check(&format!("> {hold}"), "none");
    check(&format!("```\n{hold}\n```"), "none");
    check(&format!("~~~\n{hold}"), "none");
    check(&format!("    {hold}"), "none");
    check(&format!("see `{hold}`"), "none");
    check(&format!("see {hold}"), "none");
    check(&format!("<!-- a\n{hold}"), "none");
    check("<!-- AGENT_RUN_CONFIG\n{\"task\":\"dev\"} -->", "none");
    check("<!-- AGENT_RUN_CONFIG {\"task\":\n\"dev\"} -->", "none");
    check("<!-- AGENT_RUN_CONFIG {\"task\":\r\"dev\"} -->", "none");
    check("<!-- AGENT_RUN_CONFIG\u{a0}{\"task\":\"dev\"} -->", "none");
    check("<!-- AGENT_RUN_CONFIG{\"task\":\"dev\"} -->", "none");
    check("<!-- AGENT_RUN_CONFIG -->", "none");
    check("AGENT_RUN_CONFIG {\"task\":\"dev\"}", "none");
    check("", "none");
}

#[test]
fn a_sentinel_that_is_cut_short_or_breaks_a_rule_is_no_sentinel() {
    let cut = r#"<!-- AGENT_RUN_CONFIG {"dispatch":{"status":"hold","reason":"map a} --> b"}} -->"#;
    check(cut, "invalid");
    check("<!-- AGENT_RUN_CONFIG {} -->", "invalid");
    check(r#"<!-- AGENT_RUN_CONFIG {"complexity":"low"} -->"#, "invalid");
    check(r#"<!-- AGENT_RUN_CONFIG {"task":"","dispatch":null} -->"#, "invalid");
    check(r#"<!-- AGENT_RUN_CONFIG {"task":"dev","function_call":"review"} -->"#, "invalid");
    check(r#"<!-- AGENT_RUN_CONFIG {"function_call":7} -->"#, "invalid");
    check(r#"<!-- AGENT_RUN_CONFIG {"dispatch":{"status":"fly"}} -->"#, "invalid");
}

#[test]
fn legacy_fields_fill_what_the_dispatch_leaves_open() {
    let check = |payload: &str, expected: &str| check(&format!("<!-- AGENT_RUN_CONFIG {payload} -->"), expected);
    check(
        r#"{"task": "review", "complexity": "medium"}"#,
        r#"{"status":"advance","task_hint":"review","complexity":"medium"}"#,
    );
    check(r#"{"task": "dev", "round": 2}"#, r#"{"status":"advance","task_hint":"dev"}"#);
    check(
        r#"{"task": "context", "workflow": "default", "step": "context", "branch": "b", "model": "m"}"#,
        r#"{"status":"advance","task_hint":"context","model":"m","workflow":"default","step":"context","branch":"b"}"#,
    );
    check(
        r#"{"task": "dev", "temperature": 0.5, "top_p": 0.1, "top_k": 10, "repetition_penalty": 1.2, "skills": ["a", "b"]}"#,
        r#"{"status":"advance","task_hint":"dev","temperature":0.5,"top_p":0.1,"top_k":10,"repetition_penalty":1.2,"skills":["a","b"]}"#,
    );
    check(
        r#"{"dispatch": {"status": "loop", "complexity": "high"}, "complexity": "low", "reasoning": "high"}"#,
        r#"{"status":"loop","complexity":"high","reasoning":"xhigh"}"#,
    );
    check(r#"{"function_call": {"task": "review"}}"#, r#"{"status":"advance","task_hint":"review"}"#);
    check(r#"{"function_call": "review"}"#, r#"{"status":"advance","task_hint":"review"}"#);
}

#[test]
fn unknown_keys_are_kept() {
    let body = r#"<!-- AGENT_RUN_CONFIG {"task":"dev","later":{"a":1}} -->"#;
    let kept = match find(body) {
        Found::Valid(config) => render(&config),
        Found::None | Found::Invalid { .. } => String::new(),
    };
    assert_eq!(kept, body);
}

quickcheck! {
    fn a_written_sentinel_is_one_line_and_comes_back(reason: String, before: String) -> bool {
        let reason = if reason.len().is_multiple_of(2) { reason + "map a} --> b <!-- c --!> \n\r" } else { reason };
        let config = AgentRunConfig::of(Dispatch { status: Status::Hold, reason: Some(reason), ..Dispatch::default() });
        let line = render(&config);
        let whole = line.matches("<!--").count() == 1 && line.matches("-->").count() == 1 && !line.contains("--!>");
        let before: Vec<&str> = before.split(['<', '`', '~', '[']).collect();
        let body = format!("{}\n\n{line}\n", before.concat());
        whole && line.lines().count() == 1 && find(&body) == Found::Valid(Box::new(config))
    }
}

use serde_json::json;
use similar_asserts::assert_eq;

use super::*;

#[track_caller]
fn check(stored: Value, generation: u32, expected: Value) {
    let reading = read(&stored.to_string()).expect("the row is a state");
    assert_eq!(reading.generation, generation);
    let written = serde_json::to_value(&reading.state).expect("a state is JSON");
    assert_eq!(written, expected);
    assert_eq!(reading.sha256, canonical::digest(&stored).expect("the row has a canonical form"));
}

/// What a state without a ledger or anything else says of the keys that are always written.
fn written(mut members: Value) -> Value {
    let mut whole = json!({
        "run_id": 0, "schema_version": 5, "workflow": "", "step": "", "agent": "", "phase": "", "history": [],
        "thread": [], "pinned_comment_ids": [], "current_context": {}, "parent_workflow": null,
        "parent_workflow_step": null, "position": [], "issue": null, "pull_request": null, "dispatch": null,
        "resolution": null
    });
    if let (Some(whole), Some(members)) = (whole.as_object_mut(), members.as_object_mut()) {
        whole.append(members);
    }
    whole
}

#[test]
fn generation_3_called_the_run_id_version() {
    check(
        json!({
            "version": 6, "workflow": "default", "step": "plan", "agent": "architect", "phase": "planning",
            "history": [
                {"step": "analyze", "agent": "architect", "summary": "Looked at it", "comment_id": 1029001},
                {"step": "context", "agent": "context", "summary": "Gathered", "comment_id": null, "result": "advance"}
            ],
            "current_context": {"last_run_status": "success"}, "pinned_comment_ids": null
        }),
        3,
        written(json!({
            "run_id": 6, "schema_version": 3, "workflow": "default", "step": "plan", "agent": "architect",
            "phase": "planning",
            "history": [
                {"step": "analyze", "agent": "architect", "summary": "Looked at it", "comment_ids": [1029001],
                 "result": null},
                {"step": "context", "agent": "context", "summary": "Gathered", "comment_ids": [], "result": "advance"}
            ],
            "current_context": {"last_run_status": "success"}
        })),
    );
}

#[test]
fn generation_4_has_lists_of_comments_and_no_ledger() {
    check(
        json!({
            "run_id": 9, "schema_version": 4, "workflow": "default", "step": "review", "agent": "review",
            "history": [
                {"step": "dev", "agent": "dev", "summary": "Built", "comment_ids": [71, 72], "inject_context": false,
                 "artifacts": ["src/a.rs"], "pin": true, "position": [{"workflow": "default", "step": "review"}],
                 "dispatch": {"status": "advance", "task_hint": "", "complexity": "", "reasoning": "high",
                              "skills": "", "model": null, "pin": false}},
                {"step": "both", "comment_ids": [73], "comment_id": 74},
                {"step": "same", "comment_ids": [75], "comment_id": 75}
            ],
            "position": [{"workflow": "default", "step": "review"}],
            "dispatch": {"status": "advance", "complexity": "high", "skills": ["a", "b"]}
        }),
        4,
        written(json!({
            "run_id": 9, "schema_version": 4, "workflow": "default", "step": "review", "agent": "review",
            "history": [
                {"step": "dev", "agent": "dev", "summary": "Built", "comment_ids": [71, 72], "inject_context": false,
                 "artifacts": ["src/a.rs"], "pin": true, "result": null,
                 "position": [{"workflow": "default", "step": "review"}],
                 "dispatch": {"status": "advance", "reasoning": "xhigh"}},
                {"step": "both", "agent": "", "summary": "", "comment_ids": [73, 74], "result": null},
                {"step": "same", "agent": "", "summary": "", "comment_ids": [75], "result": null}
            ],
            "position": [{"workflow": "default", "step": "review"}],
            "dispatch": {"status": "advance", "complexity": "high", "skills": ["a", "b"]}
        })),
    );
}

#[test]
fn generation_5_comes_back_as_it_was_stored() {
    let stored = json!({
        "run_id": 4, "schema_version": 5, "workflow": "bugfix", "step": "fix", "agent": "dev", "phase": "execution",
        "history": [{
            "step": "triage", "agent": "architect", "summary": "Null check is missing", "comment_ids": [2250077004_u64],
            "result": "advance", "dispatch": {"status": "advance", "task_hint": "dev", "complexity": "low"},
            "inputs": [{"name": "log", "binding": "exec", "ok": false, "detail": "exit 1", "value": "", "truncated": false}],
            "metrics": {
                "run_id": "0c9a4c5e-52d4-8f0e-9c55-3f6f6f2a7f10", "model_name": "default", "agent_role": "architect",
                "input_tokens": 512, "output_tokens": 64, "max_context_window": 0, "cache_hit_rate": 0.25,
                "cache_hit_tokens": 128, "reasoning_tokens": 7, "tool_call_latency_ms": 1.5,
                "agent_runtime_ms": 1024.75, "nb_tool_calls": 2, "tool_call_error_rate": 0.5, "review_fix_requests": 1
            }
        }],
        "thread": [
            {"kind": "issue-body", "id": 5794187059_u64, "url": "https://github.com/acme/site/issues/12", "user_id": 501,
             "user_login": "dana", "user_name": "", "created_at": "2026-10-02T00:00:00Z",
             "author_association": "OWNER", "trusted": true, "deleted": false},
            {"kind": "agent-output", "id": 2250077004_u64, "url": "", "user_id": 99, "user_login": "nebuko[bot]",
             "user_name": "", "created_at": "", "author_association": "NONE", "trusted": false, "deleted": true}
        ],
        "pinned_comment_ids": [2250077004_u64], "current_context": {"last_run_status": "success", "open": ["a", 2]},
        "parent_workflow": "default", "parent_workflow_step": "dev",
        "position": [{"workflow": "default", "step": "dev"}, {"workflow": "bugfix", "step": "fix"}],
        "issue": {"number": 12, "url": "https://github.com/acme/site/issues/12", "title": "It fails", "author": "dana",
                  "repo": "acme/site"},
        "pull_request": null,
        "dispatch": {"status": "advance", "complexity": "low", "temperature": 0.5, "top_k": 10},
        "resolution": {"role_name": "dev", "matched_rule": "workflow:bugfix/step:fix", "timestamp": "2026-10-02T00:01:00Z"},
        "gate_decision": {"status": "approved", "decided_by": "dana", "decided_at": "2026-10-02T00:02:00Z",
                          "feedback": "", "comment_id": 40, "position": []},
        "gate_history": [{"status": "approved", "decided_by": "dana", "decided_at": "2026-10-02T00:02:00Z",
                          "feedback": "", "comment_id": 40, "position": []}]
    });
    check(stored.clone(), 5, stored);
}

#[test]
fn keys_of_a_later_version_are_carried_along_everywhere() {
    let ours = |extra: Value| written(extra);
    let stored = ours(json!({
        "run_id": 1, "later": {"n": 1.5},
        "history": [{
            "step": "a", "agent": "", "summary": "", "comment_ids": [], "result": null, "later": 1,
            "dispatch": {"status": "hold", "round": 2}, "position": [{"workflow": "w", "step": "s", "bindings": {"a": 1}}],
            "metrics": {
                "run_id": "", "model_name": "", "agent_role": "", "input_tokens": 0, "output_tokens": 0,
                "max_context_window": 0, "cache_hit_rate": 0.0, "cache_hit_tokens": 0, "reasoning_tokens": 0,
                "tool_call_latency_ms": 0.0, "agent_runtime_ms": 0.0, "nb_tool_calls": 0, "tool_call_error_rate": 0.0,
                "review_fix_requests": 0, "cost": 0.1
            },
            "inputs": [{"name": "", "binding": "str", "ok": true, "detail": "", "value": "", "truncated": false, "later": []}]
        }],
        "thread": [{"kind": "command", "id": 1, "url": "", "user_id": 0, "user_login": "", "user_name": "", "created_at": "",
                    "author_association": "", "trusted": false, "deleted": false, "later": null}],
        "issue": {"number": 1, "url": "", "title": "", "author": "", "repo": "", "labels": ["x"]},
        "resolution": {"role_name": "", "matched_rule": "", "timestamp": "", "later": true},
        "gate_decision": {"status": "", "decided_by": "", "decided_at": "", "feedback": "", "comment_id": null,
                          "position": [], "later": "x"},
        "engine": {"name": "nebuko", "version": "9", "cursor": 0, "opened": false, "later": 0}
    }));
    check(stored.clone(), 5, stored);
}

#[test]
fn the_generation_is_found_where_it_is_not_said() {
    let check = |stored: Value, expected: (u32, u64)| {
        let reading = read(&stored.to_string()).expect("the row is a state");
        assert_eq!((reading.generation, reading.state.run_id), expected, "{stored}");
        assert_eq!(reading.state.schema_version, expected.0, "{stored}");
    };
    check(json!({"version": 2}), (3, 2));
    check(json!({"version": 2, "schema_version": 4}), (3, 2));
    check(json!({"run_id": 8, "version": 2}), (3, 8));
    check(json!({"run_id": 8, "version": 2, "schema_version": 4}), (4, 8));
    check(json!({"run_id": 8}), (4, 8));
    check(json!({"run_id": 8, "thread": []}), (5, 8));
    check(json!({"run_id": 8, "schema_version": 1}), (1, 8));
}

#[test]
fn a_version_beside_a_run_id_is_an_unknown_key() {
    let reading = read(r#"{"run_id": 8, "version": 2}"#).expect("the row is a state");
    assert_eq!(reading.state.unknown.get("version"), Some(&json!(2)));
    let reading = read(r#"{"version": 2}"#).expect("the row is a state");
    assert_eq!(reading.state.unknown.get("version"), None);
}

#[test]
fn no_bytes_make_reading_panic_and_every_fault_has_a_place_inside() {
    fn holds(bytes: alloc::vec::Vec<u8>, cut: usize) -> bool {
        let noise = String::from_utf8_lossy(&bytes);
        let whole = r#"{"run_id": 1, "history": [{"step": "é", "comment_ids": [1]}]}"#;
        let cut: String = whole.chars().take(cut % whole.len()).collect();
        [noise.clone().into_owned(), cut.clone(), format!("{cut}{noise}")]
            .iter()
            .all(|json| read(json).err().is_none_or(|fault| fault.offset <= json.len()))
    }
    quickcheck::quickcheck(holds as fn(alloc::vec::Vec<u8>, usize) -> bool);
}

#[test]
fn a_null_is_a_field_that_was_left_out() {
    let with = |json: &str| read(json).map(|reading| reading.state).expect("nulls are read");
    let nulls = with(
        r#"{"run_id": 2, "schema_version": 5, "history": [{"step": "dev", "inject_context": null, "pin": null,
            "inputs": [{"name": "a", "ok": null, "truncated": null}]}], "issue": {"number": null},
            "thread": [{"kind": "command", "id": 7, "trusted": null, "deleted": null}]}"#,
    );
    let absent = with(
        r#"{"run_id": 2, "schema_version": 5, "history": [{"step": "dev", "inputs": [{"name": "a"}]}],
            "issue": {}, "thread": [{"kind": "command", "id": 7}]}"#,
    );
    assert_eq!(nulls, absent);
    assert!(nulls.history[0].inject_context);
}

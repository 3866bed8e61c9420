use alloc::{format, string::ToString};

use quickcheck::{Arbitrary, Gen};
use serde_json::Value;

use super::*;
use crate::{
    canonical, props,
    state::sample::{self, block, output_body},
};

/// What a row expects: the run id, or a line, a column and a word of the damage.
#[derive(Debug, PartialEq)]
enum Found<'a> {
    Absent,
    Run(u64),
    Damaged(usize, usize, &'a str),
}

use Found::{Absent, Damaged, Run};

#[track_caller]
fn check(body: &str, expected: Found<'_>) {
    let found = read_block(body, &Scan::new(body));
    let fits = match (&found, &expected) {
        (Block::Absent, Absent) => true,
        (Block::Readable(reading), Run(run_id)) => reading.state.run_id == *run_id,
        (Block::Damaged(damage), Damaged(line, column, word)) => {
            (damage.line, damage.column) == (*line, *column) && damage.why.contains(word)
        }
        _ => false,
    };
    assert!(fits, "{body:?} gave {found:?}, not {expected:?}");
}

#[test]
fn a_block_is_read_in_every_layout() {
    let json = r#"{"run_id": 3, "workflow": "default"}"#;
    let pretty = "{\n  \"run_id\": 3,\n  \"workflow\": \"default\"\n}";
    check(&block(json), Run(3));
    check(&block(pretty), Run(3));
    check(&block(&format!("```json\n{pretty}\n```")), Run(3));
    check(&block(&format!("\n~~~~\n{json}\n~~~~\n")), Run(3));
    check(&block(json).replace('\n', "\r\n"), Run(3));
    check(&block(pretty).replace('\n', "\r\n"), Run(3));
    check(&block(&format!("```json\n{pretty}\n```")).replace('\n', "\r\n"), Run(3));
    check(&block(pretty).replace('\n', "\r"), Run(3));
    check("<!--WORKFLOW_STATE_START-->{\"run_id\": 3}<!--WORKFLOW_STATE_END-->", Run(3));
    check("Text.\n\n<!--\tWORKFLOW_STATE_START -->\n{\"run_id\": 3}\n<!-- WORKFLOW_STATE_END\t-->\nMore.", Run(3));
    check(&format!("{}\n\nText.\n\n{}", block(json), block(r#"{"run_id": 4}"#)), Run(4));
    check(&block("{\"run_id\": 3, \"phase\": \"a `WORKFLOW_STATE_END` in a text\"}"), Run(3));
}

#[test]
fn what_is_quoted_or_shown_as_code_is_no_block() {
    let block = block(r#"{"run_id": 3}"#);
    check("", Absent);
    check("A WORKFLOW_STATE_START in a sentence.", Absent);
    check(&format!("> {}", block.replace('\n', "\n> ")), Absent);
    check(&format!("```\n{block}\n```"), Absent);
    check(&format!("~~~\n{block}"), Absent);
    check(&format!("Text:\n\n    {}", block.replace('\n', "\n    ")), Absent);
    check(&format!("<!--\nOld:\n{}", block.replace("-->", "")), Absent);
    check("The marker is `<!-- WORKFLOW_STATE_START -->`.", Absent);
    check(
        "<!-- WORKFLOW_STATE_STARTED -->\n{\"run_id\": 3}\n<!-- WORKFLOW_STATE_END -->\n",
        Damaged(3, 1, "start marker"),
    );
}

#[test]
fn damage_is_told_from_absence_with_its_place() {
    check(&block(""), Damaged(1, 30, "nothing stands"));
    check(&block("  \n\t"), Damaged(1, 30, "nothing stands"));
    check(&block("```json\n```"), Damaged(1, 30, "nothing stands"));
    check(&block(r#"{"run_id": 4, "workflow": "#), Damaged(2, 25, "no valid JSON"));
    check(&block("{\n  \"run_id\": 4,\n  é\n}"), Damaged(4, 3, "no valid JSON"));
    check(&block("{\n  \"run_id\": 4,\n  é\n}").replace('\n', "\r\n"), Damaged(4, 3, "no valid JSON"));
    check(&block(r#"{"run_id": 4} {"run_id": 5}"#), Damaged(2, 15, "no valid JSON"));
    check(&block(r#"{"run_id": "four"}"#), Damaged(2, 17, "shape of a state"));
    check(&block(r#"{"é": 1, "run_id": null}"#), Damaged(2, 23, "shape of a state"));
    check(&block(r#"{"run_id": 4, "schema_version": "5"}"#), Damaged(2, 35, "shape of a state"));
    check(&block(r#"{"run_id": 4, "schema_version": 6, "thread": 0}"#), Damaged(2, 1, "schema_version is 6"));
    check(&block(r#"{"workflow": "default"}"#), Damaged(2, 1, "no run_id"));
    check(&block(r#"{"version": "4"}"#), Damaged(2, 1, "no run_id"));
    check(&block("[4]"), Damaged(2, 1, "no JSON object"));
    check(&block("null"), Damaged(2, 1, "no JSON object"));
    check(
        &block(r#"{"run_id": 4, "current_context": {"at": 9007199254740993}}"#),
        Damaged(2, 1, "9007199254740993 at /current_context/at"),
    );
    check("Text.\n<!-- WORKFLOW_STATE_START -->\n{\"run_id\": 4}\n", Damaged(4, 1, "end marker"));
    check("{\"run_id\": 4}\n<!-- WORKFLOW_STATE_END -->", Damaged(2, 1, "start marker"));
    let then_damaged = format!("{}\n\n{}", block(r#"{"run_id": 3}"#), block("{"));
    check(&then_damaged, Damaged(6, 1, "no valid JSON"));
}

#[test]
fn a_damage_reads_as_a_sentence_with_its_place() {
    let damage = Damage::at("one\r\ntwo\rthrée", 12, "nothing can be read");
    assert_eq!(damage.to_string(), "line 3, column 4: nothing can be read");
    assert_eq!(Damage::at("é", 1, "x").offset, 0);
    assert_eq!(Damage::at("", 9, "x").offset, 0);
}

#[test]
fn a_summary_that_spells_the_end_marker_changes_nothing() {
    let mut state = sample::state(7, 1);
    state.history[0].summary = "done <!-- WORKFLOW_STATE_END --> tail".into();
    check_round_trip(&state);
}

#[test]
fn every_state_comes_back_from_a_comment_as_it_went_in() {
    for seed in 0..150 {
        std::eprintln!("seed {seed}"); // shown where the check fails
        check_round_trip(&WorkflowState::arbitrary(&mut Gen::from_size_and_seed(6, seed)));
    }
}

#[track_caller]
fn check_round_trip(state: &WorkflowState) {
    let body = output_body(&render_block(state));
    assert_eq!(body.matches("<!-- WORKFLOW_STATE_START -->").count(), 1, "{body}");
    assert_eq!(body.matches("<!-- WORKFLOW_STATE_END -->").count(), 1, "{body}");
    assert_eq!(body.matches("<!--").count(), 4, "{body}");
    assert_eq!(body.matches("-->").count(), 4, "{body}");
    assert!(!body.contains(['@', '\r', '\u{2028}', '\u{2029}']), "{body}");
    for stored in [body.replace('\n', "\r\n"), body] {
        let Block::Readable(reading) = read_block(&stored, &Scan::new(&stored)) else {
            unreadable(&stored);
        };
        assert_eq!(reading.state, *state);
        assert_eq!(reading.generation, 5);
        assert_eq!(Ok(reading.sha256), canonical::digest(state));
    }
}

#[track_caller]
fn unreadable(body: &str) -> ! {
    panic!("not readable: {:?}", read_block(body, &Scan::new(body)))
}

#[test]
fn any_json_in_a_block_means_the_same() {
    for seed in 0..500 {
        let value = props::value(&mut Gen::from_size_and_seed(8, seed), 3);
        let back: Value = serde_json::from_str(&json_of(&value)).expect("it is JSON");
        assert_eq!(back, value, "seed {seed}");
    }
}

#[test]
fn units_are_those_of_utf16() {
    for text in ["", "plain", "é€", "\u{1f468}\u{200d}\u{1f469}", "\u{ffff}\u{10000}"] {
        assert_eq!(units(text), text.encode_utf16().count(), "{text:?}");
    }
}

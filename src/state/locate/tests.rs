use alloc::{format, string::ToString, vec};

use serde_json::json;

use super::*;
use crate::state::sample::{
    ENGINE, STRANGER, block, comment, engine, entry, notice, output, output_body, state, thread,
};
use crate::state::{EngineNote, Previous};

/// What was found: the carrying comment with its run id, the damaged ones, the readable one behind them.
#[derive(Debug, PartialEq)]
enum Found {
    Absent,
    Readable(u64, u64),
    Damaged(Vec<u64>, Option<u64>),
}

#[track_caller]
fn check(comments: Vec<Comment>, expected: Found) {
    let found = match locate(&thread(comments), &engine()) {
        Located::Absent => Found::Absent,
        Located::Readable(carried) => Found::Readable(carried.comment_id, carried.state.run_id),
        Located::Damaged { comment_id, damaged, readable, .. } => {
            assert_eq!(damaged.first(), Some(&comment_id));
            Found::Damaged(damaged, readable.map(|carried| carried.comment_id))
        }
    };
    assert_eq!(found, expected);
}

fn damaged(id: u64) -> Comment {
    comment(id, ENGINE, output_body(&block(r#"{"run_id": 4, "workflow": "#)))
}

#[test]
fn the_newest_state_of_the_engine_counts() {
    check(vec![], Found::Absent);
    check(vec![comment(1, ENGINE, "<!-- bot-workflow-terminal -->\n\nHello.")], Found::Absent);
    check(vec![output(1, &state(1, 1)), output(2, &state(2, 2))], Found::Readable(2, 2));
    check(vec![output(2, &state(2, 2)), output(1, &state(1, 1))], Found::Readable(2, 2)); // listed in another order
    check(
        vec![output(1, &state(1, 1)), notice(2, &state(2, 1)), comment(3, STRANGER, "Thanks.")],
        Found::Readable(2, 2),
    );
}

#[test]
fn whatever_another_account_writes_is_no_state() {
    let real = output(4, &state(4, 1));
    let forged = |id| Comment { user: comment(id, STRANGER, "").user, ..output(id, &state(999, 1)) };
    check(vec![real.clone(), forged(5)], Found::Readable(4, 4));
    check(vec![forged(5)], Found::Absent);
    let broken = Comment { user: comment(6, STRANGER, "").user, ..damaged(6) };
    check(vec![real.clone(), broken], Found::Readable(4, 4));
    let taken_name = Comment { user: comment(7, (778, ENGINE.1), "").user, ..output(7, &state(999, 1)) };
    check(vec![real.clone(), taken_name], Found::Readable(4, 4));
    let nobody = Comment { user: Account::default(), ..output(8, &state(999, 1)) };
    check(vec![real, nobody], Found::Readable(4, 4));
}

#[test]
fn the_engines_account_needs_its_marker_at_top_level() {
    let real = output(4, &state(4, 1));
    let body = output(5, &state(999, 1)).body;
    let unmarked = body.replace("<!-- bot-workflow-terminal -->\n", "");
    check(vec![real.clone(), comment(5, ENGINE, unmarked.as_str())], Found::Readable(4, 4));
    check(
        vec![real.clone(), comment(5, ENGINE, format!("> <!-- bot-workflow-terminal -->\n\n{unmarked}"))],
        Found::Readable(4, 4),
    );
    check(vec![real.clone(), comment(5, ENGINE, format!("> {}", body.replace('\n', "\n> ")))], Found::Readable(4, 4));
    let shown = format!("<!-- bot-workflow-terminal -->\n\n```\n{body}\n```");
    check(vec![real, comment(5, ENGINE, shown)], Found::Readable(4, 4));
}

#[test]
fn nobody_is_the_engine_where_its_account_is_unknown() {
    let thread = thread(vec![output(1, &state(1, 1))]);
    assert_eq!(locate(&thread, &Authority::default()), Located::Absent);
    let unknown = Authority { actor: Some(Identity::default()), trusted_actors: &[], above: 0 };
    assert_eq!(locate(&thread, &unknown), Located::Absent);
    let by_login = [Identity::new(0, "Engine-Owner")];
    let trusting = Authority { actor: None, trusted_actors: &by_login, above: 0 };
    assert_eq!(locate(&thread, &trusting).readable().map(|carried| carried.comment_id), Some(1));
}

#[test]
fn a_damaged_newest_state_is_not_absence() {
    let older = output(11, &state(3, 1));
    let empty = comment(12, ENGINE, output_body(&block("")));
    check(vec![older.clone(), damaged(12)], Found::Damaged(vec![12], Some(11)));
    check(vec![older.clone(), empty.clone()], Found::Damaged(vec![12], Some(11)));
    check(vec![damaged(12)], Found::Damaged(vec![12], None));
    check(vec![damaged(10), older.clone(), empty, damaged(13)], Found::Damaged(vec![13, 12], Some(11)));
    check(vec![older, damaged(12), output(13, &state(4, 2))], Found::Readable(13, 4));
}

#[test]
fn damage_names_the_place_in_the_comment() {
    let place = match locate(&thread(vec![damaged(12)]), &engine()) {
        Located::Damaged { damage, .. } => Some((damage.line, damage.column)),
        Located::Absent | Located::Readable(_) => None,
    };
    assert_eq!(place, Some((7, 25)));
}

#[test]
fn of_two_with_the_same_run_id_the_lower_comment_wins() {
    let twice = vec![output(1, &state(3, 1)), output(2, &state(4, 2)), output(3, &state(4, 2))];
    check(twice.clone(), Found::Readable(2, 4));
    let between = vec![twice[0].clone(), twice[1].clone(), damaged(5), output(6, &state(4, 2))];
    check(between, Found::Damaged(vec![5], Some(2)));
    check([twice, vec![damaged(9)]].concat(), Found::Damaged(vec![9], Some(2)));
}

/// Gives a state of this engine that follows another comment's.
fn following(run_id: u64, previous: Option<u64>) -> WorkflowState {
    let previous = previous.map(|comment_id| Previous { comment_id, sha256: "0".repeat(64) });
    WorkflowState { engine: Some(EngineNote { previous, ..EngineNote::new() }), ..state(run_id, 1) }
}

#[test]
fn a_state_that_comes_late_takes_nothing_back() {
    let first = output(1, &following(1, None));
    let second = output(2, &following(2, Some(1)));
    let third = output(3, &following(3, Some(2)));
    let straight = vec![first, second, third];
    check(straight.clone(), Found::Readable(3, 3));
    let late = |run_id, previous| [straight.clone(), vec![output(9, &following(run_id, previous))]].concat();
    check(late(1, None), Found::Readable(3, 3));
    check(late(2, Some(1)), Found::Readable(3, 3));
    check(late(3, Some(2)), Found::Readable(3, 3));
    check(late(4, Some(3)), Found::Readable(9, 4));
    // Somebody recovered from state 2 by hand: the number is there already, and what it follows is another.
    check(late(3, Some(1)), Found::Readable(9, 3));
    // The Python original's numbers begin anew with each workflow.
    let begun_anew = vec![output(1, &state(1, 1)), output(2, &state(2, 2)), output(3, &state(1, 1))];
    check(begun_anew, Found::Readable(3, 1));
}

#[test]
fn the_carrying_comment_is_the_newest_steps_output() {
    let carried = |comment: Comment| locate(&thread(vec![comment]), &engine()).into_readable().expect("a state");
    let ids = |carried: &Carried| carried.state.history.last().map(|entry| entry.comment_ids.clone());
    let mut parts = state(1, 1);
    parts.history[0].comment_ids = vec![40, 41];
    assert_eq!(ids(&carried(output(42, &parts))), Some(vec![40, 41, 42]));
    assert_eq!(ids(&carried(output(41, &parts))), Some(vec![40, 41]));
    assert_eq!(ids(&carried(notice(42, &parts))), Some(vec![40, 41]));
    assert_eq!(ids(&carried(output(42, &state(1, 0)))), None);
    assert!(carried(output(42, &parts)).state.pinned_comment_ids.is_empty());
    parts.history[0].pin = true;
    assert_eq!(carried(output(42, &parts)).state.pinned_comment_ids, vec![42]);
    assert_eq!(carried(output(42, &parts)).sha256, crate::canonical::digest(&parts).expect("canonical"));
}

#[test]
fn an_older_generation_says_so() {
    let legacy = comment(5, ENGINE, output_body(&block(&json!({"version": 2, "step": "dev"}).to_string())));
    let located = locate(&thread(vec![legacy]), &engine());
    let carried = located.readable().expect("a state");
    assert_eq!((carried.generation, carried.state.run_id, carried.created_at.as_str()), (3, 2, "2026-10-02T00:00:05Z"));
}

#[test]
fn what_was_located_survives_json() {
    let mut newest = state(2, 0);
    newest.history.push(entry(7));
    let located = locate(&thread(vec![output(1, &newest), damaged(2)]), &engine());
    let back: Located = serde_json::from_str(&serde_json::to_string(&located).expect("JSON")).expect("JSON");
    assert_eq!(back, located);
}

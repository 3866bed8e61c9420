use alloc::{format, string::String, vec};

use quickcheck::{Arbitrary, Gen};

use super::*;
use crate::{
    markdown::Scan,
    state::{
        Block, RecordKind, Unknown, read_block,
        sample::{output_body, state},
    },
};

/// GitHub's limit for a comment, less something for the text around the block.
const LIMIT: usize = 65_536 - 200;

fn record(number: u64) -> ThreadRecord {
    let id = 2_250_077_000 + number;
    ThreadRecord {
        kind: RecordKind::HumanFeedback,
        id,
        url: format!("https://github.com/acme/site/issues/501#issuecomment-{id}"),
        user_id: 12345,
        user_login: "olivier-norture".into(),
        user_name: String::new(),
        created_at: "2026-10-02T00:00:00Z".into(),
        author_association: "COLLABORATOR".into(),
        trusted: true,
        deleted: false,
        unknown: Unknown::new(),
    }
}

fn with_records(count: u64) -> WorkflowState {
    WorkflowState { thread: (0..count).map(record).collect(), ..state(9, 2) }
}

fn with_values(length: usize) -> WorkflowState {
    let mut state = state(9, 2);
    for entry in &mut state.history {
        let value = "v".repeat(length);
        entry.inputs.push(StepInputRecord { name: "diff".into(), ok: true, value, ..StepInputRecord::default() });
    }
    state
}

fn noted(state: &WorkflowState) -> Compacted {
    state.engine.as_ref().map(|note| note.compacted).unwrap_or_default()
}

#[test]
fn a_state_that_fits_is_left_alone() {
    let whole = with_records(100);
    let mut state = whole.clone();
    assert_eq!(compact(&mut state, LIMIT, 2), Ok(Compacted::default()));
    assert_eq!(state, whole);
    let exact = block_units(&whole);
    assert_eq!(compact(&mut state, exact, 2), Ok(Compacted::default()));
    assert_eq!(state, whole);
}

#[test]
fn three_hundred_records_fit_without_the_oldest() {
    let mut state = with_records(300);
    assert!(codec::json_units(&record(1)) >= 271);
    assert!(block_units(&state) > 65_536);
    let left = compact(&mut state, LIMIT, 2).expect("it fits");
    assert!(block_units(&state) <= LIMIT);
    assert!(block_units(&state) + codec::json_units(&record(1)) + 10 > LIMIT, "no more than necessary leaves");
    assert_eq!((left.history, left.values), (0, 0));
    assert_eq!(left.records, 300 - state.thread.len() as u64);
    assert_eq!(state.thread[0], record(left.records));
    assert_eq!(noted(&state), left);
    let body = output_body(&render_block(&state));
    assert!(matches!(read_block(&body, &Scan::new(&body)), Block::Readable(reading) if reading.state == state));
}

#[test]
fn deleted_records_are_the_last_to_leave() {
    let mut state = with_records(300);
    for deleted in state.thread.iter_mut().step_by(3) {
        deleted.deleted = true;
    }
    let kept: Vec<ThreadRecord> = state.thread.iter().filter(|record| record.deleted).cloned().collect();
    compact(&mut state, 30_000, 2).expect("it fits");
    let deleted: Vec<ThreadRecord> = state.thread.iter().filter(|record| record.deleted).cloned().collect();
    assert_eq!(deleted, kept);
    let newest_live = state.thread.iter().rev().find(|record| !record.deleted);
    assert_eq!(newest_live.map(|record| record.id), Some(record(299).id), "the newest live record stays longest");
    for deleted in &mut state.thread {
        deleted.deleted = true;
    }
    let before = state.thread.len();
    let left = compact(&mut state, 10_000, 0).expect("it fits");
    assert_eq!((left.records, left.deleted as usize), (0, before - state.thread.len()));
    assert!(left.deleted > 0 && noted(&state).deleted == left.deleted);
}

#[test]
fn history_leaves_only_as_far_as_older_comments_hold_it() {
    let check = |limit: usize, held: usize, left: Option<(u64, &[&str])>| {
        let mut state = state(9, 4);
        let found = compact(&mut state, limit, held).ok().map(|left| left.history);
        assert_eq!(found, left.map(|(count, _)| count), "{limit} with {held} held");
        if let Some((_, steps)) = left {
            let names: Vec<&str> = state.history.iter().map(|entry| entry.step.as_str()).collect();
            assert_eq!(names, steps, "{limit} with {held} held");
        }
    };
    let whole = block_units(&state(9, 4));
    check(whole, 3, Some((0, &["step-0", "step-1", "step-2", "step-3"])));
    // The note that counts what left takes the room of two entries.
    check(whole - 1, 3, Some((2, &["step-2", "step-3"])));
    check(whole - 1, 1, None);
    check(whole - 100, 3, Some((3, &["step-3"])));
    check(whole - 100, 2, None);
    check(whole - 250, 3, None);
    check(whole - 250, 9, Some((4, &[])));
}

#[test]
fn values_leave_last_and_say_so() {
    let mut state = with_values(4_000);
    let left = compact(&mut state, 7_000, 0).expect("it fits");
    assert_eq!(left, Compacted { records: 0, history: 0, values: 1, deleted: 0 });
    let inputs: Vec<_> =
        state.history.iter().map(|entry| (entry.inputs[0].value.len(), entry.inputs[0].truncated)).collect();
    assert_eq!(inputs, vec![(0, true), (4_000, false)]);
    let mut held = with_values(4_000);
    assert_eq!(compact(&mut held, 7_000, 1), Ok(Compacted { records: 0, history: 1, values: 0, deleted: 0 }));
    assert_eq!(held.history[0].inputs[0].value.len(), 4_000);
}

#[test]
fn counts_go_on_from_what_was_missing_before() {
    let mut state = with_records(300);
    let before = Compacted { records: 5, history: 7, values: 1, deleted: 0 };
    state.engine = Some(EngineNote { compacted: before, cursor: 12, ..EngineNote::new() });
    let left = compact(&mut state, LIMIT, 0).expect("it fits");
    assert_eq!(noted(&state), Compacted { records: 5 + left.records, ..before });
    assert_eq!(state.engine.map(|note| note.cursor), Some(12));
}

#[test]
fn what_cannot_fit_is_refused_with_its_figures() {
    let mut state = state(9, 1);
    state.current_context.insert("notes".into(), "x".repeat(70_000).into());
    let refusal = compact(&mut state, LIMIT, 1).expect_err("it cannot fit");
    assert_eq!(refusal, TooLarge { units: block_units(&state), limit: LIMIT });
    assert!(refusal.units > 70_000);
    let mut empty = WorkflowState::default();
    assert!(compact(&mut empty, 0, 0).is_err());
}

#[test]
fn whatever_is_compacted_fits_or_is_refused_for_a_reason() {
    for seed in 0..150 {
        let g = &mut Gen::from_size_and_seed(6, seed);
        let whole = WorkflowState::arbitrary(g);
        let whole_units = block_units(&whole);
        let (limit, held) = (whole_units * usize::from(u8::arbitrary(g)) / 200, usize::arbitrary(g) % 4);
        let mut state = whole.clone();
        match compact(&mut state, limit, held) {
            Ok(left) => {
                assert!(block_units(&state) <= limit, "seed {seed}");
                let gone = (left.records + left.deleted) as usize;
                assert_eq!(whole.thread.len() - state.thread.len(), gone, "seed {seed}");
                let deleted = |state: &WorkflowState| state.thread.iter().filter(|record| record.deleted).count();
                assert_eq!(deleted(&whole) - deleted(&state), left.deleted as usize, "seed {seed}");
                let live_left = state.thread.iter().any(|record| !record.deleted);
                assert!(left.deleted == 0 || !live_left, "seed {seed}: deleted records leave last");
                assert_eq!(whole.history.len() - state.history.len(), left.history as usize, "seed {seed}");
                assert!(left.history as usize <= held, "seed {seed}");
            }
            Err(refusal) => {
                assert!(refusal.units > limit && refusal.limit == limit, "seed {seed}");
                assert!(state.thread.is_empty(), "seed {seed}");
                assert_eq!(state.history.len(), whole.history.len().saturating_sub(held), "seed {seed}");
                assert_eq!(values_of(&mut state.history).count(), 0, "seed {seed}");
            }
        }
    }
}

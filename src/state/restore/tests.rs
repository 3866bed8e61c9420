use alloc::{vec, vec::Vec};

use quickcheck::{Arbitrary, Gen};

use super::*;
use crate::state::{
    EngineNote, Located, WorkflowState, compact,
    sample::{self, STRANGER, comment, engine, notice, output},
};

/// A thread that grows by one step at a time, each state made from what the thread said before.
struct Growing {
    thread: ThreadSnapshot,
    /// The whole history, as no comment may hold it any more.
    history: Vec<HistoryEntry>,
    limit: usize,
}

impl Growing {
    fn new(limit: usize) -> Self {
        Self { thread: sample::thread(Vec::new()), history: Vec::new(), limit }
    }

    /// Runs a step; gives the state that was taken up for it.
    fn step(&mut self, mut entry: HistoryEntry) {
        let id = 100 + 2 * self.thread.comments.len() as u64;
        let mut state = self.next_state();
        let held = state.history.len();
        state.history.push(entry.clone());
        let room = self.limit + codec::json_units(&entry);
        compact(&mut state, room, held).expect("one entry always fits");
        self.thread.comments.push(output(id, &state));
        entry.comment_ids.push(id);
        self.history.push(entry);
    }

    /// Posts an engine notice that carries the state on.
    fn notice(&mut self) {
        let id = 100 + 2 * self.thread.comments.len() as u64;
        let mut state = self.next_state();
        let held = state.history.len();
        compact(&mut state, self.limit, held).expect("nothing new came in");
        self.thread.comments.push(notice(id, &state));
    }

    fn next_state(&self) -> WorkflowState {
        let Some((carried, lost)) = self.restored() else { return sample::state(1, 0) };
        assert_eq!(lost, 0);
        let previous = Previous { comment_id: carried.comment_id, sha256: carried.sha256 };
        let mut state = carried.state;
        state.run_id += 1;
        state.engine.get_or_insert_with(EngineNote::new).previous = Some(previous);
        state
    }

    fn restored(&self) -> Option<(Carried, u64)> {
        let mut carried = locate::locate(&self.thread, &engine()).into_readable()?;
        let lost = restore(&mut carried, &self.thread, &engine());
        Some((carried, lost))
    }

    #[track_caller]
    fn check_lost(&self, expected: u64) {
        let (carried, lost) = self.restored().expect("a state");
        assert_eq!(lost, expected);
        assert_eq!(carried.state.history, self.history[expected as usize..]);
        let note = carried.state.engine.unwrap_or_default();
        assert_eq!(note.compacted.history, expected);
    }

    fn comment(&mut self, index: usize) -> &mut Comment {
        &mut self.thread.comments[index]
    }
}

/// Ten steps in comments that hold about four entries.
fn ten_steps() -> Growing {
    let mut growing = Growing::new(950);
    (0..10).for_each(|number| growing.step(sample::entry(number)));
    growing
}

#[test]
fn history_that_left_comes_back_from_older_comments() {
    let growing = ten_steps();
    let newest = locate::locate(&growing.thread, &engine()).into_readable().expect("a state");
    assert!(newest.state.history.len() < 6, "the row is about a state that was compacted");
    growing.check_lost(0);
}

#[test]
fn a_whole_state_is_only_raised_to_our_generation() {
    let legacy = r#"{"run_id": 3, "schema_version": 4, "history": [{"step": "a"}]}"#;
    let thread = sample::thread(vec![comment(5, sample::ENGINE, sample::output_body(&sample::block(legacy)))]);
    let located = locate::locate(&thread, &engine());
    let mut carried = located.clone().into_readable().expect("a state");
    assert_eq!(restore(&mut carried, &thread, &engine()), 0);
    assert_eq!((carried.generation, carried.state.schema_version), (4, STATE_SCHEMA_VERSION));
    carried.state.schema_version = 4;
    assert_eq!(Located::Readable(carried), located);
}

#[test]
fn a_deleted_or_changed_comment_loses_only_what_it_alone_held() {
    // Comment 9 holds the newest entries; its chain leads over 8, 7, … to 0.
    let mut cut = ten_steps();
    cut.thread.comments.remove(8);
    let (carried, lost) = cut.restored().expect("a state");
    assert_eq!(carried.state.history, cut.history[lost as usize..]);
    assert!(lost > 0, "the only link is gone");

    let mut changed = ten_steps();
    for index in 0..9 {
        let body = changed.comment(index).body.replace("Did what", "Never did what");
        changed.comment(index).body = body;
    }
    let (carried, lost) = changed.restored().expect("a state");
    assert_eq!(carried.state.history, changed.history[lost as usize..]);
    assert!(lost > 0, "a changed comment is no witness");

    let mut one_changed = ten_steps();
    let body = one_changed.comment(3).body.replace("Did what", "Never did what");
    one_changed.comment(3).body = body;
    one_changed.check_lost(0); // others hold the same entries
}

#[test]
fn what_is_lost_stays_counted_and_is_not_mixed_up_later() {
    let mut growing = ten_steps();
    growing.thread.comments.drain(..8);
    let (carried, lost) = growing.restored().expect("a state");
    assert!(lost > 0);
    let mut state = carried.state;
    state.run_id += 1;
    let previous = Previous { comment_id: carried.comment_id, sha256: carried.sha256 };
    state.engine.get_or_insert_with(EngineNote::new).previous = Some(previous);
    let held = state.history.len();
    compact(&mut state, 950, held).expect("it fits");
    growing.thread.comments.push(notice(900, &state));
    growing.check_lost(lost);
}

#[test]
fn another_accounts_comment_is_no_source() {
    let mut growing = ten_steps();
    let stranger = comment(1, STRANGER, "").user;
    growing.thread.comments[..9].iter_mut().for_each(|comment| comment.user = stranger.clone());
    let (carried, lost) = growing.restored().expect("a state");
    assert_eq!(lost as usize, growing.history.len() - carried.state.history.len());
    assert!(lost > 0);
}

#[test]
fn a_link_that_leads_to_itself_or_forward_ends_the_walk() {
    const MANY: u64 = (1 << 53) - 1;
    for to in [100, 101, 999, 0] {
        let mut state = sample::state(4, 1);
        let previous = Some(Previous { comment_id: to, sha256: "0".into() });
        let compacted = Compacted { history: MANY, ..Compacted::default() };
        state.engine = Some(EngineNote { previous, compacted, ..EngineNote::new() });
        let thread = sample::thread(vec![output(100, &sample::state(9, 1)), output(101, &state)]);
        let mut carried = locate::locate(&thread, &engine()).into_readable().expect("a state");
        assert_eq!(restore(&mut carried, &thread, &engine()), MANY, "{to}");
        assert_eq!(carried.state.history.len(), 1, "{to}");
    }
}

#[test]
fn any_history_survives_compaction_posting_and_reading() {
    for seed in 0..12 {
        let g = &mut Gen::from_size_and_seed(4, seed);
        let mut growing = Growing::new(1_000 + usize::from(u16::arbitrary(g) % 8_000));
        for _ in 0..12 {
            let mut entry = HistoryEntry::arbitrary(g);
            entry.pin = false; // pins grow another list, which is not compacted
            growing.step(entry);
            if bool::arbitrary(g) {
                growing.notice();
            }
            growing.limit = 1_000 + usize::from(u16::arbitrary(g) % 8_000);
        }
        std::eprintln!("seed {seed}"); // shown where the check fails
        growing.check_lost(0);
    }
}

#[test]
fn a_long_history_is_restored_from_few_readings() {
    let mut growing = Growing::new(3_000);
    (0..60).for_each(|number| growing.step(sample::entry(number)));
    growing.check_lost(0);
    let carried = locate::locate(&growing.thread, &engine()).into_readable().expect("a state");
    let note = carried.state.engine.as_ref().expect("a note");
    let authority = engine();
    let sources: Vec<_> = chain(carried.comment_id, note.previous.clone(), &growing.thread, &authority).collect();
    let (mut missing, mut readings) = (note.compacted.history, 0);
    while let Some(index) = furthest(&sources, missing) {
        (missing, readings) = (sources[index].first, readings + 1);
    }
    let held = carried.state.history.len();
    assert_eq!(missing, 0);
    assert!(readings <= 60 / held + 1, "{readings} readings, {held} entries a comment");
}

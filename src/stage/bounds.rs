//! Bounds on what agents do among themselves (decisions 6 and 9.3). A person's word is never bound by them.

use alloc::string::String;

use crate::{
    stage::{Known, Scene, refine},
    state::{HistoryEntry, RecordKind, ThreadRecord},
    text, thread,
};

/// Says which bound a further step without a person's word would pass (decisions 6 and 9.3).
pub(crate) fn bound_reached(scene: Scene<'_>, known: &Known) -> Option<String> {
    let limits = &scene.setup.settings.limits;
    let rounds = rounds(&known.state.thread);
    if rounds >= limits.rounds as usize {
        return Some(text::too_many_rounds(rounds));
    }
    let heard = newest_word(&known.state.thread);
    let is_same =
        |entry: &&HistoryEntry| entry.step == known.state.step && entry.comment_ids.last().is_none_or(|id| *id > heard);
    let same = known.state.history.iter().rev().take_while(is_same).count();
    if same >= limits.same_step as usize {
        return Some(text::same_step_again(&known.state.step, same));
    }
    if let Some(rounds) = refine::is_used_up(scene, known) {
        return Some(text::refined_enough(rounds));
    }
    let comments = scene.thread.comments.len();
    (comments >= COMMENTS_STOP).then(|| text::thread_is_full(comments))
}

/// Counts the comments of agents since somebody who may command last wrote: a stranger cannot reset the bound. The
/// engine's own count as well, because a script that runs again leaves nothing else.
fn rounds(records: &[ThreadRecord]) -> usize {
    let is_own = |record: &&ThreadRecord| matches!(record.kind, RecordKind::AgentOutput | RecordKind::EngineOutput);
    records.iter().rev().take_while(|record| !is_word(record)).filter(is_own).count()
}

/// Gives the newest comment by somebody who may command, or 0.
fn newest_word(records: &[ThreadRecord]) -> u64 {
    records.iter().rev().find(|record| is_word(record)).map_or(0, |record| record.id)
}

/// Tells whether a record is of somebody who may command.
fn is_word(record: &ThreadRecord) -> bool {
    match record.kind {
        RecordKind::Command | RecordKind::HumanFeedback => thread::may_command(&record.author_association),
        RecordKind::IssueBody | RecordKind::AgentOutput | RecordKind::EngineOutput => false,
    }
}

/// GitHub closes an issue to comments for good at 2,500 (decision 9.3).
const COMMENTS_STOP: usize = 2_400;
/// From here on whoever watches is warned.
pub(crate) const COMMENTS_WARN: usize = 2_000;

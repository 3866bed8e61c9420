//! Which records an agent is shown: the relevant flow, its window, and what is pinned.
//!
//! How they look is for `render`.

use alloc::vec::Vec;

use crate::{
    prompt::PromptInput,
    snapshot::Comment,
    state::{RecordKind, ThreadRecord},
    thread::Listing,
};

/// A record that is shown, with its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<'a> {
    pub(super) record: &'a ThreadRecord,
    pub(super) comment: &'a Comment,
    pub(super) pinned: bool,
}

/// Chooses the records of `## Recent thread`: pinned ones from before the window, then the window.
pub(super) fn shown<'a>(input: &PromptInput<'a>, listing: &Listing<'a>) -> Vec<Shown<'a>> {
    let mut pins = input.pinned.to_vec();
    pins.sort_unstable();
    let mut shown: Vec<Shown<'a>> = input
        .ledger
        .iter()
        .filter(|record| is_relevant(record, input.had_ledger))
        .filter_map(|record| {
            let pinned = pins.binary_search(&record.id).is_ok();
            Some(Shown { record, comment: listing.find(record.id)?, pinned })
        })
        .collect();
    let before_window = shown.len().saturating_sub(window(input));
    let mut place = 0;
    shown.retain(|record| {
        place += 1;
        record.pinned || place > before_window
    });
    shown
}

/// Tells whether a record may be shown as context (ADR-0012, decision 3).
///
/// The legacy tail shows the engine's notices too. Untrusted people are never shown, and take no place in a
/// window, so that nobody can push others out of it.
fn is_relevant(record: &ThreadRecord, had_ledger: bool) -> bool {
    match record.kind {
        _ if record.deleted => false,
        RecordKind::AgentOutput => true,
        RecordKind::Command | RecordKind::HumanFeedback => record.trusted,
        RecordKind::EngineOutput => !had_ledger,
        RecordKind::IssueBody => false,
    }
}

/// Gives the number of records in the window (ADR-0012, decision 4).
fn window(input: &PromptInput<'_>) -> usize {
    match input.history_comment_count {
        Some(count) if count > 0 => usize::try_from(count).unwrap_or(usize::MAX),
        _ if input.had_ledger => usize::MAX,
        _ => LEGACY_TAIL,
    }
}

/// What was shown before there was a ledger.
const LEGACY_TAIL: usize = 5;

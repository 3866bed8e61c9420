//! A state that was read, made whole again before anything is decided from it (decision 14).
//!
//! History that was left out comes back from the older state comments that `engine.previous` leads to. Ledger
//! records come back when the ledger is reconciled with the thread, which is for `thread`.

use alloc::{string::String, vec::Vec};
use core::iter;

use serde::{Deserialize, de::IgnoredAny};

use crate::{
    markdown::Scan,
    snapshot::{Comment, ThreadSnapshot, null_is_default},
    state::{
        Authority, Block, Carried, Compacted, HistoryEntry, Previous, STATE_SCHEMA_VERSION, codec, locate, read_block,
    },
};

/// Puts back the history that was left out of a state, and raises the state to the generation that is written.
///
/// Gives how many entries are lost because the comments that held them are gone or were changed;
/// `engine.compacted.history` goes on counting them. `engine.compacted.records` stays: whoever reconciles the
/// ledger sets it to 0. Everything in `history` is then held by state comments of the thread.
pub fn restore(carried: &mut Carried, thread: &ThreadSnapshot, authority: &Authority<'_>) -> u64 {
    let state = &mut carried.state;
    state.schema_version = STATE_SCHEMA_VERSION;
    let Some(note) = state.engine.as_mut().filter(|note| note.compacted.history > 0) else { return 0 };
    let sources = chain(carried.comment_id, note.previous.clone(), thread, authority);
    let (entries, lost) = collect(sources, note.compacted.history);
    note.compacted.history = lost;
    state.history.splice(..0, entries);
    lost
}

/// An older state comment: which entries of the whole history it holds, counted from 0.
struct Source<'a> {
    comment: &'a Comment,
    scan: Scan,
    sha256: String,
    first: u64,
    end: u64,
}

impl Source<'_> {
    /// Gives the entries before `missing`, if the comment still says what it said when it was linked to.
    fn entries(self, missing: u64) -> Option<Vec<HistoryEntry>> {
        let Block::Readable(reading) = read_block(&self.comment.body, &self.scan) else { return None };
        if reading.sha256 != self.sha256 {
            return None;
        }
        let mut history = Carried::new(self.comment, *reading).state.history;
        history.truncate(usize::try_from(missing - self.first).ok()?);
        Some(history)
    }
}

/// Gives the entries up to `missing` as far back as they can be had, and how many are lost before them.
///
/// The chain is followed to a state that holds the history from its beginning, and further only where that one
/// is no use. Each round uses up one source.
fn collect<'a>(mut chain: impl Iterator<Item = Source<'a>>, mut missing: u64) -> (Vec<HistoryEntry>, u64) {
    let mut sources = Vec::new();
    let mut stretches = Vec::new();
    while missing > 0 && extend_to_whole(&mut sources, &mut chain) {
        while let Some(index) = furthest(&sources, missing) {
            let source = sources.swap_remove(index);
            let first = source.first;
            if let Some(entries) = source.entries(missing) {
                stretches.push(entries);
                missing = first;
            }
        }
    }
    (stretches.into_iter().rev().flatten().collect(), missing)
}

/// Tells whether there was another source.
fn extend_to_whole<'a>(sources: &mut Vec<Source<'a>>, chain: &mut impl Iterator<Item = Source<'a>>) -> bool {
    let before = sources.len();
    for source in chain {
        let is_whole = source.first == 0;
        sources.push(source);
        if is_whole {
            break;
        }
    }
    sources.len() > before
}

/// Finds, of the states that hold the entry before `missing`, the one that goes back furthest, so that a long
/// history costs few readings.
fn furthest(sources: &[Source<'_>], missing: u64) -> Option<usize> {
    let reaching = sources.iter().enumerate().filter(|(_, source)| source.first < missing && missing <= source.end);
    reaching.min_by_key(|(_, source)| source.first).map(|(index, _)| index)
}

/// Follows the links from state to state, newest first.
///
/// A link leads to a lower comment id or nowhere, so the walk ends. The links in between are not checked against
/// their digests: only what is taken is.
fn chain<'a>(
    from: u64,
    mut link: Option<Previous>,
    thread: &'a ThreadSnapshot,
    authority: &'a Authority<'_>,
) -> impl Iterator<Item = Source<'a>> {
    let mut comments = locate::state_comments(thread, authority).skip_while(move |(comment, _)| comment.id >= from);
    iter::from_fn(move || {
        let Previous { comment_id, sha256 } = link.take()?;
        let (comment, scan) = comments.find(|(comment, _)| comment.id <= comment_id)?;
        let outline = outline_of(comment, &scan).filter(|_| comment.id == comment_id)?;
        link = outline.engine.previous;
        let first = outline.engine.compacted.history;
        let end = first.saturating_add(outline.history.len() as u64);
        Some(Source { comment, scan, sha256, first, end })
    })
}

fn outline_of(comment: &Comment, scan: &Scan) -> Option<Outline> {
    let json = codec::find_json(&comment.body, scan.comments()).ok()??;
    serde_json::from_str(&comment.body[json]).ok()
}

/// As much of a state as says where to go on; the rest is passed over.
#[derive(Deserialize)]
struct Outline {
    #[serde(default, deserialize_with = "null_is_default")]
    history: Vec<IgnoredAny>,
    #[serde(default, deserialize_with = "null_is_default")]
    engine: OutlineNote,
}

#[derive(Default, Deserialize)]
struct OutlineNote {
    #[serde(default)]
    previous: Option<Previous>,
    #[serde(default)]
    compacted: Compacted,
}

#[cfg(test)]
mod tests;

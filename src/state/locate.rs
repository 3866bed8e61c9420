//! The state that counts, out of a thread in which anybody can write (decision 2.2; fault kinds 1.2 and 1.3).
//!
//! Only comments by the engine's account or a trusted one are looked at, newest first. What was left out of the
//! state is put back by `restore`; what a damaged one means for the run is for `step`.

use alloc::{string::String, vec::Vec};
use core::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::{
    ids::Identity,
    markdown::{Scan, markers},
    snapshot::{Account, Comment, ThreadSnapshot},
    state::{Block, Damage, Reading, WorkflowState, codec, read_block},
};

/// Finds the newest state in the thread.
///
/// A state that an earlier comment has a rival for does not count, however new its comment is: of two states that
/// follow the same one, the lower comment wins (decision 9.5). So a post that arrives late, or that a run left
/// behind when it was killed, takes nothing back. As a rule one or two comments are read, whatever the length.
pub fn locate(thread: &ThreadSnapshot, authority: &Authority<'_>) -> Located {
    let mut damages = Vec::new();
    for (comment, block) in states(thread, authority) {
        let reading = match block {
            Block::Absent => continue,
            Block::Damaged(damage) => {
                damages.push((comment.id, damage));
                continue;
            }
            Block::Readable(reading) => reading,
        };
        if rival_of_state(thread, authority, comment.id, &reading.state).is_none() {
            return found(damages, Some(Carried::new(comment, *reading)));
        }
    }
    found(damages, None)
}

fn found(damages: Vec<(u64, Damage)>, readable: Option<Carried>) -> Located {
    let damaged: Vec<u64> = damages.iter().map(|(id, _)| *id).collect();
    match (damages.into_iter().next(), readable) {
        (Some((comment_id, damage)), readable) => Located::Damaged { comment_id, damage, damaged, readable },
        (None, Some(carried)) => Located::Readable(carried),
        (None, None) => Located::Absent,
    }
}

/// Finds the lowest comment with a state that is a rival of a comment's own, and that therefore counts before it.
pub fn rival_of(thread: &ThreadSnapshot, authority: &Authority<'_>, comment_id: u64) -> Option<u64> {
    let comment = thread.comment(comment_id)?;
    match read_block(&comment.body, &Scan::new(&comment.body)) {
        Block::Readable(reading) => rival_of_state(thread, authority, comment_id, &reading.state),
        Block::Absent | Block::Damaged(_) => None,
    }
}

/// Rivals carry one number and follow one state. A state that does not say which it follows (the Python
/// original's do not) has a rival only right before it, because its numbers may begin anew.
fn rival_of_state(
    thread: &ThreadSnapshot,
    authority: &Authority<'_>,
    comment_id: u64,
    state: &WorkflowState,
) -> Option<u64> {
    let above = state.engine.as_ref().map(|note| note.previous.as_ref().map_or(0, |previous| previous.comment_id));
    let older = states(thread, authority).filter(|(comment, _)| comment.id < comment_id);
    let readable = older.filter_map(|(comment, block)| match block {
        Block::Readable(reading) => Some((comment.id, reading.state)),
        Block::Absent | Block::Damaged(_) => None,
    });
    let same = |(id, other): (u64, WorkflowState)| {
        let follows = |state: &WorkflowState| state.engine.as_ref().map(|note| note.previous.clone());
        (other.run_id == state.run_id && follows(&other) == follows(state)).then_some(id)
    };
    match above {
        Some(above) => readable.take_while(|(id, _)| *id > above).filter_map(same).min(),
        None => readable.take(1).filter_map(same).next(),
    }
}

fn states<'a>(thread: &'a ThreadSnapshot, authority: &'a Authority<'_>) -> impl Iterator<Item = (&'a Comment, Block)> {
    state_comments(thread, authority).map(|(comment, scan)| {
        let block = read_block(&comment.body, &scan);
        (comment, block)
    })
}

/// Whose comments may carry the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authority<'a> {
    /// The engine's own account; `None` where nobody knows it, and then it is nobody's.
    pub actor: Option<Identity>,
    /// Other accounts that are trusted to write states (`settings.trusted_actors`).
    pub trusted_actors: &'a [Identity],
    /// Only states in comments above this id count; 0 for all. A run that learned its own account from its
    /// first post has decided without the older ones, and must not be measured against them.
    pub above: u64,
}

impl Authority<'_> {
    /// Tells whether an account is one of them.
    pub fn includes(&self, account: &Account) -> bool {
        let mut known = self.actor.iter().chain(self.trusted_actors);
        known.any(|identity| identity.is_same_as(account.id, &account.login))
    }
}

/// What the thread says about the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Located {
    /// No block that counts: nothing has happened here yet.
    Absent,
    /// The newest block is the state.
    Readable(Carried),
    /// The newest block cannot be read.
    Damaged {
        /// The comment that carries it.
        comment_id: u64,
        /// What is wrong with it.
        damage: Damage,
        /// Every damaged state comment newer than `readable`, newest first, `comment_id` among them.
        damaged: Vec<u64>,
        /// The newest state that can be read, for `/nebuko recover`.
        readable: Option<Carried>,
    },
}

impl Located {
    /// Gives the newest state that can be read, whether or not a damaged one is newer.
    pub fn readable(&self) -> Option<&Carried> {
        match self {
            Self::Absent => None,
            Self::Readable(carried) => Some(carried),
            Self::Damaged { readable, .. } => readable.as_ref(),
        }
    }

    /// Gives the newest state that can be read, and gives up the rest.
    pub fn into_readable(self) -> Option<Carried> {
        match self {
            Self::Absent => None,
            Self::Readable(carried) => Some(carried),
            Self::Damaged { readable, .. } => readable,
        }
    }

    /// Gives the damaged state comments newer than the newest readable one, newest first.
    pub fn damaged(&self) -> &[u64] {
        match self {
            Self::Absent | Self::Readable(_) => &[],
            Self::Damaged { damaged, .. } => damaged,
        }
    }
}

/// A state and the comment that carries it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carried {
    /// The comment.
    pub comment_id: u64,
    /// When it was written, as GitHub wrote it.
    pub created_at: String,
    /// The generation the state was read at. Before 5 there was no ledger.
    pub generation: u32,
    /// The state, with the carrying comment's id filled in (see `complete`).
    pub state: WorkflowState,
    /// SHA-256 of the canonical form of the JSON in the comment, before anything was filled in.
    pub sha256: String,
}

impl Carried {
    pub(crate) fn new(comment: &Comment, reading: Reading) -> Self {
        let Reading { mut state, generation, sha256 } = reading;
        if markers(&comment.body).agent.is_some() {
            complete(&mut state, comment.id);
        }
        Self { comment_id: comment.id, created_at: comment.created_at.clone(), generation, state, sha256 }
    }
}

/// Gives the comments that may carry a state and say so, newest first, each with its scan.
pub(crate) fn state_comments<'a>(
    thread: &'a ThreadSnapshot,
    authority: &'a Authority<'_>,
) -> impl Iterator<Item = (&'a Comment, Scan)> {
    let mut comments: Vec<&Comment> = thread.comments.iter().collect();
    // A listing comes ascending, which makes this one pass.
    comments.sort_by_key(|comment| Reverse(comment.id));
    comments.into_iter().filter_map(move |comment| {
        let counts = comment.id > authority.above
            && authority.includes(&comment.user)
            && codec::may_hold_block(&comment.body)
            && markers(&comment.body).terminal;
        counts.then(|| (comment, Scan::new(&comment.body)))
    })
}

/// Puts the carrying comment's id where the step's own entry lists its output: nobody knows the id before the
/// comment is posted. An engine notice repeats the entry of an earlier step, so it adds nothing.
fn complete(state: &mut WorkflowState, comment_id: u64) {
    let Some(entry) = state.history.last_mut().filter(|entry| !entry.comment_ids.contains(&comment_id)) else {
        return;
    };
    entry.comment_ids.push(comment_id);
    if entry.pin && !state.pinned_comment_ids.contains(&comment_id) {
        state.pinned_comment_ids.push(comment_id);
    }
}

#[cfg(test)]
mod tests;

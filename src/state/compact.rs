//! A state that would not fit into a comment, made smaller by what can be rebuilt (decision 14; fault kind 10.1b).
//!
//! First go live ledger records, because the thread rebuilds them; then history that older state comments hold;
//! then the values of inputs, and last the records of deleted comments. Each part is measured once. Putting things back is for `restore` and the ledger.

use alloc::vec::Vec;

use serde::Serialize;

use crate::state::{
    Compacted, EngineNote, HistoryEntry, StepInputRecord, ThreadRecord, WorkflowState, codec, render_block,
};

/// Leaves out of a state what has to leave so that its block takes at most `limit` UTF-16 units.
///
/// `held` says how many entries at the front of the history older state comments hold; only they may leave.
/// What left is counted in `engine.compacted`, together with what was missing before, and given back: where
/// `values` or `deleted` is not 0, something is gone for good, and the thread has to be told.
///
/// Fails where even that is not enough; the state is then fit for nothing but its figures.
pub fn compact(state: &mut WorkflowState, limit: usize, held: usize) -> Result<Compacted, TooLarge> {
    if block_units(state) <= limit {
        return Ok(Compacted::default());
    }
    let before = state.engine.get_or_insert_with(EngineNote::new).compacted;
    // Measured with the widest counts there can be, so that writing the true ones cannot make it larger.
    note_left_out(state, before, widest(state));
    let mut excess = Excess { units: block_units(state).saturating_sub(limit) };
    let left = Compacted {
        records: drop_records(&mut state.thread, false, &mut excess),
        history: drop_history(&mut state.history, held, &mut excess),
        values: drop_values(&mut state.history, &mut excess),
        deleted: drop_records(&mut state.thread, true, &mut excess),
    };
    note_left_out(state, before, left);
    match block_units(state) {
        units if units > limit => Err(TooLarge { units, limit }),
        _ => Ok(left),
    }
}

/// A state that does not fit, whatever is left out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the workflow state takes {units} characters without all that can be left out, and {limit} are free")]
pub struct TooLarge {
    /// What its block takes, in UTF-16 units.
    pub units: usize,
    /// What it may take.
    pub limit: usize,
}

/// What is still too much.
struct Excess {
    units: usize,
}

impl Excess {
    fn is_none(&self) -> bool {
        self.units == 0
    }

    fn relieve(&mut self, units: usize) {
        self.units = self.units.saturating_sub(units);
    }

    /// Takes an element out of a list: its own units, and a comma unless it was the last one.
    fn relieve_of_element(&mut self, element: &impl Serialize, list_length: usize) {
        self.relieve(codec::json_units(element) + usize::from(list_length > 1));
    }
}

/// Drops live records, or those of deleted comments, oldest first. The latter exist nowhere else, so they are the
/// last to leave.
fn drop_records(records: &mut Vec<ThreadRecord>, deleted: bool, excess: &mut Excess) -> u64 {
    let before = records.len();
    let mut length = before;
    records.retain(|record| {
        if excess.is_none() || record.deleted != deleted {
            return true;
        }
        excess.relieve_of_element(record, length);
        length -= 1;
        false
    });
    (before - length) as u64
}

fn drop_history(history: &mut Vec<HistoryEntry>, held: usize, excess: &mut Excess) -> u64 {
    let mut count = 0;
    for entry in history.iter().take(held) {
        if excess.is_none() {
            break;
        }
        excess.relieve_of_element(entry, history.len() - count);
        count += 1;
    }
    history.drain(..count);
    count as u64
}

fn drop_values(history: &mut [HistoryEntry], excess: &mut Excess) -> u64 {
    let mut count = 0;
    for input in values_of(history) {
        if excess.is_none() {
            break;
        }
        let before = codec::json_units(input);
        input.value.clear();
        input.truncated = true;
        excess.relieve(before.saturating_sub(codec::json_units(input)));
        count += 1;
    }
    count
}

fn values_of(history: &mut [HistoryEntry]) -> impl Iterator<Item = &mut StepInputRecord> {
    history.iter_mut().flat_map(|entry| &mut entry.inputs).filter(|input| !input.value.is_empty())
}

fn widest(state: &WorkflowState) -> Compacted {
    let values: usize = state.history.iter().map(|entry| entry.inputs.len()).sum();
    Compacted {
        records: state.thread.len() as u64,
        history: state.history.len() as u64,
        values: values as u64,
        deleted: state.thread.len() as u64,
    }
}

fn note_left_out(state: &mut WorkflowState, before: Compacted, left: Compacted) {
    if let Some(note) = &mut state.engine {
        note.compacted = Compacted {
            records: before.records.saturating_add(left.records),
            history: before.history.saturating_add(left.history),
            values: before.values.saturating_add(left.values),
            deleted: before.deleted.saturating_add(left.deleted),
        };
    }
}

fn block_units(state: &WorkflowState) -> usize {
    codec::units(&render_block(state))
}

#[cfg(test)]
mod tests;

//! The coverage of a plan: which entries it settles, and how.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use super::{Id, Ledger, Notes, Settled, column, id, with_ids};
use crate::markdown::{Table, plain, unix_lines};

/// What the coverage table of a plan says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// The entries that are covered, or deferred with a reason.
    pub(crate) settled: Settled,
    /// What is odd about it, in words.
    pub(crate) notes: Vec<String>,
}

/// Reads the coverage: every table of the text that has a column `ID`. A row may name several IDs.
pub(crate) fn coverage(text: &str, ledger: &Ledger) -> Coverage {
    let text = unix_lines(text);
    let mut settled = Settled::new();
    let mut notes = Notes::default();
    for (table, ids) in with_ids(&text) {
        let covered = column(&table, |word| word.contains("cover"));
        for row in &table.rows {
            let Some(written) = id::cell(&row[ids]) else { continue };
            let state = state(&table, row, ids, covered);
            for word in
                written.split([',', ';', '/', ' ']).map(str::trim).filter(|word| !matches!(*word, "" | "and" | "&"))
            {
                match Id::parse(word) {
                    None => notes.add(format!("{word:?} is no ID of the ledger")),
                    Some(id) if !ledger.entries.contains_key(&id) => {
                        notes.add(format!("{id} is not in the ledger"));
                    }
                    Some(id) => match state {
                        State::Settled => {
                            settled.insert(id);
                        }
                        State::Unreasoned => notes.add(format!("{id} is deferred without a reason")),
                        State::Open => notes.add(format!("{id} has a row that says nothing")),
                    },
                }
            }
        }
    }
    Coverage { settled, notes: notes.0 }
}

/// What a row says of its entries.
#[derive(Clone, Copy)]
enum State {
    Settled,
    /// It defers them and does not say why.
    Unreasoned,
    Open,
}

/// Reads a row: a deferral in any cell goes before everything else; else the cell that says what covers it counts,
/// or any cell where no column is named so.
fn state(table: &Table, row: &[String], ids: usize, covered: Option<usize>) -> State {
    let others = || (0..table.header.len()).filter(move |at| *at != ids);
    let mut deferrals = others().filter_map(|at| deferred(&row[at]));
    if let Some(has_reason) = deferrals.next() {
        return if has_reason || deferrals.any(|reason| reason) { State::Settled } else { State::Unreasoned };
    }
    let is_settled = match covered {
        Some(at) => says_something(&row[at]),
        None => others().any(|at| says_something(&row[at])),
    };
    if is_settled { State::Settled } else { State::Open }
}

/// Tells whether a cell that defers its row says why; `None` where it does not defer.
fn deferred(cell: &str) -> Option<bool> {
    let words = plain(cell).to_lowercase();
    let after = words.strip_prefix("deferred")?.trim_start();
    match after.strip_prefix(':') {
        Some(reason) => Some(says_something(reason)),
        None => after.is_empty().then_some(false),
    }
}

/// Tells whether a cell says more than that nothing is there yet.
fn says_something(cell: &str) -> bool {
    let words = plain(cell).to_lowercase();
    let words = words.trim_end_matches('.').to_owned();
    !matches!(words.as_str(), "" | "-" | "--" | "–" | "—" | "…" | "?" | "none" | "n/a" | "tbd" | "todo")
        && words.chars().any(char::is_alphanumeric)
}

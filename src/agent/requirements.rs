//! The requirements ledger and its coverage (reference: Requirements Ledger and Coverage): what the tables of an
//! analysis and of a plan say, by ID.
//!
//! It reads text and compares. Where in a thread the ledger stands, and what a missing row leads to, is for others.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

use crate::markdown::{Table, plain, tables, unix_lines};

mod coverage;
mod id;
#[cfg(test)]
mod tests;

pub(crate) use coverage::{Coverage, coverage};
pub(crate) use id::Id;

/// What has to hold for a piece of work, and what ranks the ways to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ledger {
    /// The entries; the value tells whether the agent inferred it.
    pub(crate) entries: BTreeMap<Id, bool>,
    /// What is odd about the table, in words: repeated and unreadable IDs, rows without a statement.
    pub(crate) notes: Vec<String>,
}

impl Ledger {
    /// Counts the entries that the agent inferred.
    pub(crate) fn inferred(&self) -> usize {
        self.entries.values().filter(|inferred| **inferred).count()
    }

    /// Gives the IDs that a plan has to cover: requirements and constraints, in order.
    pub(crate) fn enforced(&self) -> impl Iterator<Item = Id> {
        self.entries.keys().copied().filter(|id| id.is_enforced())
    }

    /// Gives those of them that a plan neither covers nor defers, in order.
    pub(crate) fn missing(&self, coverage: &Coverage) -> Vec<Id> {
        self.enforced().filter(|id| !coverage.settled.contains(id)).collect()
    }
}

/// Reads a ledger: every table of the text that has a column `ID`. `None` where there is no such table, or where
/// tables have rows and not one of them is readable.
pub(crate) fn ledger(text: &str) -> Option<Ledger> {
    let text = unix_lines(text);
    let tables = with_ids(&text);
    let mut ledger = Ledger::default();
    let mut notes = Notes::default();
    for (table, ids) in &tables {
        let [statement, origin] = ["statement", "origin"].map(|name| column(table, |word| word == name));
        let cell = |row: &[String], column: Option<usize>| column.map(|at| plain(&row[at]).to_lowercase());
        for row in &table.rows {
            let Some(written) = id::cell(&row[*ids]) else { continue };
            let Some(id) = Id::parse(&written) else {
                notes.add(format!("{written:?} is no ID such as R1, K1, NG1 or Q1"));
                continue;
            };
            if cell(row, statement).is_some_and(|words| words.is_empty()) {
                notes.add(format!("{id} has no statement"));
            }
            let origin = cell(row, origin).unwrap_or_default();
            if !matches!(origin.as_str(), "" | "explicit" | "inferred" | "confirmed") {
                notes.add(format!("{id} has the origin {origin:?}, which is neither explicit nor inferred"));
            }
            if ledger.entries.contains_key(&id) {
                notes.add(format!("{id} stands there twice; its first row counts"));
            }
            ledger.entries.entry(id).or_insert(origin.starts_with("inferred"));
        }
    }
    let is_readable = !ledger.entries.is_empty() || tables.iter().all(|(table, _)| table.rows.is_empty());
    ledger.notes = notes.0;
    (!tables.is_empty() && is_readable).then_some(ledger)
}

/// Gives the tables that have a column of IDs, and which that is.
fn with_ids(text: &str) -> Vec<(Table, usize)> {
    let of = |table: Table| column(&table, |word| matches!(word, "id" | "ids")).map(|ids| (table, ids));
    tables(text).into_iter().filter_map(of).collect()
}

/// Finds a column by its name.
fn column(table: &Table, is_named: impl Fn(&str) -> bool) -> Option<usize> {
    table.header.iter().position(|cell| is_named(&plain(cell).to_lowercase()))
}

/// Says IDs as the contract does: `R3, K1`.
pub(crate) fn listed(ids: &[Id]) -> String {
    let words: Vec<String> = ids.iter().map(|id| format!("{id}")).collect();
    words.join(", ")
}

/// What is odd about a table, each once and within bounds.
#[derive(Default)]
struct Notes(Vec<String>);

impl Notes {
    fn add(&mut self, note: String) {
        if self.0.len() < NOTES_MAX && !self.0.contains(&note) {
            self.0.push(note);
        }
    }
}

/// More than these nobody reads.
const NOTES_MAX: usize = 10;

/// The IDs that a table settles.
type Settled = BTreeSet<Id>;

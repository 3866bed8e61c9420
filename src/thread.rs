//! The thread ledger: what every artifact of a thread is, and whose words count (ADR-0012).
//!
//! `reconcile` folds a snapshot into the ledger that the last state kept. `classify` says what a comment is
//! and `trust` whether its author may be believed. Showing any of it to an agent is for `prompt`.

mod classify;
#[cfg(test)]
pub(crate) mod fixture;
mod ledger;
mod listing;
#[cfg(test)]
mod tests;
mod trust;

pub use classify::classify;
pub use ledger::{View, reasons, reconcile};
pub use listing::Listing;
pub use trust::{Trust, may_ask, may_command, trust};

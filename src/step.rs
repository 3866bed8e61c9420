//! The only way in.

use alloc::vec::Vec;

use crate::{effect::Effect, event::Event, run::Run, snapshot::ThreadSnapshot};

/// Takes one event in and gives the new state and what is to be done.
pub fn step(state: Run, _thread: &ThreadSnapshot, _event: Event) -> (Run, Vec<Effect>) {
    (state, Vec::new())
}

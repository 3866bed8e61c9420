//! Where effects are carried out: one method, effect in, event out.
//!
//! A world does and never decides: what an answer means is for the core.

use nebuko::{effect::Effect, event::Event, snapshot::ThreadSnapshot};

/// Something that effects can be carried out in.
pub trait World {
    /// Carries out one effect and gives the one event that answers it; a read replaces or extends `thread`.
    fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event;
    /// How many requests were made so far: over the wire, or each completion asked of a script.
    fn requests(&self) -> u64;
}

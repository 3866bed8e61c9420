//! When it is enough: the bytes that are given back and the time that is spent on one use of a tool.

use nebuko::workspace::ToolUse;

use crate::clock::Clock;

/// The bounds of one use.
pub(super) struct Bounds<'c> {
    clock: &'c dyn Clock,
    until_ms: u64,
    /// As the core gave it, for words.
    pub(super) seconds: u64,
    bytes_max: usize,
}

impl<'c> Bounds<'c> {
    /// Begins to count the time.
    pub(super) fn of(used: &ToolUse, clock: &'c dyn Clock) -> Self {
        let until_ms = clock.elapsed_ms().saturating_add(used.seconds_max.saturating_mul(1_000));
        let bytes_max = usize::try_from(used.bytes_max).unwrap_or(usize::MAX);
        Self { clock, until_ms, seconds: used.seconds_max, bytes_max }
    }

    /// Tells whether the time is over.
    pub(super) fn is_over(&self) -> bool {
        self.clock.elapsed_ms() >= self.until_ms
    }

    /// Gives the bytes there are for content, with room for what is said about it.
    pub(super) fn room(&self) -> usize {
        self.bytes_max.saturating_sub(WORDS_BYTES)
    }

    /// Holds a whole result within its bytes, cut between two characters.
    pub(super) fn cut(&self, mut text: String) -> String {
        if text.len() > self.bytes_max {
            text.truncate(floor(&text, self.bytes_max));
        }
        text
    }
}

/// Gives the last place at or before `at` where a character ends.
pub(super) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A heading and a few notes, with a path each.
const WORDS_BYTES: usize = 1_024;

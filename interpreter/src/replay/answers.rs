//! A recording as a world: each effect is answered by the next recorded event, whatever it is.
//!
//! Whether that effect was the recorded one is for the comparison of lines to tell.

use std::collections::VecDeque;

use nebuko::{
    effect::Effect,
    event::{Event, Failure, FailureKind, Outcome},
    snapshot::ThreadSnapshot,
    time::Timestamp,
};

use crate::{record::EventLine, world::World};

/// Answers from a recording.
pub(super) struct Answers {
    left: VecDeque<EventLine>,
    last: Timestamp,
}

impl Answers {
    pub(super) fn new(lines: Vec<EventLine>) -> Self {
        Self { left: lines.into(), last: Timestamp::default() }
    }
}

impl World for Answers {
    fn carry_out(&mut self, _effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
        let Some(EventLine { event, thread: change }) = self.left.pop_front() else {
            return Event::Answered { outcome: Outcome::Failed { failure: nothing_recorded() }, at: self.last };
        };
        if let Some(change) = change {
            change.apply(thread);
        }
        let (Event::Answered { at, .. } | Event::Woken { at, .. }) = &event;
        self.last = *at;
        event
    }

    fn requests(&self) -> u64 {
        0
    }
}

fn nothing_recorded() -> Failure {
    Failure {
        kind: FailureKind::Local,
        attempted: "take the next answer from the recording".into(),
        why: "it holds no more".into(),
        next: String::new(),
        took_ms: 0,
    }
}

//! A clock that nobody waits for, and a watcher that remembers.

use std::{cell::RefCell, rc::Rc, time::Duration};

use nebuko::{effect::Level, time::Timestamp};
use nebuko_interpreter::{
    clock::Clock,
    secret::{Masker, Secret},
    surroundings::Surroundings,
};

/// 2026-10-02T00:00:00Z.
pub(crate) const START: i64 = 1_790_899_200;

/// A clock that moves only when somebody sleeps, and a list of what was slept and told.
#[derive(Clone, Default)]
pub(crate) struct Notes {
    pub(crate) slept: Rc<RefCell<Vec<Duration>>>,
    pub(crate) told: Rc<RefCell<Vec<String>>>,
}

impl Notes {
    /// The seconds of each sleep.
    pub(crate) fn slept(&self) -> Vec<u64> {
        self.slept.borrow().iter().map(Duration::as_secs).collect()
    }

    /// All sleeps together.
    pub(crate) fn slept_in_all(&self) -> Duration {
        self.slept.borrow().iter().sum()
    }

    /// What a client is given.
    pub(crate) fn surroundings(&self, secrets: &[Secret]) -> Surroundings {
        let told = Rc::clone(&self.told);
        let watcher = move |level: Level, text: &str| told.borrow_mut().push(format!("{level:?}: {text}"));
        Surroundings::new(self.clone(), watcher, Masker::new([], secrets))
    }
}

impl Clock for Notes {
    fn now(&self) -> Timestamp {
        let slept = i64::try_from(self.slept_in_all().as_secs()).expect("no test sleeps that long");
        Timestamp::from_seconds(START + slept)
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.slept_in_all().as_millis()).expect("no test sleeps that long")
    }

    fn sleep(&self, span: Duration) {
        self.slept.borrow_mut().push(span);
    }

    fn part_of(&self, _: Duration) -> Duration {
        Duration::ZERO
    }
}

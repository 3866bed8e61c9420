//! What everything at the edge is given from outside: a clock, somebody who watches, and the secrets to hide.

use std::{fmt, rc::Rc};

use nebuko::{
    effect::Level,
    event::{Failure, FailureKind},
};

use crate::{clock::Clock, secret::Masker};

/// Whoever watches a run: takes a level and one line, already free of secrets.
pub type Watcher = dyn Fn(Level, &str);

/// What a world or a client is given from outside. Cheap to clone; all clones share the same.
#[derive(Clone)]
pub struct Surroundings {
    /// Tells the time and waits.
    pub clock: Rc<dyn Clock>,
    /// Is told what happens.
    pub watcher: Rc<Watcher>,
    /// Hides the secrets of this process.
    pub masker: Rc<Masker>,
}

impl Surroundings {
    /// Puts the three together.
    pub fn new(clock: impl Clock + 'static, watcher: impl Fn(Level, &str) + 'static, masker: Masker) -> Self {
        Self { clock: Rc::new(clock), watcher: Rc::new(watcher), masker: Rc::new(masker) }
    }

    /// Tells the watcher one line, with secrets masked.
    pub fn tell(&self, level: Level, text: &str) {
        (self.watcher)(level, &self.masker.mask(text));
    }
}

/// Refuses what no world of this version carries out.
pub(crate) fn cannot_yet() -> Failure {
    Failure {
        kind: FailureKind::Local,
        attempted: "carry out an effect".into(),
        why: "this world cannot".into(),
        next: "Use another workflow.".into(),
    }
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings").field("masker", &self.masker).finish_non_exhaustive()
    }
}

//! What everything at the edge is given from outside: a clock, somebody who watches, the secrets to hide, and a place to
//! work in.

use std::{fmt, path::PathBuf, rc::Rc};

use nebuko::effect::Level;

use crate::{clock::Clock, process::Checkout, secret::Masker};

/// Whoever watches a run: takes a level and one line, already free of secrets.
pub type Watcher = dyn Fn(Level, &str);

/// Whoever listens to an answer that comes piece by piece: takes how many pieces there are so far.
pub type Listener = dyn Fn(u64);

/// What a world or a client is given from outside. Cheap to clone; all clones share the same.
#[derive(Clone)]
pub struct Surroundings {
    /// Tells the time and waits.
    pub clock: Rc<dyn Clock>,
    /// Is told what happens.
    pub watcher: Rc<Watcher>,
    /// Hears how many pieces of an answer there are so far.
    pub listener: Rc<Listener>,
    /// Hides the secrets of this process.
    pub masker: Rc<Masker>,
    /// Where things are done besides the thread.
    pub workplace: Rc<Workplace>,
}

impl Surroundings {
    /// Puts the three together, with nobody who listens and no place to work in.
    pub fn new(clock: impl Clock + 'static, watcher: impl Fn(Level, &str) + 'static, masker: Masker) -> Self {
        let (listener, workplace) = (Rc::new(|_| {}), Rc::default());
        Self { clock: Rc::new(clock), watcher: Rc::new(watcher), listener, masker: Rc::new(masker), workplace }
    }

    /// Gives it somebody who listens.
    pub fn heard_by(self, listener: impl Fn(u64) + 'static) -> Self {
        Self { listener: Rc::new(listener), ..self }
    }

    /// Gives it a place to work in.
    pub fn at(self, workplace: Workplace) -> Self {
        Self { workplace: Rc::new(workplace), ..self }
    }

    /// Tells the watcher one line, with secrets masked.
    pub fn tell(&self, level: Level, text: &str) {
        (self.watcher)(level, &self.masker.mask(text));
    }
}

/// Where programs run, and where workflows of other repositories are read from.
#[derive(Clone, Default)]
pub struct Workplace {
    /// Where programs run. Without one, none can.
    pub checkout: Option<Checkout>,
    /// A folder that stands for GitHub where a workflow of another repository is read.
    pub elsewhere: Option<PathBuf>,
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings").field("masker", &self.masker).finish_non_exhaustive()
    }
}

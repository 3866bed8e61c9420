//! The state of a run, as `step` takes and gives it.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{canonical, report::Report, setup::Setup};

/// A run between two events. It holds everything the core knows but the thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    setup: Setup,
}

impl Run {
    /// Makes a run that waits for its wake-up.
    pub fn new(setup: Setup) -> Self {
        Self { setup }
    }

    /// Gives the end of the run, once there is one; then no effect is left to carry out.
    pub fn report(&self) -> Option<&Report> {
        None
    }

    /// Gives the SHA-256 of the run's canonical JSON, without the setup (a recording's first line holds that).
    pub fn digest(&self) -> String {
        canonical::sha256_hex(&[])
    }

    /// Gives what the run was set up with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }
}

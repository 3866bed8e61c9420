//! The state of a run, as `step` takes and gives it.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{canonical, report::Report, setup::Setup, stage::Stage};

/// A run between two events. It holds everything the core knows but the thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub(crate) setup: Setup,
    pub(crate) stage: Stage,
}

impl Run {
    /// Makes a run that waits for its wake-up.
    pub fn new(setup: Setup) -> Self {
        Self { setup, stage: Stage::Asleep }
    }

    /// Gives the end of the run, once there is one; then no effect is left to carry out.
    pub fn report(&self) -> Option<&Report> {
        match &self.stage {
            Stage::Finished(report) => Some(report),
            Stage::Asleep
            | Stage::Gather(_)
            | Stage::Permit(_)
            | Stage::Fetch(_)
            | Stage::Prepare(_)
            | Stage::Agent(_)
            | Stage::Outside(_)
            | Stage::Script(_)
            | Stage::Aftermath(_)
            | Stage::Update(_)
            | Stage::Recheck(_)
            | Stage::Post(_)
            | Stage::Confirm(_)
            | Stage::Yield(_) => None,
        }
    }

    /// Gives the SHA-256 of the run's canonical JSON, without the setup, which a recording's first line holds.
    ///
    /// A run that holds a number beyond ±(2^53−1) has no canonical JSON; then the digest is that of the words
    /// of the refusal, so that it is still the same on every machine.
    pub fn digest(&self) -> String {
        canonical::digest(&self.stage)
            .unwrap_or_else(|refusal| canonical::sha256_hex(alloc::format!("{refusal}").as_bytes()))
    }

    /// Gives what the run was set up with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }
}

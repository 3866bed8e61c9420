//! Requests from the core to the outside. The core never acts itself.
//!
//! The enum is exhaustive on purpose: a new effect breaks every interpreter until it is handled.

use alloc::{boxed::Box, string::String};

use serde::{Deserialize, Serialize};

use crate::{agent::ChatRequest, process::Process, setup::Provider, time::Timestamp, workspace::ToolUse};

/// One thing to do. Each comes back as exactly one event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Read the thread.
    ReadThread {
        /// `None`: all of it. Otherwise what was written or edited since then, merged into the snapshot
        /// that is already there; a world that reads cheaply may read all.
        since: Option<Timestamp>,
    },
    /// Find out whose account the run's token is (decision 1, engine actor).
    ReadViewer,
    /// Ask what a person may do in the repository (decision 4).
    ReadPermission {
        /// The person's login.
        login: String,
    },
    /// Read a workflow of another repository.
    ReadWorkflow {
        /// Which: `owner/name//path@ref`.
        reference: String,
    },
    /// Run a program in the checkout (decision 7).
    RunProcess {
        /// What, how and for how long.
        process: Box<Process>,
    },
    /// Use a workspace tool in the checkout (decision 8).
    UseTool {
        /// Which, on what, within which bounds.
        used: Box<ToolUse>,
    },
    /// Ask the model.
    Complete {
        /// What is asked; its body is what goes over the wire.
        request: Box<ChatRequest>,
        /// Who is asked, and how.
        #[serde(default, skip_serializing_if = "Asking::is_plain")]
        how: Box<Asking>,
    },
    /// Post a comment.
    PostComment {
        /// What to look for in the thread when the answer is lost (decision 9.4).
        part: String,
        /// The whole body.
        body: String,
    },
    /// Change one of our own comments.
    EditComment {
        /// Which.
        id: u64,
        /// The whole new body.
        body: String,
    },
    /// Tell whoever watches: progress and log lines, never the thread.
    Tell {
        /// How much it matters.
        level: Level,
        /// One line.
        text: String,
    },
}

/// Who is asked for a completion, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Asking {
    /// The service; `None`: the one that the command line names. A service on the command line counts more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// How long the request may take, in seconds; 0 leaves it to the edge.
    #[serde(skip_serializing_if = "is_zero")]
    pub timeout_seconds: u64,
    /// Milliseconds to wait before it is sent, because the answer before it said so. The edge adds its jitter.
    #[serde(skip_serializing_if = "is_zero")]
    pub wait_ms: u64,
}

impl Asking {
    /// Tells whether nothing is said.
    #[allow(clippy::borrowed_box, reason = "serde hands over what the field is")]
    fn is_plain(how: &Box<Self>) -> bool {
        **how == Self::default()
    }
}

/// Tells whether a count says nothing, so that it need not be written.
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// How much a told line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A moment of the run, shown as it happens.
    Stage,
    /// Worth knowing.
    Info,
    /// Probably not what was wanted.
    Warning,
}

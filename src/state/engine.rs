//! This engine's own additions to the state, all under one key (decision 13).

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::state::Unknown;

/// What this engine keeps for its next run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineNote {
    /// Always `nebuko`.
    pub name: String,
    /// The version that wrote the state.
    pub version: String,
    /// The highest comment id whose commands and mentions are used up (decision 12).
    pub cursor: u64,
    /// Whether the commands in the opening text are used up: it has no place in the order of ids.
    pub opened: bool,
    /// Who started the step that this state is about: the run's trigger author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiator: Option<Initiator>,
    /// The gate that waits for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateHold>,
    /// The state before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Previous>,
    /// What was left out so that the state fits.
    #[serde(skip_serializing_if = "Compacted::is_nothing")]
    pub compacted: Compacted,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

impl EngineNote {
    /// Makes the note of a state that has none yet, in the name of this engine and version.
    pub fn new() -> Self {
        Self { name: "nebuko".into(), version: env!("CARGO_PKG_VERSION").into(), ..Self::default() }
    }
}

/// The person who started a run, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Initiator {
    /// Account id, or 0.
    pub user_id: u64,
    /// Login, or empty.
    pub user_login: String,
    /// The comment that asked, or 0 where it was the issue itself.
    pub comment_id: u64,
}

/// A gate that waits, and what has been said at it so far (decision 4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateHold {
    /// The number of the state that opened it.
    pub run_id: u64,
    /// Those who approved, where more than one has to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<Initiator>,
}

/// Where the state before this one stands, and what it said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Previous {
    /// The comment that carries it.
    pub comment_id: u64,
    /// SHA-256 of its canonical JSON (RFC 8785), in lowercase hex.
    pub sha256: String,
}

/// How much of the whole state is missing here (decision 14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Compacted {
    /// Live ledger records. Reconciling with the thread puts them back, and then this is 0.
    pub records: u64,
    /// History entries, all before the first that is here. Older state comments put them back.
    pub history: u64,
    /// Values of history inputs, since the beginning. No comment holds them, so they never come back.
    pub values: u64,
    /// Records of deleted comments, since the beginning. Nothing can bring them back.
    #[serde(skip_serializing_if = "is_zero")]
    pub deleted: u64,
}

impl Compacted {
    /// Tells whether the state is whole.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

//! This engine's own additions to the state, all under one key (decision 13).

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{effect::is_zero, ids::Identity, setup::Usd, state::Unknown};

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
    /// Others who started a step before that, since the workflow began: it is their run as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starters: Vec<Initiator>,
    /// The gate that waits for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateHold>,
    /// What all steps of this thread used so far.
    #[serde(skip_serializing_if = "Spending::is_nothing")]
    pub spent: Spending,
    /// What the newest step used, beside its metrics.
    #[serde(skip_serializing_if = "StepFigures::is_nothing")]
    pub figures: StepFigures,
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

/// What models used: tokens, time, money and turns, since the beginning. Nothing that leaves the history leaves this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spending {
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// Milliseconds of models and their tools.
    pub runtime_ms: u64,
    /// What it cost, as far as prices are known.
    pub cost_usd: Usd,
    /// Turns of models.
    #[serde(skip_serializing_if = "is_zero")]
    pub turns: u64,
}

impl Spending {
    /// Tells whether nothing was used.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Adds another.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            runtime_ms: self.runtime_ms.saturating_add(other.runtime_ms),
            cost_usd: self.cost_usd.plus(other.cost_usd),
            turns: self.turns.saturating_add(other.turns),
        }
    }
}

/// Figures of one step that the contract's metrics have no place for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepFigures {
    /// What it cost, where the model's prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Usd>,
    /// Turns of the model.
    #[serde(skip_serializing_if = "is_zero")]
    pub turns: u64,
    /// Entries of the requirements ledger that the step wrote (reference: Requirements Ledger).
    #[serde(skip_serializing_if = "is_zero")]
    pub ledger_size: u64,
    /// Those of them that the agent inferred.
    #[serde(skip_serializing_if = "is_zero")]
    pub ledger_inferred: u64,
    /// How often its report was refused because coverage was missing.
    #[serde(skip_serializing_if = "is_zero")]
    pub coverage_refusals: u64,
    /// How often its report was refused for anything else.
    #[serde(skip_serializing_if = "is_zero")]
    pub other_refusals: u64,
}

impl StepFigures {
    /// Tells whether there are none.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
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

impl Initiator {
    /// Tells whether it is somebody: by id where both are known, else by login (decision 2.4).
    pub fn is_same_as(&self, person: &Identity) -> bool {
        Identity::new(self.user_id, self.user_login.as_str()).is_same_as(person.id, &person.login)
    }
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

//! One record of the thread ledger: who put what where, never the text itself.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{ids::Identity, snapshot::null_is_default, state::Unknown};

/// The provenance of one issue artifact (reference: ThreadRecord).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadRecord {
    /// What the artifact is.
    pub kind: RecordKind,
    /// REST id of the issue or comment.
    pub id: u64,
    /// Permalink.
    #[serde(default, deserialize_with = "null_is_default")]
    pub url: String,
    /// Author's account id, or 0.
    #[serde(default, deserialize_with = "null_is_default")]
    pub user_id: u64,
    /// Author's login, or empty.
    #[serde(default, deserialize_with = "null_is_default")]
    pub user_login: String,
    /// Author's display name; usually empty.
    #[serde(default, deserialize_with = "null_is_default")]
    pub user_name: String,
    /// When it was written, as GitHub wrote it.
    #[serde(default, deserialize_with = "null_is_default")]
    pub created_at: String,
    /// The author's relation to the repository, from the fetched list and nowhere else.
    #[serde(default, deserialize_with = "null_is_default")]
    pub author_association: String,
    /// Whether a person's words may be rendered as trusted context. False for every bot.
    #[serde(default, deserialize_with = "null_is_default")]
    pub trusted: bool,
    /// Whether the id vanished from a complete listing. Such a record is kept and never rendered.
    #[serde(default, deserialize_with = "null_is_default")]
    pub deleted: bool,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// What an artifact is (ADR-0012, decision 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordKind {
    /// The opening text: what was asked.
    IssueBody,
    /// A person's `/nebuko` command.
    Command,
    /// The engine's own notices. Noise to an agent, so never rendered.
    EngineOutput,
    /// What an agent or script reported.
    AgentOutput,
    /// Whatever else a person wrote.
    HumanFeedback,
}

impl RecordKind {
    /// Gives the word of the wire contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::IssueBody => "issue-body",
            Self::Command => "command",
            Self::EngineOutput => "engine-output",
            Self::AgentOutput => "agent-output",
            Self::HumanFeedback => "human-feedback",
        }
    }
}

impl ThreadRecord {
    /// Gives the author.
    pub fn author(&self) -> Identity {
        Identity::new(self.user_id, self.user_login.as_str())
    }

    /// Tells whether a comment's id is meant. Issue ids come from another sequence and may be equal.
    pub fn is_comment(&self) -> bool {
        self.kind != RecordKind::IssueBody
    }
}

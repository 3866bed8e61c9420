//! One complete read of a thread, as plain data in GitHub's own REST shapes.
//!
//! Reading is forgiving, because a thread holds what ten years of GitHub wrote into it: users that are
//! gone, fields that came later, bodies that are null. Deciding what any of it means is for `thread`.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize};

use crate::ids::Identity;

/// The issue or pull request and all its comments, in the order of the listing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadSnapshot {
    /// The issue or pull request itself.
    pub issue: Issue,
    /// Every comment that was read, ascending as the API lists them.
    #[serde(default, deserialize_with = "null_is_default")]
    pub comments: Vec<Comment>,
    /// Whether the listing was whole and consistent (decision 9.2). Only then has an absent id vanished.
    #[serde(default = "yes")]
    pub complete: bool,
}

/// An issue or pull request, as `GET /repos/{owner}/{repo}/issues/{number}` gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Issue {
    /// REST id. It comes from another sequence than comment ids, so the two may be equal.
    #[serde(deserialize_with = "null_is_default")]
    pub id: u64,
    /// The number in the repository.
    #[serde(deserialize_with = "null_is_default")]
    pub number: u64,
    /// The title.
    #[serde(deserialize_with = "null_is_default")]
    pub title: String,
    /// The opening text.
    #[serde(deserialize_with = "null_is_default")]
    pub body: String,
    /// The page that shows it.
    #[serde(deserialize_with = "null_is_default")]
    pub html_url: String,
    /// Who opened it.
    #[serde(deserialize_with = "null_is_default")]
    pub user: Account,
    /// When it was opened, as GitHub wrote it.
    #[serde(deserialize_with = "null_is_default")]
    pub created_at: String,
    /// When it was last touched, as GitHub wrote it.
    #[serde(deserialize_with = "null_is_default")]
    pub updated_at: String,
    /// The opener's relation to the repository: `OWNER`, `MEMBER`, … or empty.
    #[serde(deserialize_with = "null_is_default")]
    pub author_association: String,
    /// How many comments GitHub says there are.
    #[serde(deserialize_with = "null_is_default")]
    pub comments: u64,
    /// Present where the issue is a pull request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<PullRequestLink>,
}

/// What marks an issue as a pull request. Its addresses are not needed: the issue's own say the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRequestLink {}

/// A comment, as `GET /repos/{owner}/{repo}/issues/{number}/comments` lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comment {
    /// REST id.
    #[serde(deserialize_with = "null_is_default")]
    pub id: u64,
    /// The text, with whatever line ends the author's client sent.
    #[serde(deserialize_with = "null_is_default")]
    pub body: String,
    /// The permalink.
    #[serde(deserialize_with = "null_is_default")]
    pub html_url: String,
    /// Who wrote it.
    #[serde(deserialize_with = "null_is_default")]
    pub user: Account,
    /// When it was written, as GitHub wrote it.
    #[serde(deserialize_with = "null_is_default")]
    pub created_at: String,
    /// When it was last edited, as GitHub wrote it. Nothing is decided from it (decision 2.6).
    #[serde(deserialize_with = "null_is_default")]
    pub updated_at: String,
    /// The author's relation to the repository: `OWNER`, `MEMBER`, … or empty.
    #[serde(deserialize_with = "null_is_default")]
    pub author_association: String,
}

/// The author of an issue or comment. A `null` user reads as the default: id 0, no login.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Account {
    /// REST id, or 0.
    #[serde(deserialize_with = "null_is_default")]
    pub id: u64,
    /// The login, or empty.
    #[serde(deserialize_with = "null_is_default")]
    pub login: String,
    /// The display name. REST payloads leave it out as a rule.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `User`, `Bot`, `Organization`, `Mannequin`, or empty where an old payload has none.
    #[serde(rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
}

impl Account {
    /// Tells whether GitHub itself says that this is a bot (ADR-0012, posture 6).
    pub fn is_bot(&self) -> bool {
        self.kind == "Bot" || self.login.ends_with("[bot]")
    }

    /// Gives what identifies the account.
    pub fn identity(&self) -> Identity {
        Identity::new(self.id, self.login.as_str())
    }
}

impl Comment {
    /// Tells whether the text was changed after it was written. Shown to people, never decided on.
    pub fn is_edited(&self) -> bool {
        !self.updated_at.is_empty() && self.updated_at != self.created_at
    }
}

impl ThreadSnapshot {
    /// Takes in a later, partial listing: known ids are replaced in place, new ones appended in its order.
    ///
    /// A partial listing shows no deletions, so `complete` stays what it was.
    pub fn merge(&mut self, newer: Vec<Comment>) {
        for comment in newer {
            match self.comments.iter_mut().rev().find(|known| known.id == comment.id) {
                Some(known) => *known = comment,
                None => self.comments.push(comment),
            }
        }
    }

    /// Finds a comment by id, newest first.
    pub fn comment(&self, id: u64) -> Option<&Comment> {
        self.comments.iter().rev().find(|comment| comment.id == id)
    }

    /// Gives the highest comment id, or 0 where there is none.
    pub fn newest_id(&self) -> u64 {
        self.comments.iter().map(|comment| comment.id).max().unwrap_or(0)
    }
}

fn yes() -> bool {
    true
}

/// Reads `null` as the type's default: GitHub writes null where a thing is gone.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests;

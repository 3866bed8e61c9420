//! Facts handed to the core: a wake-up, or how an effect went.

use alloc::{boxed::Box, string::String};

use serde::{Deserialize, Serialize};

use crate::{effect::is_zero, ids::Identity, process::Ran, snapshot::Comment, time::Timestamp, workspace::ToolDone};

/// One fact. The first of a run is `Woken`; each later one answers exactly one effect, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something happened that may concern the engine.
    Woken {
        /// What it was.
        trigger: Trigger,
        /// When the engine was woken.
        at: Timestamp,
    },
    /// An effect was carried out, or could not be.
    Answered {
        /// How it went.
        outcome: Outcome,
        /// When that was known.
        at: Timestamp,
    },
}

/// What woke the engine (decisions 3 and 12).
///
/// It is only a wake-up: what is to be done is found in the thread, so that events which a queue dropped
/// or merged are not lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A person at a terminal, or a schedule.
    Manual,
    /// An event about one comment.
    Comment {
        /// The comment's id.
        id: u64,
        /// What happened to it.
        action: Action,
    },
    /// An event about the issue or pull request itself.
    Issue {
        /// What happened to it.
        action: Action,
    },
    /// Any other event, by its name. It starts nothing.
    Other {
        /// GitHub's name of the event.
        name: String,
    },
}

/// What happened to a comment or an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A comment was written.
    Created,
    /// An issue was opened.
    Opened,
    /// An issue was labelled.
    Labeled,
    /// The text was changed. Starts nothing.
    Edited,
    /// It was deleted. Starts nothing.
    Deleted,
    /// Anything else. Starts nothing.
    Other,
}

/// How one effect went. Each variant but `Failed` answers the effect of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The thread was read: it is the snapshot that comes with this event.
    ThreadRead,
    /// The engine's own account was asked for. `None`: it stays unknown (fails closed).
    ViewerRead {
        /// The account of the run's token.
        viewer: Option<Identity>,
        /// Where it was found, or why it was not, for the log.
        how: String,
    },
    /// The repository told what a person may do. An unanswered question is `Failed`.
    PermissionRead {
        /// What they may do.
        permission: Permission,
        /// Where it was found, for the log.
        how: String,
    },
    /// A workflow of another repository was read.
    WorkflowRead {
        /// The file's text.
        source: String,
    },
    /// A program ran, or could not be started.
    ProcessRan {
        /// What came of it.
        ran: Box<Ran>,
    },
    /// A workspace tool was used. That it went wrong is an answer too.
    ToolUsed {
        /// What came of it.
        done: Box<ToolDone>,
    },
    /// The model's service answered with HTTP 200.
    Completed {
        /// The body, exactly as it came. What it means is for the core.
        body: String,
        /// Milliseconds from sending to the last byte.
        took_ms: u64,
    },
    /// A comment was posted and read back.
    CommentPosted {
        /// The comment as the service now has it.
        comment: Comment,
    },
    /// A comment was edited and read back.
    CommentEdited {
        /// The comment as the service now has it.
        comment: Comment,
    },
    /// A line was told to whoever watches.
    Told,
    /// The effect was not carried out, or nobody knows.
    Failed {
        /// What went wrong.
        failure: Failure,
    },
}

/// What a person may do in a repository, as its permission endpoint says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Nothing, or nothing that is known.
    #[default]
    None,
    /// Look; with `triage`, sort issues.
    Read,
    /// Push; with `maintain`, manage.
    Write,
    /// Everything.
    Admin,
}

/// A failed effect, in words for people and in a kind to decide by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What is known about it.
    pub kind: FailureKind,
    /// What was attempted, on what: `post a comment on acme/site#12`.
    pub attempted: String,
    /// Why it failed, with every cause: `HTTP 403: Resource not accessible by integration`.
    pub why: String,
    /// What to do next, as a sentence.
    pub next: String,
    /// Milliseconds that were spent on it, tries and waits counted in; 0 where nobody counted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub took_ms: u64,
}

/// What is known about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The service said no: nothing was done, and asking again would not help.
    Refused,
    /// The service could not be reached or used in time: nothing was done.
    Unavailable,
    /// The answer was lost: it may have been done.
    Lost,
    /// Something on this side is wrong: a setting, a file, a scripted model that ran out.
    Local,
}

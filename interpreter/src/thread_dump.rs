//! A JSON dump as the thread: `{"issue": …, "comments": […], "user": …}` as GitHub's REST returns the three.
//!
//! What the engine posts stays in memory under fresh ids, so that a run goes on as it would; nothing is sent and
//! the file stays as it is. Showing the posts is for whoever prints the report.

use std::{collections::BTreeMap, path::Path};

use nebuko::{
    effect::{Effect, Level},
    event::{Event, Failure, FailureKind, Outcome, Permission},
    snapshot::{Account, Comment, Issue, ThreadSnapshot},
};
use serde::Deserialize;

use crate::{
    bounded::{DUMP_BYTES_MAX, read_bounded},
    elsewhere,
    error::{Error, causes},
    model::Model,
    process,
    surroundings::Surroundings,
    workspace,
    world::World,
};

/// The world of a dump.
pub struct ThreadDump {
    thread: ThreadSnapshot,
    viewer: Option<Account>,
    permissions: BTreeMap<String, Permission>,
    surroundings: Surroundings,
    model: Box<dyn Model>,
    /// What was posted to the copy in memory and to nowhere else.
    posted: Vec<u64>,
}

/// The file.
#[derive(Deserialize)]
struct Dump {
    issue: Issue,
    #[serde(default)]
    comments: Option<Vec<Comment>>,
    #[serde(default)]
    user: Option<Account>,
    /// What people may do, by login. GitHub has an endpoint for each; a dump may have them together.
    #[serde(default)]
    permissions: BTreeMap<String, Permission>,
}

impl ThreadDump {
    /// Reads a dump.
    ///
    /// # Errors
    /// Gives why the file cannot be read, with line and column where it is no such JSON.
    pub fn open(path: &Path, surroundings: Surroundings, model: Box<dyn Model>) -> Result<Self, Error> {
        let failed =
            |why: String, next: &str| Error::usage(format!("read the thread in {}", path.display()), why, next);
        let bytes = read_bounded(path, DUMP_BYTES_MAX)
            .map_err(|error| failed(causes(&error), "give --thread a JSON file, or --local a folder"))?;
        let dump: Dump = serde_json::from_slice(&bytes).map_err(|error| {
            let why = format!("{}:{}:{}: {error}", path.display(), error.line(), error.column());
            failed(why, "it must be {\"issue\": …, \"comments\": […], \"user\": …} as GitHub's REST returns them")
        })?;
        let Dump { issue, comments, user, permissions } = dump;
        let thread = ThreadSnapshot { issue, comments: comments.unwrap_or_default(), complete: true };
        Ok(Self { thread, viewer: user, permissions, surroundings, model, posted: Vec::new() })
    }

    /// Gives `owner/name`, as the issue's address tells it, and the issue's number.
    pub fn about(&self) -> (String, u64) {
        let mut parts = self.thread.issue.html_url.rsplit('/').skip(2);
        let (name, owner) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let repo = if owner.is_empty() || name.is_empty() { "local/thread".into() } else { format!("{owner}/{name}") };
        (repo, self.thread.issue.number)
    }

    fn outcome(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Result<Outcome, Error> {
        Ok(match effect {
            Effect::ReadThread { since: _ } => {
                thread.clone_from(&self.thread);
                Outcome::ThreadRead
            }
            Effect::ReadViewer => self.viewer(),
            Effect::ReadPermission { login } => self.permission(login),
            Effect::ReadWorkflow { reference } => elsewhere::answer(reference, &self.surroundings.workplace),
            Effect::RunProcess { process } => process::run(process, &self.surroundings),
            Effect::UseTool { used } => workspace::run(used, &self.surroundings),
            Effect::Complete { request, how } => self.model.complete(request, how),
            Effect::PostComment { part: _, body } => Outcome::CommentPosted { comment: self.post(body)? },
            Effect::EditComment { id, body } => Outcome::CommentEdited { comment: self.edit(*id, body)? },
            Effect::Tell { level, text } => {
                self.tell(*level, text);
                Outcome::Told
            }
        })
    }

    /// Tells a line. That a comment was posted is true of the copy only, and is told as such.
    fn tell(&self, level: Level, text: &str) {
        let is_about = |id: &&u64| text.strip_prefix("posted comment ").is_some_and(|rest| is_number(rest, **id));
        match self.posted.iter().find(is_about) {
            Some(id) => self.surroundings.tell(level, &format!("comment {id} would be posted; nothing is sent")),
            None => self.surroundings.tell(level, text),
        }
    }

    fn viewer(&self) -> Outcome {
        let viewer = self.viewer.as_ref().map(Account::identity).filter(|account| account.is_known());
        let how = if viewer.is_some() { "the dump's `user`" } else { "the dump names no `user`" };
        Outcome::ViewerRead { viewer, how: how.into() }
    }

    /// A question that the dump does not answer stays one; what follows is for the core.
    fn permission(&self, login: &str) -> Outcome {
        let listed = self.permissions.iter().filter(|(known, _)| known.eq_ignore_ascii_case(login));
        match listed.map(|(_, permission)| *permission).min() {
            Some(permission) => Outcome::PermissionRead { permission, how: "the dump's `permissions`".into() },
            None => Outcome::Failed {
                failure: Failure {
                    kind: FailureKind::Refused,
                    attempted: format!("ask what {login} may do"),
                    why: format!("the dump's `permissions` do not name {login}"),
                    next: format!("Add \"permissions\": {{\"{login}\": \"write\"}} to the dump, or what is so."),
                    took_ms: 0,
                },
            },
        }
    }

    fn post(&mut self, body: &str) -> Result<Comment, Error> {
        let full = || Error::failed("post a comment", "there is no id above the newest", "use another dump");
        let id = self.thread.newest_id().checked_add(1).ok_or_else(full)?;
        let created_at = self.surroundings.clock.now().to_string();
        let comment = Comment {
            id,
            body: body.into(),
            html_url: format!("{}#issuecomment-{id}", self.thread.issue.html_url),
            user: self.viewer.clone().unwrap_or_else(unnamed_engine),
            updated_at: created_at.clone(),
            created_at,
            author_association: "NONE".into(),
        };
        self.posted.push(id);
        self.thread.comments.push(comment.clone());
        self.thread.issue.comments += 1;
        Ok(comment)
    }

    fn edit(&mut self, id: u64, body: &str) -> Result<Comment, Error> {
        let now = self.surroundings.clock.now().to_string();
        let found = self.thread.comments.iter_mut().rev().find(|comment| comment.id == id);
        let comment = found.ok_or_else(|| {
            Error::failed(format!("edit comment {id}"), "the dump has no such comment", "dump the thread again")
        })?;
        comment.body = body.into();
        comment.updated_at = now;
        Ok(comment.clone())
    }
}

impl World for ThreadDump {
    fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
        let outcome = self.outcome(effect, thread).unwrap_or_else(|error| Outcome::Failed { failure: error.into() });
        Event::Answered { outcome, at: self.surroundings.clock.now() }
    }

    fn requests(&self) -> u64 {
        self.model.requests()
    }
}

/// Tells whether a text begins with a number and not with a longer one.
fn is_number(text: &str, number: u64) -> bool {
    let rest = text.strip_prefix(&number.to_string());
    rest.is_some_and(|rest| !rest.starts_with(|sign: char| sign.is_ascii_digit()))
}

/// Who posts where the dump does not say whose token it is.
fn unnamed_engine() -> Account {
    Account { id: 0, login: "nebuko[bot]".into(), name: String::new(), kind: "Bot".into() }
}

#[cfg(test)]
mod tests;

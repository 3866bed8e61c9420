//! A folder of markdown files as the thread: the forge for a first try, a test, or work without a network.
//!
//! `issue.md` is the issue and `NNNN-name.md` a comment with the id NNNN; a small front matter says who wrote it.
//! What the engine posts appears as a new file. How files are read is for `read`, how they are written for
//! `write`; the model is whatever the caller gives.

use std::path::{Path, PathBuf};

use nebuko::{
    effect::Effect,
    event::{Event, Outcome, Permission},
    snapshot::{Account, Comment, ThreadSnapshot},
};

use crate::{elsewhere, error::Error, model::Model, process, surroundings::Surroundings, workspace, world::World};

mod front;
mod place;
mod read;
mod write;

pub use place::would_read;
use read::{Folder, read};

/// The world of a folder.
pub struct Local {
    folder: PathBuf,
    surroundings: Surroundings,
    model: Box<dyn Model>,
}

/// What a folder says about itself, besides the thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// `owner/name`: as `repo:` in the front matter of `issue.md` says, else `local/` and the folder's name.
    pub repo: String,
    /// The number.
    pub number: u64,
    /// The account the engine posts as.
    pub engine: Account,
    /// Whether the front matter of `issue.md` names that account. Else it is the default of a local thread.
    pub engine_is_named: bool,
}

impl Local {
    /// Opens a folder.
    ///
    /// # Errors
    /// Gives every file that cannot be read, with its line, or that there is no such folder.
    pub fn open(folder: &Path, surroundings: Surroundings, model: Box<dyn Model>) -> Result<(Self, About), Error> {
        let Folder { about, .. } = read(folder)?;
        Ok((Self { folder: folder.into(), surroundings, model }, about))
    }

    fn outcome(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Result<Outcome, Error> {
        Ok(match effect {
            Effect::ReadThread { since: _ } => {
                *thread = read(&self.folder)?.thread;
                Outcome::ThreadRead
            }
            Effect::ReadViewer => {
                let about = read(&self.folder)?.about;
                let file = self.folder.join("issue.md");
                let how = if about.engine_is_named {
                    format!("`engine` in {}", file.display())
                } else {
                    format!("the default of a local thread; `engine` in {} may name another", file.display())
                };
                Outcome::ViewerRead { viewer: Some(about.engine.identity()), how }
            }
            Effect::ReadPermission { login } => self.permission(login)?,
            Effect::ReadWorkflow { reference } => elsewhere::answer(reference, &self.surroundings.workplace),
            Effect::RunProcess { process } => process::run(process, &self.surroundings),
            Effect::UseTool { used } => workspace::run(used, &self.surroundings),
            Effect::Complete { request, how } => self.model.complete(request, how),
            Effect::PostComment { part: _, body } => Outcome::CommentPosted { comment: self.post(body)? },
            Effect::EditComment { id, body } => Outcome::CommentEdited { comment: self.edit(*id, body)? },
            Effect::Tell { level, text } => {
                self.surroundings.tell(*level, text);
                Outcome::Told
            }
        })
    }

    /// Whoever can write into the folder may do everything in it, so only what is written there takes a right away.
    fn permission(&self, login: &str) -> Result<Outcome, Error> {
        let permissions = read(&self.folder)?.permissions;
        let file = self.folder.join("issue.md");
        let (permission, how) = match permissions.get(&login.to_ascii_lowercase()) {
            Some(permission) => (*permission, format!("`permissions` in {}", file.display())),
            None => {
                let how = format!("the default of a local thread; `permissions` in {} may say less", file.display());
                (Permission::Write, how)
            }
        };
        Ok(Outcome::PermissionRead { permission, how })
    }

    fn post(&self, body: &str) -> Result<Comment, Error> {
        let now = self.surroundings.clock.now();
        write::post(&self.folder, body, now)
    }

    fn edit(&self, id: u64, body: &str) -> Result<Comment, Error> {
        let now = self.surroundings.clock.now();
        write::edit(&self.folder, id, body, now)
    }
}

impl World for Local {
    fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
        let outcome = self.outcome(effect, thread).unwrap_or_else(|error| Outcome::Failed { failure: error.into() });
        Event::Answered { outcome, at: self.surroundings.clock.now() }
    }

    fn requests(&self) -> u64 {
        self.model.requests()
    }
}

#[cfg(test)]
mod tests;

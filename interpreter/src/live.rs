//! The live world: effects go to GitHub, to a model and to programs in the checkout.
//!
//! It carries out and reports. When something is to be asked again, what a lost answer means and what to do next is
//! decided in `wire::retry` for the wire, and in the core for everything else.

use nebuko::{
    effect::Effect,
    event::{Event, Failure, Outcome},
    snapshot::ThreadSnapshot,
    time::Timestamp,
};

pub use crate::wire::github::Target;
use crate::{
    elsewhere,
    model::{Model, nobody_to_ask},
    process,
    surroundings::Surroundings,
    wire::github::GitHub,
    workspace,
    world::World,
};

/// GitHub and a model, as one world.
pub struct Live {
    github: GitHub,
    model: Option<Box<dyn Model>>,
    around: Surroundings,
}

impl Live {
    /// Makes the world of one thread. Commands that only read need no model.
    ///
    /// # Errors
    /// A local failure, where the target cannot be one. Nothing is sent yet.
    pub fn new(target: Target, model: Option<Box<dyn Model>>, around: Surroundings) -> Result<Self, Failure> {
        Ok(Self { github: GitHub::new(target, around.clone())?, model, around })
    }

    fn answer(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Result<Outcome, Failure> {
        match effect {
            Effect::ReadThread { since } => self.read(*since, thread),
            Effect::ReadViewer => {
                let viewer = self.github.read_viewer()?;
                Ok(Outcome::ViewerRead { viewer: viewer.account, how: viewer.how })
            }
            Effect::ReadPermission { login } => {
                let (permission, how) = self.github.read_permission(login)?;
                Ok(Outcome::PermissionRead { permission, how })
            }
            Effect::ReadWorkflow { reference } => {
                let reference = elsewhere::parsed(reference)?;
                let source = match &self.around.workplace.elsewhere {
                    Some(folder) => elsewhere::read(folder, &reference)?,
                    None => self.github.read_workflow(&reference)?,
                };
                Ok(Outcome::WorkflowRead { source })
            }
            Effect::RunProcess { process } => Ok(process::run(process, &self.around)),
            Effect::UseTool { used } => Ok(workspace::run(used, &self.around)),
            Effect::Complete { request, how } => match &mut self.model {
                Some(model) => Ok(model.complete(request, how)),
                None => Err(nobody_to_ask(&request.model)),
            },
            // The part's mark stands in the body; looking for it after a lost answer is for the core.
            Effect::PostComment { part: _, body } => {
                let comment = self.github.post_comment(&self.around.masker.mask(body))?;
                Ok(Outcome::CommentPosted { comment })
            }
            Effect::EditComment { id, body } => {
                let comment = self.github.edit_comment(*id, &self.around.masker.mask(body))?;
                Ok(Outcome::CommentEdited { comment })
            }
            Effect::Tell { level, text } => {
                self.around.tell(*level, text);
                Ok(Outcome::Told)
            }
        }
    }

    /// A failed read leaves the snapshot as it was.
    fn read(&mut self, since: Option<Timestamp>, thread: &mut ThreadSnapshot) -> Result<Outcome, Failure> {
        let was_read = thread.issue.number != 0;
        match since.filter(|_| was_read) {
            Some(since) => thread.merge(self.github.list_comments(Some(since))?),
            None => *thread = self.github.read_thread()?,
        }
        Ok(Outcome::ThreadRead)
    }
}

impl World for Live {
    fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
        let outcome = self.answer(effect, thread).unwrap_or_else(|failure| Outcome::Failed { failure });
        Event::Answered { outcome, at: self.around.clock.now() }
    }

    fn requests(&self) -> u64 {
        self.github.requests() + self.model.as_ref().map_or(0, |model| model.requests())
    }
}

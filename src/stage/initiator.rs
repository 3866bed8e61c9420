//! What is used up, and on whose word a run goes: this engine's note in the state, kept in step.

use alloc::string::String;

use crate::{
    command::{self, Ask},
    dispatch::Status,
    ids::Identity,
    snapshot::Account,
    stage::{Known, Scene, Start, StartBy, agenda::is_by_a_person},
    state::{EngineNote, Initiator},
    thread,
};

impl Known {
    /// Moves the cursor over a comment, or over the issue's opening text (id 0).
    pub(crate) fn use_up(&mut self, comment_id: u64) {
        let engine = self.engine_note();
        engine.cursor = engine.cursor.max(comment_id);
        // The opening text comes before every comment, so whoever is past one is past it.
        engine.opened |= comment_id == 0 || engine.cursor > 0;
    }

    /// Writes who started the run into the state, and that their words are used up.
    pub(crate) fn set_initiator(&mut self, start: &Start) {
        if let (Some(author), StartBy::Person { comment_id, up_to, .. }) = (&start.author, &start.by) {
            self.use_up(*comment_id);
            self.use_up(*up_to);
            self.note_initiator(author.clone(), *comment_id);
        }
    }

    /// Looks in the thread for who started the run, where the state does not say, as the Python original's
    /// do not: the newest start that is used up, by somebody who may start one.
    pub(crate) fn find_initiator(&mut self, scene: Scene<'_>) {
        if self.base.is_none() || self.initiator().is_some() {
            return;
        }
        let (cursor, opened) = (self.cursor(), self.opened());
        let may_start = |user: &Account, association: &str, body: &str| {
            thread::may_ask(user, association)
                && is_by_a_person(user, body, self.actor.as_ref())
                && starts_something(body, scene.setup.agents.keys().map(String::as_str))
        };
        let issue = &scene.thread.issue;
        let comments = scene.thread.comments.iter().rev().filter(|comment| comment.id <= cursor);
        let found = comments
            .filter(|comment| may_start(&comment.user, &comment.author_association, &comment.body))
            .map(|comment| (comment.user.identity(), comment.id))
            .next()
            .or_else(|| {
                let counts = opened && may_start(&issue.user, &issue.author_association, &issue.body);
                counts.then(|| (issue.user.identity(), 0))
            });
        if let Some((author, comment_id)) = found {
            self.note_initiator(author, comment_id);
        }
    }

    /// Notes who started a step. Whoever did before goes along, until a workflow begins anew.
    fn note_initiator(&mut self, author: Identity, comment_id: u64) {
        let is_new = self.state.dispatch.as_ref().is_none_or(|dispatch| dispatch.status == Status::Terminate);
        let engine = self.engine_note();
        let before = engine.initiator.replace(Initiator { user_id: author.id, user_login: author.login, comment_id });
        if is_new {
            engine.starters.clear();
        } else if let Some(before) = before {
            let person = Identity::new(before.user_id, before.user_login.as_str());
            if !engine.starters.iter().any(|old| old.is_same_as(&person)) {
                engine.starters.push(before);
            }
        }
    }

    /// Tells whether a person started the workflow that the state is about, or a step of it since.
    pub(crate) fn is_starter(&self, person: &Identity) -> bool {
        let Some(engine) = &self.state.engine else { return false };
        engine.initiator.iter().chain(&engine.starters).any(|one| one.is_same_as(person))
    }

    /// Gives this engine's note in the state, with what the state already means for it.
    pub(crate) fn engine_note(&mut self) -> &mut EngineNote {
        let (cursor, opened) = (self.cursor(), self.opened());
        let engine = self.state.engine.get_or_insert_with(EngineNote::new);
        engine.cursor = cursor;
        engine.opened = opened;
        engine
    }
}

/// Tells whether a text starts a step.
fn starts_something<'a>(body: &str, roles: impl Iterator<Item = &'a str>) -> bool {
    command::asks(body, roles).iter().any(Ask::starts)
}

//! The moment in which the comment of an earlier run of a script is brought up to date (reference: Bot Marker
//! Conventions). The state that follows stands in a comment of its own, because only the newest one counts.

use alloc::{boxed::Box, vec};

use serde::{Deserialize, Serialize};

use crate::{
    comment,
    effect::{Effect, Level},
    event::Outcome,
    stage::{Draft, Known, Next, Post, Replaces, Scene, Stage, in_words, tell},
    text,
};

/// A draft whose words go into an older comment first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Update {
    known: Known,
    draft: Draft,
    older: Replaces,
}

impl Update {
    /// Edits the older comment; where it is gone, the draft becomes a comment of its own.
    pub(crate) fn begin(scene: Scene<'_>, known: Known, draft: Draft, older: Replaces) -> Next {
        let Some(comment) = scene.thread.comment(older.comment_id) else {
            return Post::begin(scene, known, Draft { update: None, ..draft });
        };
        let body = comment::rewritten(&comment.body, &draft.words, &known.guests());
        let edit = Effect::EditComment { id: older.comment_id, body };
        (Stage::Update(Box::new(Self { known, draft, older })), vec![edit])
    }

    /// Posts the state: in a notice that names the comment, or with the words where the edit did not go well.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { known, draft, older } = self;
        match outcome {
            Outcome::CommentEdited { comment } => {
                Post::begin(scene, known, draft.pointing_at(&older, &comment.html_url))
            }
            Outcome::Failed { failure } => {
                let line = tell(Level::Warning, text::not_updated(older.comment_id, &in_words(&failure)));
                let (stage, mut effects) = Post::begin(scene, known, Draft { update: None, ..draft });
                effects.insert(0, line);
                (stage, effects)
            }
            _ => known.out_of_step("updating a script's comment"),
        }
    }
}

impl Draft {
    /// Makes the notice that stands for words which an older comment holds.
    fn pointing_at(mut self, older: &Replaces, url: &str) -> Self {
        self.words = text::script_ran_again(older.comment_id, url, &self.summary(), &older.where_to);
        self.agent = None;
        self.update = None;
        if let Some(state) = &mut self.state {
            state.name_output(&[older.comment_id]);
        }
        self
    }

    fn summary(&self) -> alloc::string::String {
        let newest = self.state.as_ref().and_then(|state| state.history.last());
        newest.map(|entry| entry.summary.clone()).unwrap_or_default()
    }
}

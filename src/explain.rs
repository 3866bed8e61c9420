//! Why a thread is where it is: one reason for every comment, the rule behind every step, and what is due now.
//!
//! It asks the same questions as a run (`command`, `thread`, the agenda, `route`) and changes nothing, so it cannot
//! tell anything else than what a run does.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use crate::{
    ids::Identity,
    inspect::{AskedFor, look},
    setup::Setup,
    snapshot::ThreadSnapshot,
    stage::{Opened, Scene, decides_next, nothing_due, open},
    text,
    time::Timestamp,
};

mod comments;
mod steps;
#[cfg(test)]
mod tests;

pub use comments::{CommentReason, CommentWhy};
pub use steps::{Considered, StepWhy};

/// Everything that there is to say about a thread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The opening text, then the comments, in order.
    pub comments: Vec<CommentWhy>,
    /// The steps that ran, oldest first.
    pub steps: Vec<StepWhy>,
    /// What a run would do now, or why nothing.
    pub now: Now,
}

/// What a run would do now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Now {
    /// Whether a step is due.
    pub due: bool,
    /// In words.
    pub why: String,
}

/// Explains a thread.
pub fn explain(setup: &Setup, thread: &ThreadSnapshot, actor: Option<Identity>) -> Explanation {
    let scene = Scene { setup, thread, at: Timestamp::default() };
    let before = match open(scene, crate::event::Trigger::Manual, actor.clone()) {
        Opened::Ready { known, .. } => *known,
        Opened::Damaged { comment_id, damage } => {
            let older = crate::stage::open_older(scene, crate::event::Trigger::Manual, actor);
            let url = thread.comment(comment_id).map(|comment| comment.html_url.as_str()).unwrap_or_default();
            let why = text::state_damaged(url, comment_id, &damage);
            let now = Now { due: false, why };
            return Explanation { comments: comments::all(scene, &older), steps: steps::all(scene, &older), now };
        }
    };
    let (known, start, due) = look(scene, actor, &AskedFor::Next);
    let why = if let Some(login) = decides_next(scene, &before) {
        text::decision_is_pending(&before.state.step, &login)
    } else if due {
        text::is_due(&start.workflow, &start.step, &start.agent)
    } else {
        nothing_due(&known, known.state.dispatch.as_ref().map(|dispatch| dispatch.status))
    };
    Explanation { comments: comments::all(scene, &before), steps: steps::all(scene, &before), now: Now { due, why } }
}

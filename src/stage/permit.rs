//! The moment in which the repository is asked what a person may do, before their decision at a gate is taken up.

use alloc::{boxed::Box, string::String, vec};

use serde::{Deserialize, Serialize};

use crate::{
    effect::{Effect, Level},
    event::{Outcome, Permission},
    stage::{Known, Next, Scene, Stage, decide, in_words, tell},
    text,
};

/// A run that waits for the repository's word on a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Permit {
    known: Known,
    login: String,
}

/// What the repository said about a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Permitted {
    /// What they may do; nothing where it could not be asked (decision 4: an unanswered question is a refusal).
    pub(crate) permission: Permission,
    /// Why it could not be asked.
    pub(crate) trouble: Option<String>,
}

impl Permit {
    /// Asks for one person.
    pub(crate) fn begin(known: Known, login: String) -> Next {
        let ask = Effect::ReadPermission { login: login.clone() };
        (Stage::Permit(Box::new(Self { known, login })), vec![ask])
    }

    /// Notes the answer and looks again at what is due.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { mut known, login } = self;
        let (permitted, line) = match outcome {
            Outcome::PermissionRead { permission, how } => {
                let line = tell(Level::Info, text::may_do(&login, permission, &how));
                (Permitted { permission, trouble: None }, line)
            }
            Outcome::Failed { failure } => {
                let words = in_words(&failure);
                let line = tell(Level::Warning, text::permission_unknown(&login, &words));
                (Permitted { permission: Permission::None, trouble: Some(text::unanswered()) }, line)
            }
            _ => return known.out_of_step("asking what a person may do"),
        };
        known.permissions.insert(login.to_lowercase(), permitted);
        let (stage, mut effects) = decide::decide(scene, known);
        effects.insert(0, line);
        (stage, effects)
    }
}

impl Known {
    /// Takes a person for one who may write, where nothing is carried out.
    pub(crate) fn allow_for_a_look(&mut self, login: &str) {
        let permitted = Permitted { permission: Permission::Write, trouble: None };
        self.permissions.insert(login.to_lowercase(), permitted);
    }

    /// Gives what the repository said about a person, where it was asked in this run.
    pub(crate) fn permission(&self, login: &str) -> Option<&Permitted> {
        self.permissions.get(&login.to_lowercase())
    }
}

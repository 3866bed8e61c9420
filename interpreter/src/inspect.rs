//! Looking at a thread without running it: what was read, handed to the core's own answers.

use nebuko::{
    event::Trigger,
    ids::Identity,
    inspect::{self, AskedFor, LedgerView, PromptBlock},
    setup::Setup,
    snapshot::ThreadSnapshot,
    state::WorkflowState,
};

use crate::{
    args::{Environment, ModelChoice, SettingsArgs, Source, SourceArgs, ViewArgs, read_event},
    command::{open, read},
    error::Error,
    setup::{configure, settings},
    term::Term,
};

/// What is looked at, and for whom.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    setup: Setup,
    thread: ThreadSnapshot,
    actor: Option<Identity>,
    asked_for: AskedFor,
}

impl Look {
    /// Reads everything that a run would read before it decides.
    ///
    /// # Errors
    /// Usage or configuration, or what the source came to.
    pub(crate) fn at(
        source: &SourceArgs,
        given: &SettingsArgs,
        view: &ViewArgs,
        environment: &Environment,
        term: Term,
    ) -> Result<Self, Error> {
        let event = view.event_path.as_ref().map(|path| read_event(path, environment)).transpose()?;
        let source = Source::of(source, environment, event.as_ref())?;
        let settings = settings(given, environment)?;
        let mut opened = open(&source, ModelChoice::None, environment, term)?;
        let configured = configure(opened.repo, opened.number, settings, given.workflows.as_deref())?;
        let (thread, viewer) = read(&mut opened.world)?;
        let configured_login = configured.setup.settings.engine_login.as_deref();
        let actor = identity(view.actor_id, view.actor_login.as_deref())
            .or(viewer.filter(Identity::is_known))
            .or_else(|| identity(None, configured_login));
        let trigger = identity(view.trigger_id, view.trigger_login.as_deref());
        let asked_for = match (trigger, view.trigger, event.map(|event| event.trigger)) {
            (Some(account), _, _) => AskedFor::Account(account),
            (None, Some(id), _) | (None, None, Some(Trigger::Comment { id, .. })) => AskedFor::Comment(id),
            (None, None, Some(Trigger::Issue { .. })) => AskedFor::Comment(0),
            (None, None, Some(Trigger::Manual | Trigger::Other { .. }) | None) => AskedFor::Next,
        };
        Ok(Self { setup: configured.setup, thread, actor, asked_for })
    }

    /// Gives the ledger.
    pub(crate) fn ledger(&self) -> LedgerView {
        inspect::ledger(&self.setup, &self.thread, self.actor.clone(), &self.asked_for)
    }

    /// Gives the prompt of the next step.
    pub(crate) fn prompt(&self) -> Vec<PromptBlock> {
        inspect::prompt(&self.setup, &self.thread, self.actor.clone(), &self.asked_for)
    }

    /// Gives the newest readable state.
    pub(crate) fn state(&self) -> Option<WorkflowState> {
        inspect::state(&self.setup, &self.thread, self.actor.clone())
    }
}

fn identity(id: Option<u64>, login: Option<&str>) -> Option<Identity> {
    Some(Identity::new(id.unwrap_or(0), login.unwrap_or_default())).filter(Identity::is_known)
}

//! Looking at a thread without running it: what was read, handed to the core's own answers.

use nebuko::{
    effect::Level,
    event::Trigger,
    explain::{Explanation, explain},
    ids::Identity,
    inspect::{self, AskedFor, LedgerView, PromptBlock, StateView, StepView},
    metrics::{self, Readings},
    setup::Setup,
    snapshot::ThreadSnapshot,
    state::Damage,
};

use crate::{
    args::{Environment, ModelChoice, SettingsArgs, Source, SourceArgs, ViewArgs, read_event},
    command::{open, read},
    error::Error,
    setup::{Given, configure},
    term::{Term, Waiting},
};

/// What is looked at, and for whom.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    setup: Setup,
    thread: ThreadSnapshot,
    actor: Option<Identity>,
    asked_for: AskedFor,
    /// Where workflows were looked for.
    places: Vec<String>,
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
        let given = Given::of(given, environment)?;
        let mut opened = open(&source, ModelChoice::None, None, environment, Waiting::for_nobody(term))?;
        let configured = configure(opened.repo, opened.number, &given, &opened.masker)?;
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
        if let AskedFor::Comment(id) = asked_for {
            term.missing_trigger(&thread, id);
        }
        Ok(Self { setup: configured.setup, thread, actor, asked_for, places: configured.places })
    }

    /// Gives the ledger.
    pub(crate) fn ledger(&self) -> LedgerView {
        inspect::ledger(&self.setup, &self.thread, self.actor.clone(), &self.asked_for)
    }

    /// Gives why the thread is where it is.
    pub(crate) fn explain(&self) -> Explanation {
        explain(&self.setup, &self.thread, self.actor.clone())
    }

    /// Gives what the thread's states say was used.
    pub(crate) fn metrics(&self) -> Readings {
        metrics::of_thread(&self.setup, &self.thread, self.actor.clone())
    }

    /// Gives the prompt of the next step.
    pub(crate) fn prompt(&self) -> Vec<PromptBlock> {
        inspect::prompt(&self.setup, &self.thread, self.actor.clone(), &self.asked_for)
    }

    /// Gives the state, or how it is damaged.
    pub(crate) fn state(&self) -> StateView {
        inspect::state(&self.setup, &self.thread, self.actor.clone())
    }

    /// Gives the step whose prompt is shown.
    ///
    /// # Errors
    /// Usage: the workflow or the step is not configured; it says what is, and where it was looked for.
    pub(crate) fn step(&self) -> Result<StepView, Error> {
        let view = inspect::step(&self.setup, &self.thread, self.actor.clone(), &self.asked_for);
        if view.agent.is_some() {
            return Ok(view);
        }
        let (workflow, step) = (&view.workflow, &view.step);
        let why = match self.setup.workflows.get(workflow) {
            Some(found) => {
                let steps: Vec<_> = found.steps.iter().map(|step| step.name.as_str()).collect();
                format!(
                    "the workflow `{workflow}` ({}) has no step `{step}`; it has {}",
                    found.location,
                    steps.join(", ")
                )
            }
            None => {
                let known: Vec<_> = self.setup.workflows.keys().map(String::as_str).collect();
                format!("there is no workflow `{workflow}`; there is {}", known.join(", "))
            }
        };
        let places = self.places.join(", ");
        Err(Error::usage(
            format!("show the prompt of step `{step}` of workflow `{workflow}`, where this thread stands"),
            format!("{why}\nlooked for in {places} and among the built-in ones"),
            "give --workflows the folder that has it, or write `/nebuko run WORKFLOW STEP` in the thread",
        ))
    }

    /// Says where a damaged state stands, and what to do about it.
    pub(crate) fn damaged(&self, comment_id: u64, damage: &Damage) -> Error {
        let url = self.thread.comment(comment_id).map(|comment| comment.html_url.as_str()).unwrap_or_default();
        let url = if url.is_empty() { String::new() } else { format!(" ({url})") };
        Error::failed(
            format!("read the newest state of the thread, in comment {comment_id}{url}"),
            format!("line {}, column {}: {}", damage.line, damage.column, damage.why),
            "repair that comment, or write `/nebuko recover` in the thread to go on from the newest state that can be read",
        )
    }

    /// Warns where what is shown is from before a damaged state.
    pub(crate) fn warn_of_damage(&self, term: Term) {
        if let StateView::Damaged { comment_id, damage } = self.state() {
            let text = format!(
                "the newest state, in comment {comment_id}, cannot be read ({damage}); this is shown from the newest one \
                 that can. A run would hold here until somebody repairs that comment or writes `/nebuko recover`"
            );
            term.tell(Level::Warning, &text);
        }
    }
}

fn identity(id: Option<u64>, login: Option<&str>) -> Option<Identity> {
    Some(Identity::new(id.unwrap_or(0), login.unwrap_or_default())).filter(Identity::is_known)
}

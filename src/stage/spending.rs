//! What a step's attempt used, on the account of its run and its thread, and the bound that a further call would pass.
//!
//! Failed attempts are paid for as well, so every end of an attempt comes by here once.

use alloc::string::{String, ToString};

use crate::{
    agent::{
        Effective, Spent, Talk,
        budget::{self, About, Used},
    },
    dispatch::{Dispatch, Status},
    report::{Reason, RunOutcome},
    setup::Prices,
    stage::{After, Draft, Known, Next, Recheck, Scene, Start, StartBy},
    state::Spending,
    text,
    workflow::SCRIPT_ROLE,
};

/// Gives what a step's agent runs with.
pub(crate) fn effective<'s>(scene: Scene<'s>, known: &Known, start: &Start) -> Effective<'s> {
    Effective::of(scene.setup, known.step_of(scene, start), &start.agent, led_here(known, start))
}

/// Gives the prices of the model that a step's agent asks, where they are known.
pub(crate) fn prices(scene: Scene<'_>, known: &Known, start: &Start) -> Option<Prices> {
    effective(scene, known, start).model.and_then(|model| model.prices)
}

/// Gives the dispatch that led to a step. A person who starts one asks for nothing of the kind.
pub(crate) fn led_here<'k>(known: &'k Known, start: &Start) -> Option<&'k Dispatch> {
    let is_routed = matches!(start.by, StartBy::Routing);
    known.state.dispatch.as_ref().filter(|_| is_routed)
}

/// Says, for the thread, why the model is not asked: a bound would be passed, or one cannot be held.
pub(crate) fn stands_against(scene: Scene<'_>, known: &Known, start: &Start, talk: &Talk) -> Option<String> {
    let limits = &scene.setup.settings.limits;
    let settings = effective(scene, known, start);
    let prices = settings.model.and_then(|model| model.prices);
    if let (Some(setting), None) = (budget::cost_setting(limits), prices) {
        return Some(text::no_prices(setting, settings.model_name()));
    }
    if !budget::is_any(limits) {
        return None;
    }
    let used = known.used_with(talk.spent.spending(prices));
    let about = About::of(&talk.request, talk.heard, prices);
    budget::would_pass(limits, &used, &about).map(|bound| text::budget_reached(&bound, talk.spent.turns))
}

/// Says, for the thread, why a program is not started: no time is left for it. What it asks a model for and pays is its
/// own.
pub(crate) fn stands_against_program(scene: Scene<'_>, known: &Known) -> Option<String> {
    let limits = &scene.setup.settings.limits;
    let bound = budget::would_pass(limits, &known.used_with(Spending::default()), &About::default());
    bound.map(|bound| text::budget_reached(&bound, 0))
}

/// Holds a step whose next call a budget stands against: one notice says which, with the figures.
pub(crate) fn held(scene: Scene<'_>, known: Known, start: &Start, why: &str, said: Option<String>) -> Next {
    let mut state = known.next_state();
    let dispatch = state.dispatch.get_or_insert_default();
    dispatch.status = Status::Hold;
    dispatch.reason = Some(why.to_string());
    state.current_context.insert("last_run_status".into(), "failure".into());
    let words = text::step_held(&start.workflow, &start.step, why, said.is_some());
    let detail = text::step_held_here(&start.workflow, &start.step, why);
    let after = After::End {
        outcome: RunOutcome::Held,
        reason: Reason::BudgetReached,
        detail,
        unposted: said.into_iter().collect(),
    };
    Recheck::begin(scene, known, Draft::notice(words, Some(state), after))
}

impl Known {
    /// Puts what an attempt used on the account of the run and of the thread. Programs that are no agents use nothing
    /// that is counted.
    pub(crate) fn charge(&mut self, scene: Scene<'_>, start: &Start, spent: &Spent) {
        if start.agent == SCRIPT_ROLE {
            return;
        }
        let spending = spent.spending(prices(scene, self, start));
        if spending.is_nothing() {
            return;
        }
        self.spent = self.spent.plus(spending);
        let engine = self.engine_note();
        engine.spent = engine.spent.plus(spending);
    }

    /// Gives what was used, with what the step at work used so far.
    pub(crate) fn used_with(&self, step: Spending) -> Used {
        let before = self.state.engine.as_ref().map(|engine| engine.spent).unwrap_or_default();
        Used { step, run: self.spent.plus(step), issue: before.plus(step) }
    }
}

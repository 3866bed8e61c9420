//! What the states of a thread say was used, oldest first.
//!
//! Every state carries the history again, so an entry counts where it stands for the first time. What an attempt used that
//! came to no report is the rest of what the account grew by.

use alloc::{
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{Attempt, Readings};
use crate::{
    ids::Identity,
    setup::{Setup, Usd},
    snapshot::ThreadSnapshot,
    state::{Authority, Block, Carried, HistoryEntry, Spending, WorkflowState, read_block, state_comments},
};

/// Reads what the states of a thread say. A state that cannot be read says nothing; the next one has its history.
pub fn of_thread(setup: &Setup, thread: &ThreadSnapshot, actor: Option<Identity>) -> Readings {
    let authority = Authority { actor, trusted_actors: &setup.settings.trusted_actors, above: 0 };
    let mut states: Vec<WorkflowState> = state_comments(thread, &authority)
        .filter_map(|(comment, scan)| match read_block(&comment.body, &scan) {
            Block::Readable(reading) => Some(Carried::new(comment, *reading).state),
            Block::Absent | Block::Damaged(_) => None,
        })
        .collect();
    states.reverse();
    let mut series = Series { issue: format!("{}#{}", setup.repo, thread.issue.number), ..Series::default() };
    let mut readings = Readings::default();
    for state in &states {
        series.take(state, &mut readings);
    }
    readings
}

/// What was read of one issue so far.
#[derive(Default)]
struct Series {
    issue: String,
    seen: BTreeSet<String>,
    /// The states by number and by the one that each follows: of rivals the lower comment counts (decision 9.5).
    places: BTreeSet<(u64, u64)>,
    spent: Spending,
}

impl Series {
    fn take(&mut self, state: &WorkflowState, readings: &mut Readings) {
        let follows =
            state.engine.as_ref().map(|engine| engine.previous.as_ref().map_or(0, |before| before.comment_id));
        if follows.is_some_and(|follows| !self.places.insert((state.run_id, follows))) {
            return;
        }
        let account = state.engine.as_ref().map(|engine| engine.spent).unwrap_or_default();
        let grown = less(account, self.spent);
        let mut is_done = false;
        for (at, entry) in state.history.iter().enumerate() {
            if !self.seen.insert(key(entry)) {
                continue;
            }
            let is_newest = at + 1 == state.history.len();
            is_done |= is_newest;
            let attempt = self.entry(state, entry, is_newest);
            readings.attempts.extend(attempt);
        }
        if !is_done && !grown.is_nothing() {
            readings.attempts.push(self.failed(state, grown));
        }
        if state.engine.is_some() {
            self.spent = account;
            readings.account(&self.issue, account);
        }
    }

    /// Gives what an entry used. Its cost and its turns stand in its own state only.
    fn entry(&self, state: &WorkflowState, entry: &HistoryEntry, is_newest: bool) -> Option<Attempt> {
        let metrics = entry.metrics.clone()?;
        let figures = state.engine.as_ref().filter(|_| is_newest).map(|engine| engine.figures).unwrap_or_default();
        Some(Attempt {
            issue: self.issue.clone(),
            run: run_of(state, is_newest),
            step: entry.step.clone(),
            agent: entry.agent.clone(),
            done: true,
            tokens: metrics.input_tokens.saturating_add(metrics.output_tokens),
            turns: figures.turns,
            cost_usd: figures.cost_usd,
            metrics,
            ..Attempt::default()
        })
    }

    fn failed(&self, state: &WorkflowState, grown: Spending) -> Attempt {
        let mut attempt = Attempt {
            issue: self.issue.clone(),
            run: run_of(state, true),
            step: state.step.clone(),
            agent: state.agent.clone(),
            tokens: grown.tokens,
            turns: grown.turns,
            cost_usd: Some(grown.cost_usd).filter(|cost| cost.micro() > 0),
            ..Attempt::default()
        };
        attempt.metrics.agent_runtime_ms = grown.runtime_ms as f64;
        attempt
    }
}

/// Names an entry by its own id, where it has one.
fn key(entry: &HistoryEntry) -> String {
    let id = entry.metrics.as_ref().map(|metrics| metrics.run_id.as_str()).filter(|id| !id.is_empty());
    id.map_or_else(|| format!("{}/{:?}", entry.step, entry.comment_ids), ToString::to_string)
}

/// Names a run by the words that started it.
fn run_of(state: &WorkflowState, is_newest: bool) -> String {
    let initiator = state.engine.as_ref().and_then(|engine| engine.initiator.as_ref()).filter(|_| is_newest);
    match initiator.map(|initiator| initiator.comment_id) {
        None => "unknown".into(),
        Some(0) => "opening".into(),
        Some(id) => format!("comment {id}"),
    }
}

/// Gives by how much an account grew. One that an older state was made to count again does not grow.
fn less(now: Spending, before: Spending) -> Spending {
    Spending {
        tokens: now.tokens.saturating_sub(before.tokens),
        runtime_ms: now.runtime_ms.saturating_sub(before.runtime_ms),
        cost_usd: Usd::from_micro(now.cost_usd.micro().saturating_sub(before.cost_usd.micro())),
        turns: now.turns.saturating_sub(before.turns),
    }
}

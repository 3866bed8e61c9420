//! What recordings say was used: the requests themselves, and the states that were posted after them.
//!
//! A tape takes the events and effects of one run after the other, in the order in which they were woken.

use alloc::{
    collections::{BTreeMap, VecDeque},
    format,
    string::String,
    vec::Vec,
};

use super::{Asked, Attempt, Readings};
use crate::{
    agent::{ChatRequest, answer, measure, usage_of},
    canonical::sha256_hex,
    effect::Effect,
    event::{Event, Outcome},
    markdown::Scan,
    process::Purpose,
    setup::{Prices, Settings, Setup},
    state::{Block, Spending, StateMetrics, WorkflowState, read_block},
};

/// Reads runs, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    readings: Readings,
    /// The newest request of each issue and model: what a provider may have kept.
    before: BTreeMap<(String, String), ChatRequest>,
    now: Now,
}

/// The run that is read.
#[derive(Clone, Debug, Default)]
struct Now {
    issue: String,
    run: String,
    settings: Settings,
    /// What was asked for and is not answered yet, in order.
    waits: VecDeque<Wait>,
    open: Open,
}

/// What an answer is waited for from, as far as that counts.
#[derive(Clone, Debug)]
enum Wait {
    /// A model, by the name that was asked for.
    Model { name: String, prices: Option<Prices> },
    /// Something that a model wants done.
    Tool,
    /// An agent that is a program, by the name it was started with.
    Program { name: String },
    /// Anything else.
    Other,
}

impl Wait {
    fn of(effect: &Effect, settings: &Settings) -> Self {
        match effect {
            Effect::Complete { request, how } => Self::Model {
                name: request.model.clone(),
                prices: settings.prices_of(how.provider.as_ref(), &request.model),
            },
            Effect::UseTool { .. } => Self::Tool,
            Effect::RunProcess { process } => match process.purpose {
                Purpose::Tool => Self::Tool,
                Purpose::Agent { .. } => Self::Program { name: process.argv.first().cloned().unwrap_or_default() },
                Purpose::Script | Purpose::PreHook | Purpose::PostHook | Purpose::Input { .. } => Self::Other,
            },
            Effect::PostComment { .. }
            | Effect::ReadThread { .. }
            | Effect::ReadViewer
            | Effect::ReadPermission { .. }
            | Effect::ReadWorkflow { .. }
            | Effect::EditComment { .. }
            | Effect::Tell { .. } => Self::Other,
        }
    }
}

/// What was used since the last state that was posted.
#[derive(Clone, Debug, Default)]
struct Open {
    is_step: bool,
    asked: Vec<Asked>,
    metrics: StateMetrics,
    cost: Option<Spending>,
    unpriced: bool,
}

impl Tape {
    /// Begins with a run: what it was set up with, and the name it is to have.
    pub fn begin(&mut self, setup: &Setup, run: &str) {
        self.finish();
        let issue = format!("{}#{}", setup.repo, setup.number);
        self.now = Now { issue, run: run.into(), settings: setup.settings.clone(), ..Now::default() };
    }

    /// Takes what a step asked for.
    pub fn effects(&mut self, effects: &[Effect]) {
        for effect in effects {
            self.now.waits.push_back(Wait::of(effect, &self.now.settings));
            match effect {
                Effect::Complete { request, .. } => self.asks(request),
                Effect::RunProcess { process } => {
                    self.now.open.is_step |= matches!(process.purpose, Purpose::Script | Purpose::Agent { .. });
                }
                Effect::PostComment { body, .. } => self.posts(body),
                Effect::ReadThread { .. }
                | Effect::ReadViewer
                | Effect::ReadPermission { .. }
                | Effect::ReadWorkflow { .. }
                | Effect::UseTool { .. }
                | Effect::EditComment { .. }
                | Effect::Tell { .. } => {}
            }
        }
    }

    /// Takes an event: the answer to the first effect that waits for one.
    pub fn event(&mut self, event: &Event) {
        let Event::Answered { outcome, .. } = event else { return };
        let Some(wait) = self.now.waits.pop_front() else { return };
        let open = &mut self.now.open;
        match (wait, outcome) {
            (Wait::Model { name, prices }, Outcome::Completed { body, took_ms }) => {
                open.took(*took_ms);
                open.completed(name, prices, body);
            }
            (Wait::Model { .. } | Wait::Tool, Outcome::Failed { failure }) => open.took(failure.took_ms),
            (Wait::Tool, Outcome::ToolUsed { done }) => open.used_tool(done.took_ms),
            (Wait::Tool, Outcome::ProcessRan { ran }) => open.used_tool(ran.took_ms),
            (Wait::Program { name }, Outcome::ProcessRan { ran }) => {
                open.metrics.model_name = name;
                open.took(ran.took_ms);
            }
            _ => {}
        }
    }

    /// Ends, with what was read.
    pub fn end(mut self) -> Readings {
        self.finish();
        self.readings
    }

    fn asks(&mut self, request: &ChatRequest) {
        let pieces = measure::pieces(request);
        let key = (self.now.issue.clone(), request.model.clone());
        let before = self.before.get(&key).map(measure::pieces).unwrap_or_default();
        let is_head = |(whose, _): &&measure::Piece<'_>| matches!(*whose, "tools" | "system");
        let head: Vec<&str> = pieces.iter().take_while(is_head).map(|(_, text)| text.as_ref()).collect();
        let asked = Asked {
            bytes: measure::bytes(&pieces),
            repeated: measure::shared_bytes(&pieces, &before),
            head: sha256_hex(head.join("\0").as_bytes()),
        };
        self.before.insert(key, request.clone());
        self.now.open.is_step = true;
        self.now.open.asked.push(asked);
    }

    /// Looks whether a comment carries the state after a step.
    fn posts(&mut self, body: &str) {
        let Block::Readable(reading) = read_block(body, &Scan::new(body)) else { return };
        let state = reading.state;
        if let Some(engine) = &state.engine {
            self.readings.account(&self.now.issue, engine.spent);
        }
        if self.now.open.is_step {
            let open = core::mem::take(&mut self.now.open);
            let attempt = self.attempt(open, Some(&state));
            self.readings.attempts.push(attempt);
        }
    }

    /// Closes a run: what was used after its last state came to no report.
    fn finish(&mut self) {
        let open = core::mem::take(&mut self.now.open);
        if open.is_step {
            let attempt = self.attempt(open, None);
            self.readings.attempts.push(attempt);
        }
    }

    fn attempt(&self, open: Open, state: Option<&WorkflowState>) -> Attempt {
        let Open { asked, mut metrics, cost, unpriced, .. } = open;
        let mut attempt = Attempt {
            issue: self.now.issue.clone(),
            run: self.now.run.clone(),
            step: state.map(|state| state.step.clone()).unwrap_or_default(),
            agent: state.map(|state| state.agent.clone()).unwrap_or_default(),
            turns: asked.len() as u64,
            cost_usd: cost.filter(|_| !unpriced).map(|cost| cost.cost_usd),
            asked,
            ..Attempt::default()
        };
        let went_well = |state: &&WorkflowState| {
            state.current_context.get("last_run_status").is_some_and(|status| status == "success")
        };
        if let Some(entry) = state.filter(went_well).and_then(|state| state.history.last()) {
            attempt.step.clone_from(&entry.step);
            attempt.agent.clone_from(&entry.agent);
            attempt.done = true;
            metrics = entry.metrics.clone().unwrap_or(metrics);
            let figures = state.and_then(|state| state.engine.as_ref()).map(|engine| engine.figures);
            attempt.cost_usd = figures.and_then(|figures| figures.cost_usd).or(attempt.cost_usd);
        }
        attempt.tokens = metrics.input_tokens.saturating_add(metrics.output_tokens);
        attempt.metrics = metrics;
        attempt
    }
}

impl Open {
    fn took(&mut self, took_ms: u64) {
        self.metrics.agent_runtime_ms += took_ms as f64;
    }

    fn used_tool(&mut self, took_ms: u64) {
        self.took(took_ms);
        self.metrics.tool_call_latency_ms += took_ms as f64;
    }

    fn completed(&mut self, asked: String, prices: Option<Prices>, body: &str) {
        let (usage, turn) = (usage_of(body), answer(body).ok());
        let Self { metrics, cost, unpriced, .. } = self;
        let named = turn.as_ref().map(|turn| turn.model.clone()).filter(|name| !name.is_empty());
        metrics.model_name = named.unwrap_or(asked);
        metrics.nb_tool_calls = metrics.nb_tool_calls.saturating_add(turn.map_or(0, |turn| turn.calls.len() as u64));
        metrics.input_tokens = metrics.input_tokens.saturating_add(usage.input);
        metrics.output_tokens = metrics.output_tokens.saturating_add(usage.output);
        metrics.cache_hit_tokens = metrics.cache_hit_tokens.saturating_add(usage.cached.min(usage.input));
        metrics.reasoning_tokens = metrics.reasoning_tokens.saturating_add(usage.reasoning);
        match prices {
            Some(prices) => {
                let cost_usd = prices.cost(usage.input, usage.cached, usage.output);
                *cost = Some(cost.unwrap_or_default().plus(Spending { cost_usd, ..Spending::default() }));
            }
            None => *unpriced = true,
        }
    }
}

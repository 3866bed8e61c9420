//! Attempts, added up by whatever they have in common.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use serde::Serialize;

use super::{Attempt, Readings};
use crate::{setup::Usd, state::Spending};

/// The version of the document; a field that changes its meaning raises it.
pub const METRICS_VERSION: u32 = 1;

/// Everything, summed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Metrics {
    /// The version of this document.
    pub metrics: u32,
    /// By step and role.
    pub steps: Vec<Row>,
    /// By role.
    pub agents: Vec<Row>,
    /// By run.
    pub runs: Vec<Row>,
    /// By issue.
    pub issues: Vec<Row>,
    /// All together.
    pub total: Sums,
}

/// What some attempts have in common, and their sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// `owner/name#number`.
    pub issue: String,
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The step; empty where a run ended before anything was posted of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The sum.
    #[serde(flatten)]
    pub sums: Sums,
    /// The account that budgets go by, as the newest state has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spending>,
}

/// A sum of attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sums {
    /// How many came to a report.
    pub steps: u64,
    /// How many did not.
    pub failed: u64,
    /// The models that answered, in their own words.
    pub models: BTreeSet<String>,
    /// Turns of models, as far as known.
    pub turns: u64,
    /// Tokens of prompts and answers, failed attempts included.
    pub tokens: u64,
    /// Those of them of which it is not known whether they are of prompts or of answers: of failed attempts a thread keeps
    /// the sum alone. They are in neither of the next two.
    pub unsplit_tokens: u64,
    /// Tokens of prompts.
    pub input_tokens: u64,
    /// Tokens of answers.
    pub output_tokens: u64,
    /// Those of them that were reasoning.
    pub reasoning_tokens: u64,
    /// Tokens of prompts that the service had cached, as it reports.
    pub cache_hit_tokens: u64,
    /// Their share of the prompts; 0 where nothing was read.
    pub cache_hit_rate: f64,
    /// What is known of the cost; `null` where no price is.
    pub cost_usd: Option<Usd>,
    /// Attempts with tokens and without a known cost.
    pub unpriced: u64,
    /// Milliseconds of models and their tools.
    pub runtime_ms: u64,
    /// Milliseconds of the tools; part of `runtime_ms`.
    pub tools_ms: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Those of them that failed.
    pub failed_tool_calls: u64,
    /// How often a review sent the work back, up to the newest of these steps.
    pub review_fix_requests: u64,
    /// The prompts as they were sent; `null` where they are not there.
    pub prompt: Option<Prompts>,
}

/// The prompts of some requests, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prompts {
    /// How many requests.
    pub requests: u64,
    /// Bytes of their tool lists and messages.
    pub bytes: u64,
    /// How many of them repeat the request before, from the first byte on.
    pub repeated_bytes: u64,
    /// Their share.
    pub repeated_rate: f64,
    /// How many different heads there are: tool list and system message.
    pub heads: u64,
    #[serde(skip)]
    head: BTreeSet<String>,
}

impl Metrics {
    /// Sums up what was read.
    pub fn of(readings: &Readings) -> Self {
        let attempts = &readings.attempts;
        let key = |_: &Attempt| [None, None, None];
        let mut issues = rows(attempts, key);
        for row in &mut issues {
            row.spent = readings.accounts.iter().find(|(issue, _)| *issue == row.issue).map(|(_, spent)| *spent);
        }
        let mut total = Sums::of(attempts.iter());
        // The count goes on over the steps of an issue, and begins anew with the next issue.
        total.review_fix_requests = issues.iter().map(|row| row.sums.review_fix_requests).sum();
        Self {
            metrics: METRICS_VERSION,
            steps: rows(attempts, |one| [None, Some(one.step.clone()), Some(one.agent.clone())]),
            agents: rows(attempts, |one| [None, None, Some(one.agent.clone())]),
            runs: rows(attempts, |one| [Some(one.run.clone()), None, None]),
            issues,
            total,
        }
    }
}

/// Groups attempts of one issue by a key of run, step and agent, in the order of the first of each.
fn rows(attempts: &[Attempt], key: impl Fn(&Attempt) -> [Option<String>; 3]) -> Vec<Row> {
    let mut places: BTreeMap<(&str, [Option<String>; 3]), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<&Attempt>> = Vec::new();
    for attempt in attempts {
        let place = *places.entry((&attempt.issue, key(attempt))).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(attempt);
    }
    let mut rows: Vec<Row> =
        groups.iter().map(|group| Row { sums: Sums::of(group.iter().copied()), ..Row::default() }).collect();
    for ((issue, [run, step, agent]), place) in places {
        let row = &mut rows[place];
        (row.issue, row.run, row.step, row.agent) = (issue.into(), run, step, agent);
    }
    rows
}

impl Sums {
    /// Adds attempts up.
    fn of<'a>(attempts: impl Iterator<Item = &'a Attempt>) -> Self {
        let mut sums = Self::default();
        attempts.for_each(|attempt| sums.add(attempt));
        sums.cache_hit_rate = share(sums.cache_hit_tokens, sums.input_tokens);
        if let Some(prompt) = &mut sums.prompt {
            prompt.repeated_rate = share(prompt.repeated_bytes, prompt.bytes);
            prompt.heads = prompt.head.len() as u64;
        }
        sums
    }

    fn add(&mut self, attempt: &Attempt) {
        let metrics = &attempt.metrics;
        let count = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        count(if attempt.done { &mut self.steps } else { &mut self.failed }, 1);
        if !metrics.model_name.is_empty() {
            self.models.insert(metrics.model_name.clone());
        }
        count(&mut self.turns, attempt.turns);
        count(&mut self.tokens, attempt.tokens);
        let split = metrics.input_tokens.saturating_add(metrics.output_tokens);
        count(&mut self.unsplit_tokens, attempt.tokens.saturating_sub(split));
        count(&mut self.input_tokens, metrics.input_tokens);
        count(&mut self.output_tokens, metrics.output_tokens);
        count(&mut self.reasoning_tokens, metrics.reasoning_tokens);
        count(&mut self.cache_hit_tokens, metrics.cache_hit_tokens);
        count(&mut self.runtime_ms, whole(metrics.agent_runtime_ms));
        count(&mut self.tools_ms, whole(metrics.tool_call_latency_ms));
        count(&mut self.tool_calls, metrics.nb_tool_calls);
        count(&mut self.failed_tool_calls, whole(metrics.tool_call_error_rate * metrics.nb_tool_calls as f64 + 0.5));
        self.review_fix_requests = self.review_fix_requests.max(metrics.review_fix_requests);
        match attempt.cost_usd {
            Some(cost) => self.cost_usd = Some(self.cost_usd.unwrap_or_default().plus(cost)),
            None => count(&mut self.unpriced, u64::from(attempt.tokens > 0)),
        }
        for asked in &attempt.asked {
            let prompt = self.prompt.get_or_insert_default();
            count(&mut prompt.requests, 1);
            count(&mut prompt.bytes, asked.bytes);
            count(&mut prompt.repeated_bytes, asked.repeated);
            prompt.head.insert(asked.head.clone());
        }
    }
}

/// Gives a share; of nothing it is 0.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Takes a count out of a number that a state says: what is no count is none.
fn whole(number: f64) -> u64 {
    number as u64
}

//! Budgets: what was used, what the next call is likely to add, and which bound that would pass.
//!
//! It counts and compares. What follows from a bound is for the stage that asks, and the words are for `text`.

use crate::{
    agent::{ChatRequest, Spent, Turn, measure, reply::Usage},
    setup::{Limits, Prices, Usd},
    state::Spending,
};

/// What was used, up to and with the step that is at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    /// By the step alone.
    pub(crate) step: Spending,
    /// By the run: everything since its trigger.
    pub(crate) run: Spending,
    /// By the thread: everything since its beginning.
    pub(crate) issue: Spending,
}

/// What a call is likely to add. What cannot be told beforehand is not judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    /// Tokens, as an estimate from bytes.
    pub(crate) tokens: Option<u64>,
    /// What they cost.
    pub(crate) cost_usd: Option<Usd>,
    /// Turns of a model: one, or none that is known of.
    pub(crate) turns: Option<u64>,
}

/// A bound that a call would pass, with the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The setting that says it: `limits.run_tokens`.
    pub(crate) setting: &'static str,
    /// What it is about.
    pub(crate) scope: Scope,
    /// What was used.
    pub(crate) used: Amount,
    /// What the call is likely to add, where that can be told.
    pub(crate) about: Option<Amount>,
    /// The bound.
    pub(crate) limit: Amount,
}

/// What a budget is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// One step.
    Step,
    /// One run.
    Run,
    /// One thread.
    Issue,
}

/// An amount of what budgets are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// Tokens of prompts and answers.
    Tokens(u64),
    /// Milliseconds of models and their tools.
    Millis(u64),
    /// Money.
    Usd(Usd),
    /// Turns of models.
    Turns(u64),
}

/// Says which bound a call would pass: the step's before the run's before the thread's. Of tokens and money the
/// estimate has to fit as well; how long a call takes nobody knows, so of time something has to be left, and of turns one.
pub(crate) fn would_pass(limits: &Limits, used: &Used, about: &About) -> Option<Bound> {
    [(Scope::Step, used.step), (Scope::Run, used.run), (Scope::Issue, used.issue)]
        .into_iter()
        .find_map(|(scope, used)| passed_in(scope, &scope.limits(limits), used, about))
}

/// The bounds of one scope.
struct Limited {
    tokens: Option<u64>,
    minutes: Option<u64>,
    cost_usd: Option<Usd>,
    turns: Option<u64>,
}

fn passed_in(scope: Scope, limits: &Limited, used: Spending, about: &About) -> Option<Bound> {
    let [tokens, minutes, cost_usd, turns] = scope.settings();
    let bound = |setting, used, about, limit| Bound { setting, scope, used, about, limit };
    let of_tokens = || {
        let (limit, about) = (limits.tokens?, about.tokens?);
        let passes = used.tokens.saturating_add(about) > limit;
        passes.then(|| bound(tokens, Amount::Tokens(used.tokens), Some(Amount::Tokens(about)), Amount::Tokens(limit)))
    };
    let of_time = || {
        let limit = limits.minutes?.saturating_mul(MINUTE_MS);
        let passes = used.runtime_ms >= limit;
        passes.then(|| bound(minutes, Amount::Millis(used.runtime_ms), None, Amount::Millis(limit)))
    };
    let of_cost = || {
        let (limit, about) = (limits.cost_usd?, about.cost_usd?);
        let passes = used.cost_usd.plus(about) > limit;
        passes.then(|| bound(cost_usd, Amount::Usd(used.cost_usd), Some(Amount::Usd(about)), Amount::Usd(limit)))
    };
    let of_turns = || {
        let (limit, about) = (limits.turns?, about.turns?);
        let passes = used.turns.saturating_add(about) > limit;
        passes.then(|| bound(turns, Amount::Turns(used.turns), None, Amount::Turns(limit)))
    };
    of_tokens().or_else(of_time).or_else(of_cost).or_else(of_turns)
}

/// Tells whether anything is bounded at all, so that nothing is measured for nobody.
pub(crate) fn is_any(limits: &Limits) -> bool {
    let counts = [
        limits.step_tokens,
        limits.run_tokens,
        limits.issue_tokens,
        limits.step_minutes,
        limits.run_minutes,
        limits.issue_minutes,
        limits.run_turns,
        limits.issue_turns,
    ];
    counts.iter().any(Option::is_some) || cost_setting(limits).is_some()
}

/// Names the setting that bounds money, where one does: the narrowest.
pub(crate) fn cost_setting(limits: &Limits) -> Option<&'static str> {
    let bounds =
        [(limits.step_cost_usd, Scope::Step), (limits.run_cost_usd, Scope::Run), (limits.issue_cost_usd, Scope::Issue)];
    bounds.into_iter().find(|(limit, _)| limit.is_some()).map(|(_, scope)| scope.settings()[2])
}

/// Estimates the tokens of so many bytes: two and a half bytes each, rounded up. Real counts come from the service.
pub(crate) fn tokens_of(bytes: u64) -> u64 {
    bytes.saturating_mul(2).div_ceil(5)
}

impl Scope {
    /// Gives what is bounded for it. Turns of a step are no budget: it fails at theirs.
    const fn limits(self, limits: &Limits) -> Limited {
        let (tokens, minutes, cost_usd, turns) = match self {
            Self::Step => (limits.step_tokens, limits.step_minutes, limits.step_cost_usd, None),
            Self::Run => (limits.run_tokens, limits.run_minutes, limits.run_cost_usd, limits.run_turns),
            Self::Issue => (limits.issue_tokens, limits.issue_minutes, limits.issue_cost_usd, limits.issue_turns),
        };
        Limited { tokens, minutes, cost_usd, turns }
    }

    /// Gives the names of its settings: tokens, time, money, turns.
    const fn settings(self) -> [&'static str; 4] {
        match self {
            Self::Step => ["limits.step_tokens", "limits.step_minutes", "limits.step_cost_usd", "limits.step_turns"],
            Self::Run => ["limits.run_tokens", "limits.run_minutes", "limits.run_cost_usd", "limits.run_turns"],
            Self::Issue => {
                ["limits.issue_tokens", "limits.issue_minutes", "limits.issue_cost_usd", "limits.issue_turns"]
            }
        }
    }
}

impl About {
    /// Estimates what a request would add. `heard` is what the conversation's last answer said of its prompt.
    pub(crate) fn of(request: &ChatRequest, heard: Option<Counted>, prices: Option<Prices>) -> Self {
        let prompt = heard.map_or_else(
            || tokens_of(measure::bytes(&measure::pieces(request))),
            |heard| heard.tokens.saturating_add(tokens_of(measure::bytes_from(request, heard.messages))),
        );
        let answer = request.max_tokens.unwrap_or(0);
        let cost_usd = prices.map(|prices| prices.cost(prompt, 0, answer));
        Self { tokens: Some(prompt.saturating_add(answer)), cost_usd, turns: Some(1) }
    }
}

/// What an answer said of the prompt it was for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Counted {
    /// Its tokens, as the service counted them.
    pub(crate) tokens: u64,
    /// How many messages it had.
    pub(crate) messages: usize,
}

impl Spent {
    /// Counts what an answer used, as far as its service says.
    pub(crate) fn count(&mut self, usage: Usage) {
        self.input = self.input.saturating_add(usage.input);
        self.output = self.output.saturating_add(usage.output);
        self.cached = self.cached.saturating_add(usage.cached.min(usage.input));
        self.reasoning = self.reasoning.saturating_add(usage.reasoning);
    }

    /// Counts an answer whose service said nothing about its tokens, by its bytes: a bound that hears nothing would
    /// never be reached. The metrics stay what services reported.
    pub(crate) fn guess(&mut self, request: &ChatRequest, turn: &Turn) {
        let called: usize = turn.calls.iter().map(|call| call.name.len() + call.written.len()).sum();
        let prompt = tokens_of(measure::bytes(&measure::pieces(request)));
        self.unsaid_input = self.unsaid_input.saturating_add(prompt);
        // Some services count the answer and not the prompt.
        if turn.usage.output == 0 {
            self.unsaid_output = self.unsaid_output.saturating_add(tokens_of((turn.content.len() + called) as u64));
        }
    }

    /// Gives what it cost, where the prices are known.
    pub(crate) fn cost(&self, prices: Option<Prices>) -> Option<Usd> {
        let input = self.input.saturating_add(self.unsaid_input);
        Some(prices?.cost(input, self.cached, self.output.saturating_add(self.unsaid_output)))
    }

    /// Gives it as budgets count it.
    pub(crate) fn spending(&self, prices: Option<Prices>) -> Spending {
        let parts = [self.input, self.output, self.unsaid_input, self.unsaid_output];
        Spending {
            tokens: parts.into_iter().fold(0, u64::saturating_add),
            runtime_ms: self.took_ms,
            cost_usd: self.cost(prices).unwrap_or_default(),
            turns: self.turns,
        }
    }
}

const MINUTE_MS: u64 = 60_000;

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec};

    use quickcheck::quickcheck;

    use super::*;
    use crate::agent::{ContentPart, Message};

    fn usd(text: &str) -> Usd {
        Usd::parse(text).expect("an amount")
    }

    fn spending(tokens: u64, runtime_ms: u64, cost: &str) -> Spending {
        Spending { tokens, runtime_ms, cost_usd: usd(cost), turns: 3 }
    }

    #[test]
    fn what_a_service_does_not_count_is_guessed_and_nothing_else() {
        let check = |usage: Usage, wanted: (bool, bool)| {
            let mut spent = Spent::default();
            let message = Message::User { content: vec![ContentPart::text("a question")] };
            let request = ChatRequest { messages: vec![message], ..ChatRequest::default() };
            spent.guess(&request, &Turn { usage, content: "an answer".into(), ..Turn::default() });
            assert_eq!((spent.unsaid_input > 0, spent.unsaid_output > 0), wanted, "{usage:?}");
        };
        check(Usage::default(), (true, true));
        check(Usage { output: 7, ..Usage::default() }, (true, false));
    }

    #[test]
    fn the_first_bound_that_a_call_would_pass_is_named() {
        let used = Used {
            step: spending(100, 60_000, "0.10"),
            run: spending(300, 120_000, "0.30"),
            issue: spending(900, 600_000, "0.90"),
        };
        let about = About { tokens: Some(50), cost_usd: Some(usd("0.05")), turns: Some(1) };
        let check = |limits: Limits, about: About, wanted: Option<&str>| {
            let found = would_pass(&limits, &used, &about).map(|bound| bound.setting);
            assert_eq!(found, wanted, "{limits:?}");
        };
        let none = Limits::default();
        check(none.clone(), about, None);
        check(Limits { step_tokens: Some(150), ..none.clone() }, about, None);
        check(Limits { step_tokens: Some(149), ..none.clone() }, about, Some("limits.step_tokens"));
        check(
            Limits { run_tokens: Some(350), issue_tokens: Some(949), ..none.clone() },
            about,
            Some("limits.issue_tokens"),
        );
        check(Limits { run_tokens: Some(0), ..none.clone() }, about, Some("limits.run_tokens"));
        check(Limits { step_minutes: Some(1), ..none.clone() }, about, Some("limits.step_minutes"));
        check(Limits { step_minutes: Some(2), run_minutes: Some(3), ..none.clone() }, about, None);
        check(Limits { issue_minutes: Some(10), ..none.clone() }, About::default(), Some("limits.issue_minutes"));
        check(Limits { run_turns: Some(4), issue_turns: Some(4), ..none.clone() }, about, None);
        check(Limits { run_turns: Some(3), ..none.clone() }, about, Some("limits.run_turns"));
        check(Limits { issue_turns: Some(2), ..none.clone() }, about, Some("limits.issue_turns"));
        check(Limits { run_turns: Some(1), ..none.clone() }, About::default(), None); // a program takes none
        check(Limits { run_cost_usd: Some(usd("0.35")), ..none.clone() }, about, None);
        check(Limits { run_cost_usd: Some(usd("0.349999")), ..none.clone() }, about, Some("limits.run_cost_usd"));
        check(Limits { issue_cost_usd: Some(usd("0.9")), ..none.clone() }, about, Some("limits.issue_cost_usd"));
        // A program tells nothing of tokens and money beforehand: only time stands against it.
        check(
            Limits { issue_tokens: Some(1), issue_cost_usd: Some(usd("0.1")), ..none.clone() },
            About::default(),
            None,
        );
        let both = Limits { step_cost_usd: Some(usd("0")), issue_tokens: Some(1), ..none };
        check(both.clone(), about, Some("limits.step_cost_usd"));
        assert_eq!(cost_setting(&both), Some("limits.step_cost_usd"));
        assert_eq!(cost_setting(&Limits::default()), None);
    }

    #[test]
    fn a_call_is_estimated_by_bytes_and_then_by_what_was_heard() {
        let message = |text: &str| Message::User { content: vec![ContentPart::text(text)] };
        let mut request = ChatRequest { messages: vec![message(&"x".repeat(1_000))], ..ChatRequest::default() };
        let prices = Prices { input: usd("1000"), cached: None, output: usd("2000") };
        let check = |request: &ChatRequest, heard: Option<Counted>, tokens: u64, cost: &str| {
            let about = About::of(request, heard, Some(prices));
            assert_eq!(about, About { tokens: Some(tokens), cost_usd: Some(usd(cost)), turns: Some(1) });
        };
        check(&request, None, 400, "0.4");
        request.max_tokens = Some(100);
        check(&request, None, 500, "0.6");
        request.messages.push(message(&"y".repeat(25)));
        check(&request, Some(Counted { tokens: 250, messages: 1 }), 360, "0.46");
        check(&request, Some(Counted { tokens: 250, messages: 9 }), 350, "0.45");
        assert_eq!(About::of(&request, None, None).cost_usd, None);
    }

    #[test]
    fn what_a_service_does_not_say_is_counted_for_budgets_alone() {
        let mut spent = Spent { took_ms: 7, ..Spent::default() };
        spent.count(Usage { input: 100, output: 10, cached: 400, reasoning: 3 });
        assert_eq!((spent.input, spent.output, spent.cached, spent.reasoning), (100, 10, 100, 3));
        let request = ChatRequest {
            messages: vec![Message::User { content: vec![ContentPart::text("x".repeat(50))] }],
            ..ChatRequest::default()
        };
        spent.guess(&request, &Turn { content: "12345".into(), ..Turn::default() });
        assert_eq!((spent.input, spent.output), (100, 10), "the metrics are what was reported");
        let prices = Prices { input: usd("1"), cached: Some(usd("0")), output: usd("1") };
        let wanted =
            Spending { tokens: 100 + 10 + 20 + 2, runtime_ms: 7, cost_usd: Usd::from_micro(20 + 12), turns: 0 };
        assert_eq!(spent.spending(Some(prices)), wanted);
        assert_eq!(spent.spending(None).cost_usd, Usd::default());
        assert_eq!(spent.cost(None), None);
    }

    quickcheck! {
        fn more_never_fits_where_less_does_not(limit: u64, used: u64, about: u64, more: u64) -> bool {
            let limits = Limits { run_tokens: Some(limit), ..Limits::default() };
            let passes = |used: u64| {
                let run = Spending { tokens: used, ..Spending::default() };
                let about = About { tokens: Some(about), ..About::default() };
                would_pass(&limits, &Used { run, ..Used::default() }, &about).is_some()
            };
            !passes(used) || passes(used.saturating_add(more))
        }

        fn an_estimate_grows_with_the_text(text: String, more: String) -> bool {
            let (one, all) = (tokens_of(text.len() as u64), tokens_of((text.len() + more.len()) as u64));
            one <= all && (text.is_empty() || one > 0)
        }
    }
}

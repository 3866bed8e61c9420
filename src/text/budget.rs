//! What is said where a budget stands against a call.

use alloc::{
    format,
    string::{String, ToString},
};

use crate::{
    agent::budget::{Amount, Bound, Scope},
    text::code,
};

/// The next call would pass a bound: which, the figures, and what to do.
pub(crate) fn budget_reached(bound: &Bound, turns: u64) -> String {
    let Bound { setting, scope, used, about, limit } = bound;
    let whose = match scope {
        Scope::Step => "this step",
        Scope::Run => "this run",
        Scope::Issue => "this thread",
    };
    let made = match turns {
        0 => "The agent was not asked.".to_string(),
        1 => "The model was asked once in this step, and not again.".to_string(),
        _ => format!("The model was asked {turns} times in this step, and not again."),
    };
    let figures = match about {
        Some(about) => format!(
            "The next call of the model would pass the budget {}: {whose} used {}, the call is estimated at about {}, \
             and the limit is {}.",
            code(setting),
            amount(used),
            amount(about),
            amount(limit)
        ),
        None => format!(
            "The budget {} is used up: {whose} used {}, and the limit is {}.",
            code(setting),
            amount(used),
            amount(limit)
        ),
    };
    // Where a call alone is above the limit, another run or step comes no further.
    let is_too_large = matches!(
        (about, limit),
        (Some(Amount::Tokens(about)), Amount::Tokens(limit)) if about > limit
    ) || matches!((about, limit), (Some(Amount::Usd(about)), Amount::Usd(limit)) if about > limit);
    let then = if is_too_large { again(Scope::Issue, 0) } else { again(*scope, turns) };
    format!("{figures} {made} Raise {} in {}{then}.", code(setting), code(CONFIG))
}

/// A bound on money cannot be held because nobody knows what the model costs.
pub(crate) fn no_prices(setting: &str, model: &str) -> String {
    format!(
        "The budget {} cannot be held, because nobody knows what the model {} costs. The model was not asked. Give its \
         prices under {} in {}, or take the budget away, then write `/nebuko retry`.",
        code(setting),
        code(model),
        code("models"),
        code(CONFIG)
    )
}

/// A step holds because of a budget; the workflow waits.
pub(crate) fn step_held(workflow: &str, step: &str, why: &str, has_words: bool) -> String {
    let kept = if has_words {
        "\n\nWhat the model said in this step before that is no report yet; the run's own report keeps it."
    } else {
        ""
    };
    format!(
        "The step {} of {} was ended before its report. {why}{kept}\n\nThe workflow waits here.",
        code(step),
        code(workflow)
    )
}

/// The same, for whoever runs the engine.
pub(crate) fn step_held_here(workflow: &str, step: &str, why: &str) -> String {
    format!("step {step} of {workflow} was ended before its report. {why}")
}

/// Says what else helps: what belongs to one step or run begins anew with the next.
fn again(scope: Scope, turns: u64) -> String {
    match (scope, turns) {
        (Scope::Issue, _) | (Scope::Step, 0) => ", then write `/nebuko retry`".into(),
        (Scope::Step, _) => ", or let the step begin anew with `/nebuko retry`".into(),
        (Scope::Run, _) => ", or go on in another run, whose own budget is whole, with `/nebuko retry`".into(),
    }
}

/// Writes an amount with its unit.
fn amount(amount: &Amount) -> String {
    match amount {
        Amount::Tokens(1) => "1 token".into(),
        Amount::Tokens(tokens) => format!("{} tokens", grouped(*tokens)),
        Amount::Millis(ms) => time(*ms),
        Amount::Usd(usd) => format!("${usd}"),
        Amount::Turns(1) => "1 turn".into(),
        Amount::Turns(turns) => format!("{} turns", grouped(*turns)),
    }
}

/// Writes a time in minutes, and seconds where there are some.
fn time(ms: u64) -> String {
    let (minutes, seconds) = (ms / 60_000, ms % 60_000 / 1_000);
    match (minutes, seconds) {
        (0, _) => format!("{seconds} s"),
        (_, 0) => format!("{} min", grouped(minutes)),
        _ => format!("{} min {seconds} s", grouped(minutes)),
    }
}

/// Writes a number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let head = digits.len() % 3;
    let mut text = digits[..head].to_string();
    for at in (head..digits.len()).step_by(3) {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&digits[at..at + 3]);
    }
    text
}

/// Where a repository sets its limits.
const CONFIG: &str = ".nebuko/config.yaml";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Usd;

    #[test]
    fn amounts_are_written_for_people() {
        let check = |one: Amount, wanted: &str| assert_eq!(amount(&one), wanted, "{one:?}");
        check(Amount::Tokens(0), "0 tokens");
        check(Amount::Turns(1), "1 turn");
        check(Amount::Turns(1_200), "1,200 turns");
        check(Amount::Tokens(1), "1 token");
        check(Amount::Tokens(999), "999 tokens");
        check(Amount::Tokens(1_000), "1,000 tokens");
        check(Amount::Tokens(1_234_567), "1,234,567 tokens");
        check(Amount::Millis(999), "0 s");
        check(Amount::Millis(61_500), "1 min 1 s");
        check(Amount::Millis(600_000), "10 min");
        check(Amount::Usd(Usd::from_micro(1_500_000)), "$1.50");
    }

    #[test]
    fn a_notice_has_the_setting_the_figures_and_a_way_on() {
        let check = |setting: &'static str, scope: Scope, about: Option<Amount>, turns: u64, parts: &[&str]| {
            let (used, limit) = (Amount::Tokens(900), Amount::Tokens(1_000));
            let said = budget_reached(&Bound { setting, scope, used, about, limit }, turns);
            for part in parts {
                assert!(said.contains(part), "{said:?} has no {part:?}");
            }
        };
        let about = Some(Amount::Tokens(200));
        let figures = "used 900 tokens, the call is estimated at about 200 tokens, and the limit is 1,000 tokens";
        check(
            "limits.step_tokens",
            Scope::Step,
            about,
            0,
            &["`limits.step_tokens`", figures, "was not asked", "then write"],
        );
        check("limits.step_tokens", Scope::Step, about, 1, &["asked once in this step", "begin anew"]);
        check("limits.run_tokens", Scope::Run, about, 3, &["3 times", "another run", "`/nebuko retry`"]);
        // No other run helps where the call alone is too large.
        let bound = |about: u64| {
            let (used, limit) = (Amount::Tokens(0), Amount::Tokens(1_000));
            let (setting, about) = ("limits.run_tokens", Some(Amount::Tokens(about)));
            budget_reached(&Bound { setting, scope: Scope::Run, used, about, limit }, 0)
        };
        assert!(bound(1_000).contains("another run"));
        assert!(!bound(1_001).contains("another run") && bound(1_001).contains("Raise `limits.run_tokens`"));
        check(
            "limits.issue_tokens",
            Scope::Issue,
            None,
            0,
            &["is used up: this thread used 900 tokens, and the limit is 1,000", "`.nebuko/config.yaml`"],
        );
        assert!(!step_held("default", "dev", "why", false).contains("keeps"));
        assert!(step_held("default", "dev", "why", true).contains("the run's own report keeps it"));
        assert!(no_prices("limits.run_cost_usd", "a`b").contains("the model `a'b` costs"));
    }
}

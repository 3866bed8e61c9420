//! Whether to ask again, and when: the rules of rate limits and of failures that pass.
//!
//! Nothing waits here. Each rule looks at one answer and says how long; `Patience` adds up what was spent.
//! The rules for limits are GitHub's own ("Best practices for using the REST API"), and other services' `429` fits them.

use std::time::Duration;

use nebuko::time::Timestamp;

use super::{Fault, Intent, Reply, Rules};

/// What to do about one answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is the answer, for better or worse.
    Take,
    /// A limit was met and will be gone after exactly so long.
    Rest(Duration),
    /// It may go better soon: after so long and some chance on top.
    Retry(Duration),
}

/// Judges the answer to the `attempt`th try, counted from 1.
pub(super) fn judge(
    heard: &Result<Reply, Fault>,
    intent: Intent,
    attempt: u32,
    now: Timestamp,
    rules: &Rules,
) -> Verdict {
    if attempt >= ATTEMPTS_MAX {
        return Verdict::Take;
    }
    match heard {
        // OpenAI and its relatives know best whether the same request can ever succeed.
        Ok(reply) if reply.header("x-should-retry") == Some("false") => Verdict::Take,
        Ok(reply) => match limit(reply, attempt, now, rules) {
            // Whoever is over a limit was turned away at the door: even a post can simply be repeated.
            Some(rest) => Verdict::Rest(rest),
            None if is_passing(reply.status) && intent != Intent::Create => {
                Verdict::Retry(retry_after(reply, now).unwrap_or_else(|| doubled(BACKOFF_FIRST, attempt)))
            }
            None => Verdict::Take,
        },
        Err(Fault::Unsent(_)) => Verdict::Retry(doubled(BACKOFF_FIRST, attempt)),
        Err(Fault::Cut(_)) if intent != Intent::Create => Verdict::Retry(doubled(BACKOFF_FIRST, attempt)),
        Err(
            Fault::Cut(_) | Fault::Barred(_) | Fault::Oversized(_) | Fault::Elsewhere(_) | Fault::OutOfPatience { .. },
        ) => Verdict::Take,
    }
}

/// Tells how long a limit lasts, if the answer speaks of one; a plain 403 does not.
pub(super) fn limit(reply: &Reply, attempt: u32, now: Timestamp, rules: &Rules) -> Option<Duration> {
    let is_secondary = reply.status == 403 && speaks_of_a_limit(&reply.body);
    let is_used_up = reply.header("x-ratelimit-remaining") == Some("0");
    match reply.status {
        429 if is_out_of_credit(&reply.body) => return None,
        429 => {}
        403 if is_secondary || is_used_up || reply.header("retry-after").is_some() => {}
        _ => return None,
    }
    if let Some(told) = retry_after(reply, now) {
        // A moment that has passed says that the clocks differ, or nothing: a crowd that comes back at once is sent away.
        return Some(if told.is_zero() { doubled(BACKOFF_FIRST, attempt) } else { told });
    }
    let reset = if is_used_up { until_reset(reply, now) } else { None };
    let unspecified = doubled(rules.unspecified_limit, attempt);
    match reset {
        Some(reset) if is_secondary => Some(reset.max(unspecified)),
        Some(reset) => Some(reset),
        None => Some(unspecified),
    }
}

/// What a run may spend on waiting, all together.
#[derive(Debug)]
pub(super) struct Patience {
    budget: Duration,
    spent: Duration,
}

impl Patience {
    /// Starts with the whole budget.
    pub(super) fn new(budget: Duration) -> Self {
        Self { budget, spent: Duration::ZERO }
    }

    /// Takes a wait out of the budget, or leaves all as it is and says no.
    pub(super) fn spend(&mut self, span: Duration) -> bool {
        let spent = self.spent.saturating_add(span);
        let fits = spent <= self.budget;
        if fits {
            self.spent = spent;
        }
        fits
    }

    /// Takes time that has already gone by out of the budget.
    pub(super) fn lose(&mut self, span: Duration) {
        self.spent = self.spent.saturating_add(span).min(self.budget);
    }

    /// Gives the whole budget.
    pub(super) fn budget(&self) -> Duration {
        self.budget
    }
}

/// Tells whether a status says that the service is unwell at the moment.
pub(super) fn is_passing(status: u16) -> bool {
    status == 408 || status >= 500
}

/// Reads `Retry-After`: seconds, or a date; some model services give milliseconds beside it, which are nearer.
fn retry_after(reply: &Reply, now: Timestamp) -> Option<Duration> {
    if let Some(ms) = reply.header("retry-after-ms").and_then(|value| value.trim().parse::<f64>().ok()) {
        return Duration::try_from_secs_f64((ms / 1_000.0).ceil()).ok();
    }
    let value = reply.header("retry-after")?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.ceil()).ok();
    }
    let until = http_date(value)?;
    Some(seconds_until(until.seconds(), now))
}

/// Reads `x-ratelimit-reset`: seconds since 1970, or milliseconds as some model services write them.
fn until_reset(reply: &Reply, now: Timestamp) -> Option<Duration> {
    let reset: i64 = reply.header("x-ratelimit-reset")?.trim().parse().ok()?;
    let reset = if reset > MILLISECONDS_FROM { reset / 1_000 } else { reset };
    Some(seconds_until(reset, now).max(RESET_REST_MIN))
}

fn seconds_until(moment: i64, now: Timestamp) -> Duration {
    Duration::from_secs(u64::try_from(moment.saturating_sub(now.seconds())).unwrap_or(0))
}

/// Reads `Wed, 21 Oct 2026 07:28:00 GMT`, the one form of date that HTTP still writes.
fn http_date(text: &str) -> Option<Timestamp> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = fields[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    Timestamp::parse(&format!("{year}-{month:02}-{day}T{time}Z"))
}

fn speaks_of_a_limit(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body).to_ascii_lowercase();
    text.contains("secondary rate limit") || text.contains("abuse detection")
}

/// An account without credit answers 429 too, and no waiting fills it.
fn is_out_of_credit(body: &[u8]) -> bool {
    String::from_utf8_lossy(body).contains("insufficient_quota")
}

fn doubled(first: Duration, attempt: u32) -> Duration {
    first.saturating_mul(1 << attempt.saturating_sub(1).min(DOUBLINGS_MAX))
}

/// With waits of 1, 2, 4, 8 and 16 s between them, a restart of the service is outlived.
const ATTEMPTS_MAX: u32 = 6;
const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const DOUBLINGS_MAX: u32 = 10;
/// The limit that just ended may not have ended everywhere.
const RESET_REST_MIN: Duration = Duration::from_secs(1);
/// As seconds, this is the year 5138.
const MILLISECONDS_FROM: i64 = 100_000_000_000;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[cfg(test)]
mod tests;

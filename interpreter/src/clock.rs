//! Time, and waiting for it to pass.
//!
//! Everything at the edge that needs either is handed a clock, so that no test sleeps and a recorded
//! run can be given its times.

use std::{
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use nebuko::time::Timestamp;

/// Tells the time and waits.
pub trait Clock {
    /// Gives the time of day.
    fn now(&self) -> Timestamp;
    /// Gives milliseconds since some fixed moment. It never goes back, unlike the time of day.
    fn elapsed_ms(&self) -> u64;
    /// Waits so long.
    fn sleep(&self, span: Duration);
    /// Gives some part of a span, another one each time, so that many machines that failed together do not
    /// come back together.
    fn part_of(&self, span: Duration) -> Duration;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// Starts counting now.
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let seconds = since_1970().as_secs();
        Timestamp::from_seconds(i64::try_from(seconds).unwrap_or(i64::MAX))
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn sleep(&self, span: Duration) {
        thread::sleep(span);
    }

    fn part_of(&self, span: Duration) -> Duration {
        // The microseconds within a millisecond are as good as chance here, and need no generator.
        span * (since_1970().subsec_micros() % PARTS) / PARTS
    }
}

/// A clock set before 1970 reads as 1970.
fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// How finely a span is divided.
const PARTS: u32 = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_never_more_than_the_whole() {
        let clock = SystemClock::start();
        for span in [Duration::ZERO, Duration::from_nanos(1), Duration::from_secs(30), Duration::from_secs(86_400)] {
            for _ in 0..50 {
                assert!(clock.part_of(span) <= span, "{span:?}");
            }
        }
    }

    #[test]
    fn the_time_of_day_is_of_this_century() {
        let now = SystemClock::start().now().to_string();
        assert!(now.starts_with("20") && now.ends_with('Z'), "{now}");
    }
}

//! When nebuko itself is told to stop: a running program is ended first.
//!
//! A program has a process group of its own, so Ctrl-C reaches nebuko and not the program. While one runs, the signals
//! that end a process are noted here; at any other time they do what they always do.
#![allow(clippy::disallowed_types, reason = "a signal reaches a process through its atomics; the list is the core's")]

use std::{
    fs, process,
    sync::{
        Mutex, Once, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag, low_level,
};

/// Notes the signals that come until its end.
#[must_use = "signals go unheard until it is ended"]
pub(super) struct Watch {
    first: Option<i32>,
}

impl Watch {
    /// Starts to note signals.
    pub(super) fn begin() -> Self {
        REGISTERED.call_once(register);
        let mut running = running();
        *running += 1;
        IDLE.store(false, Ordering::SeqCst);
        Self { first: None }
    }

    /// Tells whether another signal came since it was last asked.
    pub(super) fn is_told(&mut self) -> bool {
        let signal = i32::try_from(TOLD.swap(0, Ordering::SeqCst)).unwrap_or(0);
        if signal != 0 {
            self.first.get_or_insert(signal);
        }
        signal != 0
    }

    /// Stops to note signals, and gives the first that came. From here on they do what they always do, and one that came
    /// a moment before is not lost.
    pub(super) fn end(mut self) -> Option<i32> {
        let mut running = running();
        *running -= 1;
        IDLE.store(*running == 0, Ordering::SeqCst);
        drop(running);
        self.is_told();
        self.first
    }
}

/// Ends this process as the signal would have done it.
pub(super) fn obey(signal: i32) -> ! {
    let _ = low_level::emulate_default_handler(signal);
    process::exit(128 + signal)
}

/// One that somebody chose to ignore, as `nohup` does, stays ignored. Where a signal cannot be watched it does what it
/// always does.
fn register() {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(&status, *signal)) {
        // In this order: what is told to nobody who runs a program ends the process.
        let is_watched = flag::register_conditional_default(signal, &IDLE);
        let number = usize::try_from(signal).unwrap_or(0);
        let _ = is_watched.and_then(|_| flag::register_usize(signal, &TOLD, number));
    }
}

/// Reads the mask of ignored signals, where the system shows one.
fn is_ignored(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

fn running() -> std::sync::MutexGuard<'static, usize> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

static REGISTERED: Once = Once::new();
/// How many programs run; more than one only where tests do.
static RUNNING: Mutex<usize> = Mutex::new(0);
/// Whether no program runs, so that a signal ends the process at once.
static IDLE: AtomicBool = AtomicBool::new(true);
/// The last signal that came and was not looked at.
static TOLD: AtomicUsize = AtomicUsize::new(0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_signal_is_known() {
        let check = |status: &str, signal: i32, ignored: bool| {
            assert_eq!(is_ignored(status, signal), ignored, "{status:?} {signal}");
        };
        let status = "SigBlk:\t0000000000000003\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000004000\n";
        check(status, SIGHUP, true);
        check(status, SIGINT, false);
        check(status, SIGTERM, false);
        check("", SIGHUP, false);
        check("SigIgn:\tx\n", SIGHUP, false);
    }
}

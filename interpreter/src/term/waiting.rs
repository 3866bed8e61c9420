//! What is shown while a model is asked: how long already, how many tokens, and what the run cost so far.
//!
//! On a terminal it is a line that moves and is gone when the answer is there; elsewhere, as in a job's log, a line a
//! minute.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use nebuko::{effect::Level, setup::Usd};

use super::{Term, line};
use crate::clock::{Clock, SystemClock};

/// Shows lines, and that a model is at work. All clones show the same.
#[derive(Clone, Debug)]
pub struct Waiting {
    term: Term,
    shown: Shown,
}

#[derive(Clone, Debug)]
enum Shown {
    /// Nobody looks.
    Nowhere,
    /// A line of a terminal.
    Bar(ProgressBar),
    /// Lines of a log, written by a thread that waits for the next minute.
    Log(Sender<Signal>),
}

#[derive(Debug)]
enum Signal {
    Asked { whom: String },
    Heard { pieces: u64 },
    Answered,
}

impl Waiting {
    /// Chooses the form: nothing where only warnings are wanted, a moving line on a terminal, else a line a minute.
    pub fn new(term: Term, is_dumb: bool) -> Self {
        let bar = bar();
        let shown = if term.quiet {
            Shown::Nowhere
        } else if io::stderr().is_terminal() && !bar.is_hidden() && !term.in_actions && !is_dumb {
            Shown::Bar(bar)
        } else {
            let (sender, signals) = mpsc::channel();
            thread::spawn(move || minutes(&signals, MINUTE, |text| term.tell(Level::Info, text)));
            Shown::Log(sender)
        };
        Self { term, shown }
    }

    /// For whoever asks no model: shows lines only.
    pub fn for_nobody(term: Term) -> Self {
        Self { term, shown: Shown::Nowhere }
    }

    /// Begins to show that a model is asked.
    pub(super) fn asked(&self, model: &str, cost: Option<Usd>) {
        let mut whom = format!("waiting for {}", line(model));
        if let Some(cost) = cost {
            let _ = write!(whom, ", {cost} USD so far");
        }
        match &self.shown {
            Shown::Nowhere => {}
            Shown::Bar(bar) => {
                bar.reset();
                bar.set_message(whom);
                bar.tick();
                bar.enable_steady_tick(TICK);
            }
            Shown::Log(log) => signal(log, Signal::Asked { whom }),
        }
    }

    /// Shows how much of an answer is there.
    pub fn heard(&self, pieces: u64) {
        match &self.shown {
            Shown::Nowhere => {}
            Shown::Bar(bar) => bar.set_position(pieces),
            Shown::Log(log) => signal(log, Signal::Heard { pieces }),
        }
    }

    /// Shows no more of it.
    pub(super) fn answered(&self) {
        match &self.shown {
            Shown::Nowhere => {}
            Shown::Bar(bar) => {
                bar.disable_steady_tick();
                bar.finish_and_clear();
            }
            Shown::Log(log) => signal(log, Signal::Answered),
        }
    }

    /// Shows a line of its own, which a line that moves must not write over.
    pub fn tell(&self, level: Level, text: &str) {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(|| self.term.tell(level, text)),
            Shown::Nowhere | Shown::Log(_) => self.term.tell(level, text),
        }
    }
}

/// The thread ends when nobody is left to signal, so there is always somebody to take it until then.
fn signal(log: &Sender<Signal>, signal: Signal) {
    let _ = log.send(signal);
}

fn bar() -> ProgressBar {
    let tokens = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(&counted(state.pos()));
    };
    // Nothing of this is to be seen before a model is asked.
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{spinner:.cyan} {msg}: {elapsed}{tokens}") {
        Ok(style) => bar.with_style(style.with_key("tokens", tokens)),
        Err(_) => bar,
    }
}

/// Tells a line each time that a model has been at work for so long again, until nobody signals any more.
fn minutes(signals: &Receiver<Signal>, every: Duration, mut tell: impl FnMut(&str)) {
    let clock = SystemClock::start();
    let every = u64::try_from(every.as_millis()).unwrap_or(u64::MAX);
    let mut asked: Option<Asked> = None;
    loop {
        let came = match &asked {
            Some(asked) => signals.recv_timeout(Duration::from_millis(asked.next.saturating_sub(clock.elapsed_ms()))),
            None => signals.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        let now = clock.elapsed_ms();
        match (came, &mut asked) {
            (Ok(Signal::Asked { whom }), _) => {
                asked = Some(Asked { whom, since: now, next: now.saturating_add(every), pieces: 0 });
            }
            (Ok(Signal::Heard { pieces }), Some(asked)) => asked.pieces = pieces,
            (Ok(Signal::Answered), _) => asked = None,
            (Err(RecvTimeoutError::Timeout), Some(asked)) => {
                asked.next = now.saturating_add(every);
                let seconds = now.saturating_sub(asked.since) / 1_000;
                tell(&format!("{}: {seconds} s{}", asked.whom, counted(asked.pieces)));
            }
            (Err(RecvTimeoutError::Disconnected), _) => return,
            (Ok(Signal::Heard { .. }) | Err(RecvTimeoutError::Timeout), None) => {}
        }
    }
}

struct Asked {
    whom: String,
    since: u64,
    next: u64,
    pieces: u64,
}

/// A piece is about a token; how many there were exactly is only known in the end.
fn counted(pieces: u64) -> String {
    if pieces == 0 { String::new() } else { format!(", about {pieces} tokens") }
}

/// Often enough to be seen moving.
const TICK: Duration = Duration::from_millis(120);
const MINUTE: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives the first so many lines that come of these signals, a millisecond apart.
    fn lines(signals: Vec<Signal>, count: usize) -> Vec<String> {
        let (sender, receiver) = mpsc::channel();
        for signal in signals {
            sender.send(signal).expect("the other end is here");
        }
        let (mut open, mut lines) = (Some(sender), Vec::new());
        if count == 0 {
            open = None;
        }
        minutes(&receiver, Duration::from_millis(1), |line| {
            lines.push(line.to_owned());
            if lines.len() == count {
                open = None;
            }
        });
        lines
    }

    #[test]
    fn a_log_has_a_line_each_time_while_a_model_is_at_work() {
        let asked = |whom: &str| Signal::Asked { whom: format!("waiting for {whom}") };
        assert_eq!(lines(vec![asked("m-1")], 2), ["waiting for m-1: 0 s", "waiting for m-1: 0 s"]);
        let heard = vec![asked("m-1"), Signal::Heard { pieces: 7 }, Signal::Heard { pieces: 9 }];
        assert_eq!(lines(heard, 1), ["waiting for m-1: 0 s, about 9 tokens"]);
        let next = vec![asked("m-1"), Signal::Heard { pieces: 7 }, Signal::Answered, asked("m-2")];
        assert_eq!(lines(next, 1), ["waiting for m-2: 0 s"]);
        let over = vec![asked("m-1"), Signal::Answered, Signal::Heard { pieces: 1 }];
        assert_eq!(lines(over, 0), [""; 0]);
    }
}

//! The loop between the core and a world.
//!
//! All effects of a step are carried out, in order, before the next event is fed; every effect comes back as
//! exactly one event. The loop decides nothing: what happens next is for `step`, how an effect is carried out
//! for the world, what is shown or kept for the observers.

use std::collections::VecDeque;

use nebuko::{
    effect::Effect,
    event::{Event, Outcome, Trigger},
    report::{Reason, Report, RunOutcome},
    run::Run,
    snapshot::ThreadSnapshot,
    step::step,
    time::Timestamp,
};

use crate::world::World;

mod observer;

pub use observer::Observer;

/// Drives a run from its wake-up to its end.
///
/// The report is the core's own, but for two ends that the core cannot see: a run that goes in circles, and one
/// that stops asking without having ended. Both are faults of this program and are reported as such.
pub fn drive(
    run: Run,
    world: &mut dyn World,
    thread: ThreadSnapshot,
    trigger: Trigger,
    at: Timestamp,
    observer: &mut dyn Observer,
) -> Report {
    let bound = STEPS_PER_WORKFLOW_STEP.saturating_mul(run.setup().settings.max_steps as usize + 1);
    let report = turns(run, world, thread, Event::Woken { trigger, at }, bound, observer);
    observer.ended(&report);
    report
}

/// What the loop needs of the core. `Run` is the only one that ships.
trait Machine: Sized {
    fn fed(self, thread: &ThreadSnapshot, event: Event) -> (Self, Vec<Effect>);
    fn end(&self) -> Option<&Report>;
    fn digest(&self) -> String;
}

impl Machine for Run {
    fn fed(self, thread: &ThreadSnapshot, event: Event) -> (Self, Vec<Effect>) {
        step(self, thread, event)
    }
    fn end(&self) -> Option<&Report> {
        self.report()
    }
    fn digest(&self) -> String {
        Run::digest(self)
    }
}

fn turns<M: Machine>(
    mut machine: M,
    world: &mut dyn World,
    mut thread: ThreadSnapshot,
    woken: Event,
    bound: usize,
    observer: &mut dyn Observer,
) -> Report {
    observer.came(&woken, &thread);
    let mut events = VecDeque::from([woken]);
    for _ in 0..bound {
        let Some(event) = events.pop_front() else {
            return machine.end().cloned().unwrap_or_else(stopped_asking);
        };
        let (next, effects) = machine.fed(&thread, event);
        machine = next;
        observer.stepped(&effects, &|| machine.digest());
        for effect in &effects {
            observer.asked(effect);
            let event = world.carry_out(effect, &mut thread);
            take_in(&event, &mut thread);
            observer.came(&event, &thread);
            events.push_back(event);
        }
    }
    goes_in_circles(bound)
}

/// Merges a posted or edited comment into the thread, as `step` is promised.
pub(crate) fn take_in(event: &Event, thread: &mut ThreadSnapshot) {
    if let Event::Answered {
        outcome: Outcome::CommentPosted { comment } | Outcome::CommentEdited { comment }, ..
    } = event
    {
        thread.merge(vec![comment.clone()]);
    }
}

/// A step of work takes a model call a turn, a post a part, and a few reads and told lines, all bounded far below
/// this; only a fault can reach it.
const STEPS_PER_WORKFLOW_STEP: usize = 1_000;

fn stopped_asking() -> Report {
    fault(Reason::OutOfStep, "the run stopped asking for anything without having ended".into())
}

fn goes_in_circles(bound: usize) -> Report {
    fault(Reason::LimitReached, format!("the run was stopped after {bound} events: it goes in circles"))
}

fn fault(reason: Reason, detail: String) -> Report {
    Report {
        outcome: RunOutcome::Failed,
        reason,
        detail: detail + ". This is a fault of nebuko: please report it with a recording (--record FILE).",
        workflow: String::new(),
        step: String::new(),
        agent: String::new(),
        run_id: 0,
        posted: Vec::new(),
        unposted: Vec::new(),
        state: None,
    }
}

#[cfg(test)]
mod tests {
    use nebuko::{effect::Level, event::Trigger};

    use super::*;

    /// Asks for `asks[n]` lines when it is fed its n-th event, and ends after the last.
    struct Script {
        asks: Vec<&'static [&'static str]>,
        fed: usize,
        ends: bool,
        end: Option<Report>,
        circles: bool,
    }

    impl Machine for Script {
        fn fed(mut self, _thread: &ThreadSnapshot, _event: Event) -> (Self, Vec<Effect>) {
            let at = if self.circles { 0 } else { self.fed };
            let tell = |text: &&str| Effect::Tell { level: Level::Info, text: (*text).into() };
            let effects = self.asks.get(at).map_or_else(Vec::new, |lines| lines.iter().map(tell).collect());
            self.fed += 1;
            if self.ends && self.fed == self.asks.len() {
                self.end = Some(fault(Reason::StepDone, "done".into()));
            }
            (self, effects)
        }
        fn end(&self) -> Option<&Report> {
            self.end.as_ref()
        }
        fn digest(&self) -> String {
            self.fed.to_string()
        }
    }

    struct Nowhere;

    impl World for Nowhere {
        fn carry_out(&mut self, _effect: &Effect, _thread: &mut ThreadSnapshot) -> Event {
            Event::Answered { outcome: Outcome::Told, at: Timestamp::default() }
        }
        fn requests(&self) -> u64 {
            0
        }
    }

    #[derive(Default)]
    struct Log(Vec<String>);

    impl Observer for Log {
        fn asked(&mut self, effect: &Effect) {
            if let Effect::Tell { text, .. } = effect {
                self.0.push(format!("do {text}"));
            }
        }
        fn stepped(&mut self, _effects: &[Effect], digest: &dyn Fn() -> String) {
            self.0.push(format!("step {}", digest()));
        }
    }

    fn run(script: Script, bound: usize) -> (Report, Vec<String>) {
        let woken = Event::Woken { trigger: Trigger::Manual, at: Timestamp::default() };
        let mut log = Log::default();
        let report = turns(script, &mut Nowhere, ThreadSnapshot::default(), woken, bound, &mut log);
        (report, log.0)
    }

    #[test]
    fn all_effects_of_a_step_come_before_the_next_event() {
        let asks: Vec<&'static [&'static str]> = vec![&["a", "b"], &["c"], &[], &[]];
        let (report, log) = run(Script { asks, fed: 0, ends: true, end: None, circles: false }, 100);
        // `c` is asked for by the first answer, and is carried out before the second one is fed.
        assert_eq!(log, ["step 1", "do a", "do b", "step 2", "do c", "step 3", "step 4"]);
        assert_eq!(report.reason, Reason::StepDone);
    }

    #[test]
    fn a_run_that_stops_asking_without_an_end_is_reported() {
        let (report, log) = run(Script { asks: vec![&[]], fed: 0, ends: false, end: None, circles: false }, 100);
        assert_eq!((report.outcome, report.reason), (RunOutcome::Failed, Reason::OutOfStep));
        assert_eq!(log, ["step 1"]);
    }

    #[test]
    fn a_run_that_goes_in_circles_meets_the_bound() {
        let (report, log) = run(Script { asks: vec![&["again"]], fed: 0, ends: false, end: None, circles: true }, 7);
        assert_eq!((report.outcome, report.reason), (RunOutcome::Failed, Reason::LimitReached));
        assert_eq!(log.iter().filter(|line| line.starts_with("step")).count(), 7);
    }
}

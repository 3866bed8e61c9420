//! What is shown while a run goes on: what came of each moment. The moments themselves are told by the core.

use std::collections::BTreeMap;

use nebuko::{
    agent::usage_of,
    effect::{Effect, Level},
    event::{Event, Failure, Outcome, Trigger},
    process::{Process, ProcessEnd, Ran},
    setup::{Prices, Settings, Usd},
    snapshot::ThreadSnapshot,
};

use super::{Term, Waiting, seconds};
use crate::run::Observer;

/// Shows what came of the moments of a run, and remembers the last failure.
#[derive(Clone, Debug)]
pub struct Progress {
    term: Term,
    waiting: Waiting,
    /// What models cost, by the names that their services know.
    prices: BTreeMap<String, Prices>,
    /// What this run cost so far, where anything has a price.
    cost: Option<Usd>,
    /// The model that is being asked.
    model: String,
    /// Whether the first reading was shown. A run reads again to be sure of things; that is no news.
    read: bool,
    /// The comment that is to have woken the engine.
    trigger: Option<u64>,
    /// Whether a model is being asked.
    asking: bool,
    /// The program that runs.
    program: String,
    failed: Option<Failed>,
}

/// What is known of the last effect that failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// How it failed.
    pub failure: Failure,
    /// Whether it was to ask a model.
    pub of_model: bool,
}

impl Progress {
    /// Shows the moments of a run.
    pub fn new(term: Term, waiting: Waiting, settings: &Settings, trigger: &Trigger) -> Self {
        let trigger = if let Trigger::Comment { id, .. } = trigger { Some(*id) } else { None };
        let priced = settings.models.values().filter_map(|model| Some((model.name.clone(), model.prices?)));
        let (prices, model, program) = (priced.collect(), String::new(), String::new());
        Self { term, waiting, prices, cost: None, model, read: false, trigger, asking: false, program, failed: None }
    }

    /// Gives what is known of the last effect that failed.
    pub fn last_failure(&self) -> Option<&Failed> {
        self.failed.as_ref()
    }

    fn first_reading(&mut self, thread: &ThreadSnapshot) {
        self.read = true;
        let count = thread.comments.len();
        let many = if count == 1 { "" } else { "s" };
        self.term.done(&format!("read #{} with {count} comment{many}", thread.issue.number));
        if let Some(id) = self.trigger {
            self.term.missing_trigger(thread, id);
        }
    }

    /// A program may take long and shows nothing meanwhile, so that it runs is said before.
    fn program_starts(&mut self, process: &Process) {
        self.program = process.argv.first().cloned().unwrap_or_default();
        let text = format!("{} runs, for {} s at most", self.program, process.timeout_seconds);
        self.term.tell(Level::Info, &text);
    }

    fn answered(&mut self, body: &str, took_ms: u64) {
        let used = usage_of(body);
        let mut text = format!("answered after {}", seconds(took_ms));
        if used != Default::default() {
            text.push_str(&format!(", {} + {} tokens", used.input, used.output));
        }
        if let Some(prices) = self.prices.get(&self.model) {
            let cost = prices.cost(used.input, used.cached, used.output).plus(self.cost.unwrap_or_default());
            self.cost = Some(cost);
            text.push_str(&format!(", {cost} USD so far"));
        }
        self.term.done(&text);
    }

    /// What follows from it is told by the core.
    fn program_ended(&self, ran: &Ran) {
        let text = format!("{} {}", self.program, ended(ran));
        if ran.is_ok() { self.term.done(&text) } else { self.term.tell(Level::Info, &text) }
    }
}

/// Says how a program ended, in a few words.
fn ended(ran: &Ran) -> String {
    let after = seconds(ran.took_ms);
    match &ran.end {
        ProcessEnd::Exited { code: 0 } => format!("ended well after {after}"),
        ProcessEnd::Exited { code } => format!("ended with {code} after {after}"),
        ProcessEnd::Signalled { signal } => format!("was ended by signal {signal} after {after}"),
        ProcessEnd::TimedOut { seconds } => format!("was ended at its limit of {seconds} s"),
        ProcessEnd::NotStarted { why } => format!("was not started: {why}"),
    }
}

impl Observer for Progress {
    fn asked(&mut self, effect: &Effect) {
        self.asking = matches!(effect, Effect::Complete { .. });
        match effect {
            Effect::RunProcess { process } => self.program_starts(process),
            Effect::Complete { request, .. } => {
                self.model.clone_from(&request.model);
                self.waiting.asked(&request.model, self.cost);
            }
            // The core tells about these itself, or the world does.
            Effect::ReadThread { .. }
            | Effect::ReadViewer
            | Effect::ReadPermission { .. }
            | Effect::ReadWorkflow { .. }
            | Effect::UseTool { .. }
            | Effect::PostComment { .. }
            | Effect::EditComment { .. }
            | Effect::Tell { .. } => {}
        }
    }

    fn came(&mut self, event: &Event, thread: &ThreadSnapshot) {
        let Event::Answered { outcome, .. } = event else {
            return;
        };
        let of_model = std::mem::take(&mut self.asking);
        if of_model {
            self.waiting.answered();
        }
        match outcome {
            Outcome::ThreadRead if self.read => {}
            Outcome::ThreadRead => self.first_reading(thread),
            Outcome::Completed { body, took_ms } => self.answered(body, *took_ms),
            Outcome::ProcessRan { ran } => self.program_ended(ran),
            Outcome::Failed { failure } => {
                self.failed = Some(Failed { failure: failure.clone(), of_model });
            }
            // The core tells about these itself.
            Outcome::CommentPosted { .. }
            | Outcome::CommentEdited { .. }
            | Outcome::ViewerRead { .. }
            | Outcome::PermissionRead { .. }
            | Outcome::ToolUsed { .. }
            | Outcome::WorkflowRead { .. }
            | Outcome::Told => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_program_is_told_in_a_few_words() {
        let check = |end: ProcessEnd, words: &str| {
            assert_eq!(ended(&Ran { end, took_ms: 1_250, ..Ran::default() }), words);
        };
        check(ProcessEnd::Exited { code: 0 }, "ended well after 1.2 s");
        check(ProcessEnd::Exited { code: 3 }, "ended with 3 after 1.2 s");
        check(ProcessEnd::Signalled { signal: 9 }, "was ended by signal 9 after 1.2 s");
        check(ProcessEnd::TimedOut { seconds: 1 }, "was ended at its limit of 1 s");
        check(ProcessEnd::NotStarted { why: "no file".into() }, "was not started: no file");
    }
}

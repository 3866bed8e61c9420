//! A forge and a model in memory, so that whole runs can be measured: nothing fails and nothing waits.
//!
//! Misbehaving services are for the core's own tests.

use std::collections::VecDeque;

use nebuko::{
    effect::Effect,
    event::{Event, Failure, FailureKind, Outcome, Trigger},
    ids::Identity,
    report::Report,
    run::Run,
    setup::{Agent, Setup},
    shipped,
    snapshot::{Comment, ThreadSnapshot},
    step::step,
    time::Timestamp,
    workflow,
};
use serde_json::{Value, json};

use crate::{ACTOR, thread};

/// A thread, and the model that answers in it.
#[derive(Clone, Debug)]
pub struct Forge {
    thread: ThreadSnapshot,
    answers: VecDeque<String>,
    /// The body of every request to the model, in order.
    pub requests: Vec<String>,
    /// How many events were fed to `step`.
    pub steps: u64,
    seconds: i64,
}

impl Forge {
    /// Makes a thread that dana opened with some words, and that has some comments.
    pub fn new(opening: &str, comments: Vec<Value>) -> Self {
        let json = json!({"issue": thread::issue(opening), "comments": comments});
        let thread = serde_json::from_value(json).expect("the generated thread is one");
        Self { thread, answers: VecDeque::new(), requests: Vec::new(), steps: 0, seconds: 1_791_190_800 }
    }

    /// Adds what the model answers: its report, and the arguments of its dispatch.
    pub fn answering(mut self, report: &str, dispatch: &Value) -> Self {
        let call = json!({"id": "c1", "type": "function",
            "function": {"name": "dispatch_next", "arguments": dispatch.to_string()}});
        let message = json!({"content": report, "tool_calls": [call]});
        self.answers.push_back(json!({"choices": [{"finish_reason": "stop", "message": message}]}).to_string());
        self
    }

    /// Plays one run to its end.
    pub fn play(&mut self, setup: Setup, trigger: Trigger) -> Report {
        let mut run = Run::new(setup);
        let mut events = VecDeque::from([Event::Woken { trigger, at: self.now() }]);
        while let Some(event) = events.pop_front() {
            self.steps += 1;
            let (next, effects) = step(run, &self.thread, event);
            run = next;
            for effect in effects {
                self.seconds += 1;
                let outcome = self.carry_out(effect);
                events.push_back(Event::Answered { outcome, at: self.now() });
            }
            assert!(self.steps < STEPS_MAX, "the run does not end");
        }
        run.report().cloned().expect("a run without effects has ended")
    }

    fn carry_out(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::Tell { .. } => Outcome::Told,
            Effect::ReadViewer => {
                let viewer = Identity::new(ACTOR.0, ACTOR.1);
                Outcome::ViewerRead { viewer: Some(viewer), how: "GET /user".into() }
            }
            Effect::ReadThread { .. } => Outcome::ThreadRead,
            Effect::ReadPermission { .. }
            | Effect::ReadWorkflow { .. }
            | Effect::RunProcess { .. }
            | Effect::UseTool { .. } => Outcome::Failed { failure: ran_out() },
            Effect::Complete { request, .. } => {
                self.requests.push(serde_json::to_string(&request).expect("a request is JSON"));
                match self.answers.pop_front() {
                    Some(body) => Outcome::Completed { body, took_ms: 10 },
                    None => Outcome::Failed { failure: ran_out() },
                }
            }
            Effect::PostComment { body, .. } => {
                let id = self.thread.comments.iter().map(|comment| comment.id).max().unwrap_or(1_000) + 1;
                Outcome::CommentPosted { comment: self.store(id, &body) }
            }
            Effect::EditComment { id, body } => Outcome::CommentEdited { comment: self.store(id, &body) },
        }
    }

    fn store(&mut self, id: u64, body: &str) -> Comment {
        let comment: Comment =
            serde_json::from_value(thread::comment(id, ACTOR, body)).expect("the generated comment is one");
        self.thread.merge(vec![comment.clone()]);
        comment
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.seconds)
    }
}

/// Sets up the shipped workflow and prompts, whose sizes are part of what is measured.
pub fn shipped_setup() -> Setup {
    let workflows = shipped::WORKFLOWS.iter().map(|(file, text)| {
        let workflow = workflow::parse(file, text).expect("the shipped workflows are right");
        (workflow.name.clone(), workflow)
    });
    let agents = shipped::AGENTS.iter().map(|(file, text)| {
        let role = file.trim_start_matches("agents/").trim_end_matches(".md");
        (role.into(), Agent { prompt: (*text).into(), location: (*file).into(), ..Agent::default() })
    });
    let mut setup = Setup {
        repo: "acme/site".into(),
        number: 12,
        workflows: workflows.collect(),
        agents: agents.collect(),
        ..Setup::default()
    };
    // A review that rejects sends the work back as often as a bench asks for.
    setup.settings.limits.same_step = 100;
    setup
}

fn ran_out() -> Failure {
    Failure {
        kind: FailureKind::Local,
        attempted: "ask the model".into(),
        why: "the script has no more answers".into(),
        next: "write a longer one".into(),
        took_ms: 0,
    }
}

/// No bench needs more.
const STEPS_MAX: u64 = 100_000;

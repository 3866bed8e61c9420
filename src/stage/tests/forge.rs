//! A forge in memory for the stages' tests: it stores what is posted, and misbehaves where a test says so.

use alloc::{
    collections::{BTreeMap, VecDeque},
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Value, json};

use crate::{
    dispatch::Complexity,
    effect::Effect,
    event::{Event, Failure, FailureKind, Outcome, Permission, Trigger},
    ids::Identity,
    process::{Process, Ran},
    report::Report,
    run::Run,
    setup::{Agent, Setup},
    snapshot::{Account, Comment, Issue, ThreadSnapshot},
    step::step,
    time::Timestamp,
    workflow::{Condition, Step, Work, Workflow},
    workspace::{ToolDone, ToolUse},
};

/// What goes wrong with a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is stored and the answer is lost.
    StoredAndLost,
    /// It is not stored and the answer is lost.
    DroppedAndLost,
    /// It is stored, the answer is lost, and the next listing does not have it yet.
    StoredAndHidden,
    /// It is refused.
    Refused,
    /// It is stored, and before that another run's comment.
    RivalFirst,
}

/// A thread and everything around it.
#[derive(Clone, Debug)]
pub(crate) struct Forge {
    pub(crate) thread: ThreadSnapshot,
    pub(crate) viewer: Option<Identity>,
    /// Whose posts come back, where the service does not tell it before.
    pub(crate) posts_as: Option<Identity>,
    /// What the model answers, in order.
    pub(crate) answers: VecDeque<String>,
    /// What goes wrong with each post, in order.
    pub(crate) faults: VecDeque<Option<Fault>>,
    /// Reads fail from this one on, counted from 1.
    pub(crate) reads_fail_from: Option<usize>,
    /// A comment that is there from the given read on.
    pub(crate) arrives: Option<(usize, Comment)>,
    /// What was asked of the model.
    pub(crate) prompts: Vec<String>,
    /// What people may do, by login.
    pub(crate) permissions: BTreeMap<String, Permission>,
    /// Workflows of other repositories, by reference.
    pub(crate) elsewhere: BTreeMap<String, String>,
    /// How a model fails that has no answer left.
    pub(crate) model_fails: FailureKind,
    /// How reading one that is not there fails.
    pub(crate) elsewhere_fails: FailureKind,
    /// What programs come to, in order.
    pub(crate) runs: VecDeque<Ran>,
    /// What programs were run.
    pub(crate) processes: Vec<Process>,
    /// What workspace tools come to, in order.
    pub(crate) done: VecDeque<ToolDone>,
    /// How workspace tools were used.
    pub(crate) uses: Vec<ToolUse>,
    /// Milliseconds that each answer of the model takes.
    pub(crate) took_ms: u64,
    reads: usize,
    /// Ids that are given to comments which no listing shows yet.
    reserved: u64,
    clock: i64,
}

/// Everything that happened in one run.
pub(crate) struct Played {
    pub(crate) report: Report,
    /// Each event with the effects that followed, as JSON.
    pub(crate) log: Vec<String>,
    /// The run before each event, with the event.
    pub(crate) moments: Vec<(Run, Event, ThreadSnapshot)>,
}

impl Forge {
    /// Makes a thread of an issue and comments, with the engine's account `engine-owner`.
    pub(crate) fn new(comments: Vec<Comment>) -> Self {
        let issue = Issue {
            id: 5_794_187_059,
            number: 12,
            title: "Tabs are lost".into(),
            body: "Pasting loses tabs.".into(),
            html_url: "https://github.example/acme/site/issues/12".into(),
            user: person("dana"),
            created_at: "2026-10-01T08:00:00Z".into(),
            author_association: "MEMBER".into(),
            ..Issue::default()
        };
        Self {
            thread: ThreadSnapshot { issue, comments, complete: true },
            viewer: Some(person("engine-owner").identity()),
            posts_as: None,
            answers: VecDeque::new(),
            faults: VecDeque::new(),
            reads_fail_from: None,
            arrives: None,
            prompts: Vec::new(),
            permissions: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            model_fails: FailureKind::Local,
            elsewhere_fails: FailureKind::Refused,
            runs: VecDeque::new(),
            processes: Vec::new(),
            done: VecDeque::new(),
            uses: Vec::new(),
            took_ms: 10,
            reads: 0,
            reserved: 0,
            clock: 1_791_190_800,
        }
    }

    pub(crate) fn answering(mut self, answers: &[Value]) -> Self {
        self.answers = answers.iter().map(completion).collect();
        self
    }

    /// Plays one run to its end.
    pub(crate) fn play(&mut self, setup: Setup, trigger: Trigger) -> Played {
        let mut run = Run::new(setup);
        let mut events = VecDeque::from([Event::Woken { trigger, at: self.now() }]);
        let (mut log, mut moments) = (Vec::new(), Vec::new());
        while let Some(event) = events.pop_front() {
            moments.push((run.clone(), event.clone(), self.thread.clone()));
            let heard = serde_json::to_string(&event).expect("an event is JSON");
            let (next, effects) = step(run, &self.thread, event);
            run = next;
            log.push(format!("{heard} => {}", serde_json::to_string(&effects).expect("effects are JSON")));
            for effect in effects {
                // A line that is told takes no time, so that how many there are decides no timestamp.
                self.clock += i64::from(!matches!(effect, Effect::Tell { .. }));
                let outcome = self.carry_out(effect);
                events.push_back(Event::Answered { outcome, at: self.now() });
            }
            assert!(moments.len() < MOMENTS_MAX, "the run does not end");
        }
        let report = run.report().cloned().expect("a run without effects has ended");
        Played { report, log, moments }
    }

    fn carry_out(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::Tell { .. } => Outcome::Told,
            Effect::ReadViewer => Outcome::ViewerRead { viewer: self.viewer.clone(), how: "GET /user".into() },
            Effect::ReadThread { .. } => self.read(),
            Effect::ReadPermission { login } => match self.permissions.get(&login) {
                Some(permission) => Outcome::PermissionRead { permission: *permission, how: "the test says so".into() },
                None => failed(FailureKind::Refused),
            },
            Effect::ReadWorkflow { reference } => match self.elsewhere.get(&reference) {
                Some(source) => Outcome::WorkflowRead { source: source.clone() },
                None => failed(self.elsewhere_fails),
            },
            Effect::RunProcess { process } => {
                self.processes.push(*process);
                match self.runs.pop_front() {
                    Some(ran) => Outcome::ProcessRan { ran: ran.into() },
                    None => failed(FailureKind::Local),
                }
            }
            Effect::UseTool { used } => {
                self.uses.push(*used);
                match self.done.pop_front() {
                    Some(done) => Outcome::ToolUsed { done: done.into() },
                    None => failed(FailureKind::Local),
                }
            }
            Effect::Complete { request, .. } => {
                self.prompts.push(serde_json::to_string(&request).expect("a request is JSON"));
                match self.answers.pop_front() {
                    Some(body) => Outcome::Completed { body, took_ms: self.took_ms },
                    None => failed(self.model_fails),
                }
            }
            Effect::PostComment { body, .. } => self.post(body),
            Effect::EditComment { id, body } => {
                let mut comment = self.thread.comment(id).cloned().expect("an edited comment is there");
                comment.body = body;
                self.thread.merge(Vec::from([comment.clone()]));
                Outcome::CommentEdited { comment }
            }
        }
    }

    fn read(&mut self) -> Outcome {
        self.reads += 1;
        if self.reads_fail_from.is_some_and(|from| self.reads >= from) {
            return failed(FailureKind::Unavailable);
        }
        if let Some((_, comment)) = self.arrives.take_if(|(read, _)| self.reads >= *read) {
            self.thread.merge(Vec::from([comment]));
        }
        Outcome::ThreadRead
    }

    fn post(&mut self, body: String) -> Outcome {
        match self.faults.pop_front().flatten() {
            None => Outcome::CommentPosted { comment: self.store(body) },
            Some(Fault::StoredAndLost) => {
                self.store(body);
                failed(FailureKind::Lost)
            }
            Some(Fault::DroppedAndLost) => failed(FailureKind::Lost),
            Some(Fault::StoredAndHidden) => {
                let comment = self.store(body);
                self.thread.comments.pop();
                self.arrives = Some((self.reads + 2, comment));
                self.reserved += 1;
                failed(FailureKind::Lost)
            }
            Some(Fault::Refused) => failed(FailureKind::Refused),
            Some(Fault::RivalFirst) => {
                let rival =
                    body.replace("Fixed.", "Fixed by another run.").replace("nebuko-part: 1/", "nebuko-part: 1/x");
                self.store(rival);
                Outcome::CommentPosted { comment: self.store(body) }
            }
        }
    }

    fn store(&mut self, body: String) -> Comment {
        let id = self.thread.newest_id().max(1_000 + self.reserved) + 1;
        let login = self
            .viewer
            .as_ref()
            .or(self.posts_as.as_ref())
            .map_or("nebuko[bot]", |viewer| viewer.login.as_str())
            .to_string();
        let comment = Comment { user: person(&login), ..comment(id, &login, &body) };
        self.thread.merge(Vec::from([comment.clone()]));
        comment
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.clock)
    }
}

/// Makes a comment by one of the people of the tests.
pub(crate) fn comment(id: u64, by: &str, body: &str) -> Comment {
    let author_association = match by {
        "dana" | "omar" => "MEMBER",
        "engine-owner" => "OWNER",
        _ => "NONE",
    };
    Comment {
        id,
        body: body.into(),
        html_url: format!("https://github.example/acme/site/issues/12#issuecomment-{id}"),
        user: person(by),
        created_at: "2026-10-02T08:00:00Z".into(),
        updated_at: "2026-10-02T08:00:00Z".into(),
        author_association: author_association.into(),
    }
}

fn person(login: &str) -> Account {
    let id = match login {
        "dana" => 501,
        "omar" => 502,
        "engine-owner" => 9001,
        "nebuko[bot]" => 99,
        "stranger" => 777,
        _ => 0,
    };
    let kind = if login.ends_with("[bot]") { "Bot" } else { "User" };
    Account { id, login: login.into(), name: String::new(), kind: kind.into() }
}

/// Sets up two roles in a loop: `dev` writes, `review` sends back what it rejects.
pub(crate) fn setup() -> Setup {
    let dev = Step {
        name: "dev".into(),
        work: Work::Agent("dev".into()),
        next: Some("review".into()),
        complexity: Some(Complexity::Medium),
        ..Step::default()
    };
    let rejected = Condition { on_result: "rejected".into(), next: Some("dev".into()) };
    let review = Step {
        name: "review".into(),
        work: Work::Agent("review".into()),
        conditions: Vec::from([rejected]),
        ..Step::default()
    };
    let workflow = Workflow { name: "default".into(), steps: Vec::from([dev, review]), ..Workflow::default() };
    let agent = |role: &str| {
        let (prompt, location) = (format!("You are {role}.\n"), format!("agents/{role}.md"));
        Agent { prompt, location, ..Agent::default() }
    };
    Setup {
        repo: "acme/site".into(),
        number: 12,
        workflows: [(workflow.name.clone(), workflow)].into(),
        agents: ["dev", "review"].map(|role| (role.to_string(), agent(role))).into(),
        ..Setup::default()
    }
}

/// Writes an answer as a server would: `{say, dispatch, usage}`.
fn completion(answer: &Value) -> String {
    let usage = answer.get("usage").cloned();
    let usage = usage.unwrap_or_else(|| json!({"prompt_tokens": 1_000, "completion_tokens": 50}));
    let calls: Vec<Value> = answer
        .get("dispatch")
        .map(|arguments| {
            json!({"id": "c1", "type": "function",
                "function": {"name": "dispatch_next", "arguments": arguments.to_string()}})
        })
        .into_iter()
        .collect();
    json!({"choices": [{"finish_reason": "stop", "message": {"content": answer["say"], "tool_calls": calls}}],
        "usage": usage})
    .to_string()
}

fn failed(kind: FailureKind) -> Outcome {
    Outcome::Failed {
        failure: Failure {
            kind,
            attempted: "do it".into(),
            why: "it broke".into(),
            next: "Try again.".into(),
            took_ms: 90_000,
        },
    }
}

/// No test needs more.
const MOMENTS_MAX: usize = 2_000;

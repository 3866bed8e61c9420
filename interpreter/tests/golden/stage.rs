//! A run of a story: the core's effects carried out in memory, with a clock that counts.

use nebuko::{
    config,
    effect::Effect,
    event::{Action, Event, Failure, FailureKind, Outcome, Trigger},
    report::Report,
    run::Run,
    setup::{Agent, Settings, Setup, Skill},
    shipped,
    snapshot::{Comment, ThreadSnapshot},
    step::step,
    time::Timestamp,
    workflow,
};
use serde_json::{Value, json};

use crate::case::{self, Case, Program, Said, Tool, person};

/// What came of a story.
pub(crate) struct Played {
    pub(crate) report: Report,
    pub(crate) told: Vec<String>,
    pub(crate) requests: Vec<Value>,
    pub(crate) processes: Vec<Value>,
    pub(crate) uses: Vec<Value>,
    pub(crate) thread: ThreadSnapshot,
}

/// Plays a story to its end, as often as it is delivered; the last delivery is reported.
pub(crate) fn play(case: &Case) -> Played {
    let mut stage = Played {
        report: play_nothing(),
        told: Vec::new(),
        requests: Vec::new(),
        processes: Vec::new(),
        uses: Vec::new(),
        thread: case.thread(),
    };
    let mut answers = case.model.iter();
    let mut clock = Timestamp::parse("2026-10-05T09:00:00Z").expect("the time is written as GitHub does").seconds();
    let mut posted = Vec::new();
    let again = core::iter::repeat_n(None, case.deliveries);
    for said in again.chain(case.then.iter().map(Some)) {
        let trigger = match said {
            None => case.trigger(),
            Some(said) => arrives(&mut stage.thread, said, clock),
        };
        let mut run = Run::new(setup(case));
        let mut events = Vec::from([Event::Woken { trigger, at: Timestamp::from_seconds(clock) }]);
        while !events.is_empty() {
            let event = events.remove(0);
            let (next, effects) = step(run, &stage.thread, event);
            run = next;
            for effect in effects {
                clock += 1;
                let at = Timestamp::from_seconds(clock);
                let outcome = carry_out(case, &mut stage, &mut answers, effect, at);
                events.push(Event::Answered { outcome, at });
            }
            assert!(stage.told.len() < TOLD_MAX, "{}: the run does not end", case.says);
        }
        stage.report = run.report().cloned().unwrap_or_else(|| panic!("{}: the run has no end", case.says));
        stage.report.posted.iter().for_each(|comment| stands_where_its_history_says(case, &comment.body));
        posted.extend(stage.report.posted.clone());
    }
    stage.report.posted = posted;
    assert!(answers.next().is_none(), "{}: the model has answers that nobody asked for", case.says);
    stage
}

/// Checks that after every step the newest entry's position is the state's (reference: HistoryEntry, `position`).
fn stands_where_its_history_says(case: &Case, body: &str) {
    let lines: Vec<&str> = body.lines().collect();
    let Some(at) = lines.iter().position(|line| *line == "<!-- WORKFLOW_STATE_START -->") else { return };
    let state: Value = serde_json::from_str(lines[at + 1]).unwrap_or_else(|why| panic!("{}: {why}", case.says));
    let ran = body.contains("<!-- AGENT_RUN_CONFIG ");
    if let Some(newest) = state["history"].as_array().and_then(|history| history.last()).filter(|_| ran) {
        assert_eq!(newest["position"], state["position"], "{}", case.says);
    }
}

/// Adds a comment that somebody writes after the run before, and gives the event of it.
fn arrives(thread: &mut ThreadSnapshot, said: &Said, at: i64) -> Trigger {
    let mut comment = case::comment(said);
    if comment.id == 0 {
        comment.id = thread.newest_id().max(100) + 1;
    }
    comment.html_url = format!("{}#issuecomment-{}", thread.issue.html_url, comment.id);
    comment.created_at = Timestamp::from_seconds(at).to_string();
    comment.updated_at.clone_from(&comment.created_at);
    let trigger = Trigger::Comment { id: comment.id, action: Action::Created };
    thread.merge(Vec::from([comment]));
    trigger
}

/// Sets a story up: the shipped workflows and agents, what the case adds, and its settings over them.
pub(crate) fn setup(case: &Case) -> Setup {
    let mut workflows: Vec<_> = shipped::WORKFLOWS
        .iter()
        .map(|(file, text)| workflow::parse(file, text).unwrap_or_else(|problems| panic!("{file}: {problems:?}")))
        .collect();
    workflows.extend(case.workflows.iter().map(|text| {
        let name = text.lines().find_map(|line| line.strip_prefix("name: ")).expect("a workflow has a name");
        workflow::parse(&format!("{name}.yaml"), text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
    }));
    let agents = shipped::AGENTS.iter().map(|(file, text)| {
        let role = file.rsplit('/').next().and_then(|name| name.strip_suffix(".md")).expect("a prompt is a .md file");
        (
            role.to_owned(),
            Agent { prompt: (*text).to_owned(), location: format!("built-in:{file}"), ..Agent::default() },
        )
    });
    let own = case.agents.iter().map(|(role, prompt)| {
        (role.clone(), Agent { prompt: prompt.clone(), location: format!("agents/{role}.md"), ..Agent::default() })
    });
    let skills = case
        .skills
        .iter()
        .map(|(name, text)| (name.clone(), Skill { text: text.clone(), location: format!("skills/{name}.md") }));
    let mut setup = Setup {
        repo: "acme/site".into(),
        number: 12,
        settings: Settings::default(),
        workflows: workflows.into_iter().map(|workflow| (workflow.name.clone(), workflow)).collect(),
        agents: agents.chain(own).collect(),
        skills: skills.collect(),
    };
    configure(case, &mut setup);
    setup
}

/// Puts the settings of a case over what is built in, and what a command line would say over them.
fn configure(case: &Case, setup: &mut Setup) {
    if let Some(text) = &case.config {
        let read = config::read(".nebuko/config.yaml", text);
        assert!(read.problems.is_empty(), "{}: {:?}", case.says, read.problems);
        read.config.apply(setup);
        for (role, agent) in &setup.agents {
            assert!(!agent.prompt.is_empty(), "{}: the agent {role} has no prompt in `agents`", case.says);
        }
    }
    let settings = &mut setup.settings;
    settings.history_comment_count = case.history.or(settings.history_comment_count);
    settings.trusted_actors.extend(case.trusted_actors.iter().map(|login| person(login).0.identity()));
    settings.max_steps = case.max_steps.unwrap_or(settings.max_steps);
}

fn carry_out<'a>(
    case: &Case,
    stage: &mut Played,
    answers: &mut impl Iterator<Item = &'a Value>,
    effect: Effect,
    at: Timestamp,
) -> Outcome {
    match effect {
        Effect::ReadThread { .. } => Outcome::ThreadRead,
        Effect::ReadViewer => Outcome::ViewerRead { viewer: case.viewer(), how: "GET /user".into() },
        Effect::Tell { level, text } => {
            stage.told.push(format!("{level:?}: {text}").to_lowercase().replacen(&text.to_lowercase(), &text, 1));
            Outcome::Told
        }
        Effect::ReadPermission { login } => match case.permission(&login) {
            Some(permission) => Outcome::PermissionRead { permission, how: "the repository".into() },
            None => Outcome::Failed { failure: refused("ask what a person may do") },
        },
        Effect::ReadWorkflow { reference } => match case.elsewhere.get(&reference) {
            Some(source) => Outcome::WorkflowRead { source: source.clone() },
            None => Outcome::Failed { failure: refused("read a workflow of another repository") },
        },
        Effect::RunProcess { process } => {
            let ran = case.programs.get(stage.processes.len()).map(Program::ran);
            stage.processes.push(serde_json::to_value(&process).expect("a process is JSON"));
            match ran {
                Some(ran) => Outcome::ProcessRan { ran: Box::new(ran) },
                None => Outcome::Failed { failure: refused("run a program") },
            }
        }
        Effect::UseTool { used } => {
            let done = case.tools.get(stage.uses.len()).map(Tool::done);
            stage.uses.push(serde_json::to_value(&used).expect("a use is JSON"));
            match done {
                Some(done) => Outcome::ToolUsed { done: Box::new(done) },
                None => Outcome::Failed { failure: refused("use a workspace tool") },
            }
        }
        Effect::Complete { request, .. } => {
            stage.requests.push(serde_json::to_value(&request).expect("a request is JSON"));
            match answers.next() {
                Some(answer) => Outcome::Completed { body: completion(answer).to_string(), took_ms: 1_000 },
                None => Outcome::Failed { failure: no_answer() },
            }
        }
        Effect::PostComment { body, .. } => {
            let comment = posted(case, &stage.thread, body, at);
            stage.thread.merge(Vec::from([comment.clone()]));
            Outcome::CommentPosted { comment }
        }
        Effect::EditComment { id, body } => {
            let mut comment = stage.thread.comment(id).cloned().expect("only a comment that is there is edited");
            comment.body = body;
            stage.thread.merge(Vec::from([comment.clone()]));
            Outcome::CommentEdited { comment }
        }
    }
}

fn posted(case: &Case, thread: &ThreadSnapshot, body: String, at: Timestamp) -> Comment {
    let id = thread.newest_id().max(100) + 1;
    let login = case.viewer().map_or_else(|| "nebuko[bot]".to_owned(), |viewer| viewer.login);
    let (user, association) = person(&login);
    Comment {
        id,
        body,
        html_url: format!("{}#issuecomment-{id}", thread.issue.html_url),
        user,
        created_at: at.to_string(),
        updated_at: at.to_string(),
        author_association: association.into(),
    }
}

/// Writes an answer of the case as a server would.
fn completion(answer: &Value) -> Value {
    if let Some(raw) = answer.get("raw") {
        return raw.clone();
    }
    let named = [("dispatch", "dispatch_next"), ("finish", "finish")];
    let calls: Vec<Value> = named
        .into_iter()
        .filter_map(|(key, name)| Some((name, answer.get(key)?)))
        .zip(1..)
        .map(|((name, arguments), at)| {
            json!({"id": format!("call-{at}"), "type": "function",
            "function": {"name": name, "arguments": arguments.to_string()}})
        })
        .collect();
    let text = answer.as_str().or_else(|| answer["say"].as_str()).unwrap_or_default();
    json!({
        "model": "scripted",
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": text, "tool_calls": calls}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 250}},
    })
}

fn no_answer() -> Failure {
    Failure {
        kind: FailureKind::Local,
        attempted: "ask the model of the case".into(),
        why: "it has no answer left".into(),
        next: "Add one to `model`.".into(),
        took_ms: 0,
    }
}

fn refused(attempted: &str) -> Failure {
    Failure {
        kind: FailureKind::Refused,
        attempted: attempted.into(),
        why: "HTTP 404: Not Found".into(),
        next: "Look at what the token may read.".into(),
        took_ms: 0,
    }
}

fn play_nothing() -> Report {
    use nebuko::report::{Reason, RunOutcome};
    Report {
        outcome: RunOutcome::Nothing,
        reason: Reason::NothingAsked,
        detail: "never delivered".into(),
        workflow: String::new(),
        step: String::new(),
        agent: String::new(),
        run_id: 0,
        posted: Vec::new(),
        unposted: Vec::new(),
        state: None,
    }
}

/// More lines than any story tells.
const TOLD_MAX: usize = 500;

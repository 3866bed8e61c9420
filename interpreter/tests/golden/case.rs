//! A story's `case.yaml`: the smallest thread that shows one thing.

use std::{collections::BTreeMap, fs, path::Path};

use nebuko::{
    event::{Action, Permission, Trigger},
    ids::Identity,
    process::{Captured, ProcessEnd, Ran},
    snapshot::{Account, Comment, Issue, ThreadSnapshot},
    workspace::ToolDone,
};
use serde::Deserialize;
use serde_json::Value;

/// One story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// What happens, as a sentence.
    pub(crate) says: String,
    /// What of it is written down, in order.
    pub(crate) show: Vec<Show>,
    /// The issue's opening.
    #[serde(default)]
    issue: Option<Said>,
    /// The comments.
    #[serde(default)]
    comments: Vec<Said>,
    /// A thread in GitHub's own shapes, in a file beside the case, in place of `issue` and `comments`.
    #[serde(default)]
    thread_file: Option<String>,
    /// Whether the listing was whole.
    #[serde(default = "yes")]
    complete: bool,
    /// The login of the engine's account; `unknown` where the service refuses to tell.
    #[serde(default = "engine_owner")]
    engine: String,
    /// What woke the engine: a comment id, `issue`, `edited ID` or `deleted ID`; otherwise a person did.
    #[serde(default)]
    trigger: Option<Value>,
    /// How often the same event is delivered.
    #[serde(default = "once")]
    pub(crate) deliveries: usize,
    /// `HISTORY_COMMENT_COUNT`.
    #[serde(default)]
    pub(crate) history: Option<i64>,
    /// At most so many steps.
    #[serde(default)]
    pub(crate) max_steps: Option<u32>,
    /// What the model answers, in order: a text, `{say, dispatch, finish}` or `{raw: body}`.
    #[serde(default)]
    pub(crate) model: Vec<Value>,
    /// Workflows beside the shipped ones, as YAML texts.
    #[serde(default)]
    pub(crate) workflows: Vec<String>,
    /// The settings, as the text of a `config.yaml`; an agent that is new there has its prompt in `agents`.
    #[serde(default)]
    pub(crate) config: Option<String>,
    /// Agents beside the shipped ones: role and prompt.
    #[serde(default)]
    pub(crate) agents: BTreeMap<String, String>,
    /// Skills: name and text.
    #[serde(default)]
    pub(crate) skills: BTreeMap<String, String>,
    /// What people write after the first run, each waking the engine anew.
    #[serde(default)]
    pub(crate) then: Vec<Said>,
    /// What each program that is run comes to, in order.
    #[serde(default)]
    pub(crate) programs: Vec<Program>,
    /// What workspace tools come to, in the order in which they are used.
    #[serde(default)]
    pub(crate) tools: Vec<Tool>,
    /// What people may do, by login, where it is not `write`; `unanswered` where the service does not say.
    #[serde(default)]
    permissions: BTreeMap<String, String>,
    /// Workflows of other repositories, by reference.
    #[serde(default)]
    pub(crate) elsewhere: BTreeMap<String, String>,
    /// Accounts besides the engine's whose state counts.
    #[serde(default)]
    pub(crate) trusted_actors: Vec<String>,
    #[serde(skip)]
    thread: Option<ThreadSnapshot>,
}

/// What can be written down of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Show {
    Ledger,
    Prompt,
    Report,
    Told,
    Posted,
    State,
    Asks,
    Sentinels,
    Damaged,
    Requests,
    Repairs,
    Processes,
    Uses,
    Explain,
}

/// What a program comes to in a story.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Program {
    code: i32,
    out: String,
    err: String,
    /// How many bytes of `out` were not kept, after it.
    left_out: u64,
    /// Whether bytes of it were replaced.
    replaced: bool,
    /// Why it never started.
    not_started: Option<String>,
    /// The limit at which it was ended, in seconds.
    timed_out: Option<u64>,
}

impl Program {
    pub(crate) fn ran(&self) -> Ran {
        let end = match (&self.not_started, self.timed_out) {
            (Some(why), _) => ProcessEnd::NotStarted { why: why.clone() },
            (None, Some(seconds)) => ProcessEnd::TimedOut { seconds },
            (None, None) => ProcessEnd::Exited { code: self.code },
        };
        let captured = |text: &str| Captured { head: text.into(), ..Captured::default() };
        let stdout = Captured { left_out: self.left_out, replaced: self.replaced, ..captured(&self.out) };
        Ran { end, stdout, stderr: captured(&self.err), took_ms: 20 }
    }
}

/// What a workspace tool comes to in a story.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Tool {
    text: String,
    fails: bool,
}

impl Tool {
    pub(crate) fn done(&self) -> ToolDone {
        ToolDone { ok: !self.fails, text: self.text.clone(), took_ms: 5 }
    }
}

/// Somebody's words in a story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    #[serde(default)]
    id: u64,
    by: String,
    /// The association, where it is not the person's usual one.
    #[serde(default, rename = "as")]
    association: Option<String>,
    #[serde(default)]
    title: String,
    body: String,
    /// `crlf` or `cr`: how the line ends of the body are sent.
    #[serde(default)]
    lines: Option<String>,
}

impl Case {
    /// Reads a story's folder.
    pub(crate) fn read(folder: &Path) -> Self {
        let path = folder.join("case.yaml");
        let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("could not read {}: {why}", path.display()));
        let mut case: Self =
            serde_yaml::from_str(&text).unwrap_or_else(|why| panic!("{} is no case: {why}", path.display()));
        case.thread = case.thread_file.as_ref().map(|name| {
            let bytes = fs::read(folder.join(name)).unwrap_or_else(|why| panic!("could not read {name}: {why}"));
            serde_json::from_slice(&bytes).unwrap_or_else(|why| panic!("{name} is no thread: {why}"))
        });
        case
    }

    /// Gives the thread as the service would.
    pub(crate) fn thread(&self) -> ThreadSnapshot {
        if let Some(thread) = &self.thread {
            return thread.clone();
        }
        let comments: Vec<Comment> = self.comments.iter().map(comment).collect();
        ThreadSnapshot { issue: issue(self.issue.as_ref(), comments.len()), comments, complete: self.complete }
    }

    /// Gives what a person may do, as the repository would tell it.
    pub(crate) fn permission(&self, login: &str) -> Option<Permission> {
        match self.permissions.get(login).map(String::as_str) {
            None | Some("write") => Some(Permission::Write),
            Some("admin") => Some(Permission::Admin),
            Some("read") => Some(Permission::Read),
            Some("none") => Some(Permission::None),
            Some(_) => None,
        }
    }

    /// Gives the engine's account as the service would.
    pub(crate) fn viewer(&self) -> Option<Identity> {
        (self.engine != "unknown").then(|| person(&self.engine).0.identity())
    }

    /// Gives what woke the engine.
    pub(crate) fn trigger(&self) -> Trigger {
        let text = match &self.trigger {
            None => return Trigger::Manual,
            Some(Value::Number(id)) => id.to_string(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => panic!("{other} is no trigger"),
        };
        let (action, id) = match text.split_once(' ') {
            Some(("edited", id)) => (Action::Edited, id),
            Some(("deleted", id)) => (Action::Deleted, id),
            _ if text == "issue" => return Trigger::Issue { action: Action::Opened },
            _ => (Action::Created, text.as_str()),
        };
        Trigger::Comment { id: id.parse().unwrap_or_else(|_| panic!("{text} is no trigger")), action }
    }
}

fn issue(said: Option<&Said>, comments: usize) -> Issue {
    let (user, association) = person(said.map_or("dana", |said| &said.by));
    Issue {
        id: 5_794_187_059,
        number: 12,
        title: said.map_or("Tabs are lost on paste", |said| &said.title).to_owned(),
        body: said.map_or("Pasting a table loses its tabs.\n", |said| &said.body).to_owned(),
        html_url: format!("{PAGE}/issues/12"),
        user,
        created_at: "2026-10-01T08:00:00Z".into(),
        updated_at: "2026-10-01T08:00:00Z".into(),
        author_association: said.and_then(|said| said.association.clone()).unwrap_or_else(|| association.into()),
        comments: comments as u64,
        pull_request: None,
    }
}

pub(crate) fn comment(said: &Said) -> Comment {
    let (user, association) = person(&said.by);
    let body = match said.lines.as_deref() {
        None => said.body.clone(),
        Some("crlf") => said.body.replace('\n', "\r\n"),
        Some("cr") => said.body.replace('\n', "\r"),
        Some(other) => panic!("lines: {other} is not crlf or cr"),
    };
    Comment {
        id: said.id,
        body,
        html_url: format!("{PAGE}/issues/12#issuecomment-{}", said.id),
        user,
        created_at: format!("2026-10-02T08:{:02}:00Z", said.id % 60),
        updated_at: format!("2026-10-02T08:{:02}:00Z", said.id % 60),
        author_association: said.association.clone().unwrap_or_else(|| association.into()),
    }
}

/// The people of the stories, with their usual association. `ghost` is an account that is gone.
pub(crate) fn person(login: &str) -> (Account, &'static str) {
    let (id, kind, association) = match login {
        "dana" => (501, "User", "MEMBER"),
        "omar" => (502, "User", "COLLABORATOR"),
        "engine-owner" => (9001, "User", "OWNER"),
        "nebuko[bot]" => (99, "Bot", "NONE"),
        "echo[bot]" => (98, "Bot", "NONE"),
        "stranger" => (777, "User", "NONE"),
        "ghost" => return (Account::default(), "NONE"),
        other => panic!("{other} is not in the stories"),
    };
    (Account { id, login: login.into(), name: String::new(), kind: kind.into() }, association)
}

fn yes() -> bool {
    true
}

fn once() -> usize {
    1
}

fn engine_owner() -> String {
    "engine-owner".into()
}

/// The repository of the stories; `example` is reserved for such use.
const PAGE: &str = "https://github.example/acme/site";

//! A webhook's JSON as a wake-up.
//!
//! Only what wakes the engine, and about which thread, is taken from it: what is to be done is found in the
//! thread itself, so that dropped and merged events cost nothing.

use std::path::Path;

use nebuko::event::{Action, Trigger};
use serde::{Deserialize, de::IgnoredAny};

use super::{Environment, Repo};
use crate::{
    bounded::{EVENT_BYTES_MAX, read_bounded},
    error::{Error, causes},
};

/// What an event file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFile {
    /// What woke the engine.
    pub trigger: Trigger,
    /// The repository, where the event names one.
    pub repo: Option<Repo>,
    /// The issue's or pull request's number, where the event is about one.
    pub number: Option<u64>,
}

impl EventFile {
    /// Tells whether the event is of a kind that starts nothing and names no thread.
    pub fn is_about_no_thread(&self) -> bool {
        self.number.is_none() && matches!(self.trigger, Trigger::Other { .. })
    }
}

/// Reads an event file.
///
/// # Errors
/// Usage: the file cannot be read, or is no event.
pub fn read_event(path: &Path, environment: &Environment) -> Result<EventFile, Error> {
    let failed = |why: String, next: &str| Error::usage(format!("read the event in {}", path.display()), why, next);
    let bytes = read_bounded(path, EVENT_BYTES_MAX)
        .map_err(|error| failed(causes(&error), "give the file that GITHUB_EVENT_PATH names"))?;
    // The name is about the runner's own event; a file from elsewhere tells by its keys what it is.
    let own = environment.value("GITHUB_EVENT_PATH").is_none_or(|own| Path::new(own) == path);
    let name = environment.value("GITHUB_EVENT_NAME").filter(|_| own);
    parse(&bytes, name).map_err(|error| {
        let why = format!("{}:{}:{}: {error}", path.display(), error.line(), error.column());
        failed(why, "it must be the JSON of a GitHub webhook")
    })
}

/// The keys of a webhook that matter here.
#[derive(Deserialize)]
struct Payload {
    action: Option<String>,
    issue: Option<Numbered>,
    comment: Option<Identified>,
    repository: Option<Named>,
    schedule: Option<String>,
    pull_request: Option<IgnoredAny>,
    pusher: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Numbered {
    number: u64,
}

#[derive(Deserialize)]
struct Identified {
    id: u64,
}

#[derive(Deserialize)]
struct Named {
    full_name: String,
}

fn parse(bytes: &[u8], name: Option<&str>) -> Result<EventFile, serde_json::Error> {
    let payload: Payload = serde_json::from_slice(bytes)?;
    let name = name.unwrap_or_else(|| payload.inferred_name());
    let action = action(payload.action.as_deref());
    let trigger = match (name, &payload.comment) {
        ("issue_comment", Some(comment)) => Trigger::Comment { id: comment.id, action },
        ("issues", _) => Trigger::Issue { action },
        ("schedule" | "workflow_dispatch" | "repository_dispatch" | "workflow_call", _) => Trigger::Manual,
        (other, _) => Trigger::Other { name: other.into() },
    };
    Ok(EventFile {
        trigger,
        repo: payload.repository.and_then(|repository| repository.full_name.parse().ok()),
        number: payload.issue.map(|issue| issue.number),
    })
}

impl Payload {
    fn inferred_name(&self) -> &'static str {
        match (&self.issue, &self.comment, &self.schedule) {
            (Some(_), Some(_), _) => "issue_comment",
            (Some(_), None, _) => "issues",
            (None, None, Some(_)) => "schedule",
            (None, _, _) if self.pull_request.is_some() => "pull_request",
            (None, _, _) if self.pusher.is_some() => "push",
            (None, _, _) => "unknown",
        }
    }
}

fn action(word: Option<&str>) -> Action {
    match word {
        Some("created") => Action::Created,
        Some("opened") => Action::Opened,
        Some("labeled") => Action::Labeled,
        Some("edited") => Action::Edited,
        Some("deleted") => Action::Deleted,
        _ => Action::Other,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::scratch::Scratch;

    const ISSUE: &str = r#""issue":{"number":7},"repository":{"full_name":"acme/site"}"#;

    #[test]
    fn an_event_is_a_wake_up_about_one_thread() {
        let check = |json: &str, name: Option<&str>, trigger: Trigger, number: Option<u64>| {
            let event = parse(json.as_bytes(), name).expect("the row is JSON");
            assert_eq!((event.trigger, event.number), (trigger, number), "{json}");
        };
        let comment = |action: &str| format!(r#"{{"action":"{action}","comment":{{"id":5794187059}},{ISSUE}}}"#);
        let id = 5_794_187_059;
        check(&comment("created"), None, Trigger::Comment { id, action: Action::Created }, Some(7));
        check(&comment("edited"), Some("issue_comment"), Trigger::Comment { id, action: Action::Edited }, Some(7));
        check(&comment("deleted"), None, Trigger::Comment { id, action: Action::Deleted }, Some(7));
        check(&comment("pinned"), None, Trigger::Comment { id, action: Action::Other }, Some(7));
        let issue = |action: &str| format!(r#"{{"action":"{action}",{ISSUE}}}"#);
        check(&issue("opened"), None, Trigger::Issue { action: Action::Opened }, Some(7));
        check(&issue("labeled"), Some("issues"), Trigger::Issue { action: Action::Labeled }, Some(7));
        check(&issue("closed"), None, Trigger::Issue { action: Action::Other }, Some(7));
        check(r#"{"schedule":"0 * * * *"}"#, None, Trigger::Manual, None);
        check("{}", Some("workflow_dispatch"), Trigger::Manual, None);
        check("{}", Some("push"), Trigger::Other { name: "push".into() }, None);
        let other = |name: &str| Trigger::Other { name: name.into() };
        check(r#"{"action":"opened","number":3,"pull_request":{"number":3}}"#, None, other("pull_request"), None);
        check(r#"{"action":"created","comment":{"id":1},"pull_request":{}}"#, None, other("pull_request"), None);
        check(r#"{"ref":"refs/heads/main","pusher":{"name":"dana"}}"#, None, other("push"), None);
        check(r#"{"comment":{"id":1}}"#, None, Trigger::Other { name: "unknown".into() }, None);
        check("{}", Some("issue_comment"), Trigger::Other { name: "issue_comment".into() }, None);
    }

    #[test]
    fn what_is_no_event_is_refused() {
        let check = |json: &str| assert!(parse(json.as_bytes(), None).is_err(), "{json}");
        check("");
        check("null");
        check("7");
        check(r#"{"issue":{}}"#);
        check(r#"{"comment":{"id":"x"}}"#);
    }

    #[test]
    fn the_events_name_belongs_to_the_runners_own_file() {
        let folder = Scratch::with(&[("event.json", &format!(r#"{{"action":"opened",{ISSUE}}}"#))]);
        let path = folder.path().join("event.json");
        let own = path.to_str().expect("the path is text");
        let check = |variables: &[(&str, &str)], expected: Trigger| {
            let event = read_event(&path, &Environment::of(variables)).expect("it is an event");
            assert_eq!(event.trigger, expected, "{variables:?}");
        };
        let opened = Trigger::Issue { action: Action::Opened };
        let push = Trigger::Other { name: "push".into() };
        check(&[], opened.clone());
        check(&[("GITHUB_EVENT_NAME", "push")], push.clone());
        check(&[("GITHUB_EVENT_NAME", "push"), ("GITHUB_EVENT_PATH", own)], push);
        check(&[("GITHUB_EVENT_NAME", "push"), ("GITHUB_EVENT_PATH", "/elsewhere")], opened);
        fs::remove_file(&path).expect("it is there");
        let error = read_event(&path, &Environment::default()).expect_err("it is gone").to_string();
        assert!(error.contains(own) && error.contains("GITHUB_EVENT_PATH"), "{error}");
    }
}

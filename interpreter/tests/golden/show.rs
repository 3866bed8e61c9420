//! What is written down of a story: YAML that a person reads like a page.

use nebuko::{
    command,
    explain::explain,
    inspect::{self, AskedFor},
    sentinel::{self, Found},
    state::ThreadRecord,
};
use serde_json::{Map, Value, json};

use crate::{
    case::{Case, Show},
    stage::{self, Played},
};

/// Plays a story and writes down what it asks for.
pub(crate) fn shown(case: &Case) -> String {
    let played = needs_run(case).then(|| stage::play(case));
    let mut page = Map::new();
    for show in &case.show {
        let (key, value) = match (show, &played) {
            (Show::Ledger, _) => ("ledger", ledger(case)),
            (Show::Damaged, _) => ("damaged", json!(look(case).damaged)),
            (Show::Prompt, _) => ("prompt", prompt_of(case)),
            (Show::Asks, _) => ("asks", asks(case)),
            (Show::Sentinels, _) => ("sentinels", sentinels(case)),
            (Show::Report, Some(played)) => ("report", report(played)),
            (Show::Told, Some(played)) => ("told", json!(played.told)),
            (Show::Posted, Some(played)) => ("posted", posted(played)),
            (Show::State, Some(played)) => ("state", json!(played.report.state)),
            (Show::Requests, Some(played)) => ("requests", json!(played.requests)),
            (Show::Repairs, Some(played)) => ("repairs", repairs(played)),
            (Show::Explain, Some(played)) => {
                ("explain", json!(explain(&stage::setup(case), &played.thread, case.viewer())))
            }
            (Show::Processes, Some(played)) => ("processes", json!(played.processes)),
            (Show::Uses, Some(played)) => ("uses", json!(played.uses)),
            (_, None) => panic!("a run was played for everything that needs one"),
        };
        page.insert(key.into(), value);
    }
    serde_yaml::to_string(&page).expect("a page is YAML")
}

fn needs_run(case: &Case) -> bool {
    let is_of_a_run = |show: &Show| {
        matches!(
            show,
            Show::Report
                | Show::Told
                | Show::Posted
                | Show::State
                | Show::Requests
                | Show::Repairs
                | Show::Processes
                | Show::Uses
                | Show::Explain
        )
    };
    case.show.iter().any(is_of_a_run)
}

fn look(case: &Case) -> inspect::LedgerView {
    inspect::ledger(&stage::setup(case), &case.thread(), case.viewer(), &asked_for(case))
}

fn asked_for(case: &Case) -> AskedFor {
    match case.trigger() {
        nebuko::event::Trigger::Comment { id, .. } => AskedFor::Comment(id),
        nebuko::event::Trigger::Issue { .. } => AskedFor::Comment(0),
        nebuko::event::Trigger::Manual | nebuko::event::Trigger::Other { .. } => AskedFor::Next,
    }
}

fn ledger(case: &Case) -> Value {
    let view = look(case);
    let line = |record: &ThreadRecord| {
        let reason = view.reasons.get(&record.id).map(|words| &**words).unwrap_or("");
        let deleted = if record.deleted { ", deleted" } else { "" };
        let trusted = if record.trusted { "trusted" } else { "not trusted" };
        format!("{} {} by {:?}: {trusted}{deleted} ({reason})", record.id, record.kind.word(), record.user_login)
    };
    view.records.iter().map(line).collect()
}

fn prompt_of(case: &Case) -> Value {
    let blocks = inspect::prompt(&stage::setup(case), &case.thread(), case.viewer(), &asked_for(case));
    let wanted = |block: &inspect::PromptBlock| {
        let block = serde_json::to_value(block).expect("a block is JSON");
        let origin = block["origin"].as_str().unwrap_or_default();
        // The engine's contract and the roles' prompts are the same in every story; they have their own files.
        (origin != "engine" && !origin.starts_with("agent:")).then_some(block)
    };
    blocks.iter().filter_map(wanted).collect()
}

fn asks(case: &Case) -> Value {
    let roles: Vec<String> = stage::setup(case).agents.keys().cloned().collect();
    let of = |body: &str| json!(command::asks(body, roles.iter().map(String::as_str)));
    case.thread().comments.iter().map(|comment| json!({ comment.id.to_string(): of(&comment.body) })).collect()
}

fn sentinels(case: &Case) -> Value {
    let of = |body: &str| match sentinel::find(body) {
        Found::None => json!("none"),
        Found::Valid(config) => json!(config),
        Found::Invalid { why } => json!(format!("invalid: {why}")),
    };
    case.thread().comments.iter().map(|comment| json!({ comment.id.to_string(): of(&comment.body) })).collect()
}

/// Gives what the model was told after each of its answers that did not end a step.
fn repairs(played: &Played) -> Value {
    let of = |request: &Value| {
        let messages = request["messages"].as_array().expect("a request has messages");
        let said = messages.iter().rposition(|message| message["role"] == "assistant")?;
        Some(Value::from(messages[said + 1..].to_vec()))
    };
    played.requests.iter().filter_map(of).collect()
}

fn report(played: &Played) -> Value {
    let report = &played.report;
    json!({
        "outcome": report.outcome,
        "reason": report.reason,
        "detail": report.detail,
        "at": format!("{}/{} ({})", report.workflow, report.step, report.agent),
        "run_id": report.run_id,
        "comments": report.posted.iter().map(|posted| posted.id).collect::<Vec<_>>(),
    })
}

fn posted(played: &Played) -> Value {
    played.report.posted.iter().map(|posted| json!({ "id": posted.id, "body": posted.body })).collect()
}

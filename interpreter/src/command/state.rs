//! `nebuko state`: where the workflow stands, and the JSON that says so.

use std::{fmt::Write as _, io, path::Path};

use nebuko::{
    inspect::StateView,
    markdown::Scan,
    state::{Block, WorkflowState, read_block},
};

use super::look::json;
use crate::{
    args::{Environment, LookArgs, StateExtractArgs},
    bounded::{COMMENT_BYTES_MAX, bounded_text, read_bounded_text},
    error::{Error, Exit, causes},
    inspect::Look,
    term::{Term, line},
};

pub(super) fn show(args: &LookArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let look = Look::at(&args.source, &args.settings, &args.view, environment, term)?;
    // A thread without a state is as it should be before the first run; scripts get a null.
    let state = match look.state() {
        StateView::Absent => None,
        StateView::Readable(state) => Some(state),
        StateView::Damaged { comment_id, damage } => return Err(look.damaged(comment_id, &damage)),
    };
    match (&state, args.json) {
        (state, true) => term.document(&json(state)?)?,
        (Some(state), false) => term.print(&summary(state))?,
        (None, false) => term.print("no state: nothing has run in this thread yet\n")?,
    }
    Ok(Exit::Done)
}

pub(super) fn extract(args: &StateExtractArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let state = match &args.file {
        Some(file) => Box::new(of_comment(&text(file)?, &file.display().to_string())?),
        None => {
            let look = Look::at(&args.source, &args.settings, &args.view, environment, term)?;
            match look.state() {
                StateView::Readable(state) => state,
                StateView::Damaged { comment_id, damage } => return Err(look.damaged(comment_id, &damage)),
                StateView::Absent => {
                    let next = "look with `nebuko ledger` which comments there are and whose state counts";
                    return Err(Error::usage(
                        "find a state in the thread",
                        "no comment of the engine carries one",
                        next,
                    ));
                }
            }
        }
    };
    term.document(&json(&state)?)?;
    Ok(Exit::Done)
}

fn of_comment(body: &str, name: &str) -> Result<WorkflowState, Error> {
    let failed = |why: String, next: &str| Error::usage(format!("find a state in {name}"), why, next);
    match read_block(body, &Scan::new(body)) {
        Block::Readable(reading) => Ok(reading.state),
        Block::Absent => {
            Err(failed("it has no state block at top level".into(), "give the whole text of a comment of the engine"))
        }
        Block::Damaged(damage) => Err(failed(
            format!("{name}:{}:{}: {}", damage.line, damage.column, damage.why),
            "`/nebuko recover` in the thread takes up the newest state that can be read",
        )),
    }
}

fn text(file: &Path) -> Result<String, Error> {
    let failed = |error: io::Error| {
        let next = "give a file with a comment's text, or - for standard input";
        Error::usage(format!("read {}", file.display()), causes(&error), next)
    };
    let text = match file.to_str() {
        Some("-") => bounded_text(io::stdin().lock(), COMMENT_BYTES_MAX),
        _ => read_bounded_text(file, COMMENT_BYTES_MAX),
    };
    text.map_err(failed)
}

fn summary(state: &WorkflowState) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:9}  {}", line(value));
    };
    row("workflow", &state.workflow);
    row("step", &format!("{} ({})", state.step, state.agent));
    row("run", &state.run_id.to_string());
    if let Some(dispatch) = &state.dispatch {
        let reason = dispatch.reason.as_deref().map_or_else(String::new, |reason| format!(": {reason}"));
        row("dispatch", &format!("{}{reason}", dispatch.status.word()));
    }
    if let Some(resolution) = &state.resolution {
        row("because", &resolution.matched_rule);
    }
    row("records", &state.thread.len().to_string());
    for entry in &state.history {
        let ids: Vec<_> = entry.comment_ids.iter().map(|id| format!("#{id}")).collect();
        let result = entry.result.as_deref().map_or_else(String::new, |result| format!(" [{result}]"));
        row("done", &format!("{} ({}){result} {}: {}", entry.step, entry.agent, ids.join(" "), entry.summary));
    }
    text
}

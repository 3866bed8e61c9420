//! `nebuko ledger` and `nebuko prompt`: what a run would go by, without a run.

use std::fmt::Write as _;

use nebuko::{
    effect::Level,
    ids::Identity,
    inspect::{LedgerView, PromptBlock, StepView},
};
use serde::Serialize;

use crate::{
    args::{Environment, LookArgs, PromptArgs},
    error::{Error, Exit},
    inspect::Look,
    term::{Term, account, line, table},
};

pub(super) fn ledger(args: &LookArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let look = Look::at(&args.source, &args.settings, &args.view, environment, term)?;
    look.warn_of_damage(term);
    let view = look.ledger();
    if args.json {
        term.document(&json(&view)?)?
    } else {
        term.print(&ledger_table(&view))?
    }
    Ok(Exit::Done)
}

pub(super) fn prompt(args: &PromptArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let look = Look::at(&args.source, &args.settings, &args.view, environment, term)?;
    look.warn_of_damage(term);
    let step = look.step()?;
    if !step.due {
        term.tell(Level::Info, &not_due(&step));
    }
    let blocks = look.prompt();
    if args.json {
        term.document(&json(&Blocks { blocks: &blocks })?)?;
    } else if args.blocks {
        term.print(&block_list(&blocks))?;
    } else {
        term.print(&blocks.iter().map(|block| block.text.as_str()).collect::<String>())?;
    }
    Ok(Exit::Done)
}

/// Says why no step is due, and what the prompt that is shown would be for.
fn not_due(step: &StepView) -> String {
    let stands = match &step.dispatch {
        None => "nobody has asked for one yet".into(),
        Some(dispatch) => {
            let reason = dispatch.reason.as_deref().map_or_else(String::new, |reason| format!(": {reason}"));
            format!("the last one ended with {}{reason}", dispatch.status.word())
        }
    };
    format!("no step is due ({stands}); this is what `{}` would get on `/nebuko retry`", step.step)
}

#[derive(Serialize)]
struct Blocks<'a> {
    blocks: &'a [PromptBlock],
}

pub(super) fn json(document: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string(document);
    text.map(|text| text + "\n").map_err(|error| Error::failed("write the document", error.to_string(), ""))
}

fn ledger_table(view: &LedgerView) -> String {
    let mut rows = vec![["ID", "KIND", "AUTHOR", "RELATION", "TRUSTED", "WRITTEN", "WHY"].map(str::to_owned).to_vec()];
    for record in &view.records {
        let trusted = if record.deleted {
            "deleted"
        } else if record.trusted {
            "yes"
        } else {
            "no"
        };
        let why = view.reasons.get(&record.id).map_or("", |why| why.as_ref());
        let cells = [
            &record.id.to_string(),
            record.kind.word(),
            &record.user_login,
            &record.author_association,
            trusted,
            &record.created_at,
            why,
        ];
        rows.push(cells.map(|cell| line(cell).into_owned()).to_vec());
    }
    let mut text = table(&rows);
    let account = |one: &Option<Identity>| one.as_ref().map_or_else(|| "unknown".to_owned(), account);
    let _ = writeln!(text, "\nengine   {}", account(&view.actor));
    let _ = writeln!(text, "trigger  {}", account(&view.trigger));
    let state = view.state.as_ref();
    let state =
        state.map_or_else(|| "none".into(), |state| format!("run {} in comment {}", state.run_id, state.comment_id));
    let _ = writeln!(text, "state    {state}");
    for id in &view.damaged {
        let _ = writeln!(text, "damaged  comment {id}: its state cannot be read");
    }
    text
}

/// Shows each block under a line that says what it is.
fn block_list(blocks: &[PromptBlock]) -> String {
    let mut text = String::new();
    for block in blocks {
        let (role, trust, size) = (word(&block.role), word(&block.trust), block.text.len());
        let _ = writeln!(text, "=== {} | {role} | {trust} | {size} bytes", line(&block.origin));
        text.push_str(&block.text);
        if !block.text.ends_with('\n') {
            text.push('\n');
        }
    }
    let total: usize = blocks.iter().map(|block| block.text.len()).sum();
    let _ = writeln!(text, "=== {} blocks, {total} bytes", blocks.len());
    text
}

/// Gives a word as it stands in JSON.
pub(super) fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

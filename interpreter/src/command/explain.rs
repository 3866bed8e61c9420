//! `nebuko explain`: why each comment started what it did, or nothing, and which rule chose each step.

use std::fmt::Write as _;

use nebuko::explain::{Explanation, StepWhy};

use super::look::{json, word};
use crate::{
    args::{Environment, LookArgs},
    error::{Error, Exit},
    inspect::Look,
    term::{Term, line, table},
};

pub(super) fn explain(args: &LookArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let look = Look::at(&args.source, &args.settings, &args.view, environment, term)?;
    look.warn_of_damage(term);
    let explained = look.explain();
    if args.json {
        term.document(&json(&explained)?)?;
    } else {
        term.print(&in_words(&explained))?;
    }
    Ok(Exit::Done)
}

fn in_words(explained: &Explanation) -> String {
    let mut text = comments(explained);
    for step in &explained.steps {
        text.push('\n');
        text.push_str(&one_step(step));
    }
    let _ = writeln!(text, "\nnow  {}", line(&explained.now.why));
    text
}

fn comments(explained: &Explanation) -> String {
    let mut rows = vec![["ID", "AUTHOR", "REASON", "WHY"].map(str::to_owned).to_vec()];
    for comment in &explained.comments {
        let id = if comment.id == 0 { "opening".to_owned() } else { comment.id.to_string() };
        let why = if comment.edited { format!("{} (edited after creation)", comment.why) } else { comment.why.clone() };
        let cells = [&id, &comment.author, &word(&comment.reason), &why];
        rows.push(cells.map(|cell| line(cell).into_owned()).to_vec());
    }
    table(&rows)
}

fn one_step(step: &StepWhy) -> String {
    let ids: Vec<_> = step.comments.iter().map(u64::to_string).collect();
    let result = step.result.as_deref().map_or_else(String::new, |result| format!(", result {result}"));
    let head = format!("{} ({}) in comment {}{result}", step.step, step.agent, ids.join(", "));
    let mut text = format!("{}\n", line(&head));
    let _ = writeln!(text, "  led to  {}", line(step.led_to.as_deref().unwrap_or("the end")));
    let _ = writeln!(text, "  because {}", line(&step.why));
    let _ = writeln!(text, "  rule    {}", line(&step.rule));
    for passed in &step.considered {
        let _ = writeln!(text, "  not by  {}: {}", passed.rule, line(&passed.why));
    }
    text
}

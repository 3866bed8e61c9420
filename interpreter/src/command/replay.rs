//! `nebuko replay`: recordings, run again and compared.

use std::{fmt::Write as _, path::Path};

use serde::Serialize;

use super::look::json;
use crate::{
    args::ReplayArgs,
    bounded::{RECORDING_BYTES_MAX, read_bounded},
    error::{Error, Exit, causes},
    replay::{self, Verdict},
    term::{Term, bold, line},
};

/// What one file came to.
#[derive(Serialize)]
struct FileVerdict {
    file: String,
    outcome: Outcome,
    /// Why it is unreadable.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// What to do about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(flatten)]
    verdict: Option<Verdict>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Same,
    Truncated,
    Different,
    Unreadable,
}

pub(super) fn replay(args: &ReplayArgs, term: Term) -> Result<Exit, Error> {
    let verdicts: Vec<_> = args.files.iter().map(|file| judge(file)).collect();
    if args.json {
        #[derive(Serialize)]
        struct Document<'a> {
            files: &'a [FileVerdict],
        }
        term.document(&json(&Document { files: &verdicts })?)?;
    } else {
        term.print_styled(&verdicts.iter().map(in_words).collect::<String>())?;
    }
    Ok(verdicts.iter().map(|verdict| exit(verdict.outcome)).max_by_key(|exit| exit.code()).unwrap_or(Exit::Done))
}

fn judge(file: &Path) -> FileVerdict {
    let name = file.display().to_string();
    let unreadable = |why: String, next: &str| FileVerdict {
        file: name.clone(),
        outcome: Outcome::Unreadable,
        why: Some(why),
        next: Some(next.into()),
        verdict: None,
    };
    let bytes = match read_bounded(file, RECORDING_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) => return unreadable(causes(&error), "give a file that `nebuko run --record` wrote"),
    };
    match replay::replay(&bytes) {
        Err(error) => unreadable(error.why, error.next),
        Ok(verdict) => {
            let outcome = match (verdict.differences.is_empty(), verdict.whole) {
                (true, true) => Outcome::Same,
                (true, false) => Outcome::Truncated,
                (false, _) => Outcome::Different,
            };
            FileVerdict { file: name.clone(), outcome, why: None, next: None, verdict: Some(verdict) }
        }
    }
}

fn exit(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Same => Exit::Done,
        Outcome::Truncated | Outcome::Different => Exit::Failed,
        Outcome::Unreadable => Exit::Usage,
    }
}

fn in_words(file: &FileVerdict) -> String {
    let name = bold(line(&file.file));
    let Some(verdict) = &file.verdict else {
        let why = file.why.as_deref().unwrap_or_default();
        let next = file.next.as_deref().unwrap_or_default();
        return format!("{name}: unreadable: {}\n  next: {}\n", line(why), line(next));
    };
    let (lines, steps) = (verdict.lines, verdict.steps);
    let mut text = match file.outcome {
        Outcome::Same => format!("{name}: the same, byte for byte: {steps} steps in {lines} lines\n"),
        Outcome::Truncated => {
            format!("{name}: cut short after line {lines}: there is no end; what is there is the same\n")
        }
        Outcome::Different | Outcome::Unreadable => format!("{name}: different\n"),
    };
    for one in &verdict.differences {
        let field = if one.field.is_empty() { String::new() } else { format!(" {}", one.field) };
        let follows = one.follows.map_or_else(String::new, |line| format!(" (it follows from line {line})"));
        let _ = writeln!(text, "  line {}{}: {}{follows}", one.line, line(&field), line(&one.what));
        let _ = writeln!(text, "    recorded  {}", line(&one.recorded));
        let _ = writeln!(text, "    computed  {}", line(&one.computed));
        if let Some(nearest) = &one.nearest {
            let _ = writeln!(text, "    nearest   {}", line(nearest));
        }
    }
    if verdict.more > 0 {
        let _ = writeln!(text, "  and {} more lines", verdict.more);
    }
    if !verdict.differences.is_empty() && verdict.engine != env!("CARGO_PKG_VERSION") {
        let _ =
            writeln!(text, "  recorded by nebuko {}, replayed by {}", line(&verdict.engine), env!("CARGO_PKG_VERSION"));
    }
    text
}

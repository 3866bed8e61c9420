//! `nebuko metrics`: what models used, out of a thread or out of recordings, as a table or as one document.

use std::{
    collections::btree_map::{BTreeMap, Entry},
    fs, io,
    path::{Path, PathBuf},
};

use nebuko::{
    canonical::sha256_hex,
    effect::Level,
    metrics::{Metrics, Readings, Row, Sums, Tape},
};

use super::look::json;
use crate::{
    args::{By, Environment, MetricsArgs},
    bounded::{RECORDING_BYTES_MAX, read_bounded},
    error::{Error, Exit, causes},
    inspect::Look,
    replay::{Moment, Moments, moments},
    term::{Term, bold, line, table},
};

pub(super) fn metrics(args: &MetricsArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let readings = if args.recordings.is_empty() {
        let look = Look::at(&args.source, &args.settings, &args.view, environment, term)?;
        look.warn_of_damage(term);
        look.metrics()
    } else {
        recorded(&args.recordings, term)?
    };
    let metrics = Metrics::of(&readings);
    if args.json {
        term.document(&json(&metrics)?)?;
    } else {
        term.print_styled(&shown(&metrics, args.by))?;
    }
    Ok(Exit::Done)
}

/// Reads recordings in the order in which their runs were woken: what a provider may have kept is from before.
fn recorded(given: &[PathBuf], term: Term) -> Result<Readings, Error> {
    let (mut runs, mut seen) = (Vec::new(), BTreeMap::new());
    for path in given {
        for file in files(path)? {
            let (run, digest) = opened(&file)?;
            // A run may be given by its folder and by its name, and a recording may have been copied.
            match seen.entry(digest) {
                Entry::Vacant(free) => _ = free.insert(file.clone()),
                Entry::Occupied(first) => {
                    let (again, first) = (file.display(), first.get().display());
                    term.tell(Level::Info, &format!("{again} is the same run as {first}, and counted once"));
                    continue;
                }
            }
            if !run.whole {
                let text = format!("{} was cut short; what is there is counted", file.display());
                term.tell(Level::Warning, &text);
            }
            runs.push((run.at, file.display().to_string(), run));
        }
    }
    runs.sort_by(|(at, name, _), (other_at, other, _)| (at, name).cmp(&(other_at, other)));
    let mut tape = Tape::default();
    for (_, name, run) in &runs {
        tape.begin(&run.setup, name);
        for moment in &run.moments {
            match moment {
                Moment::Event(event) => tape.event(event),
                Moment::Effects(effects) => tape.effects(effects),
            }
        }
    }
    Ok(tape.end())
}

/// Gives the recordings that a path stands for: itself, or what a folder has of them.
fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let attempted = || format!("read the recordings in {}", path.display());
    let failed = |error: io::Error| Error::usage(attempted(), causes(&error), GIVE_ONE);
    if !fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|ending| ending == "jsonl") && file.is_file() {
            found.push(file);
        }
    }
    if found.is_empty() {
        return Err(Error::usage(attempted(), "no file there ends in .jsonl", GIVE_ONE));
    }
    found.sort();
    Ok(found)
}

/// Reads a recording, and gives the digest of all of it.
fn opened(file: &Path) -> Result<(Moments, String), Error> {
    let attempted = format!("read the recording {}", file.display());
    let bytes = read_bounded(file, RECORDING_BYTES_MAX)
        .map_err(|error| Error::usage(attempted.clone(), causes(&error), GIVE_ONE))?;
    let moments = moments(&bytes).map_err(|error| Error::usage(attempted, error.why, error.next))?;
    Ok((moments, sha256_hex(&bytes)))
}

/// Shows the rows of one kind, and the sum below them.
fn shown(metrics: &Metrics, by: By) -> String {
    let rows = match by {
        By::Step => &metrics.steps,
        By::Agent => &metrics.agents,
        By::Run => &metrics.runs,
        By::Issue => &metrics.issues,
    };
    if rows.is_empty() {
        return "no step of this has used anything yet\n".to_owned();
    }
    let of_several = metrics.issues.len() > 1 && by != By::Issue;
    let mut lines = vec![head(by, of_several)];
    lines.extend(rows.iter().map(|row| cells(row, by, of_several)));
    let mut total = vec!["total".to_owned()];
    total.resize(lines[0].len() - FIGURES.len(), String::new());
    total.extend(figures(&metrics.total));
    lines.push(total);
    align_right(&mut lines);
    let text = table(&lines);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let mut shown = format!("{}\n{rest}", bold(first));
    if metrics.total.unsplit_tokens > 0 {
        let tokens = metrics.total.unsplit_tokens;
        shown.push_str(&format!("+ and {tokens} tokens of failed attempts, of which the thread keeps the sum alone\n"));
    }
    if metrics.total.unpriced > 0 && metrics.total.cost_usd.is_some() {
        shown.push_str("* without the tokens of models whose prices are not known\n");
    }
    shown
}

const FIGURES: [&str; 9] = ["STEPS", "FAILED", "TURNS", "INPUT", "CACHED", "REPEATED", "OUTPUT", "COST", "TIME"];

fn head(by: By, of_several: bool) -> Vec<String> {
    let names: &[&str] = match by {
        By::Step => &["STEP", "AGENT"],
        By::Agent => &["AGENT"],
        By::Run => &["RUN"],
        By::Issue => &["ISSUE"],
    };
    let issue = of_several.then_some("ISSUE");
    issue.iter().chain(names).chain(&FIGURES).map(|name| (*name).to_owned()).collect()
}

fn cells(row: &Row, by: By, of_several: bool) -> Vec<String> {
    let name = |name: &Option<String>| match name.as_deref() {
        None | Some("") => "-".to_owned(),
        Some(name) => line(name).into_owned(),
    };
    let names = match by {
        By::Step => vec![name(&row.step), name(&row.agent)],
        By::Agent => vec![name(&row.agent)],
        By::Run => vec![name(&row.run)],
        By::Issue => vec![line(&row.issue).into_owned()],
    };
    let issue = of_several.then(|| line(&row.issue).into_owned());
    issue.into_iter().chain(names).chain(figures(&row.sums)).collect()
}

/// Puts the figures of a column below each other's last digit.
fn align_right(lines: &mut [Vec<String>]) {
    let names = lines[0].len() - FIGURES.len();
    for column in names..lines[0].len() {
        let width = lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
        lines.iter_mut().for_each(|cells| cells[column] = format!("{:>width$}", cells[column]));
    }
}

/// Writes a sum as the cells of its row. A figure that is not known is a dash.
fn figures(sums: &Sums) -> [String; FIGURES.len()] {
    let known = |count: u64| if count == 0 { "-".to_owned() } else { count.to_string() };
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    // Of a failed attempt a thread keeps the sum alone, which is neither 0 of one nor 0 of the other.
    let is_unsplit = sums.unsplit_tokens > 0 && sums.input_tokens == 0 && sums.output_tokens == 0;
    let split = |count: u64| match (is_unsplit, sums.unsplit_tokens > 0) {
        (true, _) => "-".to_owned(),
        (false, true) => format!("{count}+"),
        (false, false) => count.to_string(),
    };
    let cost = sums.cost_usd.map_or_else(|| "-".to_owned(), |cost| format!("${cost}"));
    [
        sums.steps.to_string(),
        sums.failed.to_string(),
        known(sums.turns),
        split(sums.input_tokens),
        if is_unsplit { "-".to_owned() } else { percent(sums.cache_hit_rate) },
        sums.prompt.as_ref().map_or_else(|| "-".to_owned(), |prompt| percent(prompt.repeated_rate)),
        split(sums.output_tokens),
        if sums.unpriced > 0 && sums.cost_usd.is_some() { cost + "*" } else { cost },
        time(sums.runtime_ms),
    ]
}

fn time(ms: u64) -> String {
    match ms / 1_000 {
        0 => format!("{ms} ms"),
        seconds @ 1..120 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

const GIVE_ONE: &str = "give a file that `nebuko run --record` wrote, or a folder of such files that end in .jsonl";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_path_is_a_recording_or_a_folder_of_them() {
        let temp = Scratch::with(&[("two/b.jsonl", "x"), ("two/a.jsonl", "x"), ("two/notes.txt", "x"), ("none/x", "")]);
        let check = |path: &str, expected: Result<&[&str], &str>| {
            let found = files(&temp.path().join(path));
            match (found, expected) {
                (Ok(found), Ok(names)) => {
                    let names: Vec<_> = names.iter().map(|name| temp.path().join(name)).collect();
                    assert_eq!(found, names, "{path}");
                }
                (Err(error), Err(why)) => assert!(error.to_string().contains(why), "{path}: {error}"),
                (found, _) => assert!(found.is_err(), "{path}: {found:?}"),
            }
        };
        check("two", Ok(&["two/a.jsonl", "two/b.jsonl"]));
        check("two/notes.txt", Ok(&["two/notes.txt"]));
        check("none", Err("no file there ends in .jsonl"));
        check("nowhere", Err("No such file"));
        assert!(opened(&temp.path().join("two/a.jsonl")).is_err(), "it is no recording");
    }

    #[test]
    fn times_are_short() {
        let check = |ms: u64, text: &str| assert_eq!(time(ms), text);
        check(0, "0 ms");
        check(999, "999 ms");
        check(61_999, "61 s");
        check(125_000, "2 min 5 s");
    }
}

//! `nebuko run`: from a wake-up to a report.

use std::{fs::File, path::PathBuf};

use nebuko::{
    effect::Level,
    event::{Action, FailureKind, Trigger},
    report::RunOutcome,
    run::Run,
    snapshot::ThreadSnapshot,
};

use super::worlds;
use crate::{
    args::{Environment, ModelChoice, RunArgs, Source, read_event},
    error::{Error, Exit},
    local,
    record::{self, Header, Recorder},
    report,
    run::drive,
    setup::{Configured, Given, configure},
    term::{Failed, Progress, Term, Waiting},
    world::World,
};

pub(super) fn run(args: &RunArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let event = args.event_path.as_ref().map(|path| read_event(path, environment)).transpose()?;
    let source = Source::of(&args.source, environment, event.as_ref())?;
    let trigger = event.map_or_else(|| given_trigger(args.trigger), |event| event.trigger);
    let given = Given::of_run(args, environment)?;
    let model = ModelChoice::of(args.model.as_deref(), environment)?;
    let without_model = matches!(model, ModelChoice::None);
    // A terminal that does not say what it is cannot move a line; Windows never says.
    let is_dumb = environment.value("TERM").map_or(cfg!(unix), |name| name == "dumb");
    let waiting = Waiting::new(term, is_dumb);
    let mut opened = worlds::open(&source, model, args.elsewhere.as_deref(), environment, waiting.clone())?;
    let trigger = opened.world.wake_up(trigger);
    let configured = configure(opened.repo.clone(), opened.number, &given, &opened.masker)?;
    let mut recorder = record(args.record.as_ref(), &source, &configured)?;
    let mut progress = Progress::new(term, waiting, &configured.setup.settings, &trigger);
    let report = drive(
        Run::new(configured.setup),
        &mut opened.world,
        ThreadSnapshot::default(),
        trigger,
        opened.surroundings.clock.now(),
        &mut (&mut progress, recorder.as_mut().map(|(recorder, _)| recorder)),
    );
    let report = opened.world.shown(report);
    let is_missing = |failed: &&Failed| without_model && failed.of_model && failed.failure.kind == FailureKind::Local;
    let missing = progress.last_failure().filter(is_missing);
    let exit = match missing {
        Some(_) => Exit::Usage,
        None => report::exit(&report, progress.last_failure().map(|failed| failed.failure.kind)),
    };
    if let Some(failed) = missing {
        term.error(&failed.failure.clone().into());
    } else if args.json && report.outcome == RunOutcome::Failed {
        // The document has it too; the log of a job should not have to be put together from both.
        term.tell(Level::Warning, &report.detail);
    }
    if args.json {
        term.document(&report::json(&report, opened.world.requests()))?;
    } else {
        let flags = source.flags(&args.source, &args.settings);
        term.print_styled(&report::summary(&report, &source, &flags, own_name(environment)))?;
    }
    match recorder.map(|(recorder, path)| recorder.finish().map_err(|error| record::unfinished(&path, &error))) {
        // The report is out already, as the one document of standard output.
        Some(Err(error)) => {
            term.error(&error);
            Ok(if exit == Exit::Done { error.exit() } else { exit })
        }
        Some(Ok(_)) | None => Ok(exit),
    }
}

fn given_trigger(comment: Option<u64>) -> Trigger {
    comment.map_or(Trigger::Manual, |id| Trigger::Comment { id, action: Action::Created })
}

/// Starts the recording that was asked for, before anything is done that could not be recorded.
fn record(
    path: Option<&PathBuf>,
    source: &Source,
    configured: &Configured,
) -> Result<Option<(Recorder<File>, PathBuf)>, Error> {
    let Some(path) = path else {
        return Ok(None);
    };
    if let Source::Local(folder) = source
        && !path.exists()
        && local::would_read(folder, path)
    {
        let why = format!("the thread in {} would read it as one of its comments", folder.display());
        let next = "give it a name that does not end in .md, or another folder";
        return Err(Error::usage(format!("write a recording to {}", path.display()), why, next));
    }
    let header = Header::of(configured.setup.clone(), configured.sources.clone());
    Ok(Some((Recorder::start(record::create(path)?, &header), path.clone())))
}

/// How a person who follows the advice has to call this program: in a checkout, through cargo.
fn own_name(environment: &Environment) -> &'static str {
    if environment.value("CARGO_MANIFEST_DIR").is_some() { "cargo run -q --" } else { "nebuko" }
}

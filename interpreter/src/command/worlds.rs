//! Opening the world that a source names.

use std::{
    path::{Path, PathBuf},
    rc::Rc,
};

use nebuko::{
    effect::Effect,
    event::{Event, Outcome},
    ids::Identity,
    snapshot::ThreadSnapshot,
};

use crate::{
    args::{Environment, ModelChoice, Source},
    clock::SystemClock,
    error::Error,
    live::{Live, Target},
    local::Local,
    process::Checkout,
    record::Masked,
    secret::{Masker, Secret},
    surroundings::{Surroundings, Workplace},
    term::Waiting,
    thread_dump::ThreadDump,
    world::World,
};

/// An open world and what it says about its thread.
pub(crate) struct Opened {
    pub(crate) world: Masked,
    /// `owner/name`.
    pub(crate) repo: String,
    pub(crate) number: u64,
    pub(crate) masker: Rc<Masker>,
    pub(crate) surroundings: Surroundings,
}

/// Opens a source, so that no secret of this process passes through it. Where a folder stands for other repositories,
/// nothing is read from GitHub in its place.
pub(crate) fn open(
    source: &Source,
    model: ModelChoice,
    elsewhere: Option<&Path>,
    environment: &Environment,
    waiting: Waiting,
) -> Result<Opened, Error> {
    let masker = Masker::new(environment.all(), &[]);
    let listening = waiting.clone();
    let watcher = move |level, text: &str| waiting.tell(level, text);
    let surroundings = Surroundings::new(SystemClock::start(), watcher, masker)
        .heard_by(move |pieces| listening.heard(pieces))
        .at(workplace(elsewhere, environment)?);
    let masker = surroundings.masker.clone();
    let model = model.open(environment, &surroundings)?;
    let (world, repo, number): (Box<dyn World>, String, u64) = match source {
        Source::Live { repo, number, api } => {
            let token = environment.first(&TOKENS).map(Secret::new);
            let target = Target { api: api.clone(), repo: repo.to_string(), number: *number, token };
            (Box::new(Live::new(target, Some(model), surroundings.clone())?), repo.to_string(), *number)
        }
        Source::Local(folder) => {
            let (world, about) = Local::open(folder, surroundings.clone(), model)?;
            (Box::new(world), about.repo, about.number)
        }
        Source::Thread(file) => {
            let world = ThreadDump::open(file, surroundings.clone(), model)?;
            let (repo, number) = world.about();
            (Box::new(world), repo, number)
        }
        Source::Nowhere => (Box::new(Nowhere(surroundings.clone())), String::new(), 0),
    };
    Ok(Opened { world: Masked::new(world, masker.clone()), repo, number, masker, surroundings })
}

/// Programs run in the folder that nebuko was started in, which is where its workflows are looked for too.
fn workplace(elsewhere: Option<&Path>, environment: &Environment) -> Result<Workplace, Error> {
    if let Some(folder) = elsewhere.filter(|folder| !folder.is_dir()) {
        let attempted = format!("read workflows of other repositories from {}", folder.display());
        return Err(Error::usage(attempted, "there is no such folder", "give --elsewhere a folder, or leave it out"));
    }
    let checkout = Checkout { folder: ".".into(), environment: environment.clone() };
    Ok(Workplace { checkout: Some(checkout), elsewhere: elsewhere.map(PathBuf::from) })
}

/// The world of an event that is about no thread: lines can be told, and there is nothing else to do.
struct Nowhere(Surroundings);

impl World for Nowhere {
    fn carry_out(&mut self, effect: &Effect, _thread: &mut ThreadSnapshot) -> Event {
        let outcome = match effect {
            Effect::Tell { level, text } => {
                self.0.tell(*level, text);
                Outcome::Told
            }
            Effect::ReadThread { .. }
            | Effect::ReadViewer
            | Effect::ReadPermission { .. }
            | Effect::ReadWorkflow { .. }
            | Effect::RunProcess { .. }
            | Effect::UseTool { .. }
            | Effect::Complete { .. }
            | Effect::PostComment { .. }
            | Effect::EditComment { .. } => {
                let next = "give --local DIR, --thread FILE, or --repo OWNER/NAME with --issue N";
                Outcome::Failed { failure: Error::usage("work on a thread", "the event names none", next).into() }
            }
        };
        Event::Answered { outcome, at: self.0.clock.now() }
    }

    fn requests(&self) -> u64 {
        0
    }
}

/// Reads the thread and the engine's account, for commands that only look.
pub(crate) fn read(world: &mut dyn World) -> Result<(ThreadSnapshot, Option<Identity>), Error> {
    let mut thread = ThreadSnapshot::default();
    ask(world, &Effect::ReadThread { since: None }, &mut thread)?;
    match ask(world, &Effect::ReadViewer, &mut thread)? {
        Outcome::ViewerRead { viewer, .. } => Ok((thread, viewer)),
        other => Err(Error::failed("find the engine's account", format!("the world answered {other:?}"), "")),
    }
}

fn ask(world: &mut dyn World, effect: &Effect, thread: &mut ThreadSnapshot) -> Result<Outcome, Error> {
    match world.carry_out(effect, thread) {
        Event::Answered { outcome: Outcome::Failed { failure }, .. } => Err(failure.into()),
        Event::Answered { outcome, .. } => Ok(outcome),
        Event::Woken { .. } => Err(Error::failed("read the thread", "the world did not answer", "")),
    }
}

/// Where the token is looked for: the repository's own first, then the job's.
const TOKENS: [&str; 3] = ["GH_PAT", "GITHUB_TOKEN", "GH_TOKEN"];

//! A checkout with a world around it, and a look at which processes are alive.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use nebuko::{
    effect::Effect,
    event::{Event, Failure, Outcome},
    process::{Process, ProcessEnd, Ran},
    snapshot::ThreadSnapshot,
};
use nebuko_interpreter::{
    args::Environment,
    clock::SystemClock,
    live::{Live, Target},
    process::Checkout,
    secret::Masker,
    surroundings::{Surroundings, Workplace},
    world::World,
};

/// A folder of its own for each test: the checkout.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn empty() -> Self {
        let name = |number: u32| std::env::temp_dir().join(format!("nebuko-process-{}-{number}", std::process::id()));
        // Tests run side by side: whoever makes the folder has it.
        let folder = (0..).map(name).find(|folder| fs::create_dir(folder).is_ok());
        Self(folder.expect("some number is free"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn real(&self) -> PathBuf {
        fs::canonicalize(&self.0).expect("the folder is there")
    }

    pub(crate) fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the temporary folder takes a folder");
        fs::write(path, text).expect("the temporary folder takes a file");
    }

    pub(crate) fn executable(&self, name: &str, text: &str) {
        self.file(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("a file of ours");
    }

    pub(crate) fn link(&self, target: &Path, name: &str) {
        symlink(target, self.path(name)).expect("the temporary folder takes a link");
    }

    /// What the caller has in its environment.
    pub(crate) fn environment(&self) -> Environment {
        let path = std::env::var("PATH").expect("tests run with a PATH");
        Environment::of(&[
            ("PATH", &path),
            ("LANG", "C"),
            ("GITHUB_TOKEN", "hunter2/hunter2"),
            ("GH_PAT", "hunter2/hunter2"),
            ("my_api_key", "hunter2/hunter2"),
            ("A_SECRET_B", "x"),
            ("DB_PASSWORD", "x"),
            ("ACTIONS_RUNTIME_TOKEN", "x"),
            ("COPY", "https://hunter2%2Fhunter2@host"),
        ])
    }

    /// A world with this checkout, whose thread nobody can reach.
    pub(crate) fn world(&self) -> Live {
        let environment = self.environment();
        let masker = Masker::new(environment.all(), &[]);
        let checkout = Checkout { folder: self.0.clone(), environment };
        let workplace = Workplace { checkout: Some(checkout), elsewhere: None };
        world(Surroundings::new(SystemClock::start(), |_, _| {}, masker).at(workplace))
    }

    /// Runs a program in the checkout.
    pub(crate) fn ran(&self, process: &Process) -> Ran {
        match answered(&mut self.world(), process) {
            Outcome::ProcessRan { ran } => *ran,
            other => panic!("{process:.200?}: {other:?}"),
        }
    }

    /// Asks for a program where there is no checkout.
    pub(crate) fn nowhere(process: &Process) -> Failure {
        match answered(&mut world(Surroundings::new(SystemClock::start(), |_, _| {}, Masker::none())), process) {
            Outcome::Failed { failure } => failure,
            other => panic!("{process:?}: {other:?}"),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn world(around: Surroundings) -> Live {
    // The port is nobody's; no test here sends anything.
    let target = Target { api: "http://127.0.0.1:9".into(), repo: "acme/site".into(), number: 12, token: None };
    Live::new(target, None, around).expect("a good target")
}

fn answered(world: &mut Live, process: &Process) -> Outcome {
    let effect = Effect::RunProcess { process: Box::new(process.clone()) };
    match world.carry_out(&effect, &mut ThreadSnapshot::default()) {
        Event::Answered { outcome, .. } => outcome,
        other => panic!("an effect is always answered, here by {other:?}"),
    }
}

/// A script step's program with a limit that no good program reaches.
pub(crate) fn script(argv: &[&str]) -> Process {
    let argv = argv.iter().map(|text| (*text).to_owned()).collect();
    Process { argv, timeout_seconds: 30, ..Process::default() }
}

/// Gives why a program was not started.
pub(crate) fn not_started(ran: Ran) -> String {
    match ran.end {
        ProcessEnd::NotStarted { why } => why,
        other => panic!("it should not have been started: {other:?}"),
    }
}

/// Gives a number of seconds that no other process sleeps for.
pub(crate) fn unique_sleep() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("300.{}{:04}", std::process::id(), NEXT.fetch_add(1, Ordering::SeqCst))
}

/// Lists the living processes that have a text among their arguments. What is dead and not collected has none.
pub(crate) fn alive(argument: &str) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("Linux shows its processes");
    let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let has_it = |id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
    };
    ids.filter(has_it).collect()
}

/// Waits until something is so, for far longer than it should take.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let from = Instant::now();
    while !is_so() {
        assert!(from.elapsed() < Duration::from_secs(20), "waited too long: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

//! Reading what a run is set up with: settings, workflows and agents.
//!
//! What a repository brings along wins, by name, over what is built in. Everything that is wrong with its files
//! is told at once. What any of it means is for the core.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use nebuko::{
    problem::Problem,
    setup::{Agent, Settings, Setup},
    shipped::{AGENTS, LOCATION, WORKFLOWS},
    workflow::{self, Workflow},
};

use crate::{
    args::{Environment, RunArgs, SettingsArgs},
    error::Error,
    secret::Masker,
};

mod files;

use files::{files, read_inside, shown, stem};

/// A setup, and the texts it was read from.
#[derive(Clone, Debug, Default)]
pub struct Configured {
    /// What the core is given.
    pub setup: Setup,
    /// The workflow files' texts, by where they stand; for a recording.
    pub sources: BTreeMap<String, String>,
    /// The folders in which workflows were looked for, besides what is built in.
    pub places: Vec<String>,
}

impl Configured {
    /// Hides the secrets of this process, also where somebody wrote one into a prompt.
    pub fn masked(mut self, masker: &Masker) -> Self {
        let prompts = self.setup.agents.values_mut().map(|agent| &mut agent.prompt);
        for text in prompts.chain(self.sources.values_mut()) {
            if let Cow::Owned(masked) = masker.mask(text) {
                *text = masked;
            }
        }
        self
    }
}

/// Reads the setup of a thread.
///
/// # Errors
/// Usage: every mistake in the workflow files, each with file, line and column, or a folder that cannot be read.
pub fn configure(repo: String, number: u64, settings: Settings, folder: Option<&Path>) -> Result<Configured, Error> {
    let mut reading = Reading::default();
    reading.shipped();
    let own = Path::new(OWN_FOLDER);
    let workflows = folder.map_or_else(|| own.join("workflows"), Path::to_owned);
    // A folder that was named must be there; the usual one need not be.
    if folder.is_some() || workflows.is_dir() {
        reading.workflows(&workflows)?;
    }
    // Agents stand beside the workflows or in their folder; the nearer ones win.
    let agents = [workflows.join("agents"), own.join("agents")];
    for folder in agents.iter().rev().filter(|folder| folder.is_dir()) {
        reading.agents(folder)?;
    }
    let setup = Setup { repo, number, settings, ..Setup::default() };
    reading.finish(setup, vec![shown(&workflows)], &agents)
}

/// Makes the settings of what was written on the command line and in the environment.
///
/// # Errors
/// Usage: `HISTORY_COMMENT_COUNT` is no number.
pub fn settings(args: &SettingsArgs, environment: &Environment) -> Result<Settings, Error> {
    let history_comment_count = match (args.history, environment.value(HISTORY)) {
        (Some(count), _) => Some(count),
        (None, None) => None,
        (None, Some(text)) => Some(text.parse().map_err(|_| {
            let next = "set it to a whole number (0 shows all), or unset it";
            Error::usage(format!("read {HISTORY}"), format!("{text:?} is no whole number"), next)
        })?),
    };
    let trusted_actors = args.trusted_actor.clone();
    Ok(Settings {
        history_comment_count,
        trusted_actors,
        engine_login: args.engine_login.clone(),
        ..Settings::default()
    })
}

/// Makes the settings of a run.
///
/// # Errors
/// As [`settings`].
pub fn run_settings(args: &RunArgs, environment: &Environment) -> Result<Settings, Error> {
    let mut settings = settings(&args.settings, environment)?;
    if let Some(model) = &args.model_name {
        settings.model.clone_from(model);
    }
    if let Some(max_steps) = args.max_steps {
        settings.max_steps = max_steps;
    }
    settings.chain = !args.single_step;
    settings.dry_run = args.dry_run;
    Ok(settings)
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    known: BTreeMap<String, Workflow>,
    sources: BTreeMap<String, String>,
    roles: BTreeMap<String, Agent>,
    problems: Vec<Problem>,
}

impl Reading {
    fn shipped(&mut self) {
        for (file, text) in WORKFLOWS {
            self.workflow(format!("{LOCATION}{file}"), (*text).to_owned());
        }
        for (file, text) in AGENTS {
            self.agent(stem(Path::new(file)), format!("{LOCATION}{file}"), (*text).to_owned());
        }
    }

    fn workflows(&mut self, folder: &Path) -> Result<(), Error> {
        for path in files(folder, &["yaml", "yml"])? {
            self.workflow(shown(&path), read_inside(folder, &path)?);
        }
        Ok(())
    }

    fn agents(&mut self, folder: &Path) -> Result<(), Error> {
        for path in files(folder, &["md"])? {
            let (location, prompt) = (shown(&path), read_inside(folder, &path)?);
            if prompt.trim_start_matches('\u{feff}').trim().is_empty() {
                let hint = "write the prompt, or remove the file".into();
                let what = "there is no prompt in here".into();
                self.problems.push(Problem { file: location.clone(), line: 1, column: 1, what, hint });
            }
            self.agent(stem(&path), location, prompt);
        }
        Ok(())
    }

    fn workflow(&mut self, location: String, text: String) {
        match workflow::parse(&location, &text) {
            Ok(read) => {
                if let Some(old) = self.known.insert(read.name.clone(), read) {
                    // A built-in one of the same name is out of the game, and so is its text.
                    self.sources.remove(&old.location);
                    if !old.location.starts_with(LOCATION) {
                        self.problems.push(twice(&location, &old.location));
                    }
                }
                self.sources.insert(location, text);
            }
            Err(found) => self.problems.extend(found),
        }
    }

    fn agent(&mut self, role: String, location: String, prompt: String) {
        self.roles.insert(role, Agent { prompt, location });
    }

    fn finish(self, setup: Setup, places: Vec<String>, agents: &[PathBuf]) -> Result<Configured, Error> {
        let mut lines: Vec<_> = self.problems.iter().map(Problem::to_string).collect();
        let steps = self.known.values().flat_map(|workflow| workflow.steps.iter().map(move |step| (workflow, step)));
        for (workflow, step) in steps.filter(|(_, step)| !self.roles.contains_key(&step.agent)) {
            let (place, name, agent) = (&workflow.location, &step.name, &step.agent);
            let looked: Vec<_> = agents.iter().map(|folder| shown(&folder.join(format!("{agent}.md")))).collect();
            let known = self.roles.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let looked = looked.join(" and ");
            lines.push(format!(
                "{place}: step `{name}`: the agent `{agent}` has no prompt: there is no {looked} (there is: {known})"
            ));
        }
        if !lines.is_empty() {
            let next = "correct these files, or give --workflows another folder";
            return Err(Error::usage("read the workflows", lines.join("\n"), next));
        }
        let setup = Setup { workflows: self.known, agents: self.roles, ..setup };
        Ok(Configured { setup, sources: self.sources, places })
    }
}

fn twice(file: &str, other: &str) -> Problem {
    let what = format!("{other} has the same name");
    Problem { file: file.into(), line: 1, column: 1, what, hint: "remove one of the two".into() }
}

/// Where a repository keeps its own.
const OWN_FOLDER: &str = ".nebuko";
/// ADR-0012, decision 4.
const HISTORY: &str = "HISTORY_COMMENT_COUNT";

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::scratch::Scratch;

    fn configured(folder: &Scratch) -> Result<Configured, Error> {
        configure("acme/site".into(), 7, Settings::default(), Some(folder.path()))
    }

    const OWN: &str = "name: default\nsteps:\n  - name: only\n    agent: dev\n    next: null\n";

    #[test]
    fn what_is_built_in_works_alone_and_gives_way_by_name() {
        let built_in = configured(&Scratch::with(&[])).expect("the built-in ones");
        assert!(built_in.setup.workflows["default"].location.starts_with(LOCATION));
        assert!(built_in.sources.contains_key("built-in:default.yaml"));
        let temp = Scratch::with(&[("default.yaml", OWN), ("agents/dev.md", "Mine.")]);
        let own = configured(&temp).expect("both read");
        assert_eq!(own.setup.workflows["default"].steps.len(), 1);
        assert_eq!(own.setup.agents["dev"].prompt, "Mine.");
        assert!(own.setup.agents["review"].location.starts_with(LOCATION));
        assert_eq!(own.sources.values().map(String::as_str).collect::<Vec<_>>(), [OWN]);
    }

    #[test]
    fn every_mistake_is_told_with_its_place() {
        let temp = Scratch::with(&[
            ("a.yaml", "name: a\nsteps: []\nstep: 1\n"),
            ("b.yml", "name: b\nsteps:\n  - name: x\n    agent: dev\n    next: y\n"),
            ("c.yaml", "name: c\nsteps:\n  - name: x\n    agent: nobody\n    next: null\n"),
        ]);
        let error = configured(&temp).expect_err("mistakes").to_string();
        let looked = format!("no {}/agents/nobody.md and .nebuko/agents/nobody.md (there", shown(temp.path()));
        for part in ["a.yaml:3:1: ", "b.yml:5:", "c.yaml: step `x`: the agent `nobody`", &looked, "dev, review"] {
            assert!(error.contains(part), "{error} has no {part:?}");
        }
    }

    #[test]
    fn an_empty_prompt_is_no_prompt() {
        for empty in ["", " \n\t\r\n", "\u{feff}\n"] {
            let temp = Scratch::with(&[("agents/dev.md", empty), ("agents/nobody.md", "somebody")]);
            let error = configured(&temp).expect_err("an empty prompt").to_string();
            let told = format!("{}:1:1: there is no prompt in here", shown(&temp.path().join("agents/dev.md")));
            assert!(error.contains(&told) && !error.contains("nobody"), "{empty:?}: {error}");
        }
    }

    #[test]
    fn two_files_with_one_name_are_a_mistake() {
        let temp = Scratch::with(&[("default.yaml", OWN), ("default.yml", OWN)]);
        let error = configured(&temp).expect_err("a mistake").to_string();
        assert!(error.contains("default.yml:1:1: ") && error.contains("default.yaml has the same name"), "{error}");
    }

    #[test]
    fn a_folder_that_was_named_must_be_there() {
        let named = Path::new("/nowhere/at/all");
        let error = configure(String::new(), 1, Settings::default(), Some(named)).expect_err("missing").to_string();
        assert!(error.contains("/nowhere/at/all") && error.contains("next:"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_the_folder() {
        let outside = Scratch::with(&[("secret.md", "a secret")]);
        let temp = Scratch::with(&[("agents/review.md", "inside")]);
        let link = temp.path().join("agents/dev.md");
        std::os::unix::fs::symlink(outside.path().join("secret.md"), &link).expect("a link");
        let error = configured(&temp).expect_err("it leads out").to_string();
        assert!(error.contains("leads out of"), "{error}");
        fs::remove_file(&link).expect("it is there");
        std::os::unix::fs::symlink("review.md", &link).expect("a link");
        assert_eq!(configured(&temp).expect("it stays inside").setup.agents["dev"].prompt, "inside");
    }

    #[test]
    fn the_window_comes_from_the_flag_or_else_the_environment() {
        let check = |flag: Option<i64>, variable: Option<&str>, expected: Option<Option<i64>>| {
            let args = SettingsArgs { history: flag, ..SettingsArgs::default() };
            let environment = Environment::of(&variable.map_or_else(Vec::new, |text| vec![(HISTORY, text)]));
            let found = settings(&args, &environment).ok().map(|settings| settings.history_comment_count);
            assert_eq!(found, expected, "{flag:?} {variable:?}");
        };
        check(None, None, Some(None));
        check(None, Some("5"), Some(Some(5)));
        check(None, Some("-1"), Some(Some(-1)));
        check(None, Some(""), Some(None));
        check(Some(3), Some("5"), Some(Some(3)));
        check(Some(3), Some("many"), Some(Some(3)));
        check(None, Some("many"), None);
        check(None, Some("5.0"), None);
    }
}

//! What was read of workflows and agents so far, and everything that is wrong with it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use nebuko::{
    problem::Problem,
    setup::{Agent, Setup},
    shipped::{AGENTS, LOCATION, WORKFLOWS},
    workflow::{self, Workflow},
    yaml::{self, Place},
};

use super::{
    CHECKOUT, Configured,
    files::{self, files, problem, read_inside, shown, stem},
    masked,
};
use crate::{error::Error, secret::Masker};

/// What was read so far.
#[derive(Default)]
pub(super) struct Reading {
    known: BTreeMap<String, Workflow>,
    sources: BTreeMap<String, String>,
    roles: BTreeMap<String, Agent>,
    problems: Vec<Problem>,
}

impl Reading {
    /// Reads what is compiled in.
    pub(super) fn shipped() -> Self {
        let mut reading = Self::default();
        for (file, text) in WORKFLOWS {
            reading.workflow(format!("{LOCATION}{file}"), (*text).to_owned());
        }
        for (file, text) in AGENTS {
            reading.agent(stem(Path::new(file)), format!("{LOCATION}{file}"), (*text).to_owned());
        }
        reading
    }

    /// Reads the workflows of a folder.
    pub(super) fn workflows(&mut self, folder: &Path, inside: Option<&Path>) {
        for path in files(folder, &files::WORKFLOWS, inside, &mut self.problems) {
            if let Some(text) = read_inside(folder, &path, &mut self.problems) {
                self.workflow(shown(&path), text);
            }
        }
    }

    /// Reads the agents of a repository's own folder.
    pub(super) fn own_agents(&mut self, own: &Path, agents: &Path) {
        if fs::symlink_metadata(own).is_ok() && !own.is_dir() {
            self.problems.push(problem(own, "it is no folder".into(), "make it one, or remove it"));
        } else {
            self.agents(agents, Path::new(CHECKOUT));
        }
    }

    /// Reads the agents of a folder, which may not lead out of another.
    pub(super) fn agents(&mut self, folder: &Path, inside: &Path) {
        for path in files(folder, &files::PROMPTS, Some(inside), &mut self.problems) {
            let prompt = read_inside(folder, &path, &mut self.problems);
            if prompt.as_ref().is_some_and(|prompt| prompt.trim_start_matches('\u{feff}').trim().is_empty()) {
                let what = "there is no prompt in here".into();
                self.problems.push(problem(&path, what, "write the prompt, or remove the file"));
            }
            // One that cannot be read is there all the same: its steps are not at fault.
            self.agent(stem(&path), shown(&path), prompt.unwrap_or_default());
        }
    }

    fn workflow(&mut self, location: String, text: String) {
        match workflow::parse(&location, &text) {
            Ok(read) => {
                // A built-in one of the same name is out of the game, and so is its text. Files of one folder cannot
                // have the same name, as each is named after its file.
                if let Some(old) = self.known.insert(read.name.clone(), read) {
                    self.sources.remove(&old.location);
                }
                self.sources.insert(location, text);
            }
            Err(found) => self.problems.extend(found),
        }
    }

    fn agent(&mut self, role: String, location: String, prompt: String) {
        self.roles.insert(role, Agent { prompt, location });
    }

    /// Gives what was read, masked, or everything that is wrong with it. `agents` is where prompts were looked for.
    pub(super) fn finish(
        mut self,
        setup: Setup,
        places: Vec<String>,
        agents: &[PathBuf],
        masker: &Masker,
    ) -> Result<Configured, Error> {
        let unknown: Vec<_> = self.unknown_agents(agents).collect();
        self.problems.extend(unknown);
        if !self.problems.is_empty() {
            let place = |problem: &Problem| (problem.file.clone(), problem.line, problem.column);
            self.problems.sort_by_key(place);
            let lines: Vec<_> = self.problems.iter().map(Problem::to_string).collect();
            let next = "correct these files, or give --workflows another folder";
            return Err(Error::usage("read the workflows", masker.mask(&lines.join("\n")), next));
        }
        let setup = Setup { workflows: self.known, agents: self.roles, ..setup };
        let mut configured = Configured { setup, sources: self.sources, places };
        masked::mask(&mut configured, masker);
        Ok(configured)
    }

    /// Tells the steps whose agent has no prompt.
    fn unknown_agents(&self, agents: &[PathBuf]) -> impl Iterator<Item = Problem> {
        let known = self.roles.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        let steps = self
            .known
            .values()
            .flat_map(|workflow| workflow.steps.iter().enumerate().map(move |(index, step)| (workflow, index, step)));
        let unknown = |agent: &&str| !self.roles.contains_key(*agent);
        steps.filter_map(move |(workflow, index, step)| {
            let (name, agent) = (&step.name, step.agent().filter(unknown)?);
            let looked: Vec<_> = agents.iter().map(|folder| shown(&folder.join(format!("{agent}.md")))).collect();
            let looked = looked.join(" and ");
            let what = format!("step `{name}`: the agent `{agent}` has no prompt: there is no {looked}");
            Some(self.agent_place(workflow, index).problem(&workflow.location, what, format!("there is: {known}")))
        })
    }

    /// Finds where a step names its agent: a workflow does not keep its places.
    fn agent_place(&self, workflow: &Workflow, step: usize) -> Place {
        let text = self.sources.get(&workflow.location).map(String::as_str).unwrap_or_default();
        let root = yaml::parse(&workflow.location, text).ok();
        let place = root.and_then(|root| Some(root.get("steps")?.items()?.get(step)?.get("agent")?.place));
        place.unwrap_or(Place { line: 1, column: 1, ..Place::default() })
    }
}

//! What was read of workflows, agents and skills so far, and everything that is wrong with it.
//!
//! A run refuses what lint calls an error that it could not work with; lint looks at the same reading. What the rules
//! are is for the core.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use nebuko::{
    lint::{self, Around, Finding, LintFile},
    problem::Problem,
    setup::{Agent, Setup, Skill},
    shipped::{AGENTS, LOCATION, WORKFLOWS},
    workflow::{self, Parsed, Work, Workflow},
};

use super::{
    Configured, Given,
    config::ConfigFile,
    files::{self, FILES_MAX, below, files, problem, read_inside, shown, stem},
    masked,
};
use crate::{error::Error, secret::Masker};

/// What was read so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// The workflow files, by the name that a mount uses: `default`, or `sub/part.yaml` in a folder below.
    pub(super) workflows: BTreeMap<String, WorkflowFile>,
    pub(super) roles: BTreeMap<String, Agent>,
    pub(super) skills: BTreeMap<String, Skill>,
    pub(super) config: ConfigFile,
    pub(super) problems: Vec<Problem>,
}

/// A workflow file and what the parser made of it.
#[derive(Clone, Debug)]
pub(crate) struct WorkflowFile {
    /// Where it stands, as people see it.
    pub(crate) location: String,
    /// Where it can be written to; `None` for what is compiled in or came from standard input.
    pub(crate) path: Option<PathBuf>,
    /// Its text.
    pub(crate) text: String,
    /// What the parser made of it.
    pub(crate) parsed: Parsed,
}

impl Reading {
    /// Reads what is compiled in.
    pub(crate) fn shipped() -> Self {
        let mut reading = Self::default();
        for (file, text) in WORKFLOWS {
            reading.add(stem(Path::new(file)), format!("{LOCATION}{file}"), None, (*text).to_owned());
        }
        for (file, text) in AGENTS {
            let (prompt, location) = ((*text).to_owned(), format!("{LOCATION}{file}"));
            let agent = Agent { prompt, location, ..Agent::default() };
            reading.roles.insert(stem(Path::new(file)), agent);
        }
        reading
    }

    /// Reads the workflows of a folder that is worth looking into, and looks whether the one that the settings name is
    /// among them.
    pub(super) fn workflows_of(&mut self, workflows: &Path, own: &Path, inside: Option<&Path>) {
        if super::is_sound(workflows, own) {
            self.workflows(workflows, inside);
        }
        self.named_workflow();
    }

    /// Reads the workflows of a folder and of those below it.
    pub(super) fn workflows(&mut self, folder: &Path, inside: Option<&Path>) {
        for (path, key) in below(folder, &files::WORKFLOWS, inside, &mut self.problems) {
            self.workflow_file(folder, path, key);
        }
    }

    /// Reads the workflows of a folder, and from below it only what those mount.
    pub(crate) fn neighbours(&mut self, folder: &Path) {
        for path in files(folder, &files::WORKFLOWS, None, &mut self.problems).into_iter().take(FILES_MAX) {
            let key = stem(&path);
            self.workflow_file(folder, path, key);
        }
        self.mounted(folder);
    }

    /// Reads what the workflows so far mount by path, and what those mount.
    pub(crate) fn mounted(&mut self, folder: &Path) {
        let mut open: Vec<String> = self.workflows.values().flat_map(mounts).collect();
        while let Some(key) = open.pop().filter(|_| self.workflows.len() < FILES_MAX) {
            let path = folder.join(&key);
            if !self.workflows.contains_key(&key) && Path::new(&key).is_relative() && path.is_file() {
                self.workflow_file(folder, path, key.clone());
                open.extend(self.workflows.get(&key).into_iter().flat_map(mounts));
            }
        }
    }

    /// Reads a workflow file, or notes why that cannot be done.
    pub(crate) fn workflow_file(&mut self, folder: &Path, path: PathBuf, key: String) {
        if let Some(text) = read_inside(folder, &path, &mut self.problems) {
            self.add(key, shown(&path), Some(path), text);
        }
    }

    /// Takes a workflow's text. One of the same name is out of the game: what a repository brings along wins over what
    /// is built in, and files of one folder cannot have the same name.
    pub(crate) fn add(&mut self, key: String, location: String, path: Option<PathBuf>, text: String) {
        let parsed = workflow::read(&location, &text);
        self.workflows.insert(key, WorkflowFile { location, path, text, parsed });
    }

    /// Puts another text in the place of a file's where it reads as well as before, and tells whether it did.
    pub(crate) fn retext(&mut self, location: &str, text: &str) -> bool {
        let Some(file) = self.workflows.values_mut().find(|file| file.location == location) else { return false };
        let parsed = workflow::read(location, text);
        let is_worse = parsed.problems.len() > file.parsed.problems.len()
            || parsed.workflow.is_none() && file.parsed.workflow.is_some();
        if !is_worse {
            *file = WorkflowFile { text: text.to_owned(), parsed, ..file.clone() };
        }
        !is_worse
    }

    /// Puts a file's text back as it was.
    pub(crate) fn put_back(&mut self, location: &str, text: &str) {
        if let Some(file) = self.workflows.values_mut().find(|file| file.location == location) {
            *file = WorkflowFile { text: text.to_owned(), parsed: workflow::read(location, text), ..file.clone() };
        }
    }

    /// Reads the agents of a repository's own folder.
    pub(super) fn own_agents(&mut self, own: &Path, agents: &Path, inside: &Path) {
        if fs::symlink_metadata(own).is_ok() && !own.is_dir() {
            self.problems.push(problem(own, "it is no folder".into(), "make it one, or remove it"));
        } else {
            self.agents(agents, inside);
        }
    }

    /// Reads the agents of a folder, which may not lead out of another.
    pub(super) fn agents(&mut self, folder: &Path, inside: &Path) {
        for (name, prompt, location) in self.texts("prompt", folder, inside) {
            self.roles.insert(name, Agent { prompt, location, ..Agent::default() });
        }
    }

    /// Reads the skills of a folder, which may not lead out of another.
    pub(super) fn skills(&mut self, folder: &Path, inside: &Path) {
        for (name, text, location) in self.texts("skill", folder, inside) {
            self.skills.insert(name, Skill { text, location });
        }
    }

    /// Reads the markdown files of a folder: the name, text and place of each.
    fn texts(&mut self, what: &str, folder: &Path, inside: &Path) -> Vec<(String, String, String)> {
        let mut texts = Vec::new();
        for path in files(folder, &files::PROMPTS, Some(inside), &mut self.problems) {
            let text = read_inside(folder, &path, &mut self.problems);
            if text.as_ref().is_some_and(|text| text.trim_start_matches('\u{feff}').trim().is_empty()) {
                let missing = format!("there is no {what} in here");
                self.problems.push(problem(&path, missing, &format!("write the {what}, or remove the file")));
            }
            // One that cannot be read is there all the same: its steps are not at fault.
            texts.push((stem(&path), text.unwrap_or_default(), shown(&path)));
        }
        texts
    }

    /// Gives the workflow files, by the name that a mount uses.
    pub(crate) fn files(&self) -> &BTreeMap<String, WorkflowFile> {
        &self.workflows
    }

    /// Gives what could not be read.
    pub(crate) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Looks at some of the files with every rule.
    pub(crate) fn check(&self, wanted: impl Fn(&str) -> bool) -> Vec<Finding> {
        let known: BTreeMap<String, Workflow> = self
            .workflows
            .iter()
            .filter_map(|(key, file)| Some((key.clone(), file.parsed.workflow.clone()?)))
            .collect();
        let around = Around {
            roles: self.roles.keys().map(String::as_str).collect(),
            skills: self.skills.keys().map(String::as_str).collect(),
            workflows: &known,
        };
        let files = self.workflows.iter().filter(|(key, _)| wanted(key)).map(|(_, file)| file);
        let files: Vec<_> =
            files.map(|file| LintFile { file: &file.location, text: &file.text, parsed: &file.parsed }).collect();
        lint::check(&files, &around)
    }

    /// Gives what was read, masked, or everything that is wrong with it. `agents` is where prompts were looked for.
    pub(super) fn finish(
        mut self,
        setup: Setup,
        given: &Given,
        places: Vec<String>,
        agents: &[PathBuf],
        masker: &Masker,
    ) -> Result<Configured, Error> {
        let refused = self.refused(agents);
        self.problems.extend(refused);
        if !self.problems.is_empty() {
            let place = |problem: &Problem| (problem.file.clone(), problem.line, problem.column);
            self.problems.sort_by_key(place);
            let lines: Vec<_> = self.problems.iter().map(Problem::to_string).collect();
            let next =
                "correct these files (`nebuko lint` shows them with their places), or give --workflows another folder";
            let of_config = |problem: &Problem| Some(problem.file.as_str()) == self.config_location();
            let attempted = if self.problems.iter().any(of_config) {
                "read the settings and the workflows"
            } else {
                "read the workflows"
            };
            return Err(Error::usage(attempted, masker.mask(&lines.join("\n")), next));
        }
        let mut sources: BTreeMap<_, _> =
            self.workflows.values().map(|file| (file.location.clone(), file.text.clone())).collect();
        let ConfigFile { location, text, config } = self.config;
        if !location.is_empty() {
            sources.insert(location, text);
        }
        let workflows = self.workflows.into_iter().filter_map(|(key, file)| Some((key, file.parsed.workflow?)));
        let mut setup = Setup { workflows: workflows.collect(), agents: self.roles, skills: self.skills, ..setup };
        config.apply(&mut setup);
        given.apply(&mut setup.settings);
        let mut configured = Configured { setup, sources, places, config };
        masked::mask(&mut configured, masker);
        Ok(configured)
    }

    /// Gives what a run cannot work with. A comment that ignores a finding keeps lint quiet; it makes nothing run.
    fn refused(&self, agents: &[PathBuf]) -> Vec<Problem> {
        let mut problems: Vec<_> = self.workflows.values().flat_map(|file| file.parsed.problems.clone()).collect();
        let findings = self.check(|_| true);
        for finding in findings.into_iter().filter(|finding| lint::HELD_BY_RUNS.contains(&finding.rule)) {
            let problem = as_problem(finding, agents);
            let same = |known: &Problem| {
                known.file == problem.file && known.start == problem.start && known.rule == problem.rule
            };
            if !problems.iter().any(same) {
                problems.push(problem);
            }
        }
        problems
    }
}

/// Gives the paths that a workflow mounts.
fn mounts(file: &WorkflowFile) -> Vec<String> {
    let steps = file.parsed.workflow.iter().flat_map(|workflow| &workflow.steps);
    let paths = steps.filter_map(|step| match &step.work {
        Work::Workflow(path) => Some(workflow::own_key(path)),
        Work::Agent(_) | Work::Repo(_) | Work::Script(_) => None,
    });
    // A name without a path is of the folder itself, which is read anyway.
    paths.filter(|key| key.contains('/')).collect()
}

/// Puts a finding as a mistake of its file. Where a role's prompt was looked for, only this side knows.
fn as_problem(finding: Finding, agents: &[PathBuf]) -> Problem {
    let Finding { rule, file, place, what, mut hint, .. } = finding;
    if rule == UNKNOWN_ROLE {
        let looked: Vec<_> = agents.iter().map(|folder| shown(folder)).collect();
        let told = format!("prompts stand in {}", looked.join(" and "));
        hint = if hint.is_empty() { told } else { format!("{hint}; {told}") };
    }
    Problem { rule: rule.into(), ..place.problem(&file, what, hint) }
}

/// The rule whose hint tells where prompts were looked for.
const UNKNOWN_ROLE: &str = "L17";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_read_from_below_the_folder_however_it_is_named() {
        let check = |name: &str, want: Option<&str>| {
            let mut reading = Reading::default();
            let text = format!("name: top\nsteps: [{{name: part, workflow: {name}}}]\n");
            reading.add("top".into(), "top.yaml".into(), None, text);
            let found: Vec<_> = reading.workflows.values().flat_map(mounts).collect();
            assert_eq!(found, Vec::from_iter(want), "{name}");
        };
        check("build", None);
        check("build.yaml", None);
        check("./build.yaml", None);
        check("part/build.yaml", Some("part/build.yaml"));
        check("./part/build.yaml", Some("part/build.yaml"));
        check("part/build", Some("part/build.yaml"));
    }
}

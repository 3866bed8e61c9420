//! The file of settings: read with what it names, so that everything that is wrong is told at once.

use std::{fs, io, path::Path};

use nebuko::{
    config::{self, Config, Prompt},
    nearest::{did_you_mean, nearest},
    problem::Problem,
    yaml::Place,
};

use super::{
    Reading,
    files::{problem, read_inside, shown},
};
use crate::error::{Error, causes};

/// A file of settings and what the parser made of it.
#[derive(Clone, Debug, Default)]
pub(super) struct ConfigFile {
    /// Where it stands, as people see it; empty where there is none.
    pub(super) location: String,
    /// Its text.
    pub(super) text: String,
    /// What it says.
    pub(super) config: Config,
}

impl Reading {
    /// Reads the settings of a repository's own folder, where it has some.
    pub(super) fn own_config(&mut self, own: &Path, checkout: &Path) {
        let path = own.join(CONFIG);
        let is_there = |path: &Path| !matches!(fs::symlink_metadata(path), Err(error) if is_missing(&error));
        if is_there(&path) {
            return self.config_file(&path, checkout, checkout);
        }
        let mistaken = own.join(MISTAKEN);
        if is_there(&mistaken) {
            let what = "this is not read: the ending is .yaml".into();
            self.problems.push(problem(&mistaken, what, &format!("rename it to {CONFIG}")));
        }
    }

    /// Reads the settings of a file that was named, wherever it stands.
    ///
    /// # Errors
    /// Usage: it is not there.
    pub(super) fn named_config(&mut self, path: &Path, checkout: &Path) -> Result<(), Error> {
        let real = fs::canonicalize(path).map_err(|error| {
            let next = "give --config a file such as .nebuko/config.yaml";
            Error::usage(format!("read {}", path.display()), causes(&error), next)
        })?;
        let home = real.parent().unwrap_or(checkout).to_owned();
        // It is shown as it was given.
        let mut problems = Vec::new();
        let text = read_inside(&home, &real, &mut problems);
        self.problems.extend(problems.into_iter().map(|told| Problem { file: shown(path), ..told }));
        self.take_config(path, text, checkout);
        Ok(())
    }

    fn config_file(&mut self, path: &Path, home: &Path, checkout: &Path) {
        let text = read_inside(home, path, &mut self.problems);
        self.take_config(path, text, checkout);
    }

    fn take_config(&mut self, path: &Path, text: Option<String>, checkout: &Path) {
        let Some(text) = text else { return };
        let location = shown(path);
        let read = config::read(&location, text.strip_prefix('\u{feff}').unwrap_or(&text));
        self.problems.extend(read.problems);
        self.config = ConfigFile { location, text, config: read.config };
        self.named_prompts(checkout);
        self.named_skills();
    }

    /// Reads the prompts that the settings name. An agent of theirs is there, whatever is wrong with its prompt: the steps
    /// that want it are not at fault.
    fn named_prompts(&mut self, checkout: &Path) {
        let config = self.config.config.clone();
        for Prompt { role, path, place } in config.prompts() {
            let Some(path) = path else {
                // What is no role by its name has been told, and no file is to be written for it.
                let is_told = self.problems.iter().any(|known| known.rule == "L20" && known.start == place.start);
                if !self.roles.contains_key(role) && !is_told {
                    let near = nearest(role, self.roles.keys().map(String::as_str));
                    let file = format!("write .nebuko/agents/{role}.md, or name a file in `prompt`");
                    let hint = if near.is_empty() { file } else { format!("{} Else {file}", did_you_mean(&near)) };
                    self.of_config("L17", place, format!("the agent `{role}` has no prompt"), hint);
                    self.roles.entry(role.to_owned()).or_default();
                }
                continue;
            };
            let path = checkout.join(path);
            let text = self.prompt(&path, checkout, place);
            let agent = self.roles.entry(role.to_owned()).or_default();
            agent.prompt = text.unwrap_or_default();
            agent.location = shown(&path);
        }
    }

    /// Reads a prompt, or tells at the place that names it why that cannot be.
    fn prompt(&mut self, path: &Path, checkout: &Path, place: Place) -> Option<String> {
        let mut problems = Vec::new();
        let text = read_inside(checkout, path, &mut problems);
        for told in problems {
            self.of_config("L20", place, format!("{} cannot be read: {}", shown(path), told.what), told.hint);
        }
        if text.as_ref().is_some_and(|text| text.trim_start_matches('\u{feff}').trim().is_empty()) {
            self.of_config(
                "L20",
                place,
                format!("there is no prompt in {}", shown(path)),
                "write it, or leave the key out".into(),
            );
        }
        text
    }

    fn named_skills(&mut self) {
        let config = self.config.config.clone();
        for (name, place) in config.skills().filter(|(name, _)| !self.skills.contains_key(*name)).collect::<Vec<_>>() {
            let near = nearest(name, self.skills.keys().map(String::as_str));
            let hint = if near.is_empty() { format!("write .nebuko/skills/{name}.md") } else { did_you_mean(&near) };
            self.of_config("L18", place, format!("there is no skill `{name}`"), hint);
        }
    }

    /// Checks that the workflow of new threads is there.
    pub(super) fn named_workflow(&mut self) {
        let config = &self.config.config;
        let Some((name, place)) = config.workflow() else { return };
        if !self.workflows.contains_key(name) {
            let near = nearest(name, self.workflows.keys().map(String::as_str));
            let hint = if near.is_empty() { "write the name of a workflow".into() } else { did_you_mean(&near) };
            let what = format!("there is no workflow `{name}`");
            self.of_config("L20", place, what, hint);
        }
    }

    fn of_config(&mut self, rule: &'static str, place: Place, what: String, hint: String) {
        let problem = place.problem(&self.config.location, what, hint);
        self.problems.push(Problem { rule: rule.into(), ..problem });
    }

    /// Gives where the settings stand, where there are some.
    pub(crate) fn config_location(&self) -> Option<&str> {
        Some(self.config.location.as_str()).filter(|location| !location.is_empty())
    }

    /// Gives the text of the settings.
    pub(crate) fn config_text(&self) -> &str {
        &self.config.text
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The file of settings in a repository's own folder.
pub(crate) const CONFIG: &str = "config.yaml";
const MISTAKEN: &str = "config.yml";

#[cfg(test)]
mod tests {
    use nebuko::setup::Setup;

    use super::{super::*, *};
    use crate::{scratch::Scratch, secret::Secret};

    fn finished(folder: &Scratch, masker: &Masker) -> Result<Configured, Error> {
        let own = folder.path().join(".nebuko");
        let reading = beside(&own.join("workflows"), &own, Some(folder.path()));
        reading.finish(Setup::default(), &Given::default(), Vec::new(), &[], masker)
    }

    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let temp = Scratch::with(files);
        let error = finished(&temp, &Masker::none()).expect_err("a mistake").to_string();
        let here = format!("{}/", shown(temp.path()));
        error.lines().filter(|line| line.contains(".nebuko/")).map(|line| line.replace(&here, "")).collect()
    }

    #[test]
    fn settings_are_put_over_what_is_built_in_and_their_text_is_kept() {
        let text = "limits: {rounds: 3}\nagents:\n  dev: {tools: [read_file]}\n  scribe: {prompt: prompts/scribe.md}\n";
        let temp = Scratch::with(&[(".nebuko/config.yaml", text), ("prompts/scribe.md", "Write it down.")]);
        let read = finished(&temp, &Masker::none()).expect("nothing is wrong");
        assert_eq!(read.setup.settings.limits.rounds, 3);
        assert!(read.setup.settings.providers.contains_key("openrouter"));
        let (dev, scribe) = (&read.setup.agents["dev"], &read.setup.agents["scribe"]);
        assert!(dev.location.starts_with("built-in:") && dev.tools == ["read_file"], "{dev:?}");
        assert_eq!(scribe.prompt, "Write it down.");
        assert!(scribe.location.ends_with("/prompts/scribe.md"), "{scribe:?}");
        let kept = read.sources.iter().find(|(file, _)| file.ends_with(".nebuko/config.yaml"));
        assert_eq!(kept.map(|(_, kept)| kept.as_str()), Some(text));
    }

    #[test]
    fn a_prompt_of_the_settings_comes_before_those_of_the_folders() {
        let temp = Scratch::with(&[
            (".nebuko/config.yaml", "agents: {dev: {prompt: a.md}}\n"),
            (".nebuko/agents/dev.md", "The folder's."),
            ("a.md", "The settings'."),
        ]);
        assert_eq!(finished(&temp, &Masker::none()).expect("it reads").setup.agents["dev"].prompt, "The settings'.");
    }

    #[test]
    fn secrets_of_the_process_are_masked_in_it() {
        let text = "# hunter2-hunter2\nagents: {dev: {phase: hunter2-hunter2}}\n";
        let temp = Scratch::with(&[(".nebuko/config.yaml", text)]);
        let masker = Masker::new([], &[Secret::new("hunter2-hunter2")]);
        let read = finished(&temp, &masker).expect("it reads");
        let shown = format!("{:?} {:?}", read.setup, read.sources);
        assert!(!shown.contains("hunter2") && shown.contains("***"), "{shown}");
    }

    #[test]
    fn everything_that_is_wrong_with_settings_and_workflows_is_told_at_once() {
        let found = told(&[
            (
                ".nebuko/config.yaml",
                "workflow: defualt\nlimts: {}\nagents:\n  dve: {}\n  ../x: {}\n  a: {prompt: gone.md}\n  b: {prompt: empty.md}\n  \
                 dev: {skills: [styel, {discover: [other]}]}\n",
            ),
            ("empty.md", " \n"),
            (".nebuko/skills/style.md", "Short."),
            (".nebuko/workflows/x.yaml", "name: x\nsteps: []\n"),
        ]);
        let expected = [
            ".nebuko/config.yaml:1:11: there is no workflow `defualt` (did you mean `default`?)",
            ".nebuko/config.yaml:2:1: the configuration has no key `limts` (did you mean `limits`?)",
            ".nebuko/config.yaml:4:3: the agent `dve` has no prompt (did you mean `dev`? Else write .nebuko/agents/dve.md",
            ".nebuko/config.yaml:5:3: `../x` cannot be a role, in `agents`",
            ".nebuko/config.yaml:6:15: gone.md cannot be read: No such file",
            ".nebuko/config.yaml:7:15: there is no prompt in empty.md",
            ".nebuko/config.yaml:8:18: there is no skill `styel` (did you mean `style`?)",
            ".nebuko/config.yaml:8:37: there is no skill `other` (write .nebuko/skills/other.md)",
            ".nebuko/workflows/x.yaml:2:8: `steps` is empty",
        ];
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (line, start) in found.iter().zip(expected) {
            assert!(line.trim_start().contains(start), "{line} has no {start}");
        }
    }

    #[test]
    fn a_file_that_was_meant_and_is_not_read_is_told() {
        let found = told(&[(".nebuko/config.yml", "limits: {}\n")]);
        assert!(found[0].contains(".nebuko/config.yml:1:1: this is not read: the ending is .yaml"), "{found:?}");
        let found = told(&[(".nebuko/config.yaml", "limits: {rounds: [}\n")]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_the_checkout() {
        use std::os::unix::fs::symlink;
        let outside = Scratch::with(&[("config.yaml", "limits: {rounds: 3}\n"), ("secret.md", "a secret")]);
        let temp = Scratch::with(&[(".nebuko/agents/x.md", "x")]);
        symlink(outside.path().join("config.yaml"), temp.path().join(".nebuko/config.yaml")).expect("a link");
        let error = finished(&temp, &Masker::none()).expect_err("it leads out").to_string();
        assert!(error.contains(".nebuko/config.yaml:1:1: it leads out of"), "{error}");
        let temp = Scratch::with(&[(".nebuko/config.yaml", "agents: {dev: {prompt: link.md}}\n")]);
        symlink(outside.path().join("secret.md"), temp.path().join("link.md")).expect("a link");
        let error = finished(&temp, &Masker::none()).expect_err("it leads out").to_string();
        assert!(error.contains("config.yaml:1:24: ") && error.contains("it leads out of"), "{error}");
        assert!(!error.contains("a secret"), "{error}");
    }

    #[test]
    fn a_file_that_is_named_is_read_in_place_of_the_own_one() {
        let temp = Scratch::with(&[("mine.yaml", "limits: {rounds: 4}\n"), ("bad.yaml", "limits: {rounds: 0}\n")]);
        let read = |name: &str| {
            let mut given = Given::default();
            given.config = Some(temp.path().join(name));
            configure(String::new(), 1, &given, &Masker::none())
        };
        assert_eq!(read("mine.yaml").expect("it reads").setup.settings.limits.rounds, 4);
        let error = read("bad.yaml").expect_err("a mistake").to_string();
        assert!(
            error.contains("bad.yaml:1:18: `rounds` cannot be `0`") && error.contains("read the settings"),
            "{error}"
        );
    }
}

//! Reading what a run is set up with: settings, workflows, agents and skills.
//!
//! What a repository brings along wins, by name, over what is built in; flags and the environment win over its file of
//! settings. Everything that is wrong with its files is told at once. What any of it means is for the core.

use std::{collections::BTreeMap, fs, io, path::Path};

use nebuko::{config::Config, setup::Setup};

use crate::{
    error::{Error, causes},
    secret::Masker,
};

mod config;
mod files;
mod given;
mod masked;
mod reading;
mod single;

pub(crate) use config::CONFIG;
pub(crate) use files::{file_inside, problem, shown};
pub use given::Given;
pub(crate) use reading::{Reading, WorkflowFile};
pub use single::read_workflow;

/// A setup, and the texts it was read from.
#[derive(Clone, Debug, Default)]
pub struct Configured {
    /// What the core is given.
    pub setup: Setup,
    /// The workflow files' texts, by where they stand; for a recording.
    pub sources: BTreeMap<String, String>,
    /// The folders in which workflows were looked for, besides what is built in.
    pub places: Vec<String>,
    /// The file of settings with its places; its texts are not masked.
    pub config: Config,
}

/// Reads the setup of a thread, with the secrets of this process masked in it.
///
/// # Errors
/// Usage: every mistake in the settings and the workflow files, each with file, line and column, or a file or folder
/// that was named and cannot be read.
pub fn configure(repo: String, number: u64, given: &Given, masker: &Masker) -> Result<Configured, Error> {
    let own = Path::new(OWN_FOLDER);
    let folder = given.workflows.as_deref();
    let config = given.config.as_deref();
    let reading = match folder {
        Some(named) => {
            fs::read_dir(named).map_err(|error| missing(named, &error))?;
            beside_with(named, own, None, config)?
        }
        None => beside_with(&own.join("workflows"), own, Some(Path::new(CHECKOUT)), config)?,
    };
    let workflows = folder.map_or_else(|| own.join("workflows"), Path::to_owned);
    // Agents stand beside the workflows or in their folder; the nearer ones win.
    let agents = [workflows.join("agents"), own.join("agents")];
    let setup = Setup { repo, number, ..Setup::default() };
    reading.finish(setup, given, vec![shown(&workflows)], &agents, masker)
}

/// Reads what is built in, and over it what a folder of workflows and a checkout's own folder bring along. With `inside`
/// the workflows may not lead out of that folder.
pub(crate) fn beside(workflows: &Path, own: &Path, inside: Option<&Path>) -> Reading {
    let mut reading = around(workflows, own, inside);
    reading.workflows_of(workflows, own, inside);
    reading
}

/// Reads like [`beside`], with the settings of a file that was named in place of the own folder's.
fn beside_with(workflows: &Path, own: &Path, inside: Option<&Path>, config: Option<&Path>) -> Result<Reading, Error> {
    let Some(config) = config else { return Ok(beside(workflows, own, inside)) };
    let mut reading = prompts_and_skills(workflows, own, inside);
    reading.named_config(config, checkout_of(own))?;
    reading.workflows_of(workflows, own, inside);
    Ok(reading)
}

/// Reads like [`beside`], all but the workflows of the folder.
pub(crate) fn around(workflows: &Path, own: &Path, inside: Option<&Path>) -> Reading {
    let mut reading = prompts_and_skills(workflows, own, inside);
    if own.is_dir() {
        reading.own_config(own, checkout_of(own));
    }
    reading
}

fn prompts_and_skills(workflows: &Path, own: &Path, inside: Option<&Path>) -> Reading {
    let checkout = checkout_of(own);
    let home = inside.unwrap_or(workflows);
    let mut reading = Reading::shipped();
    reading.own_agents(own, &own.join("agents"), checkout);
    if own.is_dir() {
        reading.skills(&own.join("skills"), checkout);
    }
    if is_sound(workflows, own) {
        reading.agents(&workflows.join("agents"), home);
        reading.skills(&workflows.join("skills"), home);
    }
    reading
}

/// Gives the checkout that an own folder stands in.
fn checkout_of(own: &Path) -> &Path {
    own.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(CHECKOUT))
}

/// Tells whether a folder is worth looking into: one in an own folder that is none was told as that.
fn is_sound(workflows: &Path, own: &Path) -> bool {
    !workflows.starts_with(own) || own.is_dir()
}

fn missing(folder: &Path, error: &io::Error) -> Error {
    let next = "give --workflows a folder with *.yaml and agents/*.md";
    Error::usage(format!("read {}", folder.display()), causes(error), next)
}

/// Where a repository keeps its own.
pub(crate) const OWN_FOLDER: &str = ".nebuko";
/// What that may not lead out of.
const CHECKOUT: &str = ".";

#[cfg(test)]
mod tests {
    use nebuko::shipped::LOCATION;

    use super::*;
    use crate::scratch::Scratch;

    fn configured(folder: &Scratch) -> Result<Configured, Error> {
        let given = Given::with_workflows(Some(folder.path().to_owned()));
        configure("acme/site".into(), 7, &given, &Masker::none())
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
        let replaced = own.sources.keys().any(|file| file == "built-in:default.yaml");
        assert!(!replaced && own.sources.values().any(|text| text == OWN), "{:?}", own.sources.keys());
        assert_eq!(own.sources.len(), built_in.sources.len());
    }

    #[test]
    fn every_mistake_is_told_with_its_place_in_one_go() {
        let temp = Scratch::with(&[
            ("a.yaml", "name: a\nsteps: []\nstep: 1\n"),
            ("b.yaml", "name: b\nsteps:\n  - name: x\n    agent: dev\n    next: y\n"),
            (
                "c.yaml",
                "name: c\nsteps:\n  - name: w\n    agent: dev\n    next: x\n  - {name: x, agent: nobody, next: null}\n",
            ),
            ("d.yml", OWN),
            ("e.YAML", OWN),
            (".hidden.yaml", "nothing"),
            ("README.md", "nothing"),
            ("agents/x.MD", "a prompt"),
            ("agents/y.markdown", "a prompt"),
            ("agents/.z.md", ""),
        ]);
        fs::write(temp.path().join("f.yaml"), b"name: f\nx: \xff").expect("a file");
        fs::write(temp.path().join("g.yaml"), vec![b'#'; 1024 * 1024 + 1]).expect("a file");
        fs::write(temp.path().join("agents/mine.md"), b"\xff").expect("a file");
        fs::create_dir(temp.path().join("h.yaml")).expect("a folder");
        let error = configured(&temp).expect_err("mistakes").to_string();
        let looked = format!("prompts stand in {0}/agents and .nebuko/agents", shown(temp.path()));
        let parts = [
            "a.yaml:3:1: ",
            "b.yaml:5:",
            "c.yaml:6:22: ",
            "`nobody`",
            &looked,
            "d.yml:1:1: this is not read: the ending is .yaml (rename it to d.yaml)",
            "e.YAML:1:1: this is not read",
            "f.yaml:2:4: here it is not UTF-8",
            "g.yaml:1:1: it has more than 1048576 bytes",
            "h.yaml:1:1: it is not a regular file",
            "agents/mine.md:1:1: here it is not UTF-8",
            "agents/x.MD:1:1: this is not read: the ending is .md",
            "agents/y.markdown:1:1: this is not read",
        ];
        for part in parts {
            assert!(error.contains(part), "{error} has no {part:?}");
        }
        assert_eq!(error.lines().count(), 2 + 12, "{error}");
    }

    #[test]
    fn workflows_below_have_their_path_as_name() {
        let named = |name: &str| OWN.replace("name: default", &format!("name: {name}"));
        let temp = Scratch::with(&[
            ("part.yaml", &named("part")),
            ("sub/part.yaml", &named("part")),
            ("sub/deep/part.yaml", &named("part")),
            (".git/part.yaml", "nothing"),
            ("agents/part.yaml", "nothing"),
            ("skills/part.yaml", "nothing"),
        ]);
        let read = configured(&temp).expect("they read");
        let own = read.setup.workflows.iter().filter(|(_, workflow)| !workflow.location.starts_with(LOCATION));
        let own: Vec<_> = own.map(|(key, workflow)| (key.as_str(), workflow.name.as_str())).collect();
        assert_eq!(own, [("part", "part"), ("sub/deep/part.yaml", "part"), ("sub/part.yaml", "part")]);
        assert_eq!(read.sources[&shown(&temp.path().join("sub/part.yaml"))], named("part"));
        temp.write("sub/other.yaml", OWN);
        let error = configured(&temp).expect_err("its name is not the file's").to_string();
        assert!(error.contains("sub/other.yaml:1:7: "), "{error}");
    }

    #[test]
    fn no_folder_is_too_deep_without_a_word() {
        let temp = Scratch::with(&[(&format!("{}a.yaml", "d/".repeat(20)), OWN)]);
        let error = configured(&temp).expect_err("too deep").to_string();
        assert!(error.contains("16 folders deep"), "{error}");
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
    fn a_folder_that_was_named_must_be_there() {
        let named = || Some("/nowhere/at/all".into());
        let mut of_config = Given::default();
        of_config.config = named();
        for given in [Given::with_workflows(named()), of_config] {
            let read = configure(String::new(), 1, &given, &Masker::none());
            let error = read.expect_err("missing").to_string();
            assert!(error.contains("/nowhere/at/all") && error.contains("next:"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_the_folder() {
        use std::os::unix::fs::symlink;
        let outside = Scratch::with(&[("secret.md", "a secret")]);
        let temp = Scratch::with(&[("agents/review.md", "inside")]);
        let link = temp.path().join("agents/dev.md");
        symlink(outside.path().join("secret.md"), &link).expect("a link");
        let error = configured(&temp).expect_err("it leads out").to_string();
        assert!(error.contains("agents/dev.md:1:1: it leads out of"), "{error}");
        fs::remove_file(&link).expect("it is there");
        symlink("review.md", &link).expect("a link");
        assert_eq!(configured(&temp).expect("it stays inside").setup.agents["dev"].prompt, "inside");
        let check = |target: &Path, told: &str| {
            let temp = Scratch::with(&[]);
            symlink(target, temp.path().join("agents")).expect("a link");
            let error = configured(&temp).expect_err("it leads out").to_string();
            assert!(error.contains("agents:1:1: ") && error.contains(told), "{error}");
        };
        check(outside.path(), "it leads out of");
        check(Path::new("/etc"), "it leads out of");
        check(Path::new("nowhere"), "No such file");
    }

    #[test]
    fn a_file_in_place_of_a_folder_is_a_mistake() {
        let temp = Scratch::with(&[("agents", "a file")]);
        let error = configured(&temp).expect_err("a mistake").to_string();
        assert!(error.contains("agents:1:1: ") && error.contains("make it a folder"), "{error}");
    }
}

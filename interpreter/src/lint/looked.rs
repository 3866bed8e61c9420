//! What is looked at: the files that were asked for, each beside what a run would find around it.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use nebuko::{
    lint::{Finding, Severity},
    problem::Problem,
    yaml::{self, Place},
};

use super::{
    diff::diff,
    mend::{Mended, mend},
    places::{self, Root, Wanted},
    write::replace,
};
use crate::{
    bounded::{SETUP_BYTES_MAX, bounded_text},
    error::{Error, causes},
    setup::{Reading, WorkflowFile, around, beside, problem, shown},
};

/// The files that are looked at, with their surroundings.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    groups: Vec<Group>,
    /// What cannot be read and was asked for.
    problems: Vec<Problem>,
}

/// The files of one folder that are looked at.
#[derive(Debug)]
struct Group {
    reading: Reading,
    /// Their keys in the reading.
    keys: BTreeSet<String>,
    /// Whether all of the folder is looked at, and the settings with it.
    is_whole: bool,
}

impl Looked {
    /// Reads what the paths name; `-` is standard input, which stands for the file `stdin_name`.
    ///
    /// # Errors
    /// Usage: a path that is not there, or there is nothing to look at.
    pub(crate) fn at(paths: &[PathBuf], stdin_name: Option<&Path>) -> Result<Self, Error> {
        let (dashes, paths): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| path == Path::new("-"));
        if stdin_name.is_some() && dashes.is_empty() {
            let why = "--stdin-name says what standard input stands for, and that is not looked at";
            return Err(Error::usage("look at the workflows", why, "give - as the path"));
        }
        let mut looked = Self::default();
        let roots = if paths.is_empty() && dashes.is_empty() {
            vec![Root { folder: places::own()?, wanted: Wanted::Everything }]
        } else {
            places::roots(&paths)?
        };
        for root in &roots {
            looked.add(root);
        }
        if !dashes.is_empty() {
            looked.add_text(stdin_name, standard_input()?);
        }
        if looked.len() == 0 && looked.problems.is_empty() {
            let folders: Vec<_> = roots.iter().map(|root| shown(&root.folder)).collect();
            let why = format!("there is no *.yaml in {}", folders.join(" and "));
            return Err(Error::usage("look at the workflows", why, "give a workflow file, a folder of them, or -"));
        }
        Ok(looked)
    }

    fn add(&mut self, root: &Root) {
        let own = places::own_folder(&root.folder);
        let (reading, keys) = match &root.wanted {
            Wanted::Everything => {
                let reading = beside(&root.folder, &own, None);
                self.problems.extend(reading.problems().iter().cloned());
                let keys = own_files(&reading).map(|(key, _)| key.to_owned()).collect();
                (reading, keys)
            }
            Wanted::Files(files) => {
                let reading = with_neighbours(&root.folder, &own);
                let named: BTreeSet<String> = files.iter().map(|file| shown(file)).collect();
                self.problems.extend(unread(&reading, files, &named));
                let wanted = own_files(&reading).filter(|(_, file)| named.contains(&file.location));
                let keys = wanted.map(|(key, _)| key.to_owned()).collect();
                (reading, keys)
            }
        };
        let is_whole = root.wanted == Wanted::Everything;
        self.groups.push(Group { reading, keys, is_whole });
    }

    /// Adds a text that stands for a file. Without a name it stands for one that is called what the text says.
    fn add_text(&mut self, name: Option<&Path>, text: String) {
        let name = name.map_or_else(|| PathBuf::from(own_name(&text)), places::plain);
        let folder = places::home_of(&name);
        let mut reading = with_neighbours(&folder, &places::own_folder(&folder));
        let below = name.strip_prefix(&folder).unwrap_or(&name);
        let key = if below.components().count() == 1 { stem(below) } else { shown(below) };
        reading.add(key.clone(), shown(&name), None, text);
        reading.mounted(&folder);
        self.groups.push(Group { reading, keys: BTreeSet::from([key]), is_whole: false });
    }

    /// Looks at every file with every rule.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut findings: Vec<_> = self.problems.iter().map(unreadable).collect();
        for group in &self.groups {
            findings.extend(group.reading.check(|key| group.keys.contains(key)));
        }
        // The rules order what they find; here several folders come together. The sort is stable.
        findings.sort_by(|a, b| (&a.file, a.place.line, a.place.column).cmp(&(&b.file, b.place.line, b.place.column)));
        findings
    }

    /// Says how many files are looked at, the settings and those that cannot be read among them.
    pub(crate) fn len(&self) -> usize {
        let mut unread: BTreeSet<_> = self.problems.iter().map(|problem| problem.file.as_str()).collect();
        let settings =
            self.groups.iter().filter(|group| group.is_whole).filter_map(|group| group.reading.config_location());
        unread.extend(settings);
        self.groups.iter().map(|group| group.keys.len()).sum::<usize>() + unread.len()
    }

    /// Gives every file that a finding may be about, with its text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.groups.iter().flat_map(|group| group.reading.files().values());
        files.map(|file| (file.location.as_str(), file.text.as_str()))
    }

    /// Gives the settings that a finding may be about, with their text.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.groups.iter().filter_map(|group| Some((group.reading.config_location()?, group.reading.config_text())))
    }

    /// Mends in memory what has a safe fix, round by round until nothing is left to mend.
    pub(crate) fn mend(&mut self) -> Mended {
        let before: BTreeMap<String, String> =
            self.texts().map(|(file, text)| (file.to_owned(), text.to_owned())).collect();
        let counts = mend(self);
        let changed = self.groups.iter().flat_map(|group| group.reading.files().values());
        let changed = changed.filter(|file| before.get(&file.location).is_some_and(|old| *old != file.text));
        let changes = changed.map(|file| (file.location.clone(), before[&file.location].clone())).collect();
        Mended { counts, changes }
    }

    /// Gives what was mended as a patch.
    pub(crate) fn diff(&self, mended: &Mended) -> String {
        let changed = self.texts().filter_map(|(file, new)| Some(diff(file, mended.changes.get(file)?, new)));
        changed.collect()
    }

    /// Writes the files that were mended, each whole or not at all. One that cannot be written is as it was here, too.
    ///
    /// # Errors
    /// The files that could not be written; the others are.
    pub(crate) fn write(&mut self, mended: &mut Mended) -> Result<(), Error> {
        let files = self.groups.iter().flat_map(|group| group.reading.files().values());
        let (mut errors, mut failed) = (Vec::new(), Vec::new());
        for file in files {
            if let (Some(old), Some(path)) = (mended.changes.get(&file.location), &file.path)
                && let Err(why) = replace(path, old, &file.text)
            {
                errors.push(format!("{}: {why}", file.location));
                failed.push(file.location.clone());
            }
        }
        for file in failed {
            mended.counts.remove(&file);
            if let Some(old) = mended.changes.remove(&file) {
                self.groups.iter_mut().for_each(|group| group.reading.put_back(&file, &old));
            }
        }
        if errors.is_empty() {
            return Ok(());
        }
        Err(Error::failed("write what was mended", errors.join("\n"), "look at these files, then lint again"))
    }

    /// Gives the files that are links.
    pub(super) fn links(&self) -> BTreeSet<String> {
        let is_link = |file: &&WorkflowFile| file.path.as_ref().is_some_and(|path| path.is_symlink());
        self.wanted().filter(is_link).map(|file| file.location.clone()).collect()
    }

    /// Gives the files that are looked at.
    pub(super) fn wanted(&self) -> impl Iterator<Item = &WorkflowFile> {
        self.groups.iter().flat_map(|group| {
            group.reading.files().iter().filter(|(key, _)| group.keys.contains(*key)).map(|(_, file)| file)
        })
    }

    /// Puts another text in the place of a file's, if it reads as well as before.
    pub(super) fn retext(&mut self, file: &str, text: &str) -> bool {
        let mut done = false;
        for group in &mut self.groups {
            done |= group.reading.retext(file, text);
        }
        done
    }
}

/// Gives what cannot be read of some files, and why those with another ending are not read.
fn unread(reading: &Reading, files: &BTreeSet<PathBuf>, named: &BTreeSet<String>) -> Vec<Problem> {
    let told = reading.problems().iter().filter(|problem| named.contains(&problem.file));
    let mut problems: Vec<_> = told.cloned().collect();
    for file in files.iter().filter(|file| file.extension().is_none_or(|ending| ending != "yaml")) {
        if problems.iter().all(|problem| problem.file != shown(file)) {
            let what = "this is not read: the ending is .yaml".to_owned();
            problems.push(problem(file, what, "give a workflow file"));
        }
    }
    problems
}

/// Puts what cannot be read among the findings.
fn unreadable(problem: &Problem) -> Finding {
    let Problem { file, line, column, start, end, what, hint, rule, .. } = problem.clone();
    let place = Place { line, column, start, end };
    // A mistake in the settings says which rule it breaks.
    let rule = match rule {
        Cow::Borrowed(rule) if !rule.is_empty() => rule,
        Cow::Borrowed(_) | Cow::Owned(_) => UNREADABLE,
    };
    Finding { rule, severity: Severity::Error, file, place, what, hint, labels: Vec::new(), fix: None, ignored: None }
}

/// Reads what stands around some files of a folder: all of it where the name says that it belongs together.
fn with_neighbours(folder: &Path, own: &Path) -> Reading {
    if places::is_home(folder) {
        return beside(folder, own, None);
    }
    let mut reading = around(folder, own, None);
    reading.neighbours(folder);
    reading
}

/// Gives the files that are not compiled in.
fn own_files(reading: &Reading) -> impl Iterator<Item = (&str, &WorkflowFile)> {
    reading.files().iter().filter(|(_, file)| file.path.is_some()).map(|(key, file)| (key.as_str(), file))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Names a text after the name that it gives itself.
fn own_name(text: &str) -> String {
    let root = yaml::parse("", text).ok();
    let name = root.as_ref().and_then(|root| root.get("name")?.text());
    let good = |name: &&str| !name.is_empty() && !name.contains(['/', '\\']) && !name.contains(char::is_control);
    format!("{}.yaml", name.filter(good).unwrap_or("stdin"))
}

fn standard_input() -> Result<String, Error> {
    bounded_text(io::stdin().lock(), SETUP_BYTES_MAX)
        .map_err(|error| Error::usage("read standard input", causes(&error), "give the text of a workflow file"))
}

/// The rule of what cannot be read.
const UNREADABLE: &str = "L22";

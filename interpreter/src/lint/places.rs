//! From the paths of the command line to folders of workflows, and what of each is looked at.
//!
//! A workflow is looked at as a run would find it: with what stands beside it, so that what it mounts is known.

use std::{
    collections::BTreeSet,
    path::{Component, Path, PathBuf},
};

use crate::{
    error::Error,
    setup::{CONFIG, OWN_FOLDER, shown},
};

/// A folder of workflows, and what of it is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) folder: PathBuf,
    pub(super) wanted: Wanted,
}

/// What of a folder is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Everything in it and below it.
    Everything,
    /// These files.
    Files(BTreeSet<PathBuf>),
}

/// Finds the folders that paths are about; without a path, where a repository keeps its workflows.
///
/// # Errors
/// Usage: a path that is not there, or none was given and there is no folder of workflows.
pub(super) fn roots(paths: &[PathBuf]) -> Result<Vec<Root>, Error> {
    let missing: Vec<_> =
        paths.iter().filter(|path| path.symlink_metadata().is_err()).map(|path| shown(path)).collect();
    if !missing.is_empty() {
        let why = missing.iter().map(|path| format!("there is no {path}")).collect::<Vec<_>>().join("\n");
        return Err(Error::usage("look at the workflows", why, "give a workflow file, a folder of them, or -"));
    }
    let mut roots: Vec<Root> = Vec::new();
    for path in paths {
        let path = plain(path);
        if path.is_dir() {
            add(&mut roots, folder_of(&path), None);
        } else {
            add(&mut roots, home_of(&path), Some(path));
        }
    }
    Ok(without_covered(roots))
}

/// Leaves out what another folder holds already, so that no file is looked at twice.
fn without_covered(roots: Vec<Root>) -> Vec<Root> {
    let whole: Vec<_> =
        roots.iter().filter(|root| root.wanted == Wanted::Everything).map(|root| &root.folder).collect();
    let is_covered = |root: &Root| whole.iter().any(|folder| covers(folder, &root.folder));
    roots.iter().filter(|root| !is_covered(root)).cloned().collect()
}

/// Tells whether a folder stands below another, where no hidden one is between them.
fn covers(outer: &Path, inner: &Path) -> bool {
    let below = if outer == Path::new(".") { Ok(inner) } else { inner.strip_prefix(outer) };
    let is_hidden = |part: Component<'_>| part.as_os_str().to_string_lossy().starts_with('.');
    below.is_ok_and(|below| {
        below.is_relative() && below.components().next().is_some() && !below.components().any(is_hidden)
    })
}

/// Gives the folder that is looked at where no path is given, beside the settings.
///
/// # Errors
/// Usage: there is none.
pub(super) fn own() -> Result<PathBuf, Error> {
    let places = [Path::new(OWN_FOLDER).join(WORKFLOWS), PathBuf::from(WORKFLOWS)];
    let found = places.iter().find(|place| place.is_dir()).cloned();
    // A repository may bring settings alone.
    let has_config = || Path::new(OWN_FOLDER).join(CONFIG).exists().then(|| places[0].clone());
    found.or_else(has_config).ok_or_else(|| {
        let why = "there is no .nebuko/workflows, no .nebuko/config.yaml and no workflows here";
        Error::usage("look at the workflows", why, "give a workflow file, a folder of them, or -")
    })
}

fn add(roots: &mut Vec<Root>, folder: PathBuf, file: Option<PathBuf>) {
    let place = roots.iter().position(|root| root.folder == folder).unwrap_or_else(|| {
        roots.push(Root { folder, wanted: Wanted::Files(BTreeSet::new()) });
        roots.len() - 1
    });
    let wanted = &mut roots[place].wanted;
    match (wanted, file) {
        (Wanted::Everything, _) => {}
        (Wanted::Files(files), Some(file)) => drop(files.insert(file)),
        (wanted @ Wanted::Files(_), None) => *wanted = Wanted::Everything,
    }
}

/// Gives the folder of workflows that a folder is or, as the checkout of a repository, has.
fn folder_of(path: &Path) -> PathBuf {
    let own = path.join(OWN_FOLDER).join(WORKFLOWS);
    if own.is_dir() {
        return plain(&own);
    }
    let top = path.join(WORKFLOWS);
    if top.is_dir() && !has_workflows(path) { plain(&top) } else { path.to_owned() }
}

/// Tells whether workflow files stand right in a folder. One that cannot be listed is told by whoever reads it.
fn has_workflows(folder: &Path) -> bool {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| path.extension().is_some_and(|ending| ending == "yaml"))
}

/// Gives the folder whose workflows a file belongs to: the nearest one of that name, else the one that it stands in.
pub(super) fn home_of(file: &Path) -> PathBuf {
    let parent = file.parent().unwrap_or(Path::new(""));
    let named = parent.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == WORKFLOWS));
    let home = named.unwrap_or(parent);
    if home.as_os_str().is_empty() { PathBuf::from(".") } else { home.to_owned() }
}

/// Gives the own folder of the checkout that a folder of workflows stands in.
pub(super) fn own_folder(workflows: &Path) -> PathBuf {
    let parent = workflows.parent().filter(|parent| parent.file_name().is_some_and(|name| name == OWN_FOLDER));
    parent.map_or_else(|| PathBuf::from(OWN_FOLDER), Path::to_owned)
}

/// Tells whether a folder holds workflows by its name, so that all below it belongs together.
pub(super) fn is_home(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == WORKFLOWS)
}

/// Leaves out `./`, so that a file has one name however it was given.
pub(super) fn plain(path: &Path) -> PathBuf {
    let plain: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    if plain.as_os_str().is_empty() { PathBuf::from(".") } else { plain }
}

/// How the folder of workflows is called in a repository, in its own folder or at its top.
const WORKFLOWS: &str = "workflows";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_nearest_folder_of_workflows() {
        let check = |file: &str, home: &str, own: &str| {
            let found = home_of(&plain(Path::new(file)));
            assert_eq!((found.as_path(), own_folder(&found).as_path()), (Path::new(home), Path::new(own)), "{file}");
        };
        check("a.yaml", ".", ".nebuko");
        check("./flows/a.yaml", "flows", ".nebuko");
        check("workflows/sub/deep/a.yaml", "workflows", ".nebuko");
        check("x/.nebuko/workflows/a.yaml", "x/.nebuko/workflows", "x/.nebuko");
        check(".nebuko/workflows/sub/a.yaml", ".nebuko/workflows", ".nebuko");
        check("/flows/a.yaml", "/flows", ".nebuko");
        check("workflows/sub/workflows/a.yaml", "workflows/sub/workflows", ".nebuko");
    }

    #[test]
    fn a_folder_holds_what_is_below_it_and_not_hidden() {
        let check = |outer: &str, inner: &str, expected: bool| {
            assert_eq!(covers(Path::new(outer), Path::new(inner)), expected, "{outer} {inner}");
        };
        check("flows", "flows/sub", true);
        check("flows", "flows", false);
        check("flows", "flows2", false);
        check("flows/sub", "flows", false);
        check(".", "flows/sub", true);
        check(".", ".nebuko/workflows", false);
        check(".", "../flows", false);
        check(".", "/flows", false);
        check(".", ".", false);
        check("/", "/flows", true);
    }

    #[test]
    fn what_is_given_twice_is_looked_at_once() {
        let mut roots = Vec::new();
        add(&mut roots, "flows".into(), Some("flows/a.yaml".into()));
        add(&mut roots, "flows".into(), Some("flows/a.yaml".into()));
        assert_eq!(roots[0].wanted, Wanted::Files(BTreeSet::from(["flows/a.yaml".into()])));
        add(&mut roots, "flows".into(), None);
        add(&mut roots, "flows".into(), Some("flows/b.yaml".into()));
        assert_eq!(roots, [Root { folder: "flows".into(), wanted: Wanted::Everything }]);
    }
}

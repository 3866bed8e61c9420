//! The files of a folder that a repository brings along: listed in order, and read only from inside.
//!
//! What cannot be read is one more problem of its file, so that it does not hide the others.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use nebuko::problem::Problem;

use crate::{
    bounded::{SETUP_BYTES_MAX, read_bounded, text},
    error::causes,
};

/// What is read from a folder: files with one ending, and not those that were probably meant to have it.
pub(super) struct Wanted {
    ending: &'static str,
    mistaken: &'static str,
}

/// Workflow files.
pub(super) const WORKFLOWS: Wanted = Wanted { ending: "yaml", mistaken: "yml" };
/// Prompts.
pub(super) const PROMPTS: Wanted = Wanted { ending: "md", mistaken: "markdown" };

/// Lists the files of a folder in the order of their names. One that is not there has none; hidden files, and those
/// with other endings, are not meant. With `inside` the folder itself may not lead out of that one.
pub(super) fn files(
    folder: &Path,
    wanted: &Wanted,
    inside: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> Vec<PathBuf> {
    let entries = match entries(folder, inside) {
        Ok(entries) => entries,
        Err(why) => {
            problems.push(problem(folder, why, FOLDER_HINT));
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((stem, ending)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty() && !name.starts_with('.'))
        else {
            continue;
        };
        if ending == wanted.ending {
            found.push(path);
        } else if [wanted.ending, wanted.mistaken].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            let hint = format!("rename it to {stem}.{}", wanted.ending);
            problems.push(problem(&path, format!("this is not read: the ending is .{}", wanted.ending), &hint));
        }
    }
    found
}

/// Lists the files of a folder and of those below it, each with the name that a mount uses: the stem for a file of the
/// folder itself, `sub/part.yaml` for one below. Links to folders are not followed: what they lead to is listed in its
/// own place, or stands outside.
pub(super) fn below(
    folder: &Path,
    wanted: &Wanted,
    inside: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> Vec<(PathBuf, String)> {
    let mut found: Vec<_> =
        files(folder, wanted, inside, problems).into_iter().map(|path| (path.clone(), stem(&path))).collect();
    let mut open = subfolders(folder, wanted, folder, problems);
    open.retain(|sub| !OTHER_FOLDERS.iter().any(|other| sub.file_name().is_some_and(|name| name == *other)));
    open.reverse();
    while let Some(sub) = open.pop() {
        let depth = sub.strip_prefix(folder).map_or(0, |below| below.components().count());
        if depth > DEPTH_MAX || found.len() > FILES_MAX {
            let what = format!("this is not read: at most {FILES_MAX} files, {DEPTH_MAX} folders deep, are");
            problems.push(problem(&sub, what, "give the folder of the workflows itself"));
            break;
        }
        for path in files(&sub, wanted, Some(folder), problems) {
            let key = shown(path.strip_prefix(folder).unwrap_or(&path));
            found.push((path, key));
        }
        open.extend(subfolders(&sub, wanted, folder, problems).into_iter().rev());
    }
    found
}

/// Lists the folders of a folder. One that has the ending of a file is a mistake that is told as such.
fn subfolders(folder: &Path, wanted: &Wanted, home: &Path, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    // What cannot be listed was told already.
    let entries = entries(folder, None).unwrap_or_default();
    let is_meant = |path: &PathBuf| {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        !hidden && path.extension().is_none_or(|ending| ending != wanted.ending) && path.is_dir()
    };
    let mut found: Vec<_> = entries.into_iter().filter(is_meant).collect();
    found.retain(|sub| {
        let is_link = sub.is_symlink();
        if is_link && let Err(why) = stays_inside(home, sub) {
            problems.push(problem(sub, why, FOLDER_HINT));
        }
        !is_link
    });
    found
}

fn entries(folder: &Path, inside: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    let failed = |error: io::Error| causes(&error);
    // A link that leads nowhere is there.
    if let Err(error) = fs::symlink_metadata(folder) {
        return if error.kind() == io::ErrorKind::NotFound { Ok(Vec::new()) } else { Err(failed(error)) };
    }
    if let Some(home) = inside {
        stays_inside(home, folder)?;
    }
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// Reads a file that is really inside its folder: a link may not lead anywhere else.
pub(super) fn read_inside(folder: &Path, path: &Path, problems: &mut Vec<Problem>) -> Option<String> {
    let bytes = file_inside(folder, path)
        .and_then(|target| read_bounded(&target, SETUP_BYTES_MAX).map_err(|error| causes(&error)));
    match bytes.map(text) {
        Ok(Ok(text)) => return Some(text),
        Ok(Err((line, column))) => {
            let what = "here it is not UTF-8".into();
            problems.push(Problem { line, column, ..problem(path, what, "save the file as UTF-8") });
        }
        Err(why) => problems.push(problem(path, why, "make it a readable file in this folder, or remove it")),
    }
    None
}

/// Gives the file that a path names in the end.
///
/// # Errors
/// Why it is none to read: it is not there, it leads out of the folder, or it is a pipe, a device or a folder.
pub(crate) fn file_inside(folder: &Path, path: &Path) -> Result<PathBuf, String> {
    let target = stays_inside(folder, path)?;
    let about = fs::metadata(&target).map_err(|error| causes(&error))?;
    if about.is_file() { Ok(target) } else { Err("it is not a regular file".into()) }
}

fn stays_inside(home: &Path, path: &Path) -> Result<PathBuf, String> {
    // What stands right in the folder and is no link leads nowhere else: most files do, and asking costs little.
    let is_own = path.parent() == Some(home) && path.file_name().is_some();
    if is_own && path.symlink_metadata().is_ok_and(|about| !about.is_symlink()) {
        return Ok(path.to_owned());
    }
    let real = |path: &Path| fs::canonicalize(path).map_err(|error| causes(&error));
    let (real_home, target) = (real(home)?, real(path)?);
    if target.starts_with(&real_home) {
        return Ok(target);
    }
    Err(format!("it leads out of {}, to {}", shown(home), shown(&target)))
}

/// Makes a problem of a file or folder as a whole.
pub(crate) fn problem(path: &Path, what: String, hint: &str) -> Problem {
    Problem { file: shown(path), line: 1, column: 1, what, hint: hint.into(), ..Problem::default() }
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Shows a path; a file of the folder that one stands in has its bare name.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(".")
        .ok()
        .filter(|bare| !bare.as_os_str().is_empty())
        .unwrap_or(path)
        .display()
        .to_string()
        .replace('\\', "/")
}

/// The most workflow files that one folder is read with.
pub(super) const FILES_MAX: usize = 10_000;
/// How deep the folders below it may be.
const DEPTH_MAX: usize = 16;
/// Folders beside the workflows that hold something else.
const OTHER_FOLDERS: [&str; 2] = ["agents", "skills"];
const FOLDER_HINT: &str = "make it a folder in its place, or remove it";

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
    let bytes = stays_inside(folder, path).and_then(|target| {
        let about = fs::metadata(&target).map_err(|error| causes(&error))?;
        if !about.is_file() {
            return Err("it is not a regular file".into());
        }
        read_bounded(&target, SETUP_BYTES_MAX).map_err(|error| causes(&error))
    });
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

fn stays_inside(home: &Path, path: &Path) -> Result<PathBuf, String> {
    let real = |path: &Path| fs::canonicalize(path).map_err(|error| causes(&error));
    let (real_home, target) = (real(home)?, real(path)?);
    if target.starts_with(&real_home) {
        return Ok(target);
    }
    Err(format!("it leads out of {}, to {}", shown(home), shown(&target)))
}

/// Makes a problem of a file or folder as a whole.
pub(super) fn problem(path: &Path, what: String, hint: &str) -> Problem {
    Problem { file: shown(path), line: 1, column: 1, what, hint: hint.into(), ..Problem::default() }
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub(super) fn shown(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

const FOLDER_HINT: &str = "make it a folder in its place, or remove it";

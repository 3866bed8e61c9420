//! The files of a folder that a repository brings along: listed in order, and read only from inside.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::error::{Error, causes};

/// Lists the files of a folder with one of these endings, in the order of their names.
pub(super) fn files(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, Error> {
    let failed = |error: io::Error| unreadable(folder, causes(&error));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| endings.contains(&ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a file that is really inside its folder: a link may not lead anywhere else.
pub(super) fn read_inside(folder: &Path, path: &Path) -> Result<String, Error> {
    let failed = |error: io::Error| unreadable(path, causes(&error));
    let (home, target) = (fs::canonicalize(folder).map_err(failed)?, fs::canonicalize(path).map_err(failed)?);
    if !target.starts_with(&home) {
        return Err(unreadable(path, format!("it leads out of {}, to {}", folder.display(), target.display())));
    }
    let about = fs::metadata(&target).map_err(failed)?;
    if !about.is_file() || about.len() > FILE_BYTES_MAX {
        return Err(unreadable(path, format!("it is no file of at most {FILE_BYTES_MAX} bytes")));
    }
    let bytes = fs::read(&target).map_err(failed)?;
    String::from_utf8(bytes).map_err(|error| unreadable(path, causes(&error)))
}

fn unreadable(path: &Path, why: String) -> Error {
    let next = "give --workflows a folder with *.yaml and agents/*.md";
    Error::usage(format!("read {}", path.display()), why, next)
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned()
}

pub(super) fn shown(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

/// Far above any workflow or prompt.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

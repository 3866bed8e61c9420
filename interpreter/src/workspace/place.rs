//! Which file a path is: never outside the checkout, also where links lead, and never where an agent's own rules are.
//!
//! A path is judged by where it really leads. One that does not exist yet is judged by the nearest folder that does.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Component, Path, PathBuf},
};

use crate::error::causes;

/// Resolves a path of the checkout with all its links.
///
/// # Errors
/// Says why it is none, and what to do.
pub(crate) fn inside(path: &str, checkout: &Path) -> Result<PathBuf, String> {
    is_relative(path)?;
    let told =
        |why: String| format!("`{path}`: {why}; check the path, which counts from the folder nebuko is started in");
    let root = real(checkout).map_err(told)?;
    let real = real(&checkout.join(path)).map_err(told)?;
    if !real.starts_with(&root) {
        return Err(format!("`{path}` is a link that leads out of the checkout; put the file itself there"));
    }
    Ok(real)
}

/// The checkout, as agents see it.
pub(super) struct Ground {
    /// Its real path.
    root: PathBuf,
}

/// A file that may be written.
#[derive(Debug)]
pub(super) struct Target {
    /// Where it is, or will be. No part of it is a link.
    pub(super) path: PathBuf,
    /// What is there now.
    pub(super) there: Option<fs::Metadata>,
}

impl Ground {
    /// Finds the checkout.
    ///
    /// # Errors
    /// Says that it is not there.
    pub(super) fn of(checkout: &Path) -> Result<Self, String> {
        let root = real(checkout).map_err(|why| format!("the checkout cannot be used: {why}"))?;
        Ok(Self { root })
    }

    /// Gives the real path of a file or folder that may be looked at.
    ///
    /// # Errors
    /// Says why it may not, or is not there.
    pub(super) fn to_read(&self, path: &str) -> Result<PathBuf, String> {
        let real = inside(path, &self.root)?;
        match self.guarded(&real, &[GIT]) {
            None => Ok(real),
            Some(_) => Err(format!(
                "`{path}` is git's own and may hold a token of this job; it is not shown. Use `run_command` with git where \
                 your role may"
            )),
        }
    }

    /// Gives the place of a file that may be written, new or not. Nothing is made or changed yet.
    ///
    /// # Errors
    /// Says why it may not.
    pub(super) fn to_write(&self, path: &str) -> Result<Target, String> {
        is_relative(path)?;
        let parts: Vec<&OsStr> = Path::new(path)
            .components()
            .filter_map(|part| if let Component::Normal(name) = part { Some(name) } else { None })
            .collect();
        let Some((name, folders)) = parts.split_last().filter(|_| !path.ends_with(['/', '\\'])) else {
            return Err(format!("`{path}` names no file; give the path of one"));
        };
        let file = self.folder(path, folders)?.join(name);
        if let Some(name) = self.guarded(&file, &[GIT, NEBUKO]) {
            return Err(format!(
                "`{path}` may not be written: what is in {name} decides how agents and git work here, and an agent does \
                 not change its own rules. Say in the report what should be changed there"
            ));
        }
        let there = match fs::symlink_metadata(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("`{path}`: {}", causes(&error))),
            Ok(about) => Some(about),
        };
        match there.as_ref().map(|about| (about.file_type(), about.permissions().readonly())) {
            Some((kind, _)) if kind.is_symlink() => {
                Err(format!("`{path}` is a link, and nothing is written through one; write the file that it leads to"))
            }
            Some((kind, _)) if kind.is_dir() => Err(format!("`{path}` is a folder; give the path of a file")),
            Some((kind, _)) if !kind.is_file() => Err(format!("`{path}` is no regular file, so it is left alone")),
            Some((_, true)) => Err(format!("`{path}` is read-only here, so it is left alone")),
            _ => Ok(Target { path: file, there }),
        }
    }

    /// Gives where a folder really is, as far as it is there; the rest of it is still to be made.
    fn folder(&self, path: &str, folders: &[&OsStr]) -> Result<PathBuf, String> {
        let mut at = self.root.clone();
        for (number, name) in folders.iter().enumerate() {
            at.push(name);
            match fs::symlink_metadata(&at) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    at.extend(&folders[number + 1..]);
                    break;
                }
                Err(error) => return Err(format!("`{path}`: {}", causes(&error))),
                Ok(about) if about.is_dir() => {}
                Ok(about) if about.is_symlink() => {
                    at = real(&at).map_err(|why| format!("`{path}`: {why}"))?;
                    if !at.starts_with(&self.root) {
                        return Err(format!("`{path}` leads out of the checkout by a link; write inside it"));
                    }
                    if !at.is_dir() {
                        return Err(format!("`{path}`: {} is no folder", name.display()));
                    }
                }
                Ok(_) => return Err(format!("`{path}`: {} is no folder", name.display())),
            }
        }
        Ok(at)
    }

    /// Gives the first of these names that a part of a real path has, however it is spelt on this system, or that leads
    /// to it by a link.
    fn guarded(&self, real: &Path, names: &[&'static str]) -> Option<&'static str> {
        let below = real.strip_prefix(&self.root).unwrap_or(real);
        let is_below = |name: &str| {
            below.components().any(|part| part.as_os_str().eq_ignore_ascii_case(name))
                || fs::canonicalize(self.root.join(name)).is_ok_and(|guarded| real.starts_with(guarded))
        };
        names.iter().copied().find(|name| is_below(name))
    }

    /// Tells whether a name in a folder is git's own.
    pub(super) fn is_git(name: &OsStr) -> bool {
        name.eq_ignore_ascii_case(GIT)
    }

    /// Gives a real path as agents write it: from the checkout, with `/`.
    pub(super) fn shown(&self, real: &Path) -> String {
        let below = real.strip_prefix(&self.root).unwrap_or(real);
        let parts: Vec<_> = below.components().map(|part| plain(part.as_os_str())).collect();
        if parts.is_empty() { ".".into() } else { parts.join("/") }
    }
}

/// Shows a name on one line: what is no UTF-8 as U+FFFD, control characters as escapes.
pub(super) fn plain(name: &OsStr) -> String {
    let mut shown = String::with_capacity(name.len());
    for letter in name.to_string_lossy().chars() {
        if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}

fn is_relative(path: &str) -> Result<(), String> {
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if Path::new(path).components().all(stays) {
        return Ok(());
    }
    Err(format!("`{path}` is not a path inside the checkout; give a relative one without `..`"))
}

fn real(path: &Path) -> Result<PathBuf, String> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err("there is no such file in the checkout".into()),
        Err(error) => Err(causes(&error)),
        Ok(real) => Ok(real),
    }
}

/// Git's folder. The checkout of a CI job keeps its token in there, and its hooks are programs.
const GIT: &str = ".git";
/// The settings, workflows, prompts and skills of the repository.
const NEBUKO: &str = ".nebuko";

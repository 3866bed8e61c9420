//! Whether some other file would stand in a thread's way.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::read::is_of_the_thread;

/// Tells whether a file that is written at `path` would be read as part of the thread in `folder`, also where links
/// lead there. The file itself need not be there yet.
pub fn would_read(folder: &Path, path: &Path) -> bool {
    let path = followed(path);
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let same = match (fs::canonicalize(folder), fs::canonicalize(parent)) {
        (Ok(folder), Ok(parent)) => folder == parent,
        _ => false,
    };
    // Some file systems do not tell `ISSUE.MD` from `issue.md`.
    same && is_of_the_thread(&name.to_ascii_lowercase())
}

/// Follows the links that a path itself is; what the last one names may be missing.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// As many as Linux follows.
const LINKS_MAX: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_file_that_the_thread_would_read_is_known() {
        let temp = Scratch::with(&[("demo/issue.md", "x"), ("other/a.txt", "x")]);
        let check = |path: &str, read: bool| {
            let found = would_read(&temp.path().join("demo"), &temp.path().join(path));
            assert_eq!(found, read, "{path}");
        };
        check("demo/0007-run.md", true);
        check("demo/issue.md", true);
        check("demo/ISSUE.md", true);
        check("other/../demo/7.md", true);
        check("demo/run.jsonl", false);
        check("demo/notes.md", false);
        check("other/0007-run.md", false);
        check("none/0007-run.md", false);
        check("demo", false);
        #[cfg(unix)]
        {
            let link = |target: &str, name: &str| {
                std::os::unix::fs::symlink(target, temp.path().join(name)).expect("a link");
            };
            link("../demo/0008-run.md", "other/run.jsonl");
            link("run.jsonl", "other/again.jsonl");
            link("demo", "same");
            link("circle", "circle");
            check("other/run.jsonl", true);
            check("other/again.jsonl", true);
            check("same/0009-run.md", true);
            check("circle", false);
        }
    }
}

//! Writing a folder: a post is a new file, an edit replaces one as a whole.
//!
//! A file is written under another name first and appears complete or not at all; a post never replaces a file,
//! also when two runs post at the same moment.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use nebuko::{
    snapshot::{Account, Comment},
    time::Timestamp,
};

use super::{
    front::ID_MAX,
    read::{Folder, read, read_text, url},
};
use crate::error::{Error, causes};

/// Posts a comment under the next free number.
pub(super) fn post(folder: &Path, body: &str, now: Timestamp) -> Result<Comment, Error> {
    let mut known = read(folder)?;
    let failed = |error: io::Error| {
        let next = "make the folder writable, or free some space; then run again";
        Error::failed(format!("post a comment in {}", folder.display()), causes(&error), next)
    };
    let half = write_aside(folder, &file_text(&known.about.engine, now, body)).map_err(failed)?;
    for _ in 0..ATTEMPTS_MAX {
        let id = next_id(&known).map_err(failed)?;
        let path = folder.join(format!("{id:04}-nebuko.md"));
        match appear(&half.0, &path) {
            Ok(()) => return Ok(posted(id, &path, known.about.engine, body, now)),
            // Somebody else took the number first: it is passed over.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => known = read(folder)?,
            Err(error) => return Err(failed(error)),
        }
    }
    Err(failed(io::Error::other("others kept taking the next number")))
}

fn posted(id: u64, path: &Path, user: Account, body: &str, now: Timestamp) -> Comment {
    let created_at = now.to_string();
    Comment {
        id,
        body: body.into(),
        html_url: url(path),
        user,
        updated_at: created_at.clone(),
        created_at,
        author_association: ASSOCIATION.into(),
    }
}

/// Replaces the body of a comment. Its front matter stays as it is, but for the time of the edit.
pub(super) fn edit(folder: &Path, id: u64, body: &str, now: Timestamp) -> Result<Comment, Error> {
    let attempted = || format!("edit comment {id} in {}", folder.display());
    let Folder { thread, files, .. } = read(folder)?;
    let Some((comment, path)) = thread.comments.into_iter().zip(files).find(|(comment, _)| comment.id == id) else {
        return Err(Error::failed(attempted(), "there is no such comment", "look whether its file was removed"));
    };
    let failed = |error: io::Error| Error::failed(attempted(), causes(&error), "make the file writable");
    let old = read_text(&path, &mut Vec::new()).ok_or_else(|| failed(io::Error::other("its file was just removed")))?;
    let text = with_body(&old, body, now);
    let half = write_aside(folder, &text).map_err(failed)?;
    fs::rename(&half.0, &path).map_err(failed)?;
    Ok(Comment { body: body.into(), updated_at: now.to_string(), ..comment })
}

fn file_text(author: &Account, now: Timestamp, body: &str) -> String {
    let login = serde_json::to_string(&author.login).expect("a text is JSON");
    format!(
        "---\nauthor: {login}\nauthor_id: {}\nassociation: {ASSOCIATION}\ntype: {}\ncreated_at: {now}\n---\n\n{body}\n",
        author.id, author.kind
    )
}

/// Keeps the lines of a front matter and replaces what is below it.
fn with_body(old: &str, body: &str, now: Timestamp) -> String {
    let mut lines = old.lines();
    let mut text = String::from("---\n");
    // A file without front matter gets one, for the time of the edit.
    if lines.next().is_some_and(|line| line.trim_start_matches('\u{feff}').trim_end() == "---") {
        for line in lines.take_while(|line| !matches!(line.trim_end(), "---" | "...")) {
            if !line.starts_with("updated_at:") {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text + &format!("updated_at: {now}\n---\n\n{body}\n")
}

/// A file that is not in its place yet; it goes when it is no longer needed.
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        // Gone already where it was renamed. What stays behind is not read: its name starts with a dot.
        let _ = fs::remove_file(&self.0);
    }
}

fn write_aside(folder: &Path, text: &str) -> io::Result<Aside> {
    remove_left_over(folder);
    for _ in 0..ATTEMPTS_MAX {
        let path = folder.join(part_name());
        let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        let aside = Aside(path);
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        return Ok(aside);
    }
    Err(io::Error::other("no name is free for a half-written file"))
}

/// Names a half-written file: by the process, so that it can be told whether anybody still writes it, and by the
/// moment, so that no older file has the name.
fn part_name() -> String {
    let moment = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{PART_START}{}-{moment}{PART_END}", std::process::id())
}

/// Removes the half-written files of processes that were killed. One that cannot be removed is in nobody's way.
fn remove_left_over(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| is_left_over(name, &entry.path())) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_left_over(name: &str, path: &Path) -> bool {
    let process = name.strip_prefix(PART_START).and_then(|rest| rest.strip_suffix(PART_END));
    let Some(process) = process.and_then(|rest| rest.split_once('-')).and_then(|(id, _)| id.parse::<u32>().ok()) else {
        return false;
    };
    // Where the system does not show its processes, only age tells; no post takes that long.
    let processes = Path::new("/proc");
    if processes.join("self").exists() {
        return !processes.join(process.to_string()).exists();
    }
    let written = fs::symlink_metadata(path).and_then(|about| about.modified()).ok();
    written.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > PART_AGE_MAX)
}

/// Makes a file appear under a name that is still free, complete at once.
fn appear(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if has_no_links(&error) => take_and_rename(from, to),
        done => done,
    }
}

/// Tells whether a file system refused a link because it has none: only then is there another way. EPERM is how Linux
/// says so for FAT; other refusals of a right are EACCES.
fn has_no_links(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::TooManyLinks) || error.raw_os_error() == Some(1)
}

/// Takes the name first and lets the text follow by a rename. A name whose text did not follow is given back.
fn take_and_rename(from: &Path, to: &Path) -> io::Result<()> {
    File::create_new(to)?;
    fs::rename(from, to).inspect_err(|_| {
        let _ = fs::remove_file(to);
    })
}

/// One above every number in a file name and every id.
fn next_id(known: &Folder) -> io::Result<u64> {
    let by_name = known.files.iter().filter_map(|path| number(path)).max().unwrap_or(0);
    let highest = known.thread.newest_id().max(by_name);
    Some(highest + 1).filter(|&id| id <= ID_MAX).ok_or_else(|| io::Error::other("there is no higher id"))
}

fn number(path: &Path) -> Option<u64> {
    path.file_stem()?.to_str()?.split('-').next()?.parse().ok()
}

/// What the engine is to a repository does not matter: its posts count by account and marker.
const ASSOCIATION: &str = "NONE";
/// What the name of a half-written file starts and ends with.
const PART_START: &str = ".nebuko-";
const PART_END: &str = ".part";
const PART_AGE_MAX: Duration = Duration::from_secs(600);
/// How often a taken name is passed over before something else must be wrong.
const ATTEMPTS_MAX: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn only_a_file_system_without_links_is_written_otherwise() {
        let check = |error: io::Error, otherwise: bool| assert_eq!(has_no_links(&error), otherwise, "{error:?}");
        check(io::Error::from_raw_os_error(1), true);
        check(io::ErrorKind::Unsupported.into(), true);
        check(io::ErrorKind::TooManyLinks.into(), true);
        check(io::ErrorKind::AlreadyExists.into(), false);
        check(io::ErrorKind::NotFound.into(), false);
        check(io::ErrorKind::StorageFull.into(), false);
        check(io::ErrorKind::PermissionDenied.into(), false);
        check(io::Error::other("broken"), false);
    }

    #[test]
    fn a_name_is_taken_once_and_given_back_when_the_text_does_not_follow() {
        let temp = Scratch::with(&[("a.part", "text"), ("2.md", "other")]);
        let path = |name: &str| temp.path().join(name);
        assert!(take_and_rename(&path("a.part"), &path("2.md")).is_err());
        assert!(take_and_rename(&path("none.part"), &path("1.md")).is_err());
        assert!(!path("1.md").exists(), "the name is free again");
        take_and_rename(&path("a.part"), &path("1.md")).expect("it moves");
        let read = |name: &str| fs::read_to_string(path(name)).expect("it is there");
        assert_eq!((read("1.md"), read("2.md")), ("text".into(), "other".into()));
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let own = format!(".nebuko-{}-7.part", std::process::id());
        // No process has so high a number: Linux stops at 2^22.
        let names = [own.as_str(), ".nebuko-x-1.part", ".nebuko-4294967295.part", "nebuko-4294967295-1.part", "1-a.md"];
        let temp = Scratch::with(&names.map(|name| (name, "x")));
        let dead = ".nebuko-4294967295-3.part";
        temp.write(dead, "x");
        drop(write_aside(temp.path(), "text").expect("it is written"));
        let left = fs::read_dir(temp.path()).expect("the folder").count();
        let gone = !temp.path().join(dead).exists();
        // Without a list of processes a file must be old first.
        assert_eq!((left, gone), if Path::new("/proc/self").exists() { (5, true) } else { (6, false) });
    }
}

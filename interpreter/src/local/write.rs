//! Writing a folder: a post is a new file, an edit replaces one as a whole.
//!
//! A file is written under another name first and appears complete or not at all; a post never replaces a file,
//! also when two runs post at the same moment.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use nebuko::{
    snapshot::{Account, Comment},
    time::Timestamp,
};

use super::read::{Folder, read, read_text, url};
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
    let text = with_body(&read_text(&path)?, body, now);
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
    for attempt in 0..ATTEMPTS_MAX {
        let path = folder.join(format!(".nebuko-{}-{attempt}.part", std::process::id()));
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
    Err(io::Error::other("too many half-written .nebuko-*.part files are in the way: remove them"))
}

/// Makes a file appear under a name that is still free, complete at once.
fn appear(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if !matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => {
            // A file system without links: the name is taken first, and the text follows by a rename.
            File::create_new(to)?;
            fs::rename(from, to)
        }
        done => done,
    }
}

/// One above every number in a file name and every id.
fn next_id(known: &Folder) -> io::Result<u64> {
    let by_name = known.files.iter().filter_map(|path| number(path)).max().unwrap_or(0);
    let highest = known.thread.newest_id().max(by_name);
    highest.checked_add(1).ok_or_else(|| io::Error::other("there is no higher id"))
}

fn number(path: &Path) -> Option<u64> {
    path.file_stem()?.to_str()?.split('-').next()?.parse().ok()
}

/// What the engine is to a repository does not matter: its posts count by account and marker.
const ASSOCIATION: &str = "NONE";
/// How often a taken name is passed over before something else must be wrong.
const ATTEMPTS_MAX: usize = 100;

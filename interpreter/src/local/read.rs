//! Reading a folder: which files are the thread, and what they make of it.
//!
//! Everything that is wrong is told at once, with file and line. Nothing is guessed from file times, which do
//! not survive a copy.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use nebuko::{
    event::Permission,
    markdown::Scan,
    problem::Problem,
    snapshot::{Account, Comment, Issue, ThreadSnapshot},
    yaml::Place,
};

use super::{
    About,
    front::{Front, ID_MAX, PERMISSIONS, TOP, kind},
};
use crate::{
    bounded::{COMMENT_BYTES_MAX, read_bounded, text},
    error::{Error, causes},
};

/// A folder, read.
pub(super) struct Folder {
    pub(super) about: About,
    pub(super) thread: ThreadSnapshot,
    /// The comments' files, in the order of the thread.
    pub(super) files: Vec<PathBuf>,
    /// What people may do, by login in small letters, as far as the folder says it.
    pub(super) permissions: BTreeMap<String, Permission>,
}

/// Reads a whole folder.
///
/// # Errors
/// Gives every mistake in its files, each with file and line, or that there is no such folder.
pub(super) fn read(folder: &Path) -> Result<Folder, Error> {
    let mut problems = Vec::new();
    let names = names(folder)?;
    let issue = read_issue(folder, &mut problems);
    let opener = issue.as_ref().map(|issue| issue.issue.clone()).unwrap_or_default();
    let mut comments = Vec::new();
    for name in &names {
        let path = folder.join(&name.file);
        let Some(text) = read_text(&path, &mut problems) else {
            continue;
        };
        if let Some(comment) = comment(&path, name, &text, &opener, &mut problems) {
            comments.push((comment, path));
        }
    }
    comments.sort_by_key(|(comment, _)| comment.id);
    for pair in comments.windows(2).filter(|pair| pair[0].0.id == pair[1].0.id) {
        let what = format!("the id {} is {} too", pair[1].0.id, pair[0].1.display());
        problems.push(at_top(&pair[1].1, what, "give the file another number, or another `id:`"));
    }
    let Some(ReadIssue { mut issue, repo, engine, engine_is_named, permissions }) =
        issue.filter(|_| problems.is_empty())
    else {
        return Err(unreadable(folder, &problems));
    };
    let (comments, files): (Vec<_>, Vec<_>) = comments.into_iter().unzip();
    issue.comments = comments.len() as u64;
    let about = About { repo: repo.unwrap_or_else(|| own_repo(folder)), number: issue.number, engine, engine_is_named };
    Ok(Folder { about, thread: ThreadSnapshot { issue, comments, complete: true }, files, permissions })
}

/// The name of a comment's file: a number, and as a rule who wrote it.
struct Name {
    file: String,
    number: u64,
    author: String,
}

/// Lists the comments' files, in the order of their names. Others, as a README or a half-written file, are not of
/// the thread.
fn names(folder: &Path) -> Result<Vec<Name>, Error> {
    let failed = |error: io::Error| {
        let next = "give --local a folder with an issue.md in it";
        Error::usage(format!("read the thread in {}", folder.display()), causes(&error), next)
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        names.extend(entry.file_name().to_str().and_then(comment_name));
    }
    names.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(names)
}

/// Takes the name of a comment's file apart. What starts with a digit and ends in `.md` is meant to be one; a number
/// that is too high for an id is told when the file is read.
fn comment_name(file: &str) -> Option<Name> {
    let stem = file.strip_suffix(".md")?;
    let (digits, author) = stem.split_once('-').unwrap_or((stem, ""));
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Name { file: file.into(), number: digits.parse().unwrap_or(u64::MAX), author: author.into() })
}

/// Tells whether a file of this name in a thread's folder is read as part of it.
pub(super) fn is_of_the_thread(file: &str) -> bool {
    file == ISSUE_FILE || comment_name(file).is_some()
}

struct ReadIssue {
    issue: Issue,
    repo: Option<String>,
    engine: Account,
    engine_is_named: bool,
    permissions: BTreeMap<String, Permission>,
}

fn read_issue(folder: &Path, problems: &mut Vec<Problem>) -> Option<ReadIssue> {
    let path = folder.join(ISSUE_FILE);
    let text = read_text(&path, problems)?;
    let keys = ["number", "id", "title", "repo", "engine", "engine_id", PERMISSIONS];
    let (front, body) = Front::read(&path, &text, &keys, problems);
    let number = front.id("number", problems).unwrap_or(1);
    let user = front.account(None, problems);
    if user.login.is_empty() {
        let hint = "start the file with `---`, `author: LOGIN`, `association: OWNER`, `---`";
        problems.push(front.problem("author", "who opened the issue is not said", hint));
    }
    let issue = Issue {
        id: front.id("id", problems).unwrap_or(number),
        number,
        title: front.text("title").map(str::to_owned).or_else(|| heading(body)).unwrap_or_default(),
        body: body.into(),
        html_url: url(&path),
        user,
        created_at: front.time("created_at", problems),
        updated_at: front.time("updated_at", problems),
        author_association: front.association("NONE", problems),
        comments: 0,
        pull_request: None,
    };
    let engine_is_named = front.text("engine").is_some();
    let repo = front.repo(problems);
    let permissions = front.permissions(problems);
    Some(ReadIssue { issue, repo, engine: engine(&front, problems), engine_is_named, permissions })
}

/// Finds the first `# ` heading that is visible text.
fn heading(body: &str) -> Option<String> {
    let prose = Scan::new(body).prose().to_vec();
    let mut lines = prose.iter().filter(|prose| prose.starts_line).map(|prose| &body[prose.range.clone()]);
    lines.find_map(|line| line.strip_prefix("# ")).map(|title| title.trim().to_owned())
}

fn engine(front: &Front, problems: &mut Vec<Problem>) -> Account {
    let id = front.id("engine_id", problems);
    let login = front.text("engine");
    let own_id = if login.is_none() { ENGINE_ID } else { 0 };
    let login = login.unwrap_or(ENGINE_LOGIN).to_owned();
    let kind = kind(&login);
    Account { id: id.unwrap_or(own_id), login, name: String::new(), kind }
}

fn comment(path: &Path, name: &Name, text: &str, issue: &Issue, problems: &mut Vec<Problem>) -> Option<Comment> {
    let (front, body) = Front::read(path, text, &["id"], problems);
    let id = front.id("id", problems).unwrap_or(name.number);
    // Also where another id is given: the next file's number is counted from the highest one.
    if id == 0 || name.number > ID_MAX {
        let what = format!("`{}` starts with no comment's id", name.file);
        problems.push(at_top(path, what, &format!("number the files from 0001 on, and up to {ID_MAX}")));
        return None;
    }
    let user = front.account(Some(&name.author), problems);
    // A folder's owner need not repeat under each comment what the issue says about the same person.
    let same = issue.user.identity().is_same_as(user.id, &user.login);
    let association = if same { issue.author_association.as_str() } else { "NONE" };
    let created_at = front.time("created_at", problems);
    let updated_at = front.time("updated_at", problems);
    Some(Comment {
        id,
        body: body.into(),
        html_url: url(path),
        author_association: front.association(association, problems),
        user,
        updated_at: if updated_at.is_empty() { created_at.clone() } else { updated_at },
        created_at,
    })
}

/// Reads a file of the thread as text, or tells why it cannot be one. Links are not followed: a thread from elsewhere
/// could name any file of this machine.
pub(super) fn read_text(path: &Path, problems: &mut Vec<Problem>) -> Option<String> {
    let mut told = |place: Place, what: String, hint: &str| {
        problems.push(place.problem(&path.display().to_string(), what, hint));
        None
    };
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) => {
            return told(TOP, causes(&error), "a local thread is a folder with an issue.md and NNNN-name.md files");
        }
    };
    if !about.is_file() {
        return told(TOP, "it is not a regular file".into(), "put the text itself there");
    }
    if about.len() == 0 {
        return told(TOP, "the file is empty: writing it was broken off".into(), "remove it, or write the text");
    }
    let bytes = match read_bounded(path, COMMENT_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) => return told(TOP, causes(&error), "make it readable; GitHub takes 65,536 characters a comment"),
    };
    match text(bytes) {
        Ok(text) => Some(text),
        Err((line, column)) => {
            told(Place { line, column, ..TOP }, "here it is not UTF-8".into(), "save the file as UTF-8")
        }
    }
}

/// The path as it was given, with `/` on every machine.
pub(super) fn url(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

fn own_repo(folder: &Path) -> String {
    let name = fs::canonicalize(folder).ok().and_then(|path| path.file_name().map(|name| name.to_owned()));
    format!("local/{}", name.as_deref().and_then(|name| name.to_str()).unwrap_or("thread"))
}

fn unreadable(folder: &Path, problems: &[Problem]) -> Error {
    let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
    let next = "correct these files";
    Error::usage(format!("read the thread in {}", folder.display()), lines.join("\n"), next)
}

fn at_top(path: &Path, what: String, hint: &str) -> Problem {
    TOP.problem(&path.display().to_string(), what, hint)
}

/// The file of the issue itself.
const ISSUE_FILE: &str = "issue.md";
/// The account that posts where `engine:` names none.
const ENGINE_LOGIN: &str = "nebuko[bot]";
const ENGINE_ID: u64 = 1;

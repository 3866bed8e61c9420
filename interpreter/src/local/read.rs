//! Reading a folder: which files are the thread, and what they make of it.
//!
//! Everything that is wrong is told at once, with file and line. Nothing is guessed from file times, which do
//! not survive a copy.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use nebuko::{
    markdown::Scan,
    problem::Problem,
    snapshot::{Account, Comment, Issue, ThreadSnapshot},
};

use super::{
    About,
    front::{Front, TOP, kind},
};
use crate::error::{Error, causes};

/// A folder, read.
pub(super) struct Folder {
    pub(super) about: About,
    pub(super) thread: ThreadSnapshot,
    /// The comments' files, in the order of the thread.
    pub(super) files: Vec<PathBuf>,
}

/// Reads a whole folder.
pub(super) fn read(folder: &Path) -> Result<Folder, Error> {
    let mut problems = Vec::new();
    let names = names(folder)?;
    let issue = read_issue(folder, &mut problems)?;
    let mut comments = Vec::new();
    for name in &names {
        let path = folder.join(&name.file);
        let text = read_text(&path)?;
        if let Some(comment) = comment(&path, name, &text, &issue.issue, &mut problems) {
            comments.push((comment, path));
        }
    }
    comments.sort_by_key(|(comment, _)| comment.id);
    for pair in comments.windows(2).filter(|pair| pair[0].0.id == pair[1].0.id) {
        let what = format!("the id {} is {} too", pair[1].0.id, pair[0].1.display());
        problems.push(at_top(&pair[1].1, what, "give the file another number, or another `id:`"));
    }
    if !problems.is_empty() {
        return Err(unreadable(folder, &problems));
    }
    let (comments, files): (Vec<_>, Vec<_>) = comments.into_iter().unzip();
    let ReadIssue { mut issue, repo, engine, engine_is_named } = issue;
    issue.comments = comments.len() as u64;
    let about = About { repo: repo.unwrap_or_else(|| own_repo(folder)), number: issue.number, engine, engine_is_named };
    Ok(Folder { about, thread: ThreadSnapshot { issue, comments, complete: true }, files })
}

/// The name of a comment's file: a number, and as a rule who wrote it.
struct Name {
    file: String,
    number: u64,
    author: String,
}

/// Lists the comments' files. Others, as a README or a half-written file, are not of the thread.
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
    Ok(names)
}

fn comment_name(file: &str) -> Option<Name> {
    let stem = file.strip_suffix(".md")?;
    let (digits, author) = stem.split_once('-').unwrap_or((stem, ""));
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
    Some(Name { file: file.into(), number, author: author.into() })
}

struct ReadIssue {
    issue: Issue,
    repo: Option<String>,
    engine: Account,
    engine_is_named: bool,
}

fn read_issue(folder: &Path, problems: &mut Vec<Problem>) -> Result<ReadIssue, Error> {
    let path = folder.join("issue.md");
    let text = read_text(&path)?;
    let keys = ["number", "id", "title", "repo", "engine", "engine_id"];
    let (front, body) = Front::read(&path, &text, &keys, problems);
    let number = front.number("number", problems).unwrap_or(1);
    let user = front.account(None, problems);
    if user.login.is_empty() {
        let hint = "start the file with `---`, `author: LOGIN`, `association: OWNER`, `---`";
        problems.push(front.problem("author", "who opened the issue is not said", hint));
    }
    let issue = Issue {
        id: front.number("id", problems).unwrap_or(number),
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
    let repo = front.text("repo").map(str::to_owned);
    Ok(ReadIssue { issue, repo, engine: engine(&front, problems), engine_is_named })
}

/// Finds the first `# ` heading that is visible text.
fn heading(body: &str) -> Option<String> {
    let prose = Scan::new(body).prose().to_vec();
    let mut lines = prose.iter().filter(|prose| prose.starts_line).map(|prose| &body[prose.range.clone()]);
    lines.find_map(|line| line.strip_prefix("# ")).map(|title| title.trim().to_owned())
}

fn engine(front: &Front, problems: &mut Vec<Problem>) -> Account {
    let id = front.number("engine_id", problems);
    let login = front.text("engine");
    let own_id = if login.is_none() { ENGINE_ID } else { 0 };
    let login = login.unwrap_or(ENGINE_LOGIN).to_owned();
    let kind = kind(&login);
    Account { id: id.unwrap_or(own_id), login, name: String::new(), kind }
}

fn comment(path: &Path, name: &Name, text: &str, issue: &Issue, problems: &mut Vec<Problem>) -> Option<Comment> {
    let (front, body) = Front::read(path, text, &["id"], problems);
    let id = front.number("id", problems).unwrap_or(name.number);
    if id == 0 {
        problems.push(front.problem("id", "0 is no comment's id", "number the files from 0001 on"));
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

/// Reads a file as text. Links are not followed: a thread from elsewhere could name any file of this machine.
pub(super) fn read_text(path: &Path) -> Result<String, Error> {
    let failed = |why: String, next: &str| Error::usage(format!("read {}", path.display()), why, next);
    let about = fs::symlink_metadata(path).map_err(|error| {
        failed(causes(&error), "a local thread is a folder with an issue.md and NNNN-name.md files")
    })?;
    if !about.is_file() {
        return Err(failed("it is not a regular file".into(), "put the text itself there"));
    }
    if about.len() > FILE_BYTES_MAX {
        let why = format!("it has {} bytes, and {FILE_BYTES_MAX} are the most", about.len());
        return Err(failed(why, "shorten it; GitHub takes 65,536 characters a comment"));
    }
    let bytes = fs::read(path).map_err(|error| failed(causes(&error), "make the file readable"))?;
    String::from_utf8(bytes).map_err(|error| failed(causes(&error), "save the file as UTF-8"))
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
    let next = "correct the front matter of these files";
    Error::usage(format!("read the thread in {}", folder.display()), lines.join("\n"), next)
}

fn at_top(path: &Path, what: String, hint: &str) -> Problem {
    TOP.problem(&path.display().to_string(), what, hint)
}

/// Far above a comment's 65,536 characters, far below what could hurt.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// The account that posts where `engine:` names none.
const ENGINE_LOGIN: &str = "nebuko[bot]";
const ENGINE_ID: u64 = 1;

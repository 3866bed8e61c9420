//! The front matter of a thread's files: which keys there are, and what each may say.

use std::{collections::BTreeMap, path::Path};

use nebuko::{
    event::Permission,
    problem::Problem,
    snapshot::Account,
    time::Timestamp,
    yaml::{Node, Place, front_matter},
};

use crate::args::Repo;

/// The front matter of one file.
pub(super) struct Front<'f> {
    file: &'f Path,
    node: Option<Node>,
}

impl<'f> Front<'f> {
    /// Takes a file apart into front matter and body. The line end after the body is the file's, not the body's, and
    /// so is an empty line before it.
    pub(super) fn read<'t>(
        file: &'f Path,
        text: &'t str,
        keys: &[&str],
        problems: &mut Vec<Problem>,
    ) -> (Self, &'t str) {
        let name = file.display().to_string();
        let (node, body) = match front_matter(&name, text) {
            Ok(parts) => parts,
            Err(found) => {
                problems.extend(found);
                return (Self { file, node: None }, "");
            }
        };
        let front = Self { file, node };
        front.check_keys(keys, problems);
        let body = if front.node.is_some() { after_empty_line(body) } else { body };
        (front, body.strip_suffix('\n').unwrap_or(body))
    }

    fn check_keys(&self, keys: &[&str], problems: &mut Vec<Problem>) {
        let Some(node) = self.node.as_ref().filter(|node| !node.is_null()) else {
            return;
        };
        let file = self.file.display().to_string();
        let Some(entries) = node.entries() else {
            problems.push(node.place.problem(&file, "the front matter is no map", "write `author: LOGIN`"));
            return;
        };
        for (key, value) in entries {
            if !is_known(&key.text, keys) {
                let known = KEYS.iter().chain(keys).copied().collect::<Vec<_>>().join(", ");
                let what = format!("`{}` is no key here", key.text);
                problems.push(key.place.problem(&file, what, format!("known: {known}")));
            } else if key.text != PERMISSIONS && (value.items().is_some() || value.entries().is_some()) {
                let what = format!("`{}` is {}", key.text, value.kind());
                problems.push(value.place.problem(&file, what, "write one text"));
            }
        }
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.node.as_ref()?.get(key)?.text().map(str::trim).filter(|text| !text.is_empty())
    }

    /// Gives a number, or tells that it is none: canonical JSON holds integers up to 2^53−1 and no higher.
    fn number(&self, key: &str, problems: &mut Vec<Problem>) -> Option<u64> {
        let text = self.text(key)?;
        let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.map(|digits| digits.parse().unwrap_or(u64::MAX));
        match number {
            None => problems.push(self.problem(key, &format!("`{key}: {text}` is no number"), "write digits")),
            Some(number) if number > ID_MAX => {
                let hint = format!("{ID_MAX} is the highest");
                problems.push(self.problem(key, &format!("`{key}: {text}` is too high"), &hint));
            }
            Some(_) => {}
        }
        number.filter(|&number| number <= ID_MAX)
    }

    /// Gives a number that identifies something, so it is at least 1.
    pub(super) fn id(&self, key: &str, problems: &mut Vec<Problem>) -> Option<u64> {
        let number = self.number(key, problems);
        if number == Some(0) {
            problems.push(self.problem(key, &format!("`{key}: 0` names nothing"), "they count from 1; leave it out"));
        }
        number
    }

    pub(super) fn repo(&self, problems: &mut Vec<Problem>) -> Option<String> {
        let text = self.text("repo")?;
        if let Err(why) = text.parse::<Repo>() {
            problems.push(self.problem("repo", &format!("`repo: {text}`: {why}"), "write `repo: OWNER/NAME`"));
        }
        Some(text.into())
    }

    pub(super) fn time(&self, key: &str, problems: &mut Vec<Problem>) -> String {
        let text = self.text(key).unwrap_or_default();
        if !text.is_empty() && Timestamp::parse(text).is_none() {
            problems.push(self.problem(key, &format!("`{key}: {text}` is no time"), "write 2026-10-02T00:00:00Z"));
        }
        text.into()
    }

    pub(super) fn association(&self, otherwise: &str, problems: &mut Vec<Problem>) -> String {
        let text = self.text("association").unwrap_or(otherwise);
        if !ASSOCIATIONS.contains(&text) {
            let what = format!("`{text}` is no association");
            problems.push(self.problem("association", &what, &format!("one of {}", ASSOCIATIONS.join(", "))));
        }
        text.into()
    }

    pub(super) fn account(&self, otherwise: Option<&str>, problems: &mut Vec<Problem>) -> Account {
        let login = self.text("author").or(otherwise).unwrap_or_default().to_owned();
        let kind = self.text("type").map_or_else(|| kind(&login), str::to_owned);
        if !ACCOUNT_KINDS.contains(&kind.as_str()) {
            let hint = format!("one of {}", ACCOUNT_KINDS.join(", "));
            problems.push(self.problem("type", &format!("`type: {kind}` is no kind of account"), &hint));
        }
        Account { id: self.number("author_id", problems).unwrap_or(0), login, name: String::new(), kind }
    }

    /// Gives what people may do, by login in small letters; of two that differ only there, the one with less counts.
    pub(super) fn permissions(&self, problems: &mut Vec<Problem>) -> BTreeMap<String, Permission> {
        let Some(value) = self.node.as_ref().and_then(|node| node.get(PERMISSIONS)).filter(|value| !value.is_null())
        else {
            return BTreeMap::new();
        };
        let file = self.file.display().to_string();
        let hint = format!("write `LOGIN: write` below it, or one of {}", PERMISSION_WORDS.join(", "));
        let Some(entries) = value.entries() else {
            problems.push(value.place.problem(&file, format!("`{PERMISSIONS}` is {}", value.kind()), hint));
            return BTreeMap::new();
        };
        let mut permissions = BTreeMap::new();
        for (login, value) in entries {
            match value.text().map(str::trim).and_then(permission) {
                Some(may) => {
                    let known = permissions.entry(login.text.trim().to_ascii_lowercase()).or_insert(may);
                    *known = may.min(*known);
                }
                None => {
                    let what = format!("what `{}` may do is none of the known words", login.text);
                    problems.push(value.place.problem(&file, what, hint.clone()));
                }
            }
        }
        permissions
    }

    /// Makes a problem of a key's value, or of the file where the key is not there.
    pub(super) fn problem(&self, key: &str, what: &str, hint: &str) -> Problem {
        let place = self.node.as_ref().and_then(|node| node.get(key)).map(|value| value.place);
        place.unwrap_or(TOP).problem(&self.file.display().to_string(), what, hint)
    }
}

fn is_known(key: &str, keys: &[&str]) -> bool {
    KEYS.contains(&key) || keys.contains(&key)
}

fn after_empty_line(body: &str) -> &str {
    body.strip_prefix("\r\n").or_else(|| body.strip_prefix('\n')).unwrap_or(body)
}

pub(super) fn kind(login: &str) -> String {
    if login.ends_with("[bot]") { "Bot".into() } else { "User".into() }
}

fn permission(word: &str) -> Option<Permission> {
    let known = [Permission::None, Permission::Read, Permission::Write, Permission::Admin];
    PERMISSION_WORDS.iter().position(|known| *known == word).map(|at| known[at])
}

/// The key of what people may do: login and permission.
pub(super) const PERMISSIONS: &str = "permissions";
/// GitHub's words for what an account may do in a repository, the least first.
const PERMISSION_WORDS: [&str; 4] = ["none", "read", "write", "admin"];
/// The highest integer that every reader of JSON keeps exactly.
pub(super) const ID_MAX: u64 = (1 << 53) - 1;
pub(super) const TOP: Place = Place { line: 1, column: 1, start: 0, end: 0 };
/// The keys that every file may have.
const KEYS: [&str; 6] = ["author", "author_id", "association", "type", "created_at", "updated_at"];
/// GitHub's words for what an account is.
const ACCOUNT_KINDS: [&str; 4] = ["User", "Bot", "Organization", "Mannequin"];
/// GitHub's words for an author's relation to a repository.
const ASSOCIATIONS: [&str; 8] =
    ["OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR", "FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER", "MANNEQUIN", "NONE"];

//! The name of a workflow of another repository: `owner/name//path@ref`.
//!
//! Fetching it is for the edge. A reference to a commit always gives the same file; others may change.

use alloc::{borrow::ToOwned, format, string::String};
use core::fmt;

/// A workflow of another repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoReference {
    /// Whose repository.
    pub owner: String,
    /// The repository.
    pub name: String,
    /// The file in it, with `/` between folders.
    pub path: String,
    /// A commit, tag or branch.
    pub revision: String,
}

/// What every reference matches, in the syntax that ECMA-262 and the regex crate share.
pub(crate) const PATTERN: &str = r"^[0-9A-Za-z_-]+/[0-9A-Za-z._-]+//[^@]+\.ya?ml@[^/-].*$";
/// What no reference matches.
pub(crate) const NEVER: &str =
    concat!(r"[\s\x00-\x1f\x7f-\x9f<>\\~^:?*\[]|///|//.*//|/\.{1,2}/|/\.ya?ml@", r"|@.*\.\.|@\{|(/|\.|\.lock)$",);
/// What no part of a reference may hold: these have a meaning of their own in revisions, paths or comments.
const SPECIAL: [char; 9] = ['\\', '~', '^', ':', '?', '*', '[', '<', '>'];

impl RepoReference {
    /// Reads a reference. The path ends with `.yaml` or `.yml`; the revision is what git takes for a name.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "write `owner/name//path/to/file.yaml@ref`";
        let (repo, rest) = text.split_once("//").ok_or(form)?;
        let (owner, name) = repo.split_once('/').ok_or(form)?;
        let (path, revision) =
            rest.split_once('@').ok_or("write a commit, tag or branch behind the path, with an `@` before it")?;
        if let Some(sign) = text.chars().find(|c| c.is_whitespace() || c.is_control() || SPECIAL.contains(c)) {
            return Err(format!("no {sign:?} can be in a reference"));
        }
        if !is_owner(owner) || !is_repository(name) {
            return Err(format!("no repository is named `{repo}`; {form}"));
        }
        if !is_file(path) {
            return Err("the path leads from the top of the repository to a file `….yaml` or `….yml`".into());
        }
        if !is_revision(revision) {
            return Err("write a commit, tag or branch behind the `@`".into());
        }
        Ok(Self { owner: owner.into(), name: name.into(), path: path.into(), revision: revision.into() })
    }

    /// Tells whether the revision is a whole commit ID, so that it gives the same file for ever.
    pub fn is_pinned(&self) -> bool {
        matches!(self.revision.len(), 40 | 64) && self.revision.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// Gives the reference of a workflow that is mounted by name or path from this one: it stands beside it, at the
    /// same revision.
    pub fn sibling(&self, workflow: &str) -> Self {
        let folder = self.path.rfind('/').map_or("", |end| &self.path[..=end]);
        let file = workflow.strip_prefix("./").unwrap_or(workflow);
        let has_ending = file.ends_with(".yaml") || file.ends_with(".yml");
        let file = if has_ending { file.to_owned() } else { format!("{file}.yaml") };
        Self { path: format!("{folder}{file}"), ..self.clone() }
    }
}

impl fmt::Display for RepoReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}//{}@{}", self.owner, self.name, self.path, self.revision)
    }
}

fn is_owner(owner: &str) -> bool {
    !owner.is_empty() && owner.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn is_repository(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !matches!(name, "" | "." | "..") && name.chars().all(fits)
}

fn is_file(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.strip_suffix(".yaml").or_else(|| file.strip_suffix(".yml"));
    stem.is_some_and(|stem| !stem.is_empty()) && path.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
}

/// Takes what git allows in a name, and refuses a little more than it does.
fn is_revision(revision: &str) -> bool {
    let starts = !revision.starts_with(['/', '-', '{']);
    let ends = !revision.ends_with(['/', '.']) && !revision.ends_with(".lock");
    let inside = ["..", "@{", "//", "/./"].iter().all(|bad| !revision.contains(bad));
    !revision.is_empty() && starts && ends && inside
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_reference_is_owner_name_path_and_revision() {
        let check = |text: &str, good: bool| {
            let read = RepoReference::parse(text);
            assert_eq!(read.is_ok(), good, "{text}: {read:?}");
            if let Ok(read) = read {
                assert_eq!(read.to_string(), text);
            }
        };
        check("acme/flows//build.yaml@v1", true);
        check("acme/flows//workflows/sub/build.yml@main", true);
        check("acme/flows//build.yaml@feature/x", true);
        check("acme/flows//build.yaml@scope@1.0.0", true);
        check("acme/.github//build.yaml@v1", true);
        check("acme/flows//build.yaml@0123456789abcdef0123456789abcdef01234567", true);
        check("acme/flows//build.yaml", false);
        check("acme/flows//build.yaml@", false);
        check("acme/flows//build@v1", false);
        check("acme/flows//.yaml@v1", false);
        check("acme/flows//sub/.yml@v1", false);
        check("acme/flows/build.yaml@v1", false);
        check("flows//build.yaml@v1", false);
        check("acme/..//build.yaml@v1", false);
        check("/flows//build.yaml@v1", false);
        check("acme///build.yaml@v1", false);
        check("acme/flows///build.yaml@v1", false);
        check("acme/flows//../build.yaml@v1", false);
        check("acme/flows//a/./build.yaml@v1", false);
        check("acme/flows//a//build.yaml@v1", false);
        check("acme/flows//a\\build.yaml@v1", false);
        check("acme/flows//a b.yaml@v1", false);
        check("acme/flows//build.yaml@a..b", false);
        check("acme/flows//build.yaml@v1~2", false);
        check("acme/flows//build.yaml@@{1}", false);
        check("acme/flows//build.yaml@-x", false);
        check("acme/flows//build.yaml@x.lock", false);
        check("acme/flows//build.yaml@x\n", false);
        check("https://example.com/a/b//build.yaml@v1", false);
        check("", false);
    }

    #[test]
    fn only_a_whole_commit_is_pinned() {
        let check = |revision: &str, pinned: bool| {
            let read = RepoReference::parse(&format!("acme/flows//build.yaml@{revision}")).expect("a good reference");
            assert_eq!(read.is_pinned(), pinned, "{revision}");
        };
        check(&"a1".repeat(20), true);
        check(&"A1".repeat(32), true);
        check(&"a1".repeat(19), false);
        check(&"a1".repeat(21), false);
        check(&"g1".repeat(20), false);
        check("main", false);
    }

    #[test]
    fn a_mount_in_another_repository_stands_beside_its_parent() {
        let check = |path: &str, workflow: &str, expected: &str| {
            let read = RepoReference::parse(&format!("acme/flows//{path}@v1")).expect("a good reference");
            assert_eq!(read.sibling(workflow).to_string(), format!("acme/flows//{expected}@v1"));
        };
        check("build.yaml", "test", "test.yaml");
        check("w/build.yaml", "test", "w/test.yaml");
        check("w/build.yaml", "./test.yml", "w/test.yml");
        check("w/build.yaml", "part/test.yaml", "w/part/test.yaml");
    }
}

//! Every workflow that a run can reach, by the name under which frames and mounts know it.
//!
//! A name is that of a file of the repository or what is built in, a path such as `sub/part.yaml`, or the
//! reference of a workflow of another repository. Fetching those is for the stages.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
};

use serde::{Deserialize, Serialize};

use super::{Work, Workflow, reference::RepoReference};
use crate::text;

/// The workflows at hand. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Library<'w> {
    /// Those of the repository, and what is built in.
    pub own: &'w BTreeMap<String, Workflow>,
    /// Those of other repositories that were asked for, by reference.
    pub fetched: &'w BTreeMap<String, Fetched>,
}

/// A workflow of another repository, once it was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fetched {
    /// It was read.
    Read(Box<Workflow>),
    /// It cannot be had, or it has mistakes; in words.
    Unusable(String),
}

/// What a step mounts.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee<'w> {
    /// A workflow that is there, and the name that its frame gets.
    Found(String, &'w Workflow),
    /// A workflow of another repository that nobody has asked for yet, by reference.
    Needed(String),
    /// Nothing that can run, and why.
    Unusable(String),
}

impl<'w> Library<'w> {
    /// Makes a library of the repository's own workflows alone.
    pub fn of(own: &'w BTreeMap<String, Workflow>) -> Self {
        const NONE: &BTreeMap<String, Fetched> = &BTreeMap::new();
        Self { own, fetched: NONE }
    }

    /// Finds a workflow by the name that frames use, or by a path with or without its ending.
    pub fn get(&self, name: &str) -> Option<&'w Workflow> {
        if let Some(workflow) = self.own.get(name) {
            return Some(workflow);
        }
        match self.fetched.get(name) {
            Some(Fetched::Read(workflow)) => Some(workflow),
            Some(Fetched::Unusable(_)) => None,
            None => self.own.get(&own_key(name)),
        }
    }

    /// Tells which workflow of another repository a frame needs, where nobody has asked for it yet.
    pub fn needed(&self, name: &str) -> Option<String> {
        let is_known = self.own.contains_key(name) || self.fetched.contains_key(name);
        (!is_known && RepoReference::parse(name).is_ok()).then(|| name.into())
    }

    /// Finds what a step of the workflow `from` mounts; `None` where it mounts nothing.
    ///
    /// In a workflow of another repository a plain name stands for the file beside it, of the same revision.
    pub fn callee(&self, from: &str, work: &Work) -> Option<Callee<'w>> {
        match work {
            Work::Agent(_) | Work::Script(_) => None,
            Work::Repo(reference) => Some(self.elsewhere(reference)),
            Work::Workflow(name) => Some(match RepoReference::parse(from) {
                Ok(from) => self.elsewhere(&from.sibling(name).to_string()),
                Err(_) => self.here(name),
            }),
        }
    }

    fn here(&self, name: &str) -> Callee<'w> {
        let key = if self.own.contains_key(name) { name.to_string() } else { own_key(name) };
        match self.own.get(&key) {
            Some(workflow) => Callee::Found(key, workflow),
            None => Callee::Unusable(text::no_such_workflow(name)),
        }
    }

    fn elsewhere(&self, reference: &str) -> Callee<'w> {
        match self.fetched.get(reference) {
            Some(Fetched::Read(workflow)) => Callee::Found(reference.into(), workflow),
            Some(Fetched::Unusable(why)) => Callee::Unusable(why.clone()),
            None => Callee::Needed(reference.into()),
        }
    }
}

/// Gives the key of a workflow that is named by a path: that of a file in the folder itself is its stem.
pub fn own_key(name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    let stem = name.strip_suffix(".yaml").unwrap_or(name);
    if stem.contains('/') { alloc::format!("{stem}.yaml") } else { stem.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workflow_has_one_key_however_it_is_named() {
        let check = |name: &str, key: &str| assert_eq!(own_key(name), key, "{name}");
        check("default", "default");
        check("default.yaml", "default");
        check("./default.yaml", "default");
        check("part/build.yaml", "part/build.yaml");
        check("part/build", "part/build.yaml");
        check("./part/build", "part/build.yaml");
    }

    #[test]
    fn a_mount_is_found_needed_or_unusable() {
        let named = |name: &str| (name.into(), Workflow { name: name.into(), ..Workflow::default() });
        let own = BTreeMap::from([named("a"), named("part/b.yaml")]);
        let far = |path: &str| alloc::format!("acme/flows//{path}@v1");
        let read = Fetched::Read(Box::new(Workflow { name: "x".into(), ..Workflow::default() }));
        let fetched = BTreeMap::from([(far("x.yaml"), read), (far("bad.yaml"), Fetched::Unusable("no".into()))]);
        let library = Library { own: &own, fetched: &fetched };
        let check = |from: &str, work: Work, wanted: Option<&str>| {
            let found = library.callee(from, &work).map(|callee| match callee {
                Callee::Found(key, _) => alloc::format!("found {key}"),
                Callee::Needed(reference) => alloc::format!("needed {reference}"),
                Callee::Unusable(why) => why,
            });
            assert_eq!(found.as_deref(), wanted, "{from} {work:?}");
        };
        let mount = |name: &str| Work::Workflow(name.into());
        check("a", Work::Agent("dev".into()), None);
        check("a", mount("a.yaml"), Some("found a"));
        check("a", mount("part/b"), Some("found part/b.yaml"));
        check("a", mount("gone"), Some("there is no workflow gone"));
        check("a", Work::Repo(far("x.yaml")), Some("found acme/flows//x.yaml@v1"));
        check("a", Work::Repo(far("y.yaml")), Some("needed acme/flows//y.yaml@v1"));
        check("a", Work::Repo(far("bad.yaml")), Some("no"));
        check(&far("x.yaml"), mount("y"), Some("needed acme/flows//y.yaml@v1"));
        assert_eq!(library.needed(&far("y.yaml")), Some(far("y.yaml")));
        assert_eq!(library.needed(&far("bad.yaml")), None);
        assert_eq!(library.needed("gone"), None);
    }
}

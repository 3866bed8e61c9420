//! What a child gets of the environment, and whether the system can hand it over (decision 7, fault kind 5.3).
//!
//! Everything is measured before the start, so that the answer names a variable and a size, where the system would only
//! say that something is too long.

use std::{borrow::Cow, collections::BTreeMap};

use nebuko::process::{Process, Purpose};

use crate::{
    args::Environment,
    secret::{Masker, is_secret_name},
};

/// Gives the caller's variables without its secrets, and the process's own on top, as the workflow writes them.
///
/// A secret is known by the name of its variable, and by its value wherever else it stands. What a model has a hand in
/// does not get the files either through which a CI job hands things to its next steps, which have tokens.
pub(super) fn of_child(process: &Process, environment: &Environment, masker: &Masker) -> BTreeMap<String, String> {
    let is_a_models = matches!(process.purpose, Purpose::Agent { .. } | Purpose::Tool);
    let is_kept = |name: &str| is_secret_name(name) || is_a_models && HANDED_ON.contains(&name);
    let is_open = |name: &str, value: &str| {
        !is_kept(name) && (NEEDED.contains(&name) || matches!(masker.mask(value), Cow::Borrowed(_)))
    };
    let mut variables: BTreeMap<_, _> = environment.all().filter(|(name, value)| is_open(name, value)).collect();
    variables.extend(process.env.iter().map(|(name, value)| (name.clone(), value.clone())));
    variables
}

/// Says what of the arguments and variables no process can take.
///
/// # Errors
/// Names the argument or the variable, with its size where that is what is wrong.
pub(super) fn check(
    argv: &[String],
    own: &BTreeMap<String, String>,
    all: &BTreeMap<String, String>,
) -> Result<(), String> {
    for name in own.keys() {
        if name.is_empty() {
            return Err("a variable has an empty name; give it one".into());
        }
        if name.contains(['=', '\0']) {
            return Err(format!("the variable `{}` has a `=` or U+0000 in its name; rename it", name.escape_debug()));
        }
    }
    let arguments = argv.iter().enumerate().map(|(at, text)| Given {
        name: if at == 0 { "the program's name".into() } else { format!("argument {at}") },
        bytes: text.len() + 1,
        has_zero: text.contains('\0'),
    });
    let variables = all.iter().map(|(name, value)| Given {
        name: format!("the variable `{name}`"),
        bytes: name.len() + value.len() + 2,
        has_zero: value.contains('\0'),
    });
    let given: Vec<Given> = arguments.chain(variables).collect();
    given.iter().try_for_each(Given::check)?;
    let total: usize = given.iter().map(|one| one.bytes + POINTER_BYTES).sum();
    match given.iter().max_by_key(|one| one.bytes) {
        Some(largest) if total > TOTAL_BYTES_MAX => Err(format!(
            "all arguments and variables together are {total} bytes, and {TOTAL_BYTES_MAX} is the most that is safe; the \
             largest is {} with {} bytes; hand large values over in files",
            largest.name, largest.bytes
        )),
        _ => Ok(()),
    }
}

/// One text on its way into a process, measured as the system does.
struct Given {
    name: String,
    /// With `NAME=` and the closing zero.
    bytes: usize,
    has_zero: bool,
}

impl Given {
    fn check(&self) -> Result<(), String> {
        if self.has_zero {
            return Err(format!("{} holds U+0000, which ends a text for a process; take it out", self.name));
        }
        if self.bytes > STRING_BYTES_MAX {
            return Err(format!(
                "{} is {} bytes long with its name and the closing zero, and a process takes {STRING_BYTES_MAX} at most; \
                 hand the value over in a file",
                self.name, self.bytes
            ));
        }
        Ok(())
    }
}

/// Without these nothing can be found or written; a path in them that some variable calls its key is no secret.
const NEEDED: [&str; 2] = ["PATH", "HOME"];
/// What is written there becomes variables, paths and outputs of the steps that follow in a job of GitHub Actions.
const HANDED_ON: [&str; 5] = ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];
/// Linux: 32 pages of 4,096 bytes for one text.
const STRING_BYTES_MAX: usize = 131_072;
/// Linux takes a quarter of the stack's limit, which is 2 MiB as a rule; the rest is for what the system adds.
#[cfg(target_os = "linux")]
const TOTAL_BYTES_MAX: usize = 1_536 * 1_024;
/// macOS takes 1 MiB.
#[cfg(not(target_os = "linux"))]
const TOTAL_BYTES_MAX: usize = 896 * 1_024;
const POINTER_BYTES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_child_gets_no_token_but_what_the_workflow_writes() {
        let token = "hunter2/hunter2";
        let caller = Environment::of(&[
            ("PATH", "/bin:/home/hunter2/hunter2"),
            ("LANG", "C"),
            ("GITHUB_TOKEN", token),
            ("openrouter_api_key", "x"),
            ("GH_PAT", "x"),
            ("MY_SECRET_THING", "x"),
            ("DbPassword", "x"),
            ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "x"),
            ("REMOTE", "https://x:hunter2%2Fhunter2@host"),
            ("COPY", token),
            ("EMPTY", ""),
            ("GITHUB_ENV", "/tmp/env"),
        ]);
        let masker = Masker::new([], &[Secret::new(token)]);
        let own = map(&[("DEPLOY_TOKEN", "as written"), ("LANG", "C.UTF-8")]);
        let everybodys = [
            ("PATH", "/bin:/home/hunter2/hunter2"),
            ("LANG", "C.UTF-8"),
            ("EMPTY", ""),
            ("DEPLOY_TOKEN", "as written"),
        ];
        let check = |purpose: Purpose, more: &[(&str, &str)]| {
            let process = Process { purpose, env: own.clone(), ..Process::default() };
            let expected = map(&[&everybodys[..], more].concat());
            assert_eq!(of_child(&process, &caller, &masker), expected, "{:?}", process.purpose);
        };
        check(Purpose::Script, &[("GITHUB_ENV", "/tmp/env")]);
        check(Purpose::PreHook, &[("GITHUB_ENV", "/tmp/env")]);
        check(Purpose::Tool, &[]);
        check(Purpose::Agent { role: "dev".into() }, &[]);
    }

    #[test]
    fn what_no_process_takes_is_named_with_its_size() {
        let big = "x".repeat(200_000);
        let check = |argv: &[&str], own: &[(&str, &str)], expected: Option<&[&str]>| {
            let argv: Vec<String> = argv.iter().map(|text| (*text).to_owned()).collect();
            let found = super::check(&argv, &map(own), &map(own)).err();
            match (&found, expected) {
                (None, None) => {}
                (Some(why), Some(parts)) => assert!(parts.iter().all(|part| why.contains(part)), "{why}"),
                _ => panic!("{argv:.40?}: {found:?}"),
            }
        };
        check(&["a", "", "日本"], &[("A", "b=c\n"), ("b.c-d", "")], None);
        check(&["a", "b", &big], &[], Some(&["argument 2 is 200001 bytes", "131072", "file"]));
        check(&[&big], &[], Some(&["the program's name is 200001"]));
        check(&["a"], &[("BIG", &big)], Some(&["the variable `BIG` is 200005 bytes"]));
        check(&["a", &big[..131_071]], &[("BIG", &big[..131_067])], None);
        check(&["a", &big[..131_072]], &[], Some(&["argument 1 is 131073 bytes"]));
        check(&["a"], &[("BIG", &big[..131_068])], Some(&["`BIG` is 131073 bytes"]));
        check(&["a", "b\0c"], &[], Some(&["argument 1 holds U+0000"]));
        check(&["a\0"], &[], Some(&["the program's name holds U+0000"]));
        check(&["a"], &[("A", "b\0c")], Some(&["the variable `A` holds U+0000"]));
        check(&["a"], &[("", "b")], Some(&["an empty name"]));
        check(&["a"], &[("A=B", "c")], Some(&["`A=B`", "`=`"]));
        check(&["a"], &[("A\0B", "c")], Some(&["`A\\0B`"]));
        let part = &big[..130_000];
        let many = [&["a"][..], &[part; 13]].concat();
        check(&many, &[("B", &big[..131_000])], Some(&["together are", "the largest is the variable `B` with 131003"]));
        check(&many[..6], &[], None);
    }
}

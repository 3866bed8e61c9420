//! Workflows of other repositories: which one is meant, and reading it from a folder in place of GitHub.
//!
//! The folder has a file for each: `OWNER/NAME/REF/PATH`. What its text means is for the core.

use std::{io, path::Path};

use nebuko::event::{Failure, FailureKind, Outcome};

use crate::{
    args::Repo,
    bounded::{SETUP_BYTES_MAX, read_bounded_text},
    error::causes,
    surroundings::Workplace,
};

/// `owner/name//path@ref`, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// `owner/name`.
    pub(crate) repo: String,
    /// The file's path in the repository.
    pub(crate) path: String,
    /// The branch, tag or commit.
    pub(crate) at: String,
}

impl Reference {
    /// Reads a reference. Nothing in it leads upwards, in an address or in a folder.
    ///
    /// # Errors
    /// A refusal that says what is wrong.
    pub(crate) fn of(text: &str) -> Result<Self, Failure> {
        let parts = text.split_once("//").and_then(|(repo, rest)| Some((repo, rest.split_once('@')?)));
        match parts {
            Some((repo, (path, at))) if repo.parse::<Repo>().is_ok() && goes_down(path) && goes_down(at) => {
                Ok(Self { repo: repo.into(), path: path.into(), at: at.into() })
            }
            _ => Err(refusal(
                text,
                "it is not of the form owner/name//path@ref".into(),
                "Write it as `acme/flows//workflows/review.yaml@v1`, without `..`.".into(),
            )),
        }
    }

    /// Gives it as it is written.
    pub(crate) fn shown(&self) -> String {
        format!("{}//{}@{}", self.repo, self.path, self.at)
    }
}

/// Answers where there is no GitHub: from the folder, or not at all.
pub(crate) fn answer(reference: &str, workplace: &Workplace) -> Outcome {
    let read = Reference::of(reference).and_then(|parts| match &workplace.elsewhere {
        Some(folder) => read(folder, &parts),
        None => Err(refusal(
            reference,
            "this thread is not on GitHub, and nothing is read over a network for it".into(),
            "Give --elsewhere DIR, with the file as DIR/OWNER/NAME/REF/PATH.".into(),
        )),
    });
    match read {
        Ok(source) => Outcome::WorkflowRead { source },
        Err(failure) => Outcome::Failed { failure },
    }
}

/// Reads a workflow from the folder that stands for GitHub.
///
/// # Errors
/// A refusal that names the file: it is not there, too large, or no UTF-8.
pub(crate) fn read(folder: &Path, reference: &Reference) -> Result<String, Failure> {
    let file = folder.join(&reference.repo).join(&reference.at).join(&reference.path);
    read_bounded_text(&file, SETUP_BYTES_MAX).map_err(|error| {
        let next = match error.kind() {
            io::ErrorKind::NotFound => format!("Put the file at {}, or correct the reference.", file.display()),
            _ => format!("Look at {}.", file.display()),
        };
        refusal(&reference.shown(), causes(&error), next)
    })
}

/// Makes the failure of a workflow that is not to be had.
pub(crate) fn refusal(reference: &str, why: String, next: String) -> Failure {
    Failure { kind: FailureKind::Refused, attempted: format!("read the workflow {reference}"), why, next }
}

/// Tells whether a path or a name of a branch has only parts that lead further down.
fn goes_down(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && !path.contains(|sign: char| sign.is_control() || sign.is_whitespace() || matches!(sign, '\\' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_reference_names_one_file_of_one_repository() {
        let check = |text: &str, expected: Option<[&str; 3]>| {
            let found = Reference::of(text);
            let parts = found.as_ref().ok().map(|one| [one.repo.as_str(), one.path.as_str(), one.at.as_str()]);
            assert_eq!(parts, expected, "{text}");
            match found {
                Ok(reference) => assert_eq!(reference.shown(), text),
                Err(failure) => assert_eq!(failure.kind, FailureKind::Refused, "{text}"),
            }
        };
        check("acme/flows//a.yaml@main", Some(["acme/flows", "a.yaml", "main"]));
        check("acme/flows//.nebuko/w/a b.yaml@main", None);
        check("a/b//w/a.yaml@feature/x", Some(["a/b", "w/a.yaml", "feature/x"]));
        check("a/b//w/a.yaml@pkg@1.0", Some(["a/b", "w/a.yaml", "pkg@1.0"]));
        for bad in [
            "",
            "a.yaml",
            "a/b//a.yaml",
            "a/b/a.yaml@main",
            "a//b@main",
            "a/b//@main",
            "a/b//a.yaml@",
            "a/b///etc/passwd@main",
            "a/b//../c@main",
            "a/b//c/../d@main",
            "a/b//c@../main",
            "../b//c@main",
            "a/..//c@main",
            "a/b//c\n@main",
            "a/b//c\\d@main",
            "a/b//C:c@main",
        ] {
            check(bad, None);
        }
    }

    #[test]
    fn a_folder_stands_for_other_repositories() {
        let big = " ".repeat(SETUP_BYTES_MAX as usize + 1);
        let temp = Scratch::with(&[
            ("acme/flows/v/1/w/a.yaml", "name: a\n"),
            ("acme/flows/v1/big.yaml", &big),
            ("acme/flows/v1/dir.yaml/x", ""),
        ]);
        let bytes = temp.path().join("acme/flows/v1/bytes.yaml");
        std::fs::write(bytes, b"name: \xff").expect("a file");
        let with = Workplace { elsewhere: Some(temp.path().into()), ..Workplace::default() };
        let check = |reference: &str, workplace: &Workplace, expected: Result<&str, &str>| match (
            answer(reference, workplace),
            expected,
        ) {
            (Outcome::WorkflowRead { source }, Ok(text)) => assert_eq!(source, text, "{reference}"),
            (Outcome::Failed { failure }, Err(words)) => {
                assert_eq!(failure.kind, FailureKind::Refused, "{failure:?}");
                assert!(format!("{failure:?}").contains(words), "{failure:?} has no {words:?}");
            }
            (other, _) => panic!("{reference}: {other:?}"),
        };
        check("acme/flows//w/a.yaml@v/1", &with, Ok("name: a\n"));
        check("acme/flows//w/b.yaml@v/1", &with, Err("acme/flows/v/1/w/b.yaml"));
        check("acme/flows//dir.yaml@v1", &with, Err("Look at"));
        check("acme/flows//big.yaml@v1", &with, Err("more than 1048576 bytes"));
        check("acme/flows//bytes.yaml@v1", &with, Err("at 1:7 it is not UTF-8"));
        check("acme/flows//../../x@v1", &with, Err("owner/name//path@ref"));
        check("acme/flows//w/a.yaml@v/1", &Workplace::default(), Err("Give --elsewhere DIR"));
    }
}

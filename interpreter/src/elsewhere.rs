//! Workflows of other repositories: which one is meant, and reading it from a folder in place of GitHub.
//!
//! The folder has a file for each: `OWNER/NAME/REF/PATH`. What its text means is for the core.

use std::path::Path;

use nebuko::{
    event::{Failure, FailureKind, Outcome},
    workflow::reference::RepoReference,
};

use crate::{
    bounded::{SETUP_BYTES_MAX, read_bounded_text},
    error::causes,
    setup::file_inside,
    surroundings::Workplace,
};

/// Reads a reference. Nothing in it leads upwards, in an address or in a folder.
///
/// # Errors
/// A refusal that says what is wrong.
pub(crate) fn parsed(reference: &str) -> Result<RepoReference, Failure> {
    RepoReference::parse(reference).map_err(|why| {
        let why = format!("it is not of the form owner/name//path@ref: {why}");
        refusal(reference, why, "Write it as `acme/flows//workflows/review.yaml@v1`, without `..`.".into())
    })
}

/// Answers where there is no GitHub: from the folder, or not at all.
pub(crate) fn answer(reference: &str, workplace: &Workplace) -> Outcome {
    let read = parsed(reference).and_then(|parts| match &workplace.elsewhere {
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
/// A refusal that names the file: it is not there, leads out of the folder, is no regular file, too large, or no UTF-8.
pub(crate) fn read(folder: &Path, reference: &RepoReference) -> Result<String, Failure> {
    let file = folder.join(&reference.owner).join(&reference.name).join(&reference.revision).join(&reference.path);
    let read = file_inside(folder, &file)
        .and_then(|file| read_bounded_text(&file, SETUP_BYTES_MAX).map_err(|error| causes(&error)));
    read.map_err(|why| {
        let next = match file.try_exists() {
            Ok(false) => format!("Put the file at {}, or correct the reference.", file.display()),
            _ => format!("Look at {}.", file.display()),
        };
        refusal(&reference.to_string(), why, next)
    })
}

/// Makes the failure of a workflow that is not to be had.
pub(crate) fn refusal(reference: &str, why: String, next: String) -> Failure {
    Failure { kind: FailureKind::Refused, attempted: format!("read the workflow {reference}"), why, next, took_ms: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn what_names_no_file_of_a_repository_is_refused() {
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
            let refused = parsed(bad).err().map(|failure| failure.kind);
            assert_eq!(refused, Some(FailureKind::Refused), "{bad}");
        }
        for good in ["acme/flows//a.yaml@main", "a/b//w/a.yaml@feature/x", "a/b//w/a.yaml@pkg@1.0"] {
            assert_eq!(parsed(good).map(|parsed| parsed.to_string()), Ok(good.into()));
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
        std::os::unix::fs::symlink("/etc/hostname", temp.path().join("acme/flows/v1/link.yaml")).expect("a link");
        check("acme/flows//link.yaml@v1", &with, Err("it leads out of"));
        let made = std::process::Command::new("mkfifo").arg(temp.path().join("acme/flows/v1/pipe.yaml")).status();
        assert!(made.expect("mkfifo is there").success());
        check("acme/flows//pipe.yaml@v1", &with, Err("it is not a regular file"));
        check("acme/flows//big.yaml@v1", &with, Err("more than 1048576 bytes"));
        check("acme/flows//bytes.yaml@v1", &with, Err("at 1:7 it is not UTF-8"));
        check("acme/flows//../../x@v1", &with, Err("owner/name//path@ref"));
        check("acme/flows//w/a.yaml@v/1", &Workplace::default(), Err("Give --elsewhere DIR"));
    }
}

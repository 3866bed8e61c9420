//! One workflow file, read for itself, wherever it stands.

use std::path::Path;

use nebuko::{
    problem::Problem,
    workflow::{self, Workflow},
};

use super::{files::shown, masked::mask_workflow};
use crate::{
    bounded::{SETUP_BYTES_MAX, read_bounded_text},
    error::{Error, causes},
    secret::Masker,
};

/// Reads one workflow file, with the secrets of this process masked in it.
///
/// # Errors
/// Usage: it cannot be read, or every mistake in it, each with line and column.
pub fn read_workflow(path: &Path, masker: &Masker) -> Result<Workflow, Error> {
    let failed = |why: String, next: &str| Error::usage(format!("read the workflow in {}", path.display()), why, next);
    let text = read_bounded_text(path, SETUP_BYTES_MAX)
        .map_err(|error| failed(causes(&error), "give a workflow file, or the name of a workflow"))?;
    let mut workflow = workflow::parse(&shown(path), &text).map_err(|problems| {
        let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
        failed(masker.mask(&lines.join("\n")).into_owned(), "correct this file")
    })?;
    mask_workflow(&mut workflow, masker);
    Ok(workflow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scratch::Scratch, secret::Secret};

    #[test]
    fn a_file_is_read_or_everything_wrong_with_it_is_told() {
        let step = "steps:\n  - name: s\n    agent: dev\n    next: null\n";
        let temp = Scratch::with(&[
            ("good.yaml", &format!("name: good\ndescription: hunter2-hunter2\n{step}")),
            ("other.yaml", &format!("name: good\nstep: 1\n{step}")),
        ]);
        let masker = Masker::new([], &[Secret::new("hunter2-hunter2")]);
        let read = read_workflow(&temp.path().join("good.yaml"), &masker).expect("a good file");
        assert_eq!((read.name.as_str(), read.description.as_str(), read.steps.len()), ("good", "***", 1));
        let check = |name: &str, parts: &[&str]| {
            let told = read_workflow(&temp.path().join(name), &masker).expect_err("no good file").to_string();
            assert!(parts.iter().all(|part| told.contains(part)), "{name}: {told}");
        };
        check("other.yaml", &["other.yaml:1:7: ", "other.yaml:2:1: "]);
        check("gone.yaml", &["No such file", "next: "]);
        check(".", &["next: "]);
    }
}

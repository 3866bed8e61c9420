//! From a workflow file to a workflow, or to everything that is wrong with it.
//!
//! A file is held against the grammar first, then read without another question, and last it is looked at as a
//! whole: names, targets, what prompts refer to. A key that this version cannot run is refused, never passed over:
//! a gate that nobody obeys is a hole. Whether the graph is a good one, and what other files have to do with it, is
//! for lint; a mistake that is one of its rules says which.

use alloc::vec::Vec;

use super::{Workflow, grammar::WORKFLOW};
use crate::{
    grammar::check,
    problem::Problem,
    yaml::{self, Node, Problems},
};

mod convert;
mod whole;

pub(crate) use whole::stem;

/// What reading a file came to: as much of it as could be understood, and everything that is wrong with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The workflow, where the file is a map with a list of steps; where there are problems, only part of it holds.
    /// Its steps stand at the same index as in the file, also those that are no steps.
    pub workflow: Option<Workflow>,
    /// The file with every place, where it is YAML.
    pub root: Option<Node>,
    /// Every mistake that was found, each with line and column, in the order of the file.
    pub problems: Vec<Problem>,
}

/// Reads a workflow (reference: Workflow YAML Grammar), whatever is wrong with it.
///
/// `file` names it in problems and becomes its location; its stem must be the workflow's name. Where there are no
/// problems there is a workflow, with at least one step, and every `next` in it names a step that is there.
pub fn read(file: &str, source: &str) -> Parsed {
    let mut problems = Problems::new(file);
    let root = yaml::read(source, &mut problems);
    let workflow = root.as_ref().and_then(|root| {
        check(root, &WORKFLOW, &mut problems);
        whole::look(file, source, root, &mut problems);
        convert::workflow(file, root)
    });
    Parsed { workflow, root, problems: problems.into_list() }
}

/// Reads a workflow that has no mistakes, as [`read`] does.
///
/// # Errors
/// Gives every mistake that was found, each with line and column, in the order of the file.
pub fn parse(file: &str, source: &str) -> Result<Workflow, Vec<Problem>> {
    match read(file, source) {
        Parsed { workflow: Some(workflow), problems, .. } if problems.is_empty() => Ok(workflow),
        Parsed { problems, .. } => Err(problems),
    }
}

#[cfg(test)]
mod tests;

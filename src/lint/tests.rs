use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};
use std::{fs, path::Path};

use super::*;
use crate::{shipped, workflow};

mod any;
mod ignores;
mod pages;
mod rows;

/// A set of files, each by the name that a mount uses.
pub(super) fn lint(files: &[(&str, &str)]) -> Vec<Finding> {
    let parsed: Vec<_> = files.iter().map(|(file, text)| workflow::read(file, text)).collect();
    let key = |file: &str| if file.contains('/') { file.to_string() } else { file.replace(".yaml", "") };
    let workflows: BTreeMap<String, Workflow> = files
        .iter()
        .zip(&parsed)
        .filter_map(|((file, _), parsed)| Some((key(file), parsed.workflow.clone()?)))
        .collect();
    let around = Around {
        roles: BTreeSet::from(["architect", "context", "dev", "review"]),
        skills: BTreeSet::from(["careful", "thorough"]),
        workflows: &workflows,
    };
    let files: Vec<_> =
        files.iter().zip(&parsed).map(|((file, text), parsed)| LintFile { file, text, parsed }).collect();
    check(&files, &around)
}

/// Makes the edits of a fix in a text.
pub(super) fn mended(text: &str, fix: &Fix) -> String {
    let mut text = text.to_string();
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.start..edit.end, &edit.text);
    }
    text
}

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};
use std::{fs, path::Path};

use super::*;
use crate::{
    shipped,
    state::StepRef,
    workflow::{self, DEPTH_MAX, Entered, Library},
};

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

#[test]
fn the_linter_and_a_run_allow_the_same_number_of_mounts() {
    let check = |mounts: usize, is_fine: bool| {
        let mount = |at: usize| format!("name: w{at}\nsteps: [{{name: m, workflow: w{}}}]\n", at + 1);
        let last = format!("name: w{mounts}\nsteps: [{{name: m, agent: dev}}]\n");
        let texts: Vec<_> = (0..mounts).map(mount).chain([last]).collect();
        let names: Vec<_> = (0..=mounts).map(|at| format!("w{at}.yaml")).collect();
        let files: Vec<_> = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let refused = lint(&files).iter().any(|finding| finding.rule == "L7");
        let own: BTreeMap<_, _> = files
            .iter()
            .map(|(file, text)| (workflow::own_key(file), workflow::parse(file, text).expect("the file is sound")))
            .collect();
        let top = StepRef { workflow: "w0".into(), step: "m".into(), ..StepRef::default() };
        let entered = workflow::enter(Library::of(&own), Vec::from([top])).expect("nothing is fetched");
        assert_eq!((!refused, matches!(entered, Entered::At { .. })), (is_fine, is_fine), "{mounts} mounts");
    };
    check(1, true);
    check(DEPTH_MAX, true);
    check(DEPTH_MAX + 1, false);
}

/// Makes the edits of a fix in a text.
pub(super) fn mended(text: &str, fix: &Fix) -> String {
    let mut text = text.to_string();
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.start..edit.end, &edit.text);
    }
    text
}

//! `nebuko graph`: a workflow as a picture, without a thread.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

use nebuko::{
    effect::Level,
    graph::{self, GITHUB_CHARS_MAX, GITHUB_EDGES_MAX, Picture, draw},
    nearest::{did_you_mean, nearest},
    workflow::{Callee, Library, Work, Workflow},
};

use super::look::json;
use crate::{
    args::{Environment, Format, GraphArgs},
    error::{Error, Exit, causes},
    secret::Masker,
    setup::{Given, configure, read_workflow},
    term::Term,
};

pub(super) fn graph(args: &GraphArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let masker = Masker::new(environment.all(), &[]);
    if args.output.as_deref().is_some_and(|output| is_same_file(output, &args.workflow)) {
        let why = "that is the workflow itself, and the picture would take its place";
        return Err(Error::usage(format!("draw {}", args.workflow.display()), why, "give -o another file"));
    }
    // A name such as part/build.yaml is no file from here; whatever is one goes before a name.
    let is_file = is_path(&args.workflow) && (args.workflow.exists() || args.workflow.is_absolute());
    let file = is_file.then(|| read_workflow(&args.workflow, &masker)).transpose()?;
    // A file that is drawn flat needs nothing around it.
    let known = if file.is_some() && args.depth == 1 {
        BTreeMap::new()
    } else {
        let given = Given::with_workflows(args.workflows.clone());
        configure(String::new(), 0, &given, &masker)?.setup.workflows
    };
    let workflow = match &file {
        Some(workflow) => workflow,
        None => match named(&args.workflow, &known) {
            Err(_) if is_path(&args.workflow) => &read_workflow(&args.workflow, &masker)?,
            found => found?,
        },
    };
    let picture = draw(workflow, args.depth, &|from, work| mounted(&known, &from.location, work));
    let text = if args.json { json(&picture)? } else { written(&picture, args.format, term)? };
    match &args.output {
        Some(path) => write_whole(path, &text)?,
        None if args.json => term.document(&text)?,
        None => term.print(&text)?,
    }
    Ok(Exit::Done)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Tells a file from a name, which has no folder and no ending of one. A dot in a name is no ending.
fn is_path(workflow: &Path) -> bool {
    let ending = workflow.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    ending || workflow.is_absolute() || workflow.components().count() > 1 || workflow.starts_with(".")
}

fn named<'w>(name: &Path, known: &'w BTreeMap<String, Workflow>) -> Result<&'w Workflow, Error> {
    let name = name.to_string_lossy();
    known.get(name.as_ref()).ok_or_else(|| {
        let near = nearest(&name, known.keys().map(String::as_str));
        let all = || format!("there is: {}", known.keys().map(String::as_str).collect::<Vec<_>>().join(", "));
        let next = if near.is_empty() { all() + ". " } else { did_you_mean(&near) + " " };
        Error::usage(format!("draw {name}"), "no workflow has this name", next + "A file is given with its ending.")
    })
}

/// Finds what a step mounts, as a run does. What is in another repository is not fetched for a picture.
fn mounted<'w>(known: &'w BTreeMap<String, Workflow>, from: &str, work: &Work) -> Option<&'w Workflow> {
    match Library::of(known).callee(from, work) {
        Some(Callee::Found(_, workflow)) => Some(workflow),
        Some(Callee::Needed(_) | Callee::Unusable(_)) | None => None,
    }
}

fn written(picture: &Picture, format: Format, term: Term) -> Result<String, Error> {
    match format {
        Format::Dot => Ok(graph::dot(picture)),
        Format::Svg => graph::svg(picture).map_err(|error| {
            let next = "draw it with --format dot and Graphviz, or less deep";
            Error::failed(format!("draw {} as svg", picture.workflow), error.to_string(), next)
        }),
        Format::Mermaid => {
            let text = graph::mermaid(picture);
            if text.chars().count() > GITHUB_CHARS_MAX || picture.edges.len() > GITHUB_EDGES_MAX {
                term.tell(
                    Level::Warning,
                    "GitHub does not render a chart of this size; --format svg or a smaller --depth does",
                );
            }
            Ok(text)
        }
    }
}

/// Writes a file that appears complete or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |error: io::Error| {
        let next = "give a file in a folder that can be written to";
        Error::failed(format!("write the picture to {}", path.display()), causes(&error), next)
    };
    // Where a link leads is what is written, and a device is nothing to put a file in the place of.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.exists() && !target.is_file() {
        return Err(failed(io::Error::other("it is not a regular file")));
    }
    let (aside, file) = open_aside(&target).map_err(failed)?;
    let written = fill(file, text).and_then(|()| fs::rename(&aside, &target));
    written.map_err(|error| {
        // What stays behind where even this fails is not read by anybody.
        let _ = fs::remove_file(&aside);
        failed(error)
    })
}

fn open_aside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().ok_or_else(|| io::Error::other("it has no name"))?.to_string_lossy();
    let aside = target.with_file_name(format!(".{name}.{}.part", process::id()));
    Ok((aside.clone(), OpenOptions::new().write(true).create_new(true).open(aside)?))
}

fn fill(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_file_has_a_folder_or_an_ending() {
        let check = |text: &str, expected: bool| assert_eq!(is_path(Path::new(text)), expected, "{text}");
        check("default", false);
        check("spec-driven", false);
        check("release.v2", false);
        check("default.yaml", true);
        check("default.yml", true);
        check("./default", true);
        check("flows/default", true);
        check("/flows", true);
    }

    #[test]
    fn a_mount_is_found_by_name_and_by_file() {
        let known = BTreeMap::from([("part".to_owned(), Workflow::default())]);
        let check =
            |work: Work, expected: bool| assert_eq!(mounted(&known, "a.yaml", &work).is_some(), expected, "{work:?}");
        check(Work::Workflow("part".into()), true);
        check(Work::Workflow("part.yaml".into()), true);
        check(Work::Workflow("./part.yaml".into()), true);
        check(Work::Workflow("other".into()), false);
        check(Work::Workflow("part.yml".into()), false);
        check(Work::Repo("part".into()), false);
        check(Work::Agent("part".into()), false);
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is() {
        let temp = Scratch::with(&[("old.svg", "old"), ("folder/x", "")]);
        let check = |name: &str, expected: Result<(), &str>| {
            let done = write_whole(&temp.path().join(name), "new");
            match expected {
                Ok(()) => {
                    done.expect("it can be written");
                    assert_eq!(fs::read_to_string(temp.path().join(name)).expect("it is there"), "new", "{name}");
                }
                Err(why) => {
                    let told = done.expect_err("it cannot be written").to_string();
                    assert!(told.contains(why) && told.contains("next:"), "{name}: {told}");
                }
            }
        };
        check("old.svg", Ok(()));
        check("new.svg", Ok(()));
        check("folder", Err("not a regular file"));
        check("nowhere/x.svg", Err("No such file"));
        let left: Vec<_> =
            fs::read_dir(temp.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left.len(), 3, "{left:?}");
    }

    #[test]
    fn a_name_that_is_not_known_is_answered_with_those_that_are() {
        let known = BTreeMap::from([("default".to_owned(), Workflow::default())]);
        let check = |name: &str, told: &str| {
            let error = named(Path::new(name), &known).expect_err("nobody has this name").to_string();
            assert!(error.contains(told), "{name}: {error}");
        };
        check("defualt", "did you mean `default`?");
        check("zzz", "there is: default");
        assert!(named(Path::new("default"), &known).is_ok());
    }
}

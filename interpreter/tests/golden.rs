//! The golden stories: each folder under `golden/threads` is a thread, one sentence and what must come of it.
//!
//! `NEBUKO_BLESS=1 cargo test --test golden` writes `expected.yaml` anew; read the diff before you keep it.
#![allow(clippy::panic, reason = "a test says what is wrong by ending")]

#[path = "golden/case.rs"]
mod case;
#[path = "golden/show.rs"]
mod show;
#[path = "golden/stage.rs"]
mod stage;

use std::{
    fs,
    path::{Path, PathBuf},
};

use case::Case;

#[test]
fn every_story_comes_out_as_it_is_written_down() {
    let folders = stories();
    assert!(folders.len() >= STORIES_MIN, "{} stories, at least {STORIES_MIN}", folders.len());
    let bless = std::env::var_os("NEBUKO_BLESS").is_some();
    let mut differing = Vec::new();
    for folder in &folders {
        let case = Case::read(folder);
        let shown = show::shown(&case);
        let expected = folder.join("expected.yaml");
        if bless {
            fs::write(&expected, &shown).unwrap_or_else(|why| panic!("could not write {}: {why}", expected.display()));
            continue;
        }
        let wanted = fs::read_to_string(&expected)
            .unwrap_or_else(|why| panic!("could not read {}: {why}; bless it first", expected.display()));
        if wanted != shown {
            differing.push(format!(
                "{}: {}\n{}",
                folder.display(),
                case.says,
                similar_asserts::SimpleDiff::from_str(&wanted, &shown, "expected.yaml", "what came out")
            ));
        }
    }
    assert!(differing.is_empty(), "{} of {} stories differ\n{}", differing.len(), folders.len(), differing.join("\n"));
}

#[test]
fn every_story_has_a_sentence_and_every_topic_has_a_story() {
    let folders = stories();
    for folder in &folders {
        let case = Case::read(folder);
        let is_sentence = case.says.ends_with('.') && case.says.split(' ').count() >= 4;
        assert!(is_sentence, "{}: `says` is no sentence: {}", folder.display(), case.says);
    }
    for topic in TOPICS {
        let has_story = folders.iter().any(|folder| folder.parent().is_some_and(|parent| parent.ends_with(topic)));
        assert!(has_story, "no story for {topic}");
    }
}

/// Lists the folders that hold a `case.yaml`, in order of their names.
fn stories() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/threads");
    let mut found = Vec::new();
    for topic in folders_in(&root) {
        found.extend(folders_in(&topic).into_iter().filter(|folder| folder.join("case.yaml").is_file()));
    }
    found.sort();
    found
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .unwrap_or_else(|why| panic!("could not list {}: {why}", folder.display()))
        .map(|entry| entry.expect("a folder's entry can be read").path())
        .filter(|path| path.is_dir())
        .collect()
}

/// What the issue that began the collection asked for.
const STORIES_MIN: usize = 12;
const TOPICS: [&str; 8] = ["ledger", "trust", "render", "state", "sentinel", "commands", "routing", "posting"];

//! The golden pictures: each folder under `golden/graph` has a workflow as mermaid, as dot, as svg and as JSON.
//!
//! `NEBUKO_BLESS=1 cargo test --test graph` writes them anew; look at them before you keep them.
#![allow(clippy::panic, reason = "a test says what is wrong by ending")]

#[path = "graph/stories.rs"]
mod stories;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use nebuko::{
    graph::{Picture, dot, draw, mermaid, svg},
    workflow::{Work, Workflow},
};
use stories::{Story, stories};

#[test]
fn every_picture_comes_out_as_it_is_kept() {
    let bless = std::env::var_os("NEBUKO_BLESS").is_some();
    let mut differing = Vec::new();
    for story in stories(&folder("")) {
        for (name, text) in files(&picture(&story)) {
            let path = folder(story.name).join(name);
            if bless {
                fs::create_dir_all(folder(story.name)).expect("the folder can be made");
                fs::write(&path, &text).expect("the file can be written");
                continue;
            }
            let kept = fs::read_to_string(&path)
                .unwrap_or_else(|why| panic!("could not read {}: {why}; bless it first", path.display()));
            if kept != text {
                let diff = similar_asserts::SimpleDiff::from_str(&kept, &text, "kept", "what came out");
                differing.push(format!("{}:\n{diff}", path.display()));
            }
        }
    }
    assert!(differing.is_empty(), "{} pictures differ\n{}", differing.len(), differing.join("\n"));
}

#[test]
fn every_folder_is_a_story_and_has_nothing_else() {
    let named: Vec<_> = stories(&folder("")).iter().map(|story| story.name.to_owned()).collect();
    let mut kept: Vec<_> = fs::read_dir(folder(""))
        .expect("the folder can be listed")
        .map(|entry| entry.expect("an entry can be read").file_name().to_string_lossy().into_owned())
        .collect();
    kept.sort();
    assert_eq!(kept, named);
}

#[test]
fn the_page_shows_the_chart_that_is_kept() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/commands.md");
    let page = fs::read_to_string(page).expect("the page can be read");
    let kept = fs::read_to_string(folder("every-kind/picture.mmd")).expect("the chart can be read");
    assert!(page.contains(&format!("```mermaid\n{kept}```\n")), "docs/commands.md shows another chart");
}

#[test]
fn the_program_draws_by_name_and_by_file() {
    let check = |line: &str, expected: Result<&str, &str>| {
        let done = Command::new(env!("CARGO_BIN_EXE_nebuko"))
            .args(line.split(' '))
            .current_dir(folder(""))
            .env_clear()
            .output()
            .expect("the program starts");
        let (out, told) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        match expected {
            Ok(file) => {
                let kept = fs::read_to_string(folder(file)).expect("the picture can be read");
                assert!(done.status.success() && out == kept, "{line}: {told}{out}");
            }
            Err(part) => assert!(done.status.code() == Some(2) && told.contains(part), "{line}: {told}{out}"),
        }
    };
    check("graph default", Ok("default/picture.mmd"));
    check("graph every-kind/release.yaml --format dot", Ok("every-kind/picture.dot"));
    check("graph every-kind/release.yaml --format svg", Ok("every-kind/picture.svg"));
    let opened = "--workflows mounts-opened --depth 4";
    // What a run refuses is not drawn more than one level deep: these two mount each other.
    check(&format!("graph release {opened}"), Err("mounts-opened/"));
    check(&format!("graph mounts-opened/release.yaml {opened} --format svg"), Err("mounts-opened/"));
    check("graph defualt", Err("did you mean `default`?"));
    check("graph every-kind/gone.yaml", Err("could not read the workflow in every-kind/gone.yaml"));
    check("graph every-kind/picture.json", Err("picture.json:1:"));
    check("graph default --depth 18", Err("18"));
}

fn picture(story: &Story) -> Picture {
    let find = |_: &Workflow, work: &Work| match work {
        Work::Workflow(name) => story.mounted.get(name.strip_suffix(".yaml").unwrap_or(name)),
        Work::Agent(_) | Work::Script(_) | Work::Repo(_) => None,
    };
    draw(&story.workflow, story.depth, &find)
}

fn files(picture: &Picture) -> [(&'static str, String); 4] {
    let json = serde_json::to_string_pretty(picture).expect("a picture is JSON") + "\n";
    let drawn = svg(picture).expect("a story is small");
    [("picture.mmd", mermaid(picture)), ("picture.dot", dot(picture)), ("picture.svg", drawn), ("picture.json", json)]
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/graph").join(name)
}

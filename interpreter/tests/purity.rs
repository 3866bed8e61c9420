//! The locks that keep the core pure. `docs/architecture.md` names each beside the rule it holds.
#![allow(clippy::panic, reason = "a test says what is wrong by ending")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// Lock 1: `no_std`, so files, sockets, clocks, the environment and hash maps have no name in the core.
#[test]
fn lock_1_the_core_is_no_std() {
    let source = read("src/lib.rs");
    assert!(source.lines().any(|line| line == "#![no_std]"), "src/lib.rs has lost #![no_std]");
}

/// Lock 2: no unsafe code in the whole workspace.
#[test]
fn lock_2_unsafe_code_is_forbidden_everywhere() {
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("unsafe_code = \"forbid\""), "the workspace no longer forbids unsafe code");
    for member in ["Cargo.toml", "interpreter/Cargo.toml"] {
        let manifest = read(member);
        assert!(manifest.contains("[lints]\nworkspace = true"), "{member} does not take the workspace's lints");
    }
}

/// Lock 3: no cells and no atomics in the core, by a lint that cannot be allowed away.
#[test]
fn lock_3_hidden_memory_is_forbidden() {
    assert!(read("src/lib.rs").contains("#![forbid(clippy::disallowed_types)]"), "src/lib.rs has lost the lint");
    let listed = read(".clippy.toml");
    for name in [
        "core::cell::Cell",
        "core::cell::RefCell",
        "core::cell::OnceCell",
        "core::sync::atomic::AtomicUsize",
        "once_cell::sync::OnceCell",
    ] {
        assert!(listed.contains(&format!("\"{name}\"")), ".clippy.toml no longer lists {name}");
    }
}

/// Lock 4: the core's direct dependencies are this list, and nothing in its tree opens sockets or files.
#[test]
fn lock_4_the_cores_dependencies_are_a_written_list() {
    let metadata = metadata();
    let tree = tree_of_the_core(&metadata);
    let direct: BTreeSet<&str> = tree.direct.iter().map(String::as_str).collect();
    assert_eq!(direct, BTreeSet::from(ALLOWED), "add a crate here only after looking at what it does");
    let reaching: Vec<&String> =
        tree.all.iter().filter(|name| REACHING_OUT.iter().any(|reach| *name == reach)).collect();
    assert!(reaching.is_empty(), "crates that reach outside are in the core's tree: {reaching:?}");
}

/// Lock 5: `extern crate std` stands only under `cfg(test)`.
#[test]
fn lock_5_std_is_there_for_tests_only() {
    for file in sources("src") {
        let text = fs::read_to_string(&file).expect("a source file can be read");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (place, line) in lines.iter().enumerate() {
            if line.starts_with("extern crate std") {
                let before = place.checked_sub(1).map(|before| lines[before]);
                assert_eq!(before, Some("#[cfg(test)]"), "{}:{}", file.display(), place + 1);
            }
        }
    }
}

/// `Event`, `Effect` and `Outcome` stay exhaustive, so that a new variant breaks the build until it is handled.
#[test]
fn the_contracts_enums_are_exhaustive() {
    for file in ["src/event.rs", "src/effect.rs"] {
        assert!(!read(file).contains("non_exhaustive"), "{file} hides a variant from the interpreter");
    }
}

/// No file of the core is longer than one sitting.
#[test]
fn no_file_of_the_core_is_too_long() {
    for file in sources("src") {
        let lines = fs::read_to_string(&file).expect("a source file can be read").lines().count();
        assert!(lines <= LINES_MAX, "{} has {lines} lines, at most {LINES_MAX}", file.display());
    }
}

struct Tree {
    direct: BTreeSet<String>,
    all: BTreeSet<String>,
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

/// Walks the normal dependencies of the root package, build scripts and tests left out.
fn tree_of_the_core(metadata: &Value) -> Tree {
    let nodes = metadata["resolve"]["nodes"].as_array().expect("the metadata is resolved");
    let name_of = |id: &str| {
        let packages = metadata["packages"].as_array().expect("the metadata has packages");
        let package = packages.iter().find(|package| package["id"] == id).expect("a resolved package is listed");
        package["name"].as_str().unwrap_or_default().to_owned()
    };
    let children = |id: &str| -> Vec<String> {
        let node = nodes.iter().find(|node| node["id"] == id).expect("a resolved package has a node");
        let is_normal = |dependency: &&Value| {
            dependency["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
        };
        let dependencies = node["deps"].as_array().expect("a node lists its dependencies");
        dependencies.iter().filter(is_normal).filter_map(|dep| dep["pkg"].as_str().map(str::to_owned)).collect()
    };
    let root = metadata["resolve"]["root"].as_str().expect("the root package is resolved").to_owned();
    let direct_ids = children(&root);
    let (mut seen, mut open) = (BTreeSet::new(), direct_ids.clone());
    while let Some(id) = open.pop() {
        if seen.insert(id.clone()) {
            open.extend(children(&id));
        }
    }
    Tree { direct: direct_ids.iter().map(|id| name_of(id)).collect(), all: seen.iter().map(|id| name_of(id)).collect() }
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder can be listed") {
            let path = entry.expect("a folder's entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("could not read {path}: {why}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What the core may be built on, and what for: data and its forms, patterns, digests, YAML events, near names.
const ALLOWED: [&str; 9] =
    ["granit-parser", "memchr", "once_cell", "regex", "serde", "serde_json", "sha2", "strsim", "thiserror"];
/// Crates whose work is to reach outside, or to make chance.
const REACHING_OUT: [&str; 22] = [
    "async-std",
    "chrono",
    "clap",
    "crossbeam",
    "dirs",
    "fastrand",
    "getrandom",
    "hyper",
    "mio",
    "native-tls",
    "num_cpus",
    "rand",
    "reqwest",
    "rustix",
    "rustls",
    "socket2",
    "tempfile",
    "tokio",
    "uuid",
    "ureq",
    "walkdir",
    "windows-sys",
];
/// The hard bound of the style; most files are half of it.
const LINES_MAX: usize = 400;

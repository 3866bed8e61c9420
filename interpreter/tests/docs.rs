//! What the documents name is there: every file, every golden, every lock, every command of the README.
#![allow(clippy::panic, reason = "a test says what is wrong by ending")]

#[path = "docs/settings.rs"]
mod settings;

use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn every_path_that_a_document_names_exists() {
    let mut missing = Vec::new();
    let mut named = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page can be read");
        for word in code_spans(&text).filter(|word| is_path(word)) {
            named += 1;
            if !root().join(word).exists() {
                missing.push(format!("{}: {word}", page.display()));
            }
        }
    }
    assert!(named > 20, "only {named} paths were found; is the test still reading the pages?");
    assert!(missing.is_empty(), "named and not there:\n{}", missing.join("\n"));
}

#[test]
fn every_link_between_the_documents_leads_somewhere() {
    let mut missing = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page can be read");
        let folder = page.parent().expect("a page stands in a folder");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = target.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !folder.join(target).exists() {
                missing.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "links that lead nowhere:\n{}", missing.join("\n"));
}

#[test]
fn every_lock_that_a_page_names_is_a_test() {
    let code = all_of("src") + &all_of("interpreter/src") + &all_of("interpreter/tests");
    let mut named = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page can be read");
        for lock in text.split("lock: `").skip(1).filter_map(|rest| rest.split('`').next()) {
            named += 1;
            let test = format!("fn {lock}(");
            assert!(code.contains(&test), "{} names the lock {lock}, and there is no such test", page.display());
        }
    }
    assert!(named >= 30, "only {named} locks were found; is the test still reading the pages?");
}

#[test]
fn every_reason_is_listed_in_the_order_of_the_code() {
    let code = read("src/report.rs");
    let variants = code.split("pub enum Reason {").nth(1).and_then(|rest| rest.split('}').next()).expect("the enum");
    let names = variants.lines().map(str::trim).filter_map(|line| line.strip_suffix(','));
    let wanted: Vec<String> = names.filter(|name| !name.contains(' ')).map(in_capitals).collect();
    let page = read("docs/commands.md");
    let table = page.split("| reason | when |").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("the table");
    let listed: Vec<_> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert!(wanted.len() > 15, "only {} reasons were found", wanted.len());
    assert_eq!(listed, wanted);
}

/// Every variant has a row, with the names of its fields, in the order of the code.
#[test]
fn every_effect_and_outcome_is_in_the_table() {
    let variants = |file: &str, name: &str| -> Vec<(String, Vec<String>)> {
        let code = read(file);
        let body = code.split(&format!("pub enum {name} {{")).nth(1).and_then(|rest| rest.split("\n}").next());
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for line in body.expect("the enum is there").lines().filter(|line| !line.trim_start().starts_with(['/', '#'])) {
            let word = line.trim().split([' ', ':', ',']).next().unwrap_or_default().to_owned();
            match line.len() - line.trim_start().len() {
                4 if word != "}" => found.push((word, Vec::new())),
                8 if line.contains(':') => found.last_mut().expect("a field stands in a variant").1.push(word),
                _ => {}
            }
        }
        found
    };
    let page = read("docs/effects.md");
    let effects: Vec<String> = variants("src/effect.rs", "Effect")
        .into_iter()
        .map(|(name, fields)| match fields.as_slice() {
            [] => name,
            fields => format!("{name} {{ {} }}", fields.join(", ")),
        })
        .collect();
    assert!(effects.len() > 9, "only {effects:?} were found");
    let table = page.split("| effect | ").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("the table");
    let listed: Vec<_> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(listed, effects);
    for (outcome, _) in variants("src/event.rs", "Outcome") {
        assert!(page.contains(&format!("`{outcome}")), "{outcome} is in no table of docs/effects.md");
    }
}

/// Every key of the schema has a row in the table, and its story has the key.
#[test]
fn every_key_of_a_workflow_file_has_a_story() {
    let schema = nebuko::workflow::schema::schema();
    let keys = |of: &serde_json::Value, scope: &str| -> Vec<String> {
        let properties = of["properties"].as_object().expect("a map has properties");
        properties.keys().map(|key| format!("{scope}{key}")).collect()
    };
    let mut wanted = keys(&schema, "");
    for (scope, of) in schema["$defs"].as_object().expect("the schema has parts") {
        wanted.extend(keys(of, &format!("{scope}.")));
    }
    let table = read("docs/grammar.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix("` |")?.split_once("` | `"));
    let mut found: Vec<String> = Vec::new();
    for (key, story) in rows {
        let name = key.rsplit('.').next().unwrap_or(key);
        let case = read(&format!("{story}/case.yaml"));
        let has_key = [": ", ":\n"].iter().any(|end| case.contains(&format!("{name}{end}")));
        assert!(has_key, "{story} has no {name}");
        found.push(key.to_owned());
    }
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted, "the table in docs/grammar.md and the schema differ");
}

/// Writes `StepDone` as `STEP_DONE`.
fn in_capitals(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text
}

#[test]
fn every_rule_that_the_code_cites_is_explained() {
    let rules = read("docs/rules.md");
    let code = all_of("src") + &all_of("interpreter/src") + &all_of("interpreter/tests");
    let faults = rules.split("## Fault kinds").nth(1).expect("the table of fault kinds");
    let decisions = rules.split("## The contract").next().expect("the decisions come first");
    let mut cited = 0;
    let lower = code.to_lowercase();
    for (word, is_explained) in [
        (
            "decision ",
            &(|number: &str| match number.split_once('.') {
                Some(_) => decisions.contains(&format!("**{number}**")),
                None => decisions.contains(&format!("### Decision {number}: ")),
            }) as &dyn Fn(&str) -> bool,
        ),
        ("fault kind ", &|number: &str| faults.contains(number)),
        ("fault kinds ", &|number: &str| faults.contains(number)),
    ] {
        for rest in lower.split(word).skip(1) {
            let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(rest.len());
            let number = rest[..end].trim_end_matches('.');
            if !number.is_empty() {
                cited += 1;
                assert!(is_explained(number), "the code cites {word}{number}, and docs/rules.md does not explain it");
            }
        }
    }
    assert!(cited > 50, "only {cited} citations were found");
}

#[test]
fn the_readme_and_the_ci_run_the_same_tests() {
    let readme = read("README.md");
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("$ cargo test")).collect();
    assert_eq!(commands.len(), 1, "the README has one test command");
    assert!(read(".ci/run").contains("README.md"), "the CI takes the test command from the README");
}

#[test]
fn nothing_names_this_or_that_machine() {
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page can be read");
        for word in ["/home/", "/root/"] {
            assert!(!text.contains(word), "{} names {word}", page.display());
        }
    }
}

/// Gives the words between single back ticks, outside fences.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    let mut in_fence = false;
    text.lines()
        .filter(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            in_fence ^= is_fence;
            !in_fence && !is_fence
        })
        .flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Tells whether a word is a path of this repository.
fn is_path(word: &str) -> bool {
    let starts = ["src/", "interpreter/", "golden/", "workflows/", "docs/", ".ci/", ".github/"];
    starts.iter().any(|start| word.starts_with(start)) && !word.contains(['*', ' ', '<', '…', '{'])
}

fn pages() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut open = vec![root().join("docs"), root().join("workflows"), root().join("golden")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("a folder's entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found
}

fn all_of(folder: &str) -> String {
    let (mut text, mut open) = (String::new(), vec![root().join(folder)]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("a folder's entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text += &fs::read_to_string(&path).expect("a source file can be read");
            }
        }
    }
    text
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("could not read {path}: {why}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

//! The workflows of the golden pictures: files in their folders, what is built in, and names that no file may have.

use std::{collections::BTreeMap, fs, path::Path};

use nebuko::{
    shipped::WORKFLOWS,
    workflow::{Binding, Condition, Script, Step, Work, Workflow, parse},
};

/// A workflow to draw.
pub(crate) struct Story {
    /// Its folder.
    pub(crate) name: &'static str,
    pub(crate) workflow: Workflow,
    /// What its steps can mount, by name.
    pub(crate) mounted: BTreeMap<String, Workflow>,
    pub(crate) depth: u32,
}

/// All of them, in order of their names.
pub(crate) fn stories(root: &Path) -> Vec<Story> {
    let of_files = |name: &'static str, workflow: &str, depth| {
        let mounted = read(&root.join(name));
        Story { name, workflow: mounted[workflow].clone(), mounted, depth }
    };
    vec![
        Story { name: "default", workflow: shipped(), mounted: BTreeMap::new(), depth: 1 },
        of_files("every-kind", "release", 1),
        Story { name: "hostile-names", workflow: hostile(), mounted: hostile_part(), depth: 2 },
        of_files("mounts-opened", "release", 4),
        of_files("routes", "routes", 1),
    ]
}

fn read(folder: &Path) -> BTreeMap<String, Workflow> {
    let paths =
        fs::read_dir(folder).expect("a story has a folder").map(|entry| entry.expect("it can be listed").path());
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a workflow can be read");
            let workflow = parse(&name, &text).expect("a workflow of a story has no mistakes");
            (workflow.name.clone(), workflow)
        })
        .collect()
}

fn shipped() -> Workflow {
    let (file, text) = WORKFLOWS[0];
    parse(&format!("built-in:{file}"), text).expect("a shipped workflow has no mistakes")
}

/// Names that a format could take for its own.
fn hostile() -> Workflow {
    let args = vec!["echo \"$HOME\" `id` \\N; #1".to_owned()];
    let script = Script { command: "sh -c".into(), args, ..Script::default() };
    let steps = vec![
        Step {
            conditions: vec![to("\"]; end", "end"), to("--> <b>x</b>", "1. list"), to("", "日本語 \u{202e}edcba")],
            ..agent("a \"b\" [c] {d} (e)", "#quot; %%{init}%%", None)
        },
        Step { name: "end".into(), work: Work::Script(script), next: Some("- item\nnext".into()), ..Step::default() },
        Step {
            conditions: vec![to("|#35;|", "- item\nnext")],
            ..agent("1. list", "</text></svg><script>alert(1)</script>", Some("end"))
        },
        agent("日本語 \u{202e}edcba", "🚀 ]]> &amp; &lt;", Some("- item\nnext")),
        Step {
            name: "- item\nnext".into(),
            work: Work::Workflow("subgraph x".into()),
            inputs: BTreeMap::from([("</desc>".into(), Binding::Str("\"\u{0}\u{ffff}`\\\\".into()))]),
            human_gate: true,
            ..Step::default()
        },
    ];
    let location = "\"><x>.yaml".into();
    Workflow { description: "-->\n\"%% style x:#1;".into(), location, ..workflow("style:#fff; end", steps) }
}

fn hostile_part() -> BTreeMap<String, Workflow> {
    let steps = vec![
        agent("", "classDef x:#fff;", Some("www.acme.com https://acme.com $$x$$")),
        agent("www.acme.com https://acme.com $$x$$", "_a_ *b* ~~c~~ fa:fa-car", Some("")),
    ];
    BTreeMap::from([("subgraph x".to_owned(), workflow("subgraph x", steps))])
}

fn workflow(name: &str, steps: Vec<Step>) -> Workflow {
    Workflow { name: name.into(), steps, ..Workflow::default() }
}

fn agent(name: &str, role: &str, next: Option<&str>) -> Step {
    Step { name: name.into(), work: Work::Agent(role.into()), next: next.map(str::to_owned), ..Step::default() }
}

fn to(on_result: &str, next: &str) -> Condition {
    Condition { on_result: on_result.into(), next: Some(next.into()) }
}

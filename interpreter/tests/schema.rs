//! The schemas of a workflow and of the settings, and the parsers: for the same file they come to the same verdict.
//!
//! `NEBUKO_BLESS=1 cargo test --test schema` writes `golden/schema/` anew; read the diff before you keep it.
#![allow(clippy::panic, reason = "a test says what is wrong by ending")]

#[path = "schema/settings.rs"]
mod settings;

use std::{fs, path::Path};

use boon::{Compiler, SchemaIndex, Schemas};
use nebuko::{
    shipped,
    workflow::{self, schema::schema},
};
use serde_json::{Value, json};

/// The schema, compiled once for a test.
struct Checker {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Checker {
    fn new() -> Self {
        Self::of(schema())
    }

    fn of(schema: Value) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("schema.json", schema).expect("the schema is JSON");
        let index = compiler.compile("schema.json", &mut schemas).expect("it is a schema of draft 2020-12");
        Self { schemas, index }
    }

    fn accepts(&self, source: &str) -> bool {
        let read: Value = serde_yaml::from_str(source).unwrap_or_else(|why| panic!("{why}: {source}"));
        self.schemas.validate(&read, self.index).is_ok()
    }

    /// Gives the verdicts of the parser and of the schema.
    fn verdicts(&self, source: &str) -> (bool, bool) {
        (workflow::parse("build.yaml", source).is_ok(), self.accepts(source))
    }
}

/// Makes a file of lines for the top, and keys for its one step.
fn file(top: &str, step: &str) -> String {
    let top = if top.is_empty() { String::new() } else { format!("{top}\n") };
    format!("name: build\n{top}steps:\n  - name: a\n    {step}\n")
}

#[test]
fn the_golden_schemas_are_what_the_program_prints() {
    printed("workflow", &schema());
    printed("config", &nebuko::config::schema::schema());
}

fn printed(of: &str, schema: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../golden/schema/{of}.json"));
    let printed = std::process::Command::new(env!("CARGO_BIN_EXE_nebuko"))
        .args(["schema", of])
        .env_clear()
        .output()
        .expect("the program starts");
    assert!(printed.status.success());
    if std::env::var_os("NEBUKO_BLESS").is_some() {
        fs::write(&path, &printed.stdout).expect("the golden can be written");
    }
    let golden = fs::read_to_string(&path).expect("the golden is there");
    similar_asserts::assert_eq!(String::from_utf8_lossy(&printed.stdout), golden);
    let golden: Value = serde_json::from_str(&golden).expect("the golden is JSON");
    assert_eq!(&golden, schema);
    assert_eq!(golden["$schema"], json!("https://json-schema.org/draft/2020-12/schema"));
}

#[test]
fn shipped_workflows_fit_the_schema() {
    let checker = Checker::new();
    for (name, text) in shipped::WORKFLOWS {
        assert!(checker.accepts(text), "{name}");
    }
}

#[test]
fn the_schema_and_the_parser_agree() {
    let checker = Checker::new();
    let check = |top: &str, step: &str, good: bool| {
        let source = file(top, step);
        assert_eq!(checker.verdicts(&source), (good, good), "the parser, the schema: {source}");
    };
    for (step, good) in [
        ("agent: dev", true),
        ("agent: dev\n    next: null", true),
        ("agent: dev\n    next:", true),
        ("agent: dev\n    next: a", true),
        ("agent: dev\n    next: [a]", false),
        ("agent: dev\n    nxet: a", false),
        ("agent: ''", false),
        ("agent: 'a b'", false),
        ("agent: null", false),
        ("agent: {role: dev}", false),
        ("next: null", false),
        ("agent: dev\n    workflow: x", false),
        ("workflow: part/build.yaml", true),
        ("workflow: /part", false),
        ("workflow: ../part", false),
        ("workflow: a//b", false),
        ("repo: acme/flows//build.yaml@v1", true),
        ("repo: acme/flows//build.yaml", false),
        ("repo: acme/flows//../build.yaml@v1", false),
        ("repo: 5", false),
        ("script: {command: uv}", true),
        ("script: {command: uv, args: [8080, true, 1.10, 007, 1e3, 2024-01-01, '']}", true),
        ("script: {command: uv, args: [x, null]}", false),
        ("script: {command: uv, args: [[x]]}", false),
        ("script: {command: uv, args: x}", false),
        ("script: {command: uv, env: {A: true, B: 1.10, C: ''}}", true),
        ("script: {command: uv, env: {A=B: x}}", false),
        ("script: {command: uv, env: {A: null}}", false),
        ("script: {command: uv, env: [A]}", false),
        ("script: {command: uv, working_dir: src/x}", true),
        ("script: {command: uv, working_dir: /src}", false),
        ("script: {command: uv, timeout_minutes: 1}", true),
        ("script: {command: uv, timeout_minutes: 90}", true),
        ("script: {command: uv, timeout_minutes: 0}", false),
        ("script: {command: uv, timeout_minutes: 1.5}", false),
        ("script: {command: uv, timeout_minutes: '15'}", false),
        ("script: {args: [x]}", false),
        ("script: uv run", false),
        ("script: {command: /bin/sh}", false),
        ("script: {command: a/../b}", false),
        ("script: {command: x}\n    human_gate: true", true),
        ("script: {command: x}\n    prompt: y", false),
        ("script: {command: x}\n    inputs: {x: a}", false),
        ("workflow: x\n    complexity: low", false),
        ("workflow: x\n    inputs: {x: {str: y}}", true),
        ("agent: dev\n    pre_hook: {path: x.sh, args: [1], timeout_minutes: 5}", true),
        ("agent: dev\n    pre_hook: {args: [1]}", false),
        ("agent: dev\n    post_hook: {path: ../x}", false),
        ("agent: dev\n    inputs: {x: input.y, z: {exec: [make, 1]}, n: {str: ''}}", true),
        ("agent: dev\n    inputs: [a]", true),
        ("agent: dev\n    inputs: {x: null}", false),
        ("agent: dev\n    inputs: {x: {exec: []}}", false),
        ("agent: dev\n    inputs: {x: {exec: [/bin/sh]}}", false),
        ("agent: dev\n    inputs: {x: {exec: [a], str: b}}", false),
        ("agent: dev\n    inputs: {x: {}}", false),
        ("agent: dev\n    inputs: {'x y': a}", false),
        ("agent: dev\n    inputs: {x: 'input.'}", false),
        ("agent: dev\n    skill: [rust, {inject: [a]}, {discover: [b]}]", true),
        ("agent: dev\n    skill: rust", false),
        ("agent: dev\n    skill: [{inject: a}]", false),
        ("agent: dev\n    skill: [{inject: [a], discover: [b]}]", false),
        ("agent: dev\n    prompt: 5", true),
        ("agent: dev\n    prompt: null", false),
        ("agent: dev\n    complexity: high", true),
        ("agent: dev\n    complexity: huge", false),
        ("agent: dev\n    human_gate: false", true),
        ("agent: dev\n    human_gate: yes", false),
        ("agent: dev\n    human_gate: 'true'", false),
        ("agent: dev\n    conditions: [{on_result: no, next: a}, {on_result: default, next: null}]", true),
        ("agent: dev\n    conditions: [{on_result: x}]", false),
        ("agent: dev\n    conditions: [{next: a}]", false),
        ("agent: dev\n    conditions: {x: a}", false),
        ("agent: dev\n    output: {fields: []}", false),
        ("agent: dev\n    output: {fields: [a, {name: b, kind: table, required: false, description: x}]}", true),
        ("agent: dev\n    output: {fields: [{kind: table}]}", false),
        ("agent: dev\n    output: {fields: ['a b']}", false),
        ("agent: dev\n    output: [a]", false),
        ("agent: dev\n    model: acme/fast-1", true),
        ("agent: dev\n    model: ''", false),
        ("agent: dev\n    reasoning: xhigh", true),
        ("agent: dev\n    reasoning: much", false),
        ("agent: dev\n    sampling: {temperature: 0.5, top_p: 1, top_k: 0, presence_penalty: -2}", true),
        ("agent: dev\n    sampling: {temperature: 2.5}", false),
        ("agent: dev\n    sampling: {repetition_penalty: 0}", false),
        ("agent: dev\n    sampling: {top_k: 1.5}", false),
        ("agent: dev\n    sampling: {warmth: 1}", false),
        ("script: {command: x}\n    model: y", false),
        ("workflow: x\n    output: {fields: [a]}", false),
    ] {
        check("", step, good);
    }
    for (top, good) in [
        ("description: x", true),
        ("description: [x]", false),
        ("trigger: {agents: [x]}", true),
        ("trigger: null", true),
        ("inputs: [{name: x, kind: str, required: false}, {name: y-1, kind: exec}]", true),
        ("inputs: [{name: x}]", false),
        ("inputs: [{name: 1x, kind: str}]", false),
        ("inputs: [{name: x, kind: int}]", false),
        ("inputs: [{name: x, kind: str, required: no}]", false),
        ("inputs: {x: str}", false),
        ("outputs: a", true),
        ("outputs: [a]", true),
        ("outputs: {a: b}", false),
        ("gate: {not_by: initiator, approvals: 2}", true),
        ("gate: {approvals: 0}", false),
        ("gate: {approvals: 11}", false),
        ("gate: {not_by: dana}", false),
        ("gate: true", false),
        ("zebra: 1", false),
    ] {
        check(top, "agent: dev", good);
    }
    for source in ["name: build\n", "name: build\nsteps: []\n", "steps: [{name: a, agent: dev}]\n", "[]\n", "text\n"] {
        assert_eq!(checker.verdicts(source), (false, false), "{source}");
    }
}

/// What a schema cannot say. The parser alone sees these, and they are all.
#[test]
fn what_looks_beyond_one_place_is_for_the_parser_alone() {
    let checker = Checker::new();
    let two = |second: &str| file("", &format!("agent: dev\n  - {second}"));
    for (kind, source) in [
        ("a step's name is not unique", two("{name: a, agent: dev}")),
        ("a parameter's name is not unique", {
            file("inputs: [{name: x, kind: str}, {name: x, kind: str}]", "agent: dev")
        }),
        ("a listed step is not unique", file("", "agent: dev\n    inputs: [a, a]")),
        ("an output is not unique", file("outputs: [a, a]", "agent: dev")),
        ("a result is not unique", {
            file("", "agent: dev\n    conditions: [{on_result: x, next: a}, {on_result: X, next: a}]")
        }),
        ("a target is not there", file("", "agent: dev\n    next: b")),
        ("an output is not there", file("outputs: b", "agent: dev")),
        ("a prompt refers to what is not there", file("", "agent: dev\n    prompt: '{{ b }}'")),
        ("a prompt has braces that are no slot", file("", "agent: dev\n    prompt: '{{ b'")),
        ("a parameter stands in the list of steps", file("", "agent: dev\n    inputs: [input.x]")),
        ("the name is not the file's", "name: other\nsteps: [{name: a, agent: dev}]\n".to_owned()),
        ("how a number is written", file("", "script: {command: x, timeout_minutes: 0x10}")),
        ("how a number is written", file("", "agent: 1.5")),
        ("how a number is written", file("", "agent: dev\n    sampling: {temperature: 1e0}")),
        ("a field's name is not unique", file("", "agent: dev\n    output: {fields: [a, {name: a}]}")),
    ] {
        assert_eq!(checker.verdicts(&source), (false, true), "{kind}: {source}");
    }
}

/// Whatever text stands where a text is wanted, in quotes so that both read the same. Of the spaces beyond ASCII one
/// stands for all: the validator does not take each for a space, as ECMA-262 does.
#[test]
fn both_judge_every_text_alike() {
    fn agree(picks: Vec<u8>, place: u8) -> bool {
        let parts = [
            "a",
            "Z",
            "7",
            "_",
            "-",
            ".",
            "..",
            "/",
            "//",
            "\\",
            "@",
            " ",
            "\t",
            "\n",
            "<",
            "é",
            "\0",
            "=",
            "input.",
            "acme/flows//",
            "build.yaml@",
            ".yml",
            "{",
            "~",
            "\u{2029}",
            "\u{7f}",
        ];
        let text: String = picks.iter().take(6).map(|pick| parts[usize::from(*pick) % parts.len()]).collect();
        // Escaped throughout, since the two YAML readers disagree on some signs between quotes.
        let quoted: String = text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
        let quoted = format!("\"{quoted}\"");
        let places = [
            format!("agent: {quoted}"),
            format!("workflow: {quoted}"),
            format!("repo: {quoted}"),
            format!("script: {{command: {quoted}}}"),
            format!("script: {{command: x, args: [{quoted}]}}"),
            format!("script: {{command: x, working_dir: {quoted}}}"),
            format!("script: {{command: x, env: {{{quoted}: x}}}}"),
            format!("agent: dev\n    skill: [{quoted}]"),
            format!("agent: dev\n    inputs: {{{quoted}: x}}"),
            format!("agent: dev\n    inputs: {{x: {quoted}}}"),
            format!("agent: dev\n    inputs: {{x: {{exec: [{quoted}]}}}}"),
            format!("agent: dev\n  - name: {quoted}\n    agent: dev"),
        ];
        let source = file("", &places[usize::from(place) % places.len()]);
        // A step of this name is there already, and that is for the parser alone.
        if text == "a" && usize::from(place) % places.len() == 11 {
            return true;
        }
        let (parser, schema) = CHECKER.with(|checker| checker.verdicts(&source));
        assert_eq!(parser, schema, "{text:?} in {source}");
        true
    }
    thread_local! {
        static CHECKER: Checker = Checker::new();
    }
    quickcheck::QuickCheck::new().tests(6_000).quickcheck(agree as fn(Vec<u8>, u8) -> bool);
}

//! L14: a stranger's text in the code of a shell or an interpreter.

use alloc::{format, string::String, vec::Vec};

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::yaml::{Node, quoted};

pub(super) const RULE: Rule = Rule {
    id: "L14",
    name: "tainted-command",
    summary: "a stranger's text in the code of a shell or an interpreter",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L14.md"),
};

/// Programs that take code as an argument, and the flags before it.
const INTERPRETERS: [(&[&str], &[&str]); 8] = [
    (&["sh", "bash", "dash", "ash", "zsh", "ksh", "fish"], &["-c"]),
    (&["python", "python2", "python3", "pypy3"], &["-c"]),
    (&["node", "nodejs", "bun"], &["-e", "--eval", "-p", "--print"]),
    (&["deno"], &["eval"]),
    (&["perl", "ruby"], &["-e", "-E"]),
    (&["php"], &["-r"]),
    (&["pwsh", "powershell"], &["-c", "-Command", "-CommandWithArgs"]),
    (&["eval"], &[]),
];
/// Variables and files that hold what whoever opened the issue wrote (reference: Environment Variables Catalog).
const VARIABLES: [&str; 5] = ["TRIGGER_BODY", "TRIGGER_AUTHOR", "STEP_INPUTS", "GITHUB_EVENT_PATH", "GITHUB_HEAD_REF"];
/// Commands that print what strangers wrote: all words stand in one command, the last as a part of a word.
const COMMANDS: [&[&str]; 9] = [
    &["gh", "issue", "view"],
    &["gh", "pr", "view"],
    &["gh", "api", "comments"],
    &["gh", "api", "issues"],
    &["gh", "api", "pulls"],
    &["curl", "comments"],
    &["curl", "issues"],
    &["wget", "comments"],
    &["wget", "issues"],
];

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.steps() {
        for argv in commands(at.node) {
            let Some((interpreter, code, node)) = code_of(&argv) else { continue };
            let Some(source) = tainted(code) else { continue };
            let what = format!("{source} gives what strangers wrote, into code that {} reads", quoted(interpreter));
            let hint = "let a script of the repository read it as data, or hand it over as an argument";
            findings.add(&RULE, reading.file, node.place, what, hint);
        }
    }
}

/// Gives the commands of a step, each as a program and its arguments.
fn commands(step: &Node) -> Vec<Vec<&Node>> {
    let inputs = step.get("inputs").and_then(Node::entries).unwrap_or_default();
    let values = inputs.iter().filter_map(|(_, value)| value.get("exec")?.items());
    let programs = [("script", "command"), ("pre_hook", "path"), ("post_hook", "path")];
    let programs = programs.iter().filter_map(|(key, program)| {
        let node = step.get(key)?;
        Some(node.get(program).into_iter().chain(node.get("args").and_then(Node::items).unwrap_or_default()).collect())
    });
    values.map(|items| items.iter().collect()).chain(programs).collect()
}

/// Finds the code that a command hands to an interpreter; one can stand behind others, as in `env bash -c …`.
fn code_of<'n>(argv: &[&'n Node]) -> Option<(&'n str, &'n str, &'n Node)> {
    argv.iter().enumerate().find_map(|(place, node)| {
        let program = node.text()?.rsplit('/').next()?;
        let (_, flags) = INTERPRETERS.iter().find(|(names, _)| names.contains(&program))?;
        let rest = &argv[place + 1..];
        let after = if flags.is_empty() { 0 } else { 1 + rest.iter().position(|node| is_flag(node, flags))? };
        let code = rest.get(after)?;
        Some((program, code.text()?, *code))
    })
}

/// Tells whether an argument is one of some flags, or short flags in one word of which the last is.
fn is_flag(node: &Node, flags: &[&str]) -> bool {
    let text = node.text().unwrap_or_default();
    let together = |flag: &&str| {
        let letter = flag.strip_prefix('-').filter(|letter| letter.len() == 1);
        let letters = text.strip_prefix('-').filter(|letters| letters.bytes().all(|byte| byte.is_ascii_alphabetic()));
        letter.zip(letters).is_some_and(|(letter, letters)| letters.ends_with(letter))
    };
    flags.contains(&text) || flags.iter().any(together)
}

/// Finds what strangers wrote in some code, and says what it is.
fn tainted(code: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    let mut words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    if let Some(variable) = words.find(|word| VARIABLES.contains(word)) {
        return Some(quoted(variable));
    }
    code.split([';', '|', '&', '\n', '(', ')', '`']).find_map(|command| {
        let words: Vec<&str> = command.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
        let found = COMMANDS.iter().find(|wanted| stands_in(wanted, &words))?;
        Some(quoted(&found.join(" … ").replace("issue … view", "issue view").replace("pr … view", "pr view")))
    })
}

/// Tells whether words stand in a command in their order.
fn stands_in(wanted: &[&str], words: &[&str]) -> bool {
    let mut words = words.iter();
    let (last, first) = wanted.split_last().map_or(("", wanted), |(last, first)| (*last, first));
    let starts = first.iter().all(|word| words.any(|other| other == word));
    starts && words.any(|other| other.contains(last))
}

//! The workspace tools (decision 8): what an agent may do in the checkout, where its settings list them.
//!
//! They are declared here once; the request lists all of them for every agent, so that the head of the cached prefix is
//! the same, and one that an agent may not use is refused when it is called.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    talk::{Terms, Wanted},
    tools::{read, tool},
};
use crate::{
    agent::Tool,
    process::{Process, Purpose},
    workspace::{ToolUse, WorkspaceTool},
};

/// The names of the workspace tools.
pub const WORKSPACE_TOOLS: [&str; 6] = [LIST_FILES, READ_FILE, SEARCH_TEXT, WRITE_FILE, APPLY_EDIT, RUN_COMMAND];

const LIST_FILES: &str = "list_files";
const READ_FILE: &str = "read_file";
const SEARCH_TEXT: &str = "search_text";
const WRITE_FILE: &str = "write_file";
const APPLY_EDIT: &str = "apply_edit";
const RUN_COMMAND: &str = "run_command";

/// Tells whether a name is that of a workspace tool.
pub(crate) fn is_tool(name: &str) -> bool {
    WORKSPACE_TOOLS.contains(&name)
}

/// Declares them, in an order that never changes.
pub(crate) fn all() -> Vec<Tool> {
    let text = |description: &str| json!({"type": "string", "description": description});
    let number = |description: &str| json!({"type": "integer", "minimum": 1, "description": description});
    let words = json!({"type": "array", "items": {"type": "string"}, "minItems": 1,
        "description": "The program and its arguments, each by itself; no shell reads them."});
    Vec::from([
        declared(
            LIST_FILES,
            "List the files and folders in a folder of the repository.",
            json!({"path": text("The folder; leave it out for the repository itself.")}),
            &[],
        ),
        declared(
            READ_FILE,
            "Read a text file of the repository, with line numbers.",
            json!({
                "path": text("The file."),
                "from_line": number("The first line wanted, 1 by default."),
                "lines": number("How many lines, 400 by default."),
            }),
            &["path"],
        ),
        declared(
            SEARCH_TEXT,
            "Find the lines that hold a text, letter by letter, in the files of the repository.",
            json!({"text": text("The text."), "path": text("The folder or file to look in; everywhere by default.")}),
            &["text"],
        ),
        declared(
            WRITE_FILE,
            "Write a whole text file of the repository, new or not.",
            json!({"path": text("The file."), "text": text("Its whole text.")}),
            &["path", "text"],
        ),
        declared(
            APPLY_EDIT,
            "Replace a piece of a text file that stands there exactly once.",
            json!({
                "path": text("The file."),
                "old": text("The piece, letter by letter, with enough around it to be the only one."),
                "new": text("What takes its place."),
            }),
            &["path", "old", "new"],
        ),
        declared(
            RUN_COMMAND,
            "Run a program in the repository. Only the commands that your role lists are run.",
            json!({"argv": words, "working_dir": text("The folder to run it in.")}),
            &["argv"],
        ),
    ])
}

fn declared(name: &str, description: &str, properties: Value, required: &[&str]) -> Tool {
    let parameters =
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    tool(name, description, parameters)
}

/// Gives what a call of a workspace tool wants done, or says why that cannot be, for the model to repair.
pub(crate) fn wanted(name: &str, arguments: &Map<String, Value>, terms: Terms<'_>) -> Result<Wanted, String> {
    if !terms.tools.iter().any(|listed| listed == name) {
        return Err(not_listed(name, terms.tools));
    }
    if name == RUN_COMMAND {
        return command(arguments, terms).map(|process| Wanted::Command(Box::new(process)));
    }
    let tool = of(name, arguments)?;
    let limits = terms.limits;
    Ok(Wanted::Tool(Box::new(ToolUse { tool, bytes_max: limits.tool_bytes, seconds_max: limits.tool_seconds })))
}

fn not_listed(name: &str, listed: &[String]) -> String {
    match listed {
        [] => format!("your role may not use {name}; it has no workspace tools"),
        listed => format!("your role may not use {name}; it may use {}", listed.join(", ")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    path: Option<String>,
    from_line: Option<u64>,
    lines: Option<u64>,
    text: Option<String>,
    old: Option<String>,
    new: Option<String>,
}

fn of(name: &str, arguments: &Map<String, Value>) -> Result<WorkspaceTool, String> {
    let keys = keys_of(name);
    if let Some((key, _)) = arguments.iter().find(|(key, value)| !keys.contains(&key.as_str()) && !value.is_null()) {
        return Err(format!("{name} takes no {key}; it takes {}", keys.join(", ")));
    }
    let known = arguments.iter().filter(|(key, _)| keys.contains(&key.as_str()));
    let Given { path, from_line, lines, text, old, new } =
        read(known.map(|(key, value)| (key.clone(), value.clone())).collect())?;
    let needed = |given: Option<String>, key: &str| given.ok_or_else(|| format!("{name} needs {key}"));
    match name {
        LIST_FILES => Ok(WorkspaceTool::ListFiles { path: path.unwrap_or_default() }),
        READ_FILE => {
            let (from_line, lines) = (from_line.unwrap_or(1).max(1), lines.unwrap_or(LINES));
            Ok(WorkspaceTool::ReadFile { path: needed(path, "path")?, from_line, lines: lines.clamp(1, LINES_MAX) })
        }
        SEARCH_TEXT => {
            let text = needed(text, "text")?;
            if text.trim().is_empty() {
                return Err(format!("{name} needs a text that says something"));
            }
            Ok(WorkspaceTool::SearchText { text, path: path.unwrap_or_default() })
        }
        WRITE_FILE => Ok(WorkspaceTool::WriteFile { path: needed(path, "path")?, text: needed(text, "text")? }),
        APPLY_EDIT => {
            let old = needed(old, "old")?;
            if old.is_empty() {
                return Err(format!("{name} needs the piece to replace in old"));
            }
            Ok(WorkspaceTool::ApplyEdit { path: needed(path, "path")?, old, new: needed(new, "new")? })
        }
        unknown => Err(format!("there is no workspace tool {unknown}")),
    }
}

/// Gives what a tool can be given. Null stands for what is not given.
fn keys_of(name: &str) -> &'static [&'static str] {
    match name {
        LIST_FILES => &["path"],
        READ_FILE => &["path", "from_line", "lines"],
        SEARCH_TEXT => &["text", "path"],
        WRITE_FILE => &["path", "text"],
        APPLY_EDIT => &["path", "old", "new"],
        _ => &[],
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    argv: Vec<String>,
    #[serde(default)]
    working_dir: Option<String>,
}

/// Makes the program of `run_command`, where the agent's list allows it.
fn command(arguments: &Map<String, Value>, terms: Terms<'_>) -> Result<Process, String> {
    let Run { argv, working_dir } = read(arguments.clone())?;
    if !terms.commands.iter().any(|allowed| !allowed.is_empty() && argv.starts_with(allowed)) {
        let allowed: Vec<_> = terms.commands.iter().map(|argv| argv.join(" ")).collect();
        return Err(match allowed.as_slice() {
            [] => "your role lists no commands to run".to_string(),
            allowed => format!("your role may only run commands that begin with: {}", allowed.join("; ")),
        });
    }
    let env: BTreeMap<String, String> = (terms.env)();
    let timeout_seconds = terms.limits.tool_seconds;
    let working_dir = working_dir.unwrap_or_default();
    Ok(Process { purpose: Purpose::Tool, argv, working_dir, env, timeout_seconds, ..Process::default() })
}

/// Lines of a file that are given where nothing is said.
const LINES: u64 = 400;
/// The most that are given at once; the bound on bytes is another.
const LINES_MAX: u64 = 10_000;

//! `nebuko config show`: each setting that is in force, and who set it.
//!
//! Of a key only the variable is shown that holds it, and whether that is set.

use std::fmt::Write as _;

use nebuko::{
    config::{Row, rows, rows_of},
    nearest::{did_you_mean, nearest},
    shipped::LOCATION,
};
use serde::Serialize;
use serde_json::Value;

use super::look::json;
use crate::{
    args::{ConfigShowArgs, Environment},
    error::{Error, Exit},
    secret::Masker,
    setup::{Configured, Given, configure},
    term::{Term, bold, line, table},
};

pub(super) fn show(args: &ConfigShowArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    let given = Given::of(&args.settings, environment)?;
    let masker = Masker::new(environment.all(), &[]);
    let configured = configure(String::new(), 0, &given, &masker)?;
    let found = match &args.agent {
        None => rows(&configured.setup),
        Some(role) => of_agent(&configured, role)?,
    };
    let settings: Vec<_> = found.iter().map(|row| Setting::of(row, &configured, &given, environment)).collect();
    if args.json {
        let file = Some(configured.config.file()).filter(|file| !file.is_empty());
        let document = json(&Document { file, agent: args.agent.as_deref(), settings })?;
        term.document(&masker.mask(&document))?;
    } else {
        term.print_styled(&masker.mask(&text(&settings, args.origin)))?;
    }
    Ok(Exit::Done)
}

fn of_agent(configured: &Configured, role: &str) -> Result<Vec<Row>, Error> {
    let found = rows_of(&configured.setup, role);
    if !found.is_empty() {
        return Ok(found);
    }
    let near = nearest(role, configured.setup.agents.keys().map(String::as_str));
    let known: Vec<_> = configured.setup.agents.keys().map(String::as_str).collect();
    let hint = if near.is_empty() { format!("the agents are {}", known.join(", ")) } else { did_you_mean(&near) };
    Err(Error::usage(format!("show the agent {role}"), "there is none of this name", hint))
}

/// What is printed for scripts.
#[derive(Serialize)]
struct Document<'a> {
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    settings: Vec<Setting>,
}

/// One setting, and who set it.
#[derive(Serialize)]
struct Setting {
    key: String,
    value: Value,
    /// Of a key's variable: whether it is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_set: Option<bool>,
    origin: String,
}

impl Setting {
    fn of(row: &Row, configured: &Configured, given: &Given, environment: &Environment) -> Self {
        let is_key = matches!(row.way.as_slice(), [first, _, last] if first == "providers" && last == "key");
        let is_set = row.value.as_str().filter(|_| is_key).map(|name| environment.value(name).is_some());
        Self { key: row.path(), value: row.value.clone(), is_set, origin: origin(row, configured, given) }
    }

    fn shown(&self) -> String {
        let value = match &self.value {
            Value::Null => "-".to_owned(),
            Value::String(text) if !text.is_empty() => line(text).into_owned(),
            other => line(&other.to_string()).into_owned(),
        };
        match self.is_set {
            None => value,
            Some(true) => format!("{value} (set)"),
            Some(false) => format!("{value} (not set)"),
        }
    }
}

/// Says who set a setting: a flag or a variable, a line of the file, the prompt's own file, or nobody.
fn origin(row: &Row, configured: &Configured, given: &Given) -> String {
    let from: Vec<&str> = row.from.iter().map(String::as_str).collect();
    if let Some(origin) = given.origin(&from.join(".")) {
        return origin.to_owned();
    }
    // A model that does not say its name is called as it is named.
    let place = configured.config.place(&from).or_else(|| match from.as_slice() {
        ["models", name, "name"] => configured.config.place(&["models", name]),
        _ => None,
    });
    if let Some(place) = place {
        return format!("{}:{}", configured.config.file(), place.line);
    }
    match (from.as_slice(), row.value.as_str()) {
        (["agents", _, "prompt"], Some(location)) if !location.starts_with(LOCATION) => location.to_owned(),
        _ => BUILT_IN.to_owned(),
    }
}

/// Writes the table; only its heading is styled, so that the columns stand below each other.
fn text(settings: &[Setting], with_origin: bool) -> String {
    let mut lines = vec![vec!["KEY".to_owned(), "VALUE".to_owned()]];
    // What stands behind a value would be pushed out of sight by a long one; `--json` has all of it.
    let shown = |value: String| if with_origin { cut(value) } else { value };
    lines.extend(settings.iter().map(|setting| vec![line(&setting.key).into_owned(), shown(setting.shown())]));
    if with_origin {
        let origins = settings.iter().map(|setting| line(&setting.origin).into_owned());
        for (row, origin) in lines.iter_mut().zip(["ORIGIN".to_owned()].into_iter().chain(origins)) {
            row.push(origin);
        }
    }
    let table = table(&lines);
    let (heading, rest) = table.split_once('\n').unwrap_or((&table, ""));
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", bold(heading));
    text + rest
}

fn cut(value: String) -> String {
    match value.char_indices().nth(VALUE_CHARS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value,
    }
}

/// The longest value that is shown with its origin.
const VALUE_CHARS: usize = 60;
const BUILT_IN: &str = "built-in";

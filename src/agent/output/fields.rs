//! The fields that an agent gave, checked against those that its step declares.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use serde_json::{Map, Value};

use crate::{
    agent::is_visible,
    markdown::{tables, unix_lines},
    nearest::{did_you_mean, nearest},
    setup::{Field, FieldKind},
};

/// A field, and its text. That of a JSON field is sound JSON.
pub(super) type Given<'s> = (&'s Field, Cow<'s, str>);

/// Puts what was given in the order of the declaration.
///
/// # Errors
/// Everything that is wrong with it, a line each, for the agent to repair.
pub(super) fn read<'s>(declared: &'s [Field], given: &'s Map<String, Value>) -> Result<Vec<Given<'s>>, String> {
    let is_declared = |name: &String| declared.iter().any(|field| field.name == *name);
    let unknown = given.keys().filter(|name| !is_declared(name)).take(UNKNOWN_MAX);
    let mut wrong: Vec<String> = unknown.map(|name| not_declared(declared, name)).collect();
    let mut read = Vec::new();
    for field in declared {
        match text(field, given.get(&field.name)) {
            Ok(Some(text)) => read.push((field, text)),
            Ok(None) if field.required => wrong.push(format!("{} is missing: {}", field.name, wanted(field))),
            Ok(None) => {}
            Err(why) => wrong.push(format!("{} {why}: {}", field.name, wanted(field))),
        }
    }
    if wrong.is_empty() {
        Ok(read)
    } else {
        Err(format!("the fields of finish have to be repaired:\n{}", lines(&wrong)))
    }
}

/// Gives the text of a field; `None` where it is not given, or empty.
fn text<'s>(field: &Field, value: Option<&'s Value>) -> Result<Option<Cow<'s, str>>, String> {
    let text: Cow<'s, str> = match (value, field.kind) {
        (None | Some(Value::Null), _) => return Ok(None),
        (Some(Value::String(text)), _) => Cow::Borrowed(text),
        (Some(value), FieldKind::Json) => {
            Cow::Owned(serde_json::to_string_pretty(value).map_err(|error| format!("is no JSON ({error})"))?)
        }
        (Some(_), FieldKind::Text | FieldKind::Table) => return Err("is no text".into()),
    };
    if !is_visible(&text) {
        return Ok(None);
    }
    let chars = text.chars().count();
    if chars > FIELD_CHARS {
        return Err(format!("is too long ({chars} characters, at most {FIELD_CHARS})"));
    }
    match field.kind {
        FieldKind::Table if tables(&unix_lines(&text)).is_empty() => Err("is no markdown table".into()),
        FieldKind::Json => match serde_json::from_str::<serde::de::IgnoredAny>(&text) {
            Ok(_) => Ok(Some(text)),
            Err(error) => Err(format!("is no JSON ({error})")),
        },
        FieldKind::Text | FieldKind::Table => Ok(Some(text)),
    }
}

/// Says what a field wants.
fn wanted(field: &Field) -> &'static str {
    match field.kind {
        FieldKind::Text => "give it as markdown text",
        FieldKind::Table => {
            "give it as a markdown table with a header row, a row of dashes below it, and as many cells in each row"
        }
        FieldKind::Json => "give it as JSON, or as a text that is JSON and nothing else",
    }
}

fn not_declared(declared: &[Field], name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect();
    let names: Vec<&str> = declared.iter().map(|field| field.name.as_str()).collect();
    if names.is_empty() {
        return format!("there is no field {name}: this step declares none, so put everything into report");
    }
    let near = did_you_mean(&nearest(&name, names.iter().copied()));
    let near = if near.is_empty() { near } else { format!(" ({near})") };
    format!("there is no field {name}{near}: the fields of this step are {}", names.join(", "))
}

fn lines(wrong: &[String]) -> String {
    let lines: Vec<String> = wrong.iter().map(|words| format!("- {words}")).collect();
    lines.join("\n")
}

/// A field is a few pages; a report as a whole is bounded where it is posted.
const FIELD_CHARS: usize = 100_000;
/// A name that is none is quoted up to here.
const NAME_CHARS: usize = 60;
/// More wrong names than these help nobody.
const UNKNOWN_MAX: usize = 10;

//! The JSON Schema (draft 2020-12) of a kind of file, for editors that check and complete while one types.
//!
//! It is written from the grammar that the parser checks files against. A schema cannot look from one place of a file
//! to another: that names are unique and that what is named is there is for the parser alone.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use serde_json::{Map, Value, json};

use super::{
    Bounds, DOLLARS_MAX, Form, Key, Kind, Preset, Scope, With,
    form::{ARGUMENT, COMMAND, VARIABLE},
};

/// Writes the schema of a kind of file. It refers to nothing outside itself; its identity is a name and no address.
pub(crate) fn schema(root: &Scope, id: &str, title: &str) -> Value {
    let mut definitions = Map::new();
    for key in root.keys {
        define(&key.kind, &mut definitions);
    }
    let mut schema = map(root);
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("$id".into(), json!(id));
    schema.insert("title".into(), json!(title));
    schema.insert("$defs".into(), Value::Object(definitions));
    Value::Object(schema)
}

/// Adds the kinds of maps that may stand behind a key to the definitions.
fn define(kind: &Kind, definitions: &mut Map<String, Value>) {
    match kind {
        Kind::Map(scope) if !definitions.contains_key(scope.name) => {
            definitions.insert(scope.name.into(), Value::Object(map(scope)));
            scope.keys.iter().for_each(|key| define(&key.kind, definitions));
        }
        Kind::List(item, _) | Kind::Named(_, item) => define(item, definitions),
        Kind::Either(kinds) => kinds.iter().for_each(|kind| define(kind, definitions)),
        _ => {}
    }
}

fn map(scope: &Scope) -> Map<String, Value> {
    let properties: Map<_, _> = scope.keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<_> = scope.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let mut schema = object(json!({ "type": "object", "properties": properties, "additionalProperties": false }));
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    if !scope.exactly_one.is_empty() {
        let choice: Vec<_> = scope.exactly_one.iter().map(|key| json!({ "required": [key] })).collect();
        schema.insert("oneOf".into(), json!(choice));
    }
    let of = |with| scope.keys.iter().filter(move |key| key.with == with).map(|key| key.name.to_owned());
    let with_agent: Map<_, _> = of(With::Agent).map(|key| (key, json!(["agent"]))).collect();
    if !with_agent.is_empty() {
        schema.insert("dependentRequired".into(), Value::Object(with_agent));
    }
    let not_with_script: Map<_, _> =
        of(With::AgentOrMount).map(|key| (key, json!({ "not": { "required": ["script"] } }))).collect();
    if !not_with_script.is_empty() {
        schema.insert("dependentSchemas".into(), Value::Object(not_with_script));
    }
    schema
}

fn property(key: &Key) -> Value {
    let mut schema = object(value(&key.kind));
    schema.insert("description".into(), json!(key.words));
    match key.preset {
        Preset::Nothing => {}
        Preset::Flag(flag) => drop(schema.insert("default".into(), json!(flag))),
        Preset::Number(number) => drop(schema.insert("default".into(), json!(number))),
        Preset::Decimal(number) => drop(schema.insert("default".into(), json!(number))),
        Preset::Word(word) => drop(schema.insert("default".into(), json!(word))),
    }
    Value::Object(schema)
}

fn value(kind: &Kind) -> Value {
    match kind {
        Kind::Anything => json!({}),
        Kind::Text(form) => text(form),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Target => json!({ "type": ["string", "number", "boolean", "null"] }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Number { least, most: None } => json!({ "type": "integer", "minimum": least }),
        Kind::Number { least, most: Some(most) } => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Decimal(Bounds { least, above, most }) => {
            let least_key = if *above { "exclusiveMinimum" } else { "minimum" };
            json!({ "type": "number", least_key: least, "maximum": most })
        }
        Kind::Dollars => {
            json!({ "type": ["number", "string"], "minimum": 0, "maximum": DOLLARS_MAX, "pattern": DOLLARS })
        }
        Kind::Arguments => json!({ "type": "array", "items": text(&ARGUMENT) }),
        Kind::Command => {
            json!({ "type": "array", "minItems": 1, "prefixItems": [text(&COMMAND)], "items": text(&ARGUMENT) })
        }
        Kind::Variables => named(&VARIABLE, text(&ARGUMENT)),
        Kind::Named(form, item) => named(form, value(item)),
        Kind::Map(scope) => json!({ "$ref": format!("#/$defs/{}", scope.name) }),
        Kind::List(item, 0) => json!({ "type": "array", "items": value(item) }),
        Kind::List(item, least) => json!({ "type": "array", "items": value(item), "minItems": least }),
        Kind::Either(kinds) => json!({ "anyOf": kinds.iter().map(value).collect::<Vec<_>>() }),
    }
}

fn named(form: &Form, item: Value) -> Value {
    let mut name = text(form);
    if let Some(name) = name.as_object_mut() {
        name.remove("type");
    }
    json!({ "type": "object", "propertyNames": name, "additionalProperties": item })
}

/// A text: also what a JSON reader takes for a number or a flag, since it is kept as it is written.
fn text(form: &Form) -> Value {
    let mut types = Vec::from(["string"]);
    types.extend(form.plain);
    let mut schema = Map::new();
    schema.insert("type".into(), if types.len() == 1 { json!("string") } else { json!(types) });
    if !form.pattern.is_empty() {
        schema.insert("pattern".into(), json!(form.pattern));
    }
    if !form.never.is_empty() {
        schema.insert("not".into(), json!({ "type": "string", "pattern": form.never }));
    }
    Value::Object(schema)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// An amount of dollars in quotes.
const DOLLARS: &str = r"^[0-9]{1,10}(\.[0-9]{1,6})?$";

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::{config, workflow};

    /// Checks that a map and all below it are in the schema, and gives the keys that were met.
    fn met(scope: &Scope, schema: &Value, whole: &Value, seen: &mut Vec<&'static str>) {
        assert_eq!(schema["additionalProperties"], json!(false), "{}", scope.of);
        for key in scope.keys {
            let described = &schema["properties"][key.name]["description"];
            assert_eq!(described, &json!(key.words), "{} {}", scope.of, key.name);
            seen.push(key.name);
            inner(&key.kind, whole, seen);
        }
    }

    fn inner(kind: &Kind, whole: &Value, seen: &mut Vec<&'static str>) {
        match kind {
            Kind::Map(scope) => met(scope, &whole["$defs"][scope.name], whole, seen),
            Kind::List(item, _) | Kind::Named(_, item) => inner(item, whole, seen),
            Kind::Either(kinds) => kinds.iter().for_each(|kind| inner(kind, whole, seen)),
            _ => {}
        }
    }

    #[test]
    fn every_key_of_every_kind_of_map_is_in_the_schema_with_its_words() {
        let check = |scope: &Scope, whole: Value, least: usize| {
            let mut seen = Vec::new();
            met(scope, &whole, &whole, &mut seen);
            assert!(seen.len() > least, "only {} keys were met", seen.len());
        };
        check(&workflow::WORKFLOW, workflow::schema::schema(), 50);
        check(&config::CONFIG, config::schema::schema(), 90);
    }

    #[test]
    fn nothing_outside_is_referred_to() {
        for whole in [workflow::schema::schema(), config::schema::schema()] {
            let text = whole.to_string();
            let refs = text.split("\"$ref\":\"").skip(1);
            assert!(refs.clone().count() > 5);
            assert!(refs.clone().all(|rest| rest.starts_with("#/$defs/")));
        }
    }

    /// Two kinds of maps of one name would share a definition.
    #[test]
    fn every_kind_of_map_has_its_own_name() {
        fn collect(kind: &Kind, found: &mut Vec<(&'static str, &'static str)>) {
            match kind {
                Kind::Map(scope) if !found.contains(&(scope.name, scope.of)) => {
                    found.push((scope.name, scope.of));
                    scope.keys.iter().for_each(|key| collect(&key.kind, found));
                }
                Kind::List(item, _) | Kind::Named(_, item) => collect(item, found),
                Kind::Either(kinds) => kinds.iter().for_each(|kind| collect(kind, found)),
                _ => {}
            }
        }
        for root in [&workflow::WORKFLOW, &config::CONFIG] {
            let mut found = Vec::new();
            root.keys.iter().for_each(|key| collect(&key.kind, &mut found));
            let mut names: Vec<_> = found.iter().map(|(name, _)| name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), found.len(), "{found:?}");
        }
    }
}

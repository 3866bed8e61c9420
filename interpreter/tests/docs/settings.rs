//! The page of the settings says what the table in the code says, and its example is read.

use std::{collections::BTreeSet, fmt::Write as _, fs};

use nebuko::{config, setup::Setup};
use serde_json::Value;

use super::{read, root};

const PAGE: &str = "docs/configuration.md";
const START: &str = "<!-- the keys, written by the test in interpreter/tests/docs/settings.rs -->\n";
const END: &str = "<!-- the end of the keys -->\n";

/// `NEBUKO_BLESS=1` writes the tables anew.
#[test]
fn the_page_of_the_settings_has_every_key() {
    let page = read(PAGE);
    let (before, rest) = page.split_once(START).expect("the tables start");
    let (listed, after) = rest.split_once(END).expect("the tables end");
    let wanted = tables();
    assert!(wanted.matches("\n| `").count() > 70, "{wanted}");
    if std::env::var_os("NEBUKO_BLESS").is_some() {
        fs::write(root().join(PAGE), format!("{before}{START}{wanted}{END}{after}")).expect("the page can be written");
        return;
    }
    similar_asserts::assert_eq!(listed, wanted);
}

#[test]
fn the_example_of_the_settings_is_read_and_sets_what_it_says() {
    let page = read(PAGE);
    let example = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let config::Parsed { config, problems } = config::read("config.yaml", example);
    assert_eq!(problems, []);
    let mut setup = Setup::default();
    config.apply(&mut setup);
    assert_ne!(setup.settings, Setup::default().settings);
    let schema = config::schema::schema();
    let keys = schema["properties"].as_object().expect("the settings have keys").keys();
    let missing: Vec<_> = keys.filter(|key| config.place(&[key]).is_none()).collect();
    assert!(missing.is_empty(), "the example does not show {missing:?}");
    for (role, agent) in &setup.agents {
        assert!(agent.tools.is_empty() || agent.runtime.is_model(), "{role}");
    }
}

/// Writes a table for each kind of map, in the order in which they are met.
fn tables() -> String {
    let schema = config::schema::schema();
    let (mut text, mut seen) = (String::new(), BTreeSet::new());
    let mut open = vec![(String::new(), schema.clone())];
    while !open.is_empty() {
        let (way, map) = open.remove(0);
        let heading = if way.is_empty() { "At the top".to_owned() } else { format!("`{way}`") };
        let _ =
            write!(text, "\n### {heading}\n\n| key | value | where it is not set | what it is |\n|---|---|---|---|\n");
        for (key, of) in map["properties"].as_object().expect("a map has keys") {
            let needed = map["required"].as_array().is_some_and(|needed| needed.iter().any(|name| name == key));
            let preset = match &of["default"] {
                Value::Null if needed => "must be there".to_owned(),
                Value::Null => String::new(),
                preset => format!("`{}`", preset.to_string().trim_matches('"')),
            };
            let words = of["description"].as_str().expect("a key has words");
            let _ = writeln!(text, "| `{key}` | {} | {preset} | {} |", value(of), words.replace('|', "\\|"));
            let inner = if way.is_empty() { key.clone() } else { format!("{way}.{key}") };
            maps(of, &inner, key, &schema, &mut seen, &mut open);
        }
    }
    text + "\n"
}

/// Finds the kinds of maps below a key that were not met yet.
fn maps(
    of: &Value,
    way: &str,
    key: &str,
    schema: &Value,
    seen: &mut BTreeSet<String>,
    open: &mut Vec<(String, Value)>,
) {
    if let Some(name) = of["$ref"].as_str().and_then(|name| name.rsplit('/').next())
        && seen.insert(name.to_owned())
    {
        open.push((way.to_owned(), schema["$defs"][name].clone()));
    }
    if of["additionalProperties"].is_object() {
        let name = if key == "agents" { "ROLE" } else { "NAME" };
        maps(&of["additionalProperties"], &format!("{way}.{name}"), key, schema, seen, open);
    }
    if of["items"].is_object() {
        maps(&of["items"], &format!("{way}[]"), key, schema, seen, open);
    }
    for kind in of["anyOf"].as_array().into_iter().flatten() {
        maps(kind, way, key, schema, seen, open);
    }
}

/// Says in a few words what may stand behind a key.
fn value(of: &Value) -> String {
    if let Some(words) = of["enum"].as_array() {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    if let Some(kinds) = of["anyOf"].as_array() {
        return kinds.iter().map(value).collect::<Vec<_>>().join(" or ");
    }
    if of["$ref"].is_string() {
        return "a map".into();
    }
    match &of["type"] {
        Value::String(kind) if kind == "boolean" => "`true` or `false`".into(),
        Value::String(kind) if kind == "array" && of["prefixItems"].is_array() => "a command, as a list".into(),
        Value::String(kind) if kind == "array" => format!("a list: {}", value(&of["items"])),
        Value::String(kind) if kind == "object" => "a map by name".into(),
        Value::String(kind) if kind == "integer" => format!("a whole number{}", range(of)),
        Value::String(kind) if kind == "number" => format!("a number{}", range(of)),
        Value::Array(kinds) if kinds.first().is_some_and(|kind| kind == "number") => "dollars, such as `1.25`".into(),
        _ => "a text".into(),
    }
}

fn range(of: &Value) -> String {
    let least = of.get("minimum").map(|least| format!("from {least}"));
    let above = of.get("exclusiveMinimum").map(|least| format!("above {least}"));
    // What every number that is kept exactly is below is no bound that anybody meets.
    let most = of.get("maximum").filter(|most| most.as_u64().is_none_or(|most| most < 1 << 52));
    let most = most.map(|most| format!("to {most}"));
    let parts: Vec<_> = least.or(above).into_iter().chain(most).collect();
    if parts.is_empty() { String::new() } else { format!(", {}", parts.join(" ")) }
}

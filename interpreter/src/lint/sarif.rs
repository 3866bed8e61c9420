//! Findings as SARIF 2.1.0, for code scanning: rules with their pages, regions, related places, fixes, and what a
//! comment ignores as suppressed.

use std::fmt::Write as _;

use nebuko::{
    lint::{self, Finding, Fix, Rule},
    yaml::Place,
};
use serde_json::{Value, json};

use super::{Report, lines::Region, word};

/// Gives the document.
pub(super) fn document(report: &Report<'_>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let rules: Vec<_> = lint::rules().iter().map(rule).collect();
    let results: Vec<_> = report.findings.iter().map(|finding| result(report, finding)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "nebuko", "version": version, "semanticVersion": version, "rules": rules } },
            // Columns are counted in characters.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{document}\n")
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "name": in_camels(rule.name),
        "shortDescription": { "text": rule.summary },
        "help": { "text": rule.page, "markdown": rule.page },
        "defaultConfiguration": { "level": word(rule.severity) },
    })
}

fn result(report: &Report<'_>, finding: &Finding) -> Value {
    let hint = if finding.hint.is_empty() { String::new() } else { format!("\n{}", finding.hint) };
    let mut result = json!({
        "ruleId": finding.rule,
        "level": word(finding.severity),
        "message": { "text": format!("{}{hint}", finding.what) },
        "locations": [{ "physicalLocation": location(report, &finding.file, finding.place) }],
        // Where one result has this, all must; an empty list is one that counts.
        "suppressions": finding.ignored.iter().map(|reason| json!({ "kind": "inSource", "justification": reason })).collect::<Vec<_>>(),
    });
    if let Some(index) = lint::rules().iter().position(|rule| rule.id == finding.rule) {
        result["ruleIndex"] = index.into();
    }
    if !finding.labels.is_empty() {
        let related = finding.labels.iter().enumerate().map(|(id, label)| {
            json!({
                "id": id,
                "message": { "text": label.what },
                "physicalLocation": location(report, &label.file, label.place),
            })
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([mending(report, &finding.file, fix)]);
    }
    result
}

fn mending(report: &Report<'_>, file: &str, fix: &Fix) -> Value {
    let lines = report.texts.get(file);
    let replacements = fix.edits.iter().filter_map(|edit| {
        let deleted = lines?.region(edit.start, edit.end);
        Some(json!({ "deletedRegion": place(deleted), "insertedContent": { "text": edit.text } }))
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": artifact(file),
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

fn location(report: &Report<'_>, file: &str, at: Place) -> Value {
    json!({ "artifactLocation": artifact(file), "region": place(report.region(file, at)) })
}

fn place(region: Region) -> Value {
    let Region { line, column, end_line, end_column } = region;
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}

/// Names a file: from the root of the sources, or whole where its path is.
fn artifact(file: &str) -> Value {
    let uri = percent_encoded(file);
    match file.starts_with('/') {
        true => json!({ "uri": format!("file://{uri}") }),
        false => json!({ "uri": uri, "uriBaseId": "%SRCROOT%" }),
    }
}

/// Writes a path as a part of an address (RFC 3986): what is no letter, digit or one of `-._~/` goes as `%XX`.
fn percent_encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            text.push(byte.into());
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Writes `unreachable-step` as `UnreachableStep`, as readers of SARIF expect a name.
fn in_camels(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_an_address() {
        let check = |file: &str, uri: &str| assert_eq!(artifact(file)["uri"], uri, "{file}");
        check(".nebuko/workflows/a.yaml", ".nebuko/workflows/a.yaml");
        check("a b/é#?%.yaml", "a%20b/%C3%A9%23%3F%25.yaml");
        check("c:/a.yaml", "c%3A/a.yaml");
        check("/x/a.yaml", "file:///x/a.yaml");
        check("../a.yaml", "../a.yaml");
    }

    #[test]
    fn a_name_is_written_in_camels() {
        assert_eq!(in_camels("unreachable-step"), "UnreachableStep");
        assert_eq!(in_camels(""), "");
    }
}

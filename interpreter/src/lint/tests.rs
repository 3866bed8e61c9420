//! How findings are shown in each format, on findings made up for it: two files, a fix, an ignored one, strange texts.

use nebuko::{
    lint::{Edit, Fix, Label},
    yaml::Place,
};
use quickcheck::quickcheck;
use serde_json::Value;

use super::{lines::Region, *};

const PARENT: &str = "name: parent\nsteps:\n  - name: é build\n    workflow: part\n    next: null\n";
const PART: &str = "\u{feff}name: part\r\ninputs:\r\n  - name: command\r\n    kind: exec\r\n";

fn place(text: &str, piece: &str) -> Place {
    let start = text.find(piece).expect("the piece is in the text");
    let region = Lines::of(text).region(start, start + piece.len());
    Place { line: region.line, column: region.column, start, end: start + piece.len() }
}

fn finding(rule: &'static str, file: &str, place: Place, what: &str) -> Finding {
    Finding {
        rule,
        severity: nebuko::lint::rule(rule).expect("a rule").severity,
        file: file.into(),
        place,
        what: what.into(),
        hint: String::new(),
        labels: Vec::new(),
        fix: None,
        ignored: None,
    }
}

/// An error with a place in another file and a fix, a warning, an ignored error, and a file without a text.
fn findings() -> Vec<Finding> {
    let end = PARENT.find("    next").expect("it is there");
    let unbound = Finding {
        hint: "bind it under `inputs:`".into(),
        labels: vec![
            Label { file: "flows/part.yaml".into(), place: place(PART, "command"), what: "declared here".into() },
            Label { file: "flows/parent.yaml".into(), place: place(PARENT, "é build"), what: "of this step".into() },
        ],
        fix: Some(Fix {
            title: "bind `command`".into(),
            edits: vec![Edit { start: end, end, text: "    inputs: {command: command}\n".into() }],
        }),
        ..finding("L8", "flows/parent.yaml", place(PARENT, "part\n"), "`part` needs `command`")
    };
    let ignored =
        Finding { ignored: Some("known".into()), ..finding("L5", "flows/part.yaml", place(PART, "part"), "x") };
    let unread = Place { line: 4, column: 13, ..Place::default() };
    vec![
        unbound,
        finding(
            "L11",
            "flows/parent.yaml",
            place(PARENT, "é build\n    workflow: part"),
            "no 100% catch-all:\n\u{1b}[2J,",
        ),
        ignored,
        finding("L22", "flows/a b,c.yaml", unread, "here it is not UTF-8"),
    ]
}

fn report(findings: &[Finding]) -> Report<'_> {
    let texts = [("flows/parent.yaml", PARENT), ("flows/part.yaml", PART)];
    Report {
        findings,
        texts: texts.map(|(file, text)| (file, Lines::of(text))).into(),
        settings: [].into(),
        files: 3,
        mended: None,
    }
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn people_see_lines_of_every_file_and_the_change() {
    let expected = "\
error[L8]: `part` needs `command`
 --> flows/parent.yaml:4:15
  |
3 |   - name: é build
  |           ------- of this step
4 |     workflow: part
  |               ^^^^
  |
 ::: flows/part.yaml:3:11
  |
3 |   - name: command
  |           ------- declared here
  |
  = help: bind it under `inputs:`
fix: bind `command`
  |
5 +     inputs: {command: command}
  |

warning[L11]: no 100% catch-all: \u{fffd}[2J,
 --> flows/parent.yaml:3:11
  |
3 |   - name: é build
  |           ^^^^^^^

error[L22]: here it is not UTF-8
--> flows/a b,c.yaml:4:13

";
    similar_asserts::assert_eq!(plain(&report(&findings()).human()), expected);
}

#[test]
fn lines_that_nobody_wrote_are_not_shown() {
    let long = format!("name: long\n# {}\n", "x".repeat(3_000));
    let end = long.len() - 1;
    let place = |start, end| Lines::of(&long).region(start, end);
    let (region, label) = (place(end - 1, end), place(6, 10));
    let at = |region: Region, start, end| Place { line: region.line, column: region.column, start, end };
    let findings = [Finding {
        labels: vec![Label { file: "long.yaml".into(), place: at(label, 6, 10), what: "of this".into() }],
        fix: Some(Fix { title: "leave it out".into(), edits: vec![Edit { start: end - 1, end, text: String::new() }] }),
        ..finding("L5", "long.yaml", at(region, end - 1, end), "too long")
    }];
    let texts = [("long.yaml", Lines::of(&long))].into();
    let report = Report { findings: &findings, texts, settings: [].into(), files: 1, mended: None };
    let expected = "\
error[L5]: too long
--> long.yaml:2:3002
 = note: long.yaml:1:7: of this
 = fix: leave it out

";
    similar_asserts::assert_eq!(plain(&report.human()), expected);
}

#[test]
fn the_summary_counts_and_says_what_to_do() {
    let check = |findings: &[Finding], mended: Option<usize>, expected: &str| {
        let report = Report { mended, ..report(findings) };
        assert_eq!(plain(&report.summary()), expected);
    };
    check(&[], None, "3 files looked at: no findings\n");
    check(&[], Some(1), "mended 1 finding; 3 files looked at: no findings\n");
    let all = findings();
    check(&all[2..3], None, "3 files looked at: 1 ignored finding\n");
    let tells = "`nebuko lint --explain L8` tells more about a rule\n";
    let mends = "`nebuko lint --fix` mends 1 of them, with --dry-run it shows how\n";
    let counts = "2 errors, 1 warning, 1 ignored finding\n";
    check(&all, None, &format!("3 files looked at: {counts}{mends}{tells}"));
    check(&all, Some(2), &format!("mended 2 findings; 3 files looked at: {counts}{tells}"));
}

#[test]
fn a_document_has_places_in_characters_and_bytes() {
    let document: Value = serde_json::from_str(&report(&findings()).json(None)).expect("one document");
    let summary = serde_json::json!({ "files": 3, "errors": 2, "warnings": 1, "ignored": 1, "fixable": 1 });
    assert_eq!((&document["version"], &document["summary"]), (&1.into(), &summary));
    let first = &document["findings"][0];
    let start = PARENT.find("part\n").expect("it is there");
    let expected = serde_json::json!({
        "rule": "L8", "name": name_of("L8"), "severity": "error", "file": "flows/parent.yaml",
        "line": 4, "column": 15, "end_line": 5, "end_column": 1, "start": start, "end": start + 5,
        "what": "`part` needs `command`", "hint": "bind it under `inputs:`",
        "labels": first["labels"], "fix": first["fix"], "ignored": null,
    });
    assert_eq!(*first, expected);
    let label = &first["labels"][0];
    assert_eq!((&label["file"], &label["line"], &label["column"]), (&"flows/part.yaml".into(), &3.into(), &11.into()));
    assert_eq!((&label["end_column"], &label["what"]), (&18.into(), &"declared here".into()));
    assert_eq!(first["fix"]["edits"][0]["text"], "    inputs: {command: command}\n");
    assert_eq!(document["findings"][2]["ignored"], "known");
    assert_eq!(document["findings"][3]["end_column"], 13, "without a text it has no length");
}

#[test]
fn annotations_stay_on_their_lines() {
    let found = report(&findings()).github();
    let expected = format!(
        "::error file=flows/parent.yaml,line=4,endLine=5,title=L8 {}::`part` needs `command`%0Ahelp: bind it under \
         `inputs:`%0Aflows/part.yaml:3:11: declared here%0Aflows/parent.yaml:3:11: of this step\n\
         ::warning file=flows/parent.yaml,line=3,endLine=4,title=L11 {}::no 100%25 catch-all:%0A\u{1b}[2J,\n\
         ::error file=flows/a b%2Cc.yaml,line=4,endLine=4,col=13,endColumn=13,title=L22 {}::here it is not UTF-8\n",
        name_of("L8"),
        name_of("L11"),
        name_of("L22"),
    );
    similar_asserts::assert_eq!(found, expected);
}

#[test]
fn code_scanning_gets_regions_fixes_and_what_is_suppressed() {
    let document: Value = serde_json::from_str(&report(&findings()).sarif()).expect("one document");
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("the rules");
    assert_eq!(rules.len(), nebuko::lint::rules().len());
    assert!(rules.iter().all(|rule| rule.get("helpUri").is_none()), "no page of ours has an address");
    let results = run["results"].as_array().expect("the results");
    for (result, level) in results.iter().zip(["error", "warning", "error", "error"]) {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("a small number");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(result["level"], level);
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    }
    let first = &results[0];
    let region = serde_json::json!({ "startLine": 4, "startColumn": 15, "endLine": 5, "endColumn": 1 });
    assert_eq!(first["locations"][0]["physicalLocation"]["region"], region);
    let related = &first["relatedLocations"][0];
    assert_eq!(related["physicalLocation"]["artifactLocation"]["uri"], "flows/part.yaml");
    let mending = &first["fixes"][0]["artifactChanges"][0]["replacements"][0];
    let insertion = serde_json::json!({ "startLine": 5, "startColumn": 1, "endLine": 5, "endColumn": 1 });
    assert_eq!(mending["deletedRegion"], insertion);
    assert_eq!(mending["insertedContent"]["text"], "    inputs: {command: command}\n");
    assert_eq!(first["suppressions"], serde_json::json!([]));
    let suppressed = serde_json::json!([{ "kind": "inSource", "justification": "known" }]);
    assert_eq!(results[2]["suppressions"], suppressed);
    assert_eq!(results[3]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "flows/a%20b%2Cc.yaml");
}

quickcheck! {
    /// Places come from the rules, and a wrong one must not take the command with it.
    fn no_place_in_any_text_panics(text: String, own: (u8, u8), label: (u8, u8), edit: (u8, u8, String)) -> bool {
        let text = text.replace('a', "\r\n").replace('b', "\u{feff}").replace('c', "日本").replace('d', "\n");
        let place = |(start, end): (u8, u8)| Place { line: 1, column: 1, start: start.into(), end: end.into() };
        let edits = vec![Edit { start: edit.0.into(), end: edit.1.into(), text: edit.2 }];
        let findings = [Finding {
            labels: vec![Label { file: "x.yaml".into(), place: place(label), what: text.clone() }],
            fix: Some(Fix { title: text.clone(), edits }),
            ..finding("L5", "x.yaml", place(own), &text)
        }];
        let texts = [("x.yaml", Lines::of(&text))].into();
        let report = Report { findings: &findings, texts, settings: [].into(), files: 1, mended: None };
        let shown = [report.human(), report.json(None), report.sarif()].iter().all(|shown| shown.contains("L5"));
        shown && report.github().lines().count() == 1
    }
}

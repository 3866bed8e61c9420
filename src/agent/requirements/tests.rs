use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::*;
use crate::props;

const LEDGER: &str = "\
| ID | kind | statement | source | origin |
|----|------|-----------|--------|--------|
| R1 | requirement | Tabs survive a paste. | the issue | explicit |
| R3 | requirement | Undo takes one step. | comment 7 | inferred |
| K1 | constraint | No new package. | comment 8 | explicit |
| NG1 | non-goal | Spreadsheets. | the issue | explicit |
| Q1 | quality | Small diffs. | the issue | inferred |
";

fn ids(ledger: Option<&Ledger>) -> Option<String> {
    ledger.map(|ledger| listed(&ledger.entries.keys().copied().collect::<Vec<_>>()))
}

#[test]
fn an_id_is_a_kind_and_a_number() {
    let check = |text: &str, id: Option<&str>| {
        assert_eq!(Id::parse(text).map(|id| id.to_string()).as_deref(), id, "{text:?}");
    };
    check("R1", Some("R1"));
    check("k12", Some("K12"));
    check("Ng2", Some("NG2"));
    check("Q04", Some("Q4"));
    check("R0", Some("R0"));
    check("R", None);
    check("7", None);
    check("X1", None);
    check("R1a", None);
    check("R-1", None);
    check("R1.2", None);
    check("RR1", None);
    check("R9999999", None);
    check("R٣", None);
    check("", None);
}

#[test]
fn ids_stand_in_the_order_of_the_contract() {
    let mut ids: Vec<Id> = ["Q1", "K1", "R10", "NG1", "R3", "K0"].into_iter().filter_map(Id::parse).collect();
    ids.sort_unstable();
    assert_eq!(listed(&ids), "R3, R10, K0, K1, NG1, Q1");
}

#[test]
fn a_ledger_is_read_however_it_is_dressed() {
    let check = |text: &str, found: Option<&str>, inferred: usize| {
        for end in ["\n", "\r\n", "\r"] {
            let ledger = ledger(&text.replace('\n', end));
            assert_eq!(ids(ledger.as_ref()).as_deref(), found, "{text:?}");
            assert_eq!(ledger.map(|ledger| ledger.inferred()).unwrap_or_default(), inferred, "{text:?}");
        }
    };
    check(LEDGER, Some("R1, R3, K1, NG1, Q1"), 2);
    check("| Origin | **id** | Statement |\n|---|:-:|---|\n| Inferred | `r2` | a \\| b |\n", Some("R2"), 1);
    check("ID | statement\n--|--\n[K1](#k1) | x\n**R1** | y\n", Some("R1, K1"), 0);
    check("| ID | statement |\n|--|--|\n| ~~R1~~ | gone |\n| R2 | y |\n", Some("R2"), 0);
    check("| ID |\n|--|\n| R1 |\n\nand\n\n| ID |\n|--|\n| K1 |\n", Some("R1, K1"), 0);
    check("| ID | statement |\n|--|--|\n", Some(""), 0);
    check("| ID | statement |\n|--|--|\n| REQ-1 | x |\n", None, 0);
    check("| name | statement |\n|--|--|\n| R1 | x |\n", None, 0);
    check("- R1: tabs survive\n", None, 0);
    check("```\n| ID |\n|--|\n| R1 |\n```\n", None, 0);
    check("> | ID |\n> |--|\n> | R1 |\n", None, 0);
    check("", None, 0);
}

#[test]
fn what_is_odd_about_a_ledger_is_told() {
    let check = |rows: &str, notes: &[&str]| {
        let text = format!("| ID | statement | origin |\n|--|--|--|\n{rows}");
        assert_eq!(ledger(&text).map(|ledger| ledger.notes).unwrap_or_default(), notes, "{rows:?}");
    };
    check("| R1 | x | explicit |\n| R2 | y | confirmed |\n| R3 | z | |\n", &[]);
    check("| R1 | x | explicit |\n| r1 | y | inferred |\n", &["R1 stands there twice; its first row counts"]);
    check("| R1 | x | explicit |\n| X1 | y | explicit |\n", &["\"X1\" is no ID such as R1, K1, NG1 or Q1"]);
    check("| R1 | | explicit |\n", &["R1 has no statement"]);
    let odd = "R1 has the origin \"guess\", which is neither explicit nor inferred";
    check("| R1 | x | guess |\n", &[odd]);
    let many: String = (0..30).map(|at| format!("| X{at} | x | explicit |\n")).collect();
    let found = ledger(&format!("| ID | statement | origin |\n|--|--|--|\n| R1 | x | explicit |\n{many}"));
    assert_eq!(found.map(|ledger| ledger.notes.len()), Some(NOTES_MAX));
}

#[test]
fn requirements_and_constraints_have_to_be_covered_or_deferred_with_a_reason() {
    let in_force = ledger(LEDGER).expect("it is a ledger");
    let check = |rows: &str, missing: &str| {
        let text = format!("| ID | covered by | verified by |\n|--|--|--|\n{rows}");
        assert_eq!(listed(&in_force.missing(&coverage(&text, &in_force))), missing, "{rows:?}");
    };
    let rest = "| R3 | step 2 | a test |\n| K1 | step 1 | review |\n";
    check(&format!("| R1 | step 1 | tabs_survive |\n{rest}"), "");
    check("| R1 | step 1 | tabs_survive |\n", "R3, K1");
    check("", "R1, R3, K1");
    check(&format!("| R1 | deferred: needs another release | |\n{rest}"), "");
    check(&format!("| R1 | | **Deferred:** needs another release |\n{rest}"), "");
    check(&format!("| R1 | deferred: | test |\n{rest}"), "R1");
    check(&format!("| R1 | deferred | test |\n{rest}"), "R1");
    check(&format!("| R1 | deferred: tbd | |\n{rest}"), "R1");
    check(&format!("| R1 | deferred loading, step 2 | |\n{rest}"), "");
    check(&format!("| R1 | | tabs_survive |\n{rest}"), "R1");
    check(&format!("| R1 | — | tabs_survive |\n{rest}"), "R1");
    check("| R1, R3 and K1 | step 1 | test |\n", "");
    check("| R1/R3 | step 1 | test |\n| **k1** | `a \\| b` | |\n", "");
    check("| R1-R3 | step 1 | test |\n| K1 | step 1 | |\n", "R1, R3");
    // Nothing else is asked for.
    check(&format!("| R1 | step 1 | t |\n{rest}| NG1 | not violated | |\n"), "");
    let without_columns = "| ID | step |\n|--|--|\n| R1 | 1 |\n| R3 | |\n| K1 | 2 |\n";
    assert_eq!(listed(&in_force.missing(&coverage(without_columns, &in_force))), "R3");
    assert_eq!(listed(&in_force.missing(&coverage("R1: step 1", &in_force))), "R1, R3, K1");
}

#[test]
fn what_is_odd_about_a_coverage_is_told() {
    let in_force = ledger(LEDGER).expect("it is a ledger");
    let check = |row: &str, note: &str| {
        let text = format!("| ID | covered by |\n|--|--|\n{row}");
        assert_eq!(coverage(&text, &in_force).notes, [note], "{row:?}");
    };
    check("| R9 | step 1 |\n", "R9 is not in the ledger");
    check("| one | step 1 |\n", "\"one\" is no ID of the ledger");
    check("| R1 | deferred: |\n", "R1 is deferred without a reason");
    check("| R1 | |\n", "R1 has a row that says nothing");
}

#[test]
fn no_text_makes_the_reader_panic_or_asks_for_what_is_not_there() {
    let mut g = quickcheck::Gen::new(20);
    for _ in 0..2_000 {
        let mut row = || (0..4).map(|_| format!("| {} ", props::text(&mut g))).collect::<String>();
        let (first, second) = (row(), row());
        let text = format!("| ID | a | b | origin |\n|--|--|--|--|\n| R1 | x |\n{first}\n{second}\n| K1 | y |\n");
        for text in [&text, &first, &text.replace("| ID |", &second)] {
            let Some(in_force) = ledger(text) else { continue };
            let found = coverage(text, &in_force);
            assert!(found.settled.iter().all(|id| in_force.entries.contains_key(id)), "{text:?}");
            assert!(in_force.missing(&found).iter().all(|id| id.is_enforced()), "{text:?}");
        }
    }
}

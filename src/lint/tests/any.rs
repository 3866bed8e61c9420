//! Any file: whatever somebody writes, lint comes to its end, and every place and fix is one of the file.

use quickcheck::{Arbitrary, Gen};

use super::*;
use crate::props::{HOSTILE, text};

/// Pieces that mean something to lint.
const PIECES: [&str; 16] = [
    "  - name: x\n",
    "    agent: dev\n",
    "    human_gate: true\n",
    "    workflow: b\n",
    "    script: {command: bash, args: [-c, $TRIGGER_BODY], timeout_minutes: 99}\n",
    "    conditions: [{on_result: default, next: x}, {on_result: fail, next: null}]\n",
    "    inputs: {a: input.b, c: x, d: {exec: [sh, -c, x]}}\n",
    "    prompt: |\n      {{ x }}\n",
    "    next: x\n",
    "    skill: [a, {inject: [b]}]\n",
    "    nxet: x\n",
    "# nebuko: ignore[L12, L5,, é] because\n",
    " # nebuko: ignore[",
    "inputs: [{name: b, kind: str}]\n",
    "&a ",
    "*a",
];

fn any_file(g: &mut Gen) -> String {
    let count = usize::arbitrary(g) % 24;
    (0..count).fold(String::from("name: a\nsteps:\n  - name: x\n"), |file, _| match u8::arbitrary(g) % 12 {
        0 => file + &text(g),
        1 => file + g.choose(&HOSTILE).expect("there are some"),
        2 => file.chars().skip(1 + usize::arbitrary(g) % 3).collect(),
        _ => file + g.choose(&PIECES).expect("there are some"),
    })
}

#[test]
fn any_file_gives_findings_in_order_with_places_and_fixes_inside_it() {
    let mut fixes = 0;
    for seed in 0..3_000 {
        let g = &mut Gen::from_size_and_seed(20, seed);
        let (a, b) = (any_file(g), any_file(g));
        let found = lint(&[("a.yaml", &a), ("b.yaml", &b)]);
        assert!(found.is_sorted_by_key(|finding| (finding.file.clone(), finding.place.line, finding.place.column)));
        let text_of = |file: &str| if file == "a.yaml" { &a } else { &b };
        for finding in &found {
            let text = text_of(&finding.file);
            let is_inside = |place: Place| text.get(place.start..place.end).is_some() && place.line > 0;
            assert!(is_inside(finding.place) && rule(finding.rule).is_some(), "seed {seed}: {finding:?}\n{a}\n{b}");
            for label in &finding.labels {
                let inside = text_of(&label.file).get(label.place.start..label.place.end);
                assert!(inside.is_some(), "seed {seed}: {finding:?}\n{a}\n{b}");
            }
            let Some(fix) = &finding.fix else { continue };
            // What is mended can show other things that were not told before.
            let count =
                |text: &str| lint(&[(&finding.file, text)]).iter().filter(|other| other.rule == finding.rule).count();
            let (before, after) = (count(text), count(&mended(text, fix)));
            assert!(after < before, "seed {seed}: {fix:?} leaves {after} of {before}\n{text}");
            fixes += 1;
        }
    }
    assert!(fixes > 100, "only {fixes} fixes were made");
}

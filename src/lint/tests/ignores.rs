//! Comments that ignore findings: where they count, what they need, and what is left of them when they are idle.

use super::*;

/// A script without a route for its failure: L12 at its name.
const STEP: &str = "name: a\nsteps:\n  - name: x\n    script: {command: make}\n    next: null\n";

/// Tells for each finding its rule, and whether a comment ignores it.
fn check(text: &str, expected: &[(&str, bool)]) -> Vec<Finding> {
    let found = lint(&[("a.yaml", text)]);
    let seen: Vec<_> = found.iter().map(|finding| (finding.rule, finding.ignored.is_some())).collect();
    assert_eq!(seen, expected, "{text}\n{found:#?}");
    found
}

fn beside(comment: &str) -> String {
    STEP.replace("name: x", &format!("name: x {comment}"))
}

fn above(comments: &str) -> String {
    STEP.replace("  - name: x", &format!("{comments}\n  - name: x"))
}

#[test]
fn a_comment_counts_on_its_line_or_alone_on_the_line_before() {
    check(STEP, &[("L12", false)]);
    for comment in ["# nebuko: ignore[L12] why", "#nebuko:ignore[ l12 ]why", "# nebuko: ignore[no-fail-route, L12] why"]
    {
        let found = check(&beside(comment), &[("L12", true)]);
        assert_eq!(found[0].ignored.as_deref(), Some("why"));
        check(&above(comment), &[("L12", true)]);
        check(&above(&format!("  {comment}\n  # more words")), &[("L12", true)]);
    }
    check(&above("# nebuko: ignore[L12] why").replace('\n', "\r\n"), &[("L12", true)]);
    check(&above("# nebuko: ignore[L11] one\n# nebuko: ignore[L12] two"), &[("L21", false), ("L12", true)]);
    check(&above("# nebuko: ignore[L12] why\n"), &[("L21", false), ("L12", false)]);
    let behind = STEP.replace("make}", "make} # nebuko: ignore[L12] why");
    check(&behind, &[("L12", false), ("L21", false)]);
}

#[test]
fn what_stands_in_a_text_is_no_comment() {
    let words = "# nebuko: ignore[L12] why";
    check(&STEP.replace("make", &format!("'make {words}'")), &[("L12", false), ("L26", false)]);
    check(&STEP.replace("name: a", &format!("name: a\ndescription: |\n  {words}")), &[("L12", false)]);
    check(&STEP.replace("name: a", "name: a\ndescription: a#nebuko:ignore[L12]"), &[("L12", false)]);
    check(&beside("# not nebuko: ignore[L12] why"), &[("L12", false)]);
    check(&beside("# nebuko: runs the tests"), &[("L12", false)]);
    // The first line of a block and the line behind its last are no text.
    let block = "  - name: x\n    script: {command: make}\n    next: y\n  - name: y\n    agent: dev\n    prompt: |";
    let steps = |rest: &str| format!("name: a\nsteps:\n{block}{rest}\n");
    check(&steps(" # nebuko: ignore[L5] why\n      words"), &[("L12", false), ("L21", false)]);
    check(
        &steps("\n      words\n  # nebuko: ignore[L12] why\n  - {name: z, script: {command: make}}"),
        &[("L12", false), ("L5", false), ("L12", true)],
    );
}

#[test]
fn a_comment_says_which_rule_and_why() {
    check(&beside("# nebuko: ignore[L12]"), &[("L12", false), ("L21", false)]);
    check(&beside("# nebuko: ignore[] why"), &[("L12", false), ("L21", false)]);
    check(&beside("# nebuko: ignore L12 why"), &[("L12", false), ("L21", false)]);
    check(&beside("# nebuko: ignore[L12 why"), &[("L12", false), ("L21", false)]);
    let found = check(&beside("# nebuko: ignore[no-fail-rout] why"), &[("L12", false), ("L21", false)]);
    assert_eq!(found[1].hint, "did you mean `no-fail-route`?");
    check(&beside("# nebuko: ignore[L12, L99] why"), &[("L12", true), ("L21", false)]);
    let found = check(&beside("# nebuko: ignore[L12, L2] why"), &[("L12", true), ("L21", false)]);
    assert_eq!(found[1].what, "L2 cannot be ignored");
    check(&beside("# nebuko: ignore[L21] why"), &[("L12", false), ("L21", false)]);
}

/// A run refuses these whatever a comment says, so that lint says it too.
#[test]
fn what_a_run_refuses_is_not_ignored() {
    let text = STEP.replace("next: null", "next: gone # nebuko: ignore[L2, L12] why");
    // Whether the other name is idle is told once the file has no such mistake: it may keep a rule from being looked at.
    check(&text, &[("L12", false), ("L2", false), ("L21", false)]);
    for rule in ["L4", "L17", "L18"] {
        let found = lint(&[("a.yaml", &beside(&format!("# nebuko: ignore[{rule}] why")))]);
        assert!(found.iter().any(|finding| finding.what == format!("{rule} cannot be ignored")), "{found:#?}");
    }
}

/// A rule that was not looked at because of another mistake makes no comment idle.
#[test]
fn a_comment_is_not_idle_while_its_rule_waits() {
    let text = "name: a\nsteps:\n  - name: x\n    agent: dev\n    nxt: null\n  - name: y # nebuko: ignore[L5] people start it\n    agent: dev\n    next: null\n";
    check(text, &[("L19", false)]);
    check(&text.replace("nxt", "next"), &[("L5", true)]);
}

/// A comment in the wrong line is not taken out: it is wanted elsewhere.
#[test]
fn a_comment_in_the_wrong_line_is_told_where_it_belongs() {
    let found = lint(&[("a.yaml", &STEP.replace("make}", "make} # nebuko: ignore[L12] why"))]);
    let told = found.iter().find(|finding| finding.rule == "L21").expect("it ignores nothing");
    assert!(told.fix.is_none() && told.hint.starts_with("move it to line 3"), "{told:#?}");
}

#[test]
fn an_idle_comment_is_taken_out_and_nothing_else() {
    let check = |text: &str, left: &str| {
        let found = lint(&[("a.yaml", text)]);
        let fix = found.iter().find_map(|finding| finding.fix.as_ref()).expect("it is idle");
        assert_eq!(mended(text, fix), left, "{found:#?}");
    };
    check(&STEP.replace("next: null", "next: null  # nebuko: ignore[L11] why"), STEP);
    check(&STEP.replace("    next", "    # nebuko: ignore[L11] why\n    next"), STEP);
    check(&format!("{STEP}# nebuko: ignore[L11] why"), STEP);
    check(&STEP.replace("    next", "\t# nebuko: ignore[L11] why\r\n    next"), STEP);
    check(&beside("# nebuko: ignore[L11, L12,L5] why"), &beside("# nebuko: ignore[L12] why"));
    check(&beside("# nebuko: ignore[L11, L12, L99] why"), &beside("# nebuko: ignore[L12, L99] why"));
}

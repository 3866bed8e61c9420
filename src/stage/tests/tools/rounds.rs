//! Turn after turn: what is taken, what is asked again, and when it is enough.

use super::*;

#[test]
fn a_report_is_not_taken_beside_a_call_that_came_to_an_error() {
    let report = |text: &str| ("finish", json!({"report": text}));
    let check = |other: (&str, Value), told: &str| {
        for turn in [[report("Early."), other.clone()], [other.clone(), report("Early.")]] {
            let mut forge = asked(&[calls(&turn), done()]);
            forge.done = [found(false, "old stands nowhere")].into();
            let played = forge.play(able(), woken_by(10));
            assert_eq!((forge.prompts.len(), played.report.reason), (2, Reason::AgentHold), "{turn:?}");
            assert!(played.report.posted[0].body.contains("Done."), "{turn:?}");
            let results = results(&forge);
            assert!(results.iter().any(|(_, text)| text.starts_with("error: this report is not taken")), "{results:?}");
            assert!(results.iter().any(|(_, text)| text.contains(told)), "{results:?}");
        }
    };
    check(("dispatch_next", json!({"status": "hold", "why": "unsafe"})), "unknown field `why`");
    check(("call_agent", json!({})), "error: ");
    check(("write_file", json!({"path": "a"})), "write_file needs text");
    check(("apply_edit", json!({"path": "a", "old": "b", "new": "c"})), "old stands nowhere");
    check(("no_such", json!({})), "there is no tool no_such");
    // Of two reports the newest counts, also where it is refused.
    let mut forge = asked(&[calls(&[report("First."), report(" ")]), calls(&[report("Then.")])]);
    let played = forge.play(able(), woken_by(10));
    assert!(played.report.posted[0].body.contains("Then."), "{}", played.report.posted[0].body);
    let mut forge = asked(&[calls(&[report("First."), report("Second.")])]);
    let played = forge.play(able(), woken_by(10));
    assert!(played.report.posted[0].body.contains("Second."), "{}", played.report.posted[0].body);
}

#[test]
fn a_turn_that_was_cut_does_nothing() {
    // Fault kind 7.2: the arguments parse by luck.
    let cut = turn(
        "length",
        &[("write_file", json!("{\"path\":\"README.md\",\"text\":\"# Ti\"}")), ("list_files", json!({}))],
    );
    let mut forge = asked(&[cut.clone(), done()]);
    let played = forge.play(able(), woken_by(10));
    assert_eq!((forge.uses.len(), played.report.outcome), (0, RunOutcome::Held));
    let told = results(&forge);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|(_, text)| text.contains("cut by the output limit")), "{told:?}");
    let mut forge = asked(&[cut.clone(), cut.clone(), cut]);
    let played = forge.play(able(), woken_by(10));
    assert_eq!((forge.uses.len(), played.report.reason), (0, Reason::AgentFailed));
    assert!(played.report.detail.contains("output limit"), "{}", played.report.detail);
}

#[test]
fn wrong_calls_in_a_row_are_bounded_and_good_ones_start_anew() {
    let (bad, good) = (calls(&[("read_file", json!({}))]), calls(&[("list_files", json!({}))]));
    let check = |turns: &[&String], reason: Reason| {
        let mut answers: Vec<String> = turns.iter().map(ToString::to_string).collect();
        answers.push(done());
        assert_eq!(asked(&answers).play(able(), woken_by(10)).report.reason, reason, "{turns:?}");
    };
    check(&[&bad, &bad, &bad], Reason::AgentHold);
    check(&[&bad, &bad, &bad, &bad], Reason::AgentFailed);
    check(&[&bad, &bad, &bad, &good, &bad, &bad, &bad], Reason::AgentHold);
    // What a file says is no wrong call: who looks for one may miss it as often as there are turns.
    let mut forge = asked(&[good.clone(), good.clone(), good.clone(), good.clone(), done()]);
    forge.done = (0..4).map(|_| found(false, "no such file")).collect();
    let played = forge.play(able(), woken_by(10));
    assert_eq!((played.report.reason, metrics(&played).1), (Reason::AgentHold, 4.0 / 6.0));
}

#[test]
fn cut_and_empty_answers_are_counted_in_a_row() {
    let work = calls(&[("list_files", json!({}))]);
    let cut = turn("length", &[]);
    let nothing = turn("stop", &[]);
    let check = |answers: &[&String], reason: Reason, part: &str| {
        let mut answers: Vec<String> = answers.iter().map(ToString::to_string).collect();
        answers.push(done());
        let played = asked(&answers).play(able(), woken_by(10));
        assert_eq!(played.report.reason, reason, "{answers:?}");
        assert!(played.report.detail.contains(part), "{}", played.report.detail);
    };
    check(&[&work, &cut, &work, &cut, &work, &cut, &work], Reason::AgentHold, "");
    check(&[&work, &cut, &cut, &work, &cut, &cut], Reason::AgentHold, "");
    check(&[&work, &cut, &cut, &cut], Reason::AgentFailed, "output limit");
    check(&[&nothing, &work, &nothing, &work, &nothing, &work], Reason::AgentHold, "");
    check(&[&nothing, &nothing, &nothing], Reason::AgentFailed, "empty answer");
}

#[test]
fn who_only_looks_comes_to_an_end_too() {
    let mut setup = able();
    setup.settings.limits.step_turns = 3;
    let look = calls(&[("list_files", json!({}))]);
    let mut forge = asked(&[look.clone(), look.clone(), look.clone(), look]);
    let played = forge.play(setup, woken_by(10));
    assert_eq!((forge.prompts.len(), forge.uses.len(), played.report.reason), (3, 3, Reason::AgentFailed));
    assert!(played.report.detail.contains("no report after 3 turns"), "{}", played.report.detail);
}

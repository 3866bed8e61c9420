//! Runs that meet: two at once, one that was killed, one that finds its own late post.

use alloc::{format, vec::Vec};

use super::{
    asked, copies,
    forge::{Fault, Forge, comment, setup},
    hold_after, woken_by,
};
use crate::report::{Reason, RunOutcome};

#[test]
fn a_run_that_was_overtaken_posts_nothing() {
    let mut forge = asked();
    let mut rival = asked();
    rival.play(setup(), woken_by(10));
    let state = rival.thread.comments.last().cloned().expect("the rival posted");
    forge.arrives = Some((2, state));
    let played = forge.play(setup(), woken_by(10));
    assert_eq!((played.report.outcome, played.report.reason), (RunOutcome::Superseded, Reason::StateMoved));
    assert!(played.report.posted.is_empty());
    assert!(played.report.unposted[0].starts_with("Fixed."), "{:?}", played.report.unposted);
}

#[test]
fn of_two_states_of_one_number_the_lower_comment_wins_and_the_other_says_so() {
    let mut forge = asked();
    forge.faults.push_back(Some(Fault::RivalFirst));
    let played = forge.play(setup(), woken_by(10));
    assert_eq!(played.report.outcome, RunOutcome::Superseded);
    let loser = forge.thread.comments.last().expect("it was posted");
    assert!(loser.body.contains("Comment 1001 counts"), "{}", loser.body);
    assert!(!loser.body.contains("WORKFLOW_STATE"), "{}", loser.body);
    assert!(loser.body.contains("Fixed."), "{}", loser.body);
}

#[test]
fn a_post_that_comes_to_light_late_is_the_runs_own() {
    let mut forge = asked();
    forge.faults.push_back(Some(Fault::StoredAndHidden));
    let report = forge.play(setup(), woken_by(10)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Held, Reason::AgentHold));
    let states = copies(&forge, "WORKFLOW_STATE_START");
    assert_eq!(states, 1, "the second copy has no state");
    let ids = report.state.and_then(|state| state.history.last().map(|entry| entry.comment_ids.clone()));
    assert_eq!(ids, Some(Vec::from([1_001])));
    assert!(forge.thread.comments.iter().any(|comment| comment.body.contains("posted twice")));
}

#[test]
fn a_run_that_was_killed_between_parts_leaves_them_to_the_next() {
    let long = "word ".repeat(30_000);
    let ask = comment(10, "dana", "@@dev fix it");
    let mut forge = Forge::new(Vec::from([ask.clone()])).answering(&[hold_after(&long)]);
    forge.play(setup(), woken_by(10));
    let parts = forge.thread.comments.len() - 1;
    assert!(parts >= 3, "{parts}");
    forge.thread.comments.truncate(1 + parts - 1);
    forge.answers = Forge::new(Vec::new()).answering(&[hold_after(&long)]).answers;
    let report = forge.play(setup(), woken_by(10)).report;
    assert_eq!(report.outcome, RunOutcome::Held);
    assert_eq!(forge.thread.comments.len(), 1 + parts, "no part is there twice");
    assert_eq!(report.posted.len(), parts, "what was left is reported with the rest");
}

#[test]
fn an_engine_that_learns_its_account_is_not_measured_against_older_states() {
    let mut forge = asked();
    forge.play(setup(), woken_by(10));
    let asked_again = forge.thread.newest_id() + 1;
    forge.thread.merge(Vec::from([comment(asked_again, "dana", "@@review look")]));
    forge.answers = Forge::new(Vec::new()).answering(&[hold_after("Looked.")]).answers;
    let viewer = forge.viewer.take();
    // The post comes back under the account that nobody told before.
    forge.posts_as = viewer;
    let report = forge.play(setup(), woken_by(asked_again)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Held, Reason::AgentHold));
    assert!(!copies_of_note(&forge), "nobody gives way");
}

fn copies_of_note(forge: &Forge) -> bool {
    forge.thread.comments.iter().any(|comment| comment.body.contains("Two runs worked"))
}

#[test]
fn every_part_of_the_losing_comment_says_so() {
    let long = "word ".repeat(30_000);
    let ask = comment(10, "dana", "@@dev fix it");
    let mut rival = Forge::new(Vec::from([ask.clone()])).answering(&[hold_after(&format!("First. {long}"))]);
    rival.play(setup(), woken_by(10));
    let state = rival.thread.comments.pop().expect("the rival posted its state");
    // The other run's last part stands below ours, and is seen only after our post.
    let mut forge = Forge::new(Vec::from([ask])).answering(&[hold_after(&long)]);
    forge.arrives = Some((3, crate::snapshot::Comment { id: 500, ..state }));
    let report = forge.play(setup(), woken_by(10)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Superseded, Reason::StateMoved));
    let losing = report.posted.iter().map(|posted| forge.thread.comment(posted.id).expect("it is there"));
    for part in losing {
        assert!(part.body.contains("Comment 500 counts"), "{}", &part.body[..200]);
        assert!(!part.body.contains("bot-agent-"), "no agent is shown it");
    }
}

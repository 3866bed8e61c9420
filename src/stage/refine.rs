//! Rounds of issue refinement: the marker that counts them, written and read by the engine (reference: Bot Marker
//! Conventions, `po-agent-state`).

use alloc::{format, string::String};

use crate::{
    agent::Said,
    dispatch::Status,
    markdown,
    stage::{Known, Scene, Start},
    workflow::Move,
};

/// The role whose comments carry the marker.
const ROLE: &str = "po";
/// The status of a round after which a new refinement begins.
const DONE: &str = "done";

/// One round of refinement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Round {
    /// Its number, from 1.
    pub(crate) number: u32,
    /// `open`: it goes on; `waiting`: for a person; `done`: the issue is refined.
    pub(crate) status: String,
}

impl Round {
    /// Gives the round that a step of the role was, or nothing for other roles.
    pub(crate) fn after(scene: Scene<'_>, known: &Known, start: &Start, said: &Said, to: &Move) -> Option<Self> {
        if start.agent != ROLE {
            return None;
        }
        let is_done = matches!(to, Move::Stop | Move::End) || said.result.as_deref() == Some("refined");
        let status = match said.dispatch.status {
            _ if is_done => DONE,
            Status::Hold => "waiting",
            Status::Advance | Status::Loop | Status::Terminate => "open",
        };
        Some(Self { number: next_round(scene, known), status: status.into() })
    }
}

/// Gives the number of the round that the role would begin now.
pub(crate) fn next_round(scene: Scene<'_>, known: &Known) -> u32 {
    match newest(scene, known) {
        Some(round) if round.status != DONE => round.number.saturating_add(1),
        Some(_) | None => 1,
    }
}

/// Says whether a further round without a person's word would be one too many.
pub(crate) fn is_used_up(scene: Scene<'_>, known: &Known) -> Option<u32> {
    let rounds = next_round(scene, known).saturating_sub(1);
    (known.state.agent == ROLE && rounds >= scene.setup.settings.limits.refine_rounds).then_some(rounds)
}

/// Finds the newest round that the engine itself has written down.
fn newest(scene: Scene<'_>, known: &Known) -> Option<Round> {
    let comments = scene.thread.comments.iter().rev();
    comments.filter(|comment| known.is_own_comment(comment.id)).find_map(|comment| read(&comment.body))
}

/// Writes the marker, without the signs of a comment around it.
pub(crate) fn mark(round: &Round) -> String {
    format!("{}round={},status={}", markdown::PO_STATE, round.number, round.status)
}

/// Reads the marker of a comment of the engine.
fn read(body: &str) -> Option<Round> {
    let mark = markdown::markers(body).po_state?;
    let (round, status) = mark.split_once(',')?;
    let number = round.trim().strip_prefix("round=")?.parse().ok()?;
    Some(Round { number, status: status.trim().strip_prefix("status=")?.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_reads_back_as_it_was_written() {
        let round = Round { number: 3, status: "waiting".into() };
        let body = format!("<!-- bot-workflow-terminal -->\n<!-- bot-agent-po -->\n<!-- {} -->\n\nwords", mark(&round));
        assert_eq!(read(&body), Some(round));
        let check = |body: &str| assert_eq!(read(body), None, "{body}");
        check("<!-- po-agent-state: round=x,status=open -->");
        check("<!-- po-agent-state: round=1 -->");
        check("> <!-- po-agent-state: round=1,status=open -->");
        check("```\n<!-- po-agent-state: round=1,status=open -->\n```");
        check("words");
    }
}

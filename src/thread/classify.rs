//! What a comment is: a command, somebody's words, an agent's report or the engine's own notice.
//!
//! Anybody can type a marker, so a marker counts only under an account that may post one. Where markers
//! stand in a body is for `markdown` to say, what a command is for `command`.

use crate::{
    command::is_command,
    ids::Identity,
    markdown::{Markers, markers},
    snapshot::Account,
    state::RecordKind,
};

/// Tells what a comment is (ADR-0012, decision 6).
///
/// `actor` is the engine's own account. Where it is unknown only GitHub's word makes a bot: the rule fails
/// closed, and a marked comment by any `User` account is what a person wrote.
pub fn classify(account: &Account, body: &str, actor: Option<&Identity>) -> RecordKind {
    match bot_markers(account, body, actor) {
        Some(Markers { agent: Some(_), .. }) => RecordKind::AgentOutput,
        Some(_) => RecordKind::EngineOutput,
        None if is_command(body) => RecordKind::Command,
        None => RecordKind::HumanFeedback,
    }
}

/// Gives the markers of a bot's comment, and `None` where the author is no bot.
///
/// A bot account needs no marker. The engine's own account may be a person's too, so there a marker decides.
fn bot_markers<'a>(account: &Account, body: &'a str, actor: Option<&Identity>) -> Option<Markers<'a>> {
    if account.is_bot() {
        return Some(markers(body));
    }
    let is_actor = actor.is_some_and(|actor| actor.is_same_as(account.id, &account.login));
    let found = is_actor.then(|| markers(body))?;
    (found.terminal || found.agent.is_some()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKED: &str = "<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\nDone.";
    const NOTICE: &str = "<!-- bot-workflow-terminal -->\nAgent started.";
    const QUOTED: &str = "> <!-- bot-workflow-terminal -->\n> <!-- bot-agent-dev -->\n\nplease redo this";
    const FENCED: &str = "```\n<!-- bot-agent-dev -->\n```\n\nis this the right marker?";

    fn account(id: u64, login: &str, kind: &str) -> Account {
        Account { id, login: login.into(), kind: kind.into(), ..Account::default() }
    }

    #[test]
    fn a_marker_counts_only_under_an_account_that_may_post_one() {
        let owner = account(9001, "engine-owner", "User");
        let app = account(99, "nebuko[bot]", "Bot");
        let stranger = account(777, "stranger", "User");
        let known = Identity::new(9001, "engine-owner");
        let by_login = Identity::new(0, "Engine-Owner");
        let same_name = Identity::new(9002, "engine-owner");
        let unknown = Identity::default();
        let check = |says: &str, account: &Account, body: &str, actor: Option<&Identity>, kind: RecordKind| {
            assert_eq!(classify(account, body, actor), kind, "{says}");
        };
        use RecordKind::{AgentOutput, Command, EngineOutput, HumanFeedback};
        check("our own report", &owner, MARKED, Some(&known), AgentOutput);
        check("an agent marker alone", &owner, "<!-- bot-agent-dev -->\nDone.", Some(&known), AgentOutput);
        check("our own notice", &owner, NOTICE, Some(&known), EngineOutput);
        check("the owner as a person", &owner, "please redo this", Some(&known), HumanFeedback);
        check("the owner as a person, with a command", &owner, "/nebuko retry", Some(&known), Command);
        check("a quoted marker", &owner, QUOTED, Some(&known), HumanFeedback);
        check("a marker in a fence", &owner, FENCED, Some(&known), HumanFeedback);
        check("only the login is known", &owner, MARKED, Some(&by_login), AgentOutput);
        check("the same login under another id", &owner, MARKED, Some(&same_name), HumanFeedback);
        check("an actor nothing is known of", &owner, MARKED, Some(&unknown), HumanFeedback);
        check("no actor: fails closed", &owner, MARKED, None, HumanFeedback);
        check("no actor: a marked command", &owner, "<!-- bot-agent-dev -->\n\n/nebuko retry", None, Command);
        check("an App without actor", &app, MARKED, None, AgentOutput);
        check("an App's notice without marker", &app, "CI is red.", None, EngineOutput);
        check("an App never commands", &app, "/nebuko approve gate", None, EngineOutput);
        check("an App by its login alone", &account(99, "nebuko[bot]", ""), MARKED, None, AgentOutput);
        check("a forged marker", &stranger, MARKED, Some(&known), HumanFeedback);
        check("a forged marker without actor", &stranger, MARKED, None, HumanFeedback);
        check("a forged notice with a command", &stranger, "<!-- bot-agent-x -->\n\n/nebuko stop", None, Command);
        check("nobody and an unknown actor", &account(0, "", ""), MARKED, Some(&unknown), HumanFeedback);
    }
}

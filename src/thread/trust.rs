//! Whose words are instructions: the run's initiator, if GitHub says they belong to the repository, or under another
//! policy everybody who does.
//!
//! The association is always the fetched listing's. Asking for write permission at a gate is another matter.

use crate::{ids::Identity, setup::TrustPolicy, snapshot::Account};

/// Whether somebody's words may be rendered as trusted context, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The author started this run and belongs to the repository.
    Initiator,
    /// The author belongs to the repository, and its settings trust everybody who does.
    Maintainer,
    /// A bot: it is rendered by kind, never as somebody's word.
    Bot,
    /// Nothing is known of the author.
    AuthorUnknown,
    /// The author does not belong to the repository.
    NotAssociated,
    /// Nobody knows who started this run.
    InitiatorUnknown,
    /// Somebody else started this run.
    NotInitiator,
}

impl Trust {
    /// Tells whether the words are trusted.
    pub fn is_trusted(self) -> bool {
        matches!(self, Self::Initiator | Self::Maintainer)
    }

    /// Gives the reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Initiator => "trusted: the author started this run and is OWNER, MEMBER or COLLABORATOR",
            Self::Maintainer => {
                "trusted: the author is OWNER, MEMBER or COLLABORATOR, and the settings trust all of them"
            }
            Self::Bot => "not trusted: the author is a bot, and is shown by what the comment is",
            Self::AuthorUnknown => "not trusted: the author's account is unknown",
            Self::NotAssociated => "not trusted: the author is not OWNER, MEMBER or COLLABORATOR",
            Self::InitiatorUnknown => "not trusted: it is unknown who started this run",
            Self::NotInitiator => "not trusted: somebody else started this run",
        }
    }
}

/// Tells whether an author's words are trusted in a run that `trigger` started (ADR-0012, posture 6).
///
/// It fails closed: an unknown author is never trusted, and an unknown initiator is nobody.
pub fn trust(account: &Account, association: &str, trigger: Option<&Identity>, policy: TrustPolicy) -> Trust {
    weigh(Author { id: account.id, login: &account.login, association, is_bot: account.is_bot() }, trigger, policy)
}

/// Tells whether an account's words are heard: somebody known, who is no bot, with an allowed association
/// (decision 3). An account that is gone commands nothing, whatever its association was (decision 2.4).
pub fn may_ask(account: &Account, association: &str) -> bool {
    may_command(association) && account.identity().is_known() && !account.is_bot()
}

/// Tells whether an association allows commands and mentions (decision 3).
pub fn may_command(association: &str) -> bool {
    matches!(association, "OWNER" | "MEMBER" | "COLLABORATOR")
}

/// An author, as far as trust depends on it.
#[derive(Clone, Copy)]
pub(super) struct Author<'a> {
    pub(super) id: u64,
    pub(super) login: &'a str,
    pub(super) association: &'a str,
    pub(super) is_bot: bool,
}

pub(super) fn weigh(author: Author<'_>, trigger: Option<&Identity>, policy: TrustPolicy) -> Trust {
    match trigger {
        _ if author.is_bot => Trust::Bot,
        _ if author.id == 0 && author.login.is_empty() => Trust::AuthorUnknown,
        _ if !may_command(author.association) => Trust::NotAssociated,
        Some(trigger) if trigger.is_same_as(author.id, author.login) => Trust::Initiator,
        _ if policy == TrustPolicy::Maintainers => Trust::Maintainer,
        Some(trigger) if trigger.is_known() => Trust::NotInitiator,
        Some(_) | None => Trust::InitiatorUnknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_initiator_with_an_allowed_association_is_trusted() {
        let dana = Identity::new(501, "Dana-K");
        let by_login = Identity::new(0, "dana-k");
        let unknown = Identity::default();
        let check = |says: &str, author: (u64, &str, &str), association: &str, by: Option<&Identity>, trust: Trust| {
            let (id, login, kind) = author;
            let account = Account { id, login: login.into(), kind: kind.into(), ..Account::default() };
            let found = |policy| super::trust(&account, association, by, policy);
            assert_eq!(found(TrustPolicy::Initiator), trust, "{says}");
            // The other policy trusts more people, and nobody who is unknown, a bot or a stranger.
            let wider = match trust {
                Trust::NotInitiator | Trust::InitiatorUnknown => Trust::Maintainer,
                same => same,
            };
            assert_eq!(found(TrustPolicy::Maintainers), wider, "{says}");
        };
        check("the initiator", (501, "Dana-K", "User"), "OWNER", Some(&dana), Trust::Initiator);
        check("a collaborator", (501, "Dana-K", "User"), "COLLABORATOR", Some(&dana), Trust::Initiator);
        check("c1: renamed", (501, "dana-kay", "User"), "MEMBER", Some(&dana), Trust::Initiator);
        check("c2: the old name", (777, "Dana-K", "User"), "MEMBER", Some(&dana), Trust::NotInitiator);
        check("c3: the list says less", (501, "Dana-K", "User"), "CONTRIBUTOR", Some(&dana), Trust::NotAssociated);
        check("one id is missing", (501, "Dana-K", "User"), "MEMBER", Some(&by_login), Trust::Initiator);
        check("another member", (502, "eve", "User"), "MEMBER", Some(&dana), Trust::NotInitiator);
        check("lower case is another word", (501, "Dana-K", "User"), "member", Some(&dana), Trust::NotAssociated);
        check("no association", (501, "Dana-K", "User"), "", Some(&dana), Trust::NotAssociated);
        check("nobody, nobody", (0, "", ""), "MEMBER", Some(&unknown), Trust::AuthorUnknown);
        check("nobody", (0, "", ""), "MEMBER", Some(&dana), Trust::AuthorUnknown);
        check("an unknown initiator", (501, "Dana-K", "User"), "OWNER", Some(&unknown), Trust::InitiatorUnknown);
        check("no initiator", (501, "Dana-K", "User"), "OWNER", None, Trust::InitiatorUnknown);
        check("a bot by type", (501, "Dana-K", "Bot"), "OWNER", Some(&dana), Trust::Bot);
        check("a bot by name", (99, "nebuko[bot]", ""), "OWNER", Some(&Identity::new(99, "")), Trust::Bot);
    }

    #[test]
    fn the_reason_says_what_the_answer_is() {
        use Trust::{AuthorUnknown, Bot, Initiator, InitiatorUnknown, Maintainer, NotAssociated, NotInitiator};
        for trust in [Initiator, Maintainer, Bot, AuthorUnknown, NotAssociated, InitiatorUnknown, NotInitiator] {
            assert_eq!(trust.words().starts_with("trusted:"), trust.is_trusted(), "{trust:?}");
        }
    }
}

//! Who somebody is, and when two accounts are the same.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// An account, as far as it is known: id 0 and an empty login both mean "unknown".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// GitHub's numeric account id, or 0.
    #[serde(default)]
    pub id: u64,
    /// The login, or an empty text.
    #[serde(default)]
    pub login: String,
}

impl Identity {
    /// Names an account by what is known of it.
    pub fn new(id: u64, login: impl Into<String>) -> Self {
        Self { id, login: login.into() }
    }

    /// Tells whether anything at all is known of the account.
    pub fn is_known(&self) -> bool {
        self.id != 0 || !self.login.is_empty()
    }

    /// Tells whether both are the same account (decision 2.4).
    ///
    /// Where both ids are known they decide alone, so a renamed account stays itself and somebody who takes
    /// the old name does not become it. Logins count only where an id is missing. Two unknowns never match.
    pub fn is_same_as(&self, id: u64, login: &str) -> bool {
        if self.id != 0 && id != 0 {
            return self.id == id;
        }
        !login.is_empty() && self.login.eq_ignore_ascii_case(login)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_decide_and_two_unknowns_never_match() {
        let check = |left: (u64, &str), right: (u64, &str), same: bool| {
            let found = Identity::new(left.0, left.1).is_same_as(right.0, right.1);
            assert_eq!(found, same, "{left:?} and {right:?}");
        };
        check((501, "Dana-K"), (501, "dana-kay"), true);
        check((501, "Dana-K"), (777, "Dana-K"), false);
        check((0, "Dana-K"), (501, "dana-k"), true);
        check((501, "dana-k"), (0, "Dana-K"), true);
        check((0, ""), (0, ""), false);
        check((0, ""), (501, ""), false);
        check((501, ""), (0, ""), false);
        check((501, "dana"), (0, "other"), false);
    }
}

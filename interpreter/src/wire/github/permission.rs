//! What a person may do in the repository (decision 4).
//!
//! What follows from it, and from a question that stays unanswered, is for the core.

use nebuko::event::{Failure, FailureKind, Permission};
use serde::Deserialize;

use super::{
    super::{Call, Intent, words},
    GitHub, advice,
};

impl GitHub {
    /// Asks GitHub's permission endpoint, and gives the answer with where it was found.
    ///
    /// Somebody whom GitHub does not know there has no permission. Any other refusal leaves the question open.
    pub(crate) fn read_permission(&mut self, login: &str) -> Result<(Permission, String), Failure> {
        if !is_login(login) {
            return Ok((Permission::None, format!("{login:?} is no login that GitHub gives")));
        }
        let path = format!("collaborators/{}/permission", percent_encoded(login));
        let attempted = format!("ask what {login} may do in {}", self.target.repo);
        let asked = format!("GET /repos/{}/{path}", self.target.repo);
        let address = self.address(&path);
        let reply = self.hear(&Call::get(&address), &attempted)?;
        if reply.status == 404 {
            let how = format!("{asked}: {}", words::answered(&reply));
            return Ok((Permission::None, self.around.masker.mask(&how).into_owned()));
        }
        if !reply.is_success() {
            let next = advice::on_permission(&reply, &self.target);
            let why = words::answered(&reply);
            return Err(self.masked(words::reply_kind(&reply, Intent::Read), &attempted, why, next));
        }
        let answer: Answer = self.parse(&reply, &attempted, Intent::Read)?;
        match permission(&answer.permission).or_else(|| permission(&answer.role_name)) {
            Some(permission) => Ok((permission, format!("{asked}: {}", answer.words()))),
            None => {
                let why = format!("GitHub calls it {:?}, which is no permission that is known here", answer.permission);
                let next = "Check with somebody who administers the repository, and report this.";
                Err(self.masked(FailureKind::Refused, &attempted, why, next))
            }
        }
    }
}

/// The answer: one of four permissions, and the role that gives it, which may have a name of the organisation's own.
#[derive(Deserialize)]
struct Answer {
    permission: String,
    #[serde(default)]
    role_name: String,
}

impl Answer {
    fn words(&self) -> String {
        if self.role_name.is_empty() || self.role_name == self.permission {
            self.permission.clone()
        } else {
            format!("{} (as {})", self.permission, self.role_name)
        }
    }
}

fn permission(word: &str) -> Option<Permission> {
    match word {
        "admin" => Some(Permission::Admin),
        "write" | "maintain" => Some(Permission::Write),
        "read" | "triage" => Some(Permission::Read),
        "none" => Some(Permission::None),
        _ => None,
    }
}

/// Letters, digits, hyphens, the underscore of managed users, and the ending of an App.
fn is_login(login: &str) -> bool {
    let name = login.strip_suffix("[bot]").unwrap_or(login);
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !name.is_empty() && name.len() <= LOGIN_BYTES_MAX && name.bytes().all(is_sign)
}

/// Escapes everything that could end a segment of a path or a value of a query (RFC 3986).
pub(super) fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}

/// GitHub gives 39 characters, and an organisation's short name to managed users.
const LOGIN_BYTES_MAX: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_login_gets_into_a_path() {
        for good in ["dana", "a-b", "octo_acme", "nebuko[bot]", "X1"] {
            assert!(is_login(good), "{good}");
        }
        for bad in ["", "[bot]", "..", ".", "a/b", "a b", "a?b", "a#b", "å", "a[bot]x", "a\n", &"x".repeat(101)] {
            assert!(!is_login(bad), "{bad:?}");
        }
        assert_eq!(percent_encoded("nebuko[bot]"), "nebuko%5Bbot%5D");
        assert_eq!(percent_encoded("a/b c&ä"), "a%2Fb%20c%26%C3%A4");
    }
}

//! Texts of the settings: names, addresses, accounts, variables.
//!
//! An address and a variable's name may turn out to be a secret that somebody put in the wrong place; messages do not
//! repeat them.

use alloc::string::String;

use crate::grammar::{Form, form::SAID};

/// The name of a service among the settings.
pub(super) static PROVIDER: Form = Form {
    of: "a provider's name",
    may_be_blank: false,
    check: |text| right(!text.contains(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.')), NAME),
    pattern: "^[0-9A-Za-z_.-]+$",
    ..SAID
};
const NAME: &str = "ASCII letters, digits, `-`, `_` and `.` can be in one";

/// The address of a service. Who is in front of an `@` and what is behind a `?` may be a key.
pub(super) static ADDRESS: Form = Form {
    of: "the address of a service",
    check: |text| right(is_address(text), "write `https://HOST/PATH`, without a user, a key or a query in it"),
    pattern: r"^https?://[^\s/?#@\\]+(/[^\s?#@\\]*)?$",
    may_be_blank: false,
    is_shown: false,
    plain: &[],
    ..SAID
};

fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let host = rest.split('/').next().unwrap_or_default();
        !host.is_empty() && !rest.contains(|c: char| c.is_whitespace() || matches!(c, '?' | '#' | '@' | '\\'))
    })
}

/// The variable that holds a key. Its name is one of those that no program of a step inherits (decision 7), and none
/// that belongs to GitHub: a key goes to the address that stands beside it.
pub(super) static KEY: Form = Form {
    of: "the name of a variable that holds a key",
    check: holds_a_key,
    pattern: r"^[A-Z][0-9A-Z_]*(_KEY|_TOKEN)$|^[A-Z][0-9A-Z_]*(SECRET|PASSWORD)[0-9A-Z_]*$",
    never: r"^(GH|GITHUB|ACTIONS|RUNNER)_",
    may_be_blank: false,
    is_shown: false,
    plain: &[],
};

/// Tells whether a variable may hold the key of a service of models.
///
/// # Errors
/// What to do instead: its name is not one of those that no program of a step inherits, or it is GitHub's.
pub fn holds_a_key(text: &str) -> Result<(), String> {
    let is_name = text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let ends = |word: &str| text.len() > word.len() && text.ends_with(word);
    let holds = |word: &str| text.get(1..).is_some_and(|rest| rest.contains(word));
    if !is_name || !(ends("_KEY") || ends("_TOKEN") || holds("SECRET") || holds("PASSWORD")) {
        return Err(
            "put the key into a variable such as `ACME_API_KEY`, and write that name here; it ends in `_KEY` or \
                    `_TOKEN`, or has `SECRET` or `PASSWORD` in it"
                .into(),
        );
    }
    let reserved = ["GH_", "GITHUB_", "ACTIONS_", "RUNNER_"].iter().any(|own| text.starts_with(own));
    right(
        !reserved,
        "a variable of GitHub's is for GitHub's own API alone: put the key of this service into one of another name, also \
         where it is the same, as `MODELS_TOKEN: ${{ github.token }}` in an action",
    )
}

/// An account: an id or a login.
pub(super) static ACCOUNT: Form = Form {
    of: "an account",
    may_be_blank: false,
    check: |text| {
        let is_id = text.len() <= ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        let login = text.strip_prefix('@');
        let is_login =
            is_login(login.unwrap_or(text)) && (login.is_some() || text.contains(|c: char| !c.is_ascii_digit()));
        right(is_id || is_login, "write an account's id, or its login as `\"@login\"`")
    },
    pattern: r"^[1-9][0-9]{0,18}$|^@[0-9A-Za-z_-]+(\[bot\])?$|^[0-9]*[A-Za-z_-][0-9A-Za-z_-]*(\[bot\])?$|^[0-9]+\[bot\]$",
    ..SAID
};
/// As many digits always fit into an id.
const ID_DIGITS: usize = 19;

/// A login.
pub(super) static LOGIN: Form = Form {
    of: "a login",
    may_be_blank: false,
    check: |text| right(is_login(text), "write it as GitHub shows it, without `@`: `nebuko[bot]`"),
    pattern: r"^[0-9A-Za-z_-]+(\[bot\])?$",
    ..SAID
};

fn is_login(text: &str) -> bool {
    let name = text.strip_suffix("[bot]").unwrap_or(text);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn right(is_right: bool, hint: &str) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(hint.into()) }
}

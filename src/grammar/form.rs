//! What a text may look like, by what it is: a name, a path, a role.
//!
//! Each form says it twice, as a check and as patterns for the schema; `interpreter/tests/schema.rs` holds the two
//! to each other.

use alloc::string::String;

use crate::workflow::reference::{self, RepoReference};

/// A form of texts.
#[derive(Debug)]
pub(crate) struct Form {
    /// What such a text is, for messages: `a role`.
    pub(crate) of: &'static str,
    /// Whether it may say nothing.
    pub(crate) may_be_blank: bool,
    /// Tells what is wrong with a text that says something, as a hint.
    pub(crate) check: fn(&str) -> Result<(), String>,
    /// What it matches, in the syntax that ECMA-262 and the regex crate share.
    pub(crate) pattern: &'static str,
    /// What it does not match; empty where nothing is excluded.
    pub(crate) never: &'static str,
    /// What else than a string a JSON reader may take one for, where it is not quoted: `8080`, `true`.
    pub(crate) plain: &'static [&'static str],
    /// Whether messages may repeat it where it does not fit: not what may be a secret.
    pub(crate) is_shown: bool,
}

impl Form {
    /// Checks a text that says something.
    ///
    /// # Errors
    /// Says what would be right.
    pub(crate) fn check(&self, text: &str) -> Result<(), String> {
        (self.check)(text)
    }
}

const SCALARS: &[&str] = &["number", "boolean"];

/// Any text.
pub(crate) static ANY: Form = Form {
    of: "a text",
    may_be_blank: true,
    check: |_| Ok(()),
    pattern: "",
    never: "",
    plain: SCALARS,
    is_shown: true,
};

/// A text that says something.
pub(crate) static SAID: Form = Form {
    of: "a text",
    may_be_blank: false,
    check: |_| Ok(()),
    pattern: r"\S",
    never: "",
    plain: SCALARS,
    is_shown: true,
};

/// An argument or a variable's value: no program can be given a NUL.
pub(crate) static ARGUMENT: Form = Form {
    of: "what a program is given",
    may_be_blank: true,
    check: |text| right(!text.contains('\0'), "no program can be given a NUL"),
    pattern: "",
    never: r"\x00",
    plain: SCALARS,
    is_shown: true,
};

/// A variable's name.
pub(crate) static VARIABLE: Form = Form {
    of: "a variable's name",
    may_be_blank: false,
    check: |text| right(!text.contains(['=', '\0']), "no `=` and no NUL can be in one"),
    pattern: r"\S",
    never: r"[=\x00]",
    plain: SCALARS,
    is_shown: true,
};

/// A step's name. It stands in comments and on command lines: nothing in it may end a marker or a line.
pub(crate) static NAME: Form = Form {
    of: "a step's name",
    may_be_blank: false,
    check: |text| right(is_name(text), "no control characters, no `<` or `>`, no space at its ends"),
    pattern: r"\S",
    never: NO_NAME,
    plain: SCALARS,
    is_shown: true,
};
const NO_NAME: &str = r"^\s|\s$|[\x00-\x1f\x7f-\x9f<>\u2028\u2029]";

/// A role. It is written behind `@@` and into markers.
pub(crate) static ROLE: Form = Form {
    of: "a role",
    may_be_blank: false,
    check: |text| {
        let fits = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        right(fits, "ASCII letters, digits, `-` and `_` can be in one")
    },
    pattern: "^[0-9A-Za-z_-]+$",
    never: "",
    plain: SCALARS,
    is_shown: true,
};

/// A file or folder of the repository.
pub(crate) static PATH: Form = Form { of: "a path in the repository", ..COMMAND };

/// A program: by name, or by path in the repository.
pub(crate) static COMMAND: Form = Form {
    of: "a program",
    may_be_blank: false,
    check: |text| right(is_inside(text), INSIDE),
    pattern: r"^[^/\\\x00][^\\\x00]*$",
    never: OUTSIDE,
    plain: SCALARS,
    is_shown: true,
};
const INSIDE: &str = "write a path inside the repository: not absolute, with `/`, without `..`";
const OUTSIDE: &str = r"^\s*$|(^|/)\.\.(/|$)";

/// A workflow beside this one, by name or path.
pub(crate) static MOUNT: Form = Form {
    of: "a workflow of this repository",
    may_be_blank: false,
    check: |text| {
        right(!text.contains("//"), "a workflow of another repository is mounted with `repo`")?;
        right(is_inside(text) && is_name(text), "write its name, or its path such as `part/build.yaml`")
    },
    pattern: COMMAND.pattern,
    never: r"^\s|\s$|[\x00-\x1f\x7f-\x9f<>\u2028\u2029]|//|(^|/)\.\.(/|$)",
    plain: SCALARS,
    is_shown: true,
};

/// A workflow of another repository.
pub(crate) static REPO: Form = Form {
    of: "a workflow of another repository",
    may_be_blank: false,
    check: |text| RepoReference::parse(text).map(|_| ()),
    pattern: reference::PATTERN,
    never: reference::NEVER,
    plain: &[],
    is_shown: true,
};

/// A parameter's name.
pub(crate) static PARAMETER: Form = Form {
    of: "a parameter's name",
    may_be_blank: false,
    check: |text| right(is_parameter(text), "a letter or `_`, then ASCII letters, digits, `_` and `-`"),
    pattern: "^[A-Za-z_][0-9A-Za-z_-]*$",
    never: "",
    plain: &["boolean"],
    is_shown: true,
};

/// What a value is taken from: `input.NAME`, or a step.
pub(crate) static REFERENCE: Form = Form {
    of: "a reference",
    may_be_blank: false,
    check: |text| match text.strip_prefix("input.") {
        Some(parameter) => right(is_parameter(parameter), "write `input.` and the name of a parameter"),
        None => right(is_name(text), "write `input.NAME` or a step's name; a constant is written `{str: …}`"),
    },
    pattern: r"\S",
    never: r"^\s|\s$|[\x00-\x1f\x7f-\x9f<>\u2028\u2029]|^input\.([^A-Za-z_]|$)|^input\..*[^0-9A-Za-z_-]",
    plain: SCALARS,
    is_shown: true,
};

/// A model's name, here or at its service. It stands in comments.
pub(crate) static MODEL_NAME: Form = Form { of: "a model's name", ..NAME };

/// A field of a report, as an agent gives it.
pub(crate) static FIELD: Form = Form { of: "a field's name", ..PARAMETER };

/// A skill: its file's path among the skills, without the ending.
pub(crate) static SKILL: Form = Form {
    of: "a skill",
    may_be_blank: false,
    check: |text| right(is_inside(text) && is_name(text), "write the name of a skill's file, without its ending"),
    pattern: COMMAND.pattern,
    never: r"^\s|\s$|[\x00-\x1f\x7f-\x9f<>\u2028\u2029]|(^|/)\.\.(/|$)",
    plain: SCALARS,
    is_shown: true,
};

fn right(is_right: bool, hint: &str) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(hint.into()) }
}

fn is_name(text: &str) -> bool {
    text.trim() == text && !text.contains(|c: char| c.is_control() || matches!(c, '<' | '>' | '\u{2028}' | '\u{2029}'))
}

/// Tells whether a path stays inside, as far as its text shows. Links are looked at where it is opened.
fn is_inside(text: &str) -> bool {
    !text.starts_with('/') && !text.contains(['\\', '\0']) && text.split('/').all(|segment| segment != "..")
}

fn is_parameter(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

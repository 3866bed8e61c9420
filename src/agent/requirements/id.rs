//! The ID of an entry: a kind and a number.

use alloc::{borrow::ToOwned, string::String};
use core::fmt;

use crate::{markdown::plain, text::cut};

/// The ID of an entry. In order: by kind as in the contract's table, then by number, so that R3 stands before K1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id {
    kind: Kind,
    number: u32,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// R: something the change must do.
    Requirement,
    /// K: something that binds how.
    Constraint,
    /// NG: something that is not wanted.
    NonGoal,
    /// Q: something by which ways are ranked.
    Quality,
}

impl Id {
    /// Reads `R3`, `K1`, `NG2` or `Q4`, in any case.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.find(|c: char| c.is_ascii_digit())?;
        let (kind, number) = text.split_at(digits);
        let kind = match kind.to_ascii_uppercase().as_str() {
            "R" => Kind::Requirement,
            "K" => Kind::Constraint,
            "NG" => Kind::NonGoal,
            "Q" => Kind::Quality,
            _ => return None,
        };
        let is_number = number.len() <= DIGITS_MAX && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number)?;
        Some(Self { kind, number })
    }

    /// Tells whether a plan has to cover it: requirements and constraints, and nothing else.
    pub(crate) fn is_enforced(self) -> bool {
        matches!(self.kind, Kind::Requirement | Kind::Constraint)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Requirement => "R",
            Kind::Constraint => "K",
            Kind::NonGoal => "NG",
            Kind::Quality => "Q",
        };
        write!(f, "{kind}{}", self.number)
    }
}

/// Gives what a cell of IDs says; `None` where it is empty or struck out, as people do to take a row away.
pub(super) fn cell(written: &str) -> Option<String> {
    let is_struck = written.starts_with("~~") && written.ends_with("~~") && written.len() > 4;
    let words = plain(written);
    let words = words.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '(' | ')')).to_owned();
    (!is_struck && !words.is_empty()).then(|| cut(&words, CELL_CHARS))
}

/// No ledger has a million entries of a kind.
const DIGITS_MAX: usize = 6;
/// An ID that is none is quoted up to here.
const CELL_CHARS: usize = 60;

//! The mistakes found in one file, on their way to the person who wrote it.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::Place;
use crate::problem::{Problem, Related};

/// Mistakes beyond these are not listed: whoever has so many mends some and looks again.
const PROBLEMS_MAX: usize = 100;
/// How much of a text from the file a message repeats, in characters.
const QUOTED_MAX: usize = 60;

/// A growing list of mistakes in one file.
pub(crate) struct Problems {
    file: String,
    list: Vec<Problem>,
    more: Option<Place>,
}

impl Problems {
    pub(crate) fn new(file: &str) -> Self {
        Self { file: file.into(), list: Vec::new(), more: None }
    }

    /// Adds a mistake; what is given back takes what else is known of it.
    pub(crate) fn add(&mut self, place: Place, what: impl Into<String>, hint: impl Into<String>) -> Added<'_> {
        if self.is_full() {
            self.more.get_or_insert(place);
            return Added(None);
        }
        self.list.push(place.problem(&self.file, what, hint));
        Added(self.list.last_mut())
    }

    /// Tells whether one more would not be listed, so that its hint need not be looked for.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= PROBLEMS_MAX
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Gives the mistakes in the order of the file.
    pub(crate) fn into_list(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|problem| (problem.line, problem.column));
        if let Some(place) = self.more {
            let hint = "they show once those above are mended";
            self.list.push(place.problem(&self.file, "there are more mistakes", hint));
        }
        self.list
    }
}

/// A mistake that was just added, unless there were too many before it.
pub(crate) struct Added<'p>(Option<&'p mut Problem>);

impl Added<'_> {
    /// Names the lint rule that is broken.
    pub(crate) fn rule(self, id: &'static str) -> Self {
        self.0.map_or(Self(None), |problem| {
            problem.rule = Cow::Borrowed(id);
            Self(Some(problem))
        })
    }

    /// Adds another place that belongs to it.
    pub(crate) fn related(self, place: Place, what: impl Into<String>) -> Self {
        self.0.map_or(Self(None), |problem| {
            let Place { line, column, start, end } = place;
            problem.related.push(Related { line, column, start, end, what: what.into() });
            Self(Some(problem))
        })
    }
}

/// Writes a text as a scalar: bare where it means the same so.
pub(crate) fn as_scalar(text: &str) -> String {
    let is_bare = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && !text.eq_ignore_ascii_case("null");
    if is_bare { text.into() } else { format!("{text:?}") }
}

/// Puts a text from the file into backticks, on one line and not too long.
pub(crate) fn quoted(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let start: String = text.chars().take(QUOTED_MAX).map(shown).collect();
    let rest = if text.chars().nth(QUOTED_MAX).is_some() { "…" } else { "" };
    format!("`{start}{rest}`")
}

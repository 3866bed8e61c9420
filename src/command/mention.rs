//! Mentions: which `@@word` names a role, and what it is asked to do.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::ops::Range;

use memchr::memmem;

use super::{Ask, argument, word_ends};
use crate::{
    markdown::{BYTE_ORDER_MARK, Scan},
    nearest::nearest,
};

/// Finds the first mention of a known role, else the first of an unknown one, outside of the `taken`
/// stretches. `request_end` says where the text that starts at a place ends.
pub(super) fn first<'r>(
    body: &str,
    scan: &Scan,
    taken: &[Range<usize>],
    roles: impl IntoIterator<Item = &'r str>,
    request_end: impl Fn(usize) -> usize,
) -> Option<(usize, Ask)> {
    let mut places = places(body, scan).filter(|at| !taken.iter().any(|range| range.contains(at))).peekable();
    places.peek()?;
    let roles: Vec<&str> = roles.into_iter().filter(|role| !role.is_empty()).collect();
    let mut unknown = None;
    for at in places {
        let rest = &body[at + 2..];
        if let Some(role) = known(rest, &roles) {
            let from = at + 2 + role.len();
            let request = argument(&body[from..request_end(at)]);
            return Some((at, Ask::Mention { role: role.to_string(), request }));
        }
        let word = &rest[..rest.find(|next: char| word_ends(next.encode_utf8(&mut [0; 4]))).unwrap_or(rest.len())];
        if unknown.is_none() && word.starts_with(|first: char| first.is_alphanumeric()) {
            unknown = Some((at, word));
        }
    }
    let (at, word) = unknown?;
    let near = nearest(word, roles).into_iter().map(String::from).collect();
    Some((at, Ask::UnknownRole { word: word.to_string(), near }))
}

/// Finds every `@@` in visible text that may start a mention.
fn places<'a>(body: &'a str, scan: &'a Scan) -> impl Iterator<Item = usize> + 'a {
    scan.prose().iter().flat_map(move |prose| {
        let start = prose.range.start;
        memmem::find_iter(&body.as_bytes()[prose.range.clone()], b"@@")
            .map(move |found| start + found)
            .filter(|at| may_follow(&body[..*at]))
    })
}

/// Tells whether a mention may stand behind a text.
fn may_follow(before: &str) -> bool {
    before
        .trim_start_matches(BYTE_ORDER_MARK)
        .chars()
        .next_back()
        .is_none_or(|last| last.is_whitespace() || matches!(last, '(' | '[' | '"' | '\'' | ':' | ','))
}

/// Finds the longest known role that starts a text and ends there as a word.
fn known<'r>(text: &str, roles: &[&'r str]) -> Option<&'r str> {
    let named = |role: &&&str| text.strip_prefix(**role).is_some_and(word_ends);
    roles.iter().filter(named).max_by_key(|role| role.len()).copied()
}

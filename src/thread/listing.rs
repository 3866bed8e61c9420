//! The comments of a snapshot, each once and found by id.
//!
//! Pages are read one after the other while people write, so a listing may name a comment twice
//! (fault kind 6.3). It has its place where it was first named and the content that was read last.

use alloc::vec::Vec;

use crate::snapshot::Comment;

/// A listing without its repetitions.
#[derive(Clone, Debug)]
pub struct Listing<'a> {
    comments: &'a [Comment],
    by_id: Index,
}

impl<'a> Listing<'a> {
    /// Takes the comments as they were listed. One pass where ids ascend, as GitHub lists them.
    pub fn new(comments: &'a [Comment]) -> Self {
        let by_id = Index::new(comments.iter().enumerate().map(|(place, comment)| (comment.id, place)));
        Self { comments, by_id }
    }

    /// Finds a comment, as it was read last.
    pub fn find(&self, id: u64) -> Option<&'a Comment> {
        self.by_id.last(id).map(|place| &self.comments[place])
    }

    /// Gives every comment once, in listing order.
    pub fn iter(&self) -> impl Iterator<Item = &'a Comment> {
        let ids = self.comments.iter().map(|comment| comment.id).enumerate();
        ids.filter(|&(place, id)| self.by_id.first(id) == Some(place)).filter_map(|(_, id)| self.find(id))
    }

    /// Counts what was listed, repetitions included.
    pub(super) fn len(&self) -> usize {
        self.comments.len()
    }
}

/// Places by id, in order of both.
#[derive(Clone, Debug)]
pub(super) struct Index {
    entries: Vec<(u64, usize)>,
}

impl Index {
    pub(super) fn new(places: impl Iterator<Item = (u64, usize)>) -> Self {
        let mut entries: Vec<_> = places.collect();
        // Linear where the ids ascend already.
        entries.sort_unstable();
        Self { entries }
    }

    /// Finds the first place of an id.
    pub(super) fn first(&self, id: u64) -> Option<usize> {
        let at = self.entries.partition_point(|&(known, _)| known < id);
        self.entries.get(at).filter(|&&(known, _)| known == id).map(|&(_, place)| place)
    }

    /// Finds the last place of an id.
    fn last(&self, id: u64) -> Option<usize> {
        let after = self.entries.partition_point(|&(known, _)| known <= id);
        let (known, place) = *self.entries.get(after.checked_sub(1)?)?;
        (known == id).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_comment_keeps_its_place_and_its_last_text() {
        let check = |listed: &[(u64, &str)], once: &[(u64, &str)]| {
            let comments: Vec<Comment> =
                listed.iter().map(|&(id, body)| Comment { id, body: body.into(), ..Comment::default() }).collect();
            let listing = Listing::new(&comments);
            let found: Vec<(u64, &str)> = listing.iter().map(|comment| (comment.id, comment.body.as_str())).collect();
            assert_eq!(found, once, "{listed:?}");
            for (id, body) in once {
                assert_eq!(listing.find(*id).map(|comment| comment.body.as_str()), Some(*body), "{listed:?}");
            }
            assert_eq!(listing.find(4), None, "{listed:?}");
        };
        check(&[], &[]);
        check(&[(1, "a"), (2, "b")], &[(1, "a"), (2, "b")]);
        check(&[(6, "a"), (7, "b"), (7, "c"), (8, "d")], &[(6, "a"), (7, "c"), (8, "d")]);
        check(&[(9, "late"), (1, "a"), (9, "later")], &[(9, "later"), (1, "a")]);
        check(&[(0, "a"), (u64::MAX, "b")], &[(0, "a"), (u64::MAX, "b")]);
    }
}

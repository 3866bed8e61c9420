//! What became of a thread between two events, as small as it is.

use nebuko::snapshot::{Comment, Issue, ThreadSnapshot};
use serde::{Deserialize, Serialize};

/// What became of a thread between two events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadChange {
    /// It was read anew, and what was known of it no longer holds.
    Whole(Box<ThreadSnapshot>),
    /// Comments came at the end, and the issue may have changed; the rest is as it was.
    Longer {
        /// The issue, where it changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issue: Option<Box<Issue>>,
        /// The comments that came.
        comments: Vec<Comment>,
    },
}

impl ThreadChange {
    /// Compares two readings of a thread; `None` where they are equal.
    ///
    /// Growing by a few comments is what a thread does, so only these are written: a long run over a long
    /// thread stays as small as the thread.
    pub fn between(old: &ThreadSnapshot, new: &ThreadSnapshot) -> Option<Self> {
        if old == new {
            return None;
        }
        let grows = old.complete == new.complete && !old.comments.is_empty() && new.comments.starts_with(&old.comments);
        Some(if grows {
            let issue = (old.issue != new.issue).then(|| Box::new(new.issue.clone()));
            Self::Longer { issue, comments: new.comments[old.comments.len()..].to_vec() }
        } else {
            Self::Whole(Box::new(new.clone()))
        })
    }

    /// Makes the change.
    pub fn apply(self, thread: &mut ThreadSnapshot) {
        match self {
            Self::Whole(whole) => *thread = *whole,
            Self::Longer { issue, comments } => {
                if let Some(issue) = issue {
                    thread.issue = *issue;
                }
                thread.comments.extend(comments);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(ids: &[u64], title: &str, complete: bool) -> ThreadSnapshot {
        let comments = ids.iter().map(|&id| Comment { id, body: format!("body {id}"), ..Comment::default() }).collect();
        ThreadSnapshot { issue: Issue { title: title.into(), ..Issue::default() }, comments, complete }
    }

    #[test]
    fn a_thread_that_grew_is_written_by_what_came() {
        let check = |old: ThreadSnapshot, new: ThreadSnapshot, expected: &str| {
            let change = ThreadChange::between(&old, &new);
            let shape = match &change {
                None => "none",
                Some(ThreadChange::Whole(_)) => "whole",
                Some(ThreadChange::Longer { issue: None, .. }) => "longer",
                Some(ThreadChange::Longer { issue: Some(_), .. }) => "longer with issue",
            };
            assert_eq!(shape, expected, "{old:?} to {new:?}");
            let mut applied = old;
            if let Some(change) = change {
                change.apply(&mut applied);
            }
            assert_eq!(applied, new);
        };
        check(thread(&[1, 2], "t", true), thread(&[1, 2], "t", true), "none");
        check(thread(&[1, 2], "t", true), thread(&[1, 2, 3], "t", true), "longer");
        check(thread(&[1, 2], "t", true), thread(&[1, 2, 3], "u", true), "longer with issue");
        check(thread(&[1, 2], "t", true), thread(&[1, 2], "u", true), "longer with issue");
        check(thread(&[1, 2], "t", true), thread(&[2, 3], "t", true), "whole");
        check(thread(&[1, 2], "t", true), thread(&[1], "t", true), "whole");
        check(thread(&[1, 2], "t", true), thread(&[1, 2, 3], "t", false), "whole");
        check(thread(&[], "", true), thread(&[1], "t", true), "whole");
    }
}

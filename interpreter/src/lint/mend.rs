//! Mending: the edits of the safe fixes, put into the texts.
//!
//! Two fixes that touch the same place are not made in one go; the second has its turn when the first was looked at
//! again. A text that would read worse than before is left as it was.

use std::collections::{BTreeMap, BTreeSet};

use nebuko::lint::{Edit, Fix};

use super::looked::Looked;

/// What was mended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mended {
    /// How many findings, by file.
    pub(crate) counts: BTreeMap<String, usize>,
    /// The texts as they were, by file.
    pub(crate) changes: BTreeMap<String, String>,
}

/// Mends what can be, and tells how many findings that were, by file.
pub(super) fn mend(looked: &mut Looked) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    // What a link leads to is mended under its own name: under the link's, a name that is right would be changed.
    let mut given_up: BTreeSet<String> = looked.links();
    for _ in 0..ROUNDS_MAX {
        let findings = looked.findings();
        let mut fixes: BTreeMap<&str, Vec<&Fix>> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.ignored.is_none()) {
            if let Some(fix) = finding.fix.as_ref().filter(|_| !given_up.contains(&finding.file)) {
                fixes.entry(&finding.file).or_default().push(fix);
            }
        }
        let texts: Vec<_> = looked.wanted().map(|file| (file.location.clone(), file.text.clone())).collect();
        let mut changed = false;
        for (file, text) in texts {
            let Some(fixes) = fixes.get(file.as_str()) else { continue };
            let (mended, made) = with_fixes(&text, fixes);
            if made > 0 && mended != text && looked.retext(&file, &mended) {
                *counts.entry(file).or_default() += made;
                changed = true;
            } else {
                given_up.insert(file);
            }
        }
        if !changed {
            break;
        }
    }
    counts
}

impl Mended {
    /// Tells how many findings were mended.
    pub(crate) fn count(&self) -> usize {
        self.counts.values().sum()
    }
}

/// Makes the fixes that do not touch each other, the earlier ones first, and tells how many were made.
fn with_fixes(text: &str, fixes: &[&Fix]) -> (String, usize) {
    let mut edits: Vec<&Edit> = Vec::new();
    let mut made = 0;
    for fix in fixes {
        let (free, own) = (|edit: &Edit| !edits.iter().any(|other| touches(edit, other)), &fix.edits);
        if !own.is_empty() && own.iter().all(|edit| fits(text, edit) && free(edit)) && !touch_each_other(own) {
            edits.extend(own);
            made += 1;
        }
    }
    edits.sort_by_key(|edit| edit.start);
    let crlf = text.find('\n').is_some_and(|end| text[..end].ends_with('\r'));
    let mut mended = text.to_owned();
    for edit in edits.iter().rev() {
        let new = edit.text.replace("\r\n", "\n");
        mended.replace_range(edit.start..edit.end, &if crlf { new.replace('\n', "\r\n") } else { new });
    }
    (mended, made)
}

fn fits(text: &str, edit: &Edit) -> bool {
    edit.start <= edit.end && text.get(edit.start..edit.end).is_some()
}

/// Two edits touch where they share a byte, or where one begins at the other's end: which comes first would be a guess.
fn touches(one: &Edit, other: &Edit) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn touch_each_other(edits: &[Edit]) -> bool {
    edits.iter().enumerate().any(|(at, edit)| edits[at + 1..].iter().any(|other| touches(edit, other)))
}

/// A fix may uncover another; after so many rounds two of them undo each other.
const ROUNDS_MAX: usize = 10;

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn fix(edits: &[(usize, usize, &str)]) -> Fix {
        let edit = |&(start, end, text): &(usize, usize, &str)| Edit { start, end, text: text.into() };
        Fix { title: "mend".into(), edits: edits.iter().map(edit).collect() }
    }

    #[test]
    fn edits_are_made_where_they_do_not_touch() {
        let check = |text: &str, fixes: &[&[(usize, usize, &str)]], expected: &str, made: usize| {
            let fixes: Vec<_> = fixes.iter().map(|edits| fix(edits)).collect();
            let found = with_fixes(text, &fixes.iter().collect::<Vec<_>>());
            assert_eq!(found, (expected.to_owned(), made), "{text:?}");
        };
        check("abcd", &[&[(1, 2, "X")]], "aXcd", 1);
        check("abcd", &[&[(3, 4, "Y")], &[(0, 1, "")]], "bcY", 2);
        check("abcd", &[&[(0, 2, "X")], &[(1, 3, "Y")]], "Xcd", 1);
        check("abcd", &[&[(1, 1, "X")], &[(1, 1, "Y")]], "aXbcd", 1);
        check("abcd", &[&[(0, 1, "X"), (3, 4, "Y")], &[(3, 4, "Z")]], "XbcY", 1);
        check("abcd", &[&[(0, 2, "X"), (1, 3, "Y")]], "abcd", 0);
        check("abcd", &[&[(2, 9, "X")]], "abcd", 0);
        check("aé", &[&[(0, 2, "X")]], "aé", 0);
        check("abcd", &[&[]], "abcd", 0);
        check("", &[&[(0, 0, "a\n")]], "a\n", 1);
        check("a\r\nb\r\n", &[&[(3, 3, "x\n")]], "a\r\nx\r\nb\r\n", 1);
        check("a\r\nb\r\n", &[&[(3, 3, "x\r\n")]], "a\r\nx\r\nb\r\n", 1);
        check("a\nb\r\n", &[&[(2, 2, "x\n")]], "a\nx\nb\r\n", 1);
        check("\u{feff}a", &[&[(3, 4, "b")]], "\u{feff}b", 1);
    }

    quickcheck! {
        fn no_edit_of_any_kind_panics(text: String, edits: Vec<(u8, u8, String)>) -> bool {
            let edits = edits.iter().map(|(start, end, text)| fix(&[((*start).into(), (*end).into(), text)]));
            let fixes: Vec<_> = edits.collect();
            let (mended, made) = with_fixes(&text, &fixes.iter().collect::<Vec<_>>());
            made <= fixes.len() && (made > 0 || mended == text)
        }
    }
}

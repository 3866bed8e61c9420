//! `{{ STEP }}` in a prompt: which parts of the text are words, and which stand for another step's comment.
//!
//! One pass from left to right, and what is put in is never looked at again. There are names and nothing else: no
//! expressions, no filters, and no way to write `{{` as a word. Which names are there is for the parser.

use memchr::memmem;

/// A part of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Words, as they are.
    Text(&'t str),
    /// A place for a step's newest comment.
    Slot {
        /// The step's name.
        name: &'t str,
        /// The first byte of its `{{`.
        start: usize,
        /// The byte after its `}}`.
        end: usize,
    },
}

/// Something that begins like a slot and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSlot {
    /// The first byte of its `{{`.
    pub start: usize,
    /// The byte after its `}}`, or after its `{{` where it is never closed.
    pub end: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

/// Gives the pieces of a prompt in order. Where none is bad they are the whole text, put together.
pub fn pieces(text: &str) -> Pieces<'_> {
    Pieces { text, at: 0 }
}

/// The pieces of a prompt that are still to come.
#[derive(Clone, Debug)]
pub struct Pieces<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Result<Piece<'t>, BadSlot>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        match memmem::find(rest.as_bytes(), b"{{") {
            Some(0) => Some(self.slot(rest)),
            found => {
                let words = &rest[..found.unwrap_or(rest.len())];
                self.at += words.len();
                Some(Ok(Piece::Text(words)))
            }
        }
    }
}

impl<'t> Pieces<'t> {
    /// Reads the slot that the rest begins with.
    fn slot(&mut self, rest: &'t str) -> Result<Piece<'t>, BadSlot> {
        let start = self.at;
        let bad = |end: usize, why| Err(BadSlot { start, end, why });
        let Some(close) = memmem::find(&rest.as_bytes()[2..], b"}}") else {
            self.at = self.text.len();
            return bad(start + 2, "this `{{` is never closed");
        };
        let end = start + close + 4;
        self.at = end;
        let name = rest[2..close + 2].trim_matches([' ', '\t']);
        if name.is_empty() {
            return bad(end, "no step is named between `{{` and `}}`");
        }
        if name.contains(|c: char| c.is_control() || matches!(c, '{' | '}' | '<' | '>')) {
            return bad(end, "only a step's name can stand between `{{` and `}}`");
        }
        Ok(Piece::Slot { name, start, end })
    }
}

#[cfg(test)]
mod tests {
    use alloc::{
        format,
        string::{String, ToString},
        vec::Vec,
    };

    use super::*;

    /// Shows words as they are, slots as `<name>`, what is neither as `!start-end`.
    fn shown(text: &str) -> String {
        let show = |piece| match piece {
            Ok(Piece::Text(words)) => words.to_string(),
            Ok(Piece::Slot { name, .. }) => format!("<{name}>"),
            Err(BadSlot { start, end, .. }) => format!("!{start}-{end}"),
        };
        pieces(text).map(show).collect()
    }

    #[test]
    fn a_slot_is_a_name_in_two_braces() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text:?}");
        check("", "");
        check("no slot", "no slot");
        check("{{plan}}", "<plan>");
        check("see {{ plan }}, then {{\treview\t}}.", "see <plan>, then <review>.");
        check("{{ run tests }}", "<run tests>");
        check("{{a}}{{b}}", "<a><b>");
        check("{ a } }} {", "{ a } }} {");
        check("é {{ é }} é", "é <é> é");
        check("a {{ b", "a !2-4");
        check("{{", "!0-2");
        check("{{{{", "!0-2");
        check("{{}} x", "!0-4 x");
        check("{{   }}", "!0-7");
        check("{{ a\nb }}", "!0-9");
        check("{{{ a }}}", "!0-8}");
        check("{{ {{ a }} }}", "!0-10 }}");
        check("{{ a }} {{ b", "<a> !8-10");
        check("{{ a <b> }}", "!0-11");
    }

    #[test]
    fn the_pieces_are_the_whole_text_in_order() {
        fn whole(picks: Vec<u8>) -> bool {
            let parts = ["{", "{{", "}", "}}", " ", "a", "é", "\n", "{{ a }}"];
            let text: String = picks.iter().map(|pick| parts[usize::from(*pick) % parts.len()]).collect();
            let mut at = 0;
            for piece in pieces(&text) {
                match piece {
                    Ok(Piece::Text(words)) => {
                        if words.is_empty() || !text[at..].starts_with(words) {
                            return false;
                        }
                        at += words.len();
                    }
                    Ok(Piece::Slot { start, end, .. }) => {
                        if start != at || !text[start..end].starts_with("{{") || !text[start..end].ends_with("}}") {
                            return false;
                        }
                        at = end;
                    }
                    Err(bad) => {
                        if bad.start != at {
                            return false;
                        }
                        at = if text[at..].contains("}}") && bad.end > at + 2 { bad.end } else { text.len() };
                    }
                }
            }
            at == text.len()
        }
        quickcheck::QuickCheck::new().tests(2_000).quickcheck(whole as fn(Vec<u8>) -> bool);
    }
}

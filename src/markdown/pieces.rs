//! What a model wrote as the words of one comment or of several (decisions 4 and 10).
//!
//! A cut can make text act that was quiet before it: the rest of a line starts one, and the rest of inline
//! code is code no more. So every piece is made safe after it is cut, and cut smaller where that makes it
//! too long.

use alloc::{string::String, vec::Vec};

use super::{
    defuse::{Guests, as_code, defuse},
    plain::unix_lines,
    split::{Splitter, units},
};

/// Makes a text safe to post in pieces of at most `room` units, from 200 on; the last leaves `tail` of them free.
///
/// Each piece is what `defuse` makes of it: nothing in it acts, and a marker in a paragraph of its own after it
/// is at top level. There is one piece where all fits. Where the last words leave no room for the tail, an empty
/// piece follows them.
pub fn pieces(text: &str, room: usize, tail: usize, guests: &Guests) -> Vec<String> {
    let whole = defuse(text, guests);
    if units(&whole) + tail <= room {
        return Vec::from([whole]);
    }
    let text = unix_lines(&whole);
    let sizes = sizes(room);
    let splitter = Splitter::new(&text, sizes[sizes.len() - 1]);
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (piece, next) = piece(&splitter, at, room, sizes, guests);
        pieces.push(piece);
        at = next;
    }
    if pieces.last().is_none_or(|last| units(last) + tail > room) {
        pieces.push(String::new());
    }
    pieces
}

/// How much of the text is tried for a piece, in turn. The last leaves room for showing it as code.
fn sizes(room: usize) -> [usize; 4] {
    [room, room - room / 8, room / 2, room / 4]
}

/// Gives the piece that starts at a place, and where the next one starts.
fn piece(splitter: &Splitter<'_>, at: usize, room: usize, sizes: [usize; 4], guests: &Guests) -> (String, usize) {
    let mut shortest = (String::new(), at);
    for size in sizes {
        let (part, next) = splitter.part(at, size);
        let safe = defuse(&part, guests);
        if units(&safe) <= room {
            return (safe, next);
        }
        shortest = (part, next);
    }
    (as_code(&shortest.0), shortest.1)
}

#[cfg(test)]
mod tests;

//! What a program writes to one pipe, kept within bounds: the beginning and the end (fault kind 5.2).
//!
//! Bytes are kept raw and read as text once they are all there, so that neither a character nor a secret is cut where two
//! reads meet. Secrets are masked before the cut, with enough kept on both sides of it to know them by.

use std::{collections::VecDeque, ops::Range};

use nebuko::process::Captured;

use crate::secret::{MASK, Masker};

/// The bytes of one pipe that are kept while the program runs.
pub(super) struct Kept {
    /// The first bytes: all that is shown, and the overlap.
    head: Vec<u8>,
    /// The last bytes: half of what is shown, and the overlap.
    tail: VecDeque<u8>,
    total: u64,
    /// How far beyond a cut is looked for secrets.
    overlap: usize,
}

impl Kept {
    /// Starts with nothing.
    pub(super) fn new(masker: &Masker) -> Self {
        let overlap = OVERLAP_BYTES_MIN.max(masker.longest().saturating_mul(ESCAPED_BYTES_MAX));
        Self { head: Vec::new(), tail: VecDeque::new(), total: 0, overlap }
    }

    /// Takes what was written next.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (KEPT_BYTES_MAX + self.overlap).saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend(bytes);
        let excess = self.tail.len().saturating_sub(HALF_BYTES + self.overlap);
        self.tail.drain(..excess);
    }

    /// Gives it as text without secrets.
    pub(super) fn captured(mut self, masker: &Masker) -> Captured {
        if self.total <= KEPT_BYTES_MAX as u64 {
            let whole = Text::of(&self.head, masker);
            if whole.text.len() <= KEPT_BYTES_MAX {
                let all = 0..whole.text.len();
                return Captured { head: whole.shown(&all), replaced: whole.is_replaced(&all), ..Captured::default() };
            }
        }
        self.head.truncate(HALF_BYTES + self.overlap);
        let head = Text::of(&self.head, masker);
        let tail = Text::of(self.tail.make_contiguous(), masker);
        let (first, last) = (head.first(HALF_BYTES), tail.last(HALF_BYTES));
        let kept = (head.bytes(&first) + tail.bytes(&last)) as u64;
        Captured {
            head: head.shown(&first),
            tail: tail.shown(&last),
            left_out: self.total.saturating_sub(kept),
            replaced: head.is_replaced(&first) || tail.is_replaced(&last),
        }
    }
}

/// Bytes read as text.
struct Text {
    text: String,
    /// Where U+FFFD stands for bytes that are no UTF-8, and for how many.
    replaced: Vec<(usize, usize)>,
    /// Where secrets stand, in order.
    secrets: Vec<Range<usize>>,
}

impl Text {
    fn of(bytes: &[u8], masker: &Masker) -> Self {
        let (mut text, mut replaced) = (String::with_capacity(bytes.len()), Vec::new());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                replaced.push((text.len(), chunk.invalid().len()));
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        let secrets = masker.find(&text);
        Self { text, replaced, secrets }
    }

    /// The beginning of so many bytes at most, without a secret that would be cut.
    fn first(&self, bytes_max: usize) -> Range<usize> {
        let end = bytes_max.min(self.text.len());
        let end = (0..=end).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        0..self.secret_across(end).map_or(end, |secret| secret.start)
    }

    /// The end of so many bytes at most, without a secret that would be cut.
    fn last(&self, bytes_max: usize) -> Range<usize> {
        let end = self.text.len();
        let start = end.saturating_sub(bytes_max);
        let start = (start..=end).find(|at| self.text.is_char_boundary(*at)).unwrap_or(end);
        self.secret_across(start).map_or(start, |secret| secret.end)..end
    }

    fn secret_across(&self, at: usize) -> Option<&Range<usize>> {
        self.secrets.iter().find(|secret| secret.start < at && at < secret.end)
    }

    /// A part of it with its secrets masked. None of them reaches over its ends.
    fn shown(&self, part: &Range<usize>) -> String {
        let (mut shown, mut done) = (String::with_capacity(part.len()), part.start);
        for secret in self.secrets.iter().filter(|secret| part.start <= secret.start && secret.end <= part.end) {
            shown.push_str(&self.text[done..secret.start]);
            shown.push_str(MASK);
            done = secret.end;
        }
        shown.push_str(&self.text[done..part.end]);
        shown
    }

    fn is_replaced(&self, part: &Range<usize>) -> bool {
        self.replaced.iter().any(|(at, _)| part.contains(at))
    }

    /// How many bytes of the pipe a part stands for.
    fn bytes(&self, part: &Range<usize>) -> usize {
        let longer = self.replaced.iter().filter(|(at, _)| part.contains(at));
        part.len() - longer.map(|(_, bytes)| char::REPLACEMENT_CHARACTER.len_utf8() - bytes).sum::<usize>()
    }
}

/// Decision 7: 256 KiB a pipe, as text.
const KEPT_BYTES_MAX: usize = 256 * 1024;
const HALF_BYTES: usize = KEPT_BYTES_MAX / 2;
/// More than a character, so that one which is cut at the edge of what is kept is never shown.
const OVERLAP_BYTES_MIN: usize = 64;
/// How many bytes JSON makes of one when a text is escaped four times over: eight `\`, then `u0000`.
const ESCAPED_BYTES_MAX: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    const SECRET: &str = "hunter2/hunter2";

    fn captured(bytes: &[u8], piece: usize) -> Captured {
        let masker = Masker::new([], &[Secret::new(SECRET)]);
        let mut kept = Kept::new(&masker);
        bytes.chunks(piece).for_each(|piece| kept.add(piece));
        kept.captured(&masker)
    }

    #[test]
    fn what_fits_is_kept_whole() {
        let check = |bytes: &[u8], head: &str, replaced: bool| {
            for piece in [1, 2, 3, 1000] {
                let expected = Captured { head: head.into(), replaced, ..Captured::default() };
                assert_eq!(captured(bytes, piece), expected, "{bytes:?} by {piece}");
            }
        };
        check(b"", "", false);
        check("日本\r\n\0".as_bytes(), "日本\r\n\0", false);
        check(b"a\xff\xfelast line\n", "a\u{fffd}\u{fffd}last line\n", true);
        check(b"\xe6\x97", "\u{fffd}", true);
        check("\u{fffd}".as_bytes(), "\u{fffd}", false);
        check(b"a hunter2/hunter2 b", "a *** b", false);
        check(b"a hunter2\\/\\u0068unter2 b", "a *** b", false);
    }

    #[test]
    fn the_bound_is_met_to_the_byte() {
        let check = |length: usize, head: usize, tail: usize, left_out: u64| {
            let found = captured(&vec![b'x'; length], 4096);
            assert_eq!((found.head.len(), found.tail.len(), found.left_out), (head, tail, left_out), "{length}");
        };
        check(KEPT_BYTES_MAX - 1, KEPT_BYTES_MAX - 1, 0, 0);
        check(KEPT_BYTES_MAX, KEPT_BYTES_MAX, 0, 0);
        check(KEPT_BYTES_MAX + 1, HALF_BYTES, HALF_BYTES, 1);
        check(3 * KEPT_BYTES_MAX, HALF_BYTES, HALF_BYTES, 2 * KEPT_BYTES_MAX as u64);
    }

    #[test]
    fn a_cut_is_on_a_character_and_no_bad_byte_makes_it_longer() {
        let long = "日".repeat(KEPT_BYTES_MAX);
        for skip in 0..3 {
            let found = captured(&long.as_bytes()[skip..], 1000);
            assert!(found.tail.chars().all(|letter| letter == '日') && found.tail.len() > HALF_BYTES - 3, "{skip}");
            assert_eq!(found.replaced, skip > 0, "{skip}: only what is no UTF-8 is replaced, never what is cut");
            let shown = found.head.trim_start_matches('\u{fffd}');
            assert!(shown.chars().all(|letter| letter == '日') && found.head.len() > HALF_BYTES - 3, "{skip}");
        }
        // Each bad byte is shown in three, so that half of what would fit is left out.
        let found = captured(&vec![0xff; KEPT_BYTES_MAX], 1000);
        let kept = 2 * (HALF_BYTES as u64 / 3);
        assert_eq!((found.left_out, found.replaced), (KEPT_BYTES_MAX as u64 - kept, true));
        assert!(found.head.len() + found.tail.len() <= KEPT_BYTES_MAX);
    }

    #[test]
    fn no_rest_of_a_secret_stays_at_a_cut() {
        let secrets = [SECRET.to_owned(), SECRET.chars().map(|sign| format!("\\\\u{:04x}", u32::from(sign))).collect()];
        for secret in secrets {
            for shift in 0..=secret.len() {
                let mut bytes = vec![b'.'; 3 * KEPT_BYTES_MAX];
                let (head, tail) = (HALF_BYTES - shift, bytes.len() - HALF_BYTES - shift);
                bytes[head..head + secret.len()].copy_from_slice(secret.as_bytes());
                bytes[tail..tail + secret.len()].copy_from_slice(secret.as_bytes());
                let found = captured(&bytes, 4096);
                let is_clean = |text: &str| text.chars().all(|sign| matches!(sign, '.' | '*'));
                assert!(is_clean(&found.head) && is_clean(&found.tail), "{secret} {shift}");
            }
        }
    }

    #[test]
    fn many_secrets_before_a_cut_bring_no_half_one_nearer() {
        // Masked, everything is far shorter; the cut stays where it was in what was written.
        let text = format!("{SECRET} ").repeat(60_000);
        for piece in [1000, 4096] {
            let found = captured(text.as_bytes(), piece);
            let rest = format!("{}{}", found.head, found.tail).replace("***", "").replace(' ', "");
            assert_eq!(rest, "");
            assert!(found.left_out > 0);
        }
    }

    #[test]
    fn what_is_kept_and_what_is_left_out_add_up() {
        fn holds(pieces: Vec<Vec<u8>>, times: u8) -> bool {
            let mut bytes = pieces.concat().repeat(usize::from(times) * 40);
            bytes.truncate(2 * KEPT_BYTES_MAX);
            let found = captured(&bytes, 777);
            let within = found.head.len() + found.tail.len() <= KEPT_BYTES_MAX;
            let cut = bytes.len() > KEPT_BYTES_MAX;
            let whole = found.left_out == 0 && found.tail.is_empty();
            let same = whole && found.head == String::from_utf8_lossy(&bytes);
            within && (same || found.left_out > 0 && (cut || found.replaced))
        }
        quickcheck::quickcheck(holds as fn(Vec<Vec<u8>>, u8) -> bool);
    }
}

use std::{format, string::String, vec::Vec};

use quickcheck::quickcheck;

use super::*;
use crate::markdown::scan::oracle::Markdown;

fn check(text: &str, first: usize, rest: usize, expected: &[&str]) {
    assert_eq!(split(text, first, rest), expected, "{text:?} at {first} and {rest}");
}

#[test]
fn a_text_is_cut_where_it_reads_best() {
    check("short", 10, 10, &["short"]);
    check("", 10, 10, &[""]);
    check("one two\n\nthree\nfour", 15, 10, &["one two", "three\nfour"]);
    check("one two\nthree four", 12, 10, &["one two", "three four"]);
    check("one two three", 9, 10, &["one two", "three"]);
    check("abcdefghij", 4, 3, &["abcd", "efg", "hij"]);
    check("a\n\nbcdefghij", 10, 10, &["a\n\nbcdefgh", "ij"]);
    check("abc\r\ndef", 4, 4, &["abc", "def"]);
}

#[test]
fn no_character_is_cut() {
    check("界界界", 2, 2, &["界界", "界"]);
    check("😀😀", 3, 3, &["😀", "😀"]);
    check("😀", 0, 0, &["😀"]);
    check("abe\u{301}f", 3, 3, &["ab", "e\u{301}f"]);
    check("ab👩\u{200d}🚀", 6, 9, &["ab", "👩\u{200d}🚀"]);
}

#[test]
fn a_fence_is_closed_at_a_cut_and_opened_again() {
    let code = format!("text\n\n```rust\n{}\n```\nend", ["let a = 1;"; 9].join("\n"));
    let parts = split(&code, 80, 80);
    assert_eq!(parts.len(), 2, "{parts:#?}");
    assert!(parts[0].starts_with("text\n\n```rust\nlet") && parts[0].ends_with("1;\n```"), "{parts:#?}");
    assert!(parts[1].starts_with("```rust\nlet") && parts[1].ends_with("1;\n```\nend"), "{parts:#?}");
    let open = format!("~~~~ a\n{}", "x".repeat(100));
    let parts = split(&open, 60, 60);
    assert!(
        parts[0].ends_with("x\n~~~~") && parts[1].starts_with("~~~~ a\nx") && parts[1].ends_with('x'),
        "{parts:#?}"
    );
}

#[test]
fn a_long_output_in_one_fence_fits() {
    let text = format!("```\n{}\n```\n", "界".repeat(70_000));
    let parts = split(&text, 65_000, 65_400);
    assert_eq!(parts.len(), 2);
    assert!(
        parts
            .iter()
            .all(|part| units(part) <= 65_400 && part.starts_with("```\n") && part.trim_end().ends_with("\n```"))
    );
    assert_eq!(parts.concat().matches('界').count(), 70_000);
}

quickcheck! {
    fn every_part_fits_and_nothing_is_lost(text: Markdown, first: u8, rest: u8) -> bool {
        let (first, rest) = (usize::from(first).max(2), usize::from(rest).max(2));
        let parts = split(&text.0, first, rest);
        let fits = parts.iter().enumerate().all(|(at, part)| units(part) <= if at == 0 { first } else { rest });
        // Fence lines may come on top; everything else is there in its order.
        let whole: Vec<char> = parts.concat().chars().filter(|c| !c.is_whitespace()).collect();
        let mut rest = whole.iter();
        let kept = text.0.chars().filter(|c| !c.is_whitespace()).all(|c| rest.any(|found| *found == c));
        fits && kept
    }

    fn plain_text_comes_back(text: String, first: u8, rest: u8) -> bool {
        let text = text.replace(['`', '~'], "a");
        let squeeze = |text: &str| text.chars().filter(|c| !matches!(c, ' ' | '\n' | '\r')).collect::<String>();
        squeeze(&split(&text, first.into(), rest.into()).concat()) == squeeze(&text)
    }
}

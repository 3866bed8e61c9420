use std::{format, string::String, vec::Vec};

use quickcheck::{TestResult, quickcheck};

use super::*;
use crate::{
    command,
    markdown::{Scan, defuse::tests::Hostile, markers},
    sentinel,
};

const ROOM: usize = 65_024;

fn guests() -> Guests {
    Guests { logins: Vec::from([String::from("Dana")]) }
}

/// Gives what is wrong with the pieces of a text, or nothing.
fn fault(text: &str, room: usize, tail: usize) -> Option<String> {
    let pieces = pieces(text, room, tail, &guests());
    let whole = defuse(text, &guests());
    if units(&whole) + tail <= room && pieces != [whole.as_str()] {
        return Some("it fits and is cut".into());
    }
    for piece in &pieces {
        if let Some(fault) = fault_of(piece, room) {
            return Some(format!("{fault}: {piece:.200?}"));
        }
    }
    let Some(last) = pieces.last() else { return Some("there is no piece".into()) };
    if units(last) > room.saturating_sub(tail) {
        return Some(format!("the last leaves no room for the tail: {last:.200?}"));
    }
    let mut shown = pieces.iter().flat_map(|piece| piece.chars());
    let lost = text.chars().filter(|c| c.is_alphanumeric()).find(|c| !shown.any(|found| found == *c));
    lost.map(|lost| format!("{lost:?} is lost"))
}

fn fault_of(piece: &str, room: usize) -> Option<&'static str> {
    let acts = !command::asks(piece, ["dev", "a"]).is_empty()
        || command::is_command(piece)
        || markers(piece).any()
        || sentinel::find(piece) != sentinel::Found::None;
    let dispatch = "<!-- AGENT_RUN_CONFIG {\"task\":\"dev\"} -->";
    let posted = format!("<!-- bot-workflow-terminal -->\n\n{piece}\n\n{dispatch}");
    let scan = Scan::new(&posted);
    let found: Vec<&str> = scan.comments().iter().map(|range| &posted[range.clone()]).collect();
    if units(piece) > room {
        Some("it is too long")
    } else if acts {
        Some("it acts")
    } else if defuse(piece, &guests()) != piece {
        Some("it is not safe")
    } else if found.first() != Some(&"<!-- bot-workflow-terminal -->") || found.last() != Some(&dispatch) {
        Some("it hides what follows")
    } else if !matches!(sentinel::find(&posted), sentinel::Found::Valid(_)) {
        Some("the sentinel is not read")
    } else {
        None
    }
}

#[test]
fn no_cut_makes_text_act() {
    let check = |text: String, count: std::ops::RangeInclusive<usize>| {
        for tail in [0, 9_000] {
            assert_eq!(fault(&text, ROOM, tail), None, "{:.40}", text);
        }
        let pieces = pieces(&text, ROOM, 0, &guests());
        assert!(count.contains(&pieces.len()), "{:.40} is {} pieces", text, pieces.len());
    };
    check(format!("a{}", " ~~~".repeat(20_001)), 2..=3);
    check(format!("a{}", " ~~~ x".repeat(20_000)), 2..=3);
    check(format!("`{}`", "a ~~~ ".repeat(12_000)), 2..=3);
    check(format!("```{}\nabc\n```", "i".repeat(70_000)), 2..=3);
    check(format!("a{}", " <!--".repeat(15_000)), 2..=4);
    check(format!("`{}`", "a @nobody ".repeat(8_000)), 2..=4);
    check(format!("aaaa{}", " /nebuko stop".repeat(8_000)), 2..=3);
    check(format!("a{}", " @@dev".repeat(12_000)), 2..=4);
    check(format!("a{}", " <details>".repeat(8_000)), 2..=4);
    check("~".repeat(140_000), 3..=12);
    check(format!("a{}", " @a".repeat(40_000)), 2..=8);
    check((1..360).map(|count| "`".repeat(count) + " @a").collect(), 2..=40);
    check("a b\n\n".repeat(20_000), 2..=2);
}

#[test]
fn a_tail_that_the_last_words_leave_no_room_for_stands_alone() {
    let check = |text: &str, tail: usize, expected: &[&str]| {
        assert_eq!(pieces(text, 200, tail, &guests()), expected, "{text:?} and {tail}");
    };
    let (long, short) = ("a".repeat(190), "b ".repeat(20));
    check("a", 199, &["a"]);
    check("a", 200, &["a", ""]);
    check("a", 500, &["a", ""]);
    check("", 200, &[""]);
    check("", 500, &[""]);
    check(&format!("{long}\n\n{short}"), 100, &[&long, &short]);
    check(&format!("{long}\n\n{short}"), 170, &[&long, &short, ""]);
}

#[test]
fn a_fence_is_open_in_every_piece_of_it() {
    let text = format!("```rust\n{}```\nend", "let a = 1;\n".repeat(10_000));
    let pieces = pieces(&text, ROOM, 0, &guests());
    assert_eq!(pieces.len(), 2);
    assert!(pieces[0].starts_with("```rust\nlet") && pieces[0].ends_with(";\n```"));
    assert!(pieces[1].starts_with("```rust\nlet") && pieces[1].ends_with(";\n```\nend"));
}

#[test]
fn a_long_text_takes_linear_time() {
    let openers = [
        "`",
        "``a ",
        "<a ",
        "<!-- ",
        "<b>",
        "- ",
        "> ",
        "<pre>",
        "@a ",
        "@@a\n",
        "~~~\n",
        "/nebuko\n",
        "&#64;a",
        "_@a_",
    ];
    for opener in openers {
        let started = std::time::Instant::now();
        let text = opener.repeat(100_000 / opener.len());
        assert_eq!(fault(&text, ROOM, 100), None, "{opener:?}");
        assert!(started.elapsed().as_secs() < 60, "{opener:?} took {:?}", started.elapsed());
    }
}

quickcheck! {
    fn pieces_are_safe_and_whole(texts: Vec<Hostile>, room: u8, tail: u16) -> TestResult {
        let text: String = texts.iter().map(|text| text.0.as_str()).collect();
        match fault(&text, 200 + usize::from(room), usize::from(tail % 512)) {
            Some(fault) => TestResult::error(format!("{fault} in {text:?}")),
            None => TestResult::passed(),
        }
    }

    fn any_text_is_safe_in_pieces(text: String, times: u8, room: u8) -> TestResult {
        let text = text.repeat(usize::from(times % 16));
        match fault(&text, 200 + usize::from(room), 0) {
            Some(fault) => TestResult::error(format!("{fault} in {text:?}")),
            None => TestResult::passed(),
        }
    }
}

//! A report out of its fields: each under a heading of its own that nothing in another field can stand above.

use alloc::{
    format,
    string::{String, ToString},
};

use super::fields::Given;
use crate::{
    markdown::{Guests, Outline, defuse, unix_lines},
    setup::FieldKind,
};

/// Makes the heading of a field out of its name: `open_questions` is `Open questions`.
pub(crate) fn heading(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut chars = words.trim().chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Renders a report: what stands before the fields, then each field under its heading, in order.
///
/// Each piece is made safe by itself, so that no fence or comment in it takes in what follows.
pub(super) fn report(before: &str, fields: &[Given<'_>], guests: &Guests) -> String {
    let mut report = defuse(before.trim(), guests);
    for (field, text) in fields {
        if !report.is_empty() {
            report.push_str("\n\n");
        }
        report.push_str(&format!("## {}\n\n", heading(&field.name)));
        match field.kind {
            FieldKind::Json => report.push_str(&fenced(text.trim())),
            FieldKind::Text | FieldKind::Table => report.push_str(&defuse(&lowered(text), guests)),
        }
    }
    report
}

/// Moves the headings of a field's text below the field's own, all by as much, so that their order stays.
fn lowered(text: &str) -> String {
    let text = unix_lines(text);
    let text = text.trim_matches('\n').trim_end();
    let outline = Outline::new(text);
    let highest = outline.headings.iter().map(|heading| heading.level).min().unwrap_or(LEVEL_MAX);
    let down = (FIELD_LEVEL + 1).saturating_sub(highest);
    if down == 0 {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len() + outline.headings.len() * down);
    let mut from = 0;
    for heading in &outline.headings {
        let marks = "#".repeat((heading.level + down).min(LEVEL_MAX));
        // The text of an underlined heading may go over lines, and one that starts with `#` may not.
        out.push_str(&text[from..heading.start]);
        out.push_str(&format!("{marks} {}", heading.words.replace('\n', " ")));
        from = heading.end;
    }
    out.push_str(&text[from..]);
    out
}

/// Puts JSON into a fence that nothing in it can close. What starts a comment is written so that it starts none and means
/// the same to a JSON reader: `<` stands in texts only.
fn fenced(json: &str) -> String {
    let json = json.replace("<!--", "\\u003c!--");
    let longest = json.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}json\n{json}\n{fence}")
}

/// The level of a field's heading.
const FIELD_LEVEL: usize = 2;
/// The lowest level there is.
const LEVEL_MAX: usize = 6;

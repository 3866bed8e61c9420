//! A picture as an SVG that stands alone: no script, no font and no file from elsewhere.
//!
//! It follows the reader's choice of light or dark, and has the whole picture in words for a screen reader. Where
//! things go is for `layout`, how a step looks for `shape`.

use alloc::{format, string::String, vec::Vec};
use core::fmt::Write as _;

use super::{
    Edge, GroupId, Picture,
    layout::{LOOP_REACH, Layout, Line, Piece, Px, Rect, Size, Sizes, TooMany, layout},
    words::{self, face, group_title, label},
};
use measure::{DETAIL, LABEL, TITLE, width};
use shape::Shape;

mod measure;
mod shape;

/// As many places are laid out: one for a node, and one for every row that a route passes. More is no picture.
pub const PLACES_MAX: usize = 20_000;

/// A picture is too large to be laid out: it needs more than [`PLACES_MAX`] places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a picture with {nodes} nodes and {edges} edges is too large to be laid out")]
pub struct TooLarge {
    /// How many nodes it has.
    pub nodes: usize,
    /// How many edges.
    pub edges: usize,
}

/// Writes a picture as SVG.
///
/// # Errors
/// It is too large.
pub fn svg(picture: &Picture) -> Result<String, TooLarge> {
    let shapes: Vec<_> = picture.nodes.iter().map(|node| Shape::of(node, face(picture, node.id))).collect();
    let labels: Vec<_> = picture.edges.iter().map(label).collect();
    let sizes = Sizes {
        nodes: shapes.iter().map(Shape::size).collect(),
        head: head_size(picture),
        titles: picture.groups.iter().map(title_size).collect(),
        labels: labels.iter().map(|label| label_size(label)).collect(),
    };
    let too_large = |TooMany| TooLarge { nodes: picture.nodes.len(), edges: picture.edges.len() };
    let layout = layout(picture, &sizes, PLACES_MAX).map_err(too_large)?;
    let mut text = head(picture, &layout);
    for (group, rect) in picture.groups.iter().zip(&layout.groups) {
        write_group(group.id, &group_title(group), group.step.gate.is_some(), rect, &mut text);
    }
    for (edge, line) in picture.edges.iter().zip(&layout.lines) {
        write_line(edge, line, &mut text);
    }
    for (shape, rect) in shapes.iter().zip(&layout.nodes) {
        shape.write(rect, &mut text);
    }
    for ((edge, line), label) in picture.edges.iter().zip(&layout.lines).zip(&labels) {
        write_label(edge, label, line, &mut text);
    }
    text.push_str("</svg>\n");
    Ok(text)
}

fn head_size(picture: &Picture) -> Size {
    let about = about(picture);
    let words = about.iter().map(|line| width(line, DETAIL)).max().unwrap_or_default();
    let height = 24 + 17 * about.len() as Px;
    Size { width: width(&words::name(&picture.workflow), TITLE).max(words), height }
}

/// Gives what the workflow is for, in lines.
fn about(picture: &Picture) -> Vec<String> {
    words::two_lines(&words::line(&picture.description, 3 * ABOUT_CHARS), ABOUT_CHARS)
}

fn title_size(group: &super::Group) -> Size {
    let lock = if group.step.gate.is_some() { shape::LOCK_ROOM } else { 0 };
    Size { width: width(&group_title(group), TITLE) + lock, height: GROUP_TITLE_HEIGHT }
}

fn label_size(label: &str) -> Size {
    if label.is_empty() { Size::default() } else { Size { width: width(label, LABEL) + 10, height: LABEL_HEIGHT } }
}

fn head(picture: &Picture, layout: &Layout) -> String {
    let Size { width, height } = layout.size;
    let name = escaped(&words::name(&picture.workflow));
    let whole = escaped(&words::description(picture));
    let open = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"");
    let view = format!("viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title about\"");
    let mut text = format!("{open} {view}>\n<title id=\"title\">{name}</title>\n<desc id=\"about\">{whole}</desc>\n");
    text.push_str(STYLE);
    let _ = writeln!(text, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>");
    let _ = writeln!(text, "<text class=\"title\" x=\"16\" y=\"28\">{name}</text>");
    for (line, base) in about(picture).iter().zip([46, 63]) {
        let _ = writeln!(text, "<text x=\"16\" y=\"{base}\">{}</text>", escaped(line));
    }
    text
}

fn write_group(id: GroupId, title: &str, is_gate: bool, rect: &Rect, text: &mut String) {
    let Rect { x, y, width, height } = rect;
    let class = if is_gate { "group gate" } else { "group" };
    let _ = writeln!(text, "<g id=\"{id}\" class=\"{class}\">");
    let _ = writeln!(text, "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>");
    let (mut left, base) = (x + 14, y + 24);
    if is_gate {
        shape::write_lock(left, base - 11, text);
        left += shape::LOCK_ROOM;
    }
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{base}\">{}</text>\n</g>", escaped(title));
}

/// Gives the classes of an edge, and its arrow.
fn look(edge: &Edge) -> (&'static str, &'static str) {
    match (edge.release, edge.back) {
        (false, false) => ("way", "tip"),
        (true, false) => ("way release", "tip-release"),
        (false, true) => ("way loop", "tip-loop"),
        (true, true) => ("way loop release", "tip-loop"),
    }
}

fn write_line(edge: &Edge, line: &Line, text: &mut String) {
    let path = match line.pieces.as_slice() {
        [] => around(&line.label),
        pieces if edge.back => down(pieces.iter().rev().map(|piece| (piece.x, piece.bottom, piece.top)), line.label),
        pieces => down(pieces.iter().map(|Piece { x, top, bottom }| (*x, *top, *bottom)), line.label),
    };
    let (class, tip) = look(edge);
    let _ = writeln!(text, "<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#{tip})\"/>");
}

/// Writes the way through vertical pieces, each from its first to its second height. Curves join them, and where the
/// label stands there is a gap.
fn down(pieces: impl Iterator<Item = (Px, Px, Px)>, label: Rect) -> String {
    let mut path = String::new();
    let mut before: Option<(Px, Px)> = None;
    for (x, from, to) in pieces {
        let _ = match before {
            None => write!(path, "M{x} {from}"),
            Some((before_x, _)) if before_x == x => write!(path, "V{from}"),
            Some((before_x, y)) => {
                let middle = (y + from) / 2;
                write!(path, "C{before_x} {middle} {x} {middle} {x} {from}")
            }
        };
        let is_gap = label.width > 0 && label.y == from.min(to) && label.x < x && x < label.x + label.width;
        if from != to {
            let _ = if is_gap { write!(path, "M{x} {to}") } else { write!(path, "V{to}") };
        }
        before = Some((x, to));
    }
    path
}

/// Writes the way of a route from a step to itself, which goes around in front of its label.
fn around(label: &Rect) -> String {
    let (left, top) = (label.x - LOOP_REACH, label.y + label.height / 2 - LOOP_HALF);
    let straight = LOOP_REACH - LOOP_HALF - 2;
    // It begins behind the step, whose side may be slanted.
    format!(
        "M{} {top}H{}a{LOOP_HALF} {LOOP_HALF} 0 0 1 0 {}h-{straight}",
        left - LOOP_HALF,
        left + straight,
        2 * LOOP_HALF
    )
}

fn write_label(edge: &Edge, label: &str, line: &Line, text: &mut String) {
    if label.is_empty() {
        return;
    }
    let Rect { x, y, width, height } = line.label;
    let (class, _) = look(edge);
    // Beside a loop it begins where the loop ends, else it stands on the line.
    let (aside, middle) = if line.pieces.is_empty() { (" aside", x + 4) } else { ("", x + width / 2) };
    let base = y + height / 2 + 4;
    let _ =
        writeln!(text, "<text class=\"label {class}{aside}\" x=\"{middle}\" y=\"{base}\">{}</text>", escaped(label));
}

/// Writes a text inside an element or an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

const ABOUT_CHARS: usize = 64;
const LOOP_HALF: Px = 7;
const LABEL_HEIGHT: Px = 18;
const GROUP_TITLE_HEIGHT: Px = 26;
/// Colours of a picture on a light page, then on a dark one; arrows.
const STYLE: &str = include_str!("svg/style.xml");

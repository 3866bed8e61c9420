//! How a step looks: its shape says its kind, its border and a lock say that people release what leaves it.

use alloc::{string::String, vec::Vec};
use core::fmt::Write as _;

use super::{
    escaped,
    measure::{DETAIL, TITLE, width},
};
use crate::graph::{
    Node, NodeId, What, WorkKind,
    layout::{Px, Rect, Size},
    words::Face,
};

/// A node, ready to be placed.
pub(super) struct Shape {
    id: NodeId,
    kind: Option<WorkKind>,
    is_gate: bool,
    name: String,
    lines: Vec<String>,
}

impl Shape {
    pub(super) fn of(node: &Node, face: Face) -> Self {
        let (kind, is_gate) = match &node.what {
            What::Step(facts) => (Some(facts.work), facts.gate.is_some()),
            What::Start { .. } | What::End { .. } => (None, false),
        };
        Self { id: node.id, kind, is_gate, name: face.name, lines: face.lines }
    }

    /// Gives the room it needs.
    pub(super) fn size(&self) -> Size {
        let name = width(&self.name, TITLE) + if self.is_gate { LOCK_ROOM } else { 0 };
        let words = self.lines.iter().map(|line| width(line, DETAIL)).fold(name, Px::max);
        let height = 2 * self.above() + NAME_HEIGHT + LINE_HEIGHT * self.lines.len() as Px;
        Size { width: (words + 2 * self.beside()).max(WIDTH_MIN), height }
    }

    /// Room at each side of the words.
    fn beside(&self) -> Px {
        match self.kind {
            Some(WorkKind::Script) => 24,
            Some(WorkKind::Workflow) => 20,
            Some(WorkKind::Agent | WorkKind::Repo) | None => 14,
        }
    }

    /// Room above and below them.
    fn above(&self) -> Px {
        match self.kind {
            Some(WorkKind::Repo) => 17,
            Some(WorkKind::Agent | WorkKind::Script | WorkKind::Workflow) => 8,
            None => 5,
        }
    }

    pub(super) fn write(&self, rect: &Rect, text: &mut String) {
        let gate = if self.is_gate { " gate" } else { "" };
        let class = match self.kind {
            None => "edge",
            Some(WorkKind::Agent) => "agent",
            Some(WorkKind::Script) => "script",
            Some(WorkKind::Workflow) => "mount",
            Some(WorkKind::Repo) => "repo",
        };
        let _ = writeln!(text, "<g id=\"{}\" class=\"step {class}{gate}\">", self.id);
        self.write_box(rect, text);
        let middle = rect.x + rect.width / 2;
        let mut base = rect.y + self.above() + 14;
        let lock = if self.is_gate { LOCK_ROOM } else { 0 };
        if self.is_gate {
            write_lock(middle - (width(&self.name, TITLE) + lock) / 2, base - 11, text);
        }
        let _ = writeln!(
            text,
            "<text class=\"name\" x=\"{}\" y=\"{base}\">{}</text>",
            middle + lock / 2,
            escaped(&self.name)
        );
        for line in &self.lines {
            base += LINE_HEIGHT;
            let _ = writeln!(text, "<text x=\"{middle}\" y=\"{base}\">{}</text>", escaped(line));
        }
        text.push_str("</g>\n");
    }

    fn write_box(&self, rect: &Rect, text: &mut String) {
        let Rect { x, y, width, height } = *rect;
        let (right, bottom, middle) = (x + width, y + height, y + height / 2);
        let _ = match self.kind {
            Some(WorkKind::Script) => {
                let (left_top, right_top) = (x + 14, right - 14);
                writeln!(
                    text,
                    "<path class=\"box\" d=\"M{left_top} {y}H{right_top}L{right} {middle}L{right_top} {bottom}H{left_top}\
                     L{x} {middle}z\"/>"
                )
            }
            Some(WorkKind::Repo) => {
                let (top, low) = (y + 7, bottom - 7);
                let half = width / 2;
                let lid = alloc::format!("M{x} {top}a{half} 7 0 0 0 {width} 0");
                writeln!(
                    text,
                    "<path class=\"box\" d=\"M{x} {top}a{half} 7 0 0 1 {width} 0V{low}a{half} 7 0 0 1 -{width} 0z{lid}\"/>"
                )
            }
            Some(WorkKind::Workflow) => {
                let (left_bar, right_bar) = (x + 8, right - 8);
                writeln!(
                    text,
                    "<path class=\"box\" d=\"M{x} {y}H{right}V{bottom}H{x}zM{left_bar} {y}V{bottom}M{right_bar} {y}\
                     V{bottom}\"/>"
                )
            }
            Some(WorkKind::Agent) | None => {
                let round = if self.kind.is_some() { 8 } else { height.min(28) / 2 };
                writeln!(
                    text,
                    "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>"
                )
            }
        };
    }
}

/// Draws a lock, 10 wide and 12 high.
pub(super) fn write_lock(x: Px, y: Px, text: &mut String) {
    let (left, top) = (x + 2, y + 6);
    let _ = writeln!(text, "<path class=\"shackle\" d=\"M{left} {top}v-2a3 3 0 0 1 6 0v2\"/>");
    let _ = writeln!(text, "<rect class=\"lock\" x=\"{x}\" y=\"{}\" width=\"10\" height=\"7\" rx=\"1\"/>", y + 5);
}

/// The width that a lock takes before a name.
pub(super) const LOCK_ROOM: Px = 16;
const NAME_HEIGHT: Px = 20;
const LINE_HEIGHT: Px = 16;
const WIDTH_MIN: Px = 64;

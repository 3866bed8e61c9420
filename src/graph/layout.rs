//! Where everything of a picture goes: nodes in rows from top to bottom, routes between them, groups as boxes.
//!
//! A group is laid out by itself first and is then one box in what is around it; a route from or to a place inside
//! it ends at its border. All lengths are whole numbers, so that every machine finds the same. `grid` makes the rows,
//! `order` finds who stands beside whom, `spread` how far apart.

use alloc::{vec, vec::Vec};

use super::{Edge, GroupId, NodeId, Picture};

mod grid;
mod order;
mod spread;

/// A length or a place, in pixels.
pub(super) type Px = i64;

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub width: Px,
    pub height: Px,
}

/// A box, by its left upper corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rect {
    pub x: Px,
    pub y: Px,
    pub width: Px,
    pub height: Px,
}

/// How much room everything needs.
pub(super) struct Sizes {
    /// By node.
    pub nodes: Vec<Size>,
    /// What stands above the whole.
    pub head: Size,
    /// The title of each group.
    pub titles: Vec<Size>,
    /// The label of each edge; empty where there is none.
    pub labels: Vec<Size>,
}

/// Where everything is.
#[derive(Debug)]
pub(super) struct Layout {
    pub size: Size,
    pub nodes: Vec<Rect>,
    pub groups: Vec<Rect>,
    pub lines: Vec<Line>,
}

/// The way of an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The straight pieces of the way, from top to bottom; curves join them. A route that goes back has its end at
    /// the top. Empty for a route from a step to itself, which has the place where it leaves in `label`.
    pub pieces: Vec<Piece>,
    /// Where the label goes.
    pub label: Rect,
}

/// A vertical piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub x: Px,
    pub top: Px,
    pub bottom: Px,
}

/// More slots than `slots_max` would be needed.
#[derive(Debug)]
pub(super) struct TooMany;

/// Lays a picture out.
pub(super) fn layout(picture: &Picture, sizes: &Sizes, slots_max: usize) -> Result<Layout, TooMany> {
    let mut plan = Plan::of(picture, sizes);
    // Groups come after those around them.
    for group in (0..picture.groups.len()).rev() {
        let title = sizes.titles[group];
        let inner = plan.scope(Some(GroupId(group)), slots_max)?;
        let size = Size {
            width: inner.width.max(title.width) + 2 * PADDING,
            height: inner.height + title.height + 2 * PADDING,
        };
        // What is narrower than its title stands in the middle.
        plan.inset[group] = ((size.width - inner.width) / 2, title.height + PADDING);
        plan.groups[group] = size;
    }
    let inner = plan.scope(None, slots_max)?;
    let width = inner.width.max(sizes.head.width);
    let size = Size { width: width + 2 * MARGIN, height: inner.height + sizes.head.height + 2 * MARGIN };
    Ok(plan.finish(size, ((size.width - inner.width) / 2, MARGIN + sizes.head.height)))
}

/// Something in a scope: a node, or a group as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Node(NodeId),
    Group(GroupId),
}

struct Plan<'p> {
    picture: &'p Picture,
    sizes: &'p Sizes,
    /// The edges of each scope: of the workflow itself first, then of each group.
    edges: Vec<Vec<usize>>,
    members: Vec<Vec<Member>>,
    groups: Vec<Size>,
    /// Where the inside of a group begins, from its corner.
    inset: Vec<(Px, Px)>,
    /// Until the end each is placed from the corner of its scope.
    layout: Layout,
}

impl<'p> Plan<'p> {
    fn of(picture: &'p Picture, sizes: &'p Sizes) -> Self {
        let scopes = picture.groups.len() + 1;
        let mut members = vec![Vec::new(); scopes];
        let mut groups = picture.groups.iter().peekable();
        for node in &picture.nodes {
            while let Some(group) = groups.next_if(|group| group.start <= node.id) {
                members[scope_of(group.parent)].push(Member::Group(group.id));
            }
            members[scope_of(node.group)].push(Member::Node(node.id));
        }
        let mut edges = vec![Vec::new(); scopes];
        for (place, edge) in picture.edges.iter().enumerate() {
            edges[scope_of(common(picture, edge))].push(place);
        }
        let layout = Layout {
            size: Size::default(),
            nodes: vec![Rect::default(); picture.nodes.len()],
            groups: vec![Rect::default(); picture.groups.len()],
            lines: vec![Line::default(); picture.edges.len()],
        };
        let nothing = picture.groups.iter().map(|_| Size::default()).collect();
        Self { picture, sizes, edges, members, groups: nothing, inset: vec![(0, 0); picture.groups.len()], layout }
    }

    /// Lays out what stands directly in a scope, and gives how much room it takes.
    fn scope(&mut self, scope: Option<GroupId>, slots_max: usize) -> Result<Size, TooMany> {
        let members = &self.members[scope_of(scope)];
        let sizes: Vec<_> = members.iter().map(|member| self.size_of(*member)).collect();
        let place_of = |node| {
            let member = lifted(self.picture, node, scope);
            members.iter().position(|one| *one == member).unwrap_or_default()
        };
        let edges: Vec<_> = self.edges[scope_of(scope)]
            .iter()
            .map(|place| {
                let Edge { from, to, back, .. } = &self.picture.edges[*place];
                grid::Route { from: place_of(*from), to: place_of(*to), back: *back, label: self.sizes.labels[*place] }
            })
            .collect();
        let grid = grid::lay_out(&sizes, &edges, slots_max)?;
        for (member, rect) in self.members[scope_of(scope)].iter().zip(grid.members) {
            match member {
                Member::Node(id) => self.layout.nodes[id.0] = rect,
                Member::Group(id) => self.layout.groups[id.0] = rect,
            }
        }
        for (place, line) in self.edges[scope_of(scope)].iter().zip(grid.lines) {
            self.layout.lines[*place] = line;
        }
        Ok(grid.size)
    }

    fn size_of(&self, member: Member) -> Size {
        match member {
            Member::Node(id) => self.sizes.nodes[id.0],
            Member::Group(id) => self.groups[id.0],
        }
    }

    /// Moves everything from its scope's corner to where that is.
    fn finish(mut self, size: Size, corner: (Px, Px)) -> Layout {
        let mut corners = vec![corner];
        for group in &self.picture.groups {
            let around = corners[scope_of(group.parent)];
            let rect = &mut self.layout.groups[group.id.0];
            (rect.x, rect.y) = (rect.x + around.0, rect.y + around.1);
            let inset = self.inset[group.id.0];
            corners.push((rect.x + inset.0, rect.y + inset.1));
        }
        for (node, rect) in self.picture.nodes.iter().zip(&mut self.layout.nodes) {
            let corner = corners[scope_of(node.group)];
            (rect.x, rect.y) = (rect.x + corner.0, rect.y + corner.1);
        }
        for (edges, corner) in self.edges.iter().zip(&corners) {
            for place in edges {
                let line = &mut self.layout.lines[*place];
                (line.label.x, line.label.y) = (line.label.x + corner.0, line.label.y + corner.1);
                for piece in &mut line.pieces {
                    let Piece { x, top, bottom } = *piece;
                    *piece = Piece { x: x + corner.0, top: top + corner.1, bottom: bottom + corner.1 };
                }
            }
        }
        self.layout.size = size;
        self.layout
    }
}

fn scope_of(group: Option<GroupId>) -> usize {
    group.map_or(0, |group| group.0 + 1)
}

/// Finds the innermost scope that has both ends of an edge in it.
fn common(picture: &Picture, edge: &Edge) -> Option<GroupId> {
    let mut scope = picture.nodes[edge.from.0].group;
    let to = picture.nodes[edge.to.0].group;
    while let Some(group) = scope {
        let mut around = to;
        while let Some(inner) = around.filter(|inner| *inner != group) {
            around = picture.groups[inner.0].parent;
        }
        if around.is_some() {
            return scope;
        }
        scope = picture.groups[group.0].parent;
    }
    None
}

/// Gives the member of a scope that a node is, or is in.
fn lifted(picture: &Picture, node: NodeId, scope: Option<GroupId>) -> Member {
    let mut member = Member::Node(node);
    let mut around = picture.nodes[node.0].group;
    while let Some(group) = around.filter(|_| around != scope) {
        member = Member::Group(group);
        around = picture.groups[group.0].parent;
    }
    member
}

/// How far a route from a step to itself goes out.
pub(super) const LOOP_REACH: Px = 22;
/// Room around the picture.
const MARGIN: Px = 16;
/// Room inside the border of a group.
const PADDING: Px = 16;

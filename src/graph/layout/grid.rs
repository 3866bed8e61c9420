//! One scope as rows of slots: members in every second row, lanes and labels of routes in those they pass.
//!
//! A member stands below all that lead to it, routes that go back left aside. A route has a slot in every row between
//! its ends, so that no member stands in its way and no label on another.

use alloc::{vec, vec::Vec};

use super::{
    LOOP_REACH, Line, Piece, Px, Rect, Size, TooMany,
    order::order,
    spread::{self, spread},
};

/// A route between two members, by their places.
pub(super) struct Route {
    pub from: usize,
    pub to: usize,
    pub back: bool,
    pub label: Size,
}

/// A scope, placed from its left upper corner.
pub(super) struct Placed {
    pub size: Size,
    pub members: Vec<Rect>,
    pub lines: Vec<Line>,
}

/// A place in a row, with how far it reaches from its middle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    pub row: usize,
    pub left: Px,
    pub right: Px,
    pub height: Px,
    /// The route that passes here; `None` where a member stands.
    pub route: Option<usize>,
    /// How much it counts where slots are in each other's way.
    pub weight: Px,
}

/// The slots and what connects them. Slots of members come first, in their order.
pub(super) struct Grid {
    pub slots: Vec<Slot>,
    pub rows: usize,
    /// The slots above that a slot is connected to.
    pub above: Vec<Vec<usize>>,
    /// The slots below.
    pub below: Vec<Vec<usize>>,
}

/// Lays a scope out.
pub(super) fn lay_out(members: &[Size], routes: &[Route], slots_max: usize) -> Result<Placed, TooMany> {
    let rows = rows(members.len(), routes);
    let mut grid = Grid::of_members(members, routes, &rows);
    let chains = grid.add_routes(routes, slots_max)?;
    let order = order(&grid);
    let (middles, width) = spread(&grid, &order);
    let bands = grid.bands(&middles);
    let height = bands.last().map_or(0, |band| band.bottom);
    let rect = |size: &Size, slot: usize| {
        let band = bands[grid.slots[slot].row];
        let (x, y) = (middles[slot] - size.width / 2, (band.top + band.bottom - size.height) / 2);
        Rect { x, y, width: size.width, height: size.height }
    };
    let members: Vec<_> = members.iter().enumerate().map(|(slot, size)| rect(size, slot)).collect();
    let mut lines = lines(&grid, &chains, &members, &middles, &bands);
    for (line, (route, chain)) in lines.iter_mut().zip(routes.iter().zip(&chains)) {
        if let Some(slot) = chain.label {
            line.label = rect(&route.label, slot);
        }
    }
    round_loops(routes, &members, &mut lines);
    Ok(Placed { size: Size { width, height }, members, lines })
}

/// Finds the row of each member: the longest way to it.
fn rows(members: usize, routes: &[Route]) -> Vec<usize> {
    let down = || routes.iter().filter(|route| route.from != route.to).map(upper_and_lower);
    let (mut waits, mut below) = (vec![0_usize; members], vec![Vec::new(); members]);
    for (upper, lower) in down() {
        waits[lower] += 1;
        below[upper].push(lower);
    }
    let mut rows = vec![0; members];
    let mut ready: Vec<_> = (0..members).filter(|member| waits[*member] == 0).collect();
    while let Some(member) = ready.pop() {
        for lower in &below[member] {
            rows[*lower] = rows[*lower].max(rows[member] + 1);
            waits[*lower] -= 1;
            if waits[*lower] == 0 {
                ready.push(*lower);
            }
        }
    }
    // The end is the last member, and stands at the bottom even where nothing leads to it.
    if let (Some(lowest), Some(end)) = (rows.iter().max().copied(), rows.last_mut()) {
        *end = lowest.max(1);
    }
    rows
}

fn upper_and_lower(route: &Route) -> (usize, usize) {
    if route.back { (route.to, route.from) } else { (route.from, route.to) }
}

/// The slots of a route.
struct Chain {
    upper: usize,
    lower: usize,
    /// From top to bottom; empty for a route from a member to itself.
    slots: Vec<usize>,
    label: Option<usize>,
}

/// The height that a row takes.
#[derive(Clone, Copy, Default)]
struct Band {
    top: Px,
    bottom: Px,
}

impl Grid {
    fn of_members(members: &[Size], routes: &[Route], rows: &[usize]) -> Self {
        let mut slots: Vec<_> = members
            .iter()
            .zip(rows)
            .map(|(size, row)| Slot {
                row: 2 * row,
                left: (size.width + 1) / 2,
                right: (size.width + 1) / 2,
                height: size.height,
                route: None,
                weight: 1,
            })
            .collect();
        for (member, slot) in slots.iter_mut().enumerate() {
            let loops = || routes.iter().filter(|route| route.from == member && route.to == member);
            let beside = loops().map(|route| LOOP_REACH + route.label.width).max().unwrap_or_default();
            slot.right += beside;
            slot.height = slot.height.max(LOOP_ROOM * loops().count() as Px);
        }
        let nothing = vec![Vec::new(); slots.len()];
        let last = rows.iter().max().map_or(0, |row| 2 * row + 1);
        Self { slots, rows: last, above: nothing.clone(), below: nothing }
    }

    fn add_routes(&mut self, routes: &[Route], slots_max: usize) -> Result<Vec<Chain>, TooMany> {
        routes
            .iter()
            .enumerate()
            .map(|(place, route)| {
                let (upper, lower) = upper_and_lower(route);
                let (first, last) = (self.slots[upper].row + 1, self.slots[lower].row);
                // The label is near to where the route leaves.
                let at = if route.back { last.saturating_sub(1) } else { first };
                let mut chain = Chain { upper, lower, slots: Vec::new(), label: None };
                for row in if upper == lower { 0..0 } else { first..last } {
                    let has_label = row == at && route.label.width > 0;
                    let slot = self.add(row, if has_label { route.label } else { Size::default() });
                    let weight = if route.back { BACK_WEIGHT } else { ON_WEIGHT };
                    (self.slots[slot].route, self.slots[slot].weight) = (Some(place), weight);
                    chain.label = chain.label.or(has_label.then_some(slot));
                    self.connect(chain.slots.last().copied().unwrap_or(upper), slot);
                    chain.slots.push(slot);
                }
                if let Some(last) = chain.slots.last() {
                    self.connect(*last, lower);
                }
                if self.slots.len() > slots_max { Err(TooMany) } else { Ok(chain) }
            })
            .collect()
    }

    fn add(&mut self, row: usize, size: Size) -> usize {
        let half = (size.width + 1) / 2;
        self.slots.push(Slot { row, left: half, right: half, height: size.height, ..Slot::default() });
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.slots.len() - 1
    }

    fn connect(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    /// Finds how high each row is, and leaves more room below one where lines go far aside.
    fn bands(&self, middles: &[Px]) -> Vec<Band> {
        let mut bands = vec![Band::default(); self.rows];
        let mut aside = vec![0; self.rows];
        for (place, slot) in self.slots.iter().enumerate() {
            bands[slot.row].bottom = bands[slot.row].bottom.max(slot.height);
            for lower in &self.below[place] {
                let beyond = (middles[place] - middles[*lower]).abs() - slot.right.max(self.slots[*lower].right);
                aside[slot.row] = aside[slot.row].max(beyond);
            }
        }
        let mut top = 0;
        for (band, aside) in bands.iter_mut().zip(aside) {
            (band.top, band.bottom) = (top, top + band.bottom);
            top = band.bottom + ROW_GAP + (aside / 10).min(ROW_GAP);
        }
        bands
    }
}

/// Finds the ways of all routes that have slots.
fn lines(grid: &Grid, chains: &[Chain], members: &[Rect], middles: &[Px], bands: &[Band]) -> Vec<Line> {
    let starts = ports(chains, members, |chain| Some((chain.upper, middles[*chain.slots.first()?])));
    let ends = ports(chains, members, |chain| Some((chain.lower, middles[*chain.slots.last()?])));
    let line = |(place, chain): (usize, &Chain)| {
        if chain.slots.is_empty() {
            return Line::default();
        }
        let (upper, lower) = (&members[chain.upper], &members[chain.lower]);
        let passes = chain.slots.iter().map(|slot| {
            let band = bands[grid.slots[*slot].row];
            Piece { x: middles[*slot], top: band.top, bottom: band.bottom }
        });
        let (leaves, comes) = (bands[grid.slots[chain.upper].row].bottom, bands[grid.slots[chain.lower].row].top);
        let first = Piece { x: starts[place], top: upper.y + upper.height, bottom: leaves };
        let last = Piece { x: ends[place], top: comes, bottom: lower.y };
        Line { pieces: [first].into_iter().chain(passes).chain([last]).collect(), label: Rect::default() }
    };
    chains.iter().enumerate().map(line).collect()
}

/// Finds where routes touch one side of their members: each as near as can be to where it comes from.
fn ports(chains: &[Chain], members: &[Rect], end: impl Fn(&Chain) -> Option<(usize, Px)>) -> Vec<Px> {
    let mut by_member = vec![Vec::new(); members.len()];
    for (place, chain) in chains.iter().enumerate() {
        if let Some((member, x)) = end(chain) {
            by_member[member].push((x, place));
        }
    }
    let mut found = vec![0; chains.len()];
    for (rect, mut wanted) in members.iter().zip(by_member) {
        wanted.sort_unstable();
        let inset = (rect.width / 4).min(PORT_INSET);
        let (left, right) = (rect.x + inset, rect.x + rect.width - inset);
        let count = wanted.len() as Px;
        let gap = PORT_GAP.min((right - left) / (count - 1).max(1));
        let goals: Vec<_> = wanted.iter().map(|(x, _)| ((*x).clamp(left, right), 1, gap)).collect();
        for (index, (x, (_, place))) in spread::nearest(&goals).into_iter().zip(&wanted).enumerate() {
            let index = index as Px;
            found[*place] = x.max(left + index * gap).min(right - (count - 1 - index) * gap);
        }
    }
    found
}

/// Places the labels of routes from a member to itself: one below the other at its right side.
fn round_loops(routes: &[Route], members: &[Rect], lines: &mut [Line]) {
    for (member, rect) in members.iter().enumerate() {
        let is_loop = |place: &usize| routes[*place].from == member && routes[*place].to == member;
        let places: Vec<_> = (0..routes.len()).filter(is_loop).collect();
        let count = places.len() as Px;
        let room = rect.height.max(LOOP_ROOM * count);
        for (index, place) in places.into_iter().enumerate() {
            let middle = rect.y + rect.height / 2 - room / 2 + room * (2 * index as Px + 1) / (2 * count);
            let Size { width, height } = routes[place].label;
            lines[place].label = Rect { x: rect.x + rect.width + LOOP_REACH, y: middle - height / 2, width, height };
        }
    }
}

/// How high a route from a step to itself is.
const LOOP_ROOM: Px = 20;
/// A lane that bends is harder to follow than a step that stands aside, above all one that goes on.
const ON_WEIGHT: Px = 16;
const BACK_WEIGHT: Px = 2;
const ROW_GAP: Px = 20;
/// Routes touch a side at least so far from its corners, and from each other where there is room.
const PORT_INSET: Px = 22;
const PORT_GAP: Px = 22;

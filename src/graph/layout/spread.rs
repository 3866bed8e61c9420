//! How far apart the slots of a row stand: as near as can be to what they are connected with, none on another.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use super::{Px, grid::Grid};

/// Finds the middle of every slot, and the width of the whole.
pub(super) fn spread(grid: &Grid, order: &[Vec<usize>]) -> (Vec<Px>, Px) {
    let mut middles = vec![0; grid.slots.len()];
    for row in order {
        place(grid, row, &vec![0; row.len()], &mut middles);
    }
    for pass in 0..PASSES {
        for row in 0..order.len() {
            let (row, near) = match pass % 2 {
                0 => (&order[row], &grid.above),
                _ => (&order[order.len() - 1 - row], &grid.below),
            };
            let goal = |slot: &usize| mean(grid, &middles, &near[*slot]);
            let goals: Vec<_> = row.iter().map(|slot| goal(slot).unwrap_or(middles[*slot])).collect();
            place(grid, row, &goals, &mut middles);
        }
    }
    straighten(grid, order, &mut middles);
    let left = (0..middles.len()).map(|slot| middles[slot] - grid.slots[slot].left).min().unwrap_or_default();
    middles.iter_mut().for_each(|middle| *middle -= left);
    let width = (0..middles.len()).map(|slot| middles[slot] + grid.slots[slot].right).max().unwrap_or_default();
    (middles, width)
}

/// Draws each long lane to its own middle, and everything else to what is above and what is below it in turns.
fn straighten(grid: &Grid, order: &[Vec<usize>], middles: &mut [Px]) {
    for pass in 0..STRAIGHTENINGS {
        let lanes = lanes(grid, middles);
        for row in 0..order.len() {
            let (row, near) = match pass % 2 {
                0 => (&order[order.len() - 1 - row], &grid.below),
                _ => (&order[row], &grid.above),
            };
            let goal = |slot: &usize| match grid.slots[*slot].route.map(|route| lanes[&route]) {
                Some((sum, count)) if count > 1 => Some(sum / count),
                _ => mean(grid, middles, &near[*slot]),
            };
            let goals: Vec<_> = row.iter().map(|slot| goal(slot).unwrap_or(middles[*slot])).collect();
            place(grid, row, &goals, middles);
        }
    }
}

/// Sums up the middles of each route's slots, and counts them.
fn lanes(grid: &Grid, middles: &[Px]) -> BTreeMap<usize, (Px, Px)> {
    let mut lanes: BTreeMap<usize, (Px, Px)> = BTreeMap::new();
    for (slot, middle) in grid.slots.iter().zip(middles) {
        if let Some(route) = slot.route {
            let (sum, count) = lanes.entry(route).or_default();
            (*sum, *count) = (*sum + middle, *count + 1);
        }
    }
    lanes
}

/// Places the slots of a row near to their goals.
fn place(grid: &Grid, row: &[usize], goals: &[Px], middles: &mut [Px]) {
    let mut before: Option<usize> = None;
    let goals: Vec<_> = row
        .iter()
        .zip(goals)
        .map(|(slot, goal)| {
            let this = &grid.slots[*slot];
            let gap = before.map_or(0, |before| {
                let other = &grid.slots[before];
                let gap = if this.route.is_none() || other.route.is_none() { MEMBER_GAP } else { LANE_GAP };
                other.right + this.left + gap
            });
            before = Some(*slot);
            (*goal, this.weight, gap)
        })
        .collect();
    for (slot, middle) in row.iter().zip(nearest(&goals)) {
        middles[*slot] = middle;
    }
}

/// Finds the middle of slots, by their weights.
fn mean(grid: &Grid, middles: &[Px], near: &[usize]) -> Option<Px> {
    let sums = near.iter().map(|slot| (middles[*slot], grid.slots[*slot].weight));
    let (sum, weight) = sums.fold((0, 0), |(sum, all), (middle, weight)| (sum + middle * weight, all + weight));
    (weight > 0).then(|| sum / weight)
}

/// Finds places in order, each at least its gap behind the one before, whose weighted squares of the ways to their
/// goals are least: neighbours that are too near are moved together, until none is.
pub(super) fn nearest(goals: &[(Px, Px, Px)]) -> Vec<Px> {
    struct Block {
        sum: Px,
        weight: Px,
        count: usize,
    }
    let mut offset = 0;
    let mut offsets = Vec::with_capacity(goals.len());
    let mut blocks: Vec<Block> = Vec::new();
    for (goal, weight, gap) in goals {
        offset += gap;
        offsets.push(offset);
        let mut block = Block { sum: (goal - offset) * weight, weight: *weight, count: 1 };
        while let Some(before) = blocks.pop_if(|before| before.sum * block.weight >= block.sum * before.weight) {
            let (sum, weight) = (before.sum + block.sum, before.weight + block.weight);
            block = Block { sum, weight, count: before.count + block.count };
        }
        blocks.push(block);
    }
    let bases = blocks.iter().flat_map(|block| (0..block.count).map(|_| block.sum.div_euclid(block.weight)));
    bases.zip(offsets).map(|(base, offset)| base + offset).collect()
}

/// Enough for a change to go down and up a few times.
const PASSES: usize = 12;
/// Enough for a way of tens of steps to become one line.
const STRAIGHTENINGS: usize = 24;
const MEMBER_GAP: Px = 28;
const LANE_GAP: Px = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_gaps_and_stay_near_their_goals() {
        let check = |goals: &[(Px, Px, Px)], expected: &[Px]| assert_eq!(nearest(goals), expected, "{goals:?}");
        check(&[], &[]);
        check(&[(7, 1, 0)], &[7]);
        check(&[(0, 1, 0), (100, 1, 10)], &[0, 100]);
        check(&[(50, 1, 0), (50, 1, 10)], &[45, 55]);
        check(&[(50, 9, 0), (50, 1, 10)], &[49, 59]);
        check(&[(30, 1, 0), (20, 1, 10), (10, 1, 10)], &[10, 20, 30]);
        check(&[(-10, 1, 0), (-10, 1, 10)], &[-15, -5]);
    }
}

//! Who stands beside whom in a row, so that few lines cross.
//!
//! Rows are sorted by where their neighbours stand, down and up again; the order with the fewest crossings is kept.

use alloc::{vec, vec::Vec};

use super::grid::Grid;

/// Finds the order of the slots in each row.
pub(super) fn order(grid: &Grid) -> Vec<Vec<usize>> {
    let mut rows = first(grid);
    let mut best = (crossings(grid, &rows), rows.clone());
    let mut places = vec![0; grid.slots.len()];
    for sweep in 0..SWEEPS_MAX {
        if best.0 == 0 {
            break;
        }
        for row in 0..rows.len() {
            if sweep % 2 == 0 {
                sort(&mut rows, row, row.checked_sub(1), &grid.above, &mut places);
            } else {
                let row = rows.len() - 1 - row;
                sort(&mut rows, row, Some(row + 1), &grid.below, &mut places);
            }
        }
        let count = crossings(grid, &rows);
        if count < best.0 {
            best = (count, rows.clone());
        }
    }
    best.1
}

/// Goes down from each member, depth first, so that what belongs together begins together.
fn first(grid: &Grid) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); grid.rows];
    let mut is_seen = vec![false; grid.slots.len()];
    for start in 0..grid.slots.len() {
        let mut open = vec![start];
        while let Some(slot) = open.pop() {
            if !is_seen[slot] {
                is_seen[slot] = true;
                rows[grid.slots[slot].row].push(slot);
                open.extend(grid.below[slot].iter().rev());
            }
        }
    }
    rows
}

/// Sorts a row by the middle of each slot's neighbours in another; one without any keeps its place. `places` is room
/// to note where the slots of the other row stand.
fn sort(rows: &mut [Vec<usize>], row: usize, other: Option<usize>, neighbours: &[Vec<usize>], places: &mut [usize]) {
    let Some(other) = other.and_then(|other| rows.get(other)) else { return };
    other.iter().enumerate().for_each(|(place, slot)| places[*slot] = place);
    let keyed = rows[row].iter().enumerate().map(|(at, slot)| match neighbours[*slot].as_slice() {
        [] => (at, 1, *slot),
        near => (near.iter().map(|one| places[*one]).sum(), near.len(), *slot),
    });
    let mut keyed: Vec<_> = keyed.collect();
    keyed.sort_by(|(sum, count, _), (other_sum, other_count, _)| (sum * other_count).cmp(&(other_sum * count)));
    rows[row] = keyed.into_iter().map(|(_, _, slot)| slot).collect();
}

/// Counts how often lines between neighbouring rows cross.
fn crossings(grid: &Grid, rows: &[Vec<usize>]) -> usize {
    let mut places = vec![0; grid.slots.len()];
    rows.iter().for_each(|row| row.iter().enumerate().for_each(|(place, slot)| places[*slot] = place));
    rows.iter()
        .map(|row| {
            let ends = row.iter().flat_map(|slot| {
                let mut ends: Vec<_> = grid.below[*slot].iter().map(|below| places[*below]).collect();
                ends.sort_unstable();
                ends
            });
            inversions(&mut ends.collect::<Vec<_>>())
        })
        .sum()
}

/// Counts the pairs that stand the wrong way round, and sorts them.
fn inversions(ends: &mut [usize]) -> usize {
    if ends.len() < 2 {
        return 0;
    }
    let (left, right) = ends.split_at_mut(ends.len() / 2);
    let mut count = inversions(left) + inversions(right);
    let mut behind = 0;
    for end in left.iter() {
        behind += right[behind..].iter().take_while(|other| *other < end).count();
        count += behind;
    }
    ends.sort_unstable();
    count
}

/// More sweeps change little in rows of tens.
const SWEEPS_MAX: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversions_are_counted() {
        let check = |ends: &[usize], count: usize| assert_eq!(inversions(&mut ends.to_vec()), count, "{ends:?}");
        check(&[], 0);
        check(&[1, 2, 3], 0);
        check(&[1, 1, 1], 0);
        check(&[2, 1], 1);
        check(&[3, 2, 1], 3);
        check(&[2, 3, 1, 1], 4);
    }
}

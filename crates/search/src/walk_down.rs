//! Walking down to the goal: from state to state, each one nearer than the last, as a table of distances tells.
//!
//! Tables tell in many ways which neighbour is nearer: by the distance itself, by the distance modulo 3 or 4, or by
//! a bit that the two have in common. The caller knows how to look for one.

use crate::space::Cost;

/// Walks from `start` to the goal, and returns the number of steps: until `is_goal`, `nearer` takes a step to a
/// neighbour that is one nearer. It is also given the number of steps so far, so that it can end a walk in circles.
///
/// # Errors
/// What `nearer` fails with.
pub fn walk_down<P, E>(
    start: P,
    is_goal: impl Fn(&P) -> bool,
    mut nearer: impl FnMut(P, Cost) -> Result<P, E>,
) -> Result<Cost, E> {
    let (mut here, mut steps) = (start, 0);
    while !is_goal(&here) {
        here = nearer(here, steps)?;
        steps += 1;
    }
    Ok(steps)
}

/// Walks down from many starts, some `together`, which take turns: what one asks memory for in its turn is on its way
/// while the others take theirs. That is why this is not [`walk_down`] for each: down the table of 3x4 boards,
/// sixteen together take 0.4 times as long as one by one. `turn` returns whether the walk goes on; `arrived` is
/// given those that do not, in no certain order.
///
/// # Errors
/// What `turn` fails with.
pub fn walk_together<W, E>(
    starts: impl IntoIterator<Item = W>,
    together: usize,
    mut turn: impl FnMut(&mut W) -> Result<bool, E>,
    mut arrived: impl FnMut(W),
) -> Result<(), E> {
    let mut starts = starts.into_iter();
    let mut walks: Vec<W> = starts.by_ref().take(together).collect();
    while !walks.is_empty() {
        let mut index = 0;
        while index < walks.len() {
            if turn(&mut walks[index])? {
                index += 1;
            } else if let Some(next) = starts.next() {
                arrived(std::mem::replace(&mut walks[index], next));
            } else {
                arrived(walks.swap_remove(index));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Down to 0, one at a time, but never from 13.
    fn nearer(here: u32, _: Cost) -> Result<u32, u32> {
        if here == 13 { Err(here) } else { Ok(here - 1) }
    }

    #[test]
    fn walks_end_at_the_goal_or_with_an_error() {
        assert_eq!(walk_down(12, |&here| here == 0, nearer), Ok(12));
        assert_eq!(walk_down(15, |&here| here == 0, nearer), Err(13));
    }

    #[test]
    fn walks_that_take_turns_all_arrive() {
        let mut arrived = Vec::new();
        let turn = |(_, here): &mut (u32, u32)| {
            let goes_on = *here > 0;
            *here = here.saturating_sub(1);
            Ok::<_, ()>(goes_on)
        };
        let starts = (0..10).map(|start| (start, start * 7 % 10));
        walk_together(starts, 3, turn, |(start, _)| arrived.push(start)).unwrap();
        arrived.sort_unstable();
        assert_eq!(arrived, (0..10).collect::<Vec<_>>());
    }
}

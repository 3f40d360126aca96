//! Searching level by level, from the goals outwards.

use crate::stop::Stop;

/// How many states there are at each distance from so many goals, in a search that finds all states of a distance
/// before it goes on: `advance` is given the next distance and the number of states met so far, and returns how many
/// it finds at that distance. With none, the search ends.
///
/// # Errors
/// What `advance` fails with.
pub fn level_by_level(
    goals: u64,
    mut advance: impl FnMut(usize, u64) -> Result<u64, Stop>,
) -> Result<Vec<u64>, Stop> {
    let (mut census, mut met) = (vec![goals], goals);
    loop {
        let reached = advance(census.len(), met)?;
        if reached == 0 {
            return Ok(census);
        }
        census.push(reached);
        met += reached;
    }
}

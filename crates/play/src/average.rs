//! Statistics of solving times. Times are whole numbers of any unit, such as hundredths of a second; `None` stands for a
//! solve that did not finish. Means are rounded to the unit, halves up.

/// An average of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// The average, in the unit of the times.
    Time(u64),
    /// More solves did not finish than are dropped.
    DidNotFinish,
}

/// Returns the best time, or `None` if no solve finished.
pub fn best(solves: &[Option<u64>]) -> Option<u64> {
    solves.iter().copied().flatten().min()
}

/// Returns the mean of the solves that finished, or `None` if there are none.
pub fn mean(solves: &[Option<u64>]) -> Option<u64> {
    let finished: Vec<u64> = solves.iter().copied().flatten().collect();
    (!finished.is_empty()).then(|| rounded_mean(&finished))
}

/// Returns the average of the last `length` solves without the best and the worst twentieth of them (rounded up), or
/// `None` if there are fewer solves or none would be left. A solve that did not finish is worse than all others. For 5
/// and 12 solves, which drop one at each end, these are the rules of the World Cube Association.
pub fn trimmed_average(solves: &[Option<u64>], length: usize) -> Option<Average> {
    let mut last: Vec<Option<u64>> = solves.get(solves.len().checked_sub(length)?..)?.to_vec();
    let dropped = length.div_ceil(20);
    let counted = length.checked_sub(2 * dropped).filter(|&counted| counted > 0)?;
    last.sort_by_key(|time| (time.is_none(), *time));
    let finished: Option<Vec<u64>> = last[dropped..dropped + counted].iter().copied().collect();
    Some(finished.map_or(Average::DidNotFinish, |times| Average::Time(rounded_mean(&times))))
}

fn rounded_mean(times: &[u64]) -> u64 {
    let sum: u128 = times.iter().map(|&time| u128::from(time)).sum();
    let count = times.len() as u128;
    u64::try_from((2 * sum + count) / (2 * count)).expect("a mean is at most the largest time")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(times: &[u64]) -> Vec<Option<u64>> {
        times.iter().copied().map(Some).collect()
    }

    #[test]
    fn best_and_worst_are_dropped() {
        let five = times(&[99, 10, 20, 60, 40, 30]);
        assert_eq!(trimmed_average(&five, 5), Some(Average::Time(30)));
        assert_eq!(trimmed_average(&five[..4], 5), None);
        // Without 1 and 99: 2 + 3 + … + 11 = 65 in ten solves, rounded up.
        let twelve = times(&[2, 3, 4, 99, 5, 6, 7, 1, 8, 9, 10, 11]);
        assert_eq!(trimmed_average(&twelve, 12), Some(Average::Time(7)));
        let hundred = times(&(1..=100).rev().collect::<Vec<_>>());
        // Five are dropped at each end, and the mean of 6 to 95 is 50.5.
        assert_eq!(trimmed_average(&hundred, 100), Some(Average::Time(51)));
        assert_eq!(trimmed_average(&[Some(1), Some(2)], 2), None, "nothing would be left");
    }

    #[test]
    fn one_failure_is_dropped_and_two_fail_the_average() {
        let one = [Some(50), None, Some(20), Some(30), Some(40)];
        assert_eq!(trimmed_average(&one, 5), Some(Average::Time(40)));
        let two = [Some(10), None, None, Some(30), Some(40)];
        assert_eq!(trimmed_average(&two, 5), Some(Average::DidNotFinish));
    }

    #[test]
    fn best_and_mean_ignore_failures() {
        let solves = [Some(30), None, Some(21)];
        assert_eq!((best(&solves), mean(&solves)), (Some(21), Some(26)));
        assert_eq!((best(&[None]), mean(&[None])), (None, None));
        assert_eq!(mean(&[Some(u64::MAX), Some(u64::MAX)]), Some(u64::MAX));
    }
}

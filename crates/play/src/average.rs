//! Averages of solving times.

/// An average of times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Average {
    /// Milliseconds.
    Time(f64),
    /// Did not finish: more solves failed than are dropped.
    DidNotFinish,
}

/// Returns the average of the last `length` solves, without the best and the worst twentieth of them (rounded up), or
/// `None` if there are fewer solves. A solve without a time did not finish, and is worse than all others. For 5 and 12
/// solves these are the rules of the World Cube Association.
pub fn trimmed_average(solves: &[Option<u64>], length: usize) -> Option<Average> {
    let mut last: Vec<Option<u64>> = solves.get(solves.len().checked_sub(length)?..)?.to_vec();
    let dropped = length.div_ceil(20);
    let counted = length.checked_sub(2 * dropped).filter(|&counted| counted > 0)?;
    last.sort_by_key(|time| time.unwrap_or(u64::MAX));
    let sum: Option<u64> = last[dropped..dropped + counted].iter().copied().sum();
    Some(sum.map_or(Average::DidNotFinish, |sum| Average::Time(sum as f64 / counted as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_and_worst_are_dropped() {
        let times = |times: &[u64]| times.iter().copied().map(Some).collect::<Vec<_>>();
        let five = times(&[99, 10, 20, 60, 40, 30]);
        assert_eq!(trimmed_average(&five, 5), Some(Average::Time(30.0)));
        assert_eq!(trimmed_average(&five[..4], 5), None);
        let hundred = times(&(1..=100).collect::<Vec<_>>());
        assert_eq!(trimmed_average(&hundred, 100), Some(Average::Time(50.5)));
        assert_eq!(trimmed_average(&[Some(1), Some(2)], 2), None, "nothing would be left");
    }

    #[test]
    fn one_failure_of_five_is_dropped_and_two_fail_the_average() {
        let one = [Some(10), None, Some(20), Some(30), Some(40)];
        assert_eq!(trimmed_average(&one, 5), Some(Average::Time(30.0)));
        let two = [Some(10), None, None, Some(30), Some(40)];
        assert_eq!(trimmed_average(&two, 5), Some(Average::DidNotFinish));
    }
}

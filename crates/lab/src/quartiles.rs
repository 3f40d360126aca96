//! Quartiles.

/// The lower quartile, the median and the upper quartile of numbers, each between two of them where it falls there;
/// `None` of none.
pub fn quartiles(mut numbers: Vec<f64>) -> Option<[f64; 3]> {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)?;
    Some([0.25, 0.5, 0.75].map(|part| {
        let place = part * last as f64;
        let (below, above) = (numbers[place.floor() as usize], numbers[place.ceil() as usize]);
        below + (above - below) * place.fract()
    }))
}

#[cfg(test)]
mod tests {
    use super::quartiles;

    #[test]
    fn quartiles_lie_between_numbers() {
        assert_eq!(quartiles(vec![4.0, 1.0, 3.0, 2.0, 5.0]), Some([2.0, 3.0, 4.0]));
        assert_eq!(quartiles(vec![2.0, 1.0]), Some([1.25, 1.5, 1.75]));
        assert_eq!((quartiles(vec![7.0]), quartiles(vec![])), (Some([7.0; 3]), None));
    }
}

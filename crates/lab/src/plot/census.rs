//! States by distance.

use super::figure::{Figure, Marks, Series};
use super::scale::Axis;

/// How many states there are at each distance, as bars: pairs of a distance and a number of states.
///
/// `title` says which states, `note` what else a reader has to know; `unit` is what distances count, `moves` or
/// `slides`.
pub fn census(title: &str, note: &str, unit: &str, states: &[(u32, u64)]) -> String {
    let bars = states.iter().map(|&(distance, count)| [f64::from(distance), count as f64]);
    let figure = Figure {
        title: title.to_owned(),
        note: note.to_owned(),
        x: Axis::linear(&format!("distance from the goal ({unit})")),
        y: Axis::linear("states"),
        series: vec![Series { name: String::new(), marks: Marks::Bars(bars.collect()) }],
    };
    figure.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_distance_has_a_bar_as_high_as_its_states_are_many() {
        let svg =
            census("2x2", "", "moves", &[(0, 1), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 1)]);
        let bars: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains("<title>") && line.starts_with("<rect"))
            .collect();
        assert_eq!(bars.len(), 7);
        let height = |bar: &str| -> f64 {
            let (_, rest) = bar.split_once("height=\"").unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        assert!((height(bars[1]) - 2.0 * height(bars[0])).abs() < 0.2, "{bars:?}");
        assert!(bars[6].ends_with("<title>6: 1</title></rect>"), "{bars:?}");
    }
}

//! Axes: positions of values and labels of ticks.

/// An axis: label, unit and spacing.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Label, with the unit in parentheses if there is one: `peak memory (bytes)`.
    pub label: String,
    /// Unit after each number, such as `s` or `B`; empty for plain numbers.
    pub unit: &'static str,
    /// Whether the axis is logarithmic. Values of 0 or less then have no position.
    pub log: bool,
}

impl Axis {
    /// Creates a linear axis of plain numbers.
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    /// Creates a logarithmic axis of plain numbers.
    pub fn log(label: &str) -> Self {
        Self { log: true, ..Self::linear(label) }
    }

    /// Sets the unit.
    #[must_use]
    pub fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }
}

/// Mapping from the values of an axis to positions.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    axis: Axis,
    /// Values at both ends; their decimal logarithms on a logarithmic axis.
    ends: [f64; 2],
    /// Positions of the ends.
    places: [f64; 2],
}

impl Scale {
    /// Creates a scale that includes all `values`, between two positions.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, places: [f64; 2]) -> Self {
        let shown = values.filter(|&value| value.is_finite() && !(axis.log && value <= 0.0));
        let [mut low, mut high] = shown.fold([f64::INFINITY, f64::NEG_INFINITY], |ends, value| {
            [ends[0].min(value), ends[1].max(value)]
        });
        if low > high {
            [low, high] = [1.0, 10.0];
        }
        let mut scale = Self { axis: axis.clone(), ends: [0.0, 1.0], places };
        if axis.log {
            scale.ends = log_ends(low, high);
            return scale;
        }
        // A linear axis whose values come close to 0 starts at 0.
        if low > 0.0 && low < 0.5 * high {
            low = 0.0;
        }
        if low == high {
            [low, high] = [low.min(0.0), high.max(low + 1.0)];
        }
        let step = step_between(low, high);
        let part = step / 5.0;
        scale.ends = [(low / step).floor() * step, (high / part - 1e-9).ceil() * part];
        scale
    }

    /// Extends the scale beyond both ends by `more` units of the axis.
    #[must_use]
    pub fn widened(mut self, more: f64) -> Self {
        self.ends = [self.ends[0] - more, self.ends[1] + more];
        self
    }

    /// Returns the position of `value`; `None` if it has none on a logarithmic axis.
    pub fn place(&self, value: f64) -> Option<f64> {
        let value = match self.axis.log {
            true if value <= 0.0 => return None,
            true => value.log10(),
            false => value,
        };
        let part = (value - self.ends[0]) / (self.ends[1] - self.ends[0]);
        part.is_finite().then(|| self.places[0] + part * (self.places[1] - self.places[0]))
    }

    /// Returns the position of the end where the axes cross.
    pub fn start(&self) -> f64 {
        self.places[0]
    }

    /// Returns the drawn length of `length` units of a linear axis.
    pub fn length(&self, length: f64) -> f64 {
        (length / (self.ends[1] - self.ends[0]) * (self.places[1] - self.places[0])).abs()
    }

    /// Returns the labelled values of the axis with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let [low, high] = self.ends;
        let labelled = |value: f64| (value, format_value(value, self.axis.unit));
        if self.axis.log {
            let every = ((high - low) / 12.0).ceil().max(1.0) as usize;
            let powers = (low.ceil() as i32..=high.floor() as i32).step_by(every);
            return powers.map(|power| labelled(10_f64.powi(power))).collect();
        }
        let step = step_between(low, high);
        let first = (low / step).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last).map(|number| labelled(rounded(number as f64 * step))).collect()
    }

    /// Returns the minor grid lines of a logarithmic axis that spans few powers of ten.
    pub fn fine_lines(&self) -> Vec<f64> {
        if !self.axis.log || self.ends[1] - self.ends[0] > 4.0 {
            return Vec::new();
        }
        let [low, high] = self.ends;
        let powers = low.floor() as i32..high.ceil() as i32;
        powers
            .flat_map(|power| (2..10).map(move |digit| f64::from(digit) * 10_f64.powi(power)))
            .filter(|line| (low..=high).contains(&line.log10()))
            .collect()
    }
}

/// Returns the logarithms of the nearest 1, 2 or 5 times a power of ten around two values, widened to enclose at least
/// two powers of ten.
fn log_ends(low: f64, high: f64) -> [f64; 2] {
    const ROUND: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
    let split = |value: f64| {
        let power = 10_f64.powf((value.log10() + 1e-9).floor());
        (power, value / power)
    };
    let ((low_power, low), (high_power, high)) = (split(low), split(high));
    let below = ROUND.into_iter().rev().find(|round| *round <= low * 1.0001).unwrap_or(1.0);
    let above = ROUND.into_iter().find(|round| *round >= high * 0.9999).unwrap_or(10.0);
    let ends = [(below * low_power).log10(), (above * high_power).log10()];
    match ends[1].floor() - ends[0].ceil() {
        ..1.0 => [ends[0].floor(), ends[0].floor().max(ends[1].ceil() - 1.0) + 1.0],
        _ => ends,
    }
}

/// Returns 1, 2 or 5 times a power of ten, such that about six steps lead from `low` to `high`.
fn step_between(low: f64, high: f64) -> f64 {
    let rough = (high - low) / 6.0;
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999);
    factor.unwrap_or(10.0) * power
}

/// Removes the error of binary fractions.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

/// Formats a number for readers: `0.5`, `10,000`, `2.5M`; with a unit, `10 ms`, `2 MB`.
pub(super) fn format_value(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 7] =
        [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ")];
    let space = if unit.is_empty() || unit == "%" { "" } else { " " };
    let size = value.abs();
    // Short plain numbers are written in full, and fractions without a unit get no prefix.
    if size == 0.0 || unit == "%" || unit.is_empty() && size < 999_999.5 {
        return format!("{}{space}{unit}", grouped(value));
    }
    let fitting = PREFIXES.into_iter().find(|&(factor, _)| size >= factor * 0.9999);
    let (factor, prefix) = fitting.unwrap_or((1e-9, "n"));
    format!("{}{space}{prefix}{unit}", grouped(to_three_digits(value / factor)))
}

/// Rounds to three significant digits, but keeps all integer digits.
fn to_three_digits(value: f64) -> f64 {
    let scale = 10_f64.powi((2 - value.abs().log10().floor() as i32).max(0));
    (value * scale).round() / scale
}

/// Formats a measured number with its significant digits only: `1,076`, `96.3`.
pub(crate) fn brief(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { grouped(value.round()) }
}

/// Formats a number with at most three decimals and thousands separators: `1,234`, `0.25`.
pub(crate) fn grouped(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (whole, rest) = text.split_once('.').map_or((text, ""), |(whole, rest)| (whole, rest));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("−", digits));
    let mut grouped = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if rest.is_empty() { grouped } else { format!("{grouped}.{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_readers() {
        let plain = [0.0, 0.25, 7.0, -3.0, 10_000.0, 2_500_000.0, 43_589_145_600.0];
        assert_eq!(
            plain.map(|value| format_value(value, "")),
            ["0", "0.25", "7", "−3", "10,000", "2.5M", "43.6G"]
        );
        let seconds = [1e-9, 1e-6, 0.012_345, 1.0, 1_000.0];
        assert_eq!(
            seconds.map(|value| format_value(value, "s")),
            ["1 ns", "1 µs", "12.3 ms", "1 s", "1 ks"]
        );
        assert_eq!(format_value(44.4, "%"), "44.4%");
    }

    #[test]
    fn linear_axes_have_round_ticks_around_all_values() {
        let scale = Scale::new(&Axis::linear(""), [1.0, 31.0].into_iter(), [0.0, 320.0]);
        let ticks: Vec<String> = scale.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["0", "10", "20", "30"]);
        assert_eq!((scale.place(0.0), scale.place(32.0)), (Some(0.0), Some(320.0)));
        let tenths = Scale::new(&Axis::linear(""), [1.0, 1.3].into_iter(), [0.0, 1.0]);
        let ticks: Vec<String> = tenths.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["1", "1.05", "1.1", "1.15", "1.2", "1.25", "1.3"]);
    }

    #[test]
    fn logarithmic_axes_have_no_place_for_zero() {
        let scale = Scale::new(&Axis::log(""), [0.0, 1.0, 99_000.0].into_iter(), [0.0, 5.0]);
        let ticks: Vec<String> = scale.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["1", "10", "100", "1,000", "10,000", "100,000"]);
        assert_eq!(scale.place(0.0), None);
        assert!((scale.place(100.0).unwrap() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn logarithmic_axes_end_near_their_values_and_span_two_powers_of_ten() {
        let ends =
            |low, high| log_ends(low, high).map(|end| (10_f64.powf(end) * 1e6).round() / 1e6);
        assert_eq!(ends(3.0, 10_100.0), [2.0, 20_000.0]);
        assert_eq!((ends(20.0, 45.0), ends(30.0, 150.0)), ([10.0, 100.0], [10.0, 1_000.0]));
        assert_eq!((ends(1.0, 1.0), ends(0.000_03, 1.0)), ([1.0, 10.0], [0.000_02, 1.0]));
    }

    #[test]
    fn axes_with_at_most_one_value_have_ticks() {
        for axis in [Axis::linear(""), Axis::log("")] {
            for values in [&[] as &[f64], &[5.0], &[0.0]] {
                let scale = Scale::new(&axis, values.iter().copied(), [0.0, 1.0]);
                assert!(scale.ticks().len() >= 2, "{axis:?} {values:?}");
            }
        }
    }
}

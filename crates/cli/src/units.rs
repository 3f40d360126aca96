//! Parsing and formatting of numbers with units, and tables for a terminal.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use loyd::moves::Metric;

/// A limit; `None` means unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit<T>(pub Option<T>);

/// Parses a whole number, at least 0.
pub fn natural<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| number_error(0, text))
}

/// Parses a whole number, at least 1.
pub fn positive<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| number_error(1, text))
}

fn number_error(least: u32, text: &str) -> String {
    let is_large = text.len() > 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let size = if is_large { ", of fewer digits" } else { "" };
    format!("expected a whole number, at least {least}{size}")
}

/// Parses a time limit: `none`, seconds (`10`, `0.5`), or a number with `ms`, `s`, `m` or `h`.
pub fn time(text: &str) -> Result<Limit<Duration>, String> {
    let text = &text.trim().to_ascii_lowercase();
    if text == "none" {
        return Ok(Limit(None));
    }
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let seconds = units.into_iter().find_map(|(unit, factor)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        Some(number * factor)
    });
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.map(|limit| Limit(Some(limit))).ok_or_else(|| {
        "expected seconds, or a number with ms, s, m or h, as in 500ms or 2h, or none".to_owned()
    })
}

/// Parses a memory limit: `none`, bytes, or a number with `K`, `M`, `G` or `T` (powers of 1,024).
pub fn bytes(text: &str) -> Result<Limit<u64>, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Limit(None));
    }
    let error = || "expected bytes, or a number with K, M, G or T, as in 64M, or none".to_owned();
    let upper = text.to_ascii_uppercase();
    let digits = upper.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor: u64 = match upper[digits.len()..].trim().trim_end_matches('B').trim_end_matches('I')
    {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(error()),
    };
    let number: u64 = digits.parse().map_err(|_| error())?;
    number.checked_mul(factor).map(|limit| Limit(Some(limit))).ok_or_else(error)
}

/// Formats a number with thousands separators: `1,234,567`.
pub fn with_commas(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of moves with its unit: `1 move`, `2 moves`, or `2 slides` in the multi-tile metric.
pub fn length_text(metric: Metric, number: usize) -> String {
    let word = match metric {
        Metric::SingleTile => "move",
        Metric::MultiTile => "slide",
    };
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Formats a number of single-tile moves with its unit.
pub fn moves(number: usize) -> String {
    length_text(Metric::SingleTile, number)
}

/// Formats bytes with one decimal, in powers of 1,000: `640 B`, `12.5 KB`, `6.9 MB`.
pub fn size(bytes: u64) -> String {
    let (mut number, mut unit) = (bytes as f64, 0);
    while number >= 1000.0 && unit < 4 {
        number /= 1000.0;
        unit += 1;
    }
    let unit_name = ["B", "KB", "MB", "GB", "TB"][unit];
    if unit == 0 { format!("{bytes} B") } else { format!("{number:.1} {unit_name}") }
}

/// Formats nanoseconds in a suitable unit: `850 ns`, `12.3 us`, `4.56 ms`, `7.89 s`.
pub fn duration(nanoseconds: u64) -> String {
    let number = nanoseconds as f64;
    match nanoseconds {
        0..1_000 => format!("{nanoseconds} ns"),
        1_000..1_000_000 => format!("{:.1} us", number / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} ms", number / 1e6),
        _ => format!("{:.2} s", number / 1e9),
    }
}

/// Rows of equal length under a heading. Columns of words are left-aligned, columns of numbers right-aligned.
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Number of leading columns of words, which are left-aligned.
    words: usize,
}

impl Table {
    /// Creates an empty table whose first `words` columns are words and the others numbers.
    pub fn new(words: usize, heading: impl IntoIterator<Item: Into<String>>) -> Self {
        let heading = heading.into_iter().map(Into::into).collect();
        Self { heading, rows: Vec::new(), words }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<&Vec<String>> = [&self.heading].into_iter().chain(&self.rows).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.heading.len()).map(|c| width(c).unwrap_or(0)).collect();
        for line in lines {
            let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column < self.words {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_parsed() {
        let some = |seconds| Ok(Limit(Some(Duration::from_secs_f64(seconds))));
        assert_eq!(time("10"), some(10.0));
        assert_eq!(time("0.5"), some(0.5));
        assert_eq!(time("500ms"), some(0.5));
        assert_eq!(time("2m"), some(120.0));
        assert_eq!(time("1h"), some(3600.0));
        assert_eq!(time("0"), some(0.0));
        assert_eq!(time("none"), Ok(Limit(None)));
        for text in ["", "s", "-1", "1d", "1e400", "NaN", "inf"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_parsed() {
        assert_eq!(bytes("65536K"), Ok(Limit(Some(64 << 20))));
        assert_eq!(bytes("64m"), Ok(Limit(Some(64 << 20))));
        assert_eq!(bytes("1 GiB"), Ok(Limit(Some(1 << 30))));
        assert_eq!(bytes("100"), Ok(Limit(Some(100))));
        assert_eq!(bytes("0"), Ok(Limit(Some(0))));
        assert_eq!(bytes("none"), Ok(Limit(None)));
        for text in ["", "K", "-1", "1.5G", "1X", "99999999T", "ß"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_parsed() {
        assert_eq!(
            (natural("0"), positive::<std::num::NonZeroU64>("7").map(u64::from)),
            (Ok(0_u32), Ok(7))
        );
        for text in ["", "-1", "abc", "1.5"] {
            assert_eq!(natural::<u32>(text), Err("expected a whole number, at least 0".to_owned()));
        }
        let large = positive::<std::num::NonZeroU64>("99999999999999999999999");
        assert_eq!(large, Err("expected a whole number, at least 1, of fewer digits".to_owned()));
        assert!(positive::<std::num::NonZeroU64>("0").is_err());
    }

    #[test]
    fn numbers_are_formatted_with_units() {
        assert_eq!(with_commas(0_u64), "0");
        assert_eq!(with_commas(1_234_567_u64), "1,234,567");
        assert_eq!(with_commas(181_440_u64), "181,440");
        assert_eq!(size(640), "640 B");
        assert_eq!(size(7_017_216), "7.0 MB");
        assert_eq!(duration(850), "850 ns");
        assert_eq!(duration(12_345), "12.3 us");
        assert_eq!(duration(4_560_000), "4.56 ms");
    }
}

//! Texts of the game.

use std::time::Duration;

use loyd::Move;
use loyd::board::{Solvability, Verdict};
use loyd::study::{Bounds, Review};

use crate::args::Arrows;
use crate::units;

/// Formats a time as `0:12.34` or `1:02:03.45`.
pub fn time(time: Duration) -> String {
    let (seconds, hundredths) = (time.as_secs(), time.subsec_millis() / 10);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match hours {
        0 => format!("{minutes}:{:02}.{hundredths:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}.{hundredths:02}", seconds % 60),
    }
}

/// Returns the letter of a step of the blank: upper case for the direction of the tile, lower case for that of the
/// blank.
pub fn letter(step: Move, arrows: Arrows) -> char {
    match arrows {
        Arrows::Tile => step.inverse().letter().to_ascii_uppercase(),
        Arrows::Blank => step.letter(),
    }
}

/// Returns an arrow in the direction of the tile when the blank makes this step.
pub fn arrow(step: Move) -> &'static str {
    match step {
        Move::Up => "↓",
        Move::Down => "↑",
        Move::Left => "→",
        Move::Right => "←",
    }
}

/// Formats a run of moves in one direction: `L`, `U3`.
pub fn run(steps: &[Move], arrows: Arrows) -> String {
    let letter = steps.first().map_or(' ', |&step| letter(step, arrows));
    match steps.len() {
        1 => letter.to_string(),
        tiles => format!("{letter}{tiles}"),
    }
}

/// Formats a number with a noun: `1 move`, `2 moves`.
pub fn quantity(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Formats a distance or its bounds: `40`, `97 to 139`.
pub fn bounds(Bounds { lower, upper }: Bounds) -> String {
    if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") }
}

/// Formats a distance or the gap between its bounds: `46`, `105 ≤ ? ≤ 113`.
pub fn gap(Bounds { lower, upper }: Bounds) -> String {
    if lower == upper { lower.to_string() } else { format!("{lower} ≤ ? ≤ {upper}") }
}

/// Describes an unsolvable board: the exchange that makes it solvable, the goals that it can reach, and the reason.
pub fn unsolvable(solvability: &Solvability, goals: &[&str]) -> String {
    let mut text = "This board cannot be solved.".to_owned();
    if let Some((one, other)) = solvability.repair_swap {
        text += &format!(" Press x to exchange {one} and {other}; then it can.");
    }
    if !goals.is_empty() {
        text += &format!(" Goals that it can reach (--goal): {}.", goals.join(", "));
    }
    format!("{text} {}", reason(solvability))
}

/// Explains why a board cannot be solved.
fn reason(solvability: &Solvability) -> String {
    let Solvability { size, inversion_count, blank_rows, verdict, .. } = solvability;
    let count = *inversion_count as usize;
    let pairs = quantity(count, "pair");
    let stand = if count == 1 { "stands" } else { "stand" };
    match verdict {
        Verdict::FixedOrder => {
            "In a single line tiles never pass each other, and theirs is another order than the goal's."
                .to_owned()
        }
        _ if size.width() % 2 == 1 => format!(
            "{pairs} of tiles {stand} the wrong way round, an odd number. On a board {} wide no move makes it \
             even, and the goal has 0.",
            size.width()
        ),
        _ => format!(
            "{pairs} of tiles {stand} the wrong way round, and the blank is {} from its goal row: {}, an odd \
             number. No move makes it even, and the goal has 0.",
            quantity(*blank_rows, "row"),
            count + blank_rows
        ),
    }
}

/// Capitalizes a text and ends it with a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    let end = if text.ends_with('.') { "" } else { "." };
    format!("{}{}{end}", first.unwrap_or_default(), letters.as_str())
}

/// Formats a review: `62 moves, 22 of them lost`.
pub fn review_line(review: &Review) -> String {
    let moves = units::length_text(review.metric, review.length);
    match review.lost().exact_value() {
        Some(0) => format!("{moves}, the fewest possible"),
        Some(lost) => format!("{moves}, {lost} of them lost"),
        None => format!("{moves}, {} of them lost", bounds(review.lost())),
    }
}

/// Cuts a text to `width` columns, with `…` at the end if letters are missing.
pub fn shorten(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Breaks a text between words into lines of `width` columns.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use loyd::notation::{parse_board, parse_moves};
    use loyd::{Goal, Problem};

    use super::*;

    #[test]
    fn times_are_formatted_as_on_stopwatch() {
        let of = |milliseconds| time(Duration::from_millis(milliseconds));
        assert_eq!((of(0), of(12_349)), ("0:00.00".into(), "0:12.34".into()));
        assert_eq!(of(3_723_456), "1:02:03.45");
    }

    #[test]
    fn letters_name_tile_or_blank_direction() {
        let moves = parse_moves("uuulr").unwrap();
        let runs = |arrows| {
            let runs: Vec<String> = loyd::moves::runs(&moves).map(|r| run(r, arrows)).collect();
            runs.join(" ")
        };
        assert_eq!((runs(Arrows::Tile), runs(Arrows::Blank)), ("D3 R L".into(), "u3 l r".into()));
    }

    #[test]
    fn unsolvable_boards_are_explained() {
        let of = |board: &str| {
            let problem =
                Problem::new(parse_board(board, None).unwrap(), &Goal::BlankLast).unwrap();
            let goals = problem.solvable_goals().unwrap();
            unsolvable(&Solvability::new(problem.start(), problem.goal()), &goals)
        };
        assert_eq!(
            of("1 2 3/4 5 6/8 7 x"),
            "This board cannot be solved. Press x to exchange 8 and 7; then it can. Goals that it can reach \
             (--goal): columns, snake, spiral. 1 pair of tiles stands the wrong way round, an odd number. On a board \
             3 wide no move makes it even, and the goal has 0."
        );
        let even = of("1 2 3 4/5 6 7 8/9 10 11 x/13 15 14 12");
        assert!(even.contains("and the blank is 1 row from its goal row: "), "{even}");
        assert!(of("2 1 3 x/").contains("tiles never pass each other"));
        assert!(!of("2 3 1 x/").contains("exchange"), "one exchange is not enough");
    }

    #[test]
    fn shortened_text_ends_with_dots() {
        assert_eq!((shorten("1 2 3", 5), shorten("1 2 3", 4)), ("1 2 3".into(), "1 2…".into()));
    }

    #[test]
    fn text_wraps_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible", 4), ["incomprehensible"]);
        assert_eq!(wrap("", 4), [""]);
    }
}

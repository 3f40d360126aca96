//! Lines of text, for files with one solution per line.

use std::io::{self, BufRead};

use super::MAX_MOVES;
use super::error::{Flaw, NotationError};
use super::input::{LONGEST, Lines};
use super::naming::gives_goal;

/// Iterator over the numbered lines of a reader, read one at a time. Empty lines are included, because a solution
/// may have no moves. Only comments, lines that start with `#`, are skipped.
///
/// A line that is not text or too long is a fault, and reading continues after it; only a failing reader ends the
/// iteration early. Behind a line that gives a goal, such as `# goal: 123456780`, all lines are faults: their solutions
/// must not be checked with another goal. A line written by [`Style`](super::Style) is never too long: a line may hold
/// [`MAX_MOVES`] moves in any notation, preceded by a board.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::TextLines;
/// let lines: Vec<_> = TextLines::new("ull\n\nDR2".as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(lines, [(1, Ok("ull".to_owned())), (2, Ok(String::new())), (3, Ok("DR2".to_owned()))]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextLines<R> {
    lines: Lines<R>,
    /// The line that gives a goal.
    goal_line: Option<usize>,
}

impl<R: BufRead> TextLines<R> {
    /// Creates the iterator over the lines of `reader`.
    pub fn new(reader: R) -> Self {
        /// The longest words are coordinates: two numbers of six digits in total, because boards have at most 10,000
        /// cells.
        const WORD: usize = "100,100 ".len();
        let longest = MAX_MOVES * WORD + LONGEST;
        let longer = [
            "the line is longer than 10,000,000 moves and a board can be",
            "write one solution on each line",
        ];
        Self { lines: Lines::up_to(longest, longer, reader), goal_line: None }
    }

    /// Returns the reader, which may be ahead of the lines returned so far.
    pub fn reader(&self) -> &R {
        self.lines.reader()
    }
}

impl<R: BufRead> Iterator for TextLines<R> {
    type Item = io::Result<(usize, Result<String, NotationError>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = match self.lines.next().transpose()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let text = line.checked().map(|(text, _)| text.to_owned());
        let shown = match &text {
            Ok(text) => text,
            Err(fault) => &fault.source,
        };
        if self.goal_line.is_none() && gives_goal(shown) {
            self.goal_line = Some(line.number);
        }
        let text = match self.goal_line {
            Some(goal) => text.and_then(|text| {
                let message = format!("line {goal} gives a goal, which is not read here");
                let flaw = Flaw::new(0..text.trim_end().len(), message);
                Err(line
                    .locate(flaw.with_help("leave that line out, and give the goal with --goal")))
            }),
            None => text,
        };
        Some(Ok((line.number, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_behind_a_goal_is_read() {
        for goal in ["# goal: 123456780", "Goal: 123456780", "goal\t123456780", "// target 1 2 3 0"]
        {
            let text = format!("ull\n{goal}\nr\n");
            let lines = TextLines::new(text.as_bytes());
            let read: Vec<bool> = lines.map(|line| line.unwrap().1.is_ok()).collect();
            assert_eq!(read, [true, false, false], "{goal}");
        }
    }

    /// Among solutions, the name of a goal is no heading.
    #[test]
    fn comments_with_any_words_are_skipped() {
        let lines = TextLines::new("ull\n# goal\n#end\nr".as_bytes());
        let lines: Vec<_> = lines.map(|line| line.unwrap().0).collect();
        assert_eq!(lines, [1, 4]);
    }
}

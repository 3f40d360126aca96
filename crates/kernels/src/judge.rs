//! The bulk filter: boards in, answers out.
//!
//! Most judge files have one board a line in the same eighteen bytes. Those lines are read whole
//! ([`line`]), sixty-four at a time, so that the waits for their path words overlap; everything else
//! goes through a reader that takes one byte after the other ([`tokens`]) and may stop anywhere.
//! Both find the answer in the same tables.

mod fault;
mod letters;
mod line;
mod output;
mod tally;
mod tokens;

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Read, Write};

pub use fault::{Fault, FaultKind};
pub use tally::Tally;

use crate::cpu::{Cpu, Level};
use output::Output;
use tokens::Cases;

/// Bytes asked for at once: few calls, and still in the second-level cache when they are looked at.
const READ_BYTES: usize = 64 << 10;

/// Answers each case of `input` with one line of `output`: a shortest sequence of moves of the blank
/// in the letters `u d l r` (empty for a solved board), `unsolvable`, or `invalid`.
///
/// A case is the next nine tokens, wherever lines break: the tiles in reading order, 1 to 8 and the
/// blank as `x`, `X`, `0`, `_` or `.`, with white space (space, tab, line feed, carriage return, form
/// feed, vertical tab) between them; a UTF-8 byte order mark before the first is passed over. The goal is `1 2 3 4 5 6 7 8 x`. A case with a bad token, a tile
/// twice or too few tokens before the end of input is invalid, is told to `on_fault`, and ends at the
/// end of the line on which the fault stands. Of several shortest answers it is the first in the order
/// up, left, right, down.
///
/// `cpu` is the highest level of instructions to use; a machine that lacks it uses its own highest.
/// The output is the same on every level.
///
/// `input` is read, and `output` written, in large pieces: neither needs a buffer of its own. When
/// less input comes than was asked for, what is answered is written before waiting for more, so that
/// a conversation through a pipe works. Memory is fixed, however long the input or a line.
///
/// Cost: some nanoseconds a case of the usual form (BENCHMARKS.md), about ten times as much any other.
///
/// # Errors
/// Those of `input` and `output`, after which both are somewhere in the middle.
///
/// # Examples
/// ```
/// use loyd_kernels::{Cpu, judge};
/// let (mut answers, mut faults) = (Vec::new(), Vec::new());
/// let cases = "2 3 4 1 5 x 7 6 8\n1 2 3 4 5 6 8 7 x\n1 2 3 4 5 6 7 8 9\n";
/// judge(cases.as_bytes(), &mut answers, Cpu::detect(), &mut |f| faults.push(f.to_string()))?;
/// assert_eq!(answers, b"ullddrurdllurrdlurd\nunsolvable\ninvalid\n");
/// assert_eq!(faults[0].split(": ").next(), Some("line 3, column 17"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn judge(
    mut input: impl Read,
    mut output: impl Write,
    cpu: Cpu,
    on_fault: &mut dyn FnMut(&Fault),
) -> io::Result<Tally> {
    let level = Level::at_most(cpu);
    run(&mut input, level, Output::new(&mut output, level, on_fault))
}

fn run(input: &mut dyn Read, level: Level, mut output: Output<'_>) -> io::Result<Tally> {
    let mut buffer = vec![0; READ_BYTES];
    let mut cases = Cases::default();
    loop {
        let count = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        answer(level, &buffer[..count], &mut cases, &mut output)?;
        if count < buffer.len() {
            output.flush()?;
        }
    }
    cases.end(&mut output)?;
    output.flush()?;
    Ok(output.tally())
}

/// Answers what ends within `bytes` and keeps the beginning of the rest in `cases`.
fn answer(
    level: Level,
    bytes: &[u8],
    cases: &mut Cases,
    output: &mut Output<'_>,
) -> io::Result<()> {
    let mut rest = bytes;
    let mut indices = [0; line::BATCH];
    while !rest.is_empty() {
        if cases.is_between() {
            rest = regular_lines::<{ line::UNIX }>(level, rest, &mut indices, cases, output)?;
            rest = regular_lines::<{ line::WINDOWS }>(level, rest, &mut indices, cases, output)?;
        }
        rest = cases.read(rest, output)?;
    }
    Ok(())
}

/// Answers lines of `LENGTH` bytes as long as they are regular; returns what follows them.
/// `indices` is scratch space.
fn regular_lines<'a, const LENGTH: usize>(
    level: Level,
    bytes: &'a [u8],
    indices: &mut [u32; line::BATCH],
    cases: &mut Cases,
    output: &mut Output<'_>,
) -> io::Result<&'a [u8]> {
    let mut rest = bytes;
    loop {
        let count = line::path_indices::<LENGTH>(level, rest, indices);
        if count == 0 {
            return Ok(rest);
        }
        output.answer(&indices[..count])?;
        cases.skip_lines(count);
        rest = &rest[count * LENGTH..];
    }
}

//! The bulk filter: reads 8-puzzle boards and writes solutions.
//!
//! # Stages
//! | stage | module | does |
//! |---|---|---|
//! | read | | fills a buffer of 64 KB |
//! | lines | [`line`] | parses regular lines without a loop over bytes, 64 per batch, and prefetches their paths |
//! | tokens | [`tokens`] | parses everything else byte by byte; can be interrupted anywhere |
//! | letters | [`letters`] | expands each path word into a line of letters |
//! | write | [`output`] | collects 64 KB of answers per write |
//!
//! A regular line is `2 3 4 1 5 x 7 6 8` and a line end: 18 bytes, or 19 with a carriage return. Most judge files
//! consist of nothing else. Batches overlap the cache misses for the path words. Both parsers turn a board into an
//! index into the same [tables](crate::tables).

mod letters;
mod line;
mod output;
mod tokens;

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Read, Write};

pub use output::{AnswerCounts, Fault, FaultKind};

use crate::cpu::{Cpu, Level};
use output::Output;
use tokens::Cases;

/// Size of the read buffer: few system calls, and the bytes are still in L2 when they are parsed.
const READ_BYTES: usize = 64 << 10;

/// Answers each case of `input` with one line of `output`: the letters `u d l r` of a shortest sequence of moves of the
/// blank (empty for a solved board), `unsolvable`, or `invalid`.
///
/// A case consists of nine tokens in reading order, regardless of line breaks: the tiles 1 to 8 and the blank as `x`,
/// `X`, `0`, `_` or `.`, separated by white space (space, tab, line feed, carriage return, form feed, vertical tab). A
/// UTF-8 byte order mark at the start of the input is skipped. The goal is `1 2 3 4 5 6 7 8 x`. Of several shortest
/// answers the first in the order up, left, right, down is written.
///
/// A case is invalid if it has a bad token, a repeated tile, or too few tokens before the end of input. It is then
/// reported to `on_fault`, and the rest of the line with the fault is skipped.
///
/// `cpu` is the highest instruction level to use; a machine that lacks it uses its own highest. The output is the same
/// on every level.
///
/// `input` is read and `output` written in large pieces, so neither needs a buffer. After a short read, pending answers
/// are written before waiting for more input, so that interactive use through a pipe works. Memory is constant,
/// regardless of the length of the input and of its lines.
///
/// Cost: a few nanoseconds per case in a regular line (BENCHMARKS.md), about ten times as much for any other.
///
/// # Errors
/// I/O errors of `input` and `output`. Their positions are unspecified afterwards.
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
) -> io::Result<AnswerCounts> {
    let level = Level::at_most(cpu);
    run(&mut input, level, Output::new(&mut output, level, on_fault))
}

fn run(input: &mut dyn Read, level: Level, mut output: Output<'_>) -> io::Result<AnswerCounts> {
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
    Ok(output.counts())
}

/// Answers the cases that end within `bytes`. The start of an incomplete case stays in `cases`.
fn answer(
    level: Level,
    bytes: &[u8],
    cases: &mut Cases,
    output: &mut Output<'_>,
) -> io::Result<()> {
    let mut rest = bytes;
    let mut indices = [0; line::BATCH];
    while !rest.is_empty() {
        if cases.is_between_cases() {
            rest = regular_lines::<{ line::UNIX }>(level, rest, &mut indices, cases, output)?;
            rest = regular_lines::<{ line::WINDOWS }>(level, rest, &mut indices, cases, output)?;
        }
        rest = cases.read(rest, output)?;
    }
    Ok(())
}

/// Answers regular lines of `LENGTH` bytes and returns the bytes from the first other line on. `indices` is scratch
/// space.
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

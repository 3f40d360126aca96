//! `loyd judge`.

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read, Write};

use anyhow::Context;
use clap::Parser;
use loyd::Size;
use loyd::judge::{Cpu, FaultKind, judge};
use loyd::notation::{Cases, Format, names_board, parse_board};

use crate::args::{Cli, Command, JudgeArgs};
use crate::failure::{Failure, Status, print_note};
use crate::files;

/// Answers a file of cases, or standard input.
pub fn run(args: &JudgeArgs) -> Result<Status, Failure> {
    let cpu = Cpu::from_env()?;
    let file = args.file.as_deref().filter(|path| path.as_os_str() != "-");
    let input: Box<dyn Read> = match file {
        Some(path) => {
            let mut file =
                files::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            let mut ahead = vec![0; AHEAD];
            let read = file.read(&mut ahead).with_context(|| path.display().to_string())?;
            ahead.truncate(read);
            if !has_nine_token_cases(&ahead) {
                return solve_one_by_one(&path.to_string_lossy());
            }
            Box::new(Cursor::new(ahead).chain(file))
        }
        None => {
            let ahead = io::stdin().lock().fill_buf()?.to_vec();
            if !has_nine_token_cases(&ahead) {
                return solve_one_by_one("-");
            }
            Box::new(Cursor::new(ahead).chain(raw_stdin()?))
        }
    };
    let mut other_sizes = false;
    let counts = judge(input, raw_stdout()?, cpu, &mut |fault| {
        other_sizes |= may_be_of_other_size(&fault.kind);
        print_note(fault);
    })?;
    if other_sizes {
        print_note(
            "a case is a 3x3 board of nine tokens; boards of other sizes need `/` between their rows",
        );
    }
    Ok(if counts.invalid > 0 { Status::Bad } else { Status::Yes })
}

/// Returns whether a board of another size would cause this fault.
fn may_be_of_other_size(fault: &FaultKind) -> bool {
    match fault {
        FaultKind::NotATile(token) => token.parse::<u8>().is_ok(),
        FaultKind::Incomplete(_) => true,
        FaultKind::Repeated(_) => false,
    }
}

/// Number of bytes read ahead to detect the format.
const AHEAD: usize = 1 << 12;

/// Returns whether a file with these first bytes has only cases of nine tokens, invalid ones included.
///
/// Other files start with a line with the size or the number of boards, or have boards of another size in rows. Other
/// forms of boards have names, as in `Goal:`, slashes, brackets, frames, quotes, run-together tiles or a larger board on their first line.
fn has_nine_token_cases(ahead: &[u8]) -> bool {
    let ahead = ahead.strip_prefix("\u{feff}".as_bytes()).unwrap_or(ahead).trim_ascii_start();
    let first = ahead.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_named = |line: &[u8]| str::from_utf8(line).is_ok_and(names_board);
    if starts_with_number(ahead)
        || is_of_another_form(ahead)
        || ahead.split(|&byte| byte == b'\n').any(is_named)
    {
        return false;
    }
    let foreign = |byte: &u8| b"/[({,\"#".contains(byte) || !byte.is_ascii();
    let board = parse_board(&String::from_utf8_lossy(first), None);
    let is_larger = board.as_ref().is_ok_and(|board| board.size().cells() > 9);
    let words = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    !first.iter().any(foreign) && !is_larger && (words > 1 || board.is_err())
}

/// Returns whether the first line is a single number and the next one is not: the size or the number of boards.
///
/// A number on the next line as well may be a case of nine tokens with one token per line.
fn starts_with_number(ahead: &[u8]) -> bool {
    let mut lines = ahead.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty());
    let is_number = |line: &[u8]| line.iter().all(u8::is_ascii_digit);
    let is_alone = |line: &[u8]| !line.iter().any(u8::is_ascii_whitespace);
    let first = lines.next().is_some_and(|line| line.len() <= 4 && is_number(line));
    if !first {
        return false;
    }
    let next_is_row = lines.next().is_some_and(|line| !is_alone(line));
    next_is_row || matches!(format(ahead), Some((Format::Sized | Format::Counted, Some(_))))
}

/// Returns whether the boards are in rows and not 3x3 boards, or have their goals on the third line.
fn is_of_another_form(ahead: &[u8]) -> bool {
    match format(ahead) {
        Some((Format::Grid, Some(size))) => size != Size::EIGHT,
        found => matches!(found, Some((Format::ThreeLines, _))),
    }
}

/// Returns the format of a file with these first bytes, and the size of its first board.
fn format(ahead: &[u8]) -> Option<(Format, Option<Size>)> {
    let whole = match ahead.len() < AHEAD {
        true => ahead.len(),
        false => ahead.iter().rposition(|&byte| byte == b'\n')?,
    };
    let mut cases = Cases::new(&ahead[..whole], Format::Auto, None);
    let format = cases.format().ok()?;
    let first = cases.next().and_then(Result::ok);
    Some((format, first.and_then(|case| case.board.ok()).map(|board| board.size())))
}

/// Solves boards in any form optimally, one at a time.
fn solve_one_by_one(file: &str) -> Result<Status, Failure> {
    let arguments = ["loyd", "solve", "--quality", "optimal", "--file", file];
    match Cli::try_parse_from(arguments)?.command {
        Command::Solve(args) => super::solve::run(&args),
        _ => unreachable!("the arguments select `solve`"),
    }
}

/// Returns unbuffered standard input: the judge reads large blocks.
#[cfg(unix)]
fn raw_stdin() -> io::Result<Box<dyn Read>> {
    use std::os::fd::AsFd;
    Ok(Box::new(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn raw_stdin() -> io::Result<Box<dyn Read>> {
    Ok(Box::new(io::stdin().lock()))
}

/// Returns standard output without line buffering.
#[cfg(unix)]
fn raw_stdout() -> io::Result<Box<dyn Write>> {
    use std::os::fd::AsFd;
    Ok(Box::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn raw_stdout() -> io::Result<Box<dyn Write>> {
    Ok(Box::new(io::stdout().lock()))
}

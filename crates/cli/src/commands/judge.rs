//! `loyd judge`.

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read, Write};

use anyhow::Context;
use clap::Parser;
use loyd::judge::{Cpu, FaultKind, judge};
use loyd::notation::parse_board;

use crate::Status;
use crate::args::{Cli, Command, JudgeArgs};
use crate::failure::{Failure, tell};

/// Answers a file of cases, or standard input.
pub fn run(args: &JudgeArgs) -> Result<Status, Failure> {
    let cpu = Cpu::from_env()?;
    let file = args.file.as_deref().filter(|path| path.as_os_str() != "-");
    let input: Box<dyn Read> = match file {
        Some(path) => {
            let mut file =
                File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            let mut ahead = vec![0; AHEAD];
            let read = file.read(&mut ahead).with_context(|| path.display().to_string())?;
            ahead.truncate(read);
            if !is_for_judges(&ahead) {
                return one_by_one(&path.to_string_lossy());
            }
            Box::new(Cursor::new(ahead).chain(file))
        }
        None => {
            let ahead = io::stdin().lock().fill_buf()?.to_vec();
            if !is_for_judges(&ahead) {
                return one_by_one("-");
            }
            Box::new(Cursor::new(ahead).chain(raw_stdin()?))
        }
    };
    let mut other_sizes = false;
    let tally = judge(input, raw_stdout()?, cpu, &mut |fault| {
        other_sizes |= may_be_of_other_size(&fault.kind);
        tell(fault);
    })?;
    if other_sizes {
        tell(
            "a case is a 3x3 board, nine tokens; boards of other sizes have `/` between their rows",
        );
    }
    Ok(if tally.invalid > 0 { Status::Bad } else { Status::Yes })
}

/// Whether the fault is one that a board of another size has here.
fn may_be_of_other_size(fault: &FaultKind) -> bool {
    match fault {
        FaultKind::NotATile(token) => token.parse::<u8>().is_ok(),
        FaultKind::Unfinished(_) => true,
        FaultKind::Twice(_) => false,
    }
}

/// Bytes of a file that tell its form.
const AHEAD: usize = 1 << 12;

/// Whether a file that begins so has tiles with white space between them, be they wrong ones. Other forms of boards
/// have rows, brackets, frames, quotes, tiles run together or a larger board on their first line.
fn is_for_judges(ahead: &[u8]) -> bool {
    let ahead = ahead.strip_prefix("\u{feff}".as_bytes()).unwrap_or(ahead).trim_ascii_start();
    let first = ahead.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let foreign = |byte: &u8| b"/[({,\"#".contains(byte) || !byte.is_ascii();
    let board = parse_board(&String::from_utf8_lossy(first), None);
    let is_larger = board.as_ref().is_ok_and(|board| board.size().cells() > 9);
    let words = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    !first.iter().any(foreign) && !is_larger && (words > 1 || board.is_err())
}

/// Answers boards in any form, with shortest solutions too.
fn one_by_one(file: &str) -> Result<Status, Failure> {
    let arguments = ["loyd", "solve", "--quality", "optimal", "--file", file];
    match Cli::try_parse_from(arguments)?.command {
        Command::Solve(args) => super::solve::run(&args),
        _ => unreachable!("the arguments name it"),
    }
}

/// Standard input without a buffer: the filter reads in large blocks of its own.
#[cfg(unix)]
fn raw_stdin() -> io::Result<Box<dyn Read>> {
    use std::os::fd::AsFd;
    Ok(Box::new(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn raw_stdin() -> io::Result<Box<dyn Read>> {
    Ok(Box::new(io::stdin().lock()))
}

/// Standard output without a search for line ends.
#[cfg(unix)]
fn raw_stdout() -> io::Result<Box<dyn Write>> {
    use std::os::fd::AsFd;
    Ok(Box::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn raw_stdout() -> io::Result<Box<dyn Write>> {
    Ok(Box::new(io::stdout().lock()))
}

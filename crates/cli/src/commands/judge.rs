//! `loyd judge`.

use std::fs::File;
use std::io::{self, Read, Write};

use anyhow::Context;
use loyd::judge::{Cpu, judge};

use crate::Status;
use crate::args::JudgeArgs;
use crate::failure::{Failure, tell};

/// Answers a file of cases, or standard input.
pub fn run(args: &JudgeArgs) -> Result<Status, Failure> {
    let cpu = Cpu::from_env()?;
    let input: Box<dyn Read> = match &args.file {
        Some(path) if path.as_os_str() != "-" => {
            let file =
                File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            Box::new(file)
        }
        _ => raw_stdin()?,
    };
    let tally = judge(input, raw_stdout()?, cpu, &mut |fault| tell(fault))?;
    Ok(if tally.invalid > 0 { Status::Bad } else { Status::Yes })
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

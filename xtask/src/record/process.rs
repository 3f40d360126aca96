//! What Linux tells of processes and of the time that they have taken.

use std::fs;

use crate::Result;

/// What `/proc` tells of a process.
#[derive(Debug, PartialEq)]
pub struct Process {
    /// When it was started, in ticks since the machine was: with its number, this tells it from all others.
    pub started: u64,
    /// The processor time of all its threads, in seconds.
    pub cpu_s: f64,
    /// Whether it has ended, and nobody has asked how.
    pub is_over: bool,
}

/// The process of that number, if there is one.
pub fn look(id: u32) -> Option<Process> {
    parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

/// Reads a line of `/proc/ID/stat`. The name of the program, in parentheses, may have spaces and parentheses itself.
fn parse(line: &str) -> Option<Process> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    // Hundredths of a second on all machines that Loyd knows.
    let cpu_s = (number(11)? + number(12)?) as f64 / 100.0;
    let is_over = matches!(fields.first(), Some(&("Z" | "X")));
    Some(Process { started: number(19)?, cpu_s, is_over })
}

/// The processor time of all programs that this one has run and that have ended, in seconds.
#[cfg(target_os = "linux")]
pub fn cpu_time() -> Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
}

#[cfg(not(target_os = "linux"))]
pub fn cpu_time() -> Result<f64> {
    anyhow::bail!("only Linux tells how much time a program has taken")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_proc_is_read() {
        let line = "77 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 2 0 4242 1 2 3";
        let process = Process { started: 4242, cpu_s: 3.0, is_over: false };
        assert_eq!(parse(line), Some(process));
        assert!(parse(&line.replace(" S ", " Z ")).is_some_and(|process| process.is_over));
        assert_eq!(parse("77 (a) S 1 2"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn processes_are_looked_at() {
        assert!(look(std::process::id()).is_some_and(|process| !process.is_over));
        assert_eq!(look(u32::MAX), None);
    }
}

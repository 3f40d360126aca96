//! Processes and their processor time on Linux.

use std::fs;

use anyhow::Result;

/// The state of a process according to `/proc`.
#[derive(Debug, PartialEq)]
pub struct Process {
    /// Its start time in ticks since the machine booted. Together with the process ID, it identifies the process.
    pub started: u64,
    /// The processor time of all its threads, in seconds.
    pub cpu_s: f64,
    /// Whether it has ended but its parent has not waited for it.
    pub is_over: bool,
}

/// Returns the process with this ID, if it exists.
pub fn read_process(id: u32) -> Option<Process> {
    parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

/// Parses a line of `/proc/ID/stat`. The name of the program, in parentheses, may itself contain spaces and
/// parentheses.
fn parse(line: &str) -> Option<Process> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    // A tick is 1/100 s on all machines that Loyd supports.
    let cpu_s = (number(11)? + number(12)?) as f64 / 100.0;
    let is_over = matches!(fields.first(), Some(&("Z" | "X")));
    Some(Process { started: number(19)?, cpu_s, is_over })
}

/// Returns the processor time of all child processes that have ended, in seconds.
#[cfg(target_os = "linux")]
pub fn cpu_time() -> Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
}

#[cfg(not(target_os = "linux"))]
pub fn cpu_time() -> Result<f64> {
    anyhow::bail!("processor times of child processes are available only on Linux")
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
    fn running_process_is_read() {
        assert!(read_process(std::process::id()).is_some_and(|process| !process.is_over));
        assert_eq!(read_process(u32::MAX), None);
    }
}

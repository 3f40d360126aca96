//! Processes that are measured, and a server for them.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// Time between two checks of a process.
const LOOK: Duration = Duration::from_millis(5);

/// Longest time in which something has to happen.
const LONGEST: Duration = Duration::from_secs(300);

/// A search that takes about 50 ms for a hard 4x4 board.
pub const SEARCH: [&str; 8] = [
    "--algorithm",
    "idastar",
    "--heuristic",
    "linear-conflict",
    "--max-expanded",
    "1000000",
    "--output",
    "json",
];

/// A process that is killed when it is dropped.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Returns the CPU time so far in seconds.
    pub fn seconds(&self) -> Result<f64> {
        const TICKS: f64 = 100.0;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id()))?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split(' ').collect();
        let ticks: f64 = fields[12].parse::<f64>()? + fields[13].parse::<f64>()?;
        Ok(ticks / TICKS)
    }

    /// Returns the peak of the memory in megabytes; `None` if the process has ended.
    fn peak(&self) -> Option<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().trim_end_matches(" kB").parse::<f64>().ok()? / 1024.0)
    }

    /// Waits for the end of the process. Returns its CPU time in seconds and the peak of its memory in megabytes.
    pub fn finish(mut self) -> Result<(f64, f64)> {
        let (mut seconds, mut peak) = (0.0, 0.0_f64);
        while self.0.try_wait()?.is_none() {
            seconds = self.seconds().unwrap_or(seconds);
            peak = peak.max(self.peak().unwrap_or_default());
            sleep(LOOK);
        }
        Ok((seconds, peak))
    }
}

/// The programs to measure, and a folder for their files.
pub struct Bench {
    pub program: PathBuf,
    pub server: PathBuf,
    pub folder: PathBuf,
    pub repetitions: usize,
}

impl Bench {
    /// Starts the program.
    pub fn start(&self, arguments: &[&str]) -> Result<Process> {
        let mut command = Command::new(&self.program);
        command.args(arguments).env("LOYD_CACHE", self.folder.join("cache"));
        Ok(Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
    }

    /// Starts a server with an empty store. Returns it and its address.
    pub fn serve(&self) -> Result<(Process, String)> {
        let store = self.folder.join("store");
        if store.exists() {
            fs::remove_dir_all(&store)?;
        }
        fs::create_dir_all(&self.folder)?;
        let port = free_port()?;
        Ok((self.serve_at(port)?, format!("nats://127.0.0.1:{port}")))
    }

    /// Starts a server with the present store.
    pub fn serve_at(&self, port: u16) -> Result<Process> {
        let mut command = Command::new(&self.server);
        command.args(["-a", "127.0.0.1", "-js", "-p", &port.to_string(), "-sd"]);
        let server = Process(command.arg(self.folder.join("store")).stderr(Stdio::null()).spawn()?);
        wait_until("the server does not start", || {
            Ok(TcpStream::connect(("127.0.0.1", port)).is_ok())
        })?;
        Ok(server)
    }

    /// Starts a driver. What an earlier one has saved is removed.
    pub fn drive(&self, command: &[&str], url: &str) -> Result<Process> {
        let saved = self.forget("queued")?;
        self.start(&[command, &["--save", &saved, "--on", url]].concat())
    }

    /// Writes `count` boards that are drawn by seed. Returns the name of the file.
    pub fn draw(&self, size: &str, count: usize) -> Result<String> {
        fs::create_dir_all(&self.folder)?;
        let output = Command::new(&self.program)
            .args(["scramble", "--size", size, "--seed", "1", "-n", &count.to_string()])
            .output()?;
        ensure!(output.status.success(), "the boards cannot be drawn");
        let file = self.folder.join(format!("{size}.{count}.txt"));
        fs::write(&file, output.stdout)?;
        text(&file)
    }

    /// Removes what an earlier command has saved with this name, if anything. Returns the path.
    pub fn forget(&self, name: &str) -> Result<String> {
        for name in [name.to_owned(), format!("{name}.batch"), format!("{name}.checkpoint")] {
            let _ = fs::remove_file(self.folder.join(name));
        }
        text(&self.folder.join(name))
    }

    /// Returns the answers that the driver has saved.
    pub fn answers(&self) -> String {
        fs::read_to_string(self.folder.join("queued")).unwrap_or_default()
    }
}

fn text(path: &Path) -> Result<String> {
    Ok(path.to_str().context("the name is not text")?.to_owned())
}

/// Returns a port that no process uses.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Waits until `is_so` returns true. Returns the time in seconds.
///
/// # Errors
/// Returns an error of `is_so`, or that it did not return true for five minutes.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<f64> {
    let started = Instant::now();
    while !is_so()? {
        ensure!(started.elapsed() < LONGEST, "{what}");
        sleep(LOOK);
    }
    Ok(started.elapsed().as_secs_f64())
}

/// Returns a metric of a worker; `None` if there is none.
pub fn metric(port: u16, name: &str) -> Option<f64> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let line = answer.lines().find(|line| line.starts_with(name))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// Repeats a measurement. Returns the median of each of its values.
pub fn medians<const N: usize>(
    bench: &Bench,
    mut measure: impl FnMut() -> Result<[f64; N]>,
) -> Result<[f64; N]> {
    let rows = (0..bench.repetitions).map(|_| measure()).collect::<Result<Vec<_>>>()?;
    Ok(std::array::from_fn(|column| {
        let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }))
}

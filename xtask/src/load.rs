//! Measures the server under load: its throughput, its latency, and its behaviour with many clients at once.

mod client;
mod crowd;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use serde_json::json;

use crate::run::{cargo, print_line, succeed};
use crate::serving::{Serving, target};
use client::Client;

/// Measure the server on this machine: 8-puzzles per second, alone, in batches, and beside searches of 5x5 boards;
/// 15-puzzles one at a time; and a thousand clients at once.
///
/// The server runs on the first core of the machine, its clients on the second.
#[derive(clap::Args)]
pub struct Args {
    /// The `loyd` program [default: the release build of this working tree, with the feature `serve`]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// 4x4 boards, one per line [default: 100 boards drawn by seed]
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// The goal of these boards
    #[arg(long, default_value = "blank-last")]
    goal: String,
    /// Send crowds of clients for this many seconds, and compare the memory before and after
    #[arg(long, value_name = "N", default_value_t = 10)]
    seconds: u64,
}

/// Number of open connections in the test of many small requests.
const CONNECTIONS: usize = 16;

/// Number of requests that a connection sends at once, so that the client takes less time than the server.
const AT_ONCE: usize = 8;

/// Number of repetitions of each measurement; the median is reported.
const REPETITIONS: usize = 5;

/// Number of crowds before the memory of the server is measured.
const FIRST_CROWDS: usize = 3;

pub fn run(args: &Args) -> Result<()> {
    let program = args.program.clone().map_or_else(build, Ok)?;
    let bench = Bench { program, cache: target()?.join("load-cache") };
    print_line(format!("8-puzzles per second: {:.0}", bench.eights()?));
    print_line(format!("8-puzzles per second in batches: {:.0}", bench.batches(&[0])?));
    let both = bench.batches(&[0, 1])?;
    print_line(format!("8-puzzles per second in batches on both cores: {both:.0}"));
    let [median, late, last] = bench.beside_searches()?;
    print_line(format!(
        "8-puzzles beside 5x5 boards: p50 {median:.2} ms, p99 {late:.2} ms, longest {last:.2} ms"
    ));
    let [median, late, last] = bench.fifteens(args)?;
    print_line(format!("15-puzzles: p50 {median:.2} ms, p99 {late:.2} ms, longest {last:.2} ms"));
    bench.crowds(Duration::from_secs(args.seconds))
}

fn build() -> Result<PathBuf> {
    let build = "build --quiet --release --package loyd --features serve";
    succeed(&mut cargo(&build.split(' ').collect::<Vec<_>>()))?;
    Ok(target()?.join("release").join("loyd"))
}

struct Bench {
    program: PathBuf,
    cache: PathBuf,
}

impl Bench {
    /// Starts a server on the first core, and moves this process to the second.
    fn start(&self, arguments: &[&str]) -> Result<Serving> {
        self.start_on(&[0], arguments)
    }

    /// Starts a server on some cores, and moves this process to the second.
    fn start_on(&self, cores: &[usize], arguments: &[&str]) -> Result<Serving> {
        pin(cores)?;
        let server = Serving::start(&self.program, &self.cache, arguments);
        pin(&[1])?;
        server
    }

    /// Draws boards with a fixed seed.
    fn draw(&self, size: &str, number: usize) -> Result<Vec<String>> {
        let number = number.to_string();
        let drawn = ["scramble", "--size", size, "--number", &number, "--seed", "1"];
        let output = Command::new(&self.program).args(drawn).output()?;
        ensure!(output.status.success(), "`loyd scramble` failed");
        Ok(lines(&String::from_utf8(output.stdout)?))
    }

    /// Returns the number of 8-puzzles solved per second.
    fn eights(&self) -> Result<f64> {
        const REQUESTS: usize = 40_000;
        let server = self.start(&["--threads", "1"])?;
        let boards = self.draw("3x3", 2000)?;
        let mut clients: Vec<_> =
            (0..CONNECTIONS).map(|_| Client::connect(server.address())).collect::<Result<_>>()?;
        let requests: Vec<_> = boards.iter().map(|board| clients[0].solve(board, None)).collect();
        let bursts: Vec<_> = requests.chunks_exact(AT_ONCE).map(|burst| burst.concat()).collect();
        let mut rates = Vec::new();
        for _ in 0..=REPETITIONS {
            let start = Instant::now();
            for turn in 0..REQUESTS / CONNECTIONS / AT_ONCE {
                for (number, client) in clients.iter_mut().enumerate() {
                    client.send(&bursts[(turn * CONNECTIONS + number) % bursts.len()])?;
                }
                for client in &mut clients {
                    for _ in 0..AT_ONCE {
                        let answer = client.answer()?;
                        ensure!(
                            answer.status == 200 && answer.contains("\"optimal\":true"),
                            "{answer:?}"
                        );
                    }
                }
            }
            rates.push(REQUESTS as f64 / start.elapsed().as_secs_f64());
        }
        // The first repetition warms up.
        Ok(median(rates.split_off(1)))
    }

    /// Returns the number of 8-puzzles solved per second in requests of 10,000 boards, with a thread for each of the
    /// cores.
    fn batches(&self, cores: &[usize]) -> Result<f64> {
        const BOARDS: usize = 10_000;
        let server = self.start_on(cores, &["--threads", &cores.len().to_string()])?;
        let boards = self.draw("3x3", BOARDS)?;
        let mut client = Client::connect(server.address())?;
        let request = client.post("batch", &json!({"boards": boards}).to_string(), "");
        let mut rates = Vec::new();
        for _ in 0..=REPETITIONS {
            let start = Instant::now();
            client.send(&request)?;
            let answer = client.answer()?;
            ensure!(answer.status == 200 && answer.lines() == BOARDS, "{answer:?}");
            rates.push(BOARDS as f64 / start.elapsed().as_secs_f64());
        }
        // The first repetition warms up.
        Ok(median(rates.split_off(1)))
    }

    /// Returns the median, the 99th percentile and the maximum of the response times for 8-puzzles, in milliseconds,
    /// while searches of 5x5 boards occupy all threads of the server and wait for more. Half of the 8-puzzles have
    /// another goal, so that they are searched.
    fn beside_searches(&self) -> Result<[f64; 3]> {
        const SEARCHES: usize = 8;
        let server = self.start(&["--threads", "2"])?;
        let boards = self.draw("3x3", 2000)?;
        let mut client = Client::connect(server.address())?;
        let mut busy = Vec::new();
        for _ in 0..SEARCHES {
            let mut client = Client::connect(server.address())?;
            let request = client.post("solve", &crowd::hard_body(), "");
            client.send(&request)?;
            busy.push(client);
        }
        while client::metric(server.address(), "loyd_running")? < 2.0 {}
        let mut times = Vec::new();
        for (number, board) in boards.iter().enumerate() {
            let goal = (number % 2 == 1).then_some("spiral");
            let request = client.solve(board, goal);
            let start = Instant::now();
            client.send(&request)?;
            let answer = client.answer()?;
            times.push(start.elapsed().as_secs_f64() * 1000.0);
            ensure!(answer.status == 200, "{answer:?}");
        }
        ensure!(client::metric(server.address(), "loyd_running")? >= 2.0, "the searches ended");
        Ok(percentiles(times))
    }

    /// Returns the median, the 99th percentile and the maximum of the response times for 4x4 boards, in milliseconds.
    fn fifteens(&self, args: &Args) -> Result<[f64; 3]> {
        let boards = match &args.boards {
            Some(file) => read(file)?,
            None => self.draw("4x4", 100)?,
        };
        let server = self.start(&["--threads", "1", "--warm", "4x4"])?;
        let mut client = Client::connect(server.address())?;
        let mut figures = [(); 3].map(|()| Vec::new());
        for _ in 0..=REPETITIONS {
            let mut times = Vec::new();
            for board in &boards {
                let request = client.solve(board, Some(&args.goal));
                let start = Instant::now();
                client.send(&request)?;
                let answer = client.answer()?;
                times.push(start.elapsed().as_secs_f64() * 1000.0);
                ensure!(answer.status == 200 && answer.contains("\"optimal\":true"), "{answer:?}");
            }
            for (figures, figure) in figures.iter_mut().zip(percentiles(times)) {
                figures.push(figure);
            }
        }
        Ok(figures.map(|mut rounds| median(rounds.split_off(1))))
    }

    /// Connects crowds of [`crowd::CLIENTS`] clients to the server, one crowd after the other, for `time`, and prints
    /// the answers and the memory.
    fn crowds(&self, time: Duration) -> Result<()> {
        let mut server = self.start(&["--warm", "4x4"])?;
        let boards = self.draw("4x4", 100)?;
        // The first crowds make the server allocate memory that it keeps and reuses for all later crowds.
        for _ in 0..FIRST_CROWDS {
            crowd::send(server.address(), &boards)?;
        }
        let before = idle_memory(server.address())?;
        let (start, mut statuses) = (Instant::now(), BTreeMap::new());
        while start.elapsed() < time {
            for (status, number) in crowd::send(server.address(), &boards)? {
                *statuses.entry(status).or_insert(0) += number;
            }
            server.check()?;
        }
        let after = idle_memory(server.address())?;
        let answers: Vec<_> =
            statuses.iter().map(|(status, number)| format!("{number} of {status}")).collect();
        let left = client::metric(server.address(), "loyd_cancel_seconds_count")?;
        let in_time = client::metric(server.address(), "loyd_cancel_seconds_bucket{le=\"0.1\"}")?;
        print_line(format!("crowds of {}: answers {}", crowd::CLIENTS, answers.join(", ")));
        print_line(format!("searches whose clients left: {left}, ended within 0.1 s: {in_time}"));
        print_line(format!("memory: {:.1} MB before, {:.1} MB after", before / 1e6, after / 1e6));
        if let Some(status) = statuses.keys().find(|&&status| status != 200 && status != 429) {
            bail!("there were responses with the status {status}");
        }
        Ok(())
    }
}

/// Returns the memory of the server once all other connections are closed and no search is running.
fn idle_memory(address: &str) -> Result<f64> {
    const LONGEST: Duration = Duration::from_secs(60);
    let start = Instant::now();
    while client::metric(address, "loyd_connections")? > 1.0
        || client::metric(address, "loyd_running")? > 0.0
    {
        ensure!(start.elapsed() < LONGEST, "connections or searches do not end");
    }
    client::metric(address, "loyd_resident_bytes")
}

/// Pins this thread, and the processes that it starts, to some cores.
fn pin(cores: &[usize]) -> Result<()> {
    let mut set = CpuSet::new();
    cores.iter().try_for_each(|&core| set.set(core))?;
    sched_setaffinity(Pid::from_raw(0), &set)
        .context("the server and its clients need one core each")
}

fn read(file: &Path) -> Result<Vec<String>> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(lines(&text))
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Returns the median, the 99th percentile and the maximum.
fn percentiles(mut times: Vec<f64>) -> [f64; 3] {
    times.sort_by(f64::total_cmp);
    [0.5, 0.99, 1.0].map(|share| times[((times.len() - 1) as f64 * share).round() as usize])
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

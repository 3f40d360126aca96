//! Lets workers on other machines search for a solution of one hard board.
//!
//! The search starts in this process. Its further iterations are rounds: this process expands the top of the tree,
//! workers search the subtrees below, and the round ends when all of them are searched. The checkpoint next to the file
//! of `--save` is that of one process at any time, so the search can be resumed with or without workers. A complete
//! iteration counts as many nodes as one that a single process searched.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use loyd::notation::parse_moves;
use loyd::search::{Checkpoint, Limits, Round, Status as Ended, Stop, SuspendedSearch};
use loyd::{Config, Move, Problem};
use loyd_queue::{Job as QueueJob, Outcome, Queue, Run, State, Work};

use super::super::queue::{
    Job, Lookout, MOST_WRONG, QueuedBoard, SearchedSubtrees, SolveOptions, printable, progress_of,
};
use super::super::replay_record::check_solves;
use super::answer::{Answerer, Found};
use crate::failure::{Failure, print_note};
use crate::input::Item;
use crate::progress::BatchProgress;
use crate::saved_files::checksum_of;
use crate::units::with_commas;

/// Smallest and largest minimum number of subtrees of a round.
const SUBTREES: (usize, usize) = (4096, 65_536);

/// Number of expansions below a subtree, if that number of subtrees is allowed: a subtree costs the driver and a worker
/// as much as some hundred expansions.
const SUBTREE_SIZE: f64 = 30_000.0;

/// Ratio of the numbers of nodes of an iteration and the one before: the branching factor of two moves.
const GROWTH: f64 = 6.0;

/// Smallest and largest number of tasks of a round with short tasks.
const TASKS: (f64, f64) = (256.0, 4096.0);

/// Number of tasks for each one that workers have at the same time, so that they are equally busy until the end.
const TASKS_EACH: f64 = 8.0;

/// Maximum number of subtrees of a task: its message is then far below a megabyte.
const MOST_NODES: usize = 4096;

/// Sizes of successive tasks, divided by their mean. The largest are published first, so that the last ones are small and
/// all workers end at about the same time.
const SIZES: [f64; 4] = [2.0, 1.0, 0.5, 0.5];

/// Expected mean times of a task in seconds: the shortest, the longest for [`TASKS`], and the longest of all.
const SECONDS: [f64; 3] = [0.05, 2.0, 30.0];

/// Number of expansions a second of a thread, until it was measured.
const RATE: f64 = 8e6;

/// Time between two writes of the checkpoint.
const SAVE: Duration = Duration::from_secs(30);

/// Number of hexadecimal digits of the hash in the name of a job.
const KEY_DIGITS: usize = 16;

/// Searches for a solution of `problem` until the checkpoint has one, or something else ends the search. Returns the
/// result if the search has ended, or was stopped, in this process.
///
/// # Errors
/// Returns an error of the configuration, the checkpoint or the queue, or if a task ended too many workers.
pub fn search(
    answerer: &mut Answerer<'_>,
    queue: &Queue,
    checkpoint: &Checkpoint,
    problem: &Problem,
    local: &mut dyn FnMut(&Answerer<'_>) -> Result<Found, Failure>,
) -> Result<Option<Found>, Failure> {
    let config =
        Config { checkpoint: Some(checkpoint.clone()), ..answerer.solver.config().clone() };
    let (started, alone) = (Instant::now(), answerer.args.divide_after);
    let mut estimate = Estimate { rate: RATE, running: 0, counts: HashMap::new() };
    loop {
        let text = checkpoint.text().filter(|text| !text.is_empty());
        let search = text.map(|text| SuspendedSearch::read(&text)).transpose();
        let search = search.map_err(|why| anyhow!("{}: {why}", checkpoint.path().display()))?;
        let round = match search {
            None => Round::Until(alone),
            Some(search) if search.is_undecided() || search.expanded() < alone => {
                Round::Until(alone)
            }
            Some(search) if search.solution_length() == Some(search.bound()) => return Ok(None),
            Some(search) if search.pending() > 0 => {
                let bound = search.bound();
                let run = Run::new(env!("CARGO_PKG_VERSION"), &answerer.identity.search);
                let mut driver = RoundDriver::new(answerer, problem, checkpoint, search, &estimate);
                driver.until = config.limits.max_time.and_then(|most| started.checked_add(most));
                let driven = queue.drive(&run, &mut driver);
                let is_complete = driver.end()?;
                estimate = driver.estimate;
                driven?;
                if is_complete {
                    continue;
                }
                // Only reports what is known.
                let limits = Limits { max_time: Some(Duration::ZERO), ..config.limits };
                let config = Config { limits, round: Some(Round::Finish), ..config.clone() };
                answerer.solver = answerer.solver.sharing(config)?;
                let mut found = local(answerer)?;
                // The search stopped before it read the checkpoint.
                found.report.lower_bound = found.report.lower_bound.max(Some(bound));
                return Ok(Some(found));
            }
            Some(search) => Round::Divide(subtrees(expected(&search))),
        };
        answerer.solver =
            answerer.solver.sharing(Config { round: Some(round), ..config.clone() })?;
        let found = local(answerer)?;
        if found.report.status != Ended::Stopped(Stop::Expanded) {
            return Ok(Some(found));
        }
    }
}

/// Returns the expected number of expansions of the iteration after the last complete one.
fn expected(search: &SuspendedSearch) -> f64 {
    GROWTH * search.last_expanded().max(1) as f64
}

/// Returns the minimum number of subtrees of a round with `total` expansions.
fn subtrees(total: f64) -> usize {
    ((total / SUBTREE_SIZE) as usize).clamp(SUBTREES.0, SUBTREES.1)
}

/// Returns the mean number of expansions of a task in a round with `total` expansions, at `rate` expansions a second,
/// for workers that have `running` tasks at the same time.
fn task_size(total: f64, rate: f64, running: usize) -> f64 {
    let [shortest, medium, longest] = SECONDS.map(|seconds| seconds * rate);
    let tasks = (TASKS_EACH * running as f64).clamp(TASKS.0, TASKS.1);
    let size = (total / tasks).clamp(shortest, medium);
    (total / TASKS.1).clamp(size, longest)
}

/// Expected sizes of the subtrees of the next round.
struct Estimate {
    /// Expansions a second of a thread.
    rate: f64,
    /// Largest number of tasks that workers had at the same time.
    running: usize,
    /// Expansions below the nodes of the last round, by path.
    counts: HashMap<Vec<Move>, f64>,
}

impl Estimate {
    /// Returns the expected number of expansions below each pending node: as many as in the last round below the same node,
    /// or its descendants, and a few below a node that was beyond the bound then.
    fn of(&self, search: &SuspendedSearch) -> Vec<f64> {
        let total = expected(search);
        let paths: Vec<&[Move]> = search.pending_paths().collect();
        let depth = paths.first().map_or(0, |path| path.len());
        let mut by_prefix: HashMap<&[Move], f64> = HashMap::new();
        for (path, count) in &self.counts {
            *by_prefix.entry(&path[..depth.min(path.len())]).or_default() += count;
        }
        let known: Vec<f64> =
            paths.iter().map(|path| by_prefix.get(path).copied().unwrap_or_default()).collect();
        let sum: f64 = known.iter().sum();
        let mean = total / paths.len().max(1) as f64;
        match sum > 0.0 {
            true => known.iter().map(|count| (count * total / sum).max(mean / 10.0)).collect(),
            false => vec![mean; paths.len()],
        }
    }
}

/// A task: some pending nodes.
struct Part {
    nodes: Vec<usize>,
    is_done: bool,
    /// Number of wrong results.
    wrong: u32,
}

/// The driver of one round.
struct RoundDriver<'a, 'b> {
    answerer: &'a Answerer<'b>,
    problem: &'a Problem,
    checkpoint: &'a Checkpoint,
    options: SolveOptions,
    search: SuspendedSearch,
    /// The moves to each pending node.
    paths: Vec<Vec<Move>>,
    parts: Vec<Part>,
    /// Numbers of the parts that are not published yet, the largest first.
    open: VecDeque<usize>,
    /// Numbers of the parts by the names of their jobs.
    jobs: HashMap<String, usize>,
    estimate: Estimate,
    done: usize,
    saved: Instant,
    /// When the time limit is reached.
    until: Option<Instant>,
    progress: BatchProgress,
    lookout: Lookout,
    /// Expansions and nanoseconds of the parts that are done.
    measured: (u64, u64),
}

impl<'a, 'b> RoundDriver<'a, 'b> {
    fn new(
        answerer: &'a Answerer<'b>,
        problem: &'a Problem,
        checkpoint: &'a Checkpoint,
        search: SuspendedSearch,
        estimate: &Estimate,
    ) -> Self {
        let counts = estimate.of(&search);
        let size = task_size(counts.iter().sum(), estimate.rate, estimate.running);
        let (mut parts, mut sizes) = (Vec::new(), Vec::new());
        for (node, count) in counts.into_iter().enumerate() {
            let most = size * SIZES[parts.len() % SIZES.len()];
            match sizes.last_mut() {
                Some(sum) if *sum + count <= most && node % MOST_NODES > 0 => *sum += count,
                _ => {
                    parts.push(Part { nodes: Vec::new(), is_done: false, wrong: 0 });
                    sizes.push(count);
                }
            }
            if let Some(part) = parts.last_mut() {
                part.nodes.push(node);
            }
        }
        let mut open: Vec<usize> = (0..parts.len()).collect();
        open.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
        print_note(format_args!(
            "bound {}: {} tasks with {} subtrees",
            search.bound(),
            with_commas(parts.len() as u64),
            with_commas(search.pending() as u64)
        ));
        let shown = answerer.args.progress.progress;
        let mut driver = Self {
            answerer,
            problem,
            checkpoint,
            options: SolveOptions::new(answerer.args, 1),
            paths: search.pending_paths().map(<[Move]>::to_vec).collect(),
            search,
            progress: BatchProgress::of_tasks(shown, parts.len() as u64),
            parts,
            open: open.into(),
            jobs: HashMap::new(),
            estimate: Estimate { counts: HashMap::new(), ..*estimate },
            done: 0,
            saved: Instant::now(),
            until: None,
            lookout: Lookout::new(),
            measured: (0, 0),
        };
        // All names are known at the start, so that the results that an earlier driver has left count.
        driver.jobs =
            (0..driver.parts.len()).map(|number| (driver.job(number).key, number)).collect();
        driver
    }

    /// Returns the job of a part. The same part always has the same one.
    fn job(&self, number: usize) -> QueueJob {
        let item = Item { line: None, id: None, expected: None, problem: Ok(self.problem.clone()) };
        let job = Job::Subtrees {
            options: self.options.clone(),
            board: QueuedBoard::new(0, &item, self.problem),
            checkpoint: self.search.part(&self.parts[number].nodes).text(),
        };
        let payload = serde_json::to_vec(&job).expect("a job serializes to JSON");
        QueueJob { key: checksum_of(&payload)[..KEY_DIGITS].to_owned(), payload }
    }

    /// Saves the state of the round. Returns whether it is complete.
    fn end(&mut self) -> Result<bool, Failure> {
        let is_complete = self.is_done();
        self.search = self.with_open_nodes();
        self.parts.clear();
        if is_complete && self.search.solution_length() != Some(self.search.bound()) {
            self.search.finish_iteration();
        }
        self.save()?;
        if self.measured.1 > 0 {
            self.estimate.rate = self.measured.0 as f64 / (self.measured.1 as f64 / 1e9);
        }
        Ok(is_complete)
    }

    /// Returns the search without the nodes of the parts that are done.
    fn with_open_nodes(&self) -> SuspendedSearch {
        let mut open = vec![true; self.search.pending()];
        for part in self.parts.iter().filter(|part| part.is_done) {
            for &node in &part.nodes {
                // A solution within the bound leaves no pending nodes.
                if let Some(is_open) = open.get_mut(node) {
                    *is_open = false;
                }
            }
        }
        let mut search = self.search.clone();
        search.retain(|node| open[node]);
        search
    }

    fn save(&mut self) -> Result<(), Failure> {
        self.saved = Instant::now();
        let text = self.with_open_nodes().text();
        self.checkpoint.replace(&text).map_err(|error| {
            anyhow!("cannot write {}: {error}", self.checkpoint.path().display()).into()
        })
    }

    /// Adds the result of a part. Returns false if it is not valid.
    fn add(&mut self, number: usize, result: &[u8]) -> bool {
        let Ok(searched) = serde_json::from_slice::<SearchedSubtrees>(result) else { return false };
        let Ok(part) = SuspendedSearch::read(&searched.checkpoint) else { return false };
        let is_solution = |text: &String| {
            let moves = parse_moves(text).ok();
            moves.is_some_and(|moves| {
                check_solves(self.problem, &moves).is_ok()
                    && part.solution_length() == Some(moves.len() as u32)
            })
        };
        let is_sound = match (&searched.moves, part.solution_length()) {
            (Some(moves), Some(_)) => is_solution(moves),
            (None, None) => true,
            _ => false,
        };
        if !is_sound || !self.search.add(&part) {
            return false;
        }
        let nodes = &self.parts[number].nodes;
        let expanded = part.last_expanded();
        self.measured.0 += expanded;
        self.measured.1 += searched.elapsed_ns;
        let each = expanded as f64 / nodes.len().max(1) as f64;
        let counts = nodes.iter().map(|&node| (self.paths[node].clone(), each));
        self.estimate.counts.extend(counts);
        true
    }
}

impl Work for RoundDriver<'_, '_> {
    type Error = Failure;

    fn next_job(&mut self) -> Result<Option<QueueJob>, Failure> {
        // A solution within the bound leaves no pending nodes, and so no jobs.
        while !self.is_done()
            && let Some(number) = self.open.pop_front()
        {
            if !self.parts[number].is_done {
                return Ok(Some(self.job(number)));
            }
        }
        Ok(None)
    }

    fn is_done(&self) -> bool {
        let is_solved = self.search.solution_length() == Some(self.search.bound());
        is_solved || self.done == self.parts.len()
    }

    fn take(&mut self, key: &str, outcome: Outcome<'_>) -> Result<bool, Failure> {
        // The results of other rounds, and of an earlier driver with other parts, have other names.
        let Some(&number) = self.jobs.get(key).filter(|&&number| !self.parts[number].is_done)
        else {
            return Ok(true);
        };
        let failure = |reason: &str| {
            let again = "run the same command with --resume to try again";
            anyhow!("a task of the search failed: {reason}; {again}")
        };
        match outcome {
            Outcome::Failed(reason) => Err(failure(printable(reason).as_ref()).into()),
            Outcome::Done(result) => {
                if !self.add(number, result) {
                    let wrong = &mut self.parts[number].wrong;
                    *wrong += 1;
                    if *wrong == MOST_WRONG {
                        let reason = format!("{MOST_WRONG} results of workers were wrong");
                        return Err(failure(&reason).into());
                    }
                    print_note("a result of a worker is wrong; its subtrees are searched again");
                    return Ok(false);
                }
                self.parts[number].is_done = true;
                self.done += 1;
                self.progress.advance(1, 0, self.done as u64);
                if self.saved.elapsed() >= SAVE {
                    self.save()?;
                }
                Ok(true)
            }
        }
    }

    fn look(&mut self, state: State) -> bool {
        if let Some(note) = self.lookout.look(&state) {
            self.progress.suspended(|| print_note(note));
        }
        self.progress.set_queue(progress_of(state, 0));
        self.estimate.running = self.estimate.running.max(state.running);
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        !is_late && !self.answerer.cancel.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_have_tasks_for_many_threads_and_subtrees_that_cost_little() {
        // The expansions of a round, its least subtrees, and its tasks for few and many workers.
        let rounds = [
            (1e6, 4096, [3.0, 3.0]),
            (4e8, 13_333, [256.0, 1000.0]),
            (4e9, 65_536, [256.0, 1024.0]),
            (9e11, 65_536, [4096.0, 4096.0]),
        ];
        for (total, least, tasks) in rounds {
            assert_eq!(subtrees(total), least);
            let number = |running| (total / task_size(total, RATE, running)).ceil();
            assert_eq!([4, 128].map(number), tasks, "{total}");
        }
        let longest = task_size(1e16, RATE, 4);
        assert_eq!(longest, 30.0 * RATE);
    }
}

//! `loyd work`: does the jobs of drivers on other machines.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use loyd::board::Solvability;
use loyd::notation::{moves_to_string, parse_board};
use loyd::search::{
    Checkpoint, Event, Limits, Observer, Round, Status as Ended, Stop, SuspendedSearch,
};
use loyd::{CancelToken, Config, Solver};
use loyd_lab::compare::{self, Comparison, Record};
use loyd_lab::dataset::{DatasetError, Labeller, Labels};
use loyd_queue::{Error, Finished, Options, Task};

use super::queue::{
    ComparedBoard, ComparedRuns, ComparedSearches, Job, LabelledJob, QueuedAnswer, QueuedBoard,
    SearchedSubtrees, SolveOptions, SolvedBoards, WantedLabels, connect,
};
use super::solve::{Answerer, Answers, Counters, WorkIdentity, config};
use crate::args::pdb::CacheArgs;
use crate::args::{SolveArgs, WorkArgs, or_cores};
use crate::failure::{Failure, Status, print_note};
use crate::interrupt;
use crate::memory;
use crate::units::Limit;

/// Version of the jobs that this program does.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Maximum number of batches, of comparisons and of datasets whose tables are kept.
const MOST_KEPT: usize = 8;

/// Maximum number of hard boards whose tables are kept. The tables of one board take up to 300 MB.
const MOST_HARD: usize = 2;

/// Works until interrupted.
pub fn run(args: WorkArgs) -> Result<Status, Failure> {
    let queue = connect(&args.url, &args.access)?;
    let cancel = interrupt::token()?;
    let threads = or_cores(args.threads);
    let options = Options {
        threads,
        give_up: args.give_up.and_then(|Limit(limit)| limit),
        ack_wait: args.ack_wait.0.unwrap_or(Duration::MAX).clamp(SHORTEST, LONGEST),
        metrics: args.metrics,
    };
    let url = queue.address();
    print_note(format_args!(
        "loyd {VERSION} works for {url} with {threads} thread{}; Ctrl-C ends it",
        if threads.get() == 1 { "" } else { "s" }
    ));
    let worker = Worker {
        args,
        cancel: cancel.clone(),
        solvers: Kept::at_most(MOST_KEPT),
        searches: Kept::at_most(MOST_HARD),
        comparisons: Kept::at_most(MOST_KEPT),
        labellers: Kept::at_most(MOST_KEPT),
    };
    let solve: Arc<dyn Fn(&Task) -> Finished + Send + Sync> =
        Arc::new(move |task: &Task| worker.work(task));
    let ended =
        queue.work(VERSION, &options, &|| cancel.is_cancelled(), &|note| print_note(note), &solve);
    match ended {
        Err(error @ Error::GivenUp(..)) => {
            print_note(error);
            Ok(Status::No)
        }
        ended => Ok(ended.map(|()| Status::Yes)?),
    }
}

/// Range of `--ack-wait`.
const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(3600);

/// State that the threads of a worker share.
struct Worker {
    args: WorkArgs,
    cancel: CancelToken,
    /// The solvers of the last batches.
    solvers: Kept<SolveOptions, Prepared>,
    /// The solvers of the last hard boards.
    searches: Kept<(SolveOptions, String), Prepared>,
    /// The last comparisons, without their boards.
    comparisons: Kept<ComparedSearches, Comparison>,
    /// The labellers of the last datasets, or the reasons why there are none.
    labellers: Kept<WantedLabels, Result<Labeller, String>>,
}

/// Values that are prepared once for many jobs, by the `Options` of these jobs. Only the last few are kept.
struct Kept<Options, Value> {
    values: Mutex<HashMap<Options, Arc<Value>>>,
    most: usize,
}

impl<Options: Clone + Eq + Hash, Value> Kept<Options, Value> {
    fn at_most(most: usize) -> Self {
        Self { values: Mutex::default(), most }
    }

    /// Returns the value for `options`, which `prepare` creates if there is none.
    fn get(
        &self,
        options: &Options,
        prepare: impl FnOnce() -> anyhow::Result<Value>,
    ) -> anyhow::Result<Arc<Value>> {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = values.get(options) {
            return Ok(value.clone());
        }
        if values.len() >= self.most {
            values.clear();
        }
        let value = Arc::new(prepare()?);
        values.insert(options.clone(), value.clone());
        Ok(value)
    }
}

/// The options of a batch, and a solver that keeps its tables.
struct Prepared {
    args: SolveArgs,
    solver: Solver,
}

impl Worker {
    /// Does a job.
    fn work(&self, task: &Task) -> Finished {
        self.result(task).unwrap_or_else(|error| Finished::Failed(format!("{error:#}")))
    }

    /// Returns the result of a job.
    fn result(&self, task: &Task) -> anyhow::Result<Finished> {
        let job = serde_json::from_slice(&task.payload).context("it is not a job")?;
        match job {
            Job::Solve { options, boards } => Ok(match self.solve(&options, &boards)? {
                ControlFlow::Continue(solved) => Finished::Done(serde_json::to_vec(&solved)?, None),
                ControlFlow::Break(()) => Finished::Interrupted,
            }),
            Job::Subtrees { options, board, checkpoint } => {
                self.search(task, &options, &board, checkpoint)
            }
            Job::Compare { searches, row, boards } => self.compare(&searches, row, &boards),
            Job::Label { wanted, boards } => self.label(&wanted, &boards),
        }
    }

    /// Searches some subtrees of an iteration, unless a solution makes the iteration unnecessary.
    fn search(
        &self,
        task: &Task,
        options: &SolveOptions,
        board: &QueuedBoard,
        checkpoint: String,
    ) -> anyhow::Result<Finished> {
        let started = Instant::now();
        let key = (options.clone(), board.board.clone());
        let prepared = self.searches.get(&key, || self.prepare(options))?;
        let problem = board.item()?.problem.map_err(|failure| anyhow!(failure.to_line()))?;
        let bound = SuspendedSearch::read(&checkpoint).map_err(|why| anyhow!(why))?.bound();
        task.report_bound(bound.into());
        let checkpoint = Checkpoint::in_memory(checkpoint).every(Duration::MAX);
        let config = prepared.solver.config();
        let config = Config {
            checkpoint: Some(checkpoint.clone()),
            round: Some(Round::Finish),
            // The driver applies the limits of the whole search.
            limits: Limits { max_bytes: config.limits.max_bytes, ..Limits::default() },
            ..config.clone()
        };
        let solver = prepared.solver.sharing(config)?;
        let mut observer = Needed { task, bound };
        let report = solver.solve_watched(&problem, &self.cancel, Some(&mut observer))?;
        if self.cancel.is_cancelled() {
            return Ok(Finished::Interrupted);
        }
        match report.status {
            Ended::Solved | Ended::Stopped(Stop::Expanded) => {}
            _ if !observer.is_needed() => return Ok(Finished::Unneeded),
            Ended::Stopped(stop) => return Ok(Finished::Unable(stop.to_string())),
            status => bail!("the search of its subtrees ended as {}", status.name()),
        }
        let length = report.length().map(|length| length as u64);
        let searched = SearchedSubtrees {
            checkpoint: checkpoint.text().unwrap_or_default(),
            moves: report.moves.as_deref().map(moves_to_string),
            elapsed_ns: started.elapsed().as_nanos() as u64,
        };
        Ok(Finished::Done(serde_json::to_vec(&searched)?, length))
    }

    /// Solves boards as a single process would.
    fn solve(
        &self,
        options: &SolveOptions,
        boards: &[QueuedBoard],
    ) -> anyhow::Result<ControlFlow<(), SolvedBoards>> {
        let started = Instant::now();
        let prepared = self.solvers.get(options, || self.prepare(options))?;
        let answerer = Answerer {
            args: &prepared.args,
            solver: prepared.solver.sharing(prepared.solver.config().clone())?,
            cancel: self.cancel.clone(),
            counters: Counters::default(),
            identity: WorkIdentity::default(),
            single_board: false,
            repeats_cancelled: true,
        };
        let mut answers = Vec::with_capacity(boards.len());
        for board in boards {
            let mut found = Answers::default();
            let answered = answerer.answer(board.item()?, None, &mut found);
            match answered.map_err(|failure| anyhow!(failure.to_line()))? {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            }
            let line = String::from_utf8(found.text)?;
            answers.push(QueuedAnswer {
                number: board.number,
                line: line.trim_end_matches('\n').to_owned(),
                remarks: found.remarks.into_iter().map(|(_, remark)| remark).collect(),
                shared_remarks: answerer.counters.take(),
                status: found.status as u8,
                is_proved: found.proved > 0,
            });
        }
        for warning in answerer.solver.take_warnings() {
            print_note(format_args!("warning: {warning}"));
        }
        let elapsed_ns = started.elapsed().as_nanos() as u64;
        Ok(ControlFlow::Continue(SolvedBoards { answers, elapsed_ns }))
    }

    /// Runs a row of a comparison on boards, as a single process would.
    fn compare(
        &self,
        searches: &ComparedSearches,
        row: usize,
        boards: &[ComparedBoard],
    ) -> anyhow::Result<Finished> {
        let started = Instant::now();
        let whole = self.comparisons.get(searches, || {
            searches.comparison(|config| {
                config.store = self.cache().store();
                self.cap(&mut config.limits);
            })
        })?;
        ensure!(row < whole.rows().len(), "there is no row {row}");
        let instances =
            boards.iter().map(ComparedBoard::instance).collect::<anyhow::Result<_>>()?;
        let part = whole.part(row, instances)?;
        let mut records = Vec::with_capacity(boards.len());
        for (board, ComparedBoard { number, .. }) in boards.iter().enumerate() {
            let run = compare::Run { row: 0, board };
            match part.solve(run, part.limits(), &self.cancel, None) {
                Some(record) => records.push(Record { board_id: *number, ..record }),
                None => return Ok(Finished::Interrupted),
            }
        }
        let elapsed_ns = started.elapsed().as_nanos() as u64;
        Ok(Finished::Done(serde_json::to_vec(&ComparedRuns { records, elapsed_ns })?, None))
    }

    /// Labels boards, as a single process would.
    fn label(&self, wanted: &WantedLabels, boards: &[String]) -> anyhow::Result<Finished> {
        let started = Instant::now();
        let labeller = self.labellers.get(wanted, || {
            let mut config = wanted.config()?;
            config.store = self.cache().store();
            // Each job has one thread; all of them build the tables.
            config.threads = or_cores(self.args.threads).get();
            self.cap(&mut config.limits);
            match Labeller::new(&wanted.goal()?, wanted.options()?, config, &self.cancel, None) {
                Err(DatasetError::Config(why)) => Ok(Err(why.to_string())),
                made => Ok(Ok(made?)),
            }
        });
        if self.cancel.is_cancelled() {
            return Ok(Finished::Interrupted);
        }
        let (labels, skipped, refused) = match &*labeller? {
            Ok(labeller) => {
                let board = |text: &String| {
                    let board = parse_board(text, Some(labeller.goal().size()))?;
                    let is_solvable = Solvability::is_reachable(&board, labeller.goal());
                    ensure!(is_solvable, "{text} cannot reach the goal");
                    Ok(board)
                };
                let boards = boards.iter().map(board).collect::<anyhow::Result<Vec<_>>>()?;
                let labelled = labeller.label(&boards, &self.cancel);
                (labelled.part.into_labels(), labelled.skipped, None)
            }
            Err(why) => (Labels::default(), Vec::new(), Some(why.clone())),
        };
        if self.cancel.is_cancelled() {
            return Ok(Finished::Interrupted);
        }
        let elapsed_ns = started.elapsed().as_nanos() as u64;
        let labelled = LabelledJob { labels, skipped, refused, elapsed_ns };
        Ok(Finished::Done(serde_json::to_vec(&labelled)?, None))
    }

    /// Returns a solver for `options`.
    fn prepare(&self, options: &SolveOptions) -> anyhow::Result<Prepared> {
        let args = options.args(self.cache())?;
        let solver = Solver::new(self.capped(config(&args, options.boards), options.boards))?;
        Ok(Prepared { args, solver })
    }

    fn cache(&self) -> CacheArgs {
        CacheArgs { cache: self.args.cache.cache.clone() }
    }

    /// Applies the limits of this worker.
    fn capped(&self, config: Config, boards: u64) -> Config {
        let mut config = config;
        self.cap(&mut config.limits);
        if let Some(Limit(Some(most))) = self.args.max_time {
            config.improve = config.improve.min(most);
        }
        // Each job has one thread; all of them build the tables of a batch.
        config.threads = if boards == 1 { 1 } else { or_cores(self.args.threads).get() };
        config
    }

    /// Reduces limits to the limits of this worker.
    fn cap(&self, limits: &mut Limits) {
        if let Some(Limit(Some(most))) = self.args.max_time {
            limits.max_time = Some(limits.max_time.map_or(most, |time| time.min(most)));
        }
        if let Some(most) = memory::allowed(self.args.max_memory, None) {
            let most = memory::for_searches(most);
            limits.max_bytes = Some(limits.max_bytes.map_or(most, |bytes| bytes.min(most)));
        }
    }
}

/// Ends a search within a bound for which a solution is known: it can find no shorter one.
struct Needed<'a> {
    task: &'a Task,
    bound: u32,
}

impl Needed<'_> {
    fn is_needed(&self) -> bool {
        self.task.best().is_none_or(|best| best > self.bound.into())
    }
}

impl Observer for Needed<'_> {
    fn event(&mut self, _: Event<'_>) -> ControlFlow<()> {
        if self.is_needed() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

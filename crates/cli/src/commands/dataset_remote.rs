//! Lets workers on other machines label the boards of a dataset.
//!
//! A job has consecutive boards of one file of rows. Their labels are taken in the order of the boards, each after it was
//! checked, so the files equal the files of one process. Nothing on the queue is needed to resume.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use loyd::moves::Metric;
use loyd::notation::{parse_moves, slashes};
use loyd::{Board, CancelToken, Config, Move, Problem};
use loyd_lab::dataset::{LabelOptions, LabelledBoards, Labels, Part};
use loyd_queue::{Job as QueueJob, Outcome, Queue, Run, State, Work};

use super::dataset_boards::Feed;
use super::queue::{
    Job, JobSize, Jobs, LabelledJob, Lookout, MOST_BYTES_IN_JOB, MOST_WRONG, WantedLabels,
    printable, progress_of,
};
use super::replay_record::{check_length, check_solves};
use crate::args::DatasetArgs;
use crate::failure::{Failure, print_note};
use crate::progress::BatchProgress;

/// Maximum number of boards in memory.
const MOST_BOARDS: u64 = 1 << 15;

/// Maximum number of boards of a job.
const MOST_IN_JOB: f64 = 4096.0;

/// Number of boards that are drawn or read ahead of the driver.
const AHEAD: usize = 1 << 12;

/// Time after which a job gets no more boards, if they come slowly.
const GATHER: Duration = Duration::from_millis(200);

/// Takes labels, in the order of the boards.
type Deliver<'a> = dyn FnMut(LabelledBoards) -> Result<(), Failure> + 'a;

/// Labels that workers compute.
pub struct RemoteLabels<'a> {
    pub queue: &'a Queue,
    /// Name of the work on the queue.
    pub name: String,
    pub goal: &'a Board,
    pub options: &'a LabelOptions,
    pub config: Config,
    pub args: &'a DatasetArgs,
}

impl RemoteLabels<'_> {
    /// Labels the boards of `feed`, the first of which is the first of a file, and passes the labels to `deliver`. Returns
    /// the feed at its end, or `None` after an interruption.
    ///
    /// # Errors
    /// Returns an error of `deliver` or of the queue, or if no board can have such labels.
    pub fn label(
        &self,
        mut feed: Feed,
        progress: &BatchProgress,
        cancel: &CancelToken,
        deliver: &mut Deliver<'_>,
    ) -> Result<Option<Feed>, Failure> {
        let (to_driver, boards) = sync_channel(AHEAD);
        let token = cancel.clone();
        // After an interruption it may still wait for input, so nothing waits for it.
        let feeding = thread::Builder::new().spawn(move || {
            _ = feed.boards(&token).try_for_each(|board| to_driver.send(board));
            drop(to_driver);
            feed
        })?;
        let mut driver = Driver {
            labels: self,
            wanted: WantedLabels::new(self.goal, self.options, &self.config),
            boards: Some(boards),
            groups: BTreeMap::new(),
            next: 0,
            given: 0,
            gathered: Vec::new(),
            gathered_since: Instant::now(),
            jobs: Jobs::new(),
            size: JobSize::at_most(MOST_IN_JOB),
            failed: 0,
            lookout: Lookout::new(),
            progress,
            cancel,
            deliver,
        };
        self.queue.drive(&Run::new(env!("CARGO_PKG_VERSION"), &self.name), &mut driver)?;
        if driver.boards.is_some() {
            return Ok(None);
        }
        feeding.join().map_or_else(|panic| resume_unwind(panic), |feed| Ok(Some(feed)))
    }
}

/// The consecutive boards of a job.
struct Group {
    boards: Vec<Board>,
    labelled: Option<LabelledBoards>,
    /// Number of wrong results.
    wrong: u32,
}

/// The driver of the workers.
struct Driver<'a> {
    labels: &'a RemoteLabels<'a>,
    wanted: WantedLabels,
    /// `None` at their end.
    boards: Option<Receiver<Board>>,
    /// The boards whose labels are not delivered, by the number of the first in each group.
    groups: BTreeMap<u64, Group>,
    /// Number of the next board.
    next: u64,
    /// Number of boards whose labels are delivered.
    given: u64,
    /// The boards of the next group, and when the first of them was drawn.
    gathered: Vec<Board>,
    gathered_since: Instant,
    /// The number of the first board of each job.
    jobs: Jobs<u64>,
    size: JobSize,
    /// Number of boards that failed.
    failed: u64,
    lookout: Lookout,
    progress: &'a BatchProgress,
    cancel: &'a CancelToken,
    deliver: &'a mut Deliver<'a>,
}

impl Work for Driver<'_> {
    type Error = Failure;

    fn next_job(&mut self) -> Result<Option<QueueJob>, Failure> {
        if let Some(first) = self.jobs.next_alone() {
            return Ok(self.job(first));
        }
        if self.jobs.are_enough() {
            return Ok(None);
        }
        let part_rows = self.labels.args.part_rows;
        let left_of_part = part_rows - self.next % part_rows;
        let bytes = 4 * self.labels.goal.size().cells();
        let most = (self.size.items().min(MOST_BYTES_IN_JOB / bytes).max(1) as u64)
            .min(left_of_part)
            .min(MOST_BOARDS - (self.next - self.given));
        while (self.gathered.len() as u64) < most
            && let Some(boards) = &self.boards
        {
            match boards.try_recv() {
                Ok(board) => {
                    if self.gathered.is_empty() {
                        self.gathered_since = Instant::now();
                    }
                    self.gathered.push(board);
                }
                Err(TryRecvError::Disconnected) => self.boards = None,
                Err(TryRecvError::Empty) if self.gathered_since.elapsed() >= GATHER => break,
                Err(TryRecvError::Empty) => return Ok(None),
            }
        }
        let boards = std::mem::take(&mut self.gathered);
        if boards.is_empty() {
            return Ok(None);
        }
        let first = self.next;
        self.next += boards.len() as u64;
        self.groups.insert(first, Group { boards, labelled: None, wrong: 0 });
        Ok(self.job(first))
    }

    fn is_done(&self) -> bool {
        self.boards.is_none() && self.gathered.is_empty() && self.groups.is_empty()
    }

    fn take(&mut self, key: &str, outcome: Outcome<'_>) -> Result<bool, Failure> {
        // Results of an earlier driver, and results that were taken before, are removed from the server.
        let Some(&first) = self.jobs.items(key).first() else { return Ok(false) };
        let result = match outcome {
            Outcome::Failed(reason) => Err(printable(reason)),
            Outcome::Done(result) => {
                let labelled = self.read(first, result)?;
                match self.groups.get_mut(&first) {
                    Some(group) if labelled.is_err() && group.wrong + 1 < MOST_WRONG => {
                        group.wrong += 1;
                        let why = labelled.err().unwrap_or_default();
                        self.progress.suspended(|| {
                            print_note(format_args!("{why}; the boards are labelled again"));
                        });
                        return Ok(false);
                    }
                    _ => labelled,
                }
            }
        };
        self.jobs.remove(key);
        match result {
            Ok(labelled) => {
                if let Some(group) = self.groups.get_mut(&first) {
                    group.labelled = Some(labelled);
                }
            }
            Err(reason) => self.fail(first, reason),
        }
        self.write()?;
        Ok(true)
    }

    fn look(&mut self, state: State) -> bool {
        self.jobs.look(&state);
        if let Some(note) = self.lookout.look(&state) {
            self.progress.suspended(|| print_note(note));
        }
        self.progress.set_queue(progress_of(state, self.failed));
        !self.cancel.is_cancelled()
    }
}

impl Driver<'_> {
    /// Returns the job of a group.
    fn job(&mut self, first: u64) -> Option<QueueJob> {
        let boards = &self.groups.get(&first)?.boards;
        let boards = boards.iter().map(|board| slashes(board).to_string()).collect();
        let job = Job::Label { wanted: self.wanted.clone(), boards };
        Some(self.jobs.add(first, vec![first], &job))
    }

    /// Returns the labels in a result, or what is wrong with them.
    ///
    /// # Errors
    /// Returns an error if no board can have such labels.
    fn read(
        &mut self,
        first: u64,
        result: &[u8],
    ) -> Result<Result<LabelledBoards, String>, Failure> {
        let Ok(result) = serde_json::from_slice::<LabelledJob>(result) else {
            return Ok(Err("a result of a worker is not readable".to_owned()));
        };
        let LabelledJob { labels, skipped, refused, elapsed_ns } = result;
        if let Some(why) = refused {
            return Err(anyhow!(why).into());
        }
        let Some(group) = self.groups.get(&first) else { return Ok(Err(String::new())) };
        self.size.adapt(group.boards.len(), elapsed_ns);
        let RemoteLabels { goal, options, config, .. } = self.labels;
        let labelled = labelled(&group.boards, goal, options, config.metric, labels, skipped);
        Ok(labelled.map_err(|why| format!("a worker gave wrong labels: {why:#}")))
    }

    /// Takes the failure of a job. One with several boards is repeated with each of them alone; a single board has no
    /// labels.
    fn fail(&mut self, first: u64, reason: String) {
        let Some(group) = self.groups.get_mut(&first) else { return };
        if group.boards.len() == 1 {
            let part = Part::new(self.labels.goal.size(), self.labels.options);
            group.labelled = Some(LabelledBoards { boards: 1, part, skipped: vec![(0, reason)] });
            self.failed += 1;
            return;
        }
        let boards = std::mem::take(&mut group.boards);
        self.jobs.repeat_alone(first..first + boards.len() as u64);
        let single = |board| Group { boards: vec![board], labelled: None, wrong: 0 };
        self.groups.extend((first..).zip(boards.into_iter().map(single)));
    }

    /// Delivers the labels of the next boards.
    fn write(&mut self) -> Result<(), Failure> {
        while let Some(first) = self.groups.first_entry()
            && let Some(labelled) = first.into_mut().labelled.take()
        {
            self.groups.pop_first();
            self.given += labelled.boards;
            (self.deliver)(labelled)?;
        }
        Ok(())
    }
}

/// Returns boards with the labels of a worker, after checking what can be checked without a search.
fn labelled(
    boards: &[Board],
    goal: &Board,
    options: &LabelOptions,
    metric: Metric,
    labels: Labels,
    skipped: Vec<(u64, String)>,
) -> anyhow::Result<LabelledBoards> {
    let places: Vec<u64> = skipped.iter().map(|&(place, _)| place).collect();
    let is_sound = places.is_sorted_by(|a, b| a < b)
        && places.last().is_none_or(|&last| last < boards.len() as u64);
    ensure!(is_sound, "it skips boards that it did not get");
    let have_labels = (0..).zip(boards).filter(|(place, _)| places.binary_search(place).is_err());
    let have_labels: Vec<&Board> = have_labels.map(|(_, board)| board).collect();
    for (row, &board) in have_labels.iter().enumerate() {
        check_row(board, goal, metric, &labels, row).with_context(|| slashes(board).to_string())?;
    }
    let part = Part::with_labels(goal.size(), options, have_labels.into_iter(), labels);
    let part = part.context("it has more or fewer labels than boards")?;
    Ok(LabelledBoards { boards: boards.len() as u64, part, skipped })
}

/// Checks the labels of a board: the distance against the parity and the distances of the tiles, the first moves against
/// the legal ones, and the solution by replaying it.
fn check_row(
    board: &Board,
    goal: &Board,
    metric: Metric,
    labels: &Labels,
    row: usize,
) -> anyhow::Result<()> {
    let distance = usize::from(*labels.distances.get(row).context("it has no distance")?);
    let problem = Problem::between(board.clone(), goal.clone())?;
    check_length(&problem, metric, distance)?;
    let first_moves = labels.first_moves.get(row).copied();
    if let Some(mask) = first_moves {
        let legal: u8 = board.moves().into_iter().map(bit).sum();
        let is_possible = mask & !legal == 0 && (mask == 0) == (distance == 0);
        ensure!(is_possible, "its first moves cannot be {mask}");
    }
    if let Some(text) = labels.solutions.get(row) {
        let moves =
            parse_moves(text).map_err(|error| anyhow!("its moves are not moves ({error})"))?;
        check_solves(&problem, &moves)?;
        let length = metric.length(&moves);
        ensure!(
            length == distance,
            "its distance is {distance}, but its solution has {length} moves"
        );
        let begins = |mask: u8| moves.first().is_none_or(|&first| mask & bit(first) != 0);
        ensure!(first_moves.is_none_or(begins), "its first moves do not have that of its solution");
    }
    Ok(())
}

/// Returns the bit of a move in a mask of first moves.
fn bit(m: Move) -> u8 {
    1 << m.index()
}

#[cfg(test)]
mod tests {
    use loyd::{Goal, Size};

    use super::*;

    #[test]
    fn wrong_labels_are_refused() {
        let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
        let boards: Vec<Board> = [[1, 2, 3, 4, 5, 6, 7, 0, 8], [1, 2, 3, 4, 0, 6, 7, 5, 8]]
            .map(|numbers| Board::new(Size::EIGHT, &numbers).unwrap())
            .into();
        let options =
            LabelOptions { first_moves: true, solutions: true, heuristics: vec!["manhattan"] };
        let right = Labels {
            distances: vec![1, 2],
            first_moves: vec![4, 8],
            estimates: vec![1, 2],
            solutions: vec!["r".to_owned(), "dr".to_owned()],
        };
        let check = |labels: Labels, skipped: &[u64]| {
            let skipped = skipped.iter().map(|&place| (place, "time".to_owned())).collect();
            labelled(&boards, &goal, &options, Metric::SingleTile, labels, skipped)
        };
        assert_eq!(check(right.clone(), &[]).unwrap().part.len(), 2);
        let one = Labels {
            distances: vec![2],
            first_moves: vec![8],
            estimates: vec![2],
            solutions: vec!["dr".to_owned()],
        };
        assert_eq!(check(one.clone(), &[0]).unwrap().part.len(), 1);
        let change = |change: fn(&mut Labels)| {
            let mut labels = right.clone();
            change(&mut labels);
            labels
        };
        let wrong = [
            change(|labels| labels.distances[0] = 2),
            change(|labels| labels.distances[1] = 0),
            change(|labels| labels.distances[1] = 4),
            change(|labels| labels.first_moves[0] = 0),
            change(|labels| labels.first_moves[0] = 12),
            change(|labels| labels.first_moves[0] = 1),
            change(|labels| labels.first_moves[0] = 20),
            change(|labels| labels.solutions[1] = "rd".to_owned()),
            change(|labels| labels.solutions[1] = "x".to_owned()),
            change(|labels| drop(labels.solutions.pop())),
            change(|labels| labels.distances.push(1)),
            change(|labels| labels.estimates.truncate(1)),
        ];
        for labels in wrong {
            assert!(check(labels.clone(), &[]).is_err(), "{labels:?}");
        }
        for skipped in [&[][..], &[1], &[2], &[0, 0], &[0, 1]] {
            assert!(check(one.clone(), skipped).is_err(), "{skipped:?}");
        }
    }
}

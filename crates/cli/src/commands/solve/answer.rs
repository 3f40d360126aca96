//! Solves one board; formats its solution and the remarks about it.

use std::io::Write;
use std::ops::ControlFlow;

use loyd::batch::{Notated, Record};
use loyd::moves::Metric;
use loyd::notation::moves_to_string;
use loyd::search::{Observer, Prune, Quality, Shortest, Status as Ended, Stop};
use loyd::{CancelToken, Move, Problem, Report, Size, Solver};
use serde_json::Value;

use super::messages::{Counters, other_goals, stats};
use super::print::{export, moves_text, print_moves};
use super::shard::{WorkIdentity, mark_shard};
use crate::args::{SHORT_TIME, SolveArgs, SolveOutput};
use crate::commands::certificate;
use crate::failure::{Failure, Status, print_note};
use crate::input::{Item, name_of};
use crate::units::length_text;

/// The answer to a board that ended every worker which tried to solve it. `--resume` tries again.
pub const FAILED: &str = "failed";

/// Everything that the searches of all boards share.
pub struct Answerer<'a> {
    pub args: &'a SolveArgs,
    pub solver: Solver,
    pub cancel: CancelToken,
    /// Messages that are printed once for several boards.
    pub counters: Counters,
    /// Identity of the work, for the records of shards.
    pub identity: WorkIdentity,
    /// Whether the input is a single board, so that nothing is printed in place of a missing solution.
    pub single_board: bool,
    /// Whether a search that is cancelled gets no answer unless it is proved: it will be repeated.
    pub repeats_cancelled: bool,
}

/// Output for a run of consecutive boards.
#[derive(Default)]
pub struct Answers {
    /// Text for standard output.
    pub text: Vec<u8>,
    /// Messages for standard error, each with its position in the text.
    pub remarks: Vec<(usize, String)>,
    pub status: Status,
    /// Number of boards whose solution is proved to be shortest, or which are proved to have none.
    pub proved: u64,
}

impl Answers {
    /// Writes the text to `out` and the remarks to standard error, each remark at its position in the text.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mut written = 0;
        for (place, remark) in &self.remarks {
            out.write_all(&self.text[written..*place])?;
            out.flush()?;
            print_note(remark);
            written = *place;
        }
        out.write_all(&self.text[written..])?;
        Ok(out.flush()?)
    }

    pub fn remark(&mut self, remark: String) {
        self.remarks.push((self.text.len(), remark));
    }

    /// Adds remarks and sets the status if the board was not solved, or not as its file expects.
    pub fn judge(
        &mut self,
        answerer: &Answerer<'_>,
        report: &Report,
        line: Option<usize>,
        expected: Option<u32>,
    ) {
        let shared = Counters::shared_line(report, line);
        if let Some(shortfall) = answerer.shortfall(report, expected, shared.is_some()) {
            self.status = self.status.max(Status::No);
            if shared.is_some() {
                return answerer.counters.add(shortfall, line);
            }
            self.remark(match line {
                Some(line) => format!("line {line}: {shortfall}"),
                None => format!("{}: {shortfall}", report.problem.start_text()),
            });
        } else if let Some(bounds) = answerer.unproved_remark(report) {
            self.remark(match line {
                Some(line) => format!("line {line}: {bounds}"),
                None => bounds,
            });
        }
        if answerer.mentions_other_goals(report) {
            if !answerer.single_board {
                answerer.counters.add_other_goals(&report.problem, line);
            } else if let Some(goals) = other_goals(&report.problem) {
                self.remark(goals);
            }
        }
    }
}

/// Result of a search. `shortest` is the number of shortest solutions found, and whether these are all.
pub struct Found {
    pub report: Report,
    shortest: Option<(u128, bool)>,
    answers: Option<Vec<String>>,
    /// The solution, or all of them, in the requested notation.
    written: Option<Notated>,
}

/// Returns the exit status of a process that solves only the board of a record.
pub fn exit_status(record: &Value) -> Status {
    // Files give lengths in single-tile moves of cost 1.
    let counts = record["metric"] == Metric::SingleTile.name() && record["costs"].is_null();
    let number = |name: &str| record[name].as_u64().map(|number| number as usize);
    let expected = number("expected").filter(|_| counts);
    let is_optimal = record["optimal"] == true;
    match record["status"].as_str() {
        Some("invalid" | "refused") => Status::Bad,
        Some("stopped" | FAILED) => Status::No,
        _ if expected.is_some_and(|known| is_unexpected(known, number("length"), is_optimal)) => {
            Status::No
        }
        _ => Status::Yes,
    }
}

/// Returns whether a result contradicts the length of a shortest solution that a file gives. `length` is `None` if the
/// board is unsolvable.
fn is_unexpected(expected: usize, length: Option<usize>, is_optimal: bool) -> bool {
    length.is_none_or(|length| length < expected || (is_optimal && length > expected))
}

impl Answerer<'_> {
    /// Solves one board, or reports why it is invalid. Returns `Break`, and writes nothing, if the search was cancelled
    /// without a usable solution.
    ///
    /// # Errors
    /// Returns an error if the solution cannot be exported.
    pub fn answer(
        &self,
        item: Item,
        observer: Option<&mut dyn Observer>,
        to: &mut Answers,
    ) -> Result<ControlFlow<()>, Failure> {
        let Item { line, id, expected, problem } = item;
        let found = problem.map_err(|failure| (None, failure)).and_then(|problem| {
            let found = self.find(&problem, observer);
            found.map_err(|error| (Some(problem), with_option(error, self.args, line)))
        });
        match found {
            Ok(found) if self.is_discarded(&found.report) => return Ok(ControlFlow::Break(())),
            Ok(found) => {
                // A failure is reported after the answer.
                let files = self.write_files(&found.report);
                to.judge(self, &found.report, line, expected);
                let is_open = matches!(found.report.status, Ended::Stopped(_));
                let has_none = found.report.moves.is_none() && !is_open;
                to.proved += u64::from(found.report.optimal || has_none);
                let stats = self.args.stats.then(|| stats(&found.report));
                match (self.args.output, found.shortest) {
                    (SolveOutput::Json, _) => {
                        self.write(&Record { line, id, expected, ..self.record(found) }, to);
                    }
                    (_, Some((number, true))) => writeln!(to.text, "{number}")?,
                    (_, Some((_, false))) if self.single_board => {}
                    (_, Some((_, false))) => writeln!(to.text, "stopped")?,
                    (_, None) => self.print(&found.report, &mut to.text)?,
                }
                stats.into_iter().for_each(|stats| to.remark(stats));
                files?;
            }
            Err((problem, failure)) => {
                to.remark(failure.message());
                to.status = Status::Bad;
                let record = Record::invalid(problem.as_ref(), failure.to_line());
                self.write_in_place(&Record { line, id, expected, ..record }, to)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Writes the answer to a board that is not solved, because it is invalid or no worker could solve it.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_in_place(&self, record: &Record, to: &mut Answers) -> Result<(), Failure> {
        match self.args.output {
            SolveOutput::Json => self.write(record, to),
            _ if self.single_board => {}
            _ => writeln!(to.text, "{}", record.status)?,
        }
        Ok(())
    }

    /// Writes the animation and the certificate, if requested.
    fn write_files(&self, report: &Report) -> anyhow::Result<()> {
        if let Some(to) = &self.args.export {
            export(&to.path, report)?;
        }
        match &self.args.certificate {
            Some(path) => certificate::write(path, self.solver.config(), report, None),
            None => Ok(()),
        }
    }

    /// Returns whether a cancelled search is discarded: it has no solution, or resuming it may find a better one.
    fn is_discarded(&self, report: &Report) -> bool {
        match self.repeats_cancelled {
            true => self.cancel.is_cancelled() && !report.optimal,
            false if self.single_board => false,
            false => report.status == Ended::Stopped(Stop::Cancelled) && report.moves.is_none(),
        }
    }

    /// Prints the solution, or the word that replaces it.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn print(&self, report: &Report, to: &mut impl Write) -> Result<(), Failure> {
        match (&report.moves, report.status) {
            (Some(moves), _) => print_moves(&report.problem, moves, self.args, to)?,
            (None, Ended::Stopped(_)) if self.single_board => {}
            (None, Ended::Stopped(_)) => writeln!(to, "stopped")?,
            (None, _) => writeln!(to, "unsolvable")?,
        }
        Ok(())
    }

    /// Returns whether a message names the goals that an unsolvable board can reach. JSON records contain the goals
    /// instead.
    fn mentions_other_goals(&self, report: &Report) -> bool {
        let has_none = matches!(report.status, Ended::Unsolvable | Ended::Exhausted);
        has_none && self.args.output != SolveOutput::Json
    }

    /// Writes a record, with the shard if the batch is divided.
    fn write(&self, record: &Record, to: &mut Answers) {
        record.write_json_line(&mut to.text);
        if let Some(shard) = self.args.batch.shard {
            mark_shard(&mut to.text, shard, &self.identity, None);
        }
    }

    /// Returns the result as a JSON record.
    pub fn record(&self, found: Found) -> Record {
        let Found { report, shortest, answers, written } = found;
        let (count, complete) = shortest.unzip();
        let notation = written.as_ref().and(self.args.style());
        let notation = notation.map(|style| style.notation.row().name);
        Record { notation, notated: written, answers, count, complete, ..Record::from(&report) }
    }

    /// Searches for one solution, or for all shortest ones with `--all` or `--count`.
    ///
    /// # Errors
    /// Returns an error if the configuration does not apply to the board.
    pub fn find(
        &self,
        problem: &Problem,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Found, loyd::Error> {
        let (solver, cancel) = (&self.solver, &self.cancel);
        if self.args.answers.count {
            let Shortest { report, count, complete } =
                solver.count_shortest(problem, cancel, observer)?;
            let shortest = Some((count, complete));
            return Ok(Found { report, shortest, answers: None, written: None });
        }
        if self.args.answers.all {
            return self.find_all(problem, observer);
        }
        let report = solver.solve_watched(problem, cancel, observer)?;
        let (style, moves) = (self.args.style(), report.moves.as_deref());
        let written = style.zip(moves).map(|(style, moves)| moves_text(problem, moves, style));
        Ok(Found { report, shortest: None, answers: None, written: written.map(Notated::One) })
    }

    /// Collects all shortest solutions, up to the memory limit.
    fn find_all(
        &self,
        problem: &Problem,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Found, loyd::Error> {
        let allowed = self.solver.config().limits.max_bytes.unwrap_or(u64::MAX);
        let (mut answers, mut styled, mut bytes) = (Vec::new(), Vec::new(), 0);
        let style = self.args.style();
        let mut visit = |moves: &[Move]| {
            let text = style.map(|style| moves_text(problem, moves, style));
            let length = moves.len() + text.as_ref().map_or(0, |text| text.len());
            bytes += (length + size_of::<String>()) as u64;
            if bytes > allowed {
                return ControlFlow::Break(());
            }
            answers.push(moves_to_string(moves));
            styled.extend(text);
            self.is_enough(answers.len() as u64)
        };
        let found = self.solver.all_shortest(problem, &self.cancel, observer, &mut visit)?;
        let Shortest { mut report, complete, .. } = found;
        if bytes > allowed {
            report.status = Ended::Stopped(Stop::Memory);
        }
        let shortest = Some((answers.len() as u128, complete));
        let written = style.map(|_| Notated::Many(styled));
        Ok(Found { report, shortest, answers: Some(answers), written })
    }

    /// Returns why the board is not solved, or not as the file expects. If `shared`, the message omits the bound of
    /// this board, so that several boards can have the same one.
    fn shortfall(&self, report: &Report, expected: Option<u32>, shared: bool) -> Option<String> {
        if let Ended::Stopped(stop) = report.status {
            let result = match (&report.moves, report.lower_bound) {
                (Some(moves), Some(least)) => {
                    format!("best so far {} moves, at least {least}", moves.len())
                }
                (Some(_), None) => "not all shortest solutions were found".to_owned(),
                (None, Some(least)) if !shared => {
                    format!("not solved, at least {}", length_text(report.metric, least as usize))
                }
                (None, _) => match report.costs.as_ref().and_then(|costs| costs.least) {
                    Some(least) if !shared => format!("not solved, cost at least {least}"),
                    _ => "not solved".to_owned(),
                },
            };
            return Some(format!("{result}: {stop}{}", self.advice(report, stop)));
        }
        // Files of boards give lengths in single-tile moves of cost 1.
        let counts = report.metric == Metric::SingleTile && report.costs.is_none();
        let expected = expected.filter(|_| counts)? as usize;
        let length = report.length();
        if !is_unexpected(expected, length, report.optimal) {
            return None;
        }
        Some(match length {
            Some(length) if length < expected => format!(
                "the file gives {expected} moves, but there is a solution of {}",
                length_text(report.metric, length)
            ),
            Some(length) => {
                format!("the file gives {expected} moves, but the shortest solution has {length}")
            }
            None => format!("the file gives {expected} moves, but the board cannot be solved"),
        })
    }

    /// Returns the bounds of a solution that quality `auto` could not prove shortest. JSON records contain them anyway.
    fn unproved_remark(&self, report: &Report) -> Option<String> {
        let is_auto = self.solver.config().quality == Some(Quality::Auto);
        if !is_auto || report.optimal || self.args.output == SolveOutput::Json {
            return None;
        }
        let (length, least) = (report.length()?, report.lower_bound?);
        let mut text = length_text(report.metric, length);
        if let Some(within) = report.within {
            text += &format!(", at most {within} times the shortest");
        }
        text += &format!(" (at least {least})");
        match report.stopped_by {
            Some(Stop::Time) if self.args.limits.max_time.is_none() => {
                let seconds = SHORT_TIME.as_secs();
                text += &format!("; the time limit of {seconds} s was reached (--max-time)");
            }
            Some(stop) => text += &format!("; {stop}{}", self.advice(report, stop)),
            None => {}
        }
        Some(text)
    }

    /// Returns which option raises the limit, in parentheses, and how to use less memory.
    fn advice(&self, report: &Report, stop: Stop) -> &'static str {
        // A quality chooses the search itself, and linear conflict is not admissible for slides.
        let chosen = self.solver.config().quality.is_some() || report.metric == Metric::MultiTile;
        match stop {
            Stop::Expanded => " (--max-expanded)",
            Stop::Depth => " (--max-depth)",
            Stop::Memory if self.uses_long_words(report) => {
                " (--max-memory); shorter words (--prune) take less"
            }
            Stop::Memory if report.costs.is_some() => " (--max-memory); idastar takes almost none",
            Stop::Memory if chosen => " (--max-memory)",
            Stop::Memory
                if report.heuristic == Some("pdb")
                    && report.problem.start().size() == Size::FIFTEEN =>
            {
                " (--max-memory); building 6-6-3, 7-7-1 and 7-8 takes 13, 80 and 585 MB, and idastar with \
                 linear-conflict takes almost none"
            }
            Stop::Memory => " (--max-memory); idastar with linear-conflict takes almost none",
            Stop::Time => " (--max-time)",
            Stop::Tables => {
                "; `loyd pdb remove --all` removes their files, and the next search rebuilds them"
            }
            _ => "",
        }
    }

    /// Returns whether the user chose an automaton of longer words than the default.
    fn uses_long_words(&self, report: &Report) -> bool {
        let default = Prune::default_words(report.problem.start().size(), report.metric);
        matches!(report.prune, Some(Prune::Automaton { words: Some(words) }) if words > default)
            && self.solver.config().prune == report.prune
    }

    /// Returns `Break` if `found` solutions reach `--limit`.
    pub fn is_enough(&self, found: u64) -> ControlFlow<()> {
        match self.args.answers.limit {
            Some(limit) if found >= limit.get() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Adds the option that resolves the error, and the line of the board.
pub fn with_option(error: loyd::Error, args: &SolveArgs, line: Option<usize>) -> Failure {
    let failure = match error {
        loyd::Error::DepthNeeded { .. } => anyhow::anyhow!("{error} (--max-depth)").into(),
        error => Failure::from(error),
    };
    match (&args.file, line) {
        (Some(file), Some(line)) => failure.at(&name_of(file), line),
        _ => failure,
    }
}

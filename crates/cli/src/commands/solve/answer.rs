//! One board: its solution as text, and what is to be said about it.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;

use loyd::batch::{Record, Written};
use loyd::moves::{Metric, moves_in};
use loyd::notation::{Style, grids, moves_to_string, slashes, steps};
use loyd::search::{Observer, Prune, Quality, Shortest, Status as Ended, Stop};
use loyd::{CancelToken, Move, Problem, Report, Size, Solver};

use super::share;
use super::stats::stats;
use super::tally::Tally;
use super::unsolvable::why_unsolvable;
use crate::Status;
use crate::args::{SHORT_TIME, SolveArgs, SolveOutput};
use crate::failure::Failure;
use crate::input::{Item, in_a_line, name_of};
use crate::units::counted;

/// What all boards share.
pub struct Answerer<'a> {
    pub args: &'a SolveArgs,
    pub solver: Solver,
    pub cancel: CancelToken,
    /// What is said of several boards at once.
    pub tally: Tally,
    /// Whether one board was asked for, so that nothing has to stand in place of its solution.
    pub alone: bool,
}

/// What is printed about some boards.
#[derive(Default)]
pub struct Answers {
    /// For standard output.
    pub text: Vec<u8>,
    /// For standard error: each after so many bytes of the text.
    pub remarks: Vec<(usize, String)>,
    pub status: Status,
    /// Boards whose solution is proved to be shortest, or which are proved to have none.
    pub proved: u64,
}

impl Answers {
    pub fn remark(&mut self, remark: String) {
        self.remarks.push((self.text.len(), remark));
    }

    /// Remarks on a board that is not answered, or not as its file says.
    pub fn judge(
        &mut self,
        answerer: &Answerer<'_>,
        report: &Report,
        line: Option<usize>,
        expected: Option<u32>,
    ) {
        let shared = Tally::takes(report, line);
        if let Some(fault) = answerer.fault(report, expected, shared.is_some()) {
            self.status = self.status.max(Status::No);
            if let Some(line) = shared {
                return answerer.tally.add(fault, line);
            }
            self.remark(match line {
                Some(line) => format!("line {line}: {fault}"),
                None => format!("{}: {fault}", slashes(report.problem.start())),
            });
        } else if let Some(bounds) = answerer.unproved(report) {
            self.remark(match line {
                Some(line) => format!("line {line}: {bounds}"),
                None => bounds,
            });
        }
    }
}

/// What a search found; `shortest` are the number of solutions and whether these are all.
pub struct Found {
    pub report: Report,
    shortest: Option<(u128, bool)>,
    answers: Option<Vec<String>>,
    /// The solution, or all of them, in the style that was asked for.
    written: Option<Written>,
}

impl Answerer<'_> {
    /// Solves one board, or tells what is wrong with it; nothing at all if it was cancelled meanwhile without a
    /// solution.
    ///
    /// # Errors
    /// When the solution cannot be written.
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
            Ok(found) if self.is_lost(&found.report) => return Ok(ControlFlow::Break(())),
            Ok(found) => {
                to.judge(self, &found.report, line, expected);
                let is_open = matches!(found.report.status, Ended::Stopped(_));
                let has_none = found.report.moves.is_none() && !is_open;
                to.proved += u64::from(found.report.optimal || has_none);
                let stats = self.args.stats.then(|| stats(&found.report));
                let where_to_look = self.where_to_look(&found.report);
                match (self.args.output, found.shortest) {
                    (SolveOutput::Json, _) => {
                        self.write(&Record { line, id, expected, ..self.record(found) }, to);
                    }
                    (_, Some((number, true))) => writeln!(to.text, "{number}")?,
                    (_, Some((_, false))) if self.alone => {}
                    (_, Some((_, false))) => writeln!(to.text, "stopped")?,
                    (_, None) => self.print(&found.report, &mut to.text)?,
                }
                to.remarks.extend(where_to_look.map(|remark| (to.text.len(), remark)));
                stats.into_iter().for_each(|stats| to.remark(stats));
            }
            Err((problem, failure)) => {
                to.remark(failure.shown());
                to.status = Status::Bad;
                let record = Record::invalid(problem.as_ref(), in_a_line(&failure));
                match self.args.output {
                    SolveOutput::Json => {
                        self.write(&Record { line, id, expected, ..record }, to);
                    }
                    _ if self.alone => {}
                    _ => writeln!(to.text, "{}", record.status)?,
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether a search of many was cancelled without a solution, or with one where resuming may find a better one.
    fn is_lost(&self, report: &Report) -> bool {
        match self.args.batch.save {
            Some(_) => self.cancel.is_cancelled() && !report.optimal,
            None if self.alone => false,
            None => report.status == Ended::Stopped(Stop::Cancelled) && report.moves.is_none(),
        }
    }

    /// Prints the solution, or the word that stands in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn print(&self, report: &Report, to: &mut impl Write) -> Result<(), Failure> {
        match (&report.moves, report.status) {
            (Some(moves), _) => print_moves(&report.problem, moves, self.args, to)?,
            (None, Ended::Stopped(_)) if self.alone => {}
            (None, Ended::Stopped(_)) => writeln!(to, "stopped")?,
            (None, _) => writeln!(to, "unsolvable")?,
        }
        Ok(())
    }

    /// What tells somebody who looks on why one board cannot be solved.
    pub fn where_to_look(&self, report: &Report) -> Option<String> {
        let unsolvable = report.moves.is_none() && !matches!(report.status, Ended::Stopped(_));
        let read = self.args.output != SolveOutput::Json && io::stdout().is_terminal();
        (self.alone && unsolvable && read).then(|| why_unsolvable(&report.problem))
    }

    /// Writes a record, with the shard of the batch.
    fn write(&self, record: &Record, to: &mut Answers) {
        record.write_json_line(&mut to.text);
        if let Some(shard) = self.args.batch.shard {
            share::mark(&mut to.text, shard, None);
        }
    }

    /// What was found, for machines.
    pub fn record(&self, found: Found) -> Record {
        let Found { report, shortest, answers, written } = found;
        let (count, complete) = shortest.unzip();
        let notation = written.as_ref().and(self.args.style.asked());
        let notation = notation.map(|style| style.notation.row().name);
        Record { notation, written, answers, count, complete, ..Record::from(&report) }
    }

    /// Looks for as many solutions as are wanted.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
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
        let (style, moves) = (self.args.style.asked(), report.moves.as_deref());
        let written = style.zip(moves).map(|(style, moves)| written(problem, moves, style));
        Ok(Found { report, shortest: None, answers: None, written: written.map(Written::One) })
    }

    /// Collects all solutions, as far as memory allows.
    fn find_all(
        &self,
        problem: &Problem,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Found, loyd::Error> {
        let allowed = self.solver.config().limits.max_bytes.unwrap_or(u64::MAX);
        let (mut answers, mut styled, mut bytes) = (Vec::new(), Vec::new(), 0);
        let style = self.args.style.asked();
        let mut visit = |moves: &[Move]| {
            let text = style.map(|style| written(problem, moves, style));
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
        let written = style.map(|_| Written::Many(styled));
        Ok(Found { report, shortest, answers: Some(answers), written })
    }

    /// Why the board is not answered, or not as the file says; without its own bound where other boards may share this.
    fn fault(&self, report: &Report, expected: Option<u32>, shared: bool) -> Option<String> {
        if let Ended::Stopped(stop) = report.status {
            let what = match (&report.moves, report.lower_bound) {
                (Some(moves), Some(least)) => {
                    format!(
                        "{} moves are the best so far, and no solution has fewer than {least}",
                        moves.len()
                    )
                }
                (Some(_), None) => "not all shortest solutions were found".to_owned(),
                (None, Some(least)) if !shared => {
                    format!("not solved, at least {}", counted(report.metric, least as usize))
                }
                (None, _) => "not solved".to_owned(),
            };
            return Some(format!("{what}: {stop}{}", self.advice(report, stop)));
        }
        // What files of boards tell is in single tiles.
        let expected = expected.filter(|_| report.metric == Metric::SingleTile)? as usize;
        match report.length() {
            Some(length) if length < expected => {
                Some(format!("the file gives {expected} moves, and {length} are enough"))
            }
            Some(length) if report.optimal && length > expected => Some(format!(
                "the file gives {expected} moves, and a shortest solution has {length}"
            )),
            Some(_) => None,
            None => {
                Some(format!("the file gives {expected} moves, and the board cannot be solved"))
            }
        }
    }

    /// What is known of a solution that the quality auto could not prove shortest; records have it anyway.
    fn unproved(&self, report: &Report) -> Option<String> {
        let is_auto = self.solver.config().quality == Some(Quality::Auto);
        if !is_auto || report.optimal || self.args.output == SolveOutput::Json {
            return None;
        }
        let (length, least) = (report.length()?, report.lower_bound?);
        let mut text = counted(report.metric, length);
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

    /// Which option lets the search go on.
    fn advice(&self, report: &Report, stop: Stop) -> &'static str {
        // A quality chooses the search itself, and in slides linear conflict does not hold.
        let chosen = self.solver.config().quality.is_some() || report.metric == Metric::MultiTile;
        match stop {
            Stop::Expanded => " (--max-expanded)",
            Stop::Depth => " (--max-depth)",
            Stop::Memory if self.has_long_words(report) => {
                " (--max-memory); words of fewer moves (--prune) take less"
            }
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
                "; `loyd pdb remove --all` removes their files, and they are made again"
            }
            _ => "",
        }
    }

    /// Whether an automaton of longer words than the default was asked for.
    fn has_long_words(&self, report: &Report) -> bool {
        let default = Prune::default_words(report.problem.start().size(), report.metric);
        matches!(report.prune, Some(Prune::Automaton { words: Some(words) }) if words > default)
            && self.solver.config().prune == report.prune
    }

    /// Whether so many solutions of a board are enough.
    pub fn is_enough(&self, found: u64) -> ControlFlow<()> {
        match self.args.answers.limit {
            Some(limit) if found >= limit.get() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The error with the option that mends it, and the line of the board.
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

/// Prints one solution.
pub fn print_moves(
    problem: &Problem,
    moves: &[Move],
    args: &SolveArgs,
    to: &mut impl Write,
) -> io::Result<()> {
    let (start, metric) = (problem.start(), args.search.metric);
    match args.output {
        SolveOutput::Steps if args.with_moves => {
            let lines = steps(start, moves, metric).expect(LEGAL).to_string();
            let made = moves_in(metric, moves).into_iter().map(|step| moves_to_string(&step));
            let made = std::iter::once(String::new()).chain(made);
            lines.lines().zip(made).try_for_each(|(line, made)| match made.is_empty() {
                true => writeln!(to, "{line}"),
                false => writeln!(to, "{line}\t{made}"),
            })
        }
        SolveOutput::Steps => write!(to, "{}", steps(start, moves, metric).expect(LEGAL)),
        SolveOutput::Grid => write!(to, "{}", grids(start, moves, metric).expect(LEGAL)),
        _ => {
            let style = args.style.asked().unwrap_or_default();
            writeln!(to, "{}", written(problem, moves, style))
        }
    }
}

/// What is true of every solution.
const LEGAL: &str = "a solution stays on the board";

/// The moves from the start of `problem` in a style.
fn written(problem: &Problem, moves: &[Move], style: Style) -> String {
    style.write(moves, Some(problem.start())).expect(LEGAL)
}

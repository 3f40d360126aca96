//! `loyd perft`.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::time::Instant;

use anyhow::Context;
use loyd::engine::Meter;
use loyd::notation::parse_board;
use loyd::search::Limits;
use loyd::{CancelToken, Size};
use loyd_lab::perft::{PerftError, Sequences, Start, States, sequences};

use crate::args::{Output, PerftArgs, Sides};
use crate::failure::{Failure, Status, print_note};
use crate::interrupt;
use crate::progress::Watch;
use crate::units::with_commas;

/// Prints the counts of each depth as soon as they are known.
pub fn run(args: &PerftArgs) -> Result<Status, Failure> {
    let start = start(args)?;
    let sequences = sequences(&start, args.depth);
    let columns = Columns::new(&sequences, args);
    let folder = args.scratch.clone().unwrap_or_else(env::temp_dir);
    let mut counting = match args.distinct {
        true => {
            let states = States::new(&start, args.depth, || scratch_file(&folder))?;
            Some(Counting::new(args, states)?)
        }
        false => None,
    };
    columns.heading()?;
    for (depth, sequences) in sequences.iter().enumerate() {
        let states = match counting.as_mut().map(Counting::next).transpose() {
            Ok(states) => states,
            Err(PerftError::Stopped(stop)) => {
                print_note(format_args!("the states at depth {depth} were not counted: {stop}"));
                return Ok(Status::No);
            }
            Err(error) => return Err(error.into()),
        };
        columns.row(depth, sequences, states)?;
    }
    Ok(Status::Yes)
}

/// Returns the start: a board, or an empty one with the blank in the named place.
fn start(args: &PerftArgs) -> Result<Start, Failure> {
    let cell: fn(u32, u32) -> (u32, u32) = match args.board.to_ascii_lowercase().as_str() {
        "corner" => |_, _| (0, 0),
        "side" => |width, _| (0, width.saturating_sub(1) / 2),
        "middle" => |width, height| (height.saturating_sub(1) / 2, width.saturating_sub(1) / 2),
        _ => {
            let size = args.size.map(|Sides(width, height)| Size::new(width, height));
            let board = parse_board(&args.board, size.transpose()?).map_err(|mut error| {
                error.help = Some("expected a board, corner, side or middle".to_owned());
                Failure::in_text("argument")(error)
            })?;
            return Ok(Start::from(&board));
        }
    };
    let size = args.size.with_context(|| {
        format!("the board size is missing: specify --size WxH with {}", args.board)
    })?;
    Ok(Start::new((size.0, size.1), cell(size.0, size.1))?)
}

/// Creates a file in `folder` that is already unlinked, so that it disappears however the program ends.
fn scratch_file(folder: &Path) -> io::Result<File> {
    for number in 0.. {
        let path = folder.join(format!("loyd-perft-{}-{number}", process::id()));
        match File::options().read(true).write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display())));
            }
            Ok(file) => {
                fs::remove_file(&path)?;
                return Ok(file);
            }
        }
    }
    unreachable!("some number is free")
}

/// Counts states, with limits that apply to all depths together.
struct Counting<'a> {
    states: States<'a>,
    watch: Watch,
    limits: Limits,
    started: Instant,
    expanded: u64,
    cancel: CancelToken,
}

impl<'a> Counting<'a> {
    fn new(args: &PerftArgs, states: States<'a>) -> Result<Self, Failure> {
        let limits = args.limits.limits(None);
        let watch = Watch::new(args.progress, limits.max_time);
        let cancel = interrupt::token()?;
        Ok(Self { states, watch, limits, started: Instant::now(), expanded: 0, cancel })
    }

    /// Counts the states of the next depth.
    fn next(&mut self) -> Result<u64, PerftError> {
        let mut progress = self.watch.search();
        let (elapsed, expanded) = (self.started.elapsed(), self.expanded);
        let limits = Limits {
            max_time: self.limits.max_time.map(|limit| limit.saturating_sub(elapsed)),
            max_expanded: self.limits.max_expanded.map(|limit| limit - expanded),
            ..self.limits
        };
        let mut meter = Meter::new(limits, self.cancel.clone());
        if let Some(observer) = progress.observer() {
            meter = meter.with_observer(observer);
        }
        meter.check()?;
        let count = self.states.next_count(&mut meter)?;
        self.expanded += meter.finish().expanded;
        Ok(count)
    }
}

/// Formats the rows of counts.
struct Columns {
    output: Output,
    distinct: bool,
    /// Widths of the columns with these headings.
    widths: [usize; 3],
}

const HEADINGS: [&str; 3] = ["depth", "sequences", "without undoing"];

impl Columns {
    fn new(sequences: &[Sequences], args: &PerftArgs) -> Self {
        let width = |column: usize| {
            let shown = sequences.iter().map(|row| number(cells(0, row)[column]).len()).max();
            shown.unwrap_or(0).max(HEADINGS[column].len())
        };
        let widths = [HEADINGS[0].len(), width(1), width(2)];
        Self { output: args.output, distinct: args.distinct, widths }
    }

    fn line(&self, cells: [&str; 3], states: Option<&str>) -> io::Result<()> {
        let mut line = String::new();
        for (cell, width) in cells.into_iter().zip(self.widths) {
            line += &format!("{cell:>width$}  ");
        }
        // Each state needs a sequence without undoing, so this width is enough.
        let width = self.widths[2];
        line += &states.map_or(String::new(), |states| format!("{states:>width$}"));
        writeln!(io::stdout().lock(), "{}", line.trim_end())
    }

    fn heading(&self) -> io::Result<()> {
        match self.output {
            Output::Text => self.line(HEADINGS, self.distinct.then_some("states")),
            Output::Json => Ok(()),
        }
    }

    fn row(&self, depth: usize, sequences: &Sequences, states: Option<u64>) -> io::Result<()> {
        match self.output {
            Output::Text => {
                let shown = cells(depth, sequences).map(number);
                let states = states.map(with_commas);
                self.line([&shown[0], &shown[1], &shown[2]], states.as_deref())
            }
            Output::Json => {
                // Written by hand, because the numbers may exceed 64 bits.
                let plain = |n: Option<u128>| n.map_or("null".to_owned(), |n| n.to_string());
                let [depth, all, without_undoing] = cells(depth, sequences).map(plain);
                let states = plain(states.map(u128::from));
                writeln!(
                    io::stdout().lock(),
                    "{{\"depth\":{depth},\"sequences\":{all},\"without_undoing\":{without_undoing},\"states\":{states}}}"
                )
            }
        }
    }
}

fn cells(depth: usize, sequences: &Sequences) -> [Option<u128>; 3] {
    [Some(depth as u128), sequences.all, sequences.without_undoing]
}

/// Formats a number as `1,234`; `None` exceeds 128 bits.
fn number(number: Option<u128>) -> String {
    number.map_or_else(|| "over 3.4e38".to_owned(), with_commas)
}

//! Prints solutions as moves, steps or grids, and writes them as animated SVG.

use std::io::{self, Write};
use std::path::Path;

use anyhow::bail;
use loyd::board::Tile;
use loyd::moves::moves_in;
use loyd::notation::{Notation, Style, grids, moves_to_string, steps};
use loyd::{Move, Problem, Report};
use loyd_lab::plot::animation;

use crate::args::{Export, ExportForm, SolveArgs, SolveOutput};
use crate::commands::save;
use crate::failure::print_note;

/// Prints one solution.
pub fn print_moves(
    problem: &Problem,
    moves: &[Move],
    args: &SolveArgs,
    to: &mut impl Write,
) -> io::Result<()> {
    let (start, metric) = (problem.start(), args.search.metric);
    match args.output {
        SolveOutput::Steps | SolveOutput::Grid if problem.has_equal_tiles() => {
            write_boards(problem, moves, args, to)
        }
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
        SolveOutput::Length => writeln!(to, "{}", metric.length(moves)),
        SolveOutput::Grid => write!(to, "{}", grids(start, moves, metric).expect(LEGAL)),
        _ => {
            let style = args.style().unwrap_or_default();
            writeln!(to, "{}", moves_text(problem, moves, style))
        }
    }
}

/// Panic message: every move of a solution is legal.
const LEGAL: &str = "a solution stays on the board";

/// Formats the moves from the start of `problem` in a style.
pub fn moves_text(problem: &Problem, moves: &[Move], style: Style) -> String {
    let text = style.write(moves, Some(problem.start())).expect(LEGAL);
    if style.notation == Notation::Numbers { with_numbers(problem, text) } else { text }
}

/// Prints each board of a solution as steps or grids, for boards on which several tiles have the same number.
fn write_boards(
    problem: &Problem,
    moves: &[Move],
    args: &SolveArgs,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut board = problem.start().clone();
    let made = std::iter::once(Vec::new()).chain(moves_in(args.search.metric, moves));
    for (number, made) in made.enumerate() {
        board.walk(&made).expect("solutions are legal");
        let (numbers, made) = (problem.numbers(&board), moves_to_string(&made));
        if args.output == SolveOutput::Grid {
            writeln!(to, "{}", format!("{number} {made}").trim_end())?;
            write_grid(&numbers, board.size().width(), to)?;
            continue;
        }
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let column =
            if args.with_moves && number > 0 { format!("\t{made}") } else { String::new() };
        writeln!(to, "{number}\t{}{column}", numbers.join(" "))?;
    }
    Ok(())
}

/// Prints a framed grid with a dot for the blank.
fn write_grid(numbers: &[u32], width: usize, to: &mut impl Write) -> io::Result<()> {
    let digits = numbers.iter().max().map_or(1, |most| most.to_string().len());
    let rule = "─".repeat(width * (digits + 1) + 1);
    writeln!(to, "┌{rule}┐")?;
    for row in numbers.chunks(width) {
        let cell = |&number: &u32| match number {
            0 => format!(" {:>digits$}", '·'),
            number => format!(" {number:>digits$}"),
        };
        writeln!(to, "│{} │", row.iter().map(cell).collect::<String>())?;
    }
    writeln!(to, "└{rule}┘")
}

/// Replaces the tiles in `text`, a list of moved tiles, by the numbers on them.
fn with_numbers(problem: &Problem, text: String) -> String {
    let tiles = problem.partial_goal().and_then(|goal| goal.equal_tiles());
    let Some(tiles) = tiles else { return text };
    let number = |word: &str| match word.parse() {
        Ok(tile) => tiles.number(Tile::new(tile)).to_string(),
        Err(_) => word.to_owned(),
    };
    text.split(' ').map(number).collect::<Vec<_>>().join(" ")
}

/// Checks that `--export` applies: a single board, and an SVG.
///
/// # Errors
/// Returns an error if it does not.
pub fn check_export(export: &Export, args: &SolveArgs, single_board: bool) -> anyhow::Result<()> {
    if export.form != ExportForm::Svg {
        bail!("--export writes a solution only as svg:FILE");
    }
    if !single_board || args.batch.save.is_some() || args.batch.shard.is_some() {
        bail!("--export requires a single board as argument, without --save and --shard");
    }
    if args.answers.all || args.answers.count {
        bail!("--export shows one solution: leave out --all and --count");
    }
    Ok(())
}

/// Writes the solution as an animation to `path`, if there is one.
///
/// # Errors
/// Returns an error if the solution is too long, or the file cannot be written.
pub fn export(path: &Path, report: &Report) -> anyhow::Result<()> {
    let Some(moves) = &report.moves else {
        print_note(format_args!("{} is not written: there is no solution", path.display()));
        return Ok(());
    };
    save(path, &animation(&report.problem, &moves_in(report.metric, moves))?)
}

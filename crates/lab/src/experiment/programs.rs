//! Textbook programs side by side: how many of their solutions are shortest, and what they cost.

use loyd::CancelToken;
use loyd::search::Stop;
use rayon::prelude::*;

use super::boards::Known;
use super::row::Table;
use super::textbook::{Answer, State};
use crate::plot::{Axis, Figure, Marks, Series, grouped};

/// A program with a name.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name.
    pub name: &'static str,
    /// Solves a board that can be solved.
    pub solve: fn(&State) -> Answer,
}

/// What a program did on boards.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The program.
    pub program: Program,
    /// What it did on all boards.
    pub all: Tally,
    /// What it did on those of each length, from 0 on.
    pub by_length: Vec<Tally>,
}

/// Sums over boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many boards.
    pub boards: u64,
    /// Of how many the solution is a shortest one.
    pub shortest: u64,
    /// Moves of all solutions.
    pub moves: u64,
    /// Moves of shortest solutions.
    pub fewest_moves: u64,
    /// Nodes expanded.
    pub expanded: u64,
}

impl Tally {
    fn add(&mut self, distance: u32, answer: Answer) {
        self.boards += 1;
        self.shortest += u64::from(answer.length == distance);
        self.moves += u64::from(answer.length);
        self.fewest_moves += u64::from(distance);
        self.expanded += answer.expanded;
    }

    /// The share of shortest solutions, in percent.
    pub fn shortest_percent(&self) -> f64 {
        100.0 * self.shortest as f64 / self.boards as f64
    }

    /// Expanded nodes a board.
    pub fn mean_expanded(&self) -> f64 {
        self.expanded as f64 / self.boards as f64
    }
}

/// Solves all boards with each program.
///
/// # Errors
/// [`Stop::Cancelled`] once `cancel` is set.
pub fn measure(
    programs: &[Program],
    boards: &[Known],
    cancel: &CancelToken,
) -> Result<Vec<Measured>, Stop> {
    let solve = |program: &Program| {
        let answers: Option<Vec<Answer>> = boards
            .par_iter()
            .map(|(state, _)| (!cancel.is_cancelled()).then(|| (program.solve)(state)))
            .collect();
        let mut measured =
            Measured { program: *program, all: Tally::default(), by_length: Vec::new() };
        for (&(_, distance), answer) in boards.iter().zip(answers.ok_or(Stop::Cancelled)?) {
            measured.all.add(distance, answer);
            let lengths = measured.by_length.len().max(distance as usize + 1);
            measured.by_length.resize(lengths, Tally::default());
            measured.by_length[distance as usize].add(distance, answer);
        }
        Ok(measured)
    };
    programs.iter().map(solve).collect()
}

/// A row for each program.
pub fn table(measured: &[Measured]) -> Table {
    let row = |one: &Measured| {
        let Tally { boards, moves, fewest_moves, .. } = one.all;
        vec![
            one.program.name.to_owned(),
            grouped(boards as f64),
            format!("{:.1}%", one.all.shortest_percent()),
            format!("{:.2}", moves as f64 / boards as f64),
            format!("{:.3}", moves as f64 / fewest_moves as f64),
            grouped(one.all.mean_expanded().round()),
        ]
    };
    Table {
        heading: vec!["program", "boards", "shortest", "moves", "over shortest", "expanded"],
        rows: measured.iter().map(row).collect(),
    }
}

/// The share of shortest solutions against the length.
pub fn shares(title: &str, measured: &[Measured]) -> Figure {
    lines(title, Axis::linear("boards with a shortest solution").in_unit("%"), measured, |tally| {
        tally.shortest_percent()
    })
}

/// Expanded nodes against the length.
pub fn costs(title: &str, measured: &[Measured]) -> Figure {
    lines(title, Axis::log("expanded (nodes, mean)"), measured, Tally::mean_expanded)
}

fn lines(title: &str, y: Axis, measured: &[Measured], value: fn(&Tally) -> f64) -> Figure {
    let line = |one: &Measured| {
        let tallies = one.by_length.iter().enumerate().filter(|(_, tally)| tally.boards > 0);
        let points = tallies.map(|(length, tally)| [length as f64, value(tally)]).collect();
        Series { name: one.program.name.to_owned(), marks: Marks::Line(points) }
    };
    let boards = measured.first().map_or(0, |one| one.all.boards);
    Figure {
        title: title.to_owned(),
        note: format!("3x3, {} boards", grouped(boards as f64)),
        x: Axis::linear("length of a shortest solution (moves)"),
        y,
        series: measured.iter().map(line).collect(),
    }
}

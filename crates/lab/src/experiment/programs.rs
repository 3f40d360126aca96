//! Comparison of textbook programs by the quality of their solutions and their cost.

use loyd::CancelToken;
use loyd::search::Stop;
use rayon::prelude::*;

use super::findings::{Findings, Plot, Table, Verdict};
use super::textbook::{Answer, KnownBoard, State};
use crate::plot::{Axis, Figure, Marks, Series, grouped};

/// A named program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Name of the program.
    pub name: &'static str,
    /// Solves a solvable board.
    pub solve: fn(&State) -> Answer,
}

/// Results of a program.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The program.
    pub program: Program,
    /// Totals over all boards.
    pub all: Totals,
    /// Totals over the boards of each length, from 0.
    pub by_length: Vec<Totals>,
}

/// Sums over boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of boards.
    pub boards: u64,
    /// Number of boards whose solution is optimal.
    pub shortest: u64,
    /// Moves of all solutions.
    pub moves: u64,
    /// Moves of optimal solutions.
    pub fewest_moves: u64,
    /// Nodes expanded.
    pub expanded: u64,
}

impl Totals {
    fn add(&mut self, distance: u32, answer: Answer) {
        self.boards += 1;
        self.shortest += u64::from(answer.length == distance);
        self.moves += u64::from(answer.length);
        self.fewest_moves += u64::from(distance);
        self.expanded += answer.expanded;
    }

    /// Returns the share of optimal solutions, in percent.
    pub fn shortest_percent(&self) -> f64 {
        100.0 * self.shortest as f64 / self.boards as f64
    }

    /// Returns the mean number of nodes expanded per board.
    pub fn mean_expanded(&self) -> f64 {
        self.expanded as f64 / self.boards as f64
    }
}

/// Solves all boards with each program.
///
/// # Errors
/// Returns [`Stop::Cancelled`] once `cancel` is set.
pub fn measure(
    programs: &[Program],
    boards: &[KnownBoard],
    cancel: &CancelToken,
) -> Result<Vec<Measurement>, Stop> {
    let solve = |program: &Program| {
        let answers: Option<Vec<Answer>> = boards
            .par_iter()
            .map(|(state, _)| (!cancel.is_cancelled()).then(|| (program.solve)(state)))
            .collect();
        let mut measured =
            Measurement { program: *program, all: Totals::default(), by_length: Vec::new() };
        for (&(_, distance), answer) in boards.iter().zip(answers.ok_or(Stop::Cancelled)?) {
            measured.all.add(distance, answer);
            let lengths = measured.by_length.len().max(distance as usize + 1);
            measured.by_length.resize(lengths, Totals::default());
            measured.by_length[distance as usize].add(distance, answer);
        }
        Ok(measured)
    };
    programs.iter().map(solve).collect()
}

/// Returns the findings about programs: their table, and one figure.
pub fn findings(
    verdict: Verdict,
    summary: String,
    measured: &[Measurement],
    figure: &Figure,
) -> Findings {
    Findings { verdict, summary, table: table(measured), plots: vec![Plot::first(figure)] }
}

/// Returns a table with one row per program.
fn table(measured: &[Measurement]) -> Table {
    let row = |one: &Measurement| {
        let Totals { boards, moves, fewest_moves, .. } = one.all;
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

/// Plots the share of optimal solutions by length.
pub fn shares(title: &str, measured: &[Measurement]) -> Figure {
    lines(title, Axis::linear("boards with a shortest solution").in_unit("%"), measured, |totals| {
        totals.shortest_percent()
    })
}

/// Plots expanded nodes by length.
pub fn costs(title: &str, measured: &[Measurement]) -> Figure {
    lines(title, Axis::log("expanded (nodes, mean)"), measured, Totals::mean_expanded)
}

fn lines(title: &str, y: Axis, measured: &[Measurement], value: fn(&Totals) -> f64) -> Figure {
    let line = |one: &Measurement| {
        let totals = one.by_length.iter().enumerate().filter(|(_, totals)| totals.boards > 0);
        let points = totals.map(|(length, totals)| [length as f64, value(totals)]).collect();
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

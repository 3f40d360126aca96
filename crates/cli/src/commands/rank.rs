//! `loyd rank` and `loyd unrank`.

use loyd::Board;
use loyd::board::{CantorTerm, cantor_terms, cantor_unrank};
use loyd::notation::{Format, slashes};
use serde_json::json;

use super::each::{Asked, Attended, each};
use crate::Status;
use crate::args::{ProblemArgs, RankArgs, UnrankArgs};
use crate::failure::Failure;
use crate::input::Items;
use crate::table::Table;
use crate::units::grouped;

/// Prints the Cantor rank of a board.
pub fn run(args: &RankArgs) -> Result<Status, Failure> {
    let problem = ProblemArgs { size: args.size, goal: None };
    let items = Items::new(&args.board, args.file.as_deref(), Format::Auto, &problem)?;
    each(items, args.output, &Attended::without_searches(), |problem, asked| {
        rank(problem.start(), asked)
    })
}

fn rank(board: &Board, asked: &Asked<'_>) -> Result<Status, Failure> {
    let numbers: Vec<u8> = board.numbers().collect();
    let terms = cantor_terms(&numbers)?;
    let rank: u64 = terms.iter().map(|term| term.value()).sum();
    let counts: Vec<u64> = terms.iter().map(|term| term.count).collect();
    let shown = slashes(board).to_string();
    let record = || json!({"board": shown, "rank": rank, "counts": counts});
    asked.print(|| text(board, &terms, rank), record)?;
    Ok(Status::Yes)
}

fn text(board: &Board, terms: &[CantorTerm], rank: u64) -> String {
    let mut table = Table::new(0, vec!["cell", "tile", "smaller later", "x", "adds"]);
    for ((cell, tile), term) in board.size().iter_cells().zip(board.tiles()).zip(terms) {
        table.row(vec![
            cell.to_string(),
            tile.to_string(),
            term.count.to_string(),
            format!("{}!", term.following),
            grouped(term.value()),
        ]);
    }
    let products: Vec<String> =
        terms.iter().map(|term| format!("{}*{}!", term.count, term.following)).collect();
    format!("{table}\n{} = {}\n", products.join(" + "), rank)
}

/// Prints the board of a Cantor rank.
pub fn run_inverse(args: &UnrankArgs) -> Result<Status, Failure> {
    let numbers = cantor_unrank(args.size.cells(), args.rank)?;
    let numbers: Vec<u32> = numbers.into_iter().map(u32::from).collect();
    let board = Board::new(args.size, &numbers)?;
    // Rows where the shape would not be clear without them.
    let text = || match args.size.width() == args.size.height() {
        true => format!("{board}\n"),
        false => format!("{}\n", slashes(&board)),
    };
    let record = || json!({"rank": args.rank, "board": slashes(&board).to_string()});
    args.output.print(text, record)?;
    Ok(Status::Yes)
}

//! Counting the blank in the parity.

use loyd::CancelToken;
use loyd::board::cantor_unrank;
use loyd::search::Stop;

use super::row::{Experiment, Findings, Plot, Table, Verdict};
use super::textbook::parity::{Counted, is_solvable};
use super::textbook::{PERMUTATIONS, State};
use crate::plot::{Axis, Figure, Marks, Series, grouped};

pub(super) static BLANK_IN_PARITY: Experiment = Experiment {
    name: "blank-in-parity",
    claim: "A parity test that counts the blank among the inversions, as if it were the tile 0, is wrong on 44.4% of the \
            boards.",
    method: "Both tests on all 362,880 boards, by the cell of the blank. On a board of odd width a move never changes the \
             parity of the inversions of the tiles, so the test without the blank is right.",
    is_timed: false,
    run,
};

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let mut wrong = [0_u64; 9];
    for rank in 0..PERMUTATIONS {
        if rank % 1024 == 0 && cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let numbers = cantor_unrank(9, rank as u64).expect("each rank has a permutation");
        let state = State::try_from(numbers).expect("a permutation of nine");
        let blank = state.iter().position(|&tile| tile == 0).expect("a state has a blank");
        let is_wrong =
            is_solvable(&state, Counted::Tiles) != is_solvable(&state, Counted::BlankToo);
        wrong[blank] += u64::from(is_wrong);
    }
    let of_cell = PERMUTATIONS as f64 / 9.0;
    let all: u64 = wrong.iter().sum();
    let share = 100.0 * all as f64 / PERMUTATIONS as f64;
    let row = |(cell, &number): (usize, &u64)| {
        let percent = format!("{:.1}%", 100.0 * number as f64 / of_cell);
        vec![format!("blank on cell {cell}"), grouped(of_cell), grouped(number as f64), percent]
    };
    let bars = wrong.iter().enumerate();
    let bars = bars.map(|(cell, &number)| [cell as f64, 100.0 * number as f64 / of_cell]);
    Ok(Findings {
        verdict: Verdict::of((share - 44.4).abs() < 0.05),
        summary: format!(
            "The test is wrong on {} of {} boards, {share:.1}%. The blank as 0 is an inversion with every tile before it, \
             so the test is right only if the blank stands an even number of cells from the last one.",
            grouped(all as f64),
            grouped(PERMUTATIONS as f64),
        ),
        table: Table {
            heading: vec!["boards", "number", "wrong", "share"],
            rows: wrong.iter().enumerate().map(row).collect(),
        },
        plots: vec![Plot::first(&Figure {
            title: "Where the parity test with the blank is wrong".to_owned(),
            note: "3x3, all 362,880 boards".to_owned(),
            x: Axis::linear("cell of the blank, in reading order from 0"),
            y: Axis::linear("boards on which the test is wrong").in_unit("%"),
            series: vec![Series { name: String::new(), marks: Marks::Bars(bars.collect()) }],
        })],
    })
}

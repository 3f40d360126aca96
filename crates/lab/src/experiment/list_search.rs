//! What makes breadth-first search slow.

use loyd::CancelToken;
use loyd::search::Stop;
use rayon::prelude::*;

use super::boards::{Known, of_lengths};
use super::row::{Experiment, Findings, Plot, Table, Verdict};
use super::textbook::breadth_first::{Work, breadth_first};
use crate::plot::{Axis, Figure, Marks, Series, grouped};
use crate::quartiles::quartiles;

pub(super) static LIST_SEARCH: Experiment = Experiment {
    name: "list-search",
    claim: "Breadth-first search is useless beyond 15 moves.",
    method: "A textbook breadth-first search on up to 10 boards of each length. For every state that it generates, it asks \
             whether the state is known. An array of all ranks answers that with one look. A linked list, which the \
             program had from which the claim comes, is gone through from the beginning; the comparisons are counted \
             without being done.",
    is_timed: false,
    run,
};

/// The lengths that are in the table.
const SHOWN: [u32; 7] = [5, 10, 15, 20, 25, 30, 31];

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = of_lengths(1, 31, 10);
    let solve =
        |(state, length): &Known| (!cancel.is_cancelled()).then(|| (*length, breadth_first(state)));
    let work: Option<Vec<(u32, Work)>> = boards.par_iter().map(solve).collect();
    let work = work.ok_or(Stop::Cancelled)?;
    let counted = |count: fn(&Work) -> u64| -> Vec<(f64, [f64; 3])> {
        let of_length = |length: u32| {
            let work = work.iter().filter(|entry| entry.0 == length);
            let counts = work.map(|(_, work)| count(work) as f64).collect();
            Some((f64::from(length), quartiles(counts)?))
        };
        (1..=31).filter_map(of_length).collect()
    };
    let expanded = counted(|work| work.answer.expanded);
    let lookups = counted(|work| work.lookups);
    let comparisons = counted(|work| work.comparisons);
    let median = |counts: &[(f64, [f64; 3])], length: u32| counts[length as usize - 1].1[1];
    let (by_list, by_array) = (median(&comparisons, 15), median(&lookups, 31));
    let row = |length: u32| {
        let counts = [&expanded, &lookups, &comparisons];
        let medians = counts.map(|counts| grouped(median(counts, length).round()));
        [vec![format!("{length} moves")], medians.to_vec()].concat()
    };
    let figure = Figure {
        title: "The list is what makes breadth-first search slow".to_owned(),
        note: "3x3, up to 10 boards of each length; median, and the area between the quartiles"
            .to_owned(),
        x: Axis::linear("length of a shortest solution (moves)"),
        y: Axis::log("states looked at to tell which are known"),
        series: vec![
            Series { name: "linked list".to_owned(), marks: Marks::Quartiles(comparisons.clone()) },
            Series { name: "array of ranks".to_owned(), marks: Marks::Quartiles(lookups.clone()) },
        ],
    };
    Ok(Findings {
        verdict: Verdict::of(by_array >= by_list),
        summary: format!(
            "It is true of the list, not of the search. At 15 moves the list costs {} comparisons a board, in the median, and \
             {} at 31. With an array the farthest boards cost {} looks, {:.0} times less than the list at 15 moves.",
            grouped(by_list.round()),
            grouped(median(&comparisons, 31).round()),
            grouped(by_array.round()),
            by_list / by_array,
        ),
        table: Table {
            heading: vec!["median", "expanded", "looks into the array", "comparisons in the list"],
            rows: SHOWN.into_iter().map(row).collect(),
        },
        plots: vec![Plot::first(&figure)],
    })
}

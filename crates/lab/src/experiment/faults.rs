//! Experiments on faults of old programs: a bound of IDA* that rises too far or too slowly, states closed too early, a
//! parity test that counts the blank, and a list searched for duplicates.

use loyd::CancelToken;
use loyd::board::cantor_unrank;
use loyd::search::Stop;
use rayon::prelude::*;

use super::findings::{Experiment, Findings, Plot, Table, Verdict};
use super::programs::{Program, costs, findings, measure, shares};
use super::textbook::{
    BoundRule, ClosingTime, CountedEntries, KnownBoard, PERMUTATIONS, State, Work, astar,
    breadth_first, every, idastar, is_solvable, of_lengths,
};
use crate::plot::{Axis, Figure, Marks, Series, grouped, quartiles};

const CORRECT: Program = Program {
    name: "IDA*, to the least overrun",
    solve: |state| idastar(state, BoundRule::LeastOverrun),
};
const BY_LEAST_H: Program =
    Program { name: "IDA*, by the least h", solve: |state| idastar(state, BoundRule::LeastH) };
const BY_ONE: Program =
    Program { name: "IDA*, by one", solve: |state| idastar(state, BoundRule::One) };

pub(super) static BOUND_BY_LEAST_H: Experiment = Experiment {
    name: "bound-by-least-h",
    claim: "IDA* that raises its bound by the least h seen finds a shortest solution for only 36% of the boards.",
    method: "A textbook IDA* with Manhattan distance. The correct version raises the bound to the least f above it; \
             the faulty one raises it by the least nonzero h of all nodes of the iteration. Every tenth of the \
             181,440 boards ordered by distance. Moves are tried up, left, right, down; another order changes the \
             share by a point or two.",
    is_timed: false,
    run: by_least_h,
};

pub(super) static BOUND_BY_ONE: Experiment = Experiment {
    name: "bound-by-one",
    claim: "IDA* that raises its bound by one finds shortest solutions, at four times the cost of the least overrun.",
    method: "A textbook IDA* with Manhattan distance. Both bounds start at the h of the start; one rises to the \
             least f above it, the other by one. f only changes by even numbers, so every second iteration of the \
             latter repeats the previous one. Every tenth of the 181,440 boards ordered by distance.",
    is_timed: false,
    run: by_one,
};

fn by_least_h(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&[CORRECT, BY_LEAST_H], &every(10), cancel)?;
    let [correct, faulty] = [0, 1].map(|program: usize| measured[program].all);
    let share = faulty.shortest_percent();
    let verdict = Verdict::of(correct.shortest == correct.boards && (share - 36.0).abs() < 2.0);
    let summary = format!(
        "A bound raised by the least h skips the shortest solutions of {:.1}% of the boards; {share:.1}% of the \
         solutions are shortest. With a bound raised to the least overrun, {:.1}% are.",
        100.0 - share,
        correct.shortest_percent(),
    );
    let figure = shares("A bound that rises too far skips shortest solutions", &measured);
    Ok(findings(verdict, summary, &measured, &figure))
}

fn by_one(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&[CORRECT, BY_ONE], &every(10), cancel)?;
    let [least, one] = [0, 1].map(|program: usize| measured[program].all);
    let is_shortest = one.shortest == one.boards;
    let ratio = one.mean_expanded() / least.mean_expanded();
    let is_fourfold = (3.0..5.0).contains(&ratio);
    let verdict = Verdict::of_parts(is_shortest, is_fourfold);
    let summary = format!(
        "With a bound raised by one, {:.1}% of the solutions are shortest. It expands {ratio:.2} times as many \
         nodes as the bound raised to the least overrun.",
        one.shortest_percent(),
    );
    let figure = costs("The cost of a bound that rises by one", &measured);
    Ok(findings(verdict, summary, &measured, &figure))
}

/// A* with correct and with faulty closing.
const CLOSING_PROGRAMS: [Program; 2] = [
    Program {
        name: "A*, closed when expanded",
        solve: |state| astar(state, 1, ClosingTime::Expanded),
    },
    Program {
        name: "A*, closed when generated",
        solve: |state| astar(state, 1, ClosingTime::Generated),
    },
];

pub(super) static CLOSING_AT_GENERATION: Experiment = Experiment {
    name: "closing-at-generation",
    claim: "A* that closes a state as soon as it is generated loses a shortest solution on 11% of the boards.",
    method: "A textbook A* with Manhattan distance, which closes states either when they are expanded or, as a \
             fault, when they are generated, on every tenth of the 181,440 boards ordered by distance. Ties in f go \
             to the larger g.",
    is_timed: false,
    run: closing,
};

fn closing(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&CLOSING_PROGRAMS, &every(10), cancel)?;
    let [correct, faulty] = [0, 1].map(|program: usize| measured[program].all);
    let lost = 100.0 - faulty.shortest_percent();
    let holds = correct.shortest == correct.boards && (lost - 11.0).abs() < 2.0;
    let verdict = Verdict::of(holds);
    let summary = format!(
        "With states closed when generated, {lost:.1}% of the solutions are not shortest; with states closed \
         when expanded, {:.1}%. The faulty program also expands {:.2} times as many nodes.",
        100.0 - correct.shortest_percent(),
        faulty.mean_expanded() / correct.mean_expanded(),
    );
    let figure = shares("Closing states too early loses shortest solutions", &measured);
    Ok(findings(verdict, summary, &measured, &figure))
}

/// A* and weighted A*. The weighted one closes states when they are generated, as the old program did.
const TEN_H_PROGRAMS: [Program; 2] = [
    Program { name: "f = g + h", solve: |state| astar(state, 1, ClosingTime::Expanded) },
    Program { name: "f = g + 10h", solve: |state| astar(state, 10, ClosingTime::Generated) },
];

pub(super) static TEN_H: Experiment = Experiment {
    name: "ten-h",
    claim: "A search with f = g + 10h is fast, and 5% of its solutions are shortest.",
    method: "A textbook A* with Manhattan distance and weight 1, which closes states when they are expanded, and \
             one with weight 10, which closes them when they are generated (a fault), on every tenth of the 181,440 \
             boards ordered by distance.",
    is_timed: false,
    run: ten_h,
};

fn ten_h(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&TEN_H_PROGRAMS, &every(10), cancel)?;
    let [plain, weighted] = [0, 1].map(|program: usize| measured[program].all);
    let share = weighted.shortest_percent();
    let fewer = plain.mean_expanded() / weighted.mean_expanded();
    let verdict = Verdict::of((share - 5.0).abs() < 1.5 && fewer > 1.0);
    let summary = format!(
        "With f = g + 10h, {share:.1}% of the solutions are shortest, and all solutions together are {:.2} \
         times as long as shortest ones. The search expands {fewer:.1} times fewer nodes than with f = g + h.",
        weighted.moves as f64 / weighted.fewest_moves as f64,
    );
    let figure = shares("The larger h weighs, the fewer solutions are shortest", &measured);
    Ok(findings(verdict, summary, &measured, &figure))
}

pub(super) static BLANK_IN_PARITY: Experiment = Experiment {
    name: "blank-in-parity",
    claim: "A parity test that counts the blank among the inversions, as if it were the tile 0, is wrong on 44.4% of the \
            boards.",
    method: "Both tests on all 362,880 boards, by the cell of the blank. On a board of odd width a move never \
             changes the parity of the inversions of the tiles, so the test without the blank is correct.",
    is_timed: false,
    run: parity,
};

fn parity(cancel: &CancelToken) -> Result<Findings, Stop> {
    let mut wrong = [0_u64; 9];
    for rank in 0..PERMUTATIONS {
        if rank % 1024 == 0 && cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let numbers = cantor_unrank(9, rank as u64).expect("each rank has a permutation");
        let state = State::try_from(numbers).expect("a permutation of nine");
        let blank = state.iter().position(|&tile| tile == 0).expect("a state has a blank");
        let is_wrong = is_solvable(&state, CountedEntries::Tiles)
            != is_solvable(&state, CountedEntries::TilesAndBlank);
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
            "The test is wrong on {} of {} boards, {share:.1}%. The blank as 0 forms an inversion with every tile \
             before it, so the test is right only if the blank is an even number of cells from the last one.",
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

pub(super) static LIST_SEARCH: Experiment = Experiment {
    name: "list-search",
    claim: "Breadth-first search is useless beyond 15 moves.",
    method: "A textbook breadth-first search on up to 10 boards of each length. It looks up every generated state \
             to detect duplicates. In an array indexed by rank, that takes one lookup. The program from which the \
             claim comes searches a linked list from the beginning instead; its comparisons are counted without \
             being made.",
    is_timed: false,
    run: list_search,
};

/// Lengths listed in the table.
const SHOWN: [u32; 7] = [5, 10, 15, 20, 25, 30, 31];

fn list_search(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = of_lengths(1, 31, 10);
    let solve = |(state, length): &KnownBoard| {
        (!cancel.is_cancelled()).then(|| (*length, breadth_first(state)))
    };
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
        y: Axis::log("states looked up or compared"),
        series: vec![
            Series { name: "linked list".to_owned(), marks: Marks::Quartiles(comparisons.clone()) },
            Series { name: "array of ranks".to_owned(), marks: Marks::Quartiles(lookups.clone()) },
        ],
    };
    Ok(Findings {
        verdict: Verdict::of(by_array >= by_list),
        summary: format!(
            "The claim is true of the list, not of the search. The list costs a median of {} comparisons per board \
             at 15 moves and {} at 31. An array costs {} lookups for the farthest boards, {:.0} times less than the \
             list at 15 moves.",
            grouped(by_list.round()),
            grouped(median(&comparisons, 31).round()),
            grouped(by_array.round()),
            by_list / by_array,
        ),
        table: Table {
            heading: vec!["median", "expanded", "lookups in the array", "comparisons in the list"],
            rows: SHOWN.into_iter().map(row).collect(),
        },
        plots: vec![Plot::first(&figure)],
    })
}

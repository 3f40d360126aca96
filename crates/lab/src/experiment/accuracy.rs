//! Accuracy of heuristics and its effect on A*.

use loyd::CancelToken;
use loyd::engine::{
    BoardSpace, Gaschnig, Heuristic, InversionDistance, LinearConflict, Packed3x3, TileSum,
    WalkingDistance,
};
use loyd::search::{Cost, Meter, Stop};
use loyd::{Goal, Size};
use rayon::prelude::*;

use super::engines::{Engine, Runs, expanded};
use super::findings::{Experiment, Findings, Plot, Table, Verdict};
use super::textbook::{KnownBoard, every, of_lengths, problem};
use crate::plot::{Axis, Density, Figure, Marks, Series, grouped};

pub(super) static INFORMED: Experiment = Experiment {
    name: "informed",
    claim: "The closer a heuristic is to the true distance, the fewer nodes A* expands.",
    method: "The values of six heuristics on all 181,440 boards, compared with the true distances from a \
             breadth-first search. Then Loyd's `astar` with each of them on up to 20 boards of each length from 1 \
             to 31.",
    is_timed: false,
    run,
};

const NAMES: [&str; 6] = [
    "misplaced",
    "gaschnig",
    "manhattan",
    "inversion-distance",
    "linear-conflict",
    "walking-distance",
];

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = every(1);
    let densities = densities(&boards, cancel)?;
    let sample = of_lengths(1, 31, 20);
    let searched = NAMES.map(|name| Runs::new(Engine::astar(name, name), &sample, cancel));
    let searched = searched.into_iter().collect::<Result<Vec<_>, Stop>>()?;
    let all: Vec<(&Density, f64)> = densities
        .iter()
        .zip(&searched)
        .map(|(density, runs)| (density, runs.mean(expanded)))
        .collect();
    let mut by_mean = all.clone();
    by_mean.sort_by(|a, b| a.0.mean().total_cmp(&b.0.mean()));
    let falls = by_mean.windows(2).all(|pair| pair[1].1 <= pair[0].1);
    let row = |(density, nodes): &(&Density, f64)| {
        vec![
            density.name().to_owned(),
            format!("{:.2}", density.mean()),
            format!("{:.1}%", 100.0 * density.exact_share()),
            grouped(nodes.round()),
        ]
    };
    let ends = [by_mean.first(), by_mean.last()]
        .map(|end| end.expect("the list of heuristics is not empty"));
    Ok(Findings {
        verdict: if falls { Verdict::Holds } else { Verdict::HoldsInPart },
        summary: format!(
            "Of the six, `{}` is the least informed (mean {:.1} of 22.0 moves; A* expands {} nodes) and `{}` the \
             best informed (mean {:.1} moves; {} nodes). {}",
            ends[0].0.name(),
            ends[0].0.mean(),
            grouped(ends[0].1.round()),
            ends[1].0.name(),
            ends[1].0.mean(),
            grouped(ends[1].1.round()),
            match falls {
                true => "In between, the number of nodes falls as the mean rises.",
                false => "In between, the number of nodes does not always fall as the mean rises.",
            },
        ),
        table: Table {
            heading: vec!["heuristic", "mean", "exact on", "expanded by A*"],
            rows: by_mean.iter().map(row).collect(),
        },
        plots: plots(&densities),
    })
}

/// Computes the values of all heuristics on all boards.
fn densities(boards: &[KnownBoard], cancel: &CancelToken) -> Result<Vec<Density>, Stop> {
    let goal = Goal::BlankLast.board(Size::EIGHT).expect("each size has this goal");
    let space = Packed3x3::new(&goal);
    let labels = space.relabelling();
    let walking = WalkingDistance::new(labels, &mut Meter::default())?;
    let [misplaced, manhattan] = [TileSum::misplaced(labels), TileSum::manhattan(labels)];
    let (gaschnig, inversions) = (Gaschnig::new(labels), InversionDistance::new(labels));
    let conflict = LinearConflict::new(labels);
    let heuristics: [&(dyn Heuristic<Packed3x3> + Sync); 6] =
        [&misplaced, &gaschnig, &manhattan, &inversions, &conflict, &walking];
    let values = |&(state, distance): &KnownBoard| -> Option<(Cost, [Cost; 6])> {
        let state = space.encode(problem(&state).start());
        let values = heuristics.map(|heuristic| heuristic.h(&space, &state));
        (!cancel.is_cancelled()).then_some((distance, values))
    };
    let values: Option<Vec<_>> = boards.par_iter().map(values).collect();
    let values = values.ok_or(Stop::Cancelled)?;
    let density = |(index, name): (usize, &&str)| {
        Density::new(name, values.iter().map(|(distance, values)| (*distance, values[index])))
    };
    Ok(NAMES.iter().enumerate().map(density).collect())
}

fn plots(densities: &[Density]) -> Vec<Plot> {
    let mean = |density: &Density| Series {
        name: density.name().to_owned(),
        marks: Marks::Line(density.means()),
    };
    let means = Figure {
        title: "The mean of heuristics at each distance".to_owned(),
        note: "3x3, all 181,440 boards".to_owned(),
        x: Axis::linear("true distance (moves)"),
        y: Axis::linear("mean of h (moves)"),
        series: densities.iter().map(mean).collect(),
    };
    let mut plots = vec![Plot::first(&means)];
    for density in densities {
        if let Some(&(_, suffix)) = PLOTTED.iter().find(|(name, _)| *name == density.name()) {
            plots.push(Plot { suffix, ..Plot::first(&density.figure("3x3, all 181,440 boards")) });
        }
    }
    plots
}

/// Heuristics with their own density plot, and the suffix of its file name.
const PLOTTED: [(&str, &str); 3] = [
    ("misplaced", "-misplaced"),
    ("manhattan", "-manhattan"),
    ("walking-distance", "-walking-distance"),
];

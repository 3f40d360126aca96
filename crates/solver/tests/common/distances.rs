//! Distances computed on boards only, without the spaces and searches of the crate.

use std::collections::HashMap;

use loyd::moves::Metric;
use loyd::{Board, Move};

/// Returns every move on `board` as the steps of the blank, with the board that it leads to.
pub fn next_boards(board: &Board, metric: Metric) -> Vec<(Vec<Move>, Board)> {
    let mut next = Vec::new();
    for m in Move::ALL {
        let (mut board, mut steps) = (board.clone(), Vec::new());
        while board.apply(m).is_ok() {
            steps.push(m);
            next.push((steps.clone(), board.clone()));
            if metric == Metric::SingleTile {
                break;
            }
        }
    }
    next
}

/// Returns the distance of every board to the nearest of `goals`.
pub fn distances(goals: impl IntoIterator<Item = Board>, metric: Metric) -> HashMap<Board, usize> {
    let mut layer: Vec<Board> = goals.into_iter().collect();
    let mut distances: HashMap<Board, usize> = layer.iter().map(|goal| (goal.clone(), 0)).collect();
    for distance in 1.. {
        let mut next = Vec::new();
        for (_, board) in layer.iter().flat_map(|board| next_boards(board, metric)) {
            distances.entry(board.clone()).or_insert_with(|| {
                next.push(board);
                distance
            });
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

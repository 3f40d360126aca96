//! Labels of many rows.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use loyd::CancelToken;

use super::parity::Parity;
use super::rows::{Fault, Invalid, Rows, Wrong};
use crate::dataset::{Labelled, Labels, Shape, label_all};

/// So many rows are labelled before it is looked whether the work is cancelled.
const PORTION: usize = 1 << 14;

/// What is found of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The number of the row.
    pub row: usize,
    /// The moves of its shortest solutions.
    pub distance: u16,
    /// The directions with which they begin, a bit for each, if the labels have them.
    pub first_moves: u8,
}

/// Labels rows on several threads. `each` gets the answers in order; none is there for rows that are masked, and for
/// those that are left when `cancel` is set.
///
/// # Errors
/// The first row that is no board, cannot be solved, or has no label, if these are refused.
pub fn label_rows(
    labels: &Labels,
    (rows, invalid): (Rows<'_>, Invalid),
    threads: NonZeroUsize,
    cancel: &CancelToken,
    mut each: impl FnMut(Answer) + Send,
) -> Result<(), Fault> {
    let parity = Parity::new(labels.goal());
    let firsts = || (0..rows.len()).step_by(PORTION).take_while(|_| !cancel.is_cancelled());
    let solvable = |first| {
        let valid = parity.solvable(rows.part(first, PORTION), invalid);
        valid.map_err(|fault| Fault { row: first + fault.row, ..fault })
    };
    // What is wrong with a row is known before the first search.
    firsts().try_for_each(|first| solvable(first).map(drop))?;
    for first in firsts() {
        let (part, valid) = (rows.part(first, PORTION), solvable(first)?);
        let boards = valid.iter().map(|&row| part.board(row).expect("it can be solved"));
        let mut numbers = valid.iter().map(|row| first + row);
        let mut fault = None;
        let shape = Shape { threads, part_rows: u64::MAX };
        label_all(labels, boards, shape, cancel, |labelled| {
            if cancel.is_cancelled() {
                return ControlFlow::Break(());
            }
            let answers = answers(&labelled, &mut numbers);
            for answer in answers {
                match answer {
                    Ok(answer) => each(answer),
                    Err(_) if invalid == Invalid::Masked => {}
                    Err(wrong) => {
                        fault = Some(wrong);
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
    }
    Ok(())
}

/// The answers about boards that are the next of these rows.
fn answers(
    labelled: &Labelled,
    rows: &mut impl Iterator<Item = usize>,
) -> Vec<Result<Answer, Fault>> {
    let mut left_out = labelled.left_out.iter().peekable();
    let mut found = labelled.part.found();
    let answer = |(number, row)| match left_out.next_if(|(left, _)| *left == number) {
        Some((_, why)) => Err(Fault { row, wrong: Wrong::NotFound(why.clone()) }),
        None => {
            let (distance, first_moves) = found.next().expect("a board is found or left out");
            Ok(Answer { row, distance, first_moves })
        }
    };
    (0..labelled.boards).zip(rows).map(answer).collect()
}

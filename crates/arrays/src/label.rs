//! Labels of many rows.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use loyd::CancelToken;
use loyd_lab::dataset::{LabelledBoards, Labeller, WorkLayout, label_all};

use crate::ranks::Parity;
use crate::rows::{InvalidRows, RowError, RowErrorKind, Rows};

/// Number of rows labelled between two checks for cancellation.
const BATCH_ROWS: usize = 1 << 14;

/// Label of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLabel {
    /// Index of the row.
    pub row: usize,
    /// Length of a shortest solution.
    pub distance: u16,
    /// Mask of the first moves of shortest solutions, one bit per direction; 0 unless the labels include first moves.
    pub first_moves: u8,
}

/// Labels rows on several threads and passes the answers to `each` in order. There is no answer for masked rows or for
/// rows left when `cancel` is set.
///
/// # Errors
/// Returns the fault of the first row that is not a board, is unsolvable, or gets no label, with
/// [`InvalidRows::Reject`].
pub fn label_rows(
    labels: &Labeller,
    (rows, invalid): (Rows<'_>, InvalidRows),
    threads: NonZeroUsize,
    cancel: &CancelToken,
    mut each: impl FnMut(RowLabel) + Send,
) -> Result<(), RowError> {
    let parity = Parity::new(labels.goal());
    let firsts = || (0..rows.len()).step_by(BATCH_ROWS).take_while(|_| !cancel.is_cancelled());
    let solvable = |first| {
        let valid = parity.solvable_rows(rows.slice(first, BATCH_ROWS), invalid);
        valid.map_err(|fault| RowError { row: first + fault.row, ..fault })
    };
    // Check all rows first, so that no search runs if a row is invalid.
    firsts().try_for_each(|first| solvable(first).map(drop))?;
    for first in firsts() {
        let (part, valid) = (rows.slice(first, BATCH_ROWS), solvable(first)?);
        let boards = valid.iter().map(|&row| part.board(row).expect("the row is solvable"));
        let mut numbers = valid.iter().map(|row| first + row);
        let mut fault = None;
        let shape = WorkLayout { threads, part_rows: u64::MAX };
        label_all(labels, boards, shape, cancel, |labelled| {
            if cancel.is_cancelled() {
                return ControlFlow::Break(());
            }
            let answers = answers(&labelled, &mut numbers);
            for answer in answers {
                match answer {
                    Ok(answer) => each(answer),
                    Err(_) if invalid == InvalidRows::Mask => {}
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

/// Matches labels with the indices of the rows they belong to.
fn answers(
    labelled: &LabelledBoards,
    rows: &mut impl Iterator<Item = usize>,
) -> Vec<Result<RowLabel, RowError>> {
    let mut skipped = labelled.skipped.iter().peekable();
    let mut found = labelled.part.labels();
    let answer = |(number, row)| match skipped.next_if(|(left, _)| *left == number) {
        Some((_, why)) => Err(RowError { row, kind: RowErrorKind::NotFound(why.clone()) }),
        None => {
            let (distance, first_moves) = found.next().expect("a board has a label or is left out");
            Ok(RowLabel { row, distance, first_moves })
        }
    };
    (0..labelled.boards).zip(rows).map(answer).collect()
}

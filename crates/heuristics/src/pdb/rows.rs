//! One step of a build for one row: what flows into it from others.

use super::turns::{Block, Turn, Turns};

/// Finds the new states of whole rows: in [`Plain`] code, or with the instructions of some machine.
pub trait RowMover: Sync {
    /// Gets ready for the orders that `turns` are about.
    fn new(turns: &Turns) -> Self;

    /// Asks for a row that will soon be read, if the machine can be asked.
    #[inline]
    fn fetch(&self, _row: &[Block]) {}

    /// Adds to `row` what flows into it and was not in it before; returns how many states that are.
    fn advance(&self, inflow: &Inflow<'_>, row: RowMut<'_>) -> u64;
}

/// What flows into a row.
#[derive(Clone, Debug, Default)]
pub struct Inflow<'a> {
    /// Rows that come as they are, by moves along a row of the board.
    pub straight: Vec<&'a [Block]>,
    /// Rows that come turned, by vertical moves.
    pub turned: Vec<(&'a Turn, &'a [Block])>,
}

/// A row: the states that were met, by bit 1 of their distance.
#[derive(Debug)]
pub struct RowMut<'a> {
    /// Those whose bit is that of this level.
    pub same: &'a mut [Block],
    /// Those with the other bit.
    pub other: &'a [Block],
    /// As long as the row, for what is on the way.
    pub reached: &'a mut [Block],
}

/// [`RowMover::advance`] where `turn` adds the blocks of a row, turned, to another. It is inlined, to
/// be compiled for the machine that `turn` is meant for.
///
/// There are no branches on what blocks hold: to guess them wrong would cost more than they save.
#[inline(always)]
pub fn advance(
    inflow: &Inflow<'_>,
    row: RowMut<'_>,
    turn: impl Fn(&Turn, &[Block], &mut [Block]),
) -> u64 {
    let RowMut { same, other, reached } = row;
    match inflow.straight.split_first() {
        None => reached.fill([0; 2]),
        Some((first, others)) => {
            reached.copy_from_slice(first);
            for from in others {
                for (into, from) in reached.iter_mut().zip(*from) {
                    *into = [into[0] | from[0], into[1] | from[1]];
                }
            }
        }
    }
    for &(places, from) in &inflow.turned {
        turn(places, from, reached);
    }
    let mut count = 0;
    let words = same.as_flattened_mut().iter_mut().zip(other.as_flattened());
    for ((same, other), reached) in words.zip(reached.as_flattened()) {
        let new = reached & !(*same | other);
        *same |= new;
        count += u64::from(new.count_ones());
    }
    count
}

/// Moves rows in plain code: a turn is at most three exchanges of neighbouring labels, and an exchange
/// moves the bits of each smaller label up or down by half its weight, and to the other word.
#[derive(Debug)]
pub struct Plain {
    turns: Vec<Vec<Exchange>>,
}

/// For each label but the last: half its weight, and the orders in which it is the smaller one of two
/// neighbours and on the left.
type Exchange = Vec<(u32, Block)>;

impl RowMover for Plain {
    fn new(turns: &Turns) -> Self {
        let exchange = |left| turns.smaller_on_left(left);
        let exchanges = turns.inner().iter().map(|turn| turn.exchanges());
        Self { turns: exchanges.map(|places| places.into_iter().map(exchange).collect()).collect() }
    }

    fn advance(&self, inflow: &Inflow<'_>, row: RowMut<'_>) -> u64 {
        advance(inflow, row, |turn, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&turn.blocks) {
                let exchanges = &self.turns[usize::from(inner)];
                let [even, odd] = exchanges.iter().fold(from[usize::from(source)], exchanged);
                *into = [into[0] | even, into[1] | odd];
            }
        })
    }
}

fn exchanged(block: Block, exchange: &Exchange) -> Block {
    let mut exchanged = [0; 2];
    for &(weight, mask) in exchange {
        for word in 0..2 {
            let (other, up, down) = (block[word ^ 1], mask[word ^ 1], mask[word]);
            exchanged[word] |= (other & up) << weight | (other >> weight) & down;
        }
    }
    exchanged
}

//! All boards of one length, where these are few.

use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, BoardSpace, Size};

/// Lengths that so few boards have, and no shorter one more, are drawn from all of them.
const FEW_BOARDS: usize = 250_000;

/// The boards of a length.
#[derive(Debug)]
pub enum Layer {
    /// All of them; of those that differ in don't-care tiles, one.
    Boards(Vec<Board>),
    /// More than are kept.
    TooMany,
    /// None: the farthest boards have this length.
    Beyond(u32),
}

/// What a board of this size takes in memory.
pub fn board_bytes(size: Size) -> u64 {
    /// What an allocator adds.
    const BESIDES: usize = 16;
    (size_of::<Board>() + size.cells() + BESIDES) as u64
}

/// All boards of a length, in their order.
pub fn layer<S: BoardSpace>(space: &S, length: u32, meter: &mut Meter<'_>) -> Result<Layer, Stop> {
    let mut before = Vec::new();
    let mut layer: Vec<S::Key> = space.goals().iter().map(|goal| space.pack(goal)).collect();
    layer.sort_unstable();
    for distance in 0..length {
        let next = next_layer(space, &before, &layer, meter)?;
        if next.is_empty() {
            return Ok(Layer::Beyond(distance));
        }
        if next.len() > FEW_BOARDS {
            return Ok(Layer::TooMany);
        }
        before = std::mem::replace(&mut layer, next);
    }
    drop(before);
    let boards = layer.len() as u64 * board_bytes(space.relabelling().goal().size());
    meter.reserve(size_of_val(&layer[..]) as u64 + boards)?;
    let boards = layer.iter().map(|key| space.decode(&space.unpack(*key)));
    Ok(Layer::Boards(boards.collect()))
}

/// The keys of the states that are one step farther than those of `layer`, which are one step farther than
/// those `before`; in order, as these are.
fn next_layer<S: BoardSpace>(
    space: &S,
    before: &[S::Key],
    layer: &[S::Key],
    meter: &mut Meter<'_>,
) -> Result<Vec<S::Key>, Stop> {
    let children = |key: &S::Key| space.actions(&space.unpack(*key)).into_iter().count();
    let most = layer.iter().map(children).sum();
    let reserve = |keys: usize, meter: &mut Meter<'_>| {
        meter.reserve(((before.len() + layer.len() + keys) * size_of::<S::Key>()) as u64)
    };
    reserve(most, meter)?;
    let mut next = Vec::with_capacity(most);
    for state in layer.iter().map(|key| space.unpack(*key)) {
        for action in space.actions(&state) {
            // Where the blank may end on several cells, a neighbour may be as far as the state itself.
            let key = space.pack(&space.successor(&state, action));
            if before.binary_search(&key).is_err() && layer.binary_search(&key).is_err() {
                next.push(key);
            }
        }
    }
    meter.check()?;
    next.sort_unstable();
    next.dedup();
    // What is left over is given back, by way of a copy.
    reserve(most + next.len(), meter)?;
    next.shrink_to_fit();
    meter.check()?;
    Ok(next)
}

//! What a bit of a table stands for.

use loyd_heuristics::pdb::{Database, Pattern};

/// What a bit of a pattern database stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongPlace {
    /// The pattern whose table it is in.
    pub pattern: Pattern,
    /// The state it stands for; `None` for bits that only fill a row up.
    pub state: Option<WrongState>,
}

/// A state of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongState {
    /// The cell of each tile, in the order of the pattern.
    pub tiles: Vec<u8>,
    /// The cells on which the blank may be.
    pub blank: Vec<u8>,
}

/// What a bit of a database stands for.
pub(super) fn place_of(database: &Database, bit: u64) -> Option<WrongPlace> {
    let before = database.parts().iter().filter(|part| part.first_bit() <= bit);
    let part = before.max_by_key(|part| part.first_bit())?;
    let coordinates = part.coordinates();
    let place = bit - part.first_bit();
    let (rank, q) = (place / coordinates.stride(), place % coordinates.stride());
    let state = coordinates.layouts().get(q as usize).map(|layout| {
        let order = coordinates.unrank(rank as u32);
        let mut tiles = vec![0; coordinates.tiles()];
        for (&label, cell) in order.iter().zip(layout.tiles) {
            tiles[usize::from(label)] = cell;
        }
        WrongState { tiles, blank: layout.region.iter().collect() }
    });
    Some(WrongPlace { pattern: part.pattern().clone(), state })
}

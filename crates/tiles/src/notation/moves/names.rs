//! The names of the notations.

use crate::notation::named::named;

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Small letters `u d l r`: the direction in which **the blank** goes, as judges have it.
    #[default]
    Blank,
    /// Capitals `U D L R`: the direction in which **the tile** goes, as speed-solvers have it; always
    /// the opposite of the blank's.
    Tile,
    /// The number of the tile that moves. A tile farther off in the row or column of the blank takes
    /// all that are between with it.
    Numbers,
    /// Row and column of the tile that moves, from 1, as in `2,3` or `(2, 3)`; farther off likewise.
    Coordinates,
}

/// What there is to say about a notation.
#[derive(Clone, Copy, Debug)]
pub struct NotationRow {
    /// The notation.
    pub notation: Notation,
    /// Its name, as options have it.
    pub name: &'static str,
    /// One line for help texts.
    pub summary: &'static str,
    /// The same three moves in every row: one a word, and with runs put together.
    pub examples: [&'static str; 2],
    /// Whether moves can be read and written only together with the board on which they begin.
    pub needs_board: bool,
}

/// All notations of moves: the one place where they are named.
///
/// The examples are the same three moves on the board `2 3 4/1 5 x/7 6 8`, one a word and with runs
/// put together: the blank goes up and twice to the left.
pub const NOTATIONS: &[NotationRow] = &[
    NotationRow {
        notation: Notation::Blank,
        name: "blank",
        summary: "small letters: where the blank goes (judges)",
        examples: ["ull", "ul2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::Tile,
        name: "tile",
        summary: "capitals: where the tile goes (speed-solvers)",
        examples: ["DRR", "DR2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::Numbers,
        name: "numbers",
        summary: "which tile moves; it pushes those between it and the blank",
        examples: ["4 3 2", "4 2"],
        needs_board: true,
    },
    NotationRow {
        notation: Notation::Coordinates,
        name: "coordinates",
        summary: "row and column, from 1, of the tile that moves and pushes",
        examples: ["1,3 1,2 1,1", "1,3 1,1"],
        needs_board: true,
    },
];

named!(Notation, "a notation", NOTATIONS: NotationRow { notation }, UnknownNotation);

//! The classes of indistinguishable tiles.

use std::fmt;

use loyd_tiles::{Cell, Size};

use crate::pdb::DENSE_CELLS;

/// A division of the tiles into classes, by their goal cells in canonical
/// [`Orientation`](crate::pdb::Orientation). Tiles of the same class are indistinguishable; the blank is in no class.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TileClasses {
    size: Size,
    blank: u8,
    /// Class of the tile, by goal cell; unused for the cell of the blank.
    of: [u8; DENSE_CELLS],
    /// Number of tiles in each class.
    counts: Vec<u8>,
}

/// Default classes: size of the boards in canonical orientation, and the class of each goal cell in reading order if
/// the blank belongs on cell 0. If it belongs elsewhere, the tile of cell 0 has the class of that cell.
const DEFAULTS: &[((usize, usize), &str)] = &[
    ((2, 5), "aabcdefghh"),
    ((2, 6), "aabcdefghfgh"),
    ((2, 7), "aaaabbccdddeee"),
    ((2, 8), "aaaabbbbccccdddd"),
    ((3, 4), "aabcdefghfgh"),
    ((3, 5), "aabaabccbccdddd"),
    ((4, 4), "aaaabbbbccccdddd"),
];

impl TileClasses {
    /// Maximum number of classes, not counting the blank.
    pub const MAX_CLASSES: usize = 8;

    /// Creates the classes from one letter per goal cell in reading order; class 0 is `a`. The letter
    /// of the blank's goal cell is ignored.
    ///
    /// # Panics
    /// Panics if the number of letters is not the number of cells, if the board has more than 16 cells or is a single
    /// line, or if a letter before the last one used does not occur.
    pub fn new(size: Size, blank: u8, letters: &str) -> Self {
        assert_eq!(letters.len(), size.cells(), "each cell must have a letter");
        let mut groups = vec![Vec::new(); Self::MAX_CLASSES];
        for (cell, letter) in (0..).zip(letters.bytes()).filter(|&(cell, _)| cell != blank) {
            groups[usize::from(letter - b'a')].push(cell);
        }
        groups.truncate(groups.iter().rposition(|group| !group.is_empty()).map_or(0, |l| l + 1));
        Self::of_groups(size, blank, &groups)
            .unwrap_or_else(|wrong| panic!("`{letters}` on {size} boards: {wrong}"))
    }

    /// Creates the classes from the goal cells of each class.
    ///
    /// # Errors
    /// Returns what is invalid: the size of the board, the number of classes, the cells of a class (each tile must be
    /// in exactly one class, and no class may be empty), or the number of arrangements (it must fit in 32 bits).
    pub fn of_groups(size: Size, blank: u8, groups: &[Vec<u8>]) -> Result<Self, &'static str> {
        if size.cells() > DENSE_CELLS || size.is_line() {
            return Err("the size of the board");
        }
        if !(1..=Self::MAX_CLASSES).contains(&groups.len()) {
            return Err("the number of classes");
        }
        let (mut of, mut left) = ([0; DENSE_CELLS], vec![true; size.cells()]);
        for (class, &cell) in
            (0..).zip(groups).flat_map(|(class, g)| g.iter().map(move |c| (class, c)))
        {
            match left.get_mut(usize::from(cell)) {
                Some(left) if *left && cell != blank => *left = false,
                _ => return Err("the cells of a class"),
            }
            of[usize::from(cell)] = class;
        }
        let all = (0..).zip(&left).all(|(cell, left)| !left || cell == blank);
        if !all || groups.iter().any(Vec::is_empty) {
            return Err("the cells of a class");
        }
        let counts: Vec<u8> = groups.iter().map(|group| group.len() as u8).collect();
        let classes = Self { size, blank, of, counts };
        match u32::try_from(classes.arrangements()) {
            Ok(_) => Ok(classes),
            Err(_) => Err("more arrangements than 32 bits can number"),
        }
    }

    /// Returns the number of distinguishable arrangements of the tiles, a multinomial coefficient.
    pub fn arrangements(&self) -> u64 {
        let (mut ways, mut tiles) = (1, 0);
        for place in self.counts.iter().flat_map(|&count| 1..=u64::from(count)) {
            tiles += 1;
            ways = ways * tiles / place;
        }
        ways
    }

    /// Returns the goal cells of each class, in ascending order.
    pub fn groups(&self) -> Vec<Vec<u8>> {
        let mut groups = vec![Vec::new(); self.counts.len()];
        for cell in (0..self.size.cells() as u8).filter(|&cell| cell != self.blank) {
            groups[usize::from(self.of[usize::from(cell)])].push(cell);
        }
        groups
    }

    /// Returns the default classes, whose tables take at most 65 MB and are built in seconds. For 4x4 boards the
    /// classes are the rows, by far the best of the choices tried: the board and its transpose together then
    /// determine the goal row and the goal column of each tile. The tables are exact for 2x5 boards, and nearly exact
    /// for 2x6 and 3x4.
    ///
    /// Returns `None` for boards of a single line, of more than 16 cells, or of fewer than 10 cells (which are solved
    /// faster than a table is built).
    pub fn default_for(size: Size, blank: u8) -> Option<Self> {
        let shape = (size.width(), size.height());
        let (_, letters) = DEFAULTS.iter().find(|(known, _)| *known == shape)?;
        let mut letters: Vec<u8> = letters.bytes().collect();
        letters.swap(0, blank.into());
        let letters = String::from_utf8(letters).expect("letters are ASCII");
        Some(Self::new(size, blank, &letters))
    }

    /// Returns the size of the boards in canonical orientation.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the goal cell of the blank in canonical orientation.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// Returns the class of the tile with goal cell `cell`, which must not be the goal cell of the blank.
    pub fn of(&self, cell: Cell) -> u8 {
        self.of[cell.index()]
    }

    /// Returns the number of tiles in each class.
    pub fn counts(&self) -> &[u8] {
        &self.counts
    }
}

/// Prints the goal cells of each class, as in `1,2,3/4,5,6,7/8,9,10,11/12,13,14,15`.
impl fmt::Display for TileClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |group: &Vec<u8>| group.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let classes: Vec<String> = self.groups().iter().map(text).collect();
        f.write_str(&classes.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_for_ten_to_sixteen_cells() {
        for (width, height) in
            (1..=4).flat_map(|width| (width.max(2)..=16).map(move |h| (width, h)))
        {
            let size = Size::new(width, height).unwrap();
            let offered = (10..=16).contains(&size.cells()) && !size.is_line();
            for blank in 0..size.cells().min(DENSE_CELLS) as u8 {
                let classes = TileClasses::default_for(size, blank);
                assert_eq!(classes.is_some(), offered, "{size}");
                let Some(classes) = classes else { continue };
                let tiles: usize = classes.counts().iter().map(|&count| usize::from(count)).sum();
                assert_eq!((tiles, classes.blank()), (size.tiles(), blank));
            }
        }
    }

    #[test]
    fn classes_are_printed_as_goal_cells() {
        let size = Size::new(3, 3).unwrap();
        assert_eq!(TileClasses::new(size, 0, "aaabbbccc").to_string(), "1,2/3,4,5/6,7,8");
        assert_eq!(TileClasses::new(size, 4, "abababaab").to_string(), "0,2,6,7/1,3,5,8");
    }
}

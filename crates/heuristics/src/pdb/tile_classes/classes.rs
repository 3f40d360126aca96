//! Which tiles are indistinguishable.

use std::fmt;

use loyd_tiles::{Cell, Size};

use crate::pdb::DENSE_CELLS;

/// A division of the tiles into classes of indistinguishable ones, by their goal cells in the
/// [`Orientation`](crate::pdb::Orientation). The blank is alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TileClasses {
    size: Size,
    blank: u8,
    /// The class of the tile for each cell; nothing for the blank's.
    of: [u8; DENSE_CELLS],
    /// How many tiles are in each class.
    counts: Vec<u8>,
}

/// The classes of the goal cells in reading order, for boards in canonical orientation with the blank's goal cell in a
/// corner. If the blank belongs elsewhere, the tile of cell 0 takes the letter of that cell.
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
    /// The most classes beside the blank.
    pub const MOST: usize = 8;

    /// The classes that the letters name, one for each goal cell in reading order, from `a` on; the letter
    /// of the blank's own cell counts for nothing.
    ///
    /// # Panics
    /// If there are not as many letters as cells, the board has more than 16 cells or but one line, or
    /// the letters leave one out.
    pub fn new(size: Size, blank: u8, letters: &str) -> Self {
        assert_eq!(letters.len(), size.cells(), "a letter for each cell");
        let mut groups = vec![Vec::new(); Self::MOST];
        for (cell, letter) in (0..).zip(letters.bytes()).filter(|&(cell, _)| cell != blank) {
            groups[usize::from(letter - b'a')].push(cell);
        }
        groups.truncate(groups.iter().rposition(|group| !group.is_empty()).map_or(0, |l| l + 1));
        Self::of_groups(size, blank, &groups)
            .unwrap_or_else(|wrong| panic!("`{letters}` on {size} boards: {wrong}"))
    }

    /// The classes of tiles with these goal cells.
    ///
    /// # Errors
    /// What is wrong with them: see [`new`](Self::new).
    pub fn of_groups(size: Size, blank: u8, groups: &[Vec<u8>]) -> Result<Self, &'static str> {
        if size.cells() > DENSE_CELLS || size.is_line() {
            return Err("the size of the board");
        }
        if !(1..=Self::MOST).contains(&groups.len()) {
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

    /// In how many ways the tiles can be arranged.
    pub fn arrangements(&self) -> u64 {
        let (mut ways, mut tiles) = (1, 0);
        for place in self.counts.iter().flat_map(|&count| 1..=u64::from(count)) {
            tiles += 1;
            ways = ways * tiles / place;
        }
        ways
    }

    /// The goal cells of each class, ascending.
    pub fn groups(&self) -> Vec<Vec<u8>> {
        let mut groups = vec![Vec::new(); self.counts.len()];
        for cell in (0..self.size.cells() as u8).filter(|&cell| cell != self.blank) {
            groups[usize::from(self.of[usize::from(cell)])].push(cell);
        }
        groups
    }

    /// The classes that are used when nothing is said: tables of at most 65 MB, made in some seconds. The
    /// rows of 4x4 boards were the best of those tried, by far: a board and its transpose then tell the
    /// goal row and the goal column of each tile. 2x5 boards are known exactly, 2x6 and 3x4 ones nearly.
    ///
    /// None for boards of one line, of more than 16 cells or of fewer than 10, which are solved before a
    /// table is made.
    pub fn default_for(size: Size, blank: u8) -> Option<Self> {
        let shape = (size.width(), size.height());
        let (_, letters) = DEFAULTS.iter().find(|(known, _)| *known == shape)?;
        let mut letters: Vec<u8> = letters.bytes().collect();
        letters.swap(0, blank.into());
        let letters = String::from_utf8(letters).expect("letters are ASCII");
        Some(Self::new(size, blank, &letters))
    }

    /// The size of the boards in canonical orientation.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The goal cell of the blank in canonical orientation.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// The class of the tile whose goal is `cell`, which is not the blank's.
    pub fn of(&self, cell: Cell) -> u8 {
        self.of[cell.index()]
    }

    /// How many tiles are in each class.
    pub fn counts(&self) -> &[u8] {
        &self.counts
    }
}

/// The goal cells of each class, as in `1,2,3/4,5,6,7/8,9,10,11/12,13,14,15`.
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
    fn classes_are_shown_by_goal_cells() {
        let size = Size::new(3, 3).unwrap();
        assert_eq!(TileClasses::new(size, 0, "aaabbbccc").to_string(), "1,2/3,4,5/6,7,8");
        assert_eq!(TileClasses::new(size, 4, "abababaab").to_string(), "0,2,6,7/1,3,5,8");
    }
}

//! The names of the file formats.

use super::named::named;

/// How the boards of a file are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Whatever the first lines look like: at most 32 of them, or as many as the size has rows, and
    /// 64 KiB. The first of these that holds:
    ///
    /// 1. the first two lines are boards: [`Lines`](Self::Lines);
    /// 2. the first line is a board of at least 4 separate tiles and the second a number, of up to 3
    ///    digits and right or wrong, or there are three or six lines of this shape and no more:
    ///    [`Eight`](Self::Eight);
    /// 3. the first lines together make a board (a column only if the size says so):
    ///    [`Grid`](Self::Grid);
    /// 4. the first line is a board: `Lines`;
    /// 5. the first 9 tokens, or as many as the size has cells, make a board that ends with a line
    ///    or is followed by another one: [`Tokens`](Self::Tokens);
    /// 6. the first line without its first two words is a board: [`Korf`](Self::Korf);
    /// 7. the first lines would make a board but for a fault, and no line is one by itself: `Grid`;
    /// 8. else `Lines`.
    #[default]
    Auto,
    /// A board a line.
    Lines,
    /// A row a line.
    Grid,
    /// So many tiles a board, wherever lines break and however long they are. White space and commas
    /// separate tiles.
    Tokens,
    /// Start, index of the blank and goal on three lines.
    Eight,
    /// Name, length of a shortest solution and board on each line.
    Korf,
}

/// What there is to say about a format.
#[derive(Clone, Copy, Debug)]
pub struct FormatRow {
    /// The format.
    pub format: Format,
    /// Its name, as options have it.
    pub name: &'static str,
    /// One line for help texts.
    pub summary: &'static str,
    /// A short file in this format.
    pub example: &'static str,
}

/// All formats: the one place where they are named.
pub const FORMATS: &[FormatRow] = &[
    FormatRow {
        format: Format::Auto,
        name: "auto",
        summary: "whichever of the others the first lines look like",
        example: "2 3 4 1 5 x 7 6 8\n",
    },
    FormatRow {
        format: Format::Lines,
        name: "lines",
        summary: "a board a line, in any form: 2 3 4/1 5 0/7 6 8, 23415x768, [2,3,4,1,5,0,7,6,8]",
        example: "2 3 4 1 5 x 7 6 8\n23415x768\n2 3 4/1 5 0/7 6 8\n",
    },
    FormatRow {
        format: Format::Grid,
        name: "grid",
        summary: "a row a line; blank lines between boards that are not square need no --size",
        example: "2 3 4\n1 5 x\n7 6 8\n",
    },
    FormatRow {
        format: Format::Tokens,
        name: "tokens",
        summary: "9 tiles a board, or as many as --size says, wherever lines break",
        example: "2 3 4 1 5\nx 7 6 8\n",
    },
    FormatRow {
        format: Format::Eight,
        name: "eight",
        summary: "three lines: start, index of the blank counted from 0, goal",
        example: "8 3 5 1 2 7 4 6 0\n8\n1 2 3 4 5 6 7 8 0\n",
    },
    FormatRow {
        format: Format::Korf,
        name: "korf",
        summary: "name, length of a shortest solution and tiles on each line",
        example: "1 57 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n",
    },
];

named!(Format, "a format", FORMATS: FormatRow { format }, UnknownFormat);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Cases;

    #[test]
    fn names_are_read_as_they_are_written() {
        for row in FORMATS {
            assert_eq!(row.name.parse(), Ok(row.format));
            assert_eq!(row.format.to_string(), row.name);
        }
        assert_eq!(
            "csv".parse::<Format>().unwrap_err().to_string(),
            "`csv` is not a format; there are auto, lines, grid, tokens, eight, korf"
        );
    }

    #[test]
    fn examples_are_read_under_their_own_name_and_recognised() {
        for row in FORMATS {
            let mut cases = Cases::new(row.example.as_bytes(), row.format, None);
            assert!(cases.all(|case| case.unwrap().board.is_ok()), "{}", row.name);
            let found = Cases::new(row.example.as_bytes(), Format::Auto, None).format().unwrap();
            assert!(found == row.format || row.format == Format::Auto, "{} as {found}", row.name);
        }
    }
}

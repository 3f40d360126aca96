//! The names of the file formats.

use super::named::named;

/// A file format for boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Detects the format from the first lines: at most 32, or as many as a board with the size on the first line
    /// may take, and at most 1 MiB. JSON, columns with a header, planning problems and positions are recognised by
    /// their first line. Of the other formats, the one that reads these lines without a fault is chosen; if several do
    /// and read different boards, the file is rejected with these readings. A board spans lines only if all
    /// lines have the same number of tiles, so that each line break falls between boards or between rows.
    #[default]
    Auto,
    /// One board per line.
    Lines,
    /// One row per line.
    Grid,
    /// A fixed number of tiles per board, regardless of line breaks and of the length of lines. White space and
    /// commas separate tiles.
    Tokens,
    /// Start, index of the blank and goal on three lines.
    ThreeLines,
    /// Name, length of a shortest solution and board on each line; the length may come last or be omitted.
    Korf,
    /// A line with the size, then the tiles: in rows, on one line, or one per line. One size for all boards, or for
    /// each.
    Sized,
    /// A line with the number of boards, then the boards: each on one line, in rows, or after its size.
    Counted,
    /// Width and height, `starting positions for each tile:`, the cell of each tile, and the goal likewise.
    Positions,
    /// Columns with a header, separated by commas, semicolons or tabs.
    Csv,
    /// Records or boards in JSON, one after the other or in an array.
    Json,
    /// Planning problems.
    Pddl,
}

/// A row of [`FORMATS`].
#[derive(Clone, Copy, Debug)]
pub struct FormatRow {
    /// The format.
    pub format: Format,
    /// The name used in options.
    pub name: &'static str,
    /// A one-line description for help texts.
    pub summary: &'static str,
    /// A short file in this format.
    pub example: &'static str,
}

/// All formats: the single place where their names are defined.
pub const FORMATS: &[FormatRow] = &[
    FormatRow {
        format: Format::Auto,
        name: "auto",
        summary: "detected from the first lines",
        example: "2 3 4 1 5 x 7 6 8\n",
    },
    FormatRow {
        format: Format::Lines,
        name: "lines",
        summary: "one board per line, in any form: 2 3 4/1 5 0/7 6 8, 23415x768, [2,3,4,1,5,0,7,6,8]",
        example: "2 3 4 1 5 x 7 6 8\n23415x768\n2 3 4/1 5 0/7 6 8\n",
    },
    FormatRow {
        format: Format::Grid,
        name: "grid",
        summary: "one row per line; blank lines between boards that are not square need no --size",
        example: "2 3 4\n1 5 x\n7 6 8\n",
    },
    FormatRow {
        format: Format::Tokens,
        name: "tokens",
        summary: "9 tiles per board, or as many as --size has cells, regardless of line breaks",
        example: "2 3 4 1 5 x 7 6 8 1 2 3 4 5 6 7 8 x\n",
    },
    FormatRow {
        format: Format::ThreeLines,
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
    FormatRow {
        format: Format::Sized,
        name: "sized",
        summary: "a line with the size (3, 4 3 or 4x3), then the tiles, in rows or one per line",
        example: "3\n2 3 4\n1 5 0\n7 6 8\n",
    },
    FormatRow {
        format: Format::Counted,
        name: "counted",
        summary: "a line with the number of boards, then the boards",
        example: "2\n2 3 4 1 5 x 7 6 8\n1 2 3 4 5 6 7 8 x\n",
    },
    FormatRow {
        format: Format::Positions,
        name: "positions",
        summary: "the size, `starting positions for each tile:`, and the cell of each tile from 0",
        example: "2 2\nstarting positions for each tile:\n3\n0\n1\n2\n",
    },
    FormatRow {
        format: Format::Csv,
        name: "csv",
        summary: "columns with a header, one of them `board` or `state`; tabs and semicolons too",
        example: "id,board\n1,2 3 4 1 5 0 7 6 8\n",
    },
    FormatRow {
        format: Format::Json,
        name: "json",
        summary: "records with a board, or boards, in JSON: on lines, over lines or in an array",
        example: "{\"board\": [[2,3,4],[1,5,0],[7,6,8]]}\n",
    },
    FormatRow {
        format: Format::Pddl,
        name: "pddl",
        summary: "planning problems with facts (at TILE POSITION) and (empty POSITION)",
        example: "(define (problem p) (:init (at t1 p2) (blank p1)) (:goal (at t1 p1)))\n",
    },
];

named!(Format, "a format", FORMATS: FormatRow { format }, UnknownFormat);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Cases;

    #[test]
    fn format_names_round_trip() {
        for row in FORMATS {
            assert_eq!(row.name.parse(), Ok(row.format));
            assert_eq!(row.format.to_string(), row.name);
        }
        assert_eq!(
            "xml".parse::<Format>().unwrap_err().to_string(),
            "`xml` is not a format; there are auto, lines, grid, tokens, eight, korf, sized, counted, positions, \
             csv, json, pddl"
        );
    }

    #[test]
    fn examples_are_read_by_name_and_detected() {
        for row in FORMATS {
            let mut cases = Cases::new(row.example.as_bytes(), row.format, None);
            assert!(cases.all(|case| case.unwrap().board.is_ok()), "{}", row.name);
            let found = Cases::new(row.example.as_bytes(), Format::Auto, None).format().unwrap();
            assert!(found == row.format || row.format == Format::Auto, "{} as {found}", row.name);
        }
    }
}

//! The rows of the benchmark.

use super::boards::Boards;

/// A command to time, and its boards.
#[derive(Clone, Copy)]
pub struct Row {
    pub name: &'static str,
    /// The arguments of `loyd`, without those common to all rows.
    pub words: &'static [&'static str],
    pub boards: Boards,
    /// Whether tables are read from files in a folder for each program, which the first, untimed run writes; otherwise
    /// every run builds its tables.
    pub keeps_tables: bool,
}

impl Row {
    /// Returns the command as a user would type it, without file names.
    pub fn command(&self) -> String {
        let quoted = |word: &&str| match word.contains(' ') {
            true => format!("\"{word}\""),
            false => (*word).to_owned(),
        };
        let words: Vec<String> = self.words.iter().map(quoted).collect();
        format!("loyd {}", words.join(" "))
    }

    /// Returns whether the output is lines of moves instead of JSON.
    pub fn is_judge(&self) -> bool {
        self.words[0] == "judge"
    }
}

const fn row(name: &'static str, boards: Boards, words: &'static [&'static str]) -> Row {
    Row { name, words, boards, keeps_tables: false }
}

const fn with_tables(name: &'static str, boards: Boards, words: &'static [&'static str]) -> Row {
    Row { keeps_tables: true, ..row(name, boards, words) }
}

const fn random(size: &'static str, count: usize) -> Boards {
    Boards::Random { size, count }
}

const fn walks(size: &'static str, count: usize) -> Boards {
    Boards::Walks { size, count, moves: 60 }
}

const CLASSIC: Boards = Boards::Shuffled { count: 2000 };
const TWO_ROWS: &str = "1 2 3 4/5 6 7 8/* * * */* * * *";
const CORNER: &str = "1 2 3 4/5 * * */9 * * */13 * * *";
const FIRST_ROW: &str = "1 2 3 4 5/* * * * */* * * * */* * * * */* * * * *";

/// All rows. A run takes between a millisecond and five seconds.
pub const ROWS: &[Row] = &[
    row("judge", Boards::Shuffled { count: 362_880 }, &["judge"]),
    row("one", random("3x3", 1), &["solve"]),
    row(
        "classic-astar",
        CLASSIC,
        &["solve", "--algorithm", "astar", "--heuristic", "manhattan", "--closed", "ranked"],
    ),
    row("classic-bibfs", CLASSIC, &["solve", "--algorithm", "bibfs"]),
    row(
        "classic-bfs-ranked",
        Boards::Shuffled { count: 200 },
        &["solve", "--algorithm", "bfs", "--closed", "ranked"],
    ),
    row(
        "classic-bfs-ordered",
        Boards::Shuffled { count: 40 },
        &["solve", "--algorithm", "bfs", "--closed", "ordered"],
    ),
    row("classic-iddfs", Boards::Shuffled { count: 40 }, &["solve", "--algorithm", "iddfs"]),
    row(
        "classic-idastar",
        CLASSIC,
        &["solve", "--algorithm", "idastar", "--heuristic", "manhattan"],
    ),
    row("fifteen-6-6-3-cold", random("4x4", 100), &["solve", "--tables", "6-6-3"]),
    row("fifteen-7-8-cold", random("4x4", 100), &["solve", "--tables", "7-8"]),
    with_tables("fifteen-6-6-3", random("4x4", 500), &["solve", "--tables", "6-6-3"]),
    with_tables("fifteen-7-7-1", random("4x4", 2000), &["solve", "--tables", "7-7-1"]),
    with_tables("fifteen-7-8", random("4x4", 2000), &["solve", "--tables", "7-8"]),
    with_tables("fifteen-batch", random("4x4", 2000), &["solve"]),
    row(
        "fifteen-manhattan",
        random("4x4", 10),
        &["solve", "--algorithm", "idastar", "--heuristic", "manhattan"],
    ),
    row(
        "fifteen-linear-conflict",
        random("4x4", 10),
        &["solve", "--algorithm", "idastar", "--heuristic", "linear-conflict"],
    ),
    row(
        "fifteen-walking-distance",
        random("4x4", 10),
        &["solve", "--algorithm", "idastar", "--heuristic", "walking-distance"],
    ),
    row(
        "fifteen-astar",
        walks("4x4", 20),
        &["solve", "--algorithm", "astar", "--heuristic", "linear-conflict", "--closed", "hashed"],
    ),
    row("fifteen-wastar", random("4x4", 100), &["solve", "--algorithm", "wastar"]),
    row("slides-3x3", random("3x3", 2000), &["solve", "--metric", "mtm"]),
    row("slides-2x7", random("2x7", 10), &["solve", "--metric", "mtm"]),
    row("slides-4x4-cold", random("4x4", 1), &["solve", "--metric", "mtm"]),
    with_tables("slides-4x4", random("4x4", 50), &["solve", "--metric", "mtm"]),
    row("exact-3x4", random("3x4", 3000), &["solve", "--algorithm", "table"]),
    row("exact-2x6", random("2x6", 3000), &["solve", "--algorithm", "table"]),
    row("fast-4x4", random("4x4", 500), &["solve", "--quality", "fast"]),
    row("fast-10x10", random("10x10", 200), &["solve", "--quality", "fast"]),
    row("fast-16x16", random("16x16", 20), &["solve", "--quality", "fast"]),
    row("bounded-6x6", random("6x6", 3), &["solve", "--quality", "bounded=1.5"]),
    row("walks-5x5-cold", walks("5x5", 1), &["solve", "--heuristic", "pdb"]),
    with_tables("walks-5x5", walks("5x5", 100), &["solve"]),
    row(
        "walks-5x5-linear-conflict",
        walks("5x5", 20),
        &["solve", "--algorithm", "idastar", "--heuristic", "linear-conflict"],
    ),
    row("partial-4x4-two-rows", random("4x4", 50), &["solve", "--goal", TWO_ROWS]),
    row(
        "partial-4x4-two-rows-slides",
        random("4x4", 50),
        &["solve", "--goal", TWO_ROWS, "--metric", "mtm"],
    ),
    row("partial-4x4-corner", random("4x4", 50), &["solve", "--goal", CORNER]),
    row("partial-5x5-first-row", random("5x5", 50), &["solve", "--goal", FIRST_ROW]),
];

//! Files and standard input, and when it is read without being named.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use loyd::notation::{parse_board, read_moves};

use super::records;
use crate::args::{
    ApplyArgs, Command, FilterArgs, InvertArgs, OptimizeArgs, PairArgs, ReviewArgs, SimplifyArgs,
    Target, VerifyArgs,
};
use crate::failure::Failure;
use crate::replay::is_link;

/// What boards and moves are read from.
pub type Input = BufReader<Counted>;

/// A reader that knows how many bytes were read of it, and how many there are if it is a file whose
/// end nobody has to wait for.
pub struct Counted {
    reader: Box<dyn Read + Send>,
    pub bytes: u64,
    pub length: Option<u64>,
    /// Whether it begins with a record.
    pub records: bool,
    /// How many lines it has without comments, where none of them says anything.
    pub lines: Option<usize>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// What messages call a file.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a file, or standard input for `-`; also returns its name.
pub fn open(path: &Path) -> Result<(Input, String), Failure> {
    let name = name_of(path);
    let mut reader: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| format!("cannot open {name}"))?)
    };
    let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let (ahead, records) = look_ahead(&mut reader).with_context(|| name.clone())?;
    let lines = if records.is_none() { blank_lines(&ahead) } else { None };
    let reader = Box::new(Cursor::new(ahead).chain(reader));
    let (length, records) = (file.map(|file| file.len()), records == Some(true));
    let counted = Counted { reader, bytes: 0, length, records, lines };
    Ok((BufReader::with_capacity(1 << 16, counted), name))
}

/// Reads as much as tells whether the input begins with a record, or all of it; also returns what it has read.
fn look_ahead(reader: &mut impl Read) -> io::Result<(Vec<u8>, Option<bool>)> {
    /// Whoever has nothing to say for so long has no record.
    const MOST: usize = 1 << 16;
    let (mut ahead, mut piece) = (Vec::new(), [0; 1 << 12]);
    loop {
        let read = match reader.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        ahead.extend_from_slice(&piece[..read]);
        match records::begins(&ahead) {
            None if read > 0 && ahead.len() > MOST => return Ok((ahead, Some(false))),
            None if read > 0 => {}
            records => return Ok((ahead, records)),
        }
    }
}

/// The number of lines that are no comments, if all of them are blank.
fn blank_lines(text: &[u8]) -> Option<usize> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let lines = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut others = lines.filter(|line| !line.starts_with(b"#"));
    others.try_fold(0, |number, line| line.is_empty().then_some(number + 1))
}

/// Finds out which files are meant by the arguments of `command`: a single argument that is neither a board nor
/// moves may be a file's name, or `-`; where nothing is given, standard input is read unless it is a terminal.
///
/// # Errors
/// When nothing is given at all.
pub fn settle(command: &mut Command) -> Result<(), Failure> {
    let given = match command {
        Command::Solve(args) => settle_one(&mut args.boards, &mut args.file, is_board),
        Command::Realms(args) => {
            settle_one(&mut args.boards, &mut args.file, is_board);
            true
        }
        Command::Explain(args) if args.matrix => true,
        Command::Explain(args) => settle_one(&mut args.board, &mut args.file, is_board),
        Command::Hint(args) => settle_one(&mut args.board, &mut args.file, is_board),
        Command::Trace(args) => settle_one(&mut args.board, &mut args.file, is_board),
        Command::Rank(args) => settle_one(&mut args.board, &mut args.file, is_board),
        Command::Convert(args) if matches!(args.to, Target::PddlDomain) => true,
        Command::Convert(args) => {
            settle_one(&mut args.texts, &mut args.file, |text| is_board(text) || are_moves(text))
        }
        Command::Invert(InvertArgs { answers: args, .. })
        | Command::Simplify(SimplifyArgs { answers: args, .. }) => {
            return moves_given(settle_one(&mut args.moves, &mut args.file, are_moves));
        }
        Command::FilterOptimal(FilterArgs { path, file, .. }) => {
            *file = path.take().or(file.take());
            return moves_given(settle_one(&mut Vec::new(), file, |_| true));
        }
        Command::Apply(ApplyArgs { pair, .. })
        | Command::Optimize(OptimizeArgs { pair, .. })
        | Command::Verify(VerifyArgs { pair, .. })
        | Command::Review(ReviewArgs { pair, .. }) => return moves_given(settle_pair(pair)?),
        _ => true,
    };
    match given {
        true => Ok(()),
        false => Err(anyhow!("no board is given: name one, or a file with -f").into()),
    }
}

fn moves_given(given: bool) -> Result<(), Failure> {
    match given {
        true => Ok(()),
        false => Err(anyhow!("no moves are given: name them, or a file with -f").into()),
    }
}

fn is_board(text: &str) -> bool {
    parse_board(text, None).is_ok()
}

fn are_moves(text: &str) -> bool {
    text.is_empty() || read_moves(text, None, None).is_ok()
}

/// Whether an argument that may be read as something else is the name of a file.
fn is_file(word: &str, reads: impl Fn(&str) -> bool) -> bool {
    let is_there = || Path::new(word).exists() && !Path::new(word).is_dir();
    word == "-" || (!reads(word) && is_there())
}

/// Settles what `words` and `file` give; returns whether that is anything.
fn settle_one(
    words: &mut Vec<String>,
    file: &mut Option<PathBuf>,
    reads: impl Fn(&str) -> bool,
) -> bool {
    if let ([word], None) = (words.as_slice(), &file)
        && is_file(word, reads)
    {
        *file = words.pop().map(PathBuf::from);
    }
    if words.is_empty() && file.is_none() && is_fed() {
        *file = Some(PathBuf::from("-"));
    }
    !words.is_empty() || file.is_some()
}

/// The same for a board and moves on it: with `--board`, what comes first are moves already.
fn settle_pair(pair: &mut PairArgs) -> Result<bool, Failure> {
    if let Some(first) = pair.first.take() {
        if pair.board.is_some() {
            pair.moves.insert(0, first);
        } else if is_link(&first) {
            // It has its board with it.
            pair.moves.insert(0, first);
        } else if pair.moves.is_empty() && pair.file.is_none() && is_file(&first, is_board) {
            pair.file = Some(PathBuf::from(first));
        } else {
            pair.board = Some(first);
        }
    }
    if pair.file.is_some() && !pair.moves.is_empty() {
        return Err(anyhow!("moves are given twice, as arguments and in a file").into());
    }
    Ok(settle_one(&mut pair.moves, &mut pair.file, |_| true))
}

/// Whether something comes through standard input.
pub fn is_fed() -> bool {
    let stdin = io::stdin();
    !stdin.is_terminal() && stdin.lock().fill_buf().is_ok_and(|bytes| !bytes.is_empty())
}

/// The text of a small file.
///
/// # Errors
/// When it cannot be read, is no text, or is longer than `limit` bytes.
pub fn small_text(path: &str, limit: u64) -> Result<String, String> {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        File::open(path)?.take(limit + 1).read_to_string(&mut text)?;
        Ok(text)
    };
    let text = read().map_err(|error| format!("{path}: {error}"))?;
    if text.len() as u64 > limit {
        return Err(format!("{path}: longer than {limit} bytes"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::blank_lines;

    #[test]
    fn a_blank_line_may_be_a_solution_and_a_comment_is_none() {
        let told = |text: &str| blank_lines(text.as_bytes());
        assert_eq!([told(""), told("# a\n #b"), told("\u{feff}#\n")], [Some(0); 3]);
        assert_eq!([told("\n"), told("#\n \n#")], [Some(1); 2]);
        assert_eq!([told("\n{"), told("x # x")], [None; 2]);
    }
}

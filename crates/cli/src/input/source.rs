//! Opens files and standard input, and determines the input of a command.

use std::fs;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use loyd::notation::{parse_board, read_moves};

use super::records;
use crate::args::{
    ApplyArgs, Command, FilterArgs, InvertArgs, OptimizeArgs, PairArgs, ReviewArgs, SimplifyArgs,
    Target, VerifyArgs, stdin_is_piped,
};
use crate::failure::Failure;
use crate::files;
use crate::replay::is_link;

/// The reader of boards and moves.
pub type Input = BufReader<CountingReader>;

/// A reader that counts the bytes read; [`open`] creates it and inspects its first bytes.
pub struct CountingReader {
    reader: Box<dyn Read + Send>,
    /// Number of bytes read so far.
    pub bytes: u64,
    /// The length in bytes of a regular file; `None` for a pipe or a terminal.
    pub length: Option<u64>,
    /// Whether the input starts with a record.
    pub records: bool,
    /// If all lines are blank or comments, the number of blank lines.
    pub lines: Option<usize>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Returns the name of a file for messages.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a file, or standard input for `-`; also returns its name.
pub fn open(path: &Path) -> Result<(Input, String), Failure> {
    let name = name_of(path);
    let mut reader: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(files::open(path).with_context(|| format!("cannot open {name}"))?)
    };
    let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let (ahead, records) = look_ahead(&mut reader).with_context(|| name.clone())?;
    let lines = if records.is_none() { blank_lines(&ahead) } else { None };
    let reader = Box::new(Cursor::new(ahead).chain(reader));
    let (length, records) = (file.map(|file| file.len()), records == Some(true));
    let counted = CountingReader { reader, bytes: 0, length, records, lines };
    Ok((BufReader::with_capacity(1 << 16, counted), name))
}

/// Reads until it is known whether the input starts with a record, or to the end; also returns the bytes read.
fn look_ahead(reader: &mut impl Read) -> io::Result<(Vec<u8>, Option<bool>)> {
    /// Maximum number of bytes to read ahead; a longer input without a decision is not a record.
    const MOST: usize = 1 << 16;
    let (mut ahead, mut piece) = (Vec::new(), [0; 1 << 12]);
    loop {
        let read = match reader.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        ahead.extend_from_slice(&piece[..read]);
        match records::starts_record(&ahead) {
            None if read > 0 && ahead.len() > MOST => return Ok((ahead, Some(false))),
            None if read > 0 => {}
            records => return Ok((ahead, records)),
        }
    }
}

/// Returns the number of lines that are not comments, if all of them are blank.
fn blank_lines(text: &[u8]) -> Option<usize> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let lines = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut others = lines.filter(|line| !line.starts_with(b"#"));
    others.try_fold(0, |number, line| line.is_empty().then_some(number + 1))
}

/// Determines the input files of `command`: a single argument that is neither a board nor
/// moves may be a file name, or `-`; without arguments, standard input is read unless it is a terminal.
///
/// # Errors
/// Returns an error if there is no input.
pub fn resolve_input(command: &mut Command) -> Result<(), Failure> {
    let given = match command {
        Command::Solve(args) => resolve_one(&mut args.boards, &mut args.file, is_board),
        Command::Realms(args) => {
            resolve_one(&mut args.boards, &mut args.file, is_board);
            true
        }
        Command::Explain(args) if args.matrix => true,
        Command::Explain(args) => resolve_one(&mut args.board, &mut args.file, is_board),
        Command::Hint(args) => resolve_one(&mut args.board, &mut args.file, is_board),
        Command::Trace(args) => resolve_one(&mut args.board, &mut args.file, is_board),
        Command::Rank(args) => resolve_one(&mut args.board, &mut args.file, is_board),
        Command::Convert(args) if matches!(args.to, Target::PddlDomain) => true,
        Command::Convert(args) => {
            resolve_one(&mut args.texts, &mut args.file, |text| is_board(text) || are_moves(text))
        }
        Command::Invert(InvertArgs { answers: args, .. })
        | Command::Simplify(SimplifyArgs { answers: args, .. }) => {
            return moves_given(resolve_one(&mut args.moves, &mut args.file, are_moves));
        }
        Command::FilterOptimal(FilterArgs { path, file, .. }) => {
            *file = path.take().or(file.take());
            return moves_given(resolve_one(&mut Vec::new(), file, |_| true));
        }
        Command::Verify(VerifyArgs { certificate: Some(_), .. }) => true,
        Command::Apply(ApplyArgs { pair, .. })
        | Command::Optimize(OptimizeArgs { pair, .. })
        | Command::Verify(VerifyArgs { pair, .. })
        | Command::Review(ReviewArgs { pair, .. }) => return moves_given(resolve_pair(pair)?),
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

/// Returns whether an argument is the name of a file, unless it can be read as a board or moves.
fn is_file(word: &str, reads: impl Fn(&str) -> bool) -> bool {
    let exists = || Path::new(word).exists() && !Path::new(word).is_dir();
    word == "-" || (!reads(word) && exists())
}

/// Determines the input among `words` and `file`; returns whether there is any.
fn resolve_one(
    words: &mut Vec<String>,
    file: &mut Option<PathBuf>,
    reads: impl Fn(&str) -> bool,
) -> bool {
    if let ([word], None) = (words.as_slice(), &file)
        && is_file(word, reads)
    {
        *file = words.pop().map(PathBuf::from);
    }
    if words.is_empty() && file.is_none() && stdin_is_piped() {
        *file = Some(PathBuf::from("-"));
    }
    !words.is_empty() || file.is_some()
}

/// Like [`resolve_one`], for a board and moves on it. With `--board`, the first argument already belongs to the moves.
fn resolve_pair(pair: &mut PairArgs) -> Result<bool, Failure> {
    if let Some(first) = pair.first.take() {
        if pair.board.is_some() {
            pair.moves.insert(0, first);
        } else if is_link(&first) {
            // A replay link contains its board.
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
    Ok(resolve_one(&mut pair.moves, &mut pair.file, |_| true))
}

#[cfg(test)]
mod tests {
    use super::blank_lines;

    #[test]
    fn blank_lines_are_counted_and_comments_are_not() {
        let count = |text: &str| blank_lines(text.as_bytes());
        assert_eq!([count(""), count("# a\n #b"), count("\u{feff}#\n")], [Some(0); 3]);
        assert_eq!([count("\n"), count("#\n \n#")], [Some(1); 2]);
        assert_eq!([count("\n{"), count("x # x")], [None; 2]);
    }
}

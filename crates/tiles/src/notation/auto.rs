//! Detects the layout of a file from its first lines.
//!
//! Every candidate layout is tried on the lines. A layout that reads all of them without a fault is the layout
//! of the file; if two do and read different boards, the file is rejected with both. If none does, the layout is
//! chosen by the shape of the lines, so that faults are reported where they are.

use std::io::{self, BufRead};

use super::columns::Header;
use super::error::{Flaw, NotationError};
use super::format::Format;
use super::grid::Block;
use super::heading::heading;
use super::input::{LONGEST, Line, Lines};
use super::layout::{Content, GivenGoal, Layout, Preamble};
use super::line_formats::cells;
use super::reading::{Hints, brief, square};
use super::records;
use super::scan::Scanner;
use super::sized::{self, Sides};
use super::{board, line_formats, pddl};
use crate::board::Board;
use crate::size::Size;

/// The layout of the file, or the reason why it is ambiguous.
pub(super) type Found = Result<Layout, NotationError>;

/// Detects the layout of `lines`, in `format` unless that is [`Format::Auto`].
pub(super) fn detect<R: BufRead>(
    lines: &mut Lines<R>,
    format: Format,
    hints: Hints<'_>,
) -> io::Result<Found> {
    match format {
        Format::Auto | Format::Sized | Format::Counted => {}
        Format::Lines | Format::Grid => {
            lines.with_headings();
            return Ok(Ok(Layout::new(format, Preamble::Nothing)));
        }
        _ => return Ok(Ok(Layout::new(format, Preamble::Nothing))),
    }
    let whole = look_ahead(lines, hints)?;
    if format == Format::Auto
        && let Some(layout) = document(lines, hints)
    {
        return Ok(Ok(layout));
    }
    lines.with_headings();
    let ahead = Ahead { lines: lines.ahead().to_vec(), whole };
    choose(&ahead, format, hints)
}

/// Reads the lines for the detection; returns whether these are all lines of the file.
fn look_ahead<R: BufRead>(lines: &mut Lines<R>, hints: Hints<'_>) -> io::Result<bool> {
    const FEWEST: usize = 32;
    /// Maximum number of lines if each may hold one tile.
    const MOST: usize = 1024;
    /// Maximum number of lines if each may be a row.
    const MOST_ROWS: usize = 256;
    if let Some(line) = lines.next_filled()? {
        lines.put_back(line);
    }
    let mut most = hints.size.map_or(0, Size::height).max(FEWEST);
    let (mut bytes, mut index) = (0, 0);
    while index < most {
        let Some(line) = lines.peek(index)? else { return Ok(true) };
        bytes += line.text.len();
        if index == 0
            && let Some(sides) = Sides::of(line)
        {
            most = most.max(2 * sides.size().cells() + FEWEST).min(MOST);
        } else if index < FEWEST {
            // If this line is a row, the board has as many rows as the line has words.
            most = most.max((words(line) + FEWEST).min(MOST_ROWS));
        }
        if !line.ends {
            // The rest of this line is still unread, so no further line can be peeked.
            return Ok(false);
        }
        // A user who types boards should not have to type 32 of them before the first result.
        if bytes > 4 * LONGEST
            || (index == 0 && shows_its_rows(lines.ahead(), hints))
            || (index == 1 && settled(lines.ahead(), hints) == Some(Format::Lines))
            || (index == 3 && settled(lines.ahead(), hints).is_some())
        {
            return Ok(false);
        }
        index += 1;
    }
    Ok(lines.peek(index)?.is_none())
}

/// Returns the layout of a file that is not lines of boards: records, columns, planning problems, positions.
fn document<R: BufRead>(lines: &mut Lines<R>, hints: Hints<'_>) -> Option<Layout> {
    let ahead = lines.ahead();
    let first = ahead.iter().find(|line| !line.is_blank())?;
    let begins = |letters: &[char]| first.text.trim_start().starts_with(letters);
    let text = || ahead.iter().map(|line| format!("{}\n", line.text)).collect::<String>();
    let plain = |format| Some(Layout::new(format, Preamble::Nothing));
    if begins(&['{', '[']) && records::begins_json(&text(), hints) {
        return plain(Format::Json);
    }
    if begins(&['(', ';']) && pddl::begins(&text()) {
        return plain(Format::Pddl);
    }
    if ahead.iter().filter(|line| !line.is_blank()).nth(1).is_some_and(sized::is_positions_label) {
        return plain(Format::Positions);
    }
    Header::of(first)?;
    plain(Format::Csv)
}

/// Returns whether the line has a heading.
fn is_headed(line: &Line) -> bool {
    heading(&line.text[line.from..]).is_some()
}

/// Returns whether the first line is a board that marks where its rows end, so it is not itself a row. The goal of a
/// named board may follow on the next line.
fn shows_its_rows(ahead: &[Line], hints: Hints<'_>) -> bool {
    let is_named = |line: &Line| line.text.trim_start().starts_with(char::is_alphabetic);
    let Some(line) = ahead.first().filter(|line| !is_named(line) && is_board(line, hints)) else {
        return false;
    };
    line.checked().is_ok_and(|(text, from)| {
        let scanner = Scanner::of(text, from);
        !line_formats::may_be_date(&text[from..])
            && (scanner.has_rows() || board::first_table(&scanner, text).has_rows())
    })
}

/// Returns the layout if the first lines leave no doubt.
fn settled(ahead: &[Line], hints: Hints<'_>) -> Option<Format> {
    let mut filled = ahead.iter().filter(|line| !line.is_blank());
    let (first, second) = (filled.next()?, filled.next()?);
    if ahead.iter().take(2).any(is_headed) {
        return None;
    }
    if ahead.iter().take(2).all(|line| is_board(line, hints)) {
        return Some(Format::Lines);
    }
    // Boards with a number behind each of them have another number on the fourth line.
    let fourth = filled.nth(1);
    let is_eight = line_formats::begins_three_lines(first, second, hints);
    (is_eight && !fourth.is_some_and(line_formats::is_index)).then_some(Format::ThreeLines)
}

/// Returns whether the line is a board by itself, without any assumption.
fn is_board(line: &Line, hints: Hints<'_>) -> bool {
    let case = line_formats::read_line(line, hints);
    case.board.is_ok() && case.notes.is_empty()
}

/// The first lines of a file.
struct Ahead {
    lines: Vec<Line>,
    /// Whether these are all lines of the file.
    whole: bool,
}

/// A layout with the boards that it finds in the lines ahead.
struct Trial {
    layout: Layout,
    boards: Vec<Board>,
    /// Number of boards that required no assumption.
    plain: usize,
    faults: usize,
    /// Whether reading a board required an assumption.
    assumes: bool,
}

impl Trial {
    /// Reads the lines in `layout`. The last case counts only if there are no further lines.
    fn of(mut layout: Layout, ahead: &Ahead, hints: Hints<'_>) -> Option<Self> {
        let mut lines = Lines::of(&ahead.lines);
        let fresh = layout.clone();
        layout.rows.one_by_one();
        let (mut read, mut plain) = (Vec::new(), 0);
        // The lines are in memory, so reading cannot fail.
        while let Ok(Some(part)) = layout.next(&mut lines, hints) {
            let (board, notes) = match part.content {
                Content::Board(case) | Content::Words(case) => (case.board, case.notes),
                Content::Goal(goal) => match goal.read {
                    Ok(GivenGoal::Board(read)) => (Ok(read.board), read.notes),
                    Ok(GivenGoal::Name(_)) => continue,
                    Err(error) => (Err(error), Vec::new()),
                },
                Content::Doubt(_) => continue,
            };
            plain += usize::from(board.is_ok() && notes.is_empty());
            read.push(board);
        }
        if !ahead.whole {
            read.pop();
        }
        let faults = read.iter().filter(|board| board.is_err()).count();
        let boards: Vec<Board> = read.into_iter().filter_map(Result::ok).collect();
        let shown = boards.len() + faults > 0;
        let assumes = plain < boards.len();
        shown.then_some(Self { layout: fresh, boards, plain, faults, assumes })
    }
}

fn choose(seen: &Ahead, format: Format, hints: Hints<'_>) -> io::Result<Found> {
    let ahead = seen.lines.as_slice();
    let plain = |format| Layout::new(format, Preamble::Nothing);
    let Some(first) = ahead.iter().find(|line| !line.is_blank()) else {
        return Ok(Ok(plain(Format::Lines)));
    };
    if format == Format::Auto {
        if let Some(format) = settled(ahead, hints) {
            return Ok(Ok(plain(format)));
        }
        if let Some(flaw) = line_formats::size_or_instance(first, hints) {
            return Ok(Err(first.locate(flaw)));
        }
        let headings = ahead.iter().any(|line| line.heading.is_some());
        if !headings && resembles_eight(ahead) {
            return Ok(Ok(plain(Format::ThreeLines)));
        }
    }
    let mut trials: Vec<Trial> = candidates(seen, first, format, hints)?
        .into_iter()
        .filter_map(|layout| Trial::of(layout, seen, hints))
        .collect();
    let mut clean: Vec<&Trial> =
        trials.iter().filter(|trial| trial.faults == 0 && !trial.boards.is_empty()).collect();
    if clean.iter().any(|trial| !trial.assumes) {
        clean.retain(|trial| !trial.assumes);
    }
    match clean.as_slice() {
        [] => {}
        [one] => return Ok(Ok(one.layout.clone())),
        [one, others @ ..] => match others.iter().find(|other| other.boards != one.boards) {
            Some(other) => return Ok(Err(ambiguity(first, one, other))),
            None => return Ok(Ok(one.layout.clone())),
        },
    }
    let headed = |trial: &Trial| trial.layout.preamble != Preamble::Nothing;
    // Two numbers may be no size: then the tiles of a few boards fit it by coincidence, and the rest does not.
    let is_one_size = !matches!(Sides::of(first), Some(Sides::EitherWay(_)));
    let is_coincidence = |trial: &Trial| {
        matches!(trial.layout.preamble, Preamble::Size | Preamble::Sizes)
            && !trial.boards.is_empty()
            && trial.boards.len() < trial.faults + usize::from(!is_one_size)
    };
    trials.retain(|trial| !is_coincidence(trial));
    let plain_boards = |format| {
        let mut all = trials.iter().filter(|trial| !headed(trial) && trial.layout.format == format);
        all.any(|trial| trial.plain > 0)
    };
    let has_rows = plain_boards(Format::Grid) && !plain_boards(Format::Lines);
    trials.sort_by_key(|trial| (trial.faults, !headed(trial), usize::MAX - trial.boards.len()));
    if let Some(trial) = trials.into_iter().next().filter(headed) {
        return Ok(Ok(trial.layout));
    }
    if let Some(error) = broken_lines(seen, first, hints) {
        return Ok(Err(error));
    }
    let format = if has_rows { Format::Grid } else { faulty(ahead, first, hints)? };
    if format == Format::Lines
        && let Some(error) = separated_rows(seen, hints)
    {
        return Ok(Err(error));
    }
    Ok(Ok(plain(format)))
}

/// Returns the error for lines that would be small boards but are rows of a larger one that cannot be read: all have
/// the same number of cells, and too many tiles are too large for so small a board.
fn separated_rows(seen: &Ahead, hints: Hints<'_>) -> Option<NotationError> {
    /// Number of cells of the smallest board that is not a single row.
    const SMALLEST: usize = 4;
    let filled = || seen.lines.iter().filter(|line| !line.is_blank() && !line.is_rule());
    let widths: Vec<usize> = filled().map(cells).collect();
    let usual = widths
        .iter()
        .copied()
        .max_by_key(|width| (widths.iter().filter(|other| *other == width).count(), *width));
    let width = usual.filter(|&width| hints.size.is_none() && square(width).is_some())?;
    let is_too_large = |line: &&Line| {
        let Ok((text, from)) = line.checked() else { return false };
        if words(line) == 1 {
            return false;
        }
        let numbers = text[from..].split(|letter: char| !letter.is_ascii_digit());
        numbers.filter_map(|word| word.parse::<usize>().ok()).any(|number| number > width)
    };
    let rows = filled().filter(|line| cells(line) == width);
    let (count, large) = (rows.clone().count(), rows.filter(is_too_large).count());
    // Boards of four cells are rare, but rows of four cells are common.
    let fewest = if width == SMALLEST { 1 } else { count.div_ceil(2) };
    if count < 2 || large < fewest {
        return None;
    }
    let size = square(width).map(|size| size.to_string()).unwrap_or_default();
    let first = filled().next()?;
    let message = format!(
        "the lines have {width} tiles each, too large for {size} boards, and make no larger board either"
    );
    let flaw = Flaw::new(0..first.text.trim_end().len(), message);
    Some(first.locate(flaw.with_help(
        "write the rows of a board on lines that follow each other, or give --size WxH",
    )))
}

/// Returns the error for lines that are boards only if line breaks are ignored, which may be coincidence.
fn broken_lines(seen: &Ahead, first: &Line, hints: Hints<'_>) -> Option<NotationError> {
    let layout = Layout::new(Format::Tokens, Preamble::Nothing);
    let trial = Trial::of(layout, seen, hints).filter(|trial| trial.faults == 0)?;
    let board = brief(trial.boards.first()?);
    let message = format!(
        "the tiles make boards, the first one {board}, but lines do not end where boards or rows end"
    );
    let flaw = Flaw::new(0..first.text.trim_end().len(), message);
    Some(first.locate(flaw.with_help(
        "write one board or one row on each line, or give --input tokens to read over line ends",
    )))
}

/// Maximum number of digits of a number of boards.
const LONGEST_COUNT: usize = 7;

/// Returns the layouts to try on the lines.
fn candidates(
    seen: &Ahead,
    first: &Line,
    format: Format,
    hints: Hints<'_>,
) -> io::Result<Vec<Layout>> {
    let ahead = seen.lines.as_slice();
    let mut all = Vec::new();
    if format == Format::Auto {
        all.push(Layout::new(Format::Lines, Preamble::Nothing));
        let is_row = |line: &Line| {
            !line.is_blank() && (hints.size.is_some() || words(line) > 1 || cells(line) > 1)
        };
        let headings = ahead.iter().any(|line| line.heading.is_some());
        if headings || ahead.windows(2).any(|two| two.iter().all(is_row)) {
            all.push(Layout::new(Format::Grid, Preamble::Nothing));
        }
        all.extend(across_lines(ahead, hints));
        if !is_board(first, hints) && line_formats::is_likely_korf(first, hints) {
            all.push(Layout::new(Format::Korf, Preamble::Nothing));
        }
    }
    if format != Format::Counted && Sides::of(first).is_some() {
        all.push(Layout::new(Format::Sized, Preamble::Size));
        all.push(Layout::new(Format::Sized, Preamble::Sizes));
    }
    // A longer number is a board.
    let may_be_count = first.text.trim().len() <= LONGEST_COUNT;
    if format != Format::Sized && may_be_count && first.text.trim().parse::<u32>().is_ok() {
        all.push(Layout::new(Format::Lines, Preamble::Count(None)));
        all.push(Layout::new(Format::Grid, Preamble::Count(None)));
        all.push(Layout::new(Format::Sized, Preamble::CountAndSizes(None)));
    }
    Ok(all)
}

/// Returns the layouts in which a board spans lines or a line holds several boards. They are tried only if every line
/// has the same number of cells, so that each line break falls between boards or between rows.
fn across_lines(ahead: &[Line], hints: Hints<'_>) -> Vec<Layout> {
    const LARGEST_SIDE: usize = 16;
    if let Some(layout) = long_line(ahead, hints) {
        return vec![layout];
    }
    let filled = ahead.iter().filter(|line| !line.is_blank() && line.heading.is_none());
    let widths: Vec<usize> = filled.map(words).collect();
    let Some(&width) = widths.first().filter(|width| widths.iter().all(|other| other == *width))
    else {
        return Vec::new();
    };
    let sizes: Vec<Size> = match hints.size {
        Some(size) => vec![size],
        None => (2..=LARGEST_SIDE).filter_map(|side| square(side * side)).collect(),
    };
    let of_size = |size: Size, format: Format| Layout::new(format, Preamble::Nothing).of_size(size);
    let mut layouts = Vec::new();
    for size in sizes {
        if width == 1 && size.cells() <= widths.len() {
            layouts.push(of_size(size, Format::Sized));
        }
        if width > size.cells() && width % size.cells() == 0 {
            layouts.push(of_size(size, Format::Tokens));
        }
    }
    layouts
}

/// Returns the layout of boards on a single line that is too long to be read ahead.
fn long_line(ahead: &[Line], hints: Hints<'_>) -> Option<Layout> {
    let first = ahead.iter().find(|line| !line.is_blank())?;
    let size = hints.size.unwrap_or(Size::EIGHT);
    (!first.ends).then(|| Layout::new(Format::Tokens, Preamble::Nothing).of_size(size))
}

/// Returns the number of words on a line.
fn words(line: &Line) -> usize {
    let text = &line.text[line.from..];
    text.split(super::signs::separates).filter(|word| !word.is_empty()).count()
}

/// Returns the error for a file that two layouts read as different boards.
fn ambiguity(first: &Line, one: &Trial, other: &Trial) -> NotationError {
    let reading = |trial: &Trial| {
        let name = trial.layout.input_name();
        let board = trial.boards.first().map(brief);
        format!("{} from {} (--input {name})", count(trial.boards.len()), board.unwrap_or_default())
    };
    let message =
        format!("this can be read in two ways: as {}, or as {}", reading(one), reading(other));
    let end = first.text.trim_end().len();
    first.locate(Flaw::new(0..end, message).with_help("choose one with --input, or give --size"))
}

fn count(boards: usize) -> String {
    crate::size::count(boards, "board")
}

/// Returns the layout of lines that are faulty in every layout.
fn faulty(ahead: &[Line], first: &Line, hints: Hints<'_>) -> io::Result<Format> {
    let size = hints.size;
    let block = Block::take(&mut Lines::of(ahead), size)?
        .filter(|block| block.lines() > 1 && (size.is_some() || block.usual_width() > 1));
    let found = match &block {
        Some(block) if block.board(hints).is_ok() => Format::Grid,
        _ if is_board(first, hints) => Format::Lines,
        _ if line_formats::is_likely_korf(first, hints) => Format::Korf,
        Some(block) if is_faulty_grid(block, ahead, hints) => Format::Grid,
        _ => Format::Lines,
    };
    Ok(found)
}

fn resembles_eight(ahead: &[Line]) -> bool {
    let filled: Vec<&Line> = ahead.iter().filter(|line| !line.is_blank()).collect();
    matches!(filled.len(), 3 | 6)
        && filled.chunks(3).all(|case| {
            line_formats::resembles_three_lines(cells(case[0]), case[1], cells(case[2]))
        })
}

fn is_faulty_grid(block: &Block, ahead: &[Line], hints: Hints<'_>) -> bool {
    let width = block.usual_width();
    let whole = hints.size.map_or(square(width).is_some(), |size| size.cells() == width);
    // Lines that have as many tiles as a board are faulty boards, not rows of a faulty grid, unless
    // most of the numbers are too large for that.
    let (numbers, large) = block.numbers_from(width);
    block.resembles_grid(hints.size)
        && (!whole || 2 * large > numbers)
        && !ahead.iter().any(|line| is_board(line, hints))
}

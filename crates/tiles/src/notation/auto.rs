//! Which format the first lines look like: the rule that [`Format::Auto`] states.

use std::io::{self, BufRead};

use super::board::square;
use super::format::Format;
use super::grid::Block;
use super::input::{LONGEST, Line, Lines};
use super::scan::Scanner;
use super::{eight, grid, korf, lines, tokens};
use crate::size::Size;

pub(super) fn detect<R: BufRead>(lines: &mut Lines<R>, size: Option<Size>) -> io::Result<Format> {
    const FEWEST: usize = 32;
    if let Some(line) = lines.next_filled()? {
        lines.put_back(line);
    }
    let most = size.map_or(0, Size::height).max(FEWEST);
    let mut bytes = 0;
    for index in 0..most {
        let Some(line) = lines.peek(index)? else { break };
        bytes += line.text.len();
        if !line.ends {
            // What follows is the rest of this line, which may be wanted yet.
            break;
        }
        // Whoever types boards should not have to wait until there are 32 of them, nor even two.
        if bytes > LONGEST
            || (index == 0 && tells_its_rows(lines.ahead(), size))
            || (index == 1 && settled(lines.ahead(), size).is_some())
        {
            break;
        }
    }
    choose(lines.ahead(), size)
}

/// Whether the first line is a board that says itself where its rows end, so not a row of one.
fn tells_its_rows(ahead: &[Line], size: Option<Size>) -> bool {
    let Some(line) = ahead.first().filter(|line| is_board(line, size)) else { return false };
    line.checked().is_ok_and(|(text, from)| Scanner::of(text, from).has_rows())
}

/// The format, where the first two lines leave no doubt.
fn settled(ahead: &[Line], size: Option<Size>) -> Option<Format> {
    let mut filled = ahead.iter().filter(|line| !line.is_blank());
    let (first, second) = (filled.next()?, filled.next()?);
    if ahead.iter().take(2).all(|line| is_board(line, size)) {
        return Some(Format::Lines);
    }
    eight::begins(first, second, size).then_some(Format::Eight)
}

fn is_board(line: &Line, size: Option<Size>) -> bool {
    lines::read(line, size).board.is_ok()
}

fn choose(ahead: &[Line], size: Option<Size>) -> io::Result<Format> {
    let Some(first) = ahead.first() else { return Ok(Format::Lines) };
    if let Some(format) = settled(ahead, size) {
        return Ok(format);
    }
    if resembles_eight(ahead) {
        return Ok(Format::Eight);
    }
    let block = Block::take(&mut Lines::of(ahead), size)?
        .filter(|block| block.lines() > 1 && (size.is_some() || block.usual_width() > 1));
    let found = match &block {
        Some(_) if begins_with_grid(ahead, size)? => Format::Grid,
        _ if is_board(first, size) => Format::Lines,
        _ if runs_across_lines(ahead, size)? => Format::Tokens,
        _ if is_instance(first, size) => Format::Korf,
        Some(block) if is_faulty_grid(block, ahead, size) => Format::Grid,
        _ => Format::Lines,
    };
    Ok(found)
}

fn begins_with_grid(ahead: &[Line], size: Option<Size>) -> io::Result<bool> {
    Ok(grid::next(&mut Lines::of(ahead), size)?.is_some_and(|case| case.board.is_ok()))
}

fn cells(line: &Line) -> usize {
    let Ok((text, from)) = line.checked() else { return 0 };
    Scanner::of(text, from).rows().map(|row| Scanner::width(row, text)).sum()
}

fn resembles_eight(ahead: &[Line]) -> bool {
    let filled: Vec<&Line> = ahead.iter().filter(|line| !line.is_blank()).collect();
    matches!(filled.len(), 3 | 6)
        && filled.chunks(3).all(|case| eight::resembles(cells(case[0]), case[1], cells(case[2])))
}

fn runs_across_lines(ahead: &[Line], size: Option<Size>) -> io::Result<bool> {
    let mut rest = Lines::of(ahead);
    let valid = |rest: &mut Lines<io::Empty>| -> io::Result<bool> {
        Ok(tokens::next(rest, size)?.is_some_and(|case| case.board.is_ok()))
    };
    if !valid(&mut rest)? {
        return Ok(false);
    }
    let ends_with_line = rest.ahead().first().is_none_or(|line| line.from == 0);
    Ok(ends_with_line || valid(&mut rest)?)
}

fn is_instance(line: &Line, size: Option<Size>) -> bool {
    korf::read(line, size).board.is_ok_and(|board| board.size().cells() >= 4)
}

fn is_faulty_grid(block: &Block, ahead: &[Line], size: Option<Size>) -> bool {
    let width = block.usual_width();
    let whole = size.map_or(square(width).is_some(), |size| size.cells() == width);
    // Lines that have as many tiles as a board are faulty boards, not rows of a faulty grid, unless
    // most of the numbers are too large for that.
    let (numbers, large) = block.numbers_from(width);
    block.resembles_grid(size)
        && (!whole || 2 * large > numbers)
        && !ahead.iter().any(|line| is_board(line, size))
}

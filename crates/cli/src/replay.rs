//! Replay links of slidysim. The data of a link is percent-encoded base64 of zlib-compressed JSON: either `[solution,
//! tps * 1000, scramble, times]`, or a leaderboard record with at least ten items.

use std::io::{Read, Write};

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use loyd::moves::invert;
use loyd::notation::{Notation, Style, read_moves, slashes};
use loyd::{Board, Goal, Move, Size};
use serde_json::{Value, json};

const ADDRESS: &str = "https://slidysim.github.io/replay?r=";

/// The part of the URL before the data; the host may differ.
const QUERY: &str = "replay?r=";

/// Playback speed in moves per 1000 s: ten moves per second, as no human played these solutions.
const SPEED: u32 = 10_000;

/// Maximum decompressed size, more than the longest solution takes with its times.
const MOST_BYTES: u64 = 1 << 22;

/// Maximum number of solutions in one link.
const MOST_SOLUTIONS: usize = 10_000;

/// Returns the replay link that plays `moves` on `board`.
///
/// # Errors
/// Returns an error if a move is illegal, or if the moves do not end at the goal with the blank last, the only goal
/// that replays support.
pub fn link(board: &Board, moves: &[Move]) -> Result<String> {
    let mut end = board.clone();
    end.walk(moves)?;
    if end != Goal::BlankLast.board(board.size())? {
        bail!(
            "a replay must end with the tiles in order and the blank last; these moves end at {}",
            slashes(&end)
        );
    }
    let solution = Style { notation: Notation::Tile, runs: true }.write(moves, None)?;
    let data = json!([solution, SPEED, slashes(board).to_string(), -1]);
    packed_link(&data.to_string())
}

/// Returns the replay link that contains `text`.
///
/// # Errors
/// Returns an error if compression fails, which does not happen in memory.
pub fn packed_link(text: &str) -> Result<String> {
    let text = pack(text)?.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    Ok(format!("{ADDRESS}{text}"))
}

/// Compresses `text` with zlib and encodes it as base64.
///
/// # Errors
/// Returns an error if compression fails, which does not happen in memory.
pub fn pack(text: &str) -> Result<String> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(text.as_bytes())?;
    Ok(STANDARD.encode(packed.finish()?))
}

/// Returns whether `text` is a replay link.
pub fn is_link(text: &str) -> bool {
    text.trim_start().starts_with("http") && text.contains(QUERY)
}

/// A solution from a link: its board, if known, and its moves.
pub type Played = (Option<Board>, String);

/// Reads the solutions of a replay link. `size` is the board size if the link does not contain the board.
///
/// # Errors
/// Returns an error if the link is malformed, or too large when decompressed.
pub fn read(link: &str, size: Option<Size>) -> Result<Vec<Played>> {
    let (_, data) = link.trim().split_once(QUERY).context("this is not a replay link")?;
    let data = data.split(['&', '#']).next().unwrap_or_default();
    let text = unpack(&decode_percent(data)?).context("the replay link is damaged")?;
    let items: Vec<Value> =
        serde_json::from_str(&text).context("the replay link does not hold a list")?;
    match items.as_slice() {
        [_, solve, _, _, width, height, ..] if items.len() >= 10 => record(solve, width, height),
        [Value::String(solution), rest @ ..] => {
            let board = match rest.get(1) {
                Some(Value::String(board)) if !board.is_empty() => {
                    Some(loyd::notation::parse_board(board, size)?)
                }
                _ => size.map(|size| board_before(solution, size)).transpose()?,
            };
            Ok(vec![(board, solution.clone())])
        }
        _ => bail!("the replay link does not start with a solution"),
    }
}

/// Reads the solutions of a leaderboard record.
fn record(solve: &Value, width: &Value, height: &Value) -> Result<Vec<Played>> {
    let side = |value: &Value| value.as_u64().and_then(|side| u32::try_from(side).ok());
    let (width, height) = side(width).zip(side(height)).context("the replay link has no size")?;
    let size = Size::new(width, height)?;
    let text = unpack(solve.as_str().context("the replay link has no solutions")?);
    let text = text.context("the solutions of the replay link are damaged")?;
    let solutions = text.split(';').next().unwrap_or_default();
    if solutions.split(',').count() > MOST_SOLUTIONS {
        bail!("the replay link has more than {MOST_SOLUTIONS} solutions");
    }
    let played = |one: &str| Ok((Some(board_before(one, size)?), one.to_owned()));
    solutions.split(',').map(played).collect()
}

/// Returns the board that `solution` solves.
fn board_before(solution: &str, size: Size) -> Result<Board> {
    let read = read_moves(solution, Some(Notation::Tile), None)?;
    let mut board = Goal::BlankLast.board(size)?;
    board.walk(&invert(&read.moves)).with_context(|| {
        format!("the solution of the replay link does not fit a {size} board: specify --size")
    })?;
    Ok(board)
}

fn unpack(base64: &str) -> Result<String> {
    let (packed, mut text) = (STANDARD.decode(base64)?, String::new());
    ZlibDecoder::new(packed.as_slice()).take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        bail!("it decompresses to more than 4 MiB");
    }
    Ok(text)
}

/// Decodes percent-encoding. Spaces become `+`: they come from a `+` that was not encoded.
fn decode_percent(text: &str) -> Result<String> {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap_or_default().replace(' ', "+");
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let code =
            code.filter(u8::is_ascii).context("the replay link has an invalid percent escape")?;
        decoded.push(code.into());
        decoded.push_str(&part[2..].replace(' ', "+"));
    }
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd::notation::parse_board;

    #[test]
    fn links_round_trip() {
        let board = parse_board("1 2 3 4/5 6 7 8/9 x 10 12/13 14 11 15", None).unwrap();
        let read = read_moves("rdr", None, None).unwrap();
        let link = link(&board, &read.moves).unwrap();
        assert!(is_link(&link) && !link[ADDRESS.len()..].contains(['+', '/', '=']));
        assert_eq!(super::read(&link, None).unwrap(), [(Some(board), "LUL".to_owned())]);
    }

    #[test]
    fn missing_board_is_derived_from_goal() {
        let link = packed_link("[\"L2\", 5000, -1, -1]").unwrap();
        let start = parse_board("1 2 3/4 5 6/x 7 8", None).unwrap();
        assert_eq!(read(&link, None).unwrap(), [(None, "L2".to_owned())]);
        assert_eq!(read(&link, Some(Size::EIGHT)).unwrap(), [(Some(start), "L2".to_owned())]);
        let one = parse_board("1 2 3/4 5 6/7 x 8", None).unwrap();
        let solves = pack("L,L;1.0,2.0;1,1;1,1;[0,1;0,1]").unwrap();
        let record = json!([{}, solves, "Standard", 1, 3, 3, "", -1, "", false]).to_string();
        let link = packed_link(&record).unwrap();
        assert_eq!(read(&link, None).unwrap(), vec![(Some(one), "L".to_owned()); 2]);
    }

    #[test]
    fn decompressed_size_is_limited() {
        let bomb = packed_link(&format!("[\"{}\"]", "L".repeat(1 << 25))).unwrap();
        assert!(bomb.len() < 100_000);
        assert!(format!("{:#}", read(&bomb, None).unwrap_err()).contains("more than 4 MiB"));
        let many = pack(&",".repeat(1 << 21)).unwrap();
        let record = json!([{}, many, "Standard", 1, 16, 16, "", -1, "", false]).to_string();
        let error = read(&packed_link(&record).unwrap(), None).unwrap_err();
        assert!(error.to_string().contains("more than 10000 solutions"), "{error}");
    }

    #[test]
    fn damaged_links_are_rejected() {
        for data in ["", "%", "%zz", "abc", "AAAA", "%C3%BC"] {
            assert!(read(&format!("{ADDRESS}{data}"), None).is_err(), "{data}");
        }
    }
}

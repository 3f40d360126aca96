//! `loyd convert` of one text.

use anyhow::anyhow;
use loyd::notation::{Format, Notation, Style, parse_board, read_moves};

use super::{GoalText, Message, read};
use crate::args::{ConvertArgs, Origin, Target};
use crate::{pddl, replay};

/// Writes the one board, or the moves, that `words` have in another form: arguments of `loyd convert`.
///
/// # Errors
/// What the command line says of such arguments.
pub fn convert(words: Vec<String>) -> Result<String, Message> {
    let args: ConvertArgs = read(words)?;
    let text = args.texts.join(" ");
    match args.to {
        Target::Board(form) => {
            let board = parse_board(&text, args.size)?;
            Ok(form.write(&board).map_err(|error| anyhow!(error))?)
        }
        Target::Pddl => {
            let goal = GoalText::new(args.goal.as_deref().unwrap_or("blank-last"));
            Ok(pddl::problem(&goal.problem(parse_board(&text, args.size)?)?))
        }
        Target::PddlDomain => Ok(pddl::DOMAIN.to_owned()),
        Target::Moves(_) | Target::Replay => moves(&args, &text),
    }
}

/// Writes moves.
fn moves(args: &ConvertArgs, text: &str) -> Result<String, Message> {
    let board = args.board.as_deref().map(|board| parse_board(board, args.size)).transpose()?;
    let from = origin(args)?;
    let read = read_moves(text, from, board.as_ref())?;
    if let Some(board) = &board {
        read.apply_to(board)?;
    }
    let written = match (args.to, &board) {
        (Target::Moves(notation), _) => {
            let style = Style { notation, runs: args.runs };
            style.write(&read.moves, board.as_ref()).map_err(|error| anyhow!(error))
        }
        (_, Some(board)) => replay::link(board, &read.moves),
        (_, None) => Err(anyhow!("the board is missing, and a replay begins with it")),
    };
    Ok(written?)
}

/// The notation in which moves are read, if one is named.
fn origin(args: &ConvertArgs) -> Result<Option<Notation>, Message> {
    match args.from {
        None | Some(Origin::Board(Format::Auto)) => Ok(None),
        Some(Origin::Moves(notation)) => Ok(Some(notation)),
        Some(Origin::Board(format)) => {
            Err(anyhow!("{format} are boards, and moves are wanted").into())
        }
    }
}

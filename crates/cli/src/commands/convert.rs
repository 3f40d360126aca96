//! `loyd convert`.

use std::io::{self, Write};

use loyd::Problem;
use loyd::notation::{
    FORMS, FormRow, Format, NOTATIONS, Notation, Style, parse_board, read_moves, slashes,
};
use serde_json::json;

use super::answers::{self, Printer, Said};
use crate::Status;
use crate::args::{ConvertArgs, Origin, Output, ProblemArgs, Target};
use crate::failure::Failure;
use crate::input::{GivenItems, Items};
use crate::{pddl, replay};

/// Writes boards in another form or solutions in another notation.
pub fn run(args: &ConvertArgs) -> Result<Status, Failure> {
    if args.goal.is_some() && !matches!(args.to, Target::Pddl) {
        let message = "--goal is for --to pddl: nothing else that is written has a goal";
        return Err(anyhow::anyhow!(message).into());
    }
    match (args.to, args.from.unwrap_or(Origin::Board(Format::Auto))) {
        (Target::Board(form), Origin::Board(format)) => {
            let FormRow { name, several_lines, .. } = *form.row();
            boards(args, name, several_lines, format, |problem| Ok(form.write(problem.start())?))
        }
        (Target::PddlDomain, _) => {
            println_domain()?;
            Ok(Status::Yes)
        }
        (Target::Pddl, Origin::Board(format)) => {
            boards(args, "pddl", true, format, |problem| Ok(pddl::problem(problem)))
        }
        (Target::Pddl, Origin::Moves(from)) => {
            Err(anyhow::anyhow!("solutions in {from} do not become planning problems").into())
        }
        (Target::Replay, Origin::Board(Format::Auto)) => replays(args, None),
        (Target::Replay, Origin::Moves(from)) => replays(args, Some(from)),
        (Target::Replay, Origin::Board(format)) => {
            Err(anyhow::anyhow!("{format} are boards, and a replay needs moves").into())
        }
        (Target::Moves(notation), Origin::Moves(from)) => moves(args, notation, Some(from)),
        (Target::Moves(notation), Origin::Board(Format::Auto)) => moves(args, notation, None),
        (Target::Board(form), Origin::Moves(from)) => {
            let message =
                format!("solutions in {from} do not become boards in {form}: see loyd apply");
            Err(anyhow::anyhow!(message).into())
        }
        (Target::Moves(notation), Origin::Board(format)) => {
            let message =
                format!("{format} are boards, which do not become solutions in {notation}");
            Err(anyhow::anyhow!(message).into())
        }
    }
}

fn moves(args: &ConvertArgs, to: Notation, from: Option<Notation>) -> Result<Status, Failure> {
    if args.texts.iter().any(|text| parse_board(text, args.size).is_ok()) {
        let forms: Vec<&str> = FORMS.iter().map(|row| row.name).collect();
        let message = "is a notation of moves, and this is a board: forms of boards are";
        return Err(anyhow::anyhow!("{to} {message} {}", forms.join(", ")).into());
    }
    let (file, board) = (args.file.as_deref(), args.board.as_deref());
    let items = GivenItems::new(&args.texts, file, board, args.size, from)?;
    let style = Style { notation: to, runs: args.runs };
    answers::run(items, args.output, |board, read| answers::written(board, &read.moves, style))
}

/// Writes the domain of planning problems.
fn println_domain() -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", pddl::DOMAIN)
}

/// Writes links to replays.
fn replays(args: &ConvertArgs, from: Option<Notation>) -> Result<Status, Failure> {
    let (file, board) = (args.file.as_deref(), args.board.as_deref());
    let items = GivenItems::new(&args.texts, file, board, args.size, from)?;
    answers::run(items, args.output, |board, read| {
        let board = board.ok_or_else(answers::no_board)?;
        let text = replay::link(board, &read.moves)?;
        let mut fields = answers::record(Some(board), &read.moves);
        fields.insert("replay".to_owned(), text.clone().into());
        Ok(Said { text, record: fields.into(), remark: None })
    })
}

/// Writes boards in the form of this name.
fn boards(
    args: &ConvertArgs,
    form: &str,
    several_lines: bool,
    format: Format,
    write: impl Fn(&Problem) -> Result<String, Failure>,
) -> Result<Status, Failure> {
    if args.runs || args.board.is_some() {
        return Err(anyhow::anyhow!(
            "--runs and --board are for solutions, and {form} is a form of boards"
        )
        .into());
    }
    let is_moves = |text: &String| !text.is_empty() && read_moves(text, None, None).is_ok();
    if args.texts.iter().any(is_moves) {
        let notations: Vec<&str> = NOTATIONS.iter().map(|row| row.name).collect();
        let message = "is a form of boards, and this is a solution: notations of moves are";
        return Err(anyhow::anyhow!("{form} {message} {}", notations.join(", ")).into());
    }
    let problem = ProblemArgs { size: args.size, goal: args.goal.clone() };
    let items = Items::new(&args.texts, args.file.as_deref(), format, &problem)?;
    let mut printer = Printer::new(args.output, items.known_count() == Some(1));
    for (index, item) in items.enumerate() {
        let item = item?;
        let apart = index > 0 && several_lines && args.output == Output::Text;
        let said = item.problem.and_then(|problem| {
            let board = problem.start();
            let text = write(&problem)?;
            let record = json!({
                "board": slashes(board).to_string(), "size": board.size().to_string(),
                "form": form, "written": text,
            });
            Ok(Said { text: if apart { format!("\n{text}") } else { text }, record, remark: None })
        });
        printer.print(item.line, said)?;
    }
    Ok(printer.status())
}

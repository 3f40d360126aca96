//! `loyd convert`.

use std::io::{self, Write};

use loyd::Problem;
use loyd::notation::{
    FORMS, Form, FormRow, Format, NOTATIONS, Notation, Style, korf_line, parse_board, read_moves,
    slashes,
};
use serde_json::json;

use super::answers::{self, Answer, Printer};
use crate::args::{ConvertArgs, Origin, Output, ProblemArgs, Target};
use crate::failure::{Failure, Status, print_note};
use crate::input::{Items, MovesItems};
use crate::{pddl, replay};

/// Converts boards to another form, or solutions to another notation.
pub fn run(args: &ConvertArgs) -> Result<Status, Failure> {
    if args.goal.is_some() && !matches!(args.to, Target::Pddl) {
        let message = "--goal requires --to pddl: no other form has a goal";
        return Err(anyhow::anyhow!(message).into());
    }
    match (args.to, args.from.unwrap_or(Origin::Board(Format::Auto))) {
        (Target::Board(form), Origin::Board(format)) => {
            let FormRow { name, several_lines, .. } = *form.row();
            boards(args, name, several_lines, format, |entry| match form {
                Form::Korf => Ok(korf_line(entry.problem.start(), &entry.name(), entry.expected)),
                _ => Ok(form.write(entry.problem.start())?),
            })
        }
        (Target::PddlDomain, _) => {
            print_domain()?;
            Ok(Status::Yes)
        }
        (Target::Pddl, Origin::Board(format)) => {
            boards(args, "pddl", true, format, |entry| Ok(pddl::problem(entry.problem)))
        }
        (Target::Pddl, Origin::Moves(from)) => {
            Err(anyhow::anyhow!("a solution in {from} cannot be converted to a planning problem")
                .into())
        }
        (Target::Replay, Origin::Board(Format::Auto)) => replays(args, None),
        (Target::Replay, Origin::Moves(from)) => replays(args, Some(from)),
        (Target::Replay, Origin::Board(format)) => {
            Err(anyhow::anyhow!("{format} is a format of boards, but a replay needs moves").into())
        }
        (Target::Moves(notation), Origin::Moves(from)) => moves(args, notation, Some(from)),
        (Target::Moves(notation), Origin::Board(Format::Auto)) => moves(args, notation, None),
        (Target::Board(form), Origin::Moves(from)) => {
            let message = format!(
                "a solution in {from} cannot be converted to a board in {form}: see `loyd apply`"
            );
            Err(anyhow::anyhow!(message).into())
        }
        (Target::Moves(notation), Origin::Board(format)) => {
            let message = format!(
                "{format} is a format of boards, which cannot be converted to a solution in {notation}"
            );
            Err(anyhow::anyhow!(message).into())
        }
    }
}

fn moves(args: &ConvertArgs, to: Notation, from: Option<Notation>) -> Result<Status, Failure> {
    if args.texts.iter().any(|text| parse_board(text, args.size).is_ok()) {
        let forms: Vec<&str> = FORMS.iter().map(|row| row.name).collect();
        let message = "is a notation of moves, but this is a board; forms of boards are";
        return Err(anyhow::anyhow!("{to} {message} {}", forms.join(", ")).into());
    }
    let (file, board) = (args.file.as_deref(), args.board.as_deref());
    let items = MovesItems::new(&args.texts, file, board, args.size, from)?;
    let style = Style { notation: to, runs: args.runs };
    answers::run(items, args.output, |board, read| {
        let mut answer = answers::moves_answer(board, &read.moves, style)?;
        answer.record["read_as"] = read.notation.row().name.into();
        Ok(answer)
    })
}

/// Prints the PDDL domain of planning problems.
fn print_domain() -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", pddl::DOMAIN)
}

/// Converts solutions to replay links.
fn replays(args: &ConvertArgs, from: Option<Notation>) -> Result<Status, Failure> {
    let (file, board) = (args.file.as_deref(), args.board.as_deref());
    let items = MovesItems::new(&args.texts, file, board, args.size, from)?;
    answers::run(items, args.output, |board, read| {
        let board = board.ok_or_else(answers::no_board)?;
        let text = replay::link(board, &read.moves)?;
        let mut fields = answers::record(Some(board), &read.moves);
        fields.insert("read_as".to_owned(), read.notation.row().name.into());
        fields.insert("replay".to_owned(), text.clone().into());
        Ok(Answer { text, record: fields.into(), remark: None })
    })
}

/// A board of the input.
struct Entry<'a> {
    problem: &'a Problem,
    id: &'a Option<String>,
    index: usize,
    expected: Option<u32>,
}

impl Entry<'_> {
    /// Returns the name of the board if it is a single word, otherwise its number.
    fn name(&self) -> String {
        let id = self.id.clone().filter(|id| !id.is_empty() && !id.contains(char::is_whitespace));
        id.unwrap_or_else(|| (self.index + 1).to_string())
    }
}

/// Converts boards with `write` to the form with the name `form`.
fn boards(
    args: &ConvertArgs,
    form: &str,
    several_lines: bool,
    format: Format,
    write: impl Fn(&Entry<'_>) -> Result<String, Failure>,
) -> Result<Status, Failure> {
    if args.runs || args.board.is_some() {
        return Err(anyhow::anyhow!(
            "--runs and --board apply to solutions, but {form} is a form of boards"
        )
        .into());
    }
    let is_moves = |text: &String| !text.is_empty() && read_moves(text, None, None).is_ok();
    if args.texts.iter().any(is_moves) {
        let notations: Vec<&str> = NOTATIONS.iter().map(|row| row.name).collect();
        let message = "is a form of boards, but this is a solution; notations of moves are";
        return Err(anyhow::anyhow!("{form} {message} {}", notations.join(", ")).into());
    }
    let problem = ProblemArgs {
        size: args.size,
        goal: args.goal.clone(),
        blank: args.blank.clone(),
        input: Some(format),
    };
    let items = Items::new(&args.texts, args.file.as_deref(), &problem)?;
    let mut printer = Printer::new(args.output, items.known_count() == Some(1));
    let mut is_noted = form == "pddl";
    for (index, item) in items.enumerate() {
        let item = item?;
        // A line in korf format implies its goal, and other forms the usual one.
        let is_implied = |problem: &Problem| match problem.goal_name() {
            Some("blank-first") => form == "korf",
            name => name == Some("blank-last"),
        };
        if !is_noted && item.problem.as_ref().is_ok_and(|problem| !is_implied(problem)) {
            print_note("note: the goals of the input are not written: only --to pddl has them");
            is_noted = true;
        }
        let needs_gap = index > 0 && several_lines && args.output == Output::Text;
        let answer = item.problem.and_then(|problem| {
            let board = problem.start();
            let text =
                write(&Entry { problem: &problem, id: &item.id, index, expected: item.expected })?;
            let record = json!({
                "board": slashes(board).to_string(), "size": board.size().to_string(),
                "form": form, "written": text,
            });
            Ok(Answer {
                text: if needs_gap { format!("\n{text}") } else { text },
                record,
                remark: None,
            })
        });
        printer.print(item.line, answer)?;
    }
    Ok(printer.status())
}

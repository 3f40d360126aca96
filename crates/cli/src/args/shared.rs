//! Options shared by many commands: the board and the goal, output and progress.

use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::TypedValueParser;
use clap::{Arg, Args, ValueEnum};
use loyd::Size;
use loyd::goal::GOALS;
use loyd::notation::{FORMATS, Format, Hints};
use serde_json::Value;

use super::names::{Names, goal};

/// The board, how to read it, and the goal.
#[derive(Debug, Default, Args)]
pub struct ProblemArgs {
    /// Width and height, if the board does not show them
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[arg(
        long,
        value_name = "GOAL",
        value_parser = goal,
        help = goal_help("with `*` on cells that may hold any tile [default: blank-last]")
    )]
    pub goal: Option<String>,
    /// Word for the blank, such as F in 0FD1C3B648952A7E [default: x, 0, _, an empty cell and other common ones]
    #[arg(long, value_name = "WORD", value_parser = blank_word)]
    pub blank: Option<String>,
    /// Form of the input: auto, or a name from `loyd list formats` [default: auto]
    #[arg(long, value_name = "FORM", value_parser = format_parser(), hide_possible_values = true)]
    pub input: Option<Format>,
}

impl ProblemArgs {
    /// Returns the options that affect how boards are parsed.
    pub fn hints(&self) -> Hints<'_> {
        Hints { size: self.size, blank: self.blank.as_deref() }
    }
}

/// Parses the word of `--blank`: at most 16 bytes, without separators.
pub fn blank_word(word: &str) -> Result<String, String> {
    const LONGEST: usize = 16;
    let separates = |letter: char| letter.is_whitespace() || ",/;|&[](){}".contains(letter);
    match word.len() <= LONGEST && !word.contains(separates) {
        true => Ok(word.to_owned()),
        false => Err(format!("a word of at most {LONGEST} bytes without separators is required")),
    }
}

/// Sets the help of `--goal` for commands that read files of boards, where korf files have a different default.
pub fn with_korf_goal(arg: Arg) -> Arg {
    const DEFAULT: &str = "[default: blank-last, but blank-first for korf files]";
    arg.help(format!("Goal: a name from `loyd list goals`, or a board {DEFAULT}"))
        .long_help(goal_help(&format!("with `*` on cells that may hold any tile {DEFAULT}")))
}

/// Returns the help of `--goal`: the names of the goals, then `more`.
pub fn goal_help(more: &str) -> String {
    let names: Vec<&str> = GOALS.iter().map(|row| row.name).collect();
    format!("Goal: {} (see `loyd list goals`) or a board {more}", names.join(", "))
}

/// Parses the name of an input format.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    Names::new(FORMATS.iter().map(|row| row.name), &[]).try_map(|name| name.parse::<Format>())
}

/// The output formats of most commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// Human-readable text
    Text,
    /// One JSON object per line
    Json,
}

impl Output {
    /// Prints the result of a command to standard output: `text`, or `record` on one line.
    pub fn print(
        self,
        text: impl FnOnce() -> String,
        record: impl FnOnce() -> Value,
    ) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self {
            Self::Text => out.write_all(text().as_bytes()),
            Self::Json => writeln!(out, "{}", record()),
        }
    }
}

/// A file to write in addition to standard output, given as `FORM:PATH`.
#[derive(Clone, Debug)]
pub struct Export {
    pub form: ExportForm,
    /// The file, or the folder of a form that has several files.
    pub path: PathBuf,
}

/// The forms of `--export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    Svg,
    Html,
    Csv,
    Parquet,
    Markdown,
    Lab,
}

impl FromStr for Export {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (form, path) = text.split_once(':').unwrap_or((text, ""));
        let form = ExportForm::from_str(form, true).ok().filter(|_| !path.is_empty());
        let form = form
            .ok_or("expected FORM:PATH, where FORM is svg, html, csv, parquet, markdown or lab")?;
        Ok(Self { form, path: path.into() })
    }
}

/// The option for progress reports.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProgressArgs {
    /// Progress on standard error: auto (one line, if it is a terminal), json (one event per line, see
    /// docs/watching.md) or none
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Shown::Auto, hide_possible_values = true)]
    pub progress: Shown,
}

/// The forms of progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shown {
    /// One line, if standard error is a terminal
    Auto,
    /// One JSON object per line
    Json,
    /// Nothing
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_have_a_form_and_a_path() {
        let export: Export = "SVG:C:\\plots".parse().unwrap();
        assert_eq!((export.form, export.path), (ExportForm::Svg, "C:\\plots".into()));
        for text in ["", "svg", "svg:", "plot.svg", "pdf:plot.pdf"] {
            assert!(text.parse::<Export>().is_err(), "{text}");
        }
    }
}

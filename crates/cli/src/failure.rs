//! Exit statuses and failures of commands.
//!
//! A failure is displayed with the offending token underlined and the next step suggested. Commands and formats that
//! are heavy to build each require the cargo feature of their name; a build without it fails with installation
//! instructions.

use std::io::{self, IsTerminal, Write};
use std::{env, fmt};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anyhow::anyhow;
use loyd::notation::NotationError;

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// An invalid board, goal or sequence of moves.
    Notation {
        /// The source of the text: a file name, or the argument.
        origin: String,
        /// The error, with the offending text.
        error: Box<NotationError>,
    },
    /// Another error in a line of a file.
    At {
        /// The name of the file.
        origin: String,
        /// The number of the line, from 1.
        line: usize,
        /// The error.
        error: anyhow::Error,
    },
    /// Another error.
    Other(anyhow::Error),
}

/// The exit status of a command, in increasing order of severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Everything was answered, and positively if it was a yes-or-no question.
    #[default]
    Yes,
    /// A negative answer, or no answer.
    No,
    /// Invalid input.
    Bad,
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

impl Failure {
    /// Returns a function for `map_err` that adds the source of the text.
    pub fn in_text(origin: &str) -> impl Fn(NotationError) -> Self + '_ {
        |error| Self::Notation { origin: origin.to_owned(), error: Box::new(error) }
    }

    /// Adds the file and line to a failure that lacks them.
    pub fn at(self, origin: &str, line: usize) -> Self {
        match self {
            Self::Other(error) => Self::At { origin: origin.to_owned(), line, error },
            // The error is in a field of a record; its line number is relative to that field.
            Self::Notation { origin: field, mut error } if field != origin => {
                error.line = line;
                Self::Notation { origin: format!("{origin}, {field}"), error }
            }
            located => located,
        }
    }

    /// Prints the failure to standard error.
    pub fn print(&self) {
        print_note(self.message());
    }

    /// Returns the failure as it is printed to standard error.
    pub fn message(&self) -> String {
        match self {
            Self::Notation { origin, error } => render(snippet(origin, error)),
            Self::At { origin, line, error } => {
                let place = Origin::path(origin).line(*line);
                render(Level::ERROR.primary_title(format!("{error:#}")).element(place))
            }
            Self::Other(error) => format!("error: {error:#}"),
        }
    }

    /// Formats the failure as one line for machine-readable output.
    pub fn to_line(&self) -> String {
        match self {
            Self::Notation { error, .. } => match &error.help {
                Some(help) => format!("{error} ({help})"),
                None => error.to_string(),
            },
            Self::At { line, error, .. } => format!("line {line}: {error:#}"),
            Self::Other(error) => format!("{error:#}"),
        }
    }
}

/// Prints a line to standard error. Errors are ignored: if it is closed, there is nowhere left to report them.
pub fn print_note(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Returns the error with its line, the offending token underlined.
fn snippet<'a>(origin: &'a str, error: &'a NotationError) -> Group<'a> {
    let snippet = Snippet::source(&error.source)
        .line_start(error.line)
        .path(origin)
        .annotation(AnnotationKind::Primary.span(error.span.clone()));
    let group = Level::ERROR.primary_title(&error.message).element(snippet);
    match &error.help {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    }
}

fn render(group: Group<'_>) -> String {
    let renderer = if shows_colours() { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// Returns whether standard error is a terminal with colours and `NO_COLOR` is unset (<https://no-color.org>).
pub fn shows_colours() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

/// Optional formats, and whether this build has them: `("name", cfg!(feature = "name"))`.
const FEATURES: [(&str, bool); 1] = [("parquet", cfg!(feature = "parquet"))];

/// Checks that `command`, a command or format, is part of this build.
///
/// # Errors
/// Fails with installation instructions if the build lacks it.
pub fn check_feature(command: &str) -> anyhow::Result<()> {
    check_feature_in(&FEATURES, command)
}

fn check_feature_in(commands: &[(&str, bool)], command: &str) -> anyhow::Result<()> {
    if commands.contains(&(command, false)) {
        return Err(missing_feature(command, command));
    }
    Ok(())
}

/// Returns the error for a command that requires `feature`.
pub fn missing_feature(command: &str, feature: &str) -> anyhow::Error {
    anyhow!(
        "loyd was built without `{command}`; \
         `cargo install --path crates/cli --features {feature}` adds it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_command_explains_how_to_install_it() {
        let commands = [("play", true), ("serve", false)];
        assert!(
            check_feature_in(&commands, "play").is_ok()
                && check_feature_in(&commands, "solve").is_ok()
        );
        assert_eq!(
            check_feature_in(&commands, "serve").unwrap_err().to_string(),
            "loyd was built without `serve`; \
             `cargo install --path crates/cli --features serve` adds it"
        );
    }
}

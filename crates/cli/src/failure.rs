//! What goes wrong, and how it is shown: the offending token underlined, the next step suggested.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use loyd::notation::NotationError;

/// The reason why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// A text that is no board, no moves, no goal.
    Notation {
        /// What the text was: a file's name, or the argument.
        origin: String,
        /// What is wrong with it.
        error: Box<NotationError>,
    },
    /// Anything else that is wrong with one line of a file.
    At {
        /// The file's name.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: anyhow::Error,
    },
    /// Anything else.
    Other(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

impl Failure {
    /// A fault in `origin`, for use with `map_err`.
    pub fn in_text(origin: &str) -> impl Fn(NotationError) -> Self + '_ {
        |error| Self::Notation { origin: origin.to_owned(), error: Box::new(error) }
    }

    /// The failure with its place, if it has none yet.
    pub fn at(self, origin: &str, line: usize) -> Self {
        match self {
            Self::Other(error) => Self::At { origin: origin.to_owned(), line, error },
            // A fault in a field of a record, which is its own first line.
            Self::Notation { origin: field, mut error } if field != origin => {
                error.line = line;
                Self::Notation { origin: format!("{origin}, {field}"), error }
            }
            placed => placed,
        }
    }

    /// Shows the failure on standard error.
    pub fn print(&self) {
        tell(self.shown());
    }

    /// The failure as it is shown on standard error.
    pub fn shown(&self) -> String {
        match self {
            Self::Notation { origin, error } => rendered(snippet(origin, error)),
            Self::At { origin, line, error } => {
                let place = Origin::path(origin).line(*line);
                rendered(Level::ERROR.primary_title(format!("{error:#}")).element(place))
            }
            Self::Other(error) => format!("error: {error:#}"),
        }
    }
}

/// Writes a line to standard error. Whoever has closed it does not want to know.
pub fn tell(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// The fault with its line, the offending token underlined.
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

fn rendered(group: Group<'_>) -> String {
    let renderer = if shows_colours() { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// Whether standard error is a terminal that shows colours, and nobody minds them (<https://no-color.org>).
pub fn shows_colours() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

//! Errors of requests.

use loyd::goal::GoalMismatch;
use loyd::notation::NotationError;
use serde::Serialize;

/// Reason why a request has no answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault {
    /// Error message: what is wrong, where, and what is allowed.
    pub error: String,
    /// Suggested remedy.
    pub help: Option<String>,
    /// Field of the request that is wrong.
    pub field: Option<String>,
    /// Start of the offending word in that field, in UTF-16 code units as in JavaScript.
    pub from: Option<usize>,
    /// End of the offending word.
    pub to: Option<usize>,
    /// Kind of the error; not part of the JSON.
    #[serde(skip)]
    pub kind: FaultKind,
}

/// Kind of an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultKind {
    /// The request is not JSON, or has fields that the call does not accept.
    Malformed,
    /// A field has an invalid value.
    #[default]
    Wrong,
    /// A limit was reached before there was an answer.
    Stopped,
    /// The service has a defect.
    Defect,
}

impl Fault {
    /// Creates an error about a field.
    pub fn of(field: &str, error: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), ..Self::wrong(error) }
    }

    /// Creates an error about the request as a whole, which names fields of the request instead of options.
    pub fn wrong(error: impl Into<String>) -> Self {
        let (help, field, from, to) = (None, None, None, None);
        Self { error: with_fields(&error.into()), help, field, from, to, kind: FaultKind::Wrong }
    }

    /// Creates an error for a request that cannot be parsed.
    pub fn malformed(error: impl Into<String>) -> Self {
        Self { kind: FaultKind::Malformed, ..Self::wrong(error) }
    }

    /// Creates an error for a limit that was reached before there was an answer.
    pub fn stopped(error: impl Into<String>) -> Self {
        Self { kind: FaultKind::Stopped, ..Self::wrong(error) }
    }

    /// Creates an error for a defect of the service.
    pub fn defect(error: impl Into<String>) -> Self {
        Self { kind: FaultKind::Defect, ..Self::wrong(error) }
    }

    /// Returns a function that converts errors in the `text` of a field, with their location.
    pub fn in_text<'a>(field: &'a str, text: &'a str) -> impl Fn(NotationError) -> Self + 'a {
        move |error| {
            let lines = text.split_inclusive('\n').take(error.line - 1);
            let before: usize = lines.map(|line| line.encode_utf16().count()).sum();
            let line = text.lines().nth(error.line - 1).unwrap_or_default();
            let column = line.chars().take(error.column() - 1).map(char::len_utf16).sum::<usize>();
            let word = error.source[error.span.clone()].encode_utf16().count();
            let from = before + column;
            let (from, to) = (Some(from), Some(from + word));
            let help = error.help.as_deref().map(with_fields);
            Self { from, to, help, ..Self::of(field, error.message) }
        }
    }

    /// Converts the error to JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a fault has only JSON types")
    }
}

/// Replaces the options of the command line in a message with fields of a request: `--max-time` with `` `max_ms` ``.
fn with_fields(message: &str) -> String {
    replace_options(message, |name| match name {
        "max-time" => "`max_ms`".to_owned(),
        "notation" => "`from`".to_owned(),
        _ => format!("`{}`", name.replace('-', "_")),
    })
}

/// Replaces each option of the command line in a message with what `write` returns for its name, and leaves its
/// placeholder out: `write("max-time")` for `--max-time <TIME>`.
pub fn replace_options(message: &str, write: impl Fn(&str) -> String) -> String {
    let mut parts = message.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        let (name, rest) = part.split_at(part.find(|c| !is_name(c)).unwrap_or(part.len()));
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            text += "--";
            text += part;
            continue;
        }
        text += &write(name);
        let placeholder = rest.strip_prefix(" <").and_then(|rest| rest.split_once('>'));
        text += placeholder.map_or(rest, |(_, rest)| rest);
    }
    text
}

impl From<loyd::Error> for Fault {
    fn from(error: loyd::Error) -> Self {
        use loyd::Error::{
            CostCount, CostRange, CostsUnsupported, FreeTiles, PruneLosesSolutions, PruneUnused,
            WordsTooLong,
        };
        let fault = Self::wrong(error.to_string());
        match error {
            WordsTooLong { .. } | PruneLosesSolutions | PruneUnused { .. } => {
                Self { field: Some("prune".to_owned()), ..fault }
            }
            CostCount { .. } | CostRange { .. } | FreeTiles | CostsUnsupported(_) => {
                Self { field: Some("costs".to_owned()), ..fault }
            }
            _ => fault,
        }
    }
}

impl From<GoalMismatch> for Fault {
    fn from(error: GoalMismatch) -> Self {
        Self::of("goal", error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd::notation::parse_board;

    #[test]
    fn faults_have_their_place_as_javascript_counts() {
        let text = "1 2 3\n4 😀 6\n7 8 0";
        let fault = Fault::in_text("board", text)(parse_board(text, None).unwrap_err());
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let word = &utf16[fault.from.unwrap()..fault.to.unwrap()];
        assert_eq!(String::from_utf16(word).unwrap(), "😀", "{fault:?}");
        assert_eq!(fault.field.as_deref(), Some("board"));
    }

    #[test]
    fn faults_name_fields_instead_of_options() {
        const HELP: &str =
            "a 3x3 board has 9 cells; for another shape separate the rows by / or give `size` 4x2";
        let text = "1 2 3 4 5 6 7 0";
        let fault = Fault::in_text("board", text)(parse_board(text, None).unwrap_err());
        assert_eq!(fault.help.as_deref(), Some(HELP), "{fault:?}");
        let fault = Fault::wrong("a -- b, --max-time <TIME>, --a-b");
        assert_eq!(fault.error, "a -- b, `max_ms`, `a_b`");
    }
}

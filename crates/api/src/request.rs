//! Requests.

use std::sync::Arc;
use std::time::Duration;

use loyd::board::{Board, Size};
use loyd::goal::{GOALS, Goal, PartialGoal};
use loyd::moves::Metric;
use loyd::notation::{
    Hints, MoveText, Notation, StrictJson, parse_partial_goal, read_board, read_moves_to,
};
use loyd::search::{
    Algorithm, ClosedKind, DistanceMatrix, HeuristicChoice, HeuristicRow, Limits, Prune,
    PruneError, Quality, TableChoice, TileCosts, TileCostsError, Weight,
};
use loyd::{Config, Problem};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fault::Fault;

/// All fields of requests. The [row](crate::Call) of a call defines which of them it accepts.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// A board, in any form that Loyd reads: `2 3 4/1 5 x/7 6 8`, or a list of tiles or rows.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BoardValue>"))]
    pub board: Option<String>,
    /// Several boards.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<BoardValue>>"))]
    pub boards: Option<Vec<String>>,
    /// Width and height, if the board does not show them: `4x3`.
    pub size: Option<String>,
    /// The word for the blank, if it is not a usual one: `F` in `0FD1C3B648952A7E`.
    pub blank: Option<String>,
    /// The goal: a name from `/api/v1/goals`, or a board, with `*` for cells that accept any tile.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BoardValue>"))]
    pub goal: Option<String>,
    /// What counts as a move: `stm`, each tile, or `mtm`, each slide of one or more tiles in a line.
    pub metric: Option<String>,
    /// The cost of moving a tile: `unit`, `inverse` (1/n for tile n), `heavy` (n for tile n), or a cost for each tile, as in
    /// `1,2.5,1/3`.
    pub costs: Option<String>,
    /// The moves, in any notation.
    pub moves: Option<String>,
    /// A name from `/api/v1/algorithms`.
    pub algorithm: Option<String>,
    /// A name from `/api/v1/heuristics`.
    pub heuristic: Option<String>,
    /// The matrix of your own heuristic, with as many rows and columns as the board has cells: one row per line, numbers
    /// separated by spaces.
    pub matrix: Option<String>,
    /// The closed list: `ordered`, `hashed`, `ranked`.
    pub closed: Option<String>,
    /// The weight of weighted A*.
    pub weight: Option<f64>,
    /// The quality of the solution: `auto`, `optimal`, `bounded=1.2`, `fast`.
    pub quality: Option<String>,
    /// The pruning of a depth-first search: `undo`, `automaton`, or `automaton=14` for words of up to 14 moves.
    pub prune: Option<String>,
    /// The pattern databases: `default`, `auto`, or goal cells.
    pub tables: Option<String>,
    /// Whether to return all shortest solutions.
    pub all: Option<bool>,
    /// Maximum number of solutions returned with `all`.
    pub max_solutions: Option<u32>,
    /// Maximum time of a search, in milliseconds.
    pub max_ms: Option<u64>,
    /// Maximum memory of a search, in bytes.
    pub max_bytes: Option<u64>,
    /// Maximum number of nodes expanded by a search.
    pub max_expanded: Option<u64>,
    /// The seed of the boards.
    pub seed: Option<u64>,
    /// The length of a shortest solution of each board.
    pub length: Option<u32>,
    /// The number of random moves from the goal.
    pub steps: Option<u32>,
    /// The number of boards.
    pub number: Option<u32>,
    /// The board or the moves to convert.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BoardValue>"))]
    pub text: Option<String>,
    /// The requested form or notation.
    pub to: Option<String>,
    /// The notation of the moves, if it is not evident.
    pub from: Option<String>,
    /// Whether to combine moves in the same direction.
    pub runs: Option<bool>,
    /// The rows to compare.
    pub rows: Option<Vec<RowRequest>>,
    /// A named comparison from `/api/v1/presets`.
    pub preset: Option<String>,
    /// Maximum number of events of a trace.
    pub max_events: Option<u64>,
    /// The format of a trace: `json`, `posthoc`, `dot`, `text`.
    pub format: Option<String>,
}

/// A board in a request.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub enum BoardValue {
    /// A text in any form.
    Text(String),
    /// The tiles in reading order.
    Tiles(Vec<Cell>),
    /// The tiles of each row.
    Rows(Vec<Vec<Cell>>),
}

/// A cell of a board in a request.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub enum Cell {
    /// A tile, or 0 for the blank.
    Number(u32),
    /// A tile or the blank as text.
    Text(String),
    /// The blank.
    Blank(()),
}

/// A row of a comparison.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RowRequest {
    /// A name from `/api/v1/algorithms`.
    pub algorithm: String,
    /// A name from `/api/v1/heuristics`.
    pub heuristic: Option<String>,
    /// The closed list.
    pub closed: Option<String>,
    /// The weight of weighted A*.
    pub weight: Option<f64>,
    /// The pruning of a depth-first search, as in a request.
    pub prune: Option<String>,
}

/// Converts numbers such as `2.0` to integers, which are the same in JSON.
fn as_integer(value: &mut Value) {
    /// Up to 2^53 every integer is an exact `f64`.
    const MAX_EXACT: f64 = (1_u64 << 53) as f64;
    if let Some(number) = value.as_f64()
        && value.is_f64()
        && (0.0..=MAX_EXACT).contains(&number)
        && number.fract() == 0.0
    {
        *value = (number as u64).into();
    }
}

/// Replaces a list or record that is a board by its JSON text, which is read like any other form.
fn as_text(value: &mut Value) {
    if matches!(value, Value::Array(_) | Value::Object(_)) {
        *value = value.to_string().into();
    }
}

/// Returns false for a list with other items than tiles or rows of tiles, and for a record.
fn has_tiles(value: &Value) -> bool {
    let tiles = 0.0..=f64::from(u32::MAX);
    let is_whole = |number: f64| tiles.contains(&number) && number.fract() == 0.0;
    let is_tile =
        |item: &Value| item.as_f64().is_some_and(is_whole) || item.is_string() || item.is_null();
    let is_row = |item: &Value| item.as_array().is_some_and(|row| row.iter().all(is_tile));
    let is_list = |items: &Vec<Value>| items.iter().all(|item| is_tile(item) || is_row(item));
    !value.is_object() && value.as_array().is_none_or(is_list)
}

/// A goal, which is the partial goal if there is one. The board meets it.
pub type RequestGoal = (Board, Option<PartialGoal>);

impl Request {
    /// Parses the request of a `call` that accepts these `fields`.
    ///
    /// # Errors
    /// Fails if the text is not a JSON object, has fields that the call does not accept, or has a field of the wrong
    /// type.
    pub fn read<'a>(
        json: &[u8],
        call: &str,
        fields: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Self, Fault> {
        let mut given = match serde_json::from_slice(json) {
            Ok(StrictJson(Value::Object(given))) => given,
            Ok(_) => return Err(Fault::malformed("the request is not a JSON object")),
            Err(error) => {
                let fault = if error.is_data() { "cannot be read" } else { "is not a JSON object" };
                return Err(Fault::malformed(format!("the request {fault}: {error}")));
            }
        };
        let about = |name: &str, message| Fault {
            field: Some(name.to_owned()),
            ..Fault::malformed(message)
        };
        if let Some(name) = given.keys().find(|name| !fields.clone().any(|field| field == *name)) {
            let takes = fields.collect::<Vec<_>>().join(", ");
            let message = format!("{call} does not accept the field `{name}`; it accepts {takes}");
            return Err(about(name, message));
        }
        given.values_mut().for_each(as_integer);
        // A batch would report it for each of its boards.
        if given.get("goal").is_some_and(|goal| !has_tiles(goal)) {
            let allowed = "a text, or a list of tiles or rows: whole numbers, texts or null";
            return Err(about("goal", format!("goal: this is not {allowed}")));
        }
        for name in ["board", "goal", "text"] {
            given.get_mut(name).into_iter().for_each(as_text);
        }
        if let Some(Value::Array(boards)) = given.get_mut("boards") {
            // Anything else is text too, so that one wrong board does not make the others unreadable.
            let others = boards.iter_mut().filter(|board| !board.is_string());
            others.for_each(|board| *board = board.to_string().into());
        }
        let value = Value::Object(given);
        Self::deserialize(&value).map_err(|error| {
            // The error does not name the field, so each field is parsed separately.
            let fields = value.as_object().into_iter().flatten();
            let fault = |(name, value): (&String, &Value)| {
                let alone = Value::from_iter([(name.clone(), value.clone())]);
                let error = Self::deserialize(alone).err()?;
                Some(about(name, format!("{name}: {error}")))
            };
            fields
                .map(fault)
                .find_map(|fault| fault)
                .unwrap_or_else(|| Fault::malformed(error.to_string()))
        })
    }

    /// Returns the value of a required field.
    ///
    /// # Errors
    /// Fails if the field is missing.
    pub fn needed<'a, T: ?Sized>(field: &str, value: Option<&'a T>) -> Result<&'a T, Fault> {
        value.ok_or_else(|| Fault::of(field, format!("the field `{field}` is missing")))
    }

    /// Returns the size, or `None` if the request does not contain one.
    ///
    /// # Errors
    /// Fails if the size is invalid.
    pub fn size(&self) -> Result<Option<Size>, Fault> {
        let size = self.size.as_ref().map(|text| text.parse());
        size.transpose()
            .map_err(|error: loyd::board::SizeError| Fault::of("size", error.to_string()))
    }

    /// Returns the properties of boards that the request gives in addition to their tiles.
    ///
    /// # Errors
    /// Fails if the size is invalid.
    pub fn hints(&self) -> Result<Hints<'_>, Fault> {
        Ok(Hints { size: self.size()?, blank: self.blank.as_deref() })
    }

    /// Returns the board.
    ///
    /// # Errors
    /// Fails if the board is missing or invalid.
    pub fn board(&self) -> Result<Board, Fault> {
        let text = Self::needed("board", self.board.as_deref())?;
        let read = read_board(text, self.hints()?).map_err(Fault::in_text("board", text))?;
        Ok(read.board)
    }

    /// Returns the board and its goal as a problem.
    ///
    /// # Errors
    /// Fails if the board or the goal is invalid, or they differ in size.
    pub fn problem(&self) -> Result<Problem, Fault> {
        self.problem_of(self.board()?)
    }

    /// Returns the problem of solving `board` for the goal of the request.
    ///
    /// # Errors
    /// Fails if the goal is invalid or has another size.
    pub fn problem_of(&self, board: Board) -> Result<Problem, Fault> {
        let goal = self.goal(board.size())?;
        Self::problem_between(board, &goal)
    }

    /// Returns the problem of solving `board` for a [`goal`](Self::goal) of its size.
    ///
    /// # Errors
    /// Fails if the tiles of the goal are others.
    pub fn problem_between(board: Board, goal: &RequestGoal) -> Result<Problem, Fault> {
        Ok(match goal {
            (_, Some(goal)) => Problem::with_partial_goal(board, goal)?,
            (goal, None) => Problem::between(board, goal.clone())?,
        })
    }

    /// Returns the goal for boards of a size.
    ///
    /// # Errors
    /// Fails if the goal is invalid.
    pub fn goal(&self, size: Size) -> Result<RequestGoal, Fault> {
        let text = self.goal.as_deref().unwrap_or("blank-last");
        let fault = Fault::in_text("goal", text);
        if text.contains('*') {
            let goal = parse_partial_goal(text, Some(size)).map_err(fault)?;
            return Ok((goal.example(), Some(goal)));
        }
        if self.blank.is_some() && GOALS.iter().all(|row| row.name != text) {
            let hints = Hints { size: Some(size), ..self.hints()? };
            return Ok((read_board(text, hints).map_err(fault)?.board, None));
        }
        let goal = Goal::parse(text, size).map_err(fault)?;
        Ok((goal.board(size)?, None))
    }

    /// Returns the metric.
    ///
    /// # Errors
    /// Fails if there is no metric with this name.
    pub fn metric(&self) -> Result<Metric, Fault> {
        let Some(name) = &self.metric else { return Ok(Metric::default()) };
        named("metric", name, Metric::ALL, Metric::name)
    }

    /// Returns the notation of the moves, or `None` if the request does not name one.
    ///
    /// # Errors
    /// Fails if there is no notation with this name.
    pub fn from(&self) -> Result<Option<Notation>, Fault> {
        let from = self.from.as_deref().map(str::parse::<Notation>).transpose();
        from.map_err(|error| Fault::of("from", error.to_string()))
    }

    /// Returns the moves, which are expected to solve the problem.
    ///
    /// # Errors
    /// Fails if the moves are missing or invalid.
    pub fn moves(&self, problem: &Problem) -> Result<MoveText, Fault> {
        let text = Self::needed("moves", self.moves.as_deref())?;
        let is_solved = |end: &Board| problem.is_solved_by(end);
        let read = read_moves_to(text, self.from()?, problem.start(), is_solved);
        read.map_err(Fault::in_text("moves", text))
    }

    /// Returns `config` with the choices of the request. If both set a limit, the smaller one applies.
    ///
    /// # Errors
    /// Fails if a field names an unknown choice or has an invalid value.
    pub fn config(&self, config: &Config) -> Result<Config, Fault> {
        let limits = config.limits;
        let max_time = self.max_ms.map(Duration::from_millis);
        Ok(Config {
            algorithm: self.algorithm.as_deref().map(algorithm).transpose()?,
            heuristic: self.heuristic()?,
            closed: self.closed.as_deref().map(closed).transpose()?,
            weight: self.weight.map(weight).transpose()?,
            prune: self.prune.as_deref().map(prune).transpose()?,
            quality: self.quality()?,
            tables: self.tables()?,
            metric: self.metric()?,
            costs: self.costs()?,
            limits: Limits {
                max_time: least(max_time, limits.max_time),
                max_bytes: least(self.max_bytes, limits.max_bytes),
                max_expanded: least(self.max_expanded, limits.max_expanded),
                ..limits
            },
            ..config.clone()
        })
    }

    fn heuristic(&self) -> Result<Option<HeuristicChoice>, Fault> {
        match (&self.heuristic, &self.matrix) {
            (Some(_), Some(_)) => Err(Fault::of("matrix", "give either a heuristic or a matrix")),
            (Some(name), None) => Ok(Some(heuristic(name)?.into())),
            (None, Some(text)) => {
                let matrix = DistanceMatrix::parse(text);
                let matrix = matrix.map_err(|error| Fault::of("matrix", error.to_string()))?;
                Ok(Some(HeuristicChoice::Matrix(Arc::new(matrix))))
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns whether the request names a part of the search.
    pub fn names_search(&self) -> bool {
        self.algorithm.is_some()
            || self.heuristic.is_some()
            || self.matrix.is_some()
            || self.closed.is_some()
            || self.weight.is_some()
            || self.prune.is_some()
    }

    /// Returns the quality: `auto` if the request specifies neither a quality nor a search, and `None` if it specifies
    /// only a search.
    fn quality(&self) -> Result<Option<Quality>, Fault> {
        match &self.quality {
            None if self.names_search() => Ok(None),
            None => Ok(Some(Quality::Auto)),
            Some(text) => {
                let quality = text.parse::<Quality>();
                quality.map(Some).map_err(|error| Fault::of("quality", error.to_string()))
            }
        }
    }

    fn costs(&self) -> Result<TileCosts, Fault> {
        let Some(text) = &self.costs else { return Ok(TileCosts::default()) };
        text.parse().map_err(|error: TileCostsError| Fault::of("costs", error.to_string()))
    }

    fn tables(&self) -> Result<TableChoice, Fault> {
        let Some(text) = &self.tables else { return Ok(TableChoice::default()) };
        let Ok(choice) = text.parse();
        Ok(choice)
    }
}

/// Returns the element of `all` with this name.
///
/// # Errors
/// Fails if there is no element with this name.
pub fn named<T: Copy>(
    field: &str,
    name: &str,
    all: impl IntoIterator<Item = T>,
    name_of: impl Fn(T) -> &'static str,
) -> Result<T, Fault> {
    let all: Vec<T> = all.into_iter().collect();
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name_of(one)).collect();
        Fault::of(field, format!("there is no {field} `{name}`; there are {}", names.join(", ")))
    })
}

/// Returns the full name of an algorithm.
///
/// # Errors
/// Fails if there is no algorithm with this name.
pub fn algorithm(name: &str) -> Result<&'static str, Fault> {
    let row = Algorithm::named(name).map_err(|error| Fault::of("algorithm", error.to_string()));
    row.map(|row| row.name)
}

/// Returns the full name of a heuristic.
///
/// # Errors
/// Fails if there is no heuristic with this name.
pub fn heuristic(name: &str) -> Result<&'static str, Fault> {
    let row = HeuristicRow::named(name).map_err(|error| Fault::of("heuristic", error.to_string()));
    row.map(|row| row.name)
}

/// Parses the pruning of a depth-first search.
///
/// # Errors
/// Fails if there is no such pruning.
pub fn prune(text: &str) -> Result<Prune, Fault> {
    text.parse().map_err(|error: PruneError| Fault::of("prune", error.to_string()))
}

/// Returns the closed list with this name.
///
/// # Errors
/// Fails if there is no such closed list.
pub fn closed(name: &str) -> Result<ClosedKind, Fault> {
    named("closed", name, ClosedKind::ALL, ClosedKind::name)
}

/// Converts a weight.
///
/// # Errors
/// Fails if the number is not a valid weight.
pub fn weight(weight: f64) -> Result<Weight, Fault> {
    let weight: Result<Weight, _> = weight.to_string().parse();
    weight.map_err(|error| Fault::of("weight", error.to_string()))
}

/// Returns the smaller of two limits.
fn least<T: Ord>(requested: Option<T>, allowed: Option<T>) -> Option<T> {
    match (requested, allowed) {
        (Some(requested), Some(allowed)) => Some(requested.min(allowed)),
        (requested, allowed) => requested.or(allowed),
    }
}

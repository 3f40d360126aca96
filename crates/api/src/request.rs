//! What is asked for.

use std::sync::Arc;
use std::time::Duration;

use loyd::board::{Board, Size};
use loyd::goal::{Goal, PartialGoal};
use loyd::moves::Metric;
use loyd::notation::{MoveText, parse_board, parse_partial_goal, read_moves};
use loyd::search::{
    Algorithm, Closed, DistanceMatrix, HeuristicChoice, HeuristicRow, Limits, Prune, PruneError,
    Quality, TableChoice, Weight,
};
use loyd::{Config, Problem};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fault::Fault;

/// All fields that requests may have. Which of them a call takes is part of its [row](crate::Call).
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// A board, in any form that Loyd reads: `2 3 4/1 5 x/7 6 8`.
    pub board: Option<String>,
    /// Several boards.
    pub boards: Option<Vec<String>>,
    /// Width and height, where the board does not tell: `4x3`.
    pub size: Option<String>,
    /// The goal: a name of `/api/v1/goals`, or a board, with `*` on cells that may have any tile.
    pub goal: Option<String>,
    /// What counts as a move: `stm`, each tile, or `mtm`, each slide of one or more tiles in a line.
    pub metric: Option<String>,
    /// The moves, in any notation.
    pub moves: Option<String>,
    /// A name of `/api/v1/algorithms`.
    pub algorithm: Option<String>,
    /// A name of `/api/v1/heuristics`.
    pub heuristic: Option<String>,
    /// The cells x cells matrix of your own heuristic, numbers with spaces between them.
    pub matrix: Option<String>,
    /// How duplicates are found: `ordered`, `hashed`, `ranked`.
    pub closed: Option<String>,
    /// The weight of weighted A*.
    pub weight: Option<f64>,
    /// How good solutions have to be: `auto`, `optimal`, `bounded=1.2`, `fast`.
    pub quality: Option<String>,
    /// What a depth-first search leaves out: `undo`, `automaton`, or `automaton=14` for words of up to 14 moves.
    pub prune: Option<String>,
    /// The pattern databases: `default`, `auto`, or goal cells.
    pub tables: Option<String>,
    /// Whether all shortest solutions are wanted.
    pub all: Option<bool>,
    /// At most so many of them.
    pub max_solutions: Option<u32>,
    /// The most milliseconds that a search may take.
    pub max_ms: Option<u64>,
    /// The most bytes that a search may take.
    pub max_bytes: Option<u64>,
    /// The most nodes that a search may expand.
    pub max_expanded: Option<u64>,
    /// What boards are drawn by.
    pub seed: Option<u64>,
    /// The number of moves of a shortest solution.
    pub length: Option<u32>,
    /// The number of random moves from the goal.
    pub steps: Option<u32>,
    /// How many boards.
    pub number: Option<u32>,
    /// A board or moves.
    pub text: Option<String>,
    /// The form or the notation that is wanted.
    pub to: Option<String>,
    /// The notation of moves, where they do not tell.
    pub from: Option<String>,
    /// Whether moves in the same direction are put together.
    pub runs: Option<bool>,
    /// What is compared.
    pub rows: Option<Vec<RowRequest>>,
    /// A comparison that has a name, of `/api/v1/presets`.
    pub preset: Option<String>,
    /// The most events of a trace.
    pub max_events: Option<u64>,
    /// The form of a trace: `json`, `posthoc`, `dot`, `text`.
    pub format: Option<String>,
}

/// A way to search.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RowRequest {
    /// A name of `/api/v1/algorithms`.
    pub algorithm: String,
    /// A name of `/api/v1/heuristics`.
    pub heuristic: Option<String>,
    /// How duplicates are found.
    pub closed: Option<String>,
    /// The weight of weighted A*.
    pub weight: Option<f64>,
    /// What a depth-first search leaves out, as in a request.
    pub prune: Option<String>,
}

/// Writes whole numbers without a fraction: to JSON, `2.0` is one.
fn as_integer(value: &mut Value) {
    /// Above, not all whole numbers are different.
    const MOST: f64 = (1_u64 << 53) as f64;
    if let Some(number) = value.as_f64()
        && value.is_f64()
        && (0.0..=MOST).contains(&number)
        && number.fract() == 0.0
    {
        *value = (number as u64).into();
    }
}

impl Request {
    /// Reads the request of a `call`, which takes these `fields`.
    ///
    /// # Errors
    /// When it is no JSON object, has fields that the call does not take, or one of another type.
    pub fn read<'a>(
        json: &[u8],
        call: &str,
        fields: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Self, Fault> {
        let mut given: Map<String, Value> = serde_json::from_slice(json)
            .map_err(|error| Fault::malformed(format!("the request is no JSON object: {error}")))?;
        let about = |name: &str, message| Fault {
            field: Some(name.to_owned()),
            ..Fault::malformed(message)
        };
        if let Some(name) = given.keys().find(|name| !fields.clone().any(|field| field == *name)) {
            let takes = fields.collect::<Vec<_>>().join(", ");
            let message = format!("{call} takes no field `{name}`; it takes {takes}");
            return Err(about(name, message));
        }
        given.values_mut().for_each(as_integer);
        let value = Value::Object(given);
        Self::deserialize(&value).map_err(|error| {
            // The error does not say in which field it is.
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

    /// A field that has to be there.
    ///
    /// # Errors
    /// When it is not.
    pub fn needed<'a, T: ?Sized>(field: &str, value: Option<&'a T>) -> Result<&'a T, Fault> {
        value.ok_or_else(|| Fault::of(field, format!("the field `{field}` is missing")))
    }

    /// The size, where it is said.
    ///
    /// # Errors
    /// When it is none.
    pub fn size(&self) -> Result<Option<Size>, Fault> {
        let size = self.size.as_ref().map(|text| text.parse());
        size.transpose()
            .map_err(|error: loyd::board::SizeError| Fault::of("size", error.to_string()))
    }

    /// The board.
    ///
    /// # Errors
    /// When there is none.
    pub fn board(&self) -> Result<Board, Fault> {
        let text = Self::needed("board", self.board.as_deref())?;
        parse_board(text, self.size()?).map_err(Fault::in_text("board", text))
    }

    /// The board and its goal.
    ///
    /// # Errors
    /// When one of them is none, or they differ in size.
    pub fn problem(&self) -> Result<Problem, Fault> {
        self.problem_of(self.board()?)
    }

    /// The problem of a board that was read.
    ///
    /// # Errors
    /// When there is no such goal of its size.
    pub fn problem_of(&self, board: Board) -> Result<Problem, Fault> {
        let size = board.size();
        Ok(match self.goal(size)? {
            (_, Some(goal)) => Problem::to_partial(board, &goal)?,
            (goal, None) => Problem::between(board, goal)?,
        })
    }

    /// The goal of boards of a size: a board, which is an example if the goal is a partial one.
    ///
    /// # Errors
    /// When there is no such goal.
    pub fn goal(&self, size: Size) -> Result<(Board, Option<PartialGoal>), Fault> {
        let text = self.goal.as_deref().unwrap_or("blank-last");
        let fault = Fault::in_text("goal", text);
        if text.contains('*') {
            let goal = parse_partial_goal(text, Some(size)).map_err(fault)?;
            return Ok((goal.example(), Some(goal)));
        }
        let goal = Goal::parse(text, size).map_err(fault)?;
        Ok((goal.board(size)?, None))
    }

    /// The metric.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn metric(&self) -> Result<Metric, Fault> {
        let Some(name) = &self.metric else { return Ok(Metric::default()) };
        named("metric", name, Metric::ALL, Metric::name)
    }

    /// The moves, on the board if there is one.
    ///
    /// # Errors
    /// When they are missing or none.
    pub fn moves(&self, board: &Board) -> Result<MoveText, Fault> {
        let text = Self::needed("moves", self.moves.as_deref())?;
        read_moves(text, None, Some(board)).map_err(Fault::in_text("moves", text))
    }

    /// How to search: `config` with what the request says, and no more than its limits.
    ///
    /// # Errors
    /// When there is nothing of a name.
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
            (Some(_), Some(_)) => Err(Fault::of(
                "matrix",
                "a search has one heuristic: leave out heuristic or matrix",
            )),
            (Some(name), None) => Ok(Some(heuristic(name)?.into())),
            (None, Some(text)) => {
                let matrix = DistanceMatrix::parse(text);
                let matrix = matrix.map_err(|error| Fault::of("matrix", error.to_string()))?;
                Ok(Some(HeuristicChoice::Matrix(Arc::new(matrix))))
            }
            (None, None) => Ok(None),
        }
    }

    /// The quality, if it is left open how to search; `auto` where that is left open too.
    fn quality(&self) -> Result<Option<Quality>, Fault> {
        let chooses = self.algorithm.is_some()
            || self.heuristic.is_some()
            || self.matrix.is_some()
            || self.closed.is_some()
            || self.weight.is_some()
            || self.prune.is_some();
        match &self.quality {
            None if chooses => Ok(None),
            None => Ok(Some(Quality::Auto)),
            Some(text) => {
                let quality = text.parse::<Quality>();
                quality.map(Some).map_err(|error| Fault::of("quality", error.to_string()))
            }
        }
    }

    fn tables(&self) -> Result<TableChoice, Fault> {
        let Some(text) = &self.tables else { return Ok(TableChoice::default()) };
        let Ok(choice) = text.parse();
        Ok(choice)
    }
}

/// The one of `all` that has this name.
///
/// # Errors
/// When there is none.
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

/// The name of an algorithm.
///
/// # Errors
/// When there is none of this name.
pub fn algorithm(name: &str) -> Result<&'static str, Fault> {
    let row = Algorithm::named(name).map_err(|error| Fault::of("algorithm", error.to_string()));
    row.map(|row| row.name)
}

/// The name of a heuristic.
///
/// # Errors
/// When there is none of this name.
pub fn heuristic(name: &str) -> Result<&'static str, Fault> {
    let row = HeuristicRow::named(name).map_err(|error| Fault::of("heuristic", error.to_string()));
    row.map(|row| row.name)
}

/// What a depth-first search leaves out.
///
/// # Errors
/// When there is no such way.
pub fn prune(text: &str) -> Result<Prune, Fault> {
    text.parse().map_err(|error: PruneError| Fault::of("prune", error.to_string()))
}

/// The closed list of this name.
///
/// # Errors
/// When there is none.
pub fn closed(name: &str) -> Result<Closed, Fault> {
    named("closed", name, Closed::ALL, Closed::name)
}

/// A weight.
///
/// # Errors
/// When it is none.
pub fn weight(weight: f64) -> Result<Weight, Fault> {
    let weight: Result<Weight, _> = weight.to_string().parse();
    weight.map_err(|error| Fault::of("weight", error.to_string()))
}

/// The smaller of two limits.
fn least<T: Ord>(asked: Option<T>, most: Option<T>) -> Option<T> {
    match (asked, most) {
        (Some(asked), Some(most)) => Some(asked.min(most)),
        (asked, most) => asked.or(most),
    }
}

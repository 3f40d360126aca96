//! How to search, and when to give up.

use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::{Arg, Args};
use loyd::Config;
use loyd::moves::Metric;
use loyd::search::{
    ALGORITHMS, Algorithm, Closed, DistanceMatrix, HEURISTICS, HeuristicChoice, HeuristicRow,
    Limits, Prune, Quality, TableChoice, Weight,
};

use super::names::{
    ALGORITHM_ALIASES, HEURISTIC_ALIASES, Names, metric_parser, prune, quality, tables,
};
use crate::input::small_text;
use crate::units::{self, Limit};

/// How to search.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// How good solutions have to be: auto (the shortest one if that can be proved within 10 s or --max-time, else
    /// the best that is found, with what is proved about it), optimal (proved to be shortest, or none), bounded=W
    /// (proved to be at most W times as long as a shortest one) or fast (at once; improved until --max-time, if
    /// that is given) [default: auto; optimal if --algorithm or the like says how to search]
    #[arg(long, value_name = "QUALITY", value_parser = quality)]
    pub quality: Option<Quality>,
    /// One of `loyd list algorithms` [default: the best for the board]
    #[arg(long, value_name = "NAME", value_parser = algorithm_parser(), hide_possible_values = true)]
    pub algorithm: Option<&'static str>,
    /// One of `loyd list heuristics`, or matrix=FILE with a cells x cells matrix [default: the best for the
    /// board; manhattan (zero in mtm) if an algorithm is chosen]
    #[arg(long, value_name = "NAME", value_parser = heuristic)]
    pub heuristic: Option<HeuristicChoice>,
    /// The pattern databases of the heuristic pdb: default, auto (by the number of boards), for 4x4 boards 5-5-5,
    /// 6-6-3, 7-7-1 or 7-8, for 5x5 6-6-6-6, for 3x6, 3x7, 4x5, 4x6 and 5x5 catalogue, or goal cells as in
    /// 1,4,5,8,9,12/2,3,6,7,10,11/13,14,15, on 17 to 25 cells with a plus sign between partitions of which the
    /// largest sum counts
    #[arg(long, value_name = "TABLES", value_parser = tables, default_value_t)]
    pub tables: TableChoice,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    /// The weight of wastar, 1 to 100 [default: 2]
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub weight: Option<Weight>,
    /// The closed list: how the search recognises states that it has met before
    #[arg(long, value_name = "KIND", value_parser = closed_parser())]
    pub closed: Option<Closed>,
    /// What a depth-first search leaves out: undo, moves that take the last one back, or automaton[=WORDS], also words of
    /// up to so many moves that do what other words do, as in automaton=14
    /// [default: undo; automaton with pattern databases on 4x4 boards and on those of 17 to 25 cells]
    #[arg(long, value_name = "HOW", value_parser = prune)]
    pub prune: Option<Prune>,
    /// Try no solution longer than this
    #[arg(long, value_name = "MOVES", value_parser = units::natural::<u32>, allow_negative_numbers = true)]
    pub max_depth: Option<u32>,
    /// Find out by exhaustion that a board cannot be solved; dfs, iddfs and idastar cannot, and are refused
    #[arg(long)]
    pub no_parity_check: bool,
}

/// When to give up.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Stop a search after so many expanded nodes
    #[arg(long, value_name = "NODES", value_parser = units::natural::<u64>, allow_negative_numbers = true)]
    pub max_expanded: Option<u64>,
    /// Stop a search after so many seconds (or 500ms, 2m, none) [default: 1h]
    #[arg(long, value_name = "TIME", value_parser = units::time, allow_negative_numbers = true)]
    pub max_time: Option<Limit<Duration>>,
    /// Stop a search that needs more memory (64M, 2G, none), the 10M of the program itself included [default:
    /// 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, allow_negative_numbers = true)]
    pub max_memory: Option<Limit<u64>>,
}

/// What searches may take if the program may take so many bytes: all but what the program itself takes for code,
/// stacks and what all boards of a size share; at least half.
pub fn for_searches(bytes: u64) -> u64 {
    const PROGRAM: u64 = 10 << 20;
    bytes.saturating_sub(PROGRAM).max(bytes / 2)
}

/// The default time limit where there is an answer without a shortest solution.
pub const SHORT_TIME: Duration = Duration::from_secs(10);

/// The help of `--max-time` for a command with [`LimitArgs::short`].
pub fn with_short_time(arg: Arg) -> Arg {
    let default = format!("{}s", SHORT_TIME.as_secs());
    arg.help(format!(
        "Stop searching after so many seconds (or 500ms, 2m, none) [default: {default}]"
    ))
}

/// The help of `--max-time` for `solve`.
pub fn with_time_by_quality(arg: Arg) -> Arg {
    let default = format!("{}s for the quality auto, else 1h", SHORT_TIME.as_secs());
    arg.help(format!(
        "Stop a search after so many seconds (or 500ms, 2m, none) [default: {default}]"
    ))
}

impl LimitArgs {
    /// The limits of commands for which a shortest solution is not the main thing.
    pub fn short(&self) -> Limits {
        let max_time = self.max_time.map_or(Some(SHORT_TIME), |Limit(limit)| limit);
        Limits { max_time, ..self.limits(None) }
    }

    /// How long a fast solution is improved: not at all unless a time is given.
    fn improve(&self) -> Duration {
        self.max_time.map_or(Duration::ZERO, |Limit(limit)| limit.unwrap_or(Duration::MAX))
    }

    /// The limits, with defaults for those that were not given.
    pub fn limits(&self, max_depth: Option<u32>) -> Limits {
        let defaults = Config::default().limits;
        Limits {
            max_expanded: self.max_expanded,
            max_depth,
            max_time: self.max_time.map_or(defaults.max_time, |Limit(limit)| limit),
            max_bytes: self.max_bytes().map(for_searches),
        }
    }

    /// The memory that the program may take.
    pub fn max_bytes(&self) -> Option<u64> {
        self.max_memory.map_or(Some(Config::DEFAULT_MAX_BYTES), |Limit(limit)| limit)
    }
}

impl SearchArgs {
    /// The quality that is asked for; none by whoever says how to search, or asks for `all` shortest solutions.
    fn quality(&self, all: bool) -> Option<Quality> {
        let says_how = self.algorithm.is_some()
            || self.heuristic.is_some()
            || self.closed.is_some()
            || self.weight.is_some()
            || self.prune.is_some()
            || self.no_parity_check;
        self.quality.or((!says_how && !all).then_some(Quality::Auto))
    }

    /// The configuration that the arguments ask for, be it for `all` shortest solutions.
    pub fn config(&self, limits: &LimitArgs, all: bool) -> Config {
        let quality = self.quality(all);
        Config {
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            weight: self.weight,
            tables: self.tables.clone(),
            metric: self.metric,
            closed: self.closed,
            prune: self.prune,
            parity_check: !self.no_parity_check,
            quality,
            improve: limits.improve(),
            limits: Limits {
                max_time: match (quality, limits.max_time) {
                    (Some(Quality::Auto), None) => Some(SHORT_TIME),
                    _ => limits.limits(None).max_time,
                },
                ..limits.limits(self.max_depth)
            },
            ..Config::default()
        }
    }
}

/// Reads the name of an algorithm.
pub fn algorithm_parser() -> impl TypedValueParser<Value = &'static str> {
    Names::new(ALGORITHMS.iter().map(|row| row.name), ALGORITHM_ALIASES)
        .try_map(|name| Algorithm::named(&name).map(|row| row.name))
}

/// Reads the name of a heuristic.
pub fn heuristic_parser() -> impl TypedValueParser<Value = &'static str> {
    Names::new(HEURISTICS.iter().map(|row| row.name), HEURISTIC_ALIASES)
        .try_map(|name| HeuristicRow::named(&name).map(|row| row.name))
}

/// Reads the name of a kind of closed list.
pub fn closed_parser() -> impl TypedValueParser<Value = Closed> {
    Names::new(Closed::ALL.map(Closed::name), &[]).map(|name| {
        let found = Closed::ALL.into_iter().find(|closed| closed.name() == name);
        found.expect("the parser admits names only")
    })
}

/// More than the largest matrix takes.
const MATRIX_BYTES: u64 = 1 << 20;

/// Reads the name of a heuristic, or `matrix=FILE`.
fn heuristic(text: &str) -> Result<HeuristicChoice, String> {
    let Some(path) = text.strip_prefix("matrix=") else {
        let names = Names::new(HEURISTICS.iter().map(|row| row.name), HEURISTIC_ALIASES);
        let row = HeuristicRow::named(names.meant(text).unwrap_or(text)).map(|row| row.name.into());
        return row.map_err(|_| {
            let near = names.near(text).map(|name| format!("did you mean {name}? "));
            let names: Vec<&str> = HEURISTICS.iter().map(|row| row.name).collect();
            let near = near.unwrap_or_default();
            format!(
                "there is no such heuristic; {near}there are {} and matrix=FILE",
                names.join(", ")
            )
        });
    };
    let text = small_text(path, MATRIX_BYTES)?;
    let matrix = DistanceMatrix::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    Ok(HeuristicChoice::Matrix(matrix.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_itself_takes_memory() {
        let megabytes = |limit: u64| for_searches(limit << 20) >> 20;
        assert_eq!([1024, 64, 16, 12].map(megabytes), [1014, 54, 8, 6]);
        assert_eq!((for_searches(0), for_searches(1)), (0, 0));
    }
}

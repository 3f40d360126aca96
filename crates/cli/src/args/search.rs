//! Options that select the search and its limits.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::{Arg, Args};
use loyd::Config;
use loyd::moves::Metric;
use loyd::search::{
    ALGORITHMS, Algorithm, ClosedKind, DistanceMatrix, HEURISTICS, HeuristicChoice, HeuristicRow,
    Limits, Prune, Quality, TableChoice, TileCosts, Weight,
};

use super::names::{
    ALGORITHM_ALIASES, HEURISTIC_ALIASES, Names, metric_parser, prune, quality, tables,
};
use crate::files;
use crate::memory;
use crate::units::{self, Limit};
use std::path::Path;

/// The options that select a search.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Solution quality: auto, optimal, bounded=W or fast [default: auto; optimal if --algorithm or another option
    /// selects the search].
    ///
    /// auto: a shortest solution if one can be proved within 10 s or --max-time, otherwise the best one found, with
    /// its proved bounds. optimal: a solution proved shortest, or none. bounded=W: proved at most W times as long as a
    /// shortest solution. fast: immediately, then improved until --max-time if that is given.
    #[arg(long, value_name = "QUALITY", value_parser = quality)]
    pub quality: Option<Quality>,
    /// Algorithm, from `loyd list algorithms` [default: the best for the board]
    #[arg(long, value_name = "NAME", value_parser = algorithm_parser(), hide_possible_values = true)]
    pub algorithm: Option<&'static str>,
    /// Heuristic, from `loyd list heuristics`, or matrix=FILE [default: the best for the board].
    ///
    /// matrix=FILE reads a cells x cells matrix of distances. With --algorithm, the default is manhattan (zero in
    /// mtm).
    #[arg(long, value_name = "NAME", value_parser = heuristic)]
    pub heuristic: Option<HeuristicChoice>,
    /// Pattern databases for the heuristic pdb: default, auto, a named partition or goal cells.
    ///
    /// auto chooses by the number of boards. Named partitions: 5-5-5, 6-6-3, 7-7-1 and 7-8 for 4x4; 6-6-6-6 for 5x5;
    /// catalogue for 3x6, 3x7, 4x5, 4x6 and 5x5. Goal cells are written as in 1,4,5,8,9,12/2,3,6,7,10,11/13,14,15; on
    /// 17 to 25 cells, a plus sign separates partitions, of which the largest sum counts.
    #[arg(long, value_name = "TABLES", value_parser = tables, default_value_t)]
    pub tables: TableChoice,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    /// Cost of moving a tile: unit (1), inverse (1/n for tile n), heavy (n for tile n) or a list.
    ///
    /// A list has a cost for each tile, as in 1,2.5,1/3. Costs other than unit require astar, idastar or wastar with
    /// manhattan, which then look for a cheapest solution.
    #[arg(long, value_name = "COSTS", default_value_t, allow_negative_numbers = true)]
    pub costs: TileCosts,
    /// Weight of wastar, from 1 to 100 [default: 2]
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub weight: Option<Weight>,
    /// Closed list, which recognises states that the search has already reached
    #[arg(long, value_name = "KIND", value_parser = closed_parser())]
    pub closed: Option<ClosedKind>,
    /// Move sequences that depth-first searches skip: undo or automaton[=WORDS].
    ///
    /// undo skips moves that reverse the previous one; automaton also skips words of up to WORDS moves with the same
    /// effect as another word, as in automaton=14 [default: undo; automaton with pattern databases on 4x4 boards and
    /// on boards of 17 to 25 cells]
    #[arg(long, value_name = "HOW", value_parser = prune)]
    pub prune: Option<Prune>,
    /// Try no solution longer than MOVES
    #[arg(long, value_name = "MOVES", value_parser = units::natural::<u32>, allow_negative_numbers = true)]
    pub max_depth: Option<u32>,
    /// Prove unsolvability by exhaustive search; refused with dfs, iddfs and idastar, which cannot
    #[arg(long)]
    pub no_parity_check: bool,
}

/// The limits of a search.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Stop a search after expanding NODES nodes
    #[arg(long, value_name = "NODES", value_parser = units::natural::<u64>, allow_negative_numbers = true)]
    pub max_expanded: Option<u64>,
    /// Stop a search after TIME seconds (or 500ms, 2m, none) [default: 1h]
    #[arg(long, value_name = "TIME", value_parser = units::time, allow_negative_numbers = true)]
    pub max_time: Option<Limit<Duration>>,
    /// Stop a search that needs more memory (64M, 2G, none), including 10M for the program itself [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, allow_negative_numbers = true)]
    pub max_memory: Option<Limit<u64>>,
}

/// Default time limit of commands that can answer without a shortest solution.
pub const SHORT_TIME: Duration = Duration::from_secs(10);

/// Sets the help of `--max-time` for commands that use [`LimitArgs::short`].
pub fn with_short_time(arg: Arg) -> Arg {
    let default = format!("{}s", SHORT_TIME.as_secs());
    arg.help(format!("Stop searching after TIME seconds (or 500ms, 2m, none) [default: {default}]"))
}

/// Sets the help of `--max-time` for `solve`.
pub fn with_time_by_quality(arg: Arg) -> Arg {
    let default = format!("{}s with --quality auto, otherwise 1h", SHORT_TIME.as_secs());
    arg.help(format!("Stop a search after TIME seconds (or 500ms, 2m, none) [default: {default}]"))
}

impl LimitArgs {
    /// Returns the limits for commands that can answer without a shortest solution: [`SHORT_TIME`] by default.
    pub fn short(&self) -> Limits {
        let max_time = self.max_time.map_or(Some(SHORT_TIME), |Limit(limit)| limit);
        Limits { max_time, ..self.limits(None) }
    }

    /// Returns how long to improve a fast solution: zero unless `--max-time` is given.
    fn improve(&self) -> Duration {
        self.max_time.map_or(Duration::ZERO, |Limit(limit)| limit.unwrap_or(Duration::MAX))
    }

    /// Returns the limits, with defaults for the options that are absent.
    pub fn limits(&self, max_depth: Option<u32>) -> Limits {
        let defaults = Config::default().limits;
        Limits {
            max_expanded: self.max_expanded,
            max_depth,
            max_time: self.max_time.map_or(defaults.max_time, |Limit(limit)| limit),
            max_bytes: memory::allowed(self.max_memory, defaults.max_bytes)
                .map(memory::for_searches),
        }
    }

    /// Returns the memory limit in bytes that was requested, or `None` if it is unlimited. This process may be allowed
    /// less, see [`memory::allowed`].
    pub fn max_bytes(&self) -> Option<u64> {
        self.max_memory.map_or(Some(Config::DEFAULT_MAX_BYTES), |Limit(limit)| limit)
    }
}

impl SearchArgs {
    /// Returns the requested quality.
    ///
    /// The default is `auto`, or `None` if an option selects the search or `all` shortest solutions are requested.
    fn quality(&self, all: bool) -> Option<Quality> {
        let chooses_search = self.algorithm.is_some()
            || self.heuristic.is_some()
            || self.closed.is_some()
            || self.weight.is_some()
            || self.prune.is_some()
            || self.no_parity_check;
        self.quality.or((!chooses_search && !all).then_some(Quality::Auto))
    }

    /// Returns the configuration for the arguments; `all` requests all shortest solutions.
    pub fn config(&self, limits: &LimitArgs, all: bool) -> Config {
        let quality = self.quality(all);
        Config {
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            weight: self.weight,
            tables: self.tables.clone(),
            metric: self.metric,
            costs: self.costs.clone(),
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

/// Returns the number of threads: by default one per core, at most 256.
pub fn or_cores(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    const MOST: NonZeroUsize = NonZeroUsize::new(256).expect("not 0");
    let cores = std::thread::available_parallelism();
    threads.unwrap_or(cores.unwrap_or(NonZeroUsize::MIN)).min(MOST)
}

/// Parses the name of an algorithm.
pub fn algorithm_parser() -> impl TypedValueParser<Value = &'static str> {
    Names::new(ALGORITHMS.iter().map(|row| row.name), ALGORITHM_ALIASES)
        .try_map(|name| Algorithm::named(&name).map(|row| row.name))
}

/// Parses the name of a heuristic.
pub fn heuristic_parser() -> impl TypedValueParser<Value = &'static str> {
    Names::new(HEURISTICS.iter().map(|row| row.name), HEURISTIC_ALIASES)
        .try_map(|name| HeuristicRow::named(&name).map(|row| row.name))
}

/// Parses the name of a kind of closed list.
pub fn closed_parser() -> impl TypedValueParser<Value = ClosedKind> {
    Names::new(ClosedKind::ALL.map(ClosedKind::name), &[]).map(|name| {
        let found = ClosedKind::ALL.into_iter().find(|closed| closed.name() == name);
        found.expect("the parser accepts only these names")
    })
}

/// Size limit of a matrix file in bytes, more than the largest matrix needs.
const MATRIX_BYTES: u64 = 1 << 20;

/// Parses the name of a heuristic, or `matrix=FILE`.
fn heuristic(text: &str) -> Result<HeuristicChoice, String> {
    let Some(path) = text.strip_prefix("matrix=") else {
        let names = Names::new(HEURISTICS.iter().map(|row| row.name), HEURISTIC_ALIASES);
        let row =
            HeuristicRow::named(names.resolve(text).unwrap_or(text)).map(|row| row.name.into());
        return row.map_err(|_| {
            let near = names.suggestion(text).map(|name| format!("did you mean {name}? "));
            let names: Vec<&str> = HEURISTICS.iter().map(|row| row.name).collect();
            let near = near.unwrap_or_default();
            format!("unknown heuristic; {near}available: {}, matrix=FILE", names.join(", "))
        });
    };
    let text = files::open(Path::new(path)).and_then(|file| files::read_text(file, MATRIX_BYTES));
    let text = text.map_err(|error| format!("{path}: {error}"))?;
    let matrix = DistanceMatrix::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    Ok(HeuristicChoice::Matrix(matrix.into()))
}

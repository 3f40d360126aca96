//! The rules of environments, and the step that applies them to all environments at once: moves first, then rewards and
//! episode ends.

use loyd::board::Size;
use loyd::{Board, Move};

/// Reward of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// −1 per step.
    #[default]
    Step,
    /// 1 for reaching the goal, 0 otherwise.
    Goal,
    /// Minus the number of tiles (not counting the blank) off their goal cells.
    Misplaced,
    /// Decrease of the summed Manhattan distance of all tiles: 1 for a move that takes a tile nearer to its goal cell,
    /// −1 for any other move, 0 if nothing moved.
    Manhattan,
}

/// When an environment restarts after its episode has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// The next step starts a new episode instead of performing the action, with reward 0.
    #[default]
    NextStep,
    /// The same step starts a new episode; [`Environments::ended_episodes`](super::Environments::ended_episodes) holds the final boards.
    SameStep,
    /// The caller must reset the environment before the next step.
    Never,
}

/// Rules of environments.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Goal board, which ends an episode.
    pub goal: Board,
    /// Reward of a step.
    pub reward: Reward,
    /// Number of steps after which an episode is truncated, at least 1.
    pub max_steps: Option<u32>,
    /// When an environment restarts.
    pub restart: Restart,
    /// Whether moves off the board are errors.
    pub refuse_illegal: bool,
}

impl Rules {
    /// Creates rules with reward −1 per step, no step limit, and a restart in the step after the last.
    pub fn new(goal: Board) -> Self {
        let (reward, restart) = (Reward::default(), Restart::default());
        Self { goal, reward, max_steps: None, restart, refuse_illegal: false }
    }
}

/// Error of an operation on environments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// The number of environments is 0.
    #[error("at least one environment is required")]
    NoEnvironments,
    /// The step limit is 0.
    #[error("an episode needs at least one step")]
    NoSteps,
    /// There is not enough memory for this many environments.
    #[error("there is not enough memory for {0} environments")]
    Memory(usize),
    /// The number of actions differs from the number of environments.
    #[error("{found} actions for {expected} environments; exactly one per environment is required")]
    Count {
        /// Number of actions.
        found: usize,
        /// Number of environments.
        expected: usize,
    },
    /// An action is not in 0 to 3.
    #[error(
        "environment {environment}: invalid action {action}: 0 to 3 move the blank up, left, right and down"
    )]
    Action {
        /// Index of the environment.
        environment: usize,
        /// The invalid action.
        action: i64,
    },
    /// The blank would leave the board.
    #[error("environment {environment}: the blank on cell {cell} cannot go {direction:?}")]
    Illegal {
        /// Index of the environment.
        environment: usize,
        /// Cell of its blank, from 0.
        cell: u8,
        /// Direction of the move.
        direction: Move,
    },
    /// The episode has ended.
    #[error("environment {environment}: the episode has ended and was not reset")]
    EpisodeEnded {
        /// Index of the environment.
        environment: usize,
    },
    /// The board is invalid for the goal.
    #[error("{0}")]
    Board(String),
}

/// One row per cell or tile. Arrays always have 256 rows, so that a byte indexes them without a bounds check; rows
/// beyond the board's size are never read.
#[derive(Debug)]
pub struct Table {
    /// Number of cells of a board.
    pub cells: usize,
    /// Cell of the blank after each action from each cell; the cell itself if the move would leave the board.
    pub targets: [[u8; 4]; Size::MAX_SEARCH_CELLS],
    /// Action mask of a blank on each cell: 1 for a legal move, 0 otherwise.
    pub masks: [[i8; 4]; Size::MAX_SEARCH_CELLS],
    /// Goal cell of each tile and of the blank.
    pub home: [u8; Size::MAX_SEARCH_CELLS],
    /// Manhattan distance of each tile from its goal cell, by tile and cell; 0 for the blank.
    pub distances: Box<[[u8; Size::MAX_SEARCH_CELLS]; Size::MAX_SEARCH_CELLS]>,
}

impl Table {
    /// Builds the table for `goal`. Memory: 68 KB.
    pub fn new(goal: &Board) -> Self {
        let size = goal.size();
        let mut table = Self {
            cells: size.cells(),
            targets: [[0; 4]; Size::MAX_SEARCH_CELLS],
            masks: [[0; 4]; Size::MAX_SEARCH_CELLS],
            home: [0; Size::MAX_SEARCH_CELLS],
            distances: Box::new([[0; Size::MAX_SEARCH_CELLS]; Size::MAX_SEARCH_CELLS]),
        };
        for cell in size.iter_cells() {
            let neighbours = Move::ALL.map(|m| size.neighbour(cell, m));
            table.targets[cell.index()] = neighbours.map(|to| to.unwrap_or(cell).index() as u8);
            table.masks[cell.index()] = neighbours.map(|to| i8::from(to.is_some()));
            let tile = goal.tile(cell);
            table.home[tile.index()] = cell.index() as u8;
            if !tile.is_blank() {
                for from in size.iter_cells() {
                    // On boards of at most 256 cells, distances are at most 255.
                    table.distances[tile.index()][from.index()] = size.distance(from, cell) as u8;
                }
            }
        }
        table
    }

    /// Returns the number of tiles of `board` off their goal cells.
    pub fn misplaced(&self, board: &[u8]) -> u8 {
        let away = |&(cell, &tile): &(usize, &u8)| {
            tile != 0 && usize::from(self.home[usize::from(tile)]) != cell
        };
        board.iter().enumerate().filter(away).count() as u8
    }
}

/// State that the moves change.
pub struct MoveState<'a> {
    pub boards: &'a mut [u8],
    pub blanks: &'a mut [u8],
    pub misplaced: &'a mut [u8],
    pub masks: &'a mut [[i8; 4]],
    pub rewards: &'a mut [f32],
}

impl MoveState<'_> {
    /// Applies `actions`. Writes rewards only for [`Reward::Manhattan`], which depends on the tile moved.
    pub fn apply(self, table: &Table, reward: Reward, actions: &[u8]) {
        match reward {
            Reward::Manhattan => self.dispatch::<true>(table, actions),
            _ => self.dispatch::<false>(table, actions),
        }
    }

    /// Dispatches to a copy specialised for the number of cells if the size is common.
    fn dispatch<const BY_MANHATTAN: bool>(self, table: &Table, actions: &[u8]) {
        match table.cells {
            9 => self.apply_moves::<BY_MANHATTAN>(table, actions, 9),
            16 => self.apply_moves::<BY_MANHATTAN>(table, actions, 16),
            25 => self.apply_moves::<BY_MANHATTAN>(table, actions, 25),
            cells => self.apply_moves::<BY_MANHATTAN>(table, actions, cells),
        }
    }

    /// Branch-free in the board contents: a move off the board swaps the blank with itself.
    #[inline(always)]
    fn apply_moves<const BY_MANHATTAN: bool>(self, table: &Table, actions: &[u8], cells: usize) {
        let boards = self.boards.chunks_exact_mut(cells).zip(actions);
        let rest = self.blanks.iter_mut().zip(self.misplaced).zip(self.masks).zip(self.rewards);
        for ((board, &action), (((blank, misplaced), mask), reward)) in boards.zip(rest) {
            let from = *blank;
            let to = table.targets[usize::from(from)][usize::from(action & 3)];
            let tile = board[usize::from(to)];
            board[usize::from(from)] = tile;
            board[usize::from(to)] = 0;
            *blank = to;
            *mask = table.masks[usize::from(to)];
            let home = table.home[usize::from(tile)];
            let (was_home, is_home) = (u8::from(home == to), u8::from(home == from));
            *misplaced = misplaced.wrapping_add(was_home).wrapping_sub(is_home);
            if BY_MANHATTAN {
                let away = &table.distances[usize::from(tile)];
                let before = i16::from(away[usize::from(to)]);
                *reward = f32::from(before - i16::from(away[usize::from(from)]));
            }
        }
    }
}

/// State from which rewards and episode ends are derived.
pub struct Outcomes<'a> {
    pub misplaced: &'a [u8],
    pub steps: &'a mut [u32],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
}

/// Writes rewards and episode ends, and returns whether any episode ended.
pub fn score(reward: Reward, max_steps: Option<u32>, outcomes: Outcomes<'_>) -> bool {
    let Outcomes { misplaced, steps, rewards, terminated, truncated } = outcomes;
    match reward {
        Reward::Step => rewards.fill(-1.0),
        Reward::Goal => {
            for (reward, &misplaced) in rewards.iter_mut().zip(misplaced) {
                *reward = f32::from(u8::from(misplaced == 0));
            }
        }
        Reward::Misplaced => {
            for (reward, &misplaced) in rewards.iter_mut().zip(misplaced) {
                *reward = -f32::from(misplaced);
            }
        }
        Reward::Manhattan => {}
    }
    // Without a limit the threshold is `u32::MAX`, which no step count exceeds.
    let before_last = max_steps.map_or(u32::MAX, |most| most - 1);
    let mut any = false;
    for ((won, &misplaced), (late, steps)) in
        terminated.iter_mut().zip(misplaced).zip(truncated.iter_mut().zip(steps))
    {
        *steps = steps.saturating_add(1);
        *won = misplaced == 0;
        *late = *steps > before_last;
        any |= *won | *late;
    }
    any
}

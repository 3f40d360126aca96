//! One step of all environments: first the moves, then what they are worth.

use super::Reward;
use super::table::Table;

/// What moves change.
pub struct Moving<'a> {
    pub boards: &'a mut [u8],
    pub blanks: &'a mut [u8],
    pub misplaced: &'a mut [u8],
    pub masks: &'a mut [[i8; 4]],
    pub rewards: &'a mut [f32],
}

impl Moving<'_> {
    /// Carries out `actions`. Rewards are written here only if they depend on what moved.
    pub fn carry_out(self, table: &Table, reward: Reward, actions: &[u8]) {
        match reward {
            Reward::Manhattan => self.on_boards::<true>(table, actions),
            _ => self.on_boards::<false>(table, actions),
        }
    }

    /// The usual sizes have code of their own, in which the number of cells is a constant.
    fn on_boards<const NEARER: bool>(self, table: &Table, actions: &[u8]) {
        match table.cells {
            9 => self.on_cells::<NEARER>(table, actions, 9),
            16 => self.on_cells::<NEARER>(table, actions, 16),
            25 => self.on_cells::<NEARER>(table, actions, 25),
            cells => self.on_cells::<NEARER>(table, actions, cells),
        }
    }

    /// There is no branch on what the boards are: a move that would leave the board exchanges the blank with itself.
    #[inline(always)]
    fn on_cells<const NEARER: bool>(self, table: &Table, actions: &[u8], cells: usize) {
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
            if NEARER {
                let away = &table.distances[usize::from(tile)];
                let before = i16::from(away[usize::from(to)]);
                *reward = f32::from(before - i16::from(away[usize::from(from)]));
            }
        }
    }
}

/// What follows from the moves.
pub struct Judging<'a> {
    pub misplaced: &'a [u8],
    pub steps: &'a mut [u32],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
}

/// Says which episodes are over and what the steps were worth; whether any is over.
pub fn judge(reward: Reward, max_steps: Option<u32>, judging: Judging<'_>) -> bool {
    let Judging { misplaced, steps, rewards, terminated, truncated } = judging;
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
    // No number of steps is above the largest, so that episodes without a limit have none.
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

//! A small domain for tests: pancakes, sorted by flipping the top of the stack.

use std::fmt;

use crate::heuristic::{Heuristic, IncrementalHeuristic};
use crate::space::{ActionSet, Contexts, Cost, Goals, Packable, Rankable, Reversible, StateSpace};

/// Stacks of up to eight pancakes. An action is the number of pancakes flipped, 2 to n, and is its own inverse.
#[derive(Clone, Debug)]
pub struct Pancakes {
    n: u8,
    smallest_flip: u8,
}

/// Sizes from the top, where 0 is the smallest. Unused places hold their own index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stack([u8; 8]);

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Stack {
    /// Returns the stack in which each pancake is named by its place in `names`. It is as many flips away from the
    /// sorted stack as this one is from `names`.
    pub fn renamed_by(&self, names: &Self) -> Self {
        let name = |pancake| names.0.iter().position(|&other| other == pancake);
        Self(self.0.map(|pancake| name(pancake).expect("both hold all pancakes") as u8))
    }
}

impl Pancakes {
    pub fn new(n: u8) -> Self {
        Self { n, smallest_flip: 2 }
    }

    /// Allows only the flip of the whole stack, so that only two states are connected.
    pub fn whole_flips(n: u8) -> Self {
        Self { n, smallest_flip: n }
    }
}

/// A bit for each number of pancakes that may be flipped.
#[derive(Clone, Copy, Debug)]
pub struct Flips(u16);

impl Iterator for Flips {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        let flip = (0..16).find(|flip| self.0 >> flip & 1 == 1)?;
        self.0 &= !(1 << flip);
        Some(flip)
    }
}

impl DoubleEndedIterator for Flips {
    fn next_back(&mut self) -> Option<u8> {
        let flip = (0..16).rev().find(|flip| self.0 >> flip & 1 == 1)?;
        self.0 &= !(1 << flip);
        Some(flip)
    }
}

impl ActionSet<u8> for Flips {
    fn without(self, flip: Option<u8>) -> Self {
        Self(self.0 & !flip.map_or(0, |flip| 1 << flip))
    }
    fn count(self) -> u64 {
        self.0.count_ones().into()
    }
}

impl StateSpace for Pancakes {
    type State = Stack;
    type Action = u8;
    type Actions = Flips;

    fn actions(&self, _: &Stack) -> Self::Actions {
        (self.smallest_flip..=self.n).fold(Flips(0), |flips, flip| Flips(flips.0 | 1 << flip))
    }
    fn apply(&self, state: &mut Stack, flip: u8) {
        // A loop instead of `reverse`, which gave wrong results when inlined into `replay` at opt-level 2 with
        // rustc 1.95.0 (and correct ones at 0 and 1).
        let flip = usize::from(flip);
        (0..flip / 2).for_each(|i| state.0.swap(i, flip - 1 - i));
    }
    fn is_goal(&self, state: &Stack) -> bool {
        state.0 == [0, 1, 2, 3, 4, 5, 6, 7]
    }
}

impl Reversible for Pancakes {
    fn inverse(&self, flip: u8) -> u8 {
        flip
    }
}

impl Goals for Pancakes {
    fn goals(&self) -> Vec<Stack> {
        vec![Stack([0, 1, 2, 3, 4, 5, 6, 7])]
    }
}

impl Packable for Pancakes {
    type Key = [u8; 8];
    fn pack(&self, state: &Stack) -> [u8; 8] {
        state.0
    }
    fn unpack(&self, key: [u8; 8]) -> Stack {
        Stack(key)
    }
}

impl Rankable for Pancakes {
    fn state_count(&self) -> Option<u64> {
        Some((1..=u64::from(self.n)).product())
    }
    fn rank(&self, state: &Stack) -> u64 {
        let stack = &state.0[..self.n.into()];
        stack.iter().enumerate().fold(0, |rank, (i, size)| {
            let later_smaller = stack[i..].iter().filter(|&s| s < size).count();
            rank * (stack.len() - i) as u64 + later_smaller as u64
        })
    }
    fn unrank(&self, mut rank: u64) -> Stack {
        let n = usize::from(self.n);
        let mut digits = [0; 8];
        for i in (0..n).rev() {
            digits[i] = (rank % (n - i) as u64) as usize;
            rank /= (n - i) as u64;
        }
        let mut left: Vec<u8> = (0..self.n).collect();
        let mut stack = [0, 1, 2, 3, 4, 5, 6, 7];
        for i in 0..n {
            stack[i] = left.remove(digits[i]);
        }
        Stack(stack)
    }
}

/// Number of neighbours in the stack that are not neighbours in size. Each flip fixes at most one (Helmert 2010).
/// Admissible and consistent.
#[derive(Clone, Copy, Debug)]
pub struct Gap;

impl Heuristic<Pancakes> for Gap {
    fn h(&self, space: &Pancakes, state: &Stack) -> Cost {
        let n = usize::from(space.n);
        let plate = |i: usize| if i == n { n as u8 } else { state.0[i] };
        (0..n).filter(|&i| plate(i).abs_diff(plate(i + 1)) != 1).count() as Cost
    }
}

impl IncrementalHeuristic<Pancakes> for Gap {
    type Memo = Cost;
    fn memo(&self, space: &Pancakes, state: &Stack) -> Cost {
        self.h(space, state)
    }
    fn update(&self, space: &Pancakes, memo: Cost, parent: &Stack, flip: u8, _: &Stack) -> Cost {
        let (n, flip) = (usize::from(space.n), usize::from(flip));
        let below = if flip == n { n as u8 } else { parent.0[flip] };
        let gap = |upper: u8| Cost::from(upper.abs_diff(below) != 1);
        memo - gap(parent.0[flip - 1]) + gap(parent.0[0])
    }
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

impl Contexts for Pancakes {
    fn context_count(&self) -> usize {
        1
    }
    fn context(&self, _: &Stack) -> usize {
        0
    }
    fn representative(&self, _: usize) -> Stack {
        Stack([0, 1, 2, 3, 4, 5, 6, 7])
    }
    fn action_count(&self) -> usize {
        usize::from(self.n - self.smallest_flip) + 1
    }
    fn action_index(&self, flip: u8) -> usize {
        (flip - self.smallest_flip).into()
    }
    fn action(&self, index: usize) -> u8 {
        self.smallest_flip + index as u8
    }
}

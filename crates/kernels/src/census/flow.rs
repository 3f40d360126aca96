//! One level from the one before: all permutations of a placement at once.

use loyd_heuristics::pdb::levels::Source;

use crate::cpu::{Cpu, Level};
use crate::placement::{Edges, Jumps};

/// What flows into the placements of a part.
pub trait Inflow: Sync {
    /// How many placements that follow each other are asked together.
    fn group(&self) -> usize;

    /// Puts what flows into a group of placements together, if anything does.
    fn gather(&self, group: usize, source: &Source<'_, u64>, buffers: &mut Buffers) -> bool;
}

/// What a thread works with.
pub struct Buffers {
    /// What flows into a group.
    pub reached: Vec<u64>,
    /// The states of a placement, on their way to the next, and after a jump.
    pub carried: Vec<u64>,
    pub jumped: Vec<u64>,
    pub is_carrying: bool,
}

impl Buffers {
    fn new(words: usize, group: usize) -> Self {
        let [carried, jumped] = [(); 2].map(|()| vec![0; words]);
        Self { reached: vec![0; words * group], carried, jumped, is_carrying: false }
    }

    /// Forgets what was carried.
    pub fn carry_nothing(&mut self) {
        self.carried.fill(0);
        self.is_carrying = false;
    }
}

/// What flows in by steps.
pub struct Steps<'a> {
    pub edges: &'a Edges,
    pub jumps: &'a Jumps,
}

impl Inflow for Steps<'_> {
    fn group(&self) -> usize {
        1
    }

    #[inline(always)]
    fn gather(&self, placement: usize, source: &Source<'_, u64>, buffers: &mut Buffers) -> bool {
        self.edges.gather(self.jumps, placement, source, &mut buffers.reached)
    }
}

/// Some groups of placements that follow each other.
pub struct Piece<'a> {
    /// The number of the first group.
    pub first: usize,
    /// The states of the level before the last, in whose place those of the next come.
    pub words: &'a mut [u64],
    /// Which placements have any.
    pub occupied: &'a mut [bool],
    /// The states of the last level there, if it has any in this part.
    pub last: Option<&'a [u64]>,
}

/// Finds the states of the next level in some groups; returns how many they are.
pub fn advance(
    flow: &impl Inflow,
    level: Level,
    source: &Source<'_, u64>,
    mut piece: Piece<'_>,
) -> u64 {
    let piece = &mut piece;
    match level.cpu() {
        Cpu::Scalar => advance_inlined(flow, source, piece),
        // SAFETY: the machine has this level.
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx2 => unsafe { advance_avx2(flow, source, piece) },
        // SAFETY: the machine has this level.
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 => unsafe { advance_avx512(flow, source, piece) },
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::Avx512 | Cpu::Avx2 => unreachable!("no such level on this machine"),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn advance_avx2(flow: &impl Inflow, source: &Source<'_, u64>, piece: &mut Piece<'_>) -> u64 {
    advance_inlined(flow, source, piece)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn advance_avx512(flow: &impl Inflow, source: &Source<'_, u64>, piece: &mut Piece<'_>) -> u64 {
    advance_inlined(flow, source, piece)
}

/// It is inlined, as all that it calls, to be compiled for each level of instructions.
#[inline(always)]
fn advance_inlined(flow: &impl Inflow, source: &Source<'_, u64>, piece: &mut Piece<'_>) -> u64 {
    let (group, width) = (flow.group(), piece.words.len() / piece.occupied.len());
    let mut buffers = Buffers::new(width, group);
    let groups = piece.words.chunks_exact_mut(group * width);
    let mut count = 0;
    for (index, (words, occupied)) in groups.zip(piece.occupied.chunks_exact_mut(group)).enumerate()
    {
        if !flow.gather(piece.first + index, source, &mut buffers) {
            if occupied.contains(&true) {
                words.fill(0);
                occupied.fill(false);
            }
            continue;
        }
        let last = piece.last.map(|last| &last[index * group * width..][..group * width]);
        let words = words.chunks_exact_mut(width).zip(buffers.reached.chunks_exact(width));
        for (placement, ((words, reached), occupied)) in words.zip(occupied).enumerate() {
            let new = match last {
                None => replace(words, reached, std::iter::repeat(&0)),
                Some(last) => replace(words, reached, &last[placement * width..][..width]),
            };
            *occupied = new > 0;
            count += u64::from(new);
        }
    }
    count
}

/// Replaces the states of the level before the last by those that are reached and in neither of the two levels;
/// returns how many they are.
#[inline(always)]
fn replace<'a>(words: &mut [u64], reached: &[u64], last: impl IntoIterator<Item = &'a u64>) -> u32 {
    let mut count = 0;
    for ((word, reached), last) in words.iter_mut().zip(reached).zip(last) {
        let new = reached & !(*word | last);
        *word = new;
        count += new.count_ones();
    }
    count
}

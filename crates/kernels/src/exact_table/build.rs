//! Building the table: all permutations of a placement at once, see [`levels`](loyd_heuristics::pdb::levels).
//!
//! The states of a placement are bits of some hundred words. What flows into a placement by a move along a row of
//! the board, or by a move of a placed tile, comes from another placement as it is; by another vertical move
//! its states come permuted, see [`Jumps`]. In the end every state has been met, and those with bit 1 of
//! their distance set are the table.
//!
//! It is not the pattern of all tiles that [`Database`](loyd_heuristics::pdb::Database) would build: half of
//! the permutations of all tiles cannot be reached, and leaving them out halves memory and time.

use loyd_heuristics::pdb::Words;
use loyd_heuristics::pdb::levels::{Flow, Half, Piece, Source, meet, meet_all};
use loyd_search::{Meter, Stop};

use super::states::States;
use crate::cpu::{Cpu, Level};
use crate::placement::{Edges, Jumps};

/// The table, and how many states there are at each distance.
pub fn build(
    states: &States,
    level: Level,
    meter: &mut Meter<'_>,
) -> Result<(Words, Vec<u64>), Stop> {
    let flow = Inflows::new(states, level);
    let placements = flow.halves.each_ref().map(Edges::placements);
    let words = states.placement_words() * (placements[0] + placements[1]);
    meter.reserve(2 * Words::held_bytes(words) + states.bytes() + flow.bytes())?;
    meter.progress(0, states.count())?;
    let (mut zero, mut one) = (zeroed(words)?, zeroed(words)?);
    let census = {
        let even = states.placement_words() * placements[0];
        let (zero, one) = (zero.split_at_mut(even), one.split_at_mut(even));
        let half = |met| Half::new(met, states.placement_words(), flow.permutations);
        let mut halves = [half([zero.0, one.0]), half([zero.1, one.1])];
        halves[0].meet_goal(states.placement_of(states.goal()), |placement| placement[0] = 1);
        let progress = |meter: &mut Meter<'_>, met| meter.progress(met, states.count());
        meet_all(&mut halves, (0, 1), &flow, meter, progress)?
    };
    Ok((one, census))
}

fn zeroed(words: usize) -> Result<Words, Stop> {
    Words::zeroed(words).map_err(|_| Stop::Memory)
}

/// What flows into the placements that `states` has at this parity of the distance.
fn edges(states: &States, jumps: &Jumps, half: usize) -> Edges {
    let placements = states.codes()[half].iter().map(|&code| states.cells(code));
    Edges::new((states.size(), states.goal().blank()), jumps, placements, |cells| {
        let first = states.half(cells[0].into()) * states.codes()[0].len();
        (states.placement(states.code(cells)) - first) as u32
    })
}

/// What flows from the placements of one half into those of the other.
struct Inflows {
    halves: [Edges; 2],
    jumps: Jumps,
    placement_words: usize,
    /// The states of a placement.
    permutations: u32,
    level: Level,
}

impl Inflows {
    fn new(states: &States, level: Level) -> Self {
        let jumps = Jumps::new(states.permuted());
        let halves = [0, 1].map(|half| edges(states, &jumps, half));
        let placements = (halves[0].placements() + halves[1].placements()) as u64;
        Self {
            halves,
            placement_words: states.placement_words(),
            permutations: (states.count() / placements) as u32,
            jumps,
            level,
        }
    }

    /// The bytes of this, and of what is kept of each placement beside its states.
    fn bytes(&self) -> u64 {
        let placements = self.halves.each_ref().map(Edges::placements).iter().sum::<usize>();
        let counts = placements * Half::<u64>::BYTES;
        let halves = self.halves.each_ref().map(Edges::bytes).iter().sum::<u64>();
        halves + self.jumps.bytes() + counts as u64
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance_avx2(
        &self,
        half: usize,
        source: &Source<'_, u64>,
        piece: &mut Piece<'_, u64>,
    ) -> u64 {
        self.advance_inlined(half, source, piece)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance_avx512(
        &self,
        half: usize,
        source: &Source<'_, u64>,
        piece: &mut Piece<'_, u64>,
    ) -> u64 {
        self.advance_inlined(half, source, piece)
    }

    /// It is inlined, as all that it calls, to be compiled for each level.
    #[inline(always)]
    fn advance_inlined(
        &self,
        half: usize,
        source: &Source<'_, u64>,
        piece: &mut Piece<'_, u64>,
    ) -> u64 {
        let (half, words) = (&self.halves[half], self.placement_words);
        let mut reached = vec![0; words];
        let placements = piece.same.chunks_exact_mut(words).zip(piece.other.chunks_exact(words));
        let mut count = 0;
        for (placement, (same, other)) in placements.enumerate() {
            piece.fresh[placement] = false;
            if piece.left[placement] > 0
                && half.gather(&self.jumps, piece.first + placement, source, &mut reached)
            {
                let new = meet(same, other, &reached);
                piece.fresh[placement] = new > 0;
                piece.left[placement] -= new;
                count += u64::from(new);
            }
        }
        count
    }
}

impl Flow<u64> for Inflows {
    fn advance(&self, half: usize, source: &Source<'_, u64>, mut piece: Piece<'_, u64>) -> u64 {
        let piece = &mut piece;
        match self.level.cpu() {
            Cpu::Scalar => self.advance_inlined(half, source, piece),
            // SAFETY: the machine has this level.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => unsafe { self.advance_avx2(half, source, piece) },
            // SAFETY: the machine has this level.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => unsafe { self.advance_avx512(half, source, piece) },
            #[cfg(not(target_arch = "x86_64"))]
            Cpu::Avx512 | Cpu::Avx2 => unreachable!("no such level on this machine"),
        }
    }
}

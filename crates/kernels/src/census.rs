//! A census: how many states there are at each distance from a goal, level by level, on sets of bits.
//!
//! No set of all that was met is kept. A state of the next level is one that the last level reaches and that is
//! neither in the last level nor in the one before: what lies nearer is reached from no state of the last. A step
//! changes the colour of the blank's cell, so if the goal has the blank on cells of one colour, a level has states of
//! one colour only, and two sets of half the states each are enough. With slides, and with goals that have the blank
//! on both colours, two sets of all states are.
//!
//! The states of the next level come in the place of those of the level before the last.

mod flow;
mod orders;
mod placements;
mod sets;
mod slides;

use loyd_heuristics::pdb::{Orientation, Words};
use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::{Board, Cell, Metric, PartialGoal, Relabelling, Size};

use crate::cpu::{Cpu, Level};
use crate::placement::{self, Edges, Jumps};
use flow::Steps;
use orders::Orders;
use placements::Placements;
use sets::Set;
use slides::Slides;

/// The words of the blocks in which sets are read and written.
const BLOCK: usize = 1 << 17;

/// A census of all boards that can reach a goal, from level to level.
pub struct Census {
    /// A board that meets the goal.
    example: Board,
    orientation: Orientation,
    /// By cell in canonical orientation: whether the goal says what lies there.
    is_required: Vec<bool>,
    placements: Placements,
    orders: Orders,
    moves: Moves,
    level: Level,
    counts: Vec<u64>,
    /// By part: the states of the last level and of the one before, where there may be any.
    last: Vec<Option<Set>>,
    before: Vec<Option<Set>>,
}

/// What flows into the parts.
enum Moves {
    Steps { edges: [Edges; 2], jumps: Jumps },
    Slides(Slides),
}

impl Census {
    /// The most cells of a board.
    pub const MAX_CELLS: usize = 14;

    /// Begins with the boards that meet `goal` and can be reached from `example`, which meets it. Threads share the
    /// work as for [other tables](loyd_heuristics::threads::count), with the instructions of `cpu`, or the best of
    /// this machine if those are less.
    ///
    /// # Errors
    /// [`Stop::Memory`] if it takes more than allowed, see [`bytes`](Self::bytes).
    ///
    /// # Panics
    /// If a board has more than [`MAX_CELLS`](Self::MAX_CELLS) cells, and for goals on a line that leave a cell open.
    pub fn new(
        goal: &PartialGoal,
        example: &Board,
        metric: Metric,
        cpu: Cpu,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        assert!(goal.size().cells() <= Self::MAX_CELLS, "no census of such boards");
        assert!(goal.is_met_by(example), "the board meets the goal");
        meter.reserve(Self::bytes(goal, metric))?;
        let orientation = Orientation::new(&Relabelling::new(example)).expect("the board is small");
        let (size, blank) = (orientation.size(), orientation.blank());
        let (placements, moves) = Moves::new(size, blank, metric);
        let required = |cell| goal.required(orientation.origin(cell)).is_some();
        let mut census = Self {
            example: example.clone(),
            is_required: (0..size.cells() as u8).map(required).collect(),
            orders: Orders::new(placements.permuted()),
            level: Level::at_most(cpu),
            counts: Vec::new(),
            last: Vec::new(),
            before: Vec::new(),
            orientation,
            placements,
            moves,
        };
        assert!(!size.is_line() || census.is_required.iter().all(|&is| is), "no open cells");
        census.begin()?;
        Ok(census)
    }

    /// Enough memory for the census of a goal, in bytes.
    pub fn bytes(goal: &PartialGoal, metric: Metric) -> u64 {
        let size = goal.size();
        let cells = goal.blank_cells();
        let colour = |cell: Cell| size.distance(cells[0], cell) % 2;
        let halves = match metric {
            Metric::SingleTile if cells.iter().all(|&cell| colour(cell) == 0) => 2,
            _ => 4,
        };
        let (placed, permuted) = placement::shares(size);
        let placements: usize = (size.cells() - placed..=size.cells()).product();
        let words = placements * placement::words(permuted);
        // Of each placement: its code, up to four edges, and what is known of the sets.
        let tables = placements * 48 + 4 * size.cells().pow(1 + placed as u32);
        halves * Words::held_bytes(words.div_ceil(2)) + tables as u64 + (3 << 20)
    }

    /// The number of states that can be reached on boards of `size`, all tiles being told apart.
    pub fn states(size: Size) -> u64 {
        placement::count(size)
    }

    /// How many states there are at each distance so far, all tiles being told apart.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Takes up the states that meet the goal.
    fn begin(&mut self) -> Result<(), Stop> {
        let parts = self.placements.parts();
        let has_goals: Vec<bool> = (0..parts)
            .map(|part| self.placements.part(part).any(|cells| self.goals_in(&cells).is_some()))
            .collect();
        for part in 0..parts {
            // The two colours take turns.
            let has_others = has_goals[self.moves.source(part)];
            let set = || Set::empty(self.placements.part(part).len(), self.width());
            let sets = (has_goals[part].then(set), has_others.then(set));
            self.last.push(sets.0.transpose()?);
            self.before.push(sets.1.transpose()?);
        }
        let mut count = 0;
        for part in 0..parts {
            let Some(mut set) = self.last[part].take() else { continue };
            let width = set.width();
            for (words, cells) in set.words.chunks_exact_mut(width).zip(self.placements.part(part))
            {
                if let Some(goals) = self.goals_in(&cells) {
                    words.copy_from_slice(&goals);
                }
            }
            count += set.count();
            self.last[part] = Some(set);
        }
        self.counts.push(count);
        Ok(())
    }

    /// The words of a placement.
    fn width(&self) -> usize {
        placement::words(self.placements.permuted())
    }

    /// The states of a placement that meet the goal, if any do: all tiles that it names are in their places.
    fn goals_in(&self, cells: &[u8]) -> Option<Vec<u64>> {
        let blank = self.orientation.blank();
        let is_required = |cell: u8| self.is_required[usize::from(cell)];
        if is_required(blank) && cells[0] != blank {
            return None;
        }
        let goal_of = |label: usize| label as u8 + u8::from(label >= usize::from(blank));
        let placed = self.placements.placed();
        let is_home = |label: &usize| cells[1 + label] == goal_of(*label);
        let wanted = |label: &usize| is_required(goal_of(*label));
        if !(0..placed).filter(wanted).all(|label| is_home(&label)) {
            return None;
        }
        let is_odd = self.placements.is_odd(cells);
        let mut goals = self.orders.all(is_odd);
        let open = open_cells(self.orientation.size(), cells);
        for label in (placed..placed + self.placements.permuted()).filter(wanted) {
            let place = open.iter().position(|&cell| cell == goal_of(label))?;
            self.orders.keep(&mut goals, is_odd, label - placed, place);
        }
        goals.iter().any(|&word| word != 0).then_some(goals)
    }

    /// Finds the states of the next level; returns how many they are, all tiles being told apart. If there are none,
    /// the last level stays what it was.
    ///
    /// # Errors
    /// The limit that was reached. The census is of no use then.
    pub fn advance(&mut self, meter: &mut Meter<'_>) -> Result<u64, Stop> {
        let (met, all) = (self.counts.iter().sum::<u64>(), Self::states(self.placements.size()));
        let mut next: Vec<_> = self.last.iter().map(|_| None).collect();
        let mut reached = 0;
        for (part, next) in next.iter_mut().enumerate() {
            let Some(source) = &self.last[self.moves.source(part)] else { continue };
            let mut set =
                self.before[part].take().expect("the part is reached from the last level");
            let from = (source, self.last[part].as_ref());
            let watch = |new| meter.progress(met + reached + new, all);
            reached += match &self.moves {
                Moves::Steps { edges, jumps } => {
                    let edges = &edges[part];
                    set.advance(from, &Steps { edges, jumps }, self.level, watch)?
                }
                Moves::Slides(slides) => set.advance(from, slides, self.level, watch)?,
            };
            *next = Some(set);
        }
        if reached == 0 {
            self.before = next;
        } else {
            self.before = std::mem::replace(&mut self.last, next);
            self.counts.push(reached);
        }
        Ok(reached)
    }

    /// The last distance so far.
    pub fn depth(&self) -> Cost {
        self.counts.len() as Cost - 1
    }

    /// Up to `limit` boards of the last level. Of boards that differ only in tiles which the goal does not name, there
    /// is one.
    pub fn farthest(&self, limit: usize) -> Vec<Board> {
        let parts = self.last.iter().enumerate();
        let sets = parts.filter_map(|(part, set)| Some((part, set.as_ref()?)));
        let placements = sets.flat_map(|(part, set)| {
            let words = set.words.chunks_exact(set.width()).zip(&set.occupied);
            words.zip(self.placements.part(part)).filter(|((_, occupied), _)| **occupied)
        });
        let boards = placements.flat_map(|((words, _), cells)| {
            bits(words).filter_map(move |(word, bit)| self.board(&cells, word, bit))
        });
        boards.take(limit).collect()
    }

    /// The board of a state; none if it stands for another one, where tiles that the goal does not name are exchanged.
    fn board(&self, cells: &[u8], word: usize, bit: usize) -> Option<Board> {
        let (size, blank) = (self.orientation.size(), self.orientation.blank());
        let open = open_cells(size, cells);
        let order = self.orders.labels(self.placements.is_odd(cells), word, bit);
        let mut goals = vec![blank; size.cells()];
        for (label, goal) in (0..size.cells() as u8).filter(|&goal| goal != blank).enumerate() {
            let cell = match label.checked_sub(self.placements.placed()) {
                None => cells[1 + label],
                // On a line there is one label to permute, and all others follow.
                Some(label) => {
                    open[order.iter().position(|&l| usize::from(l) == label).unwrap_or(label)]
                }
            };
            goals[usize::from(cell)] = goal;
        }
        self.stands_for_itself(&goals).then(|| {
            let tiles = self.example.size().iter_cells().map(|cell| {
                let goal = goals[usize::from(self.orientation.cell(cell))];
                u32::from(self.example.tile(self.orientation.origin(goal)).number())
            });
            let tiles: Vec<u32> = tiles.collect();
            Board::new(self.example.size(), &tiles).expect("every tile is there once")
        })
    }

    /// Whether the tiles that the goal does not name are in order, but for the last two, which parity may exchange.
    fn stands_for_itself(&self, goals: &[u8]) -> bool {
        let blank = self.orientation.blank();
        let is_free = |goal: &u8| *goal != blank && !self.is_required[usize::from(*goal)];
        let free: Vec<u8> = goals.iter().copied().filter(is_free).collect();
        let most = free.len().saturating_sub(2);
        let (first, rest) = free.split_at(most);
        first.is_sorted() && first.last().is_none_or(|last| rest.iter().all(|goal| goal > last))
    }

    /// The sets that the next level is found from, as an ordered stream of blocks of words: what has to be kept to
    /// [continue](Self::restore) the census, here or elsewhere, or to read it from a file.
    pub fn blocks(&self) -> impl Iterator<Item = &[u64]> {
        let sets = self.last.iter().chain(&self.before).flatten();
        sets.flat_map(|set| set.words.chunks(BLOCK))
    }

    /// Continues a census that has found so many states at each distance, with the blocks that it
    /// [had](Self::blocks): `read` fills in one after the other. Returns whether they have as many states.
    ///
    /// # Errors
    /// What `read` fails with.
    pub fn restore<E>(
        &mut self,
        counts: Vec<u64>,
        mut read: impl FnMut(&mut [u64]) -> Result<(), E>,
    ) -> Result<bool, E> {
        let Some(more) = counts.len().checked_sub(self.counts.len()) else { return Ok(false) };
        if more % 2 == 1 {
            std::mem::swap(&mut self.last, &mut self.before);
        }
        for set in self.last.iter_mut().chain(&mut self.before).flatten() {
            set.words.chunks_mut(BLOCK).try_for_each(&mut read)?;
        }
        self.counts = counts;
        let count = |sets: &mut [Option<Set>]| sets.iter_mut().flatten().map(Set::count).sum();
        let found: [u64; 2] = [count(&mut self.last), count(&mut self.before)];
        let mut counts = self.counts.iter().rev();
        Ok(found.iter().all(|found| counts.next().unwrap_or(&0) == found))
    }
}

impl Moves {
    fn new(size: Size, blank: u8, metric: Metric) -> (Placements, Self) {
        if metric == Metric::MultiTile {
            let placements = Placements::by_column(size, blank);
            let slides = Slides::new(&placements);
            return (placements, Self::Slides(slides));
        }
        let placements = Placements::by_colour(size, blank);
        let (jumps, number) = (Jumps::new(placements.permuted()), placements.numbers());
        let edges =
            [0, 1].map(|part| Edges::new((size, blank), &jumps, placements.part(part), &number));
        drop(number);
        (placements, Self::Steps { edges, jumps })
    }

    /// The part from which states flow into `part`.
    fn source(&self, part: usize) -> usize {
        match self {
            Self::Steps { .. } => 1 - part,
            Self::Slides(_) => part,
        }
    }
}

/// The cells of the tiles that are permuted, in reading order.
fn open_cells(size: Size, cells: &[u8]) -> Vec<u8> {
    (0..size.cells() as u8).filter(|cell| !cells.contains(cell)).collect()
}

/// The bits that are set: the word and the place of each.
fn bits(words: &[u64]) -> impl Iterator<Item = (usize, usize)> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        std::iter::successors(Some(word), |&word| Some(word & word.wrapping_sub(1)))
            .take_while(|&word| word != 0)
            .map(move |word| (index, word.trailing_zeros() as usize))
    })
}

#[cfg(test)]
mod tests;

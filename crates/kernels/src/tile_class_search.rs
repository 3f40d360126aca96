//! IDA* in slides (multi-tile moves) on 4x4 boards, as a software pipeline that hides memory latency.
//!
//! # Heuristic
//! [`TileClassDistance`] is the larger of two abstract distances: one of the board and one of its transpose, the two
//! *sides*. A table word belongs to an arrangement of the tiles without the blank, in an order of cells in which four
//! consecutive *places* form a *line*:
//!
//! | bits of a word | meaning |
//! |---|---|
//! | 2p and 2p + 1 | distance mod 3 with the blank on place p; 3 if the goal cannot be reached |
//!
//! A slide goes along a line on one side and across lines on the other. *Along* a line the arrangement and its word do
//! not change, so the new distance is known at once; this side prunes most children. *Across* lines the arrangement
//! changes, and the new word is a cache miss. Two consecutive slides in the same row or column are redundant, so slides
//! alternate: the sides exchange their parts after each one, and every node has three children.
//!
//! # Stages
//! | stage | does |
//! |---|---|
//! | expand | makes the three children, updates the side along, prefetches the word across, appends to the queue |
//! | test | reads the word of the oldest child in the [`LookaheadQueue`], pushes it to the stack if within the bound |
//!
//! The search expands from the stack while fewer than `LOOKAHEAD` children wait, and tests otherwise.
//!
//! # Iterations
//! As long as at most [`MAX_SEEDS`](queues::MAX_SEEDS) children are pruned, they are the *seeds* from which the next
//! iteration starts, the deepest first, rather than from the root. This skips the work of earlier iterations, and most
//! of the last one, because the solution usually lies below a deep seed. Node counts are still exactly those of IDA\*:
//! an iteration counts every node within its bound. Once there are too many, the last complete set of seeds stays in
//! use.

mod node;
mod queues;
#[cfg(test)]
mod tests;

use loyd_heuristics::pdb::tile_classes::{TileClassDistance, change, code};
use loyd_search::{Cost, IterationEnd, Meter, Outcome, StateSpace, Stop, run_iterations};
use loyd_tiles::{BoardSpace, Packed4x4, Size, Slide, Slides, State4x4};

use crate::cpu::prefetch;
use node::{Node, Side, path_to, rotate, transposed};
use queues::{LOOKAHEAD, LookaheadQueue, Seeds};

/// IDA* with [`TileClassDistance`] in the multi-tile metric, equivalent to [`loyd_search::idastar`] with
/// [`NoUndo`](loyd_search::NoUndo).
///
/// All iterations but the last expand and generate as many nodes as the generic search. The last one visits nodes in
/// another order.
///
/// Cost: constant memory, a few megabytes.
pub struct TileClassSearch<'a> {
    heuristic: &'a TileClassDistance,
    words: &'a [u32],
    /// Partial word numbers by the eight lower tiles of an arrangement (16 bits) and by the seven upper ones (14 bits),
    /// to be added; see [`loyd_heuristics::pdb::tile_classes::Arrangements::parts`].
    lower: &'a [u32; 1 << 16],
    upper: &'a [u32; 1 << 14],
    /// Nodes within the bound, to be expanded.
    stack: Vec<Node>,
    /// Children whose words have been prefetched.
    queue: LookaheadQueue,
    /// The smallest amount by which a pruned child of this iteration exceeds the bound.
    least_overrun: u8,
    /// The children from which the iteration starts.
    seeds: Seeds,
    /// The children that the iteration prunes, if `keeps_pruned`.
    pruned: Seeds,
    /// Whether pruned children are kept.
    keeps_pruned: bool,
}

/// Number of nodes expanded between two limit checks.
const SLICE: u64 = 2048;

/// Maximum length of a solution: the path of a node has 128 bits, two per slide.
const MAX_SLIDES: Cost = 64;

/// Why a search pauses.
enum Pause {
    /// A goal was found by these slides.
    Goal(Vec<Slide>),
    /// The allowed number of nodes has been expanded.
    Spent,
    /// No node within the bound is left.
    Empty,
}

impl<'a> TileClassSearch<'a> {
    /// Creates a search with `heuristic`. Returns `None` unless the heuristic is for 4x4 boards with at most four
    /// classes and a goal with the blank on the main diagonal, which the transpose shares.
    pub fn new(heuristic: &'a TileClassDistance) -> Option<Self> {
        let table = heuristic.table();
        let (lower, upper, _) = table.arrangements().parts();
        let (lower, upper) = (lower.try_into().ok()?, upper.try_into().ok()?);
        // In canonical orientation, the transpose is the only symmetry of a 4x4 board that can keep the blank's cell.
        let fits = table.classes().size() == Size::FIFTEEN && heuristic.views().len() == 2;
        fits.then(|| Self {
            heuristic,
            words: table.words(),
            lower,
            upper,
            stack: Vec::new(),
            queue: LookaheadQueue::default(),
            least_overrun: u8::MAX,
            seeds: Seeds::default(),
            pruned: Seeds::default(),
            keeps_pruned: false,
        })
    }

    /// Finds a shortest path from `start` to the goal of `space`, counted in slides.
    ///
    /// Limits, cancellation and the observer are checked every few thousand expansions, a fraction of a millisecond.
    pub fn solve(
        &mut self,
        space: &Slides<Packed4x4>,
        start: &State4x4,
        meter: &mut Meter<'_>,
    ) -> Outcome<Slide> {
        let Some(memo) = self.heuristic.try_memo(space, start) else {
            return Outcome::Stopped(Stop::Tables);
        };
        let bound = memo[0].distance.max(memo[1].distance);
        let blank = self.heuristic.views()[0].place(space.blank(start)) as u8;
        let [one, two] = memo.map(Side::from);
        let root = Node { across: one, along: two, blank, ..Node::default() };
        self.seeds.clear();
        self.pruned.clear();
        self.keeps_pruned = true;
        run_iterations(bound, meter, &mut |bound, meter| {
            if space.is_goal(start) {
                return Ok(IterationEnd::Solved { path: Vec::new(), cost: 0 });
            }
            if bound > MAX_SLIDES {
                return Err(Stop::Depth);
            }
            let root = Node { left: bound as u8, ..root };
            let goal = |node: &Node| path_to(node, space, start, self.heuristic);
            Ok(match self.search(&root, meter, &goal)? {
                Some(path) => IterationEnd::Solved { cost: path.len() as Cost, path },
                None => IterationEnd::Unsolved {
                    next_bound: Some(bound + Cost::from(self.least_overrun)),
                },
            })
        })
    }

    /// Runs one iteration: searches everything within the bound of `root`, which is not a goal.
    fn search(
        &mut self,
        root: &Node,
        meter: &mut Meter<'_>,
        goal: &impl Fn(&Node) -> Option<Vec<Slide>>,
    ) -> Result<Option<Vec<Slide>>, Stop> {
        self.stack.clear();
        self.queue.clear();
        self.least_overrun = u8::MAX;
        if root.left == 0 {
            self.least_overrun = 1;
            return Ok(None);
        }
        let before = (meter.expanded(), meter.generated());
        self.start_iteration(root, meter)?;
        loop {
            let granted = check_limits(meter)?.min(SLICE);
            let mut left = granted;
            let pause = self.run(&mut left, goal);
            meter.expand_many(granted - left);
            meter.generate(3 * (granted - left));
            meter.reserve(self.bytes())?;
            match pause {
                Pause::Goal(path) => return Ok(Some(path)),
                Pause::Empty => break,
                Pause::Spent => {}
            }
        }
        if self.keeps_pruned {
            std::mem::swap(&mut self.seeds, &mut self.pruned);
            self.pruned.clear();
            self.seeds.bound = root.left;
            self.seeds.skipped = (meter.expanded() - before.0, meter.generated() - before.1);
        }
        Ok(None)
    }

    /// Counts the nodes above the seeds and prepares the seeds. Without seeds, expands `root`: once for slides across
    /// lines on the first side, once for those on the second, 6 children in all.
    fn start_iteration(&mut self, root: &Node, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let left = check_limits(meter)?;
        let seeded = self.seeds.len > 0;
        let (expanded, generated) = if seeded { self.seeds.skipped } else { (1, 6) };
        meter.expand_many(expanded.min(left));
        meter.generate(generated);
        if expanded > left {
            return Err(Stop::Expanded);
        }
        if seeded {
            self.seeds.next = (self.seeds.children.len(), 0);
            self.seeds.raise = root.left - self.seeds.bound;
        } else {
            self.expand(root);
            self.expand(&Node { starts_on_second: true, ..root.transposed() });
        }
        Ok(())
    }

    /// Returns the memory used apart from the table, in bytes.
    fn bytes(&self) -> u64 {
        let kept = self.seeds.bytes() + self.pruned.bytes();
        (size_of::<Self>() + self.stack.capacity() * size_of::<Node>() + kept) as u64
    }

    /// Searches until `left` nodes have been expanded, and decrements `left` accordingly.
    fn run(&mut self, left: &mut u64, goal: &impl Fn(&Node) -> Option<Vec<Slide>>) -> Pause {
        loop {
            if self.queue.len >= LOOKAHEAD || self.stack.is_empty() && !self.push_seed() {
                let Some((child, number)) = self.queue.take() else { return Pause::Empty };
                let Some(node) = self.test(&child, number) else { continue };
                // Both abstract boards can be at their goals without the board being at its goal.
                let at_goals = node.across.distance | node.along.distance == 0;
                match if at_goals { goal(&node) } else { None } {
                    Some(path) => return Pause::Goal(path),
                    None if node.left == 0 => self.prune(1, &child, number),
                    None => self.stack.push(node),
                }
                continue;
            }
            let Some(node) = self.stack.pop() else { continue };
            if *left == 0 {
                self.stack.push(node);
                return Pause::Spent;
            }
            *left -= 1;
            self.expand(&node);
        }
    }

    /// Appends the next seed to the queue. Returns whether there was one.
    fn push_seed(&mut self) -> bool {
        let Some((mut child, number)) = self.seeds.take() else { return false };
        child.left += self.seeds.raise;
        self.enqueue(child, number);
        true
    }

    /// Appends the three children by slides across lines to the queue.
    #[inline(always)]
    fn expand(&mut self, node: &Node) {
        let (mut arrangement, mut place) = (node.across.arrangement, node.blank);
        // Longer slides repeat shorter ones: each line further, the blank passes four more tiles.
        while place < 12 {
            arrangement = rotate(arrangement, place, 2);
            place += 4;
            self.enqueue_across(node, arrangement, place);
        }
        (arrangement, place) = (node.across.arrangement, node.blank);
        while place >= 4 {
            place -= 4;
            arrangement = rotate(arrangement, place, 6);
            self.enqueue_across(node, arrangement, place);
        }
    }

    /// Appends the child with the blank on `place` to the queue, unless it is known to be pruned.
    #[inline(always)]
    fn enqueue_across(&mut self, node: &Node, arrangement: u32, place: u8) {
        let (along, left) = (node.along, node.left - 1);
        // Along a line the word is the same: both distances mod 3 are in it.
        let [before, after] =
            [node.blank, place].map(|place| code(along.word, transposed(place).into()));
        let distance = along.distance.wrapping_add(change(before, after) as u8);
        // Pruned, and neither kept nor of use for the least overrun: drop it before computing the rest.
        if distance > left && self.least_overrun == 1 && !self.keeps_pruned {
            return;
        }
        let lower = self.lower[usize::from(arrangement as u16)];
        let number = lower + self.upper[(arrangement >> 16) as usize % self.upper.len()];
        let child = Node {
            across: Side { arrangement, ..node.across },
            along: Side { distance, ..along },
            blank: place,
            left,
            depth: node.depth + 1,
            path: node.path << 2 | u128::from(place / 4),
            ..*node
        };
        self.enqueue(child, number);
    }

    /// Appends `child` to the queue and prefetches its word, unless the side along prunes it. While the least overrun
    /// may still decrease, every child must be tested on both sides, since the overrun is that of the larger distance.
    #[inline(always)]
    fn enqueue(&mut self, child: Node, number: u32) {
        if child.along.distance > child.left && self.least_overrun == 1 {
            return self.prune(1, &child, number);
        }
        prefetch(self.words, number as usize);
        self.queue.put(child, number);
    }

    /// Reads the word of a child. Returns the child as a node, with sides exchanged, if it is within the bound.
    #[inline(always)]
    fn test(&mut self, child: &Node, number: u32) -> Option<Node> {
        // `distance` is still the parent's, so modulo 3 it is the code before the slide.
        let Side { arrangement, distance, .. } = child.across;
        let word = self.words[number as usize];
        let change = change(u32::from(distance % 3), code(word, child.blank.into()));
        let distance = distance.wrapping_add(change as u8);
        let h = distance.max(child.along.distance);
        if h > child.left {
            self.prune(h - child.left, child, number);
            return None;
        }
        let across = Side { arrangement, word, distance };
        Some(Node { across, ..*child }.transposed())
    }

    /// Prunes a child that exceeds the bound by at least `over`, and keeps it as a seed if there is room.
    #[inline(always)]
    fn prune(&mut self, over: u8, child: &Node, number: u32) {
        self.least_overrun = self.least_overrun.min(over);
        self.keeps_pruned = self.keeps_pruned && self.pruned.push(child, number);
    }
}

/// Checks the limits. Returns the number of nodes that may be expanded, at least 1.
fn check_limits(meter: &mut Meter<'_>) -> Result<u64, Stop> {
    meter.check()?;
    Some(meter.remaining_expansions()).filter(|&left| left > 0).ok_or(Stop::Expanded)
}

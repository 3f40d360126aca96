//! IDA* in slides on 4x4 boards, as a pipeline that does not wait for memory.
//!
//! What [`TileClassDistance`] needs to know of a child stands in two words of its table, one for the board
//! and one for its transpose. A slide goes along a line on one *side* and across lines on the other. Along a line the
//! word stays, so that side is known at once, and most children that are cut off are cut off by it. Across,
//! the word is another one and on its way from memory for a long time. So children wait in a
//! [`LookaheadQueue`]: as long as too few wait, a node is taken from a stack, its children made and their words
//! asked for; else the oldest is looked at, and if it is within the bound it goes to the stack.
//!
//! **Rounds.** As long as the children that a round cuts off are no more than some ten thousand they
//! are kept, and the next round begins with them, the deepest first, rather than at the start. That saves
//! what earlier rounds have searched, and most of the last one, for the solution is usually below a deep one.
//! Counts are those of IDA* all the same: a round counts every node within its bound. When the
//! children become too many, those of the last round that kept all go on serving.

mod lookahead_queue;
mod node;
mod seeds;
#[cfg(test)]
mod tests;

use loyd_heuristics::pdb::tile_classes::{TileClassDistance, change, code};
use loyd_search::{Cost, Meter, Outcome, Round, StateSpace, Stop, deepen};
use loyd_tiles::{BoardSpace, Packed4x4, Size, Slide, Slides, State4x4};

use crate::prefetch::prefetch;
use lookahead_queue::{AHEAD, LookaheadQueue};
use node::{Node, Side, path_to, rotate, transposed};
use seeds::Seeds;

/// IDA* with [`TileClassDistance`] in the multi-tile metric: what [`loyd_search::idastar`] does with
/// [`NoUndo`](loyd_search::NoUndo).
///
/// All rounds but the last expand and generate as many nodes as the generic search. In the last one the
/// order differs.
///
/// Cost: memory constant, some megabytes.
pub struct TileClassSearch<'a> {
    heuristic: &'a TileClassDistance,
    words: &'a [u32],
    /// See [`loyd_heuristics::pdb::tile_classes::Arrangements::parts`].
    lower: &'a [u32; 1 << 16],
    upper: &'a [u32; 1 << 14],
    stack: Vec<Node>,
    queue: LookaheadQueue,
    /// By how much the bound of the round was overrun where something was cut off, at least.
    least_over: u8,
    /// What a round begins with.
    seeds: Seeds,
    /// What the round cuts off, as long as that is kept.
    cut: Seeds,
    keeps: bool,
}

/// Expansions between two looks at the meter.
const SLICE: u64 = 2048;

/// No solution is longer: the path of a node has two bits for each slide.
const LONGEST: Cost = 64;

/// Why a search pauses.
enum Pause {
    /// A goal was found, in these slides.
    Goal(Vec<Slide>),
    /// It has expanded as many nodes as it was allowed.
    Spent,
    /// Nothing is left within the bound.
    Empty,
}

impl<'a> TileClassSearch<'a> {
    /// A search with `heuristic`, or `None` if it is not for 4x4 boards with at most four classes and a goal
    /// that a board shares with its transpose.
    pub fn new(heuristic: &'a TileClassDistance) -> Option<Self> {
        let table = heuristic.table();
        let (lower, upper, _) = table.arrangements().parts();
        let (lower, upper) = (lower.try_into().ok()?, upper.try_into().ok()?);
        // On 4x4 boards no mirror but the transpose can keep the goal.
        let fits = table.classes().size() == Size::FIFTEEN && heuristic.views().len() == 2;
        fits.then(|| Self {
            heuristic,
            words: table.words(),
            lower,
            upper,
            stack: Vec::new(),
            queue: LookaheadQueue::default(),
            least_over: u8::MAX,
            seeds: Seeds::default(),
            cut: Seeds::default(),
            keeps: false,
        })
    }

    /// A shortest path from `start` to the goal of `space`, counted in slides.
    ///
    /// Limits, cancellation and the observer are checked every few thousand expansions, a fraction of a
    /// millisecond.
    pub fn solve(
        &mut self,
        space: &Slides<Packed4x4>,
        start: &State4x4,
        meter: &mut Meter<'_>,
    ) -> Outcome<Slide> {
        let Some(seen) = self.heuristic.seen(space, start) else {
            return Outcome::Stopped(Stop::Tables);
        };
        let bound = seen[0].distance.max(seen[1].distance);
        let blank = self.heuristic.views()[0].place(space.blank(start)) as u8;
        let [one, two] = seen.map(Side::from);
        let root = Node { across: one, along: two, blank, ..Node::default() };
        self.seeds.clear();
        self.cut.clear();
        self.keeps = true;
        deepen(bound, meter, |bound, meter| {
            if space.is_goal(start) {
                return Ok(Round::Solved { path: Vec::new(), cost: 0 });
            }
            if bound > LONGEST {
                return Err(Stop::Depth);
            }
            let root = Node { left: bound as u8, ..root };
            let goal = |node: &Node| path_to(node, space, start, self.heuristic);
            Ok(match self.search(&root, meter, &goal)? {
                Some(path) => Round::Solved { cost: path.len() as Cost, path },
                None => Round::Failed { least_overrun: Some(bound + Cost::from(self.least_over)) },
            })
        })
    }

    /// Searches everything within the bound of `root`, which is no goal.
    fn search(
        &mut self,
        root: &Node,
        meter: &mut Meter<'_>,
        goal: &impl Fn(&Node) -> Option<Vec<Slide>>,
    ) -> Result<Option<Vec<Slide>>, Stop> {
        self.stack.clear();
        self.queue.clear();
        self.least_over = u8::MAX;
        if root.left == 0 {
            self.least_over = 1;
            return Ok(None);
        }
        let before = (meter.expanded(), meter.generated());
        self.begin(root, meter)?;
        loop {
            let granted = look(meter)?.min(SLICE);
            let mut left = granted;
            let rest = self.run(&mut left, goal);
            meter.expand_many(granted - left);
            meter.generate(3 * (granted - left));
            meter.reserve(self.bytes())?;
            match rest {
                Pause::Goal(path) => return Ok(Some(path)),
                Pause::Empty => break,
                Pause::Spent => {}
            }
        }
        if self.keeps {
            std::mem::swap(&mut self.seeds, &mut self.cut);
            self.cut.clear();
            self.seeds.left = root.left;
            self.seeds.above = (meter.expanded() - before.0, meter.generated() - before.1);
        }
        Ok(None)
    }

    /// Counts what earlier rounds have searched for this one, and gets the seeds ready; without any, puts
    /// the children of `root` in the queue.
    fn begin(&mut self, root: &Node, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let left = look(meter)?;
        let seeded = self.seeds.len > 0;
        let (expanded, generated) = if seeded { self.seeds.above } else { (1, 6) };
        meter.expand_many(expanded.min(left));
        meter.generate(generated);
        if expanded > left {
            return Err(Stop::Expanded);
        }
        if seeded {
            self.seeds.next = (self.seeds.children.len(), 0);
            self.seeds.raise = root.left - self.seeds.left;
        } else {
            self.expand(root);
            self.expand(&Node { second: true, ..root.transposed() });
        }
        Ok(())
    }

    /// Bytes of everything but the table.
    fn bytes(&self) -> u64 {
        let kept = self.seeds.bytes() + self.cut.bytes();
        (size_of::<Self>() + self.stack.capacity() * size_of::<Node>() + kept) as u64
    }

    /// Searches until `left` nodes have been expanded, and counts `left` down.
    fn run(&mut self, left: &mut u64, goal: &impl Fn(&Node) -> Option<Vec<Slide>>) -> Pause {
        loop {
            if self.queue.len >= AHEAD || self.stack.is_empty() && !self.push_seed() {
                let Some((child, number)) = self.queue.take() else { return Pause::Empty };
                let Some(node) = self.test(&child, number) else { continue };
                // The abstract boards are at their goals more often than the board itself.
                let at_goals = node.across.distance | node.along.distance == 0;
                match if at_goals { goal(&node) } else { None } {
                    Some(path) => return Pause::Goal(path),
                    None if node.left == 0 => self.cut(1, &child, number),
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

    /// Puts the next seed in the queue; returns whether there was one.
    fn push_seed(&mut self) -> bool {
        let Some((mut child, number)) = self.seeds.take() else { return false };
        child.left += self.seeds.raise;
        self.enqueue(child, number);
        true
    }

    /// Puts the three children across in the queue.
    #[inline(always)]
    fn expand(&mut self, node: &Node) {
        let (mut arrangement, mut place) = (node.across.arrangement, node.blank);
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

    /// Puts the child with the blank on `place` in the queue, unless it is known to be cut off.
    #[inline(always)]
    fn enqueue_across(&mut self, node: &Node, arrangement: u32, place: u8) {
        let (along, left) = (node.along, node.left - 1);
        let [before, after] =
            [node.blank, place].map(|place| code(along.word, transposed(place).into()));
        let distance = along.distance.wrapping_add(change(before, after) as u8);
        if distance > left && self.least_over == 1 && !self.keeps {
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

    /// Puts `child` in the queue, unless the side along cuts it off. As long as the least overrun may still fall,
    /// each child has to be looked at on both sides.
    #[inline(always)]
    fn enqueue(&mut self, child: Node, number: u32) {
        if child.along.distance > child.left && self.least_over == 1 {
            return self.cut(1, &child, number);
        }
        prefetch(self.words, number as usize);
        self.queue.put(child, number);
    }

    /// A child whose word is there, if it is within the bound.
    #[inline(always)]
    fn test(&mut self, child: &Node, number: u32) -> Option<Node> {
        let Side { arrangement, distance, .. } = child.across;
        let word = self.words[number as usize];
        let change = change(u32::from(distance % 3), code(word, child.blank.into()));
        let distance = distance.wrapping_add(change as u8);
        let h = distance.max(child.along.distance);
        if h > child.left {
            self.cut(h - child.left, child, number);
            return None;
        }
        let across = Side { arrangement, word, distance };
        Some(Node { across, ..*child }.transposed())
    }

    /// Records that a child which overruns the bound by `over` or more was cut off, and keeps it.
    #[inline(always)]
    fn cut(&mut self, over: u8, child: &Node, number: u32) {
        self.least_over = self.least_over.min(over);
        self.keeps = self.keeps && self.cut.keep(child, number);
    }
}

/// Checks the limits; returns how many nodes may be expanded.
fn look(meter: &mut Meter<'_>) -> Result<u64, Stop> {
    meter.check()?;
    Some(meter.left_to_expand()).filter(|&left| left > 0).ok_or(Stop::Expanded)
}

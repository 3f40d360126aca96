//! IDA* in slides on 4x4 boards, as a pipeline that does not wait for memory.
//!
//! What [`Alike`] needs to know of a child stands in two words of its table, one for the board and one for
//! its transpose. A slide goes along a line on one *side* and across lines on the other. Along a line the
//! word stays, so that side is known at once, and most children that are cut off are cut off by it. Across,
//! the word is another one and on its way from memory for a long time. So children wait in a line of
//! their own: as long as too few wait, a node is taken from a stack, its children made and their words
//! asked for; else the oldest is looked at, and if it is within the bound it goes to the stack.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use loyd_heuristics::alike::{Alike, Seen, View, change, code};
use loyd_search::{Cost, Meter, Outcome, Round, StateSpace, Stop, deepen};
use loyd_tiles::{BoardSpace, Move, Packed4x4, Size, Slide, Slides, State4x4};

/// IDA* with [`Alike`] in the multi-tile metric: what [`loyd_search::idastar`] does with
/// [`NoUndo`](loyd_search::NoUndo).
///
/// All rounds but the last expand and generate as many nodes as the generic search. In the last one the
/// order differs.
///
/// Cost: memory constant, some hundred kilobytes.
pub struct AlikeSearch<'a> {
    alike: &'a Alike,
    words: &'a [u32],
    /// See [`loyd_heuristics::alike::Arrangements::parts`].
    lower: &'a [u32; 1 << 16],
    upper: &'a [u32; 1 << 14],
    stack: Vec<Node>,
    line: Line,
    /// By how much the bound of the round was overrun where something was cut off, at least.
    least_over: u8,
}

/// A node within the bound, or a child that waits for a word.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The side on which the next slide goes across lines, and the other. Of a child that waits they are
    /// as they were for its parent, and the word across is still that of the parent.
    across: Side,
    along: Side,
    /// The place of the blank across.
    blank: u8,
    /// What is left of the bound.
    left: u8,
    depth: u8,
    /// Whether the first slide went across on the second side.
    second: bool,
    /// The lines that the blank went to, two bits a slide, the last one lowest.
    path: u128,
}

/// A board on one side.
#[derive(Clone, Copy, Default)]
struct Side {
    /// Two bits a tile.
    arrangement: u32,
    word: u32,
    distance: u8,
}

/// Children whose words have been asked for, in the order in which they were made.
struct Line {
    children: [(Node, u32); LINE],
    first: usize,
    len: usize,
}

/// Room in the line, and the children that wait before the oldest is looked at.
const LINE: usize = 64;
const AHEAD: usize = 48;

/// Expansions between two looks at the meter.
const SLICE: u64 = 2048;

/// No answer is longer: the path of a node holds twice as many slides.
const LONGEST: Cost = 64;

/// Why a search rests.
enum Rest {
    /// A goal was found, in these slides.
    Goal(Vec<Slide>),
    /// All nodes that it was allowed are expanded.
    Spent,
    /// Nothing is left within the bound.
    Empty,
}

impl From<Seen> for Side {
    fn from(seen: Seen) -> Self {
        let Seen { arrangement, word, distance } = seen;
        Self { arrangement: arrangement as u32, word, distance: distance as u8 }
    }
}

impl<'a> AlikeSearch<'a> {
    /// A search with `alike`, or `None` if it is not for 4x4 boards with at most four classes and a goal
    /// that a board shares with its transpose.
    pub fn new(alike: &'a Alike) -> Option<Self> {
        let table = alike.table();
        let (lower, upper, _) = table.arrangements().parts();
        let (lower, upper) = (lower.try_into().ok()?, upper.try_into().ok()?);
        // On 4x4 boards no mirror but the transpose can keep the goal.
        let fits = table.classes().size() == Size::FIFTEEN && alike.views().len() == 2;
        fits.then(|| Self {
            alike,
            words: table.words(),
            lower,
            upper,
            stack: Vec::new(),
            line: Line { children: [Default::default(); LINE], first: 0, len: 0 },
            least_over: u8::MAX,
        })
    }

    /// A shortest way from `start` to the goal of `space`, counted in slides.
    ///
    /// Limits, cancellation and the observer are looked at every few thousand expansions, a fraction of a
    /// millisecond.
    pub fn solve(
        &mut self,
        space: &Slides<Packed4x4>,
        start: &State4x4,
        meter: &mut Meter<'_>,
    ) -> Outcome<Slide> {
        let seen = self.alike.seen(space, start);
        let bound = seen[0].distance.max(seen[1].distance);
        let blank = self.alike.views()[0].place(space.blank(start)) as u8;
        let [one, two] = seen.map(Side::from);
        let root = Node { across: one, along: two, blank, ..Node::default() };
        deepen(bound, meter, |bound, meter| {
            if space.is_goal(start) {
                return Ok(Round::Solved { path: Vec::new(), cost: 0 });
            }
            if bound > LONGEST {
                return Err(Stop::Depth);
            }
            let root = Node { left: bound as u8, ..root };
            let goal = |node: &Node| path_to(node, space, start, self.alike);
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
        (self.line.first, self.line.len, self.least_over) = (0, 0, u8::MAX);
        if root.left == 0 {
            self.least_over = 1;
            return Ok(None);
        }
        look(meter)?;
        meter.expand_many(1);
        meter.generate(6);
        self.expand(root);
        self.expand(&Node { second: true, ..root.turned() });
        loop {
            let granted = look(meter)?.min(SLICE);
            let mut left = granted;
            let rest = self.run(&mut left, goal);
            meter.expand_many(granted - left);
            meter.generate(3 * (granted - left));
            meter.hold((size_of::<Self>() + self.stack.capacity() * size_of::<Node>()) as u64)?;
            match rest {
                Rest::Goal(path) => return Ok(Some(path)),
                Rest::Empty => return Ok(None),
                Rest::Spent => {}
            }
        }
    }

    /// Searches until `left` nodes have been expanded, and counts `left` down.
    fn run(&mut self, left: &mut u64, goal: &impl Fn(&Node) -> Option<Vec<Slide>>) -> Rest {
        loop {
            if self.line.len >= AHEAD || self.stack.is_empty() {
                let Some((child, number)) = self.line.take() else { return Rest::Empty };
                let Some(node) = self.test(child, number) else { continue };
                // Boards of alike tiles are at their goals more often than the board itself.
                let at_goals = node.across.distance | node.along.distance == 0;
                match if at_goals { goal(&node) } else { None } {
                    Some(path) => return Rest::Goal(path),
                    None if node.left == 0 => self.cut(1),
                    None => self.stack.push(node),
                }
                continue;
            }
            if *left == 0 {
                return Rest::Spent;
            }
            *left -= 1;
            if let Some(node) = self.stack.pop() {
                self.expand(&node);
            }
        }
    }

    /// Lets the three children across wait.
    #[inline(always)]
    fn expand(&mut self, node: &Node) {
        let (mut arrangement, mut place) = (node.across.arrangement, node.blank);
        while place < 12 {
            arrangement = turn(arrangement, place, 2);
            place += 4;
            self.wait(node, arrangement, place);
        }
        (arrangement, place) = (node.across.arrangement, node.blank);
        while place >= 4 {
            place -= 4;
            arrangement = turn(arrangement, place, 6);
            self.wait(node, arrangement, place);
        }
    }

    /// Lets the child wait that has the blank on `place`, unless it is known to be cut off.
    #[inline(always)]
    fn wait(&mut self, node: &Node, arrangement: u32, place: u8) {
        let (along, left) = (node.along, node.left - 1);
        let [before, after] =
            [node.blank, place].map(|place| code(along.word, turned(place).into()));
        let distance = along.distance.wrapping_add(change(before, after) as u8);
        // As long as the least overrun may still fall, each child has to be looked at on both sides.
        if distance > left && self.least_over == 1 {
            return;
        }
        let lower = self.lower[usize::from(arrangement as u16)];
        let number = lower + self.upper[(arrangement >> 16) as usize % self.upper.len()];
        prefetch(self.words, number);
        let child = Node {
            across: Side { arrangement, ..node.across },
            along: Side { distance, ..along },
            blank: place,
            left,
            depth: node.depth + 1,
            path: node.path << 2 | u128::from(place / 4),
            ..*node
        };
        self.line.put(child, number);
    }

    /// A child whose word is there, if it is within the bound.
    #[inline(always)]
    fn test(&mut self, child: Node, number: u32) -> Option<Node> {
        let Side { arrangement, distance, .. } = child.across;
        let word = self.words[number as usize];
        let change = change(u32::from(distance % 3), code(word, child.blank.into()));
        let distance = distance.wrapping_add(change as u8);
        let h = distance.max(child.along.distance);
        if h > child.left {
            self.cut(h - child.left);
            return None;
        }
        let across = Side { arrangement, word, distance };
        Some(Node { across, ..child }.turned())
    }

    /// Takes note that a node which overruns the bound by `over` was cut off.
    #[inline(always)]
    fn cut(&mut self, over: u8) {
        self.least_over = self.least_over.min(over);
    }
}

/// Looks at the limits; returns how many nodes may be expanded.
fn look(meter: &mut Meter<'_>) -> Result<u64, Stop> {
    meter.check()?;
    Some(meter.left_to_expand()).filter(|&left| left > 0).ok_or(Stop::Expanded)
}

impl Node {
    /// The same node with its sides exchanged.
    #[inline(always)]
    fn turned(self) -> Self {
        Self { across: self.along, along: self.across, blank: turned(self.blank), ..self }
    }
}

/// The place of the same cell in the transpose.
#[inline(always)]
fn turned(place: u8) -> u8 {
    place % 4 * 4 + place / 4
}

/// The arrangement after the four tiles from `place` on have been turned by so many bits: by 2, and the last
/// goes before the others; by 6, and the first goes behind them.
#[inline(always)]
fn turn(arrangement: u32, place: u8, bits: u32) -> u32 {
    let tiles = (arrangement >> (2 * place)) as u8;
    arrangement ^ u32::from(tiles ^ tiles.rotate_left(bits)) << (2 * place)
}

impl Line {
    #[inline(always)]
    fn put(&mut self, child: Node, number: u32) {
        self.children[(self.first + self.len) % LINE] = (child, number);
        self.len += 1;
    }

    /// The oldest child.
    #[inline(always)]
    fn take(&mut self) -> Option<(Node, u32)> {
        self.len = self.len.checked_sub(1)?;
        let child = self.children[self.first];
        self.first = (self.first + 1) % LINE;
        Some(child)
    }
}

/// The slides from `start` to `node`, if that is the goal.
#[cold]
fn path_to(
    node: &Node,
    space: &Slides<Packed4x4>,
    start: &State4x4,
    alike: &Alike,
) -> Option<Vec<Slide>> {
    let size = Size::FIFTEEN;
    let views = alike.views();
    let cell_on = |view: &View, place| size.iter_cells().find(|&cell| view.place(cell) == place);
    let (mut state, mut side, mut path) = (*start, usize::from(node.second), Vec::new());
    for slide in (0..node.depth).rev() {
        let from = space.blank(&state);
        let line = (node.path >> (2 * slide)) as u32 & 3;
        let to = cell_on(&views[side], 4 * line + views[side].place(from) % 4)?;
        let (rows, columns) =
            ([size.row(from), size.row(to)], [size.column(from), size.column(to)]);
        let (direction, [from, to]) = match rows[0].cmp(&rows[1]) {
            Ordering::Greater => (Move::Up, rows),
            Ordering::Less => (Move::Down, rows),
            Ordering::Equal if columns[0] > columns[1] => (Move::Left, columns),
            Ordering::Equal => (Move::Right, columns),
        };
        let slide = Slide { direction, tiles: from.abs_diff(to) as u8 };
        space.apply(&mut state, slide);
        path.push(slide);
        side = 1 - side;
    }
    space.is_goal(&state).then_some(path)
}

/// Asks for the cache line of a word.
#[inline(always)]
fn prefetch(words: &[u32], number: u32) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let word = words.as_ptr().wrapping_add(number as usize);
        // SAFETY: a prefetch may be of any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(word.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, number);
}

//! Trace events: what happens to each node of a search, with its board.

use std::ops::ControlFlow;

use loyd_search as search;
use loyd_search::{Cost, Direction, NodeEvent, NodeId, Stop, TracedNode, Tracer};
use loyd_tiles::{BoardSpace, Metric, Move};

/// An event of a node in a traced search.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEvent<'a> {
    /// The kind of event.
    pub kind: TraceKind,
    /// The number of the node, from 1 in the order of its first event. A child for which no node is created, because it
    /// is pruned or a duplicate, also gets a number.
    pub id: u64,
    /// The number of its parent; `None` for the source of a search.
    pub parent: Option<u64>,
    /// The moves of the blank from the parent: one, or as many as the slide moves tiles. Empty for the source of a
    /// search.
    pub moves: &'a [Move],
    /// The tiles in reading order, 0 for the blank; `None` for a don't-care tile, one that may lie anywhere in the
    /// goal.
    pub board: &'a [Option<u8>],
    /// The cost of the path from the source of the search.
    pub g: Cost,
    /// The estimate of the remaining cost; `None` if the search uses none.
    pub h: Option<Cost>,
    /// The value that orders the open list or is compared with the bound: g + h, or the combination that the
    /// algorithm uses. `None` if the search uses no estimates.
    pub f: Option<f64>,
    /// The bound of the iteration, or the depth limit of a search without iterations.
    pub bound: Option<Cost>,
    /// Whether the node belongs to the backward search from the goals.
    pub backward: bool,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// An iteration starts, with this board.
    Iteration,
    /// The source of a search.
    Source,
    /// The node is expanded.
    Expanding,
    /// The node is generated, and is not a duplicate.
    Generating,
    /// A child whose board has been generated before.
    Duplicate {
        /// The number of the node with this board.
        known: u64,
        /// The cost of the cheapest known path to it.
        g: Cost,
    },
    /// A shorter path to a node that has not been expanded.
    Updating,
    /// A shorter path to an expanded node, which will be expanded again.
    Reopening,
    /// A child for which no node is created, or a node that is not expanded.
    Pruned(Pruning),
    /// The last node of the solution; in a bidirectional search, the node at which the two searches meet.
    End,
}

/// The reason why a node or a move is pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// The move undoes the previous one.
    Undo,
    /// The slide is along the line of the previous one: a single slide reaches the same board.
    SameLine,
    /// The last moves are equivalent to another sequence that is at most as long and that the search makes instead.
    Equivalent,
    /// f exceeds the bound.
    AboveBound,
    /// The node is within the bound, but none of its children can be.
    AtBound,
    /// g exceeds the depth limit.
    Depth,
}

impl TraceKind {
    /// Returns the machine-readable name: `iteration`, `source`, `expanding`, `generating`, `duplicate`, `updating`,
    /// `reopening`, `pruned` or `end`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Iteration => "iteration",
            Self::Source => "source",
            Self::Expanding => "expanding",
            Self::Generating => "generating",
            Self::Duplicate { .. } => "duplicate",
            Self::Updating => "updating",
            Self::Reopening => "reopening",
            Self::Pruned(_) => "pruned",
            Self::End => "end",
        }
    }

    /// Returns the reason why the search does not continue from this node, or `None` if it does.
    pub fn reason(self) -> Option<String> {
        Some(match self {
            Self::Duplicate { known, g } => format!("known as {known}, with g {g}"),
            // `page/puzzle/trace.js` and `pseudocode.js` recognise these reasons by their texts.
            Self::Pruned(Pruning::Undo) => "undoes the last move".to_owned(),
            Self::Pruned(Pruning::SameLine) => {
                "continues along the line of the last move".to_owned()
            }
            Self::Pruned(Pruning::Equivalent) => "another path leads to the same state".to_owned(),
            Self::Pruned(Pruning::AboveBound) => "f is above the bound".to_owned(),
            Self::Pruned(Pruning::AtBound) => "no child is within the bound".to_owned(),
            Self::Pruned(Pruning::Depth) => "g is above the depth limit".to_owned(),
            _ => return None,
        })
    }
}

/// Callback for each event. The search stops when it returns `Break`.
pub(crate) type Watcher<'a> = dyn FnMut(&TraceEvent<'_>) -> ControlFlow<()> + 'a;

/// Converts the events of a search to [`TraceEvent`]s and passes them to a [`Watcher`].
pub(crate) struct BoardTracer<'a, S> {
    space: &'a S,
    watch: &'a mut Watcher<'a>,
    /// Number of units of f per move.
    unit: u32,
    estimates: bool,
    /// The numbers of the nodes held by the forward search and by the backward search, by node id.
    numbers: [Vec<u64>; 2],
    /// The number assigned last.
    last: u64,
    board: Vec<Option<u8>>,
}

impl<'a, S: BoardSpace> BoardTracer<'a, S> {
    /// Returns a tracer for a search in `space` whose f has `unit` units per move. Events contain h and f only if the
    /// search has `estimates`.
    pub fn new(space: &'a S, watch: &'a mut Watcher<'a>, unit: u32, estimates: bool) -> Self {
        let (numbers, board) = (Default::default(), Vec::new());
        Self { space, watch, unit, estimates, numbers, last: 0, board }
    }

    /// Assigns the next number, and stores it if the event is of a node with an id.
    fn number(&mut self, direction: Direction, id: Option<NodeId>) -> u64 {
        self.last += 1;
        if let Some(id) = id {
            let numbers = &mut self.numbers[direction as usize];
            numbers.truncate(id as usize);
            numbers.push(self.last);
        }
        self.last
    }

    fn known(&self, direction: Direction, id: NodeId) -> u64 {
        self.numbers[direction as usize][id as usize]
    }

    fn set_board(&mut self, state: &S::State) {
        let (space, blank) = (self.space, self.space.blank(state));
        let tile = |cell| match cell {
            cell if cell == blank => Some(0),
            cell => {
                let label = space.label(state, cell);
                let tile = || space.relabelling().tile(label).number() as u8;
                space.is_constrained(label).then(tile)
            }
        };
        self.board.clear();
        self.board.extend(space.size().iter_cells().map(tile));
    }

    fn emit(&mut self, event: &TraceEvent<'_>) -> Result<(), Stop> {
        match (self.watch)(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Cancelled),
        }
    }
}

impl<S: BoardSpace> Tracer<S> for BoardTracer<'_, S> {
    fn on_event(&mut self, event: NodeEvent, node: &TracedNode<'_, S>) -> Result<(), Stop> {
        let direction = node.direction;
        let is_source = event == NodeEvent::Root;
        let id = match node.id {
            Some(id) if !is_source && event != NodeEvent::Generated => self.known(direction, id),
            id => self.number(direction, id),
        };
        self.set_board(node.state);
        let board = std::mem::take(&mut self.board);
        let moves = node.from.map_or(Vec::new(), |(_, via)| S::moves(&[via]));
        let traced = TraceEvent {
            kind: self.kind(event, direction),
            id,
            parent: node.from.map(|(parent, _)| self.known(direction, parent)),
            moves: &moves,
            board: &board,
            g: node.g,
            h: node.h.filter(|_| self.estimates),
            f: node.f.filter(|_| self.estimates).map(|f| f as f64 / f64::from(self.unit)),
            bound: node.bound,
            backward: direction == Direction::Backward,
        };
        if is_source && node.bound.is_some() {
            self.emit(&TraceEvent { kind: TraceKind::Iteration, ..traced.clone() })?;
        }
        let result = self.emit(&traced);
        self.board = board;
        result
    }
}

impl<S: BoardSpace> BoardTracer<'_, S> {
    fn kind(&self, event: NodeEvent, direction: Direction) -> TraceKind {
        match event {
            NodeEvent::Root => TraceKind::Source,
            NodeEvent::Expanded => TraceKind::Expanding,
            NodeEvent::Generated => TraceKind::Generating,
            NodeEvent::Duplicate { known, g } => {
                TraceKind::Duplicate { known: self.known(direction, known), g }
            }
            NodeEvent::Updated => TraceKind::Updating,
            NodeEvent::Reopened => TraceKind::Reopening,
            NodeEvent::Pruned(pruning) => TraceKind::Pruned(match pruning {
                search::Pruning::Undo if S::METRIC == Metric::MultiTile => Pruning::SameLine,
                search::Pruning::Undo => Pruning::Undo,
                search::Pruning::Equivalent => Pruning::Equivalent,
                search::Pruning::AboveBound => Pruning::AboveBound,
                search::Pruning::AtBound => Pruning::AtBound,
                search::Pruning::Depth => Pruning::Depth,
            }),
            NodeEvent::Solution => TraceKind::End,
        }
    }
}

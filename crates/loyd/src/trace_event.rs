//! What happens to the nodes of a search, one by one, as boards.

use std::ops::ControlFlow;

use loyd_search::{self as search, Cost, Direction, NodeEvent, NodeId, Stop, TracedNode, Tracer};
use loyd_tiles::{BoardSpace, Metric, Move};

/// Something that happened to a node of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEvent<'a> {
    /// What happened.
    pub kind: TraceKind,
    /// The number of the node, from 1 in the order in which a trace first names them. A child that becomes no node, being
    /// pruned or known already, has a number of its own.
    pub id: u64,
    /// The number of the node from which it was reached; none where a search begins.
    pub parent: Option<u64>,
    /// The moves of the blank that led here from the parent: one, or as many as a slide moves tiles; none where a
    /// search begins.
    pub moves: &'a [Move],
    /// The tiles, row by row, 0 being the blank; none for a tile that may lie anywhere in the goal.
    pub board: &'a [Option<u8>],
    /// The cost of the way from where the search began.
    pub g: Cost,
    /// The estimate of the cost that remains, by searches that use one.
    pub h: Option<Cost>,
    /// What decides which node is next, or whether the node is within the bound, by searches with estimates: g + h, or
    /// as the algorithm combines them.
    pub f: Option<f64>,
    /// The bound of the iteration, or the depth limit of a single one.
    pub bound: Option<Cost>,
    /// Whether it belongs to the search from the goals backwards.
    pub backward: bool,
}

/// What happens to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// An iteration begins, with this board.
    Iteration,
    /// A search begins here.
    Source,
    /// Its children are enumerated.
    Expanding,
    /// It is new.
    Generating,
    /// A child whose board is known.
    Duplicate {
        /// The number of the node that has the board.
        known: u64,
        /// The cost of the cheapest known way to it.
        g: Cost,
    },
    /// A shorter way to a node that has not been expanded.
    Updating,
    /// A shorter way to a node that has been expanded, and will be again.
    Reopening,
    /// A child that becomes no node, or a node that is not expanded.
    Pruned(Pruning),
    /// The solution leads here; from both sides, if there are two searches.
    End,
}

/// Why a search does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// The move takes the last one back.
    Undo,
    /// The slide is along the line of the last one: another slide leads there at once.
    SameLine,
    /// The last moves do the same as others that are no more, by which the search goes instead.
    Equivalent,
    /// f is above the bound.
    AboveBound,
    /// The node is within the bound, but no child can be.
    AtBound,
    /// g is above the depth limit.
    Depth,
}

impl TraceKind {
    /// The word for machines: `iteration`, `source`, `expanding`, `generating`, `duplicate`, `updating`, `reopening`,
    /// `pruned` or `end`.
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

    /// Why the search does not go on there.
    pub fn reason(self) -> Option<String> {
        Some(match self {
            Self::Duplicate { known, g } => format!("known as {known}, with g {g}"),
            Self::Pruned(Pruning::Undo) => "takes the last move back".to_owned(),
            Self::Pruned(Pruning::SameLine) => "goes along the line of the last move".to_owned(),
            Self::Pruned(Pruning::Equivalent) => "other moves do the same".to_owned(),
            Self::Pruned(Pruning::AboveBound) => "f is above the bound".to_owned(),
            Self::Pruned(Pruning::AtBound) => "no child is within the bound".to_owned(),
            Self::Pruned(Pruning::Depth) => "g is above the depth limit".to_owned(),
            _ => return None,
        })
    }
}

/// Is told of each event; the search stops when it breaks off.
pub(crate) type Watcher<'a> = dyn FnMut(&TraceEvent<'_>) -> ControlFlow<()> + 'a;

/// Tells a watcher what happens to nodes.
pub(crate) struct BoardTracer<'a, S> {
    space: &'a S,
    watch: &'a mut Watcher<'a>,
    /// So many units of f are a move.
    unit: u32,
    estimates: bool,
    /// The numbers of the nodes that the searches from the start and from the goals hold.
    numbers: [Vec<u64>; 2],
    /// The last number given.
    last: u64,
    board: Vec<Option<u8>>,
}

impl<'a, S: BoardSpace> BoardTracer<'a, S> {
    /// For a search in `space`, which tells f in so many units of a move, and h and f only if it has `estimates`.
    pub fn new(space: &'a S, watch: &'a mut Watcher<'a>, unit: u32, estimates: bool) -> Self {
        let (numbers, board) = (Default::default(), Vec::new());
        Self { space, watch, unit, estimates, numbers, last: 0, board }
    }

    /// The next number, for the node `id` if it is one.
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

    fn take(&mut self, state: &S::State) {
        let (space, blank) = (self.space, self.space.blank(state));
        let tile = |cell| match cell {
            cell if cell == blank => Some(0),
            cell => {
                let label = space.label(state, cell);
                let tile = || space.relabelling().tile(label).number();
                space.is_constrained(label).then(tile)
            }
        };
        self.board.clear();
        self.board.extend(space.size().iter_cells().map(tile));
    }

    fn tell(&mut self, event: &TraceEvent<'_>) -> Result<(), Stop> {
        match (self.watch)(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Cancelled),
        }
    }
}

impl<S: BoardSpace> Tracer<S> for BoardTracer<'_, S> {
    fn node(&mut self, event: NodeEvent, node: &TracedNode<'_, S>) -> Result<(), Stop> {
        let direction = node.direction;
        let begins = event == NodeEvent::Source;
        let id = match node.id {
            Some(id) if !begins && event != NodeEvent::Generating => self.known(direction, id),
            id => self.number(direction, id),
        };
        self.take(node.state);
        let board = std::mem::take(&mut self.board);
        let moves = node.from.map_or(Vec::new(), |(_, via)| S::moves(&[via]));
        let told = TraceEvent {
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
        if begins && node.bound.is_some() {
            self.tell(&TraceEvent { kind: TraceKind::Iteration, ..told.clone() })?;
        }
        let result = self.tell(&told);
        self.board = board;
        result
    }
}

impl<S: BoardSpace> BoardTracer<'_, S> {
    fn kind(&self, event: NodeEvent, direction: Direction) -> TraceKind {
        match event {
            NodeEvent::Source => TraceKind::Source,
            NodeEvent::Expanding => TraceKind::Expanding,
            NodeEvent::Generating => TraceKind::Generating,
            NodeEvent::Duplicate { known, g } => {
                TraceKind::Duplicate { known: self.known(direction, known), g }
            }
            NodeEvent::Updating => TraceKind::Updating,
            NodeEvent::Reopening => TraceKind::Reopening,
            NodeEvent::Pruned(pruning) => TraceKind::Pruned(match pruning {
                search::Pruning::Undo if S::METRIC == Metric::MultiTile => Pruning::SameLine,
                search::Pruning::Undo => Pruning::Undo,
                search::Pruning::Equivalent => Pruning::Equivalent,
                search::Pruning::AboveBound => Pruning::AboveBound,
                search::Pruning::AtBound => Pruning::AtBound,
                search::Pruning::Depth => Pruning::Depth,
            }),
            NodeEvent::End => TraceKind::End,
        }
    }
}

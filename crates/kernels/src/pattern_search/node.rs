//! What a node is made of: four words, whose low halves are about the board and whose high halves are
//! about its transpose, and the state of an automaton.

/// A node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Four bits a cell: the goal cell of what lies there.
    pub board: u64,
    /// In each half two planes of sixteen cells, which together number the pattern of the tile on a
    /// cell in two bits: 1 to 3, and 0 for the blank.
    pub planes: u64,
    /// In each half the rank of the order of each pattern, at [`Tables::shift`](super::Tables), in 29
    /// bits at most. Bits 30 and 31 are the number of the pattern that moved last.
    pub ranks: u64,
    /// In each half:
    /// * bits 0 to 7: the distance of pattern n modulo 4, at 2n;
    /// * bits 25 to 31: how far f is below the bound, in steps of two, as a signed number.
    ///
    /// In the low half, bits 8 to 24: the parent link, of the node itself while it is on the
    /// stack, of its parent else. In the high half, bits 8 to 15: the number of moves from the start;
    /// bits 16 to 22: the [`key`].
    pub meta: u64,
    /// The state of the automaton of moves: a [place](super::rows::Rows) among its rows.
    pub state: u64,
}

/// Where the slack begins in each half of a meta word.
pub const SLACK: u32 = 25;
/// What cuts a node off: the sign of the slack, and the highest bit of the number of moves. That one is set
/// only if tables are wrong, and keeps the number within its bits.
pub const SIGNS: u64 = 1 << 31 | 1 << 63 | 1 << 47;
/// Where the parent link begins in a meta word, and how many bits it has.
pub const LINK: u32 = 8;
/// See [`LINK`].
pub const LINK_BITS: u32 = 17;
/// The parent link in a meta word.
pub const LINK_MASK: u64 = ((1 << LINK_BITS) - 1) << LINK;
/// Where the number of moves begins in a meta word.
pub const DEPTH: u32 = 40;
/// Where the key begins in a meta word.
pub const KEY: u32 = 48;
/// The key in a meta word.
pub const KEY_MASK: u64 = 0x7f << KEY;
/// Where the number of the pattern begins in each half of a word of ranks.
pub const TAG: u32 = 30;
/// The ranks in a word of ranks.
pub const RANKS: u64 = 0x3fff_ffff_3fff_ffff;

/// The last move of the start.
pub const ROOT_MOVE: usize = 4;

/// Blank and last move in one number below 128.
pub const fn key(blank: usize, last: usize) -> usize {
    blank << 3 | last
}

/// The parent link in a meta word.
pub fn link(meta: u64) -> u32 {
    ((meta & LINK_MASK) >> LINK) as u32
}

/// A meta word with another parent link.
pub fn linked(meta: u64, link: u32) -> u64 {
    meta & !LINK_MASK | u64::from(link) << LINK
}

/// What a parent link keeps of a node that is to be expanded: its parent and its move.
pub fn entry(meta: u64) -> u32 {
    link(meta) << 2 | (meta >> KEY) as u32 & 3
}

/// The number of moves from the start.
pub fn depth(meta: u64) -> u32 {
    (meta >> DEPTH) as u32 & 0xff
}

/// The meta word under a bound that is higher by `steps` times two.
pub fn raised(meta: u64, steps: u32) -> u64 {
    // Each half by itself: a slack below 0 must not carry into the other half.
    let [low, high] = [meta as u32, (meta >> 32) as u32].map(|h| h.wrapping_add(steps << SLACK));
    u64::from(high) << 32 | u64::from(low)
}

/// Nodes, each word in a column of its own. Columns have room for a vector more than they hold.
#[derive(Debug, Default)]
pub struct Nodes {
    pub boards: Vec<u64>,
    pub planes: Vec<u64>,
    pub ranks: Vec<u64>,
    pub metas: Vec<u64>,
    pub states: Vec<u64>,
    /// How many nodes there are.
    pub len: usize,
}

/// Words that may be written beyond the last node.
pub const MARGIN: usize = 8;

impl Nodes {
    /// Room for `nodes`.
    pub fn with_room(nodes: usize) -> Self {
        let column = || vec![0; nodes + MARGIN];
        Self {
            boards: column(),
            planes: column(),
            ranks: column(),
            metas: column(),
            states: column(),
            len: 0,
        }
    }

    /// How many nodes there is room for.
    pub fn room(&self) -> usize {
        self.metas.len().saturating_sub(MARGIN)
    }

    /// Bytes of so many nodes.
    pub fn bytes(nodes: usize) -> u64 {
        (nodes + MARGIN) as u64 * size_of::<Node>() as u64
    }

    /// Makes room for twice as many.
    pub fn grow(&mut self) {
        for column in self.columns() {
            column.resize(2 * column.len(), 0);
        }
    }

    /// The node at `index`.
    pub fn get(&self, index: usize) -> Node {
        Node {
            board: self.boards[index],
            planes: self.planes[index],
            ranks: self.ranks[index],
            meta: self.metas[index],
            state: self.states[index],
        }
    }

    /// Adds a node; there must be room.
    pub fn push(&mut self, node: Node) {
        self.boards[self.len] = node.board;
        self.planes[self.len] = node.planes;
        self.ranks[self.len] = node.ranks;
        self.metas[self.len] = node.meta;
        self.states[self.len] = node.state;
        self.len += 1;
    }

    /// Moves the nodes from `first` on to the front.
    pub fn slide(&mut self, first: usize) {
        let moved = first..self.len;
        for column in self.columns() {
            column.copy_within(moved.clone(), 0);
        }
        self.len -= first;
    }

    fn columns(&mut self) -> [&mut Vec<u64>; 5] {
        let Self { boards, planes, ranks, metas, states, len: _ } = self;
        [boards, planes, ranks, metas, states]
    }
}

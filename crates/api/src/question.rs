//! Questions: calls with their requests.

use loyd::board::{Board, Size};
use loyd::notation::read_board;

use crate::calls::Call;
use crate::fault::Fault;
use crate::request::Request;

/// A call with its request.
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) call: &'static Call,
    pub(crate) request: Request,
}

/// Time to answer a question, once the tables for its boards exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Tens of microseconds: no search.
    Tiny,
    /// Milliseconds: at most a search of an 8-puzzle.
    Small,
    /// Milliseconds, in rare cases seconds: a search of a 15-puzzle or a smaller board, or any work on one 8-puzzle.
    Medium,
    /// Only its limits are known.
    Large,
}

impl Question {
    /// Reads the request of `call`, a JSON object.
    ///
    /// # Errors
    /// Fails if the text is not a JSON object, or has fields that the call does not accept.
    pub fn read(call: &'static Call, json: &[u8]) -> Result<Self, Fault> {
        Ok(Self { call, request: Request::read(json, call.name, call.fields())? })
    }

    /// Returns the time to answer.
    pub fn effort(&self) -> Effort {
        let Self { call, request } = self;
        match call.name {
            "convert" => Effort::Small,
            "scramble" if request.length.is_none() && request.steps.is_none() => Effort::Small,
            "solve" if self.is_tiny() => Effort::Tiny,
            "solve" | "hint" | "explain" | "review" if self.is_small() => Effort::Small,
            "solve" | "hint" | "explain" if self.is_medium() => Effort::Medium,
            "batch" => Effort::Large,
            _ if self.is_about_an_8_puzzle() => Effort::Medium,
            _ => Effort::Large,
        }
    }

    /// Returns whether the search is of an 8-puzzle or a smaller board, and left to Loyd.
    fn is_small(&self) -> bool {
        self.request.quality.is_none() && self.searches_at_most(9)
    }

    /// Returns whether the search is of a 15-puzzle or a smaller board that is not long and thin. Goals with `*` are left
    /// out, because their tables may have to be built first.
    fn is_medium(&self) -> bool {
        let is_thin = |board: Board| board.size().width().min(board.size().height()) < 3;
        let is_partial = self.request.goal.as_ref().is_some_and(|goal| goal.contains('*'));
        self.searches_at_most(16) && !is_partial && !self.board().is_some_and(is_thin)
    }

    /// Returns whether all work is on one 8-puzzle or smaller board. No algorithm takes half a second for it, unless the
    /// costs of moves differ.
    fn is_about_an_8_puzzle(&self) -> bool {
        let has_costs = self.request.costs.is_some() && self.request.names_search();
        !has_costs && self.only_size().is_some_and(|size| size.cells() <= 9)
    }

    /// Returns whether the search is of a board of at most `cells` cells, and left to Loyd apart from its quality.
    fn searches_at_most(&self, cells: usize) -> bool {
        let Request { costs, all, .. } = &self.request;
        let is_usual = !self.request.names_search() && costs.is_none() && *all != Some(true);
        is_usual && self.board().is_some_and(|board| board.size().cells() <= cells)
    }

    /// Returns whether the board is looked up: an 8-puzzle with the usual goal and metric.
    fn is_tiny(&self) -> bool {
        let Request { goal, metric, tables, .. } = &self.request;
        let is_usual = goal.is_none() && metric.is_none() && tables.is_none();
        is_usual && self.is_small()
    }

    /// Returns the size of the only board of the request, or of all boards of a request about a size.
    fn only_size(&self) -> Option<Size> {
        let Request { board, boards, .. } = &self.request;
        let text = match (board, boards.as_deref()) {
            (None, None) => return self.request.size().ok().flatten(),
            (Some(board), None) | (None, Some([board])) => board,
            _ => return None,
        };
        let read = read_board(text, self.request.hints().ok()?);
        read.ok().map(|read| read.board.size())
    }

    fn board(&self) -> Option<Board> {
        self.request.board().ok()
    }
}

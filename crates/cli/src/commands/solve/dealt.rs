//! The boards that belong to a shard.

use loyd::search::Shard;

use crate::failure::Failure;
use crate::input::{Item, Items};

/// All boards, or those of one shard: boards belong to shards in turn, faulty ones too.
pub struct Dealt {
    pub items: Items,
    shard: Option<Shard>,
    /// The number of the board that comes next.
    number: u64,
    /// What is wrong with the input behind the last board.
    failure: Option<Failure>,
}

impl Dealt {
    /// The boards of `items` that belong to `shard`, or all of them.
    pub fn new(items: Items, shard: Option<Shard>) -> Self {
        Self { items, shard, number: 0, failure: None }
    }

    fn is_own(&self) -> bool {
        self.shard.is_none_or(|shard| shard.has(self.number))
    }

    /// Whether nobody has to wait for the next board. Boards of other shards that are here are left out meanwhile.
    pub fn is_ready(&mut self) -> bool {
        while !self.is_own() && self.items.is_ready() {
            match self.items.next() {
                Some(Ok(_)) => self.number += 1,
                Some(Err(failure)) => {
                    self.failure = Some(failure);
                    return true;
                }
                None => return true,
            }
        }
        self.is_own() && self.items.is_ready()
    }
}

impl Iterator for Dealt {
    type Item = Result<Item, Failure>;

    fn next(&mut self) -> Option<Result<Item, Failure>> {
        if let Some(failure) = self.failure.take() {
            return Some(Err(failure));
        }
        loop {
            let item = self.items.next()?;
            let is_own = self.is_own();
            self.number += 1;
            if is_own || item.is_err() {
                return Some(item);
            }
        }
    }
}

//! Heuristics chosen at run time.
//!
//! All searches but a few hot ones are instantiated for [`SmallHeuristic`] and [`AnyHeuristic`] only, so that a
//! heuristic adds little code. It costs a predictable branch per child. There are two enums because nodes store memos,
//! and the large memo of a pattern database must not enlarge the nodes of a search with linear conflict. Searches that
//! store few memos at a time are instantiated for [`AnyHeuristic`] alone.

use std::convert::identity;
use std::sync::Arc;

use loyd_heuristics::pdb::maximum::{MaxMemo, MaxOfPatterns};
use loyd_heuristics::pdb::tile_classes::{TileClassDistance, TileClassMemo};
use loyd_heuristics::pdb::{LargestSum, PatternMemo, PatternSum, Sums};
use loyd_heuristics::{
    Conflicts, Crossings, Gaschnig, InversionDistance, Inversions, LineCrossings, LinearConflict,
    SmallConflicts, SmallLinearConflict, TileSum, Walk, WalkingDistance,
};
use loyd_kernels::{DistanceMemo, ExactDistance, ExactEight, ExactMemo};
use loyd_search::{Cost, DistanceTable, Heuristic, IncrementalHeuristic, Zero};
use loyd_tiles::{Board, BoardSpace, Metric};

use crate::space::{AnySpace, SpaceVisitor, in_space};

/// Adapts a heuristic for single steps to any space: in slides, the memo is updated once per step.
struct Stepwise<'a, H>(&'a H);

impl<S: BoardSpace, H: Heuristic<S::Steps>> Heuristic<S> for Stepwise<'_, H> {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.0.h(space.steps(), state)
    }
}

impl<S: BoardSpace, H: IncrementalHeuristic<S::Steps>> IncrementalHeuristic<S> for Stepwise<'_, H> {
    type Memo = H::Memo;

    fn memo(&self, space: &S, state: &S::State) -> H::Memo {
        self.0.memo(space.steps(), state)
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        memo: H::Memo,
        parent: &S::State,
        action: S::Action,
        child: &S::State,
    ) -> H::Memo {
        let steps = space.steps();
        space.fold_steps(memo, parent, action, child, |memo, from, action, to| {
            self.0.update(steps, memo, from, action, to)
        })
    }

    #[inline]
    fn value(&self, memo: &H::Memo) -> Cost {
        self.0.value(memo)
    }
}

/// Declares an enum of heuristics, with the memo type of each, and an enum of these memos, and implements the heuristic
/// traits for the former by way of [`Stepwise`].
macro_rules! heuristics {
    ($(#[$docs:meta])* $name:ident, $memo:ident, $to_any:path {
        $($variant:ident($type:ty, $own:ty),)*
    }) => {
        $(#[$docs])*
        #[derive(Clone, Debug)]
        pub(crate) enum $name {
            $($variant($type),)*
        }

        /// Memo of the heuristic of each kind.
        #[derive(Clone, Copy)]
        pub(crate) enum $memo {
            $($variant($own),)*
        }

        $(impl From<$type> for AnyHeuristic {
            fn from(heuristic: $type) -> Self {
                $to_any($name::$variant(heuristic))
            }
        })*

        impl<S: BoardSpace> Heuristic<S> for $name {
            fn h(&self, space: &S, state: &S::State) -> Cost {
                match self {
                    $(Self::$variant(heuristic) => Stepwise(heuristic).h(space, state),)*
                }
            }
        }

        impl<S: BoardSpace> IncrementalHeuristic<S> for $name {
            type Memo = $memo;

            fn memo(&self, space: &S, state: &S::State) -> $memo {
                match self {
                    $(Self::$variant(heuristic) => {
                        $memo::$variant(Stepwise(heuristic).memo(space, state))
                    })*
                }
            }

            #[inline]
            fn update(
                &self,
                space: &S,
                memo: $memo,
                parent: &S::State,
                action: S::Action,
                child: &S::State,
            ) -> $memo {
                match (self, memo) {
                    $((Self::$variant(heuristic), $memo::$variant(memo)) => {
                        let heuristic = Stepwise(heuristic);
                        $memo::$variant(heuristic.update(space, memo, parent, action, child))
                    })*
                    // A memo of another variant cannot be updated.
                    _ => self.memo(space, child),
                }
            }

            #[inline]
            fn value(&self, memo: &$memo) -> Cost {
                match (self, memo) {
                    $((Self::$variant(heuristic), $memo::$variant(memo)) => {
                        IncrementalHeuristic::<S>::value(&Stepwise(heuristic), memo)
                    })*
                    _ => 0,
                }
            }
        }
    };
}

heuristics! {
    /// A heuristic whose memo takes at most 40 bytes, the tag included. Cheap to clone.
    SmallHeuristic, SmallMemo, AnyHeuristic::Small {
        Zero(Zero, ()),
        LineCrossings(Arc<LineCrossings>, Crossings),
        TileSum(Arc<TileSum>, Cost),
        LinearConflict(Arc<LinearConflict>, Conflicts),
        SmallLinearConflict(Arc<SmallLinearConflict>, SmallConflicts),
        WalkingDistance(Arc<WalkingDistance>, Walk),
        Gaschnig(Arc<Gaschnig>, Cost),
        InversionDistance(Arc<InversionDistance>, Inversions),
        MaxOfPatterns(Arc<MaxOfPatterns>, MaxMemo),
        LargestSum(Arc<LargestSum>, Sums),
        ExactEight(ExactEight, ExactMemo),
        ExactTable(Arc<DistanceTable>, Cost),
    }
}

heuristics! {
    /// A heuristic of any kind. Cheap to clone.
    AnyHeuristic, AnyMemo, identity {
        Small(SmallHeuristic, SmallMemo),
        TileClasses(Arc<TileClassDistance>, TileClassMemo),
        ExactDistance(Arc<ExactDistance>, DistanceMemo),
        Patterns(Arc<PatternSum>, PatternMemo),
    }
}

// Every node stores a memo.
const _: () =
    assert!(size_of::<SmallMemo>() <= 40 && size_of::<AnyMemo>() == size_of::<PatternMemo>());

/// An operation that is generic over the space and the heuristic.
pub(crate) trait InstanceVisitor {
    type Output;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Self::Output;
}

impl AnyHeuristic {
    /// The heuristic that is always 0.
    pub const ZERO: Self = Self::Small(SmallHeuristic::Zero(Zero));

    /// Returns whether a heuristic for boards of `S` may be other than small. On the largest boards all are: pattern
    /// databases exist for at most 36 cells, other heuristics with large memos and those for slides for at most 16.
    const fn may_be_large<S: BoardSpace>() -> bool {
        S::MAX_CELLS
            <= match S::METRIC {
                Metric::SingleTile => 64,
                Metric::MultiTile => 16,
            }
    }

    /// Calls `visitor` with `space` and this heuristic.
    pub fn visit<V: InstanceVisitor>(&self, space: &AnySpace, visitor: V) -> V::Output {
        space.visit(InSpace { heuristic: self, visitor })
    }

    /// Returns the value for `board`, a board of `space`.
    pub fn value(&self, space: &AnySpace, board: &Board) -> Cost {
        in_space!(space, space => self.h(space, &space.encode(board)))
    }

    /// Returns whether the tables, which may be damaged, lead from `state` to the goal. Intact tables do so for every
    /// solvable state.
    ///
    /// Cost: one descent per table, some microseconds.
    pub fn descends_from<S: BoardSpace>(&self, space: &S, state: &S::State) -> bool {
        match self {
            Self::Patterns(sum) => sum.descends_from(&sum.orientation().position(space, state)),
            Self::Small(SmallHeuristic::LargestSum(sum)) => {
                sum.descends_from(&sum.orientation().position(space, state))
            }
            Self::TileClasses(classes) => classes.try_memo(space, state).is_some(),
            _ => true,
        }
    }
}

/// A space visitor that passes a heuristic on to the inner visitor.
struct InSpace<'a, V> {
    heuristic: &'a AnyHeuristic,
    visitor: V,
}

impl<V: InstanceVisitor> SpaceVisitor for InSpace<'_, V> {
    type Output = V::Output;

    fn visit<S: BoardSpace>(self, space: &S) -> V::Output {
        match self.heuristic {
            AnyHeuristic::Small(small) => self.visitor.visit(space, small),
            // Spares the largest boards an instantiation for `AnyHeuristic`.
            _ if const { !AnyHeuristic::may_be_large::<S>() } => {
                self.visitor.visit(space, &SmallHeuristic::Zero(Zero))
            }
            heuristic => self.visitor.visit(space, heuristic),
        }
    }
}

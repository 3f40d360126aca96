//! A heuristic that is chosen at run time.
//!
//! All searches but a few hot ones are compiled for [`SmallHeuristic`], [`MediumHeuristic`] and
//! [`LargeHeuristic`] only, so that a heuristic costs little code: a branch on its variant for each child,
//! which is predictable. There are three of them because nodes keep memos, and the memo of a pattern database
//! must not fatten the nodes of Manhattan distance.

use std::sync::Arc;

use loyd_heuristics::pdb::maximum::{MaxMemo, MaxOfPatterns};
use loyd_heuristics::pdb::tile_classes::{TileClassDistance, TileClassMemo};
use loyd_heuristics::pdb::{PatternMemo, PatternSum};
use loyd_heuristics::{
    Conflicts, Fields, Gaschnig, InversionDistance, Inversions, LinearConflict,
    SmallLinearConflict, TileSum, Walk, WalkingDistance,
};
use loyd_kernels::{DistanceMemo, ExactDistance, ExactEight, ExactMemo};
use loyd_search::{Cost, DistanceTable, Heuristic, IncrementalHeuristic, Zero};
use loyd_tiles::BoardSpace;

use crate::space::{AnySpace, SpaceVisitor};

/// A heuristic of any kind; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum AnyHeuristic {
    Small(SmallHeuristic),
    Medium(MediumHeuristic),
    Large(LargeHeuristic),
}

/// Declares an enum of heuristics, each with the type of its memo, and an enum of these memos; and makes the
/// former a heuristic. In slides, the memo is carried over each of their steps.
macro_rules! heuristics {
    ($(#[$docs:meta])* $name:ident, $memo:ident, $class:ident {
        $($variant:ident($type:ty, $own:ty),)*
    }) => {
        $(#[$docs])*
        #[derive(Clone, Debug)]
        pub(crate) enum $name {
            $($variant($type),)*
        }

        /// What the heuristic of each kind carries along.
        #[derive(Clone, Copy)]
        pub(crate) enum $memo {
            $($variant($own),)*
        }

        $(impl From<$type> for AnyHeuristic {
            fn from(heuristic: $type) -> Self {
                Self::$class($name::$variant(heuristic))
            }
        })*

        impl<S: BoardSpace> Heuristic<S> for $name {
            fn h(&self, space: &S, state: &S::State) -> Cost {
                match self {
                    $(Self::$variant(heuristic) => heuristic.h(space.steps(), state),)*
                }
            }
        }

        // There may be one kind only.
        #[allow(unreachable_patterns)]
        impl<S: BoardSpace> IncrementalHeuristic<S> for $name {
            type Memo = $memo;

            fn memo(&self, space: &S, state: &S::State) -> $memo {
                match self {
                    $(Self::$variant(heuristic) => {
                        $memo::$variant(heuristic.memo(space.steps(), state))
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
                        let steps = space.steps();
                        let memo = space.fold_steps(memo, parent, action, child, |memo, from, m, to| {
                            heuristic.update(steps, memo, from, m, to)
                        });
                        $memo::$variant(memo)
                    })*
                    // The memo of another heuristic says nothing.
                    _ => self.memo(space, child),
                }
            }

            #[inline]
            fn value(&self, memo: &$memo) -> Cost {
                match (self, memo) {
                    $((Self::$variant(heuristic), $memo::$variant(memo)) => {
                        IncrementalHeuristic::<S::Steps>::value(heuristic, memo)
                    })*
                    _ => 0,
                }
            }
        }
    };
}

heuristics! {
    /// Heuristics whose memo is a number or two.
    SmallHeuristic, SmallMemo, Small {
        Zero(Zero, ()),
        TileSum(Arc<TileSum>, Cost),
        LinearConflict(Arc<LinearConflict>, Conflicts),
        WalkingDistance(Arc<WalkingDistance>, Walk),
        Gaschnig(Arc<Gaschnig>, Cost),
        InversionDistance(Arc<InversionDistance>, Inversions),
        ExactEight(ExactEight, ExactMemo),
        ExactTable(Arc<DistanceTable>, Cost),
    }
}

heuristics! {
    /// Heuristics whose memo has up to 48 bytes.
    MediumHeuristic, MediumMemo, Medium {
        SmallLinearConflict(Arc<SmallLinearConflict>, Fields),
        TileClasses(Arc<TileClassDistance>, TileClassMemo),
        MaxOfPatterns(Arc<MaxOfPatterns>, MaxMemo),
        ExactDistance(Arc<ExactDistance>, DistanceMemo),
    }
}

heuristics! {
    /// Heuristics whose memo is longer.
    LargeHeuristic, LargeMemo, Large {
        Patterns(Arc<PatternSum>, PatternMemo),
    }
}

/// Something to be done in a space and with a heuristic.
pub(crate) trait InstanceVisitor {
    type Output;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Self::Output;
}

impl AnyHeuristic {
    /// The estimate that knows nothing.
    pub const ZERO: Self = Self::Small(SmallHeuristic::Zero(Zero));

    /// Does what `visitor` is for in `space` and with this heuristic.
    pub fn visit<V: InstanceVisitor>(&self, space: &AnySpace, visitor: V) -> V::Output {
        space.visit(InSpace { heuristic: self, visitor })
    }

    /// Whether tables that may have been damaged lead from `state` to the goal, as right ones do if it can
    /// be reached.
    ///
    /// Cost: a walk for each table; microseconds.
    pub fn leads_from<S: BoardSpace>(&self, space: &S, state: &S::State) -> bool {
        match self {
            Self::Large(LargeHeuristic::Patterns(sum)) => {
                sum.leads_from(&sum.orientation().position(space, state))
            }
            Self::Medium(MediumHeuristic::TileClasses(classes)) => {
                classes.seen(space, state).is_some()
            }
            _ => true,
        }
    }
}

/// A visitor that takes its heuristic along into a space.
struct InSpace<'a, V> {
    heuristic: &'a AnyHeuristic,
    visitor: V,
}

impl<V: InstanceVisitor> SpaceVisitor for InSpace<'_, V> {
    type Output = V::Output;

    fn visit<S: BoardSpace>(self, space: &S) -> V::Output {
        match self.heuristic {
            AnyHeuristic::Small(heuristic) => self.visitor.visit(space, heuristic),
            AnyHeuristic::Medium(heuristic) => self.visitor.visit(space, heuristic),
            AnyHeuristic::Large(heuristic) => self.visitor.visit(space, heuristic),
        }
    }
}

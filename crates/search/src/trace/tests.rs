//! The depth-first searches that tell of nodes are written a second time: they are compared with those that do not.

use crate::testkit::{Gap, Pancakes, Stack};
use crate::*;

/// Counts events.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    expanding: u64,
    children: u64,
}

impl Tracer<Pancakes> for &mut Tally {
    fn node(&mut self, event: NodeEvent, node: &TracedNode<'_, Pancakes>) -> Result<(), Stop> {
        assert!(node.h.is_none_or(|h| node.f == Some(u64::from(node.g + h))));
        match event {
            NodeEvent::Expanding => self.expanding += 1,
            NodeEvent::Generating | NodeEvent::Pruned(Pruning::AboveBound) => self.children += 1,
            _ => {}
        }
        Ok(())
    }
}

/// Compares two searches, and the events of the second one with its counts.
fn compare(
    limits: Limits,
    plain: impl Fn(&Pancakes, &Stack, &mut Meter<'_>) -> Outcome<u8>,
    traced: impl Fn(&Pancakes, &Stack, &mut Meter<'_>, &mut Tally) -> Outcome<u8>,
) {
    let space = Pancakes::new(6);
    for start in (0..720).step_by(23).map(|rank| space.unrank(rank)) {
        let meter = || Meter::new(limits, CancelToken::new());
        let (mut one, mut two, mut tally) = (meter(), meter(), Tally::default());
        assert_eq!(plain(&space, &start, &mut one), traced(&space, &start, &mut two, &mut tally));
        let [one, two] = [one, two].map(Meter::finish);
        assert_eq!((one.expanded, one.generated), (two.expanded, two.generated), "{start:?}");
        assert_eq!(one.iterations, two.iterations);
        assert_eq!(tally.expanding, two.expanded);
        assert!(tally.children <= two.generated);
        if limits.max_expanded.is_none() {
            assert_eq!(tally.children, two.generated, "{start:?}");
        }
    }
}

#[test]
fn idastar_and_depth_first_search_tell_what_they_do() {
    let depth = |max_depth| Limits { max_depth, ..Limits::default() };
    let few = Limits { max_expanded: Some(40), ..Limits::default() };
    for limits in [depth(None), depth(Some(4)), few] {
        compare(
            limits,
            |space, start, meter| idastar(space, &Gap, &NoUndo, start, meter),
            |space, start, meter, tally| {
                idastar_traced(space, &Gap, &NoUndo, start, (meter, tally))
            },
        );
        compare(
            limits,
            |space, start, meter| idastar(space, &Gap, &NoPruning, start, meter),
            |space, start, meter, tally| {
                idastar_traced(space, &Gap, &NoPruning, start, (meter, tally))
            },
        );
        for limit in [0, 3, 6] {
            compare(
                limits,
                |space, start, meter| depth_first(space, &NoUndo, start, limit, meter),
                |space, start, meter, tally| {
                    depth_first_traced(space, &Zero, &NoUndo, (start, limit), (meter, tally))
                },
            );
        }
    }
}

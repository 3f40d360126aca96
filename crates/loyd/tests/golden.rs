//! Counts that any two right programs share.

use loyd::{Algorithm, Config, Goal, Guide, Problem, Solver};

/// The first of Korf's hundred boards (1985) with Manhattan distance: nodes generated within each
/// bound, the root not counted, moves that undo the last not made. With the root, the sum is the
/// 276,361,933 that Korf published; it depends on the order up, left, right, down.
#[test]
fn korfs_first_board_generates_what_it_always_did() {
    let board = loyd::notation::parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    let problem = Problem::new(board, &Goal::BlankFirst).unwrap();
    let config = Config {
        algorithm: Some(Algorithm::named("idastar").unwrap()),
        heuristic: Some(Guide::named("manhattan").unwrap()),
        ..Config::default()
    };
    let report = Solver::new(config).unwrap().solve(&problem).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(57), true));
    let generated: Vec<_> =
        report.stats.iterations.iter().map(|round| (round.bound, round.generated)).collect();
    let known = [(41, 212), (43, 1_494), (45, 10_832), (47, 72_600), (49, 451_935)];
    assert_eq!(generated[..5], known);
    assert_eq!(report.stats.generated, 276_361_932);
}

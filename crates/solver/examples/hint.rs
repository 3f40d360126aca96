//! Prints the best next moves for a player, and then reviews the moves played.

use loyd::notation::parse_moves;
use loyd::{CancelToken, Problem, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (solver, cancel) = (Solver::default(), CancelToken::new());
    let problem: Problem = "1 2 3/4 x 5/7 8 6".parse()?;
    let hint = solver.hint(&problem, &cancel, None)?;
    println!("{} moves from the goal; best moves: {:?}", hint.report.length().unwrap(), hint.best);
    assert_eq!(hint.best, [parse_moves("r")?]);

    let played = parse_moves("lrrd")?;
    let review = solver.review(&problem, &played, &cancel, None)?;
    for segment in &review.segments {
        println!(
            "move {} cost {}: better {:?}",
            segment.number,
            segment.lost(),
            segment.better_moves
        );
    }
    assert_eq!((review.shortest.exact_value(), review.lost().exact_value()), (Some(2), Some(2)));
    Ok(())
}

//! Steps of plans, one per line, and problems written for planners.

use loyd::Problem;

use crate::pddl;

pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().filter(|line| pddl::is_step(line)) {
        let read = pddl::letter(line).ok();
        assert!(read.is_none_or(|letter| "UDLR".contains(letter)), "{line}");
        let capitals = line.to_ascii_uppercase();
        assert!(pddl::is_step(&capitals) && pddl::letter(&capitals).ok() == read, "{line}");
        if let Some(letter) = read {
            assert_eq!(pddl::letter(&back(line)).unwrap(), opposite(letter), "{line}");
        }
    }
    if let Ok(problem) = text.parse::<Problem>() {
        is_whole(&problem);
    }
}

/// Returns the step that undoes this one.
fn back(line: &str) -> String {
    let words: Vec<&str> = line.trim().trim_end_matches(')').split_whitespace().collect();
    let [before @ .., from, to] = words.as_slice() else { panic!("{line}") };
    format!("{} {to} {from})", before.join(" "))
}

fn opposite(letter: char) -> char {
    match letter {
        'U' => 'D',
        'D' => 'U',
        'L' => 'R',
        _ => 'L',
    }
}

/// Checks that every tile has a place in the start and in the goal, and that the relation of neighbours is symmetric.
fn is_whole(problem: &Problem) {
    let (text, size) = (pddl::problem(problem), problem.start().size());
    let (width, height) = (size.width(), size.height());
    assert_eq!(text.matches("(at t_").count(), 2 * (size.cells() - 1));
    let pairs = (width - 1) * height + width * (height - 1);
    assert_eq!(text.matches("(neighbor ").count(), 2 * pairs);
    assert_eq!(text.matches('(').count(), text.matches(')').count());
}

//! Calls about moves: reviews, shorter sequences, notations.

use super::*;

#[test]
fn reviews_moves_in_both_metrics_and_shortens_them() {
    let record = answer("review", json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lrrd"}));
    let reviews = record["reviews"].as_array().unwrap();
    let lost = |place: usize| (&reviews[place]["metric"], &reviews[place]["lost"]);
    assert_eq!((lost(0), lost(1)), ((&json!("stm"), &json!(2)), (&json!("mtm"), &json!(1))));
    let one = json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lrrd", "metric": "mtm"});
    assert_eq!(answer("review", one)["reviews"].as_array().unwrap().len(), 1);
    let shorter = answer("optimize", json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lurrdlrd"}));
    assert_eq!((&shorter["length_before"], &shorter["length"]), (&json!(8), &json!(6)));
    let fault = fault("review", json!({"board": "1 2 3/4 5 6/7 8 x", "moves": "u d d"}));
    assert_eq!((fault.field.as_deref(), fault.from, fault.to), (Some("moves"), Some(4), Some(5)));
}

#[test]
fn converts_boards_and_moves() {
    let compact = answer("convert", json!({"text": "1 2 3/4 5 6/7 8 0", "to": "compact"}));
    assert_eq!(compact["text"], "12345678x");
    assert_eq!(answer("convert", json!({"text": "rd", "to": "tile"}))["text"], "LU");
    let numbers = json!({"text": "rd", "to": "numbers", "board": "1 2 3/4 x 5/7 8 6"});
    assert_eq!(answer("convert", numbers)["text"], "5 6");
    assert_eq!(fault("convert", json!({"text": "rd", "to": "svg"})).field.unwrap(), "to");
}

#[test]
fn reads_moves_so_that_they_solve_the_board() {
    let board = "1 0 2 4/5 7 3 8/9 6 11 12/13 10 14 15";
    let convert = |text: &str, more: Value| {
        let mut request = json!({"text": text, "to": "blank", "board": board});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask("convert", &request).map(|(answer, _)| answer)
    };
    for (text, notation) in [
        ("R D L D D R R", "capitals"),
        ("→↓←↓↓→→", "arrows"),
        ("LURUULL", "tile"),
        ("lur u2 l2", "tile-small"),
    ] {
        let answer = convert(text, json!({"goal": "blank-last"})).unwrap();
        assert_eq!((&answer["text"], &answer["read_as"]), (&json!("rdlddrr"), &json!(notation)));
        assert_eq!(answer.get("notes").is_some(), notation != "tile", "{text}");
        let review = json!({"board": board, "moves": text, "metric": "stm"});
        let review = &answer_of_review(review);
        assert_eq!((&review["notation"], &review["lost"]), (&json!(notation), &json!(0)));
    }
    // Impossible moves are an error, not a shorter solution.
    for text in ["rrrr", "2 3 15", "right right right right"] {
        let fault = convert(text, json!({"goal": "blank-last"})).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("text"), "{text}");
    }
    let named =
        json!({"board": "1 2 3/4 5 6/7 x 8", "moves": "R", "from": "tile", "metric": "stm"});
    assert_eq!(answer_of_review(named)["notation"], "tile");
    let unknown = json!({"board": board, "moves": "R", "from": "kites"});
    assert_eq!(fault("review", unknown).field.as_deref(), Some("from"));
}

/// Returns the first review in the answer.
fn answer_of_review(request: Value) -> Value {
    answer("review", request)["reviews"][0].clone()
}

//! Keys, the mouse, and the size of the screen.

use super::*;

fn click_at(app: &mut App, (column, row): (u16, u16)) {
    let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
    app.take(&Event::Mouse(MouseEvent { kind, column, row, modifiers }), NOW);
}

#[test]
fn keys_move_tile_or_blank() {
    for keys in ["wasd", "khjl"] {
        let mut app = app(&[EASY]);
        type_keys(&mut app, keys);
        assert_eq!(moves_to_string(&app.game.steps()), "drul", "{keys}");
    }
    let mut app = app(&[EASY, "--arrows", "blank"]);
    use KeyCode::{Down, Left, Right, Up};
    for code in [Up, Left, Down, Right, Left, Left] {
        press(&mut app, code);
    }
    assert_eq!(moves_to_string(&app.game.steps()), "uldrl", "it cannot leave the board");
    type_keys(&mut app, "ba");
    assert_eq!(moves_to_string(&app.game.steps()), "uldrlr");
    press_with(&mut app, Left, KeyModifiers::SHIFT, 0);
    assert_eq!(moves_to_string(&app.game.steps()), "uldrlrrr");
    press_with(&mut app, KeyCode::Char('D'), KeyModifiers::SHIFT, 0);
    assert_eq!(moves_to_string(&app.game.steps()), "uldrlrrrlll");
    type_keys(&mut app, "uu");
    assert_eq!(moves_to_string(&app.game.steps()), "uldrlr");
    press_with(&mut app, KeyCode::Char('r'), KeyModifiers::CONTROL, 0);
    assert_eq!((moves_to_string(&app.game.steps()), app.game.undos), ("uldrlrrr".into(), 2));
    press_with(&mut app, KeyCode::Char('y'), KeyModifiers::CONTROL, 0);
    assert_eq!(moves_to_string(&app.game.steps()), "uldrlrrrlll");
    type_keys(&mut app, "uy");
    assert_eq!(moves_to_string(&app.game.steps()), "uldrlrrrlll");
}

#[test]
fn capital_letters_mean_the_same_as_small_ones() {
    let capital = |app: &mut App, letter| {
        press_with(app, KeyCode::Char(letter), KeyModifiers::SHIFT, 0);
    };
    let mut app = app(&[EASY]);
    for letter in ['A', 'W', 'U', 'U', 'Y'] {
        capital(&mut app, letter);
    }
    assert_eq!(moves_to_string(&app.game.steps()), "rr", "to the edge, and one undone");
    capital(&mut app, 'I');
    assert!(!matches!(app.hint, HintState::None));
    capital(&mut app, 'R');
    capital(&mut app, 'R');
    assert!(app.game.is_new(), "the second one confirmed");
    assert_eq!(press_with(&mut app, KeyCode::Char('Q'), KeyModifiers::SHIFT, 0), Flow::Leave);
}

#[test]
fn first_and_last_move_are_watched_with_home_and_end() {
    let mut app = app(&["8 6 7/2 5 4/3 x 1"]);
    type_keys(&mut app, "p ");
    wait(&mut app, |app| matches!(&app.view, View::Watch(watch) if !watch.is_searching()));
    for (code, at) in [(KeyCode::End, 31), (KeyCode::Home, 0)] {
        press(&mut app, code);
        let View::Watch(watch) = &app.view else { panic!("nothing is watched") };
        assert_eq!(watch.playback.position(), at);
    }
}

#[test]
fn goal_is_shown_in_place_of_the_board() {
    let goal = ["--goal", "1 2 3 4/5 6 7 8/* * * */* * * *"];
    let mut app = app(&[&["5 1 2 3/x 6 7 4/9 10 12 8/13 14 11 15"], &goal[..]].concat());
    let text = screen(&mut app, (30, 16), 0);
    assert!(text.contains("4x4 to 1 2 3 4/5 6 7 8/*…") && text.contains("g goal"), "{text}");
    type_keys(&mut app, "g");
    shows(&mut app, (80, 24), "goal");
    type_keys(&mut app, "a");
    assert!(!app.shows_goal && !app.game.is_new(), "any other key returns to the board");
    for keys in ["gg", "p", "g"] {
        type_keys(&mut app, keys);
    }
    assert!(screen(&mut app, (80, 24), 0).contains("Goal\n"), "while watching too");
    press(&mut app, KeyCode::Esc);
    assert!(matches!(app.view, View::Watch(_)) && !app.shows_goal);
}

#[test]
fn click_slides_tiles_up_to_blank() {
    let mut app = app(&[EASY]);
    screen(&mut app, (80, 24), 0);
    let tray = app.tray.unwrap();
    let click = |app: &mut App, cell: usize| {
        let cell = loyd::board::Cell::new(cell);
        let places = (0..24).flat_map(|y| (0..80).map(move |x| (x, y)));
        let mut there = places.filter(|&(x, y)| tray.cell_at((x, y).into()) == Some(cell));
        click_at(app, there.nth(5).unwrap());
    };
    click(&mut app, 0);
    assert!(app.game.is_new(), "it is not in a line with the blank");
    click(&mut app, 11);
    click(&mut app, 3);
    assert_eq!(moves_to_string(&app.game.steps()), "rruu");
}

#[test]
fn click_on_a_number_slides_that_tile_at_each_size() {
    let mut heights = Vec::new();
    for screen_size in [(24, 8), (40, 20), (60, 24), (80, 24), (120, 40), (200, 60), (300, 100)] {
        let mut app = app(&["1 2 3/4 x 5/7 8 6"]);
        app.theme.depth = Depth::None;
        let buffer = buffer(&mut app, screen_size, 0);
        // The faces of tiles at home are reversed; 5 is not at home, to the right of the blank.
        let tray = app.tray.unwrap();
        let reversed = |&(x, y): &(u16, u16)| buffer[(x, y)].modifier.contains(Modifier::REVERSED);
        let places: Vec<_> =
            (0..screen_size.1).flat_map(|y| (0..screen_size.0).map(move |x| (x, y))).collect();
        for at in places.iter().copied().filter(reversed) {
            let cell = tray.cell_at(at.into()).unwrap().index();
            assert!([0, 1, 2, 3, 6, 7].contains(&cell), "{at:?} in {screen_size:?} is {cell}");
        }
        let five = places
            .iter()
            .copied()
            .filter(|&at| tray.cell_at(at.into()) == Some(loyd::board::Cell::new(5)));
        let (first, last) = (five.clone().next().unwrap(), five.clone().next_back().unwrap());
        heights.push(last.1 - first.1);
        click_at(&mut app, first);
        assert_eq!(moves_to_string(&app.game.steps()), "r", "in {screen_size:?}");
        click_at(&mut app, last);
        assert_eq!(moves_to_string(&app.game.steps()), "r", "the blank is on that cell now");
    }
    assert!(heights.is_sorted() && heights.last() > heights.first(), "{heights:?}");
}

#[test]
fn slider_seeks() {
    let mut app = app(&["8 6 7/2 5 4/3 x 1"]);
    type_keys(&mut app, "p ");
    wait(&mut app, |app| matches!(&app.view, View::Watch(watch) if !watch.is_searching()));
    screen(&mut app, (80, 24), 0);
    let slider = app.slider.unwrap();
    for (column, at) in [(slider.x, 0), (slider.right() - 1, 31), (slider.x + slider.width / 2, 16)]
    {
        let (kind, modifiers) = (MouseEventKind::Drag(MouseButton::Left), KeyModifiers::NONE);
        app.take(&Event::Mouse(MouseEvent { kind, column, row: slider.y, modifiers }), NOW);
        let View::Watch(watch) = &app.view else { panic!("nothing is watched") };
        assert_eq!(watch.playback.position(), at);
    }
}

#[test]
fn leaving_running_game_needs_confirmation() {
    let mut app = app(&[EASY]);
    assert_eq!(press(&mut app, KeyCode::Char('q')), Flow::Leave);
    type_keys(&mut app, "aqaq");
    assert!(screen(&mut app, (80, 24), 0).contains("Press q again"));
    // Keys that would discard the game need confirmation too.
    type_keys(&mut app, "nr");
    assert!(screen(&mut app, (80, 24), 0).contains("Press r again"));
    assert!(app.game.is_running() && app.drawing.is_none());
    type_keys(&mut app, "r");
    assert!(app.game.is_new());
    type_keys(&mut app, "ann");
    assert!(app.drawing.is_some());
    wait(&mut app, |app| app.drawing.is_none());
    type_keys(&mut app, "awsdq");
    assert_eq!(press(&mut app, KeyCode::Char('q')), Flow::Leave);
    let control =
        |app: &mut App, letter| press_with(app, KeyCode::Char(letter), KeyModifiers::CONTROL, 0);
    assert_eq!((control(&mut app, 'z'), control(&mut app, 'c')), (Flow::Suspend, Flow::Leave));
}

#[test]
fn blank_stays_visible_on_large_board() {
    let mut app = app(&["--size", "16x16", "--seed", "2", "--arrows", "blank"]);
    for (code, corner) in [(KeyCode::Up, KeyCode::Left), (KeyCode::Down, KeyCode::Right)] {
        for code in [code, corner] {
            press_with(&mut app, code, KeyModifiers::SHIFT, 0);
        }
        let text = screen(&mut app, (40, 20), 0);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("This board needs 65x20; the terminal has 40x20."), "{text}");
        assert!(words.contains("go on with columns"), "{text}");
        let tray = app.tray.unwrap();
        let blank = app.game.board().blank();
        let mut cells =
            (0..20).flat_map(|y| (0..40).filter_map(move |x| tray.cell_at((x, y).into())));
        assert!(cells.any(|cell| cell == blank), "{text}");
    }
    assert!(screen(&mut app, (80, 24), 0).contains("255"), "all of it fits there");
    for (size, is_whole) in
        [((80, 24), true), ((65, 20), true), ((64, 22), false), ((69, 19), false)]
    {
        screen(&mut app, size, 0);
        assert_eq!(app.tray.unwrap().part().is_none(), is_whole, "{size:?}");
    }
    type_keys(&mut app, "p");
    screen(&mut app, (80, 24), 0);
    assert_eq!(app.tray.unwrap().part(), None, "while a solution is watched too");
}

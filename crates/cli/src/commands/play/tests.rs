use std::path::Path;
use std::{fs, thread};

use clap::Parser;
use loyd::goal::Goal;
use loyd::moves::Metric;
use loyd::notation::{moves_to_string, slashes};
use loyd::scramble::{Random, random_board};
use loyd::{Config, Size, Solver};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::style::{Color, Modifier};

use super::app::{HintState, View};
use super::keys::ALL;
use super::theme::Depth;
use super::watch::Job;
use super::*;
use crate::args::{Cli, Command};

mod input;
mod session;

const NOW: std::time::Duration = std::time::Duration::ZERO;

fn second(seconds: u64) -> std::time::Duration {
    std::time::Duration::from_secs(seconds)
}

/// Creates a game from arguments, on a screen with true colours.
fn app(args: &[&str]) -> App {
    let cli = Cli::try_parse_from([&["loyd", "play", "--cache", "none"], args].concat()).unwrap();
    let Command::Play(args) = cli.command else { panic!("another command") };
    let theme = Theme { depth: Depth::True, dark: true };
    let mut app = App::new(Setup::new(&args).unwrap(), theme, args.arrows);
    wait(&mut app, |app| app.drawing.is_none());
    app
}

const EASY: &str = "1 2 3 4/5 6 7 8/9 x 10 12/13 14 11 15";

/// Waits until a search has the expected result.
fn wait(app: &mut App, is_there: impl Fn(&App) -> bool) {
    for _ in 0..60_000 {
        app.tick(NOW);
        if is_there(app) {
            return;
        }
        thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("timed out");
}

fn press_with(app: &mut App, code: KeyCode, modifiers: KeyModifiers, now: u64) -> Flow {
    app.take(&Event::Key(KeyEvent::new(code, modifiers)), second(now))
}

fn press(app: &mut App, code: KeyCode) -> Flow {
    press_with(app, code, KeyModifiers::NONE, 0)
}

/// Presses the keys of these letters.
fn type_keys(app: &mut App, letters: &str) {
    for letter in letters.chars() {
        assert_eq!(press(app, KeyCode::Char(letter)), Flow::Continue, "{letter}");
    }
}

fn buffer(app: &mut App, (width, height): (u16, u16), now: u64) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw::draw(frame, app, second(now))).unwrap();
    terminal.backend().buffer().clone()
}

/// Returns the text of the screen without trailing spaces.
fn screen(app: &mut App, size: (u16, u16), now: u64) -> String {
    let buffer = buffer(app, size, now);
    let row = |row: &[ratatui::buffer::Cell]| {
        let text: String = row.iter().map(|cell| cell.symbol()).collect();
        text.trim_end().to_owned() + "\n"
    };
    buffer.content().chunks(size.0.into()).map(row).collect()
}

/// Compares the screen with a file, or writes the file if `TRYCMD=overwrite`.
#[track_caller]
fn shows(app: &mut App, size: (u16, u16), name: &str) {
    let shown = screen(app, size, 12);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/play/screens");
    let path = folder.join(format!("{name}.txt"));
    if std::env::var("TRYCMD").is_ok_and(|how| how == "overwrite") {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, &shown).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    assert!(shown == expected, "{name}: TRYCMD=overwrite rewrites it\n{shown}");
}

#[test]
fn screens_by_size() {
    for (size, name) in
        [((80, 24), "start-80x24"), ((40, 20), "start-40x20"), ((24, 8), "start-24x8")]
    {
        shows(&mut app(&[EASY]), size, name);
    }
    shows(&mut app(&[EASY]), (200, 60), "start-200x60");
    shows(&mut app(&["1 2 3/4 x 5/7 8 6"]), (200, 60), "start-200x60-3x3");
    let tiny = screen(&mut app(&[EASY]), (18, 5), 0);
    assert_eq!(tiny, "This board needs\n20x8; the terminal\nhas 18x5.\n\n\n");
    let goal = ["--goal", "1 2 3 4/* * * */* * * */* * * *"];
    shows(&mut app(&[&[EASY], &goal[..]].concat()), (80, 24), "partial-goal");
}

#[test]
fn screens_by_view() {
    let mut playing = app(&[EASY]);
    type_keys(&mut playing, "a");
    type_keys(&mut playing, "i");
    wait(&mut playing, |app| matches!(app.hint, HintState::Found(_)));
    shows(&mut playing, (80, 24), "hint");
    type_keys(&mut playing, "?");
    shows(&mut playing, (80, 24), "help-80x24");
    shows(&mut playing, (40, 20), "help-40x20");
    press(&mut playing, KeyCode::Esc);
    type_keys(&mut playing, "p ");
    wait(&mut playing, |app| matches!(&app.view, View::Watch(watch) if !watch.is_searching()));
    type_keys(&mut playing, "  l");
    shows(&mut playing, (80, 24), "watch");
    shows(&mut playing, (40, 20), "watch-40x20");
    shows(&mut app(&["1 2 3/4 5 6/8 7 x"]), (80, 24), "unsolvable");
}

#[test]
fn review_shows_where_moves_were_lost() {
    let mut app = app(&["1 2 3/4 x 5/7 8 6"]);
    type_keys(&mut app, "v");
    assert!(app.notice.as_ref().is_some_and(|message| message.contains("Solve it first")));
    // Down and back again, then the two moves that are needed.
    for (letter, at) in [('s', 1), ('w', 2), ('a', 3), ('w', 9)] {
        press_with(&mut app, KeyCode::Char(letter), KeyModifiers::NONE, at);
    }
    assert!(app.game.is_over());
    wait(&mut app, |app| app.reviews.finished.len() == 2);
    let lost =
        |app: &App| app.reviews.finished.iter().map(|r| r.lost().exact_value()).collect::<Vec<_>>();
    assert_eq!(lost(&app), [Some(2), Some(2)]);
    shows(&mut app, (80, 24), "solved");
    type_keys(&mut app, "v");
    shows(&mut app, (80, 24), "review");
    let View::Review(review) = &app.view else { panic!("no review") };
    assert_eq!((review.playback.position(), review.metric()), (0, 0));
    assert!(screen(&mut app, (60, 16), 12).contains(" Lost\n"), "the table fits");
    press(&mut app, KeyCode::Tab);
    assert!(screen(&mut app, (80, 24), 12).contains("Slide 1  "));
    press(&mut app, KeyCode::Right);
    let View::Review(review) = &app.view else { panic!("no review") };
    assert_eq!((review.playback.position(), review.metric()), (1, 1));
    type_keys(&mut app, "p");
    let View::Watch(watch) = &app.view else { panic!("nothing to watch") };
    assert_eq!(
        (moves_to_string(watch.playback.moves()), watch.metric()),
        ("rd".into(), Metric::MultiTile)
    );
    press(&mut app, KeyCode::Esc);
    let View::Review(review) = &app.view else { panic!("not where it came from") };
    assert_eq!((review.playback.position(), review.metric()), (1, 1));
    press(&mut app, KeyCode::Esc);
    assert!(matches!(app.view, View::Play));
}

#[test]
fn help_is_split_into_pages() {
    let mut app = app(&[EASY]);
    let mut seen = String::new();
    type_keys(&mut app, "?");
    while app.help.is_some() {
        seen += &screen(&mut app, (20, 8), 0);
        type_keys(&mut app, " ");
    }
    for row in ALL[0].1.iter().chain(ALL[2].1) {
        assert!(seen.contains(row.0) && seen.contains(row.1), "{row:?}\n{seen}");
    }
    type_keys(&mut app, "?");
    assert!(screen(&mut app, (40, 9), 0).contains("any key more"));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.help, None);
}

#[test]
fn boards_equal_those_of_scramble() {
    let mut app = app(&["--size", "4x3", "--seed", "7"]);
    let goal = Goal::BlankLast.board(Size::new(4, 3).unwrap()).unwrap();
    let mut random = Random::new(7);
    for number in 1..=3 {
        let board = random_board(&goal, &mut random);
        assert_eq!(app.game.board(), &board);
        assert_eq!(app.name, format!("seed 7, board {number}"));
        type_keys(&mut app, "n");
        wait(&mut app, |app| app.drawing.is_none());
    }
    let app = self::app(&["--size", "3x3", "--length", "20", "--goal", "spiral"]);
    let report = Solver::new(Config::default()).unwrap().solve(app.game.problem()).unwrap();
    assert_eq!(report.length(), Some(20));
}

#[test]
fn unsolvable_board_is_not_searched_until_tiles_are_exchanged() {
    let mut app = app(&["1 2 3/4 5 6/8 7 x"]);
    type_keys(&mut app, "ip");
    assert!(matches!((&app.view, &app.hint), (View::Play, HintState::None)));
    type_keys(&mut app, "x");
    assert!(app.is_solvable());
    assert_eq!(slashes(app.game.board()).to_string(), "1 2 3/4 5 6/7 8 0");
}

#[test]
fn move_cancels_hint() {
    let mut app = app(&["--size", "6x6", "--seed", "1", "--max-time", "none"]);
    type_keys(&mut app, "i");
    assert!(matches!(app.hint, HintState::Searching(_)));
    for code in [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right] {
        press(&mut app, code);
    }
    assert!(matches!(app.hint, HintState::None) && !app.game.is_new());
}

#[test]
fn dropped_job_is_cancelled() {
    let (send, ended) = std::sync::mpsc::channel();
    let job = Job::start(NOW, move |cancel, _| {
        while !cancel.is_cancelled() {
            thread::sleep(std::time::Duration::from_millis(1));
        }
        send.send(()).map_err(|error| error.to_string())
    });
    assert!(job.answer().is_none());
    drop(job);
    assert_eq!(ended.recv(), Ok(()));
}

#[test]
fn gap_closes_while_watching_hard_board() {
    let mut app = app(&["--size", "6x6", "--seed", "3"]);
    type_keys(&mut app, "p");
    let bounds = |app: &App| match &app.view {
        View::Watch(watch) => watch.bounds(),
        _ => None,
    };
    wait(&mut app, |app| bounds(app).is_some());
    let first = bounds(&app).unwrap();
    assert!(first.lower < first.upper);
    let large = format!("{} ≤ ? ≤ {}", first.lower, first.upper);
    assert!(screen(&mut app, (70, 20), 0).contains(&large), "{large}");
    wait(&mut app, |app| {
        bounds(app).is_some_and(|now| now.lower > first.lower || now.upper < first.upper)
    });
    type_keys(&mut app, "5");
    let View::Watch(watch) = &app.view else { panic!("nothing is watched") };
    assert!(watch.is_searching() && watch.playback.position() == watch.playback.moves().len() / 2);
    type_keys(&mut app, "s");
    let View::Watch(watch) = &app.view else { panic!("nothing is watched") };
    assert!(!watch.is_searching());
    assert!(screen(&mut app, (80, 24), 0).contains("Stopped. The best solution so far"));
    type_keys(&mut app, "q");
    assert!(matches!(app.view, View::Play), "back to the game");
}

#[test]
fn hint_is_shown_while_search_improves_it() {
    let mut app = app(&["--size", "6x6", "--seed", "3"]);
    type_keys(&mut app, "i");
    wait(&mut app, |app| match &app.hint {
        HintState::Searching(job) => !job.moves().is_empty(),
        _ => panic!("no search proves a shortest solution of this board so soon"),
    });
    let text = screen(&mut app, (80, 24), 0);
    assert!(text.contains("moves to go so") && text.contains("Searching for fewer."), "{text}");
    assert_eq!(text.matches('>').count(), 1, "one tile is marked: {text}");
}

#[test]
fn colours_depend_on_terminal() {
    let mut app = app(&[EASY]);
    type_keys(&mut app, "a");
    let is_rgb = |color: Color| matches!(color, Color::Rgb(..));
    for (depth, colours, rgb) in
        [(Depth::True, true, true), (Depth::Sixteen, true, false), (Depth::None, false, false)]
    {
        app.theme.depth = depth;
        let buffer = buffer(&mut app, (80, 24), 0);
        let used: Vec<Color> =
            buffer.content().iter().flat_map(|cell| [cell.fg, cell.bg]).collect();
        assert_eq!(used.iter().any(|&color| color != Color::Reset), colours, "{depth:?}");
        assert_eq!(used.iter().any(|&color| is_rgb(color)), rgb, "{depth:?}");
        // Tiles at home look different from others, with or without colours.
        let tray = app.tray.unwrap();
        let style_of = |cell: usize| {
            let cell = Some(loyd::board::Cell::new(cell));
            let places = (0..24).flat_map(|y| (0..80).map(move |x| (x, y)));
            let mut there = places.filter(|&(x, y)| tray.cell_at((x, y).into()) == cell);
            buffer[there.next().unwrap()].modifier.contains(Modifier::BOLD)
        };
        assert_eq!((style_of(0), style_of(10)), (true, false), "{depth:?}");
    }
}

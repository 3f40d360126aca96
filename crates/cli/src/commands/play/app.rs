//! The state of the program, and the handling of keys and of the mouse.

use std::time::Duration;

use loyd::study::Hint;
use loyd::{Move, Problem};
use loyd_play::Game;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::keys::{direction, is_control, is_held, without_case};
use super::review::{ReviewView, Reviews};
use super::setup::{DrawnBoard, Setup};
use super::theme::{Depth, Theme};
use super::tray::Tray;
use super::watch::{Job, Watch};
use crate::args::Arrows;

/// Action of the main loop after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Suspend,
    Leave,
}

/// State of the hint.
pub enum HintState {
    None,
    Searching(Job<Hint>),
    Found(Box<Hint>),
}

/// The current view.
pub enum View {
    Play,
    Watch(Box<Watch>),
    Review(Box<ReviewView>),
}

/// Reasons why a session does not record the solve of a board.
const GIVEN: &str = "only solves of drawn boards are compared";
const OF_LENGTH: &str = "boards of a given length are not compared";
const PLAYED: &str = "you have played this board before";

/// The state of the program.
pub struct App {
    pub setup: Setup,
    pub theme: Theme,
    pub arrows: Arrows,
    pub game: Game,
    /// Origin of the board, shown in the title.
    pub name: String,
    /// The seed of the board, or the reason why a session does not record its solve.
    seed: Result<String, &'static str>,
    /// Whether the solve was recorded in the session.
    pub recorded: Option<Result<(), String>>,
    pub view: View,
    pub hint: HintState,
    pub reviews: Reviews,
    /// The review to return to after watching the best solution.
    pub reviewing: Option<Box<ReviewView>>,
    /// The search for the next board.
    pub drawing: Option<Job<DrawnBoard>>,
    /// Whether the goal is shown in place of the board.
    pub shows_goal: bool,
    /// A message to show until the next move.
    pub notice: Option<String>,
    /// The first visible line of the help, if it is open.
    pub help: Option<usize>,
    /// The first line of the next help page, if the help exceeds the screen.
    pub next_help_page: Option<usize>,
    /// A key that would end the game and must be pressed again to confirm.
    pub pending_key: Option<char>,
    /// Position of the board and of the slider on the screen.
    pub tray: Option<Tray>,
    pub slider: Option<Rect>,
}

impl App {
    /// Starts with the given board, or with a random one.
    pub fn new(mut setup: Setup, theme: Theme, arrows: Arrows) -> Self {
        let given = setup.given.take();
        let name = if given.is_some() { "your board" } else { "the goal" };
        let drawing = given.is_none().then(|| setup.draw(Duration::ZERO));
        let mut app = Self {
            game: Game::new(given.unwrap_or_else(|| setup.example())),
            setup,
            theme,
            arrows,
            name: name.to_owned(),
            seed: Err(GIVEN),
            recorded: None,
            view: View::Play,
            hint: HintState::None,
            reviews: Reviews::default(),
            reviewing: None,
            drawing,
            shows_goal: false,
            notice: None,
            help: None,
            next_help_page: None,
            pending_key: None,
            tray: None,
            slider: None,
        };
        app.select_statistics();
        app
    }

    /// Returns whether the board can be solved.
    pub fn is_solvable(&self) -> bool {
        self.game.solvability().is_solvable()
    }

    /// Returns how long to wait for a key before the screen is redrawn.
    pub fn longest_wait(&self) -> Duration {
        let is_moving = match &self.view {
            View::Watch(watch) => watch.is_searching() || watch.playback.is_playing(),
            _ => false,
        };
        let is_searching = self.drawing.is_some()
            || self.reviews.job.is_some()
            || matches!(self.hint, HintState::Searching(_));
        let is_busy = is_moving || is_searching || self.game.is_running();
        Duration::from_millis(if is_busy { 33 } else { 100 })
    }

    /// Collects the results of searches, and advances the playback.
    pub fn tick(&mut self, now: Duration) {
        if let Some(answer) = self.drawing.as_ref().and_then(Job::answer) {
            self.drawing = None;
            match answer {
                Ok(DrawnBoard { problem, name, seed }) => {
                    self.start_game(problem, name);
                    self.seed = match self.setup.length {
                        None => Ok(seed),
                        Some(_) => Err(OF_LENGTH),
                    };
                }
                Err(error) => self.notice = Some(error),
            }
        }
        self.tick_hint();
        self.tick_reviews(now);
        if let View::Watch(watch) = &mut self.view {
            watch.tick(now);
        }
    }

    /// Starts a game on another board.
    fn start_game(&mut self, problem: Problem, name: String) {
        self.game = Game::new(problem);
        self.name = name;
        self.seed = Err(GIVEN);
        self.view = View::Play;
        self.shows_goal = false;
        self.clear_results();
        self.select_statistics();
    }

    /// Selects the solves of the session that are compared with this game.
    fn select_statistics(&mut self) {
        let session = self.setup.session.as_mut();
        let failed = session.and_then(|session| session.select(self.game.problem()).err());
        self.notice = failed.map(|failure| failure.to_line());
    }

    /// Clears the hint, the message and the reviews.
    fn clear_results(&mut self) {
        self.hint = HintState::None;
        self.notice = None;
        self.recorded = None;
        self.reviews = Reviews::default();
    }

    /// Handles an event.
    pub fn take(&mut self, event: &Event, now: Duration) -> Flow {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                self.key(&without_case(key), now)
            }
            Event::Mouse(mouse) => {
                self.mouse(mouse, now);
                Flow::Continue
            }
            _ => Flow::Continue,
        }
    }

    fn key(&mut self, key: &KeyEvent, now: Duration) -> Flow {
        let confirmed = self.pending_key.take();
        let showed_goal = std::mem::take(&mut self.shows_goal);
        match key.code {
            _ if is_control(key, 'c') => return Flow::Leave,
            _ if is_control(key, 'z') => return Flow::Suspend,
            KeyCode::Char('q') | KeyCode::Esc if self.help.is_some() => self.help = None,
            _ if self.help.is_some() => self.help = self.next_help_page,
            KeyCode::Char('?') | KeyCode::F(1) => self.help = Some(0),
            KeyCode::Char('r' | 'y') if is_held(key, KeyModifiers::CONTROL) => self.redo(now),
            _ if is_held(key, KeyModifiers::CONTROL | KeyModifiers::ALT) => {}
            KeyCode::Char('g') => self.shows_goal = !showed_goal,
            KeyCode::Char('q') | KeyCode::Esc if showed_goal => {}
            KeyCode::Char('c') => self.toggle_theme(),
            KeyCode::Char('b') => self.toggle_arrows(),
            KeyCode::Char(letter @ ('q' | 'n' | 'r'))
                if self.would_end_game() && confirmed != Some(letter) =>
            {
                self.pending_key = Some(letter);
            }
            KeyCode::Char('q') if matches!(self.view, View::Play) => return Flow::Leave,
            KeyCode::Char('q') | KeyCode::Esc if !matches!(self.view, View::Play) => {
                self.view = match (&self.view, self.reviewing.take()) {
                    (View::Watch(_), Some(review)) => View::Review(review),
                    _ => View::Play,
                };
            }
            _ => match &mut self.view {
                View::Play => self.key_in_play(key, now),
                View::Watch(watch) => watch.key(key, now),
                View::Review(review) if key.code == KeyCode::Char('p') => {
                    let best = &self.reviews.finished[review.metric()];
                    let start = self.game.problem().start();
                    let watch = Watch::with_solution(start, &best.best, best.shortest, best.metric);
                    let view = std::mem::replace(&mut self.view, View::Watch(Box::new(watch)));
                    if let View::Review(review) = view {
                        self.reviewing = Some(review);
                    }
                }
                View::Review(review) => review.key(key, &self.reviews.finished),
            },
        }
        Flow::Continue
    }

    /// Handles the mouse: slides the tiles up to the clicked one, or seeks on the slider.
    fn mouse(&mut self, mouse: &MouseEvent, now: Duration) {
        let at = Position::new(mouse.column, mouse.row);
        let is_drag = mouse.kind == MouseEventKind::Drag(MouseButton::Left);
        if !is_drag && mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        if self.help.is_some() {
            self.help = self.next_help_page;
            return;
        }
        if std::mem::take(&mut self.shows_goal) {
            return;
        }
        match &mut self.view {
            View::Watch(watch) => {
                if let Some(slider) = self.slider.filter(|slider| slider.contains(at)) {
                    watch.seek(at.x - slider.x, slider.width);
                }
            }
            View::Play if !is_drag && self.drawing.is_none() => {
                let cell = self.tray.as_ref().and_then(|tray| tray.cell_at(at));
                if cell.is_some_and(|cell| self.game.push_cell(cell, now)) {
                    self.after_move(now);
                }
            }
            _ => {}
        }
    }

    /// Returns whether `n`, `r` or `q` would end a running game.
    fn would_end_game(&self) -> bool {
        matches!(self.view, View::Play) && self.game.is_running() && self.drawing.is_none()
    }

    fn toggle_theme(&mut self) {
        self.theme.dark = !self.theme.dark;
        if self.theme.depth != Depth::True {
            self.show_notice(
                "Light and dark differ only on terminals with true colours (COLORTERM)",
            );
        }
    }

    fn toggle_arrows(&mut self) {
        self.arrows = match self.arrows {
            Arrows::Tile => Arrows::Blank,
            Arrows::Blank => Arrows::Tile,
        };
        self.show_notice(match self.arrows {
            Arrows::Tile => "Arrows move the tile next to the blank",
            Arrows::Blank => "Arrows move the blank",
        });
    }

    /// Shows a message, unless the result of the game is shown.
    fn show_notice(&mut self, text: &str) {
        if !self.game.is_over() {
            self.notice = Some(text.to_owned());
        }
    }

    fn key_in_play(&mut self, key: &KeyEvent, now: Duration) {
        if self.drawing.is_some() {
            // While the next board is searched, the current one cannot be played.
            if key.code == KeyCode::Esc {
                self.drawing = None;
            }
            return;
        }
        if let Some((direction, all)) = direction(key) {
            self.slide(direction, all, now);
            return;
        }
        match key.code {
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(now),
            KeyCode::Char('y') => self.redo(now),
            KeyCode::Char('r') => self.restart(),
            KeyCode::Char('n') => self.drawing = Some(self.setup.draw(now)),
            KeyCode::Char('i') => self.start_hint(now),
            KeyCode::Char('p') => self.watch(now),
            KeyCode::Char('v') => self.show_review(),
            KeyCode::Char('x') => self.exchange_tiles(),
            KeyCode::Esc => {
                self.hint = HintState::None;
                self.notice = None;
            }
            _ => {}
        }
    }

    /// Slides in the direction of a key: the next tile, or all tiles on that side.
    fn slide(&mut self, direction: Move, all: bool, now: Duration) {
        let direction = match self.arrows {
            Arrows::Tile => direction.inverse(),
            Arrows::Blank => direction,
        };
        let moved = match all {
            true => self.game.push_line(direction, now),
            false => self.game.push(direction, 1, now),
        };
        if moved {
            self.after_move(now);
        }
    }

    fn undo(&mut self, now: Duration) {
        if self.game.undo() {
            self.after_move(now);
        }
    }

    fn redo(&mut self, now: Duration) {
        let is_playing = matches!(self.view, View::Play) && self.drawing.is_none();
        if is_playing && self.game.redo(now) {
            self.after_move(now);
        }
    }

    fn restart(&mut self) {
        if let Some(reason) = self.help_reason() {
            self.seed = Err(reason);
        } else if !self.game.is_new() {
            self.seed = Err(PLAYED);
        }
        self.game.restart();
        self.clear_results();
    }

    /// Starts a game on the board with two tiles exchanged, which can be solved.
    fn exchange_tiles(&mut self) {
        if let Some(problem) = self.game.repaired() {
            self.start_game(problem, format!("{}, two tiles exchanged", self.name));
        }
    }

    /// Clears the hint, which was for the previous board; starts the review once the game is over.
    fn after_move(&mut self, now: Duration) {
        self.hint = HintState::None;
        self.notice = None;
        if self.game.is_over() {
            self.record();
            self.review_next(now);
        }
    }

    /// Returns why a game with help is not recorded.
    fn help_reason(&self) -> Option<&'static str> {
        match () {
            () if self.game.watched => Some("you have watched a solution"),
            () if self.game.hints > 0 => Some("you have had a hint"),
            () => None,
        }
    }

    /// Adds the solve to the session, unless the player had help or knew the board.
    fn record(&mut self) {
        let reason = self.help_reason();
        let Some(session) = &mut self.setup.session else { return };
        self.recorded = Some(match (reason, &self.seed) {
            (None, Ok(seed)) => session.add(&self.game, seed).map_err(|failure| failure.to_line()),
            (Some(reason), _) | (None, &Err(reason)) => Err(reason.to_owned()),
        });
    }
}

//! What is going on, and what keys do about it.

use std::time::Duration;

use loyd::moves::Metric;
use loyd::study::{Hint, Review};
use loyd::{Move, Problem};
use loyd_play::Game;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;

use super::job::Job;
use super::keys::{direction, is_control, is_held};
use super::review::Reviewing;
use super::series::Drawn;
use super::setup::Setup;
use super::theme::{Depth, Theme};
use super::tray::Tray;
use super::watch::Watch;
use crate::args::Arrows;

/// What becomes of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    On,
    Suspend,
    Leave,
}

/// What is shown.
pub enum View {
    Play,
    Watch(Box<Watch>),
    Review(Box<Reviewing>),
}

/// A hint that was asked for.
pub enum Hinting {
    None,
    Asked(Job<Hint>),
    There(Box<Hint>),
}

/// What is known of where moves were lost, in both metrics.
#[derive(Default)]
pub struct Reviews {
    pub there: Vec<Review>,
    pub job: Option<Job<Review>>,
    pub failed: Option<String>,
}

/// All that is going on.
pub struct App {
    pub setup: Setup,
    pub theme: Theme,
    pub arrows: Arrows,
    pub game: Game,
    /// Where the board comes from.
    pub name: String,
    pub view: View,
    pub hint: Hinting,
    pub reviews: Reviews,
    /// The review from which one has gone to watch the best solution.
    pub reviewing: Option<Box<Reviewing>>,
    /// The next board.
    pub drawing: Option<Job<Drawn>>,
    /// Something that has to be said once.
    pub notice: Option<String>,
    /// The first line of the help, if that is shown.
    pub help: Option<usize>,
    /// The first line of its next page, if the screen is too small for one.
    pub help_goes_on: Option<usize>,
    /// The key that has to be pressed again, for it ends the game.
    pub asks: Option<char>,
    /// Where the board is on the screen, and the slider.
    pub tray: Option<Tray>,
    pub slider: Option<Rect>,
}

impl App {
    /// Begins with the board that was given, or one that is drawn.
    pub fn new(mut setup: Setup, theme: Theme, arrows: Arrows) -> Self {
        let given = setup.given.take();
        let name = if given.is_some() { "your board" } else { "the goal" };
        let drawing = given.is_none().then(|| setup.draw(Duration::ZERO));
        Self {
            game: Game::new(given.unwrap_or_else(|| setup.example())),
            setup,
            theme,
            arrows,
            name: name.to_owned(),
            view: View::Play,
            hint: Hinting::None,
            reviews: Reviews::default(),
            reviewing: None,
            drawing,
            notice: None,
            help: None,
            help_goes_on: None,
            asks: None,
            tray: None,
            slider: None,
        }
    }

    /// Whether the board can be solved.
    pub fn is_solvable(&self) -> bool {
        self.game.solvability().is_solvable()
    }

    /// How long to wait for a key until the screen is drawn again.
    pub fn longest_wait(&self) -> Duration {
        let is_moving = match &self.view {
            View::Watch(watch) => watch.is_searching() || watch.playback.is_playing(),
            _ => false,
        };
        let is_searching = self.drawing.is_some()
            || self.reviews.job.is_some()
            || matches!(self.hint, Hinting::Asked(_));
        let is_busy = is_moving || is_searching || self.game.is_running();
        Duration::from_millis(if is_busy { 33 } else { 100 })
    }

    /// Takes note of what searches have found, and plays solutions back.
    pub fn tick(&mut self, now: Duration) {
        if let Some(answer) = self.drawing.as_ref().and_then(Job::answer) {
            self.drawing = None;
            match answer {
                Ok(Drawn { problem, name }) => self.begin(problem, name),
                Err(error) => self.notice = Some(error),
            }
        }
        if let Hinting::Asked(job) = &self.hint
            && let Some(answer) = job.answer()
        {
            self.hint = match answer {
                Ok(hint) => Hinting::There(Box::new(hint)),
                Err(error) => {
                    self.notice = Some(error);
                    Hinting::None
                }
            };
        }
        self.tick_reviews(now);
        if let View::Watch(watch) = &mut self.view {
            watch.tick(now);
        }
    }

    fn tick_reviews(&mut self, now: Duration) {
        let Some(answer) = self.reviews.job.as_ref().and_then(Job::answer) else { return };
        self.reviews.job = None;
        match answer {
            Ok(mut review) => {
                if let Some(first) = self.reviews.there.first() {
                    review.takes(&first.best);
                }
                self.reviews.there.push(review);
                if self.reviews.there.len() < Metric::ALL.len() {
                    self.review_next(now);
                }
            }
            Err(error) => self.reviews.failed = Some(error),
        }
    }

    /// Begins with another board.
    fn begin(&mut self, problem: Problem, name: String) {
        self.game = Game::new(problem);
        self.name = name;
        self.view = View::Play;
        self.forget();
    }

    /// Forgets what was about another board.
    fn forget(&mut self) {
        self.hint = Hinting::None;
        self.notice = None;
        self.reviews = Reviews::default();
    }

    /// Does what an event asks for.
    pub fn take(&mut self, event: &Event, now: Duration) -> Flow {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key, now),
            Event::Mouse(mouse) => {
                self.mouse(mouse, now);
                Flow::On
            }
            _ => Flow::On,
        }
    }

    fn key(&mut self, key: &KeyEvent, now: Duration) -> Flow {
        let asked = self.asks.take();
        match key.code {
            _ if is_control(key, 'c') => return Flow::Leave,
            _ if is_control(key, 'z') => return Flow::Suspend,
            KeyCode::Char('q') | KeyCode::Esc if self.help.is_some() => self.help = None,
            _ if self.help.is_some() => self.help = self.help_goes_on,
            KeyCode::Char('?') | KeyCode::F(1) => self.help = Some(0),
            KeyCode::Char('c') => self.exchange_light_and_dark(),
            KeyCode::Char('b') => self.exchange_tile_and_blank(),
            KeyCode::Char(letter @ ('q' | 'n' | 'r'))
                if self.is_at_stake(key) && asked != Some(letter) =>
            {
                self.asks = Some(letter);
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
                    let best = &self.reviews.there[review.metric()];
                    let start = self.game.problem().start();
                    let watch = Watch::of_known(start, &best.best, best.shortest, best.metric);
                    let view = std::mem::replace(&mut self.view, View::Watch(Box::new(watch)));
                    if let View::Review(review) = view {
                        self.reviewing = Some(review);
                    }
                }
                View::Review(review) => review.key(key, &self.reviews.there),
            },
        }
        Flow::On
    }

    /// Whether a key would end a game that is played.
    fn is_at_stake(&self, key: &KeyEvent) -> bool {
        let is_control = is_held(key, KeyModifiers::CONTROL);
        matches!(self.view, View::Play)
            && self.game.is_running()
            && self.drawing.is_none()
            && !is_control
    }

    fn exchange_light_and_dark(&mut self) {
        self.theme.dark = !self.theme.dark;
        if self.theme.depth != Depth::True {
            self.tell("Light and dark differ only where COLORTERM tells of true colours");
        }
    }

    fn exchange_tile_and_blank(&mut self) {
        self.arrows = match self.arrows {
            Arrows::Tile => Arrows::Blank,
            Arrows::Blank => Arrows::Tile,
        };
        self.tell(match self.arrows {
            Arrows::Tile => "Arrows move the tile beside the blank",
            Arrows::Blank => "Arrows move the blank",
        });
    }

    /// Says something, unless there is a result to be read.
    fn tell(&mut self, text: &str) {
        if !self.game.is_over() {
            self.notice = Some(text.to_owned());
        }
    }

    fn key_in_play(&mut self, key: &KeyEvent, now: Duration) {
        if self.drawing.is_some() {
            // The next board is not there, and the one before may be left.
            if key.code == KeyCode::Esc {
                self.drawing = None;
            }
            return;
        }
        if let Some((direction, all)) = direction(key) {
            self.slide(direction, all, now);
            return;
        }
        let control = is_held(key, KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('r') if control => self.redo(now),
            _ if control => {}
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(now),
            KeyCode::Char('y' | 'U') => self.redo(now),
            KeyCode::Char('r') => self.restart(),
            KeyCode::Char('n') => self.drawing = Some(self.setup.draw(now)),
            KeyCode::Char('i') => self.ask_for_hint(now),
            KeyCode::Char('p') => self.watch(now),
            KeyCode::Char('v') => self.show_review(),
            KeyCode::Char('x') => self.mend(),
            KeyCode::Esc => {
                self.hint = Hinting::None;
                self.notice = None;
            }
            _ => {}
        }
    }

    /// Slides where a key points: the tile there, or all tiles on that side.
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
            self.has_moved(now);
        }
    }

    fn undo(&mut self, now: Duration) {
        if self.game.undo() {
            self.has_moved(now);
        }
    }

    fn redo(&mut self, now: Duration) {
        if self.game.redo(now) {
            self.has_moved(now);
        }
    }

    fn restart(&mut self) {
        self.game.restart();
        self.forget();
    }

    /// Begins with the board that can be solved.
    fn mend(&mut self) {
        if let Some(problem) = self.game.mended() {
            self.begin(problem, format!("{}, mended", self.name));
        }
    }

    /// A hint is about the board as it was.
    pub fn has_moved(&mut self, now: Duration) {
        self.hint = Hinting::None;
        self.notice = None;
        if self.game.is_over() {
            self.review_next(now);
        }
    }

    fn ask_for_hint(&mut self, now: Duration) {
        let problem = self.game.rest();
        if !self.is_solvable() || problem.is_solved_by(problem.start()) {
            return;
        }
        self.game.hints += 1;
        self.notice = None;
        let solver = self.setup.solver.clone();
        self.hint = Hinting::Asked(Job::start(now, move |cancel, observer| {
            solver.hint(&problem, cancel, Some(observer)).map_err(|error| error.to_string())
        }));
    }

    /// Searches for a solution from here; from the start, if the goal is reached.
    fn watch(&mut self, now: Duration) {
        if !self.is_solvable() {
            return;
        }
        let problem = match self.game.is_over() {
            true => self.game.problem().clone(),
            false => self.game.rest(),
        };
        self.hint = Hinting::None;
        self.reviewing = None;
        self.game.watched |= !self.game.is_over();
        let watch = Watch::search(self.setup.watched.clone(), problem, now);
        self.view = View::Watch(Box::new(watch));
    }

    /// Asks where moves were lost, in the metric that comes next.
    fn review_next(&mut self, now: Duration) {
        let solver = match self.reviews.there.len() {
            0 => self.setup.solver.clone(),
            _ => self.setup.slides.clone(),
        };
        let (problem, steps) = (self.game.problem().clone(), self.game.steps());
        self.reviews.job = Some(Job::start(now, move |cancel, observer| {
            let review = solver.review(&problem, &steps, cancel, Some(observer));
            review.map_err(|error| error.to_string())
        }));
    }

    fn show_review(&mut self) {
        if self.reviews.there.is_empty() {
            let known = if self.game.is_over() { "It is not ready yet" } else { "Solve it first" };
            self.notice = Some(format!("{known}: the review shows where moves were lost."));
            return;
        }
        let review = Reviewing::new(&self.game, &self.reviews.there);
        self.view = View::Review(Box::new(review));
    }
}

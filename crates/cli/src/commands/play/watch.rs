//! Searches on background threads, and playback of a solution while the search for a better one runs.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use loyd::moves::Metric;
use loyd::notation::parse_moves;
use loyd::search::{Event, Observer, Stop};
use loyd::study::Bounds;
use loyd::{Board, CancelToken, Move, Problem, Report, Solver};
use loyd_api::SearchState;
use loyd_play::Playback;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::page::Page;
use super::theme::{Theme, Tone};
use super::words::{gap, sentence};
use crate::progress::describe;
use crate::units::length_text;

/// A search on a background thread. Dropping it cancels the search without waiting for its end.
pub struct Job<T> {
    cancel: CancelToken,
    known: Arc<Mutex<SearchState>>,
    answer: Receiver<Result<T, String>>,
    started: Duration,
}

impl<T: Send + 'static> Job<T> {
    /// Starts `work` with a cancellation token and an observer.
    pub fn start<W>(now: Duration, work: W) -> Self
    where
        W: FnOnce(&CancelToken, &mut dyn Observer) -> Result<T, String> + Send + 'static,
    {
        let (cancel, known) = (CancelToken::new(), Arc::new(Mutex::new(SearchState::default())));
        let (send, answer) = channel();
        let (token, shared) = (cancel.clone(), Arc::clone(&known));
        let search = move || {
            let mut observer = |event: Event<'_>| {
                shared.lock().unwrap_or_else(PoisonError::into_inner).update(event);
                ControlFlow::Continue(())
            };
            // Fails if the job was dropped, which makes the result irrelevant.
            let _ = send.send(work(&token, &mut observer));
        };
        // If no thread can be started, the sender is dropped and `answer` reports an error.
        let _ = thread::Builder::new().name("search".to_owned()).spawn(search);
        Self { cancel, known, answer, started: now }
    }

    /// Describes what the search is doing, and what it has found so far.
    pub fn description(&self, now: Duration) -> String {
        describe(&self.known(), now.saturating_sub(self.started), None)
    }

    /// Returns the best solution so far, as moves of the blank.
    pub fn solution(&self) -> Option<String> {
        self.known().best.as_ref().map(|(moves, _)| moves.clone())
    }

    /// Returns the moves of the best solution so far, which are empty before the first solution.
    pub fn moves(&self) -> Vec<Move> {
        self.solution().and_then(|text| parse_moves(&text).ok()).unwrap_or_default()
    }

    /// Returns the best lower bound so far.
    pub fn least(&self) -> Option<u32> {
        self.known().lower_bound
    }

    fn known(&self) -> MutexGuard<'_, SearchState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the result, once the search has ended.
    pub fn answer(&self) -> Option<Result<T, String>> {
        match self.answer.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Err("the search ended without a result".to_owned()))
            }
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Maximum number of lines about a search.
const ABOUT: usize = 4;

/// A solution that is played back.
pub struct Watch {
    pub playback: Playback,
    metric: Metric,
    search: Option<Job<Report>>,
    /// Description of what the search is doing.
    status: String,
    /// The best solution so far.
    best: Vec<Move>,
    least: usize,
    /// The first known bounds, from which the gap closes.
    first: Option<Bounds>,
    /// The reason why the search stopped, and the error if it failed.
    pub stopped: Option<Stop>,
    pub failed: Option<String>,
    /// Whether a key was pressed; if not, playback starts as soon as the search ends.
    touched: bool,
}

impl Watch {
    /// Searches for a solution of `problem`.
    pub fn search(solver: Arc<Solver>, problem: Problem, now: Duration) -> Self {
        let start = problem.start().clone();
        let search = Job::start(now, move |cancel, observer| {
            let report = solver.solve_watched(&problem, cancel, Some(observer));
            report.map_err(|error| error.to_string())
        });
        Self { search: Some(search), ..Self::new(&start, Metric::SingleTile) }
    }

    /// Shows a known solution.
    pub fn with_solution(start: &Board, moves: &[Move], bounds: Bounds, metric: Metric) -> Self {
        let mut watch = Self::new(start, metric);
        watch.best = moves.to_vec();
        watch.least = bounds.lower;
        watch.first = Some(bounds);
        watch.playback.replace_moves(moves);
        watch
    }

    fn new(start: &Board, metric: Metric) -> Self {
        Self {
            playback: Playback::new(start.clone()),
            metric,
            search: None,
            status: String::new(),
            best: Vec::new(),
            least: 0,
            first: None,
            stopped: None,
            failed: None,
            touched: false,
        }
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns whether a search is running.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Describes what the search is doing.
    pub fn status(&self) -> &str {
        &self.status
    }

    /// Returns the bounds on the distance, if there is a solution.
    pub fn bounds(&self) -> Option<Bounds> {
        let upper = self.metric.length(&self.best);
        self.first.map(|_| Bounds { lower: self.least.min(upper), upper })
    }

    /// Returns the first known bounds.
    pub fn first_bounds(&self) -> Option<Bounds> {
        self.first
    }

    /// Returns the length of the best solution if it differs from the one shown.
    pub fn better(&self) -> Option<usize> {
        (self.playback.moves() != self.best).then(|| self.metric.length(&self.best))
    }

    /// Collects the results of the search, and advances the playback.
    pub fn tick(&mut self, now: Duration) {
        if let Some(job) = &self.search {
            let (answer, news) = (job.answer(), (job.solution(), job.least()));
            self.status = job.description(now);
            self.learn(news);
            if let Some(answer) = answer {
                self.search = None;
                match answer {
                    Ok(report) => self.finish(report),
                    Err(error) => self.failed = Some(error),
                }
                if !self.touched {
                    self.playback.toggle(now);
                }
            }
        }
        self.playback.tick(now);
        self.playback.replace_moves(&self.best);
    }

    /// Updates the solution and the bound from the search.
    fn learn(&mut self, (solution, least): (Option<String>, Option<u32>)) {
        self.least = self.least.max(least.map_or(0, |least| least as usize));
        if let Some(moves) = solution.and_then(|moves| parse_moves(&moves).ok()) {
            self.best = moves;
            let upper = self.metric.length(&self.best);
            self.first.get_or_insert(Bounds { lower: self.least, upper });
            self.playback.replace_moves(&self.best);
        }
    }

    fn finish(&mut self, report: Report) {
        if let Some(bounds) = Bounds::of(&report) {
            self.least = bounds.lower;
            self.first.get_or_insert(bounds);
        }
        self.best = report.moves.unwrap_or_default();
        self.stopped = report.stopped_by;
        self.playback.replace_moves(&self.best);
    }

    /// Handles a key.
    pub fn key(&mut self, key: &KeyEvent, now: Duration) {
        const PAGE: usize = 10;
        self.touched = true;
        let at = self.playback.position();
        let playback = &mut self.playback;
        match key.code {
            KeyCode::Char(' ') => playback.toggle(now),
            KeyCode::Right | KeyCode::Char('l') => playback.step(),
            KeyCode::Left | KeyCode::Char('h') => playback.step_back(),
            KeyCode::Up | KeyCode::Char('+' | 'k') => playback.change_speed(true),
            KeyCode::Down | KeyCode::Char('-' | 'j') => playback.change_speed(false),
            KeyCode::PageDown => playback.seek(at + PAGE),
            KeyCode::PageUp => playback.seek(at.saturating_sub(PAGE)),
            KeyCode::Home => playback.seek(0),
            KeyCode::End => playback.seek(usize::MAX),
            KeyCode::Char(digit @ '0'..='9') => {
                let tenths = digit as usize - '0' as usize;
                playback.seek(playback.moves().len() * tenths / 10);
            }
            KeyCode::Char('s') => self.stop(),
            _ => {}
        }
        self.playback.replace_moves(&self.best);
    }

    /// Stops the search; its best solution is kept.
    fn stop(&mut self) {
        if self.search.take().is_some() {
            self.stopped = Some(Stop::Cancelled);
        }
    }

    /// Seeks to a column of the slider.
    pub fn seek(&mut self, place: u16, width: u16) {
        self.touched = true;
        self.playback.pause();
        let moves = self.playback.moves().len();
        let last = usize::from(width.max(2) - 1);
        self.playback.seek((usize::from(place) * moves + last / 2) / last);
    }
}

/// Writes the panel of a solution that is watched.
pub fn write_panel(watch: &Watch, page: &mut Page) {
    let theme = page.theme;
    if let Some(error) = &watch.failed {
        page.notice(Tone::Warn, &sentence(error));
    }
    match watch.bounds() {
        None if watch.is_searching() => page.headline("?", theme.accent()),
        None => page.notice(Tone::Warn, "No solution was found."),
        Some(bounds) => {
            // If there is little room, the text below suffices.
            if page.is_high || watch.stopped.is_some() {
                page.headline(&gap(bounds), theme.accent());
                page.gap();
            }
            page.text(&verdict(watch, bounds), Style::new(), ABOUT);
            let first = watch.first_bounds().filter(|first| first.exact_value().is_none());
            if let Some(first) = first.filter(|_| page.is_high) {
                page.lines.push(bar(first, bounds, page.width, theme));
            }
        }
    }
    if watch.is_searching() {
        page.gap();
        let most = if page.is_high { ABOUT } else { 1 };
        page.text(&sentence(watch.status()), theme.muted(), most);
    }
    if let Some(length) = watch.better() {
        page.notice(
            Tone::Accent,
            &format!("A solution of length {length} was found. Press Home to watch it."),
        );
    }
    page.gap();
    page.moves(watch.playback.moves(), watch.playback.position());
}

/// Describes the bounds on the distance.
fn verdict(watch: &Watch, bounds: Bounds) -> String {
    let best = length_text(watch.metric(), bounds.upper);
    let so_far = format!("The best solution so far has {best}.");
    match (bounds.exact_value(), watch.stopped) {
        (Some(_), _) => format!("{best}, proved shortest."),
        (None, Some(Stop::Cancelled)) => format!("Stopped. {so_far}"),
        (None, Some(stop)) => format!("{} {so_far}", sentence(&stop.to_string())),
        (None, None) => format!("{best} found, at least {} needed.", bounds.lower),
    }
}

/// Draws how much of the initial gap between the bounds has closed.
fn bar(first: Bounds, now: Bounds, width: usize, theme: Theme) -> Line<'static> {
    /// Maximum width: a wider bar shows nothing more.
    const MAX_WIDTH: usize = 40;
    let (left, right) = (format!("{} ", first.lower), format!(" {}", first.upper));
    let room = width.saturating_sub(left.len() + right.len()).min(MAX_WIDTH);
    let span = (first.upper - first.lower).max(1);
    let columns = |moves: usize| (moves * room).div_ceil(span).min(room);
    let below = columns(now.lower.saturating_sub(first.lower));
    let above = columns(first.upper.saturating_sub(now.upper)).min(room - below);
    Line::from(vec![
        Span::styled(left, theme.muted()),
        Span::styled("█".repeat(below), theme.accent()),
        Span::styled("░".repeat(room - below - above), theme.muted()),
        Span::styled("█".repeat(above), theme.accent()),
        Span::styled(right, theme.muted()),
    ])
}

/// Draws the slider of the playback; returns the area where a click seeks.
pub fn slider(watch: &Watch, area: Rect, theme: Theme, to: &mut Buffer) -> Rect {
    let (playback, all) = (&watch.playback, watch.playback.moves().len());
    let state = if playback.is_playing() { "▶" } else { "‖" };
    let label = format!("  {} of {all}  {state} {}x", playback.position(), playback.speed());
    let columns = area.width.saturating_sub(label.chars().count() as u16).max(2);
    let at = (playback.position() * usize::from(columns - 1)).checked_div(all).unwrap_or(0);
    let line = Line::from(vec![
        Span::styled("━".repeat(at), theme.accent()),
        Span::styled("●", theme.accent()),
        Span::styled("─".repeat(usize::from(columns) - 1 - at), theme.muted()),
        Span::styled(label, theme.page()),
    ]);
    to.set_line(area.x, area.y, &line, area.width);
    Rect { width: columns, ..area }
}

//! Watching a solution, while the search for a better one goes on.

use std::sync::Arc;
use std::time::Duration;

use loyd::moves::Metric;
use loyd::notation::parse_moves;
use loyd::search::Stop;
use loyd::study::Bounds;
use loyd::{Board, Move, Problem, Report, Solver};
use loyd_play::Playback;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::job::Job;

/// A solution that is played back.
pub struct Watch {
    pub playback: Playback,
    metric: Metric,
    search: Option<Job<Report>>,
    /// What the search does, in words.
    doing: String,
    /// The best solution so far.
    best: Vec<Move>,
    least: usize,
    /// The bounds that were known first: the gap closes from there.
    first: Option<Bounds>,
    /// Why the search was given up, and what went wrong.
    pub stopped: Option<Stop>,
    pub failed: Option<String>,
    /// Whether a key was pressed: else the solution is shown as soon as the search is over.
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

    /// Shows a solution that is known.
    pub fn of_known(start: &Board, moves: &[Move], bounds: Bounds, metric: Metric) -> Self {
        let mut watch = Self::new(start, metric);
        watch.best = moves.to_vec();
        watch.least = bounds.lower;
        watch.first = Some(bounds);
        watch.playback.offer(moves);
        watch
    }

    fn new(start: &Board, metric: Metric) -> Self {
        Self {
            playback: Playback::new(start.clone()),
            metric,
            search: None,
            doing: String::new(),
            best: Vec::new(),
            least: 0,
            first: None,
            stopped: None,
            failed: None,
            touched: false,
        }
    }

    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Whether a search goes on.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// What the search does, in words.
    pub fn doing(&self) -> &str {
        &self.doing
    }

    /// What is known of the distance, if there is a solution.
    pub fn bounds(&self) -> Option<Bounds> {
        let upper = self.metric.length(&self.best);
        self.first.map(|_| Bounds { lower: self.least.min(upper), upper })
    }

    /// The bounds that were known first.
    pub fn first_bounds(&self) -> Option<Bounds> {
        self.first
    }

    /// The length of the best solution, if it is another one than that which is shown.
    pub fn better(&self) -> Option<usize> {
        (self.playback.moves() != self.best).then(|| self.metric.length(&self.best))
    }

    /// Takes note of what the search has found, and shows the moves that are due.
    pub fn tick(&mut self, now: Duration) {
        if let Some(job) = &self.search {
            let (answer, told) = (job.answer(), (job.solution(), job.least()));
            self.doing = job.doing(now);
            self.learn(told);
            if let Some(answer) = answer {
                self.search = None;
                match answer {
                    Ok(report) => self.ends(report),
                    Err(error) => self.failed = Some(error),
                }
                if !self.touched {
                    self.playback.toggle(now);
                }
            }
        }
        self.playback.tick(now);
        self.playback.offer(&self.best);
    }

    /// Takes over what the search has told.
    fn learn(&mut self, (solution, least): (Option<String>, Option<u32>)) {
        self.least = self.least.max(least.map_or(0, |least| least as usize));
        if let Some(moves) = solution.and_then(|moves| parse_moves(&moves).ok()) {
            self.best = moves;
            let upper = self.metric.length(&self.best);
            self.first.get_or_insert(Bounds { lower: self.least, upper });
            self.playback.offer(&self.best);
        }
    }

    fn ends(&mut self, report: Report) {
        if let Some(bounds) = Bounds::of(&report) {
            self.least = bounds.lower;
            self.first.get_or_insert(bounds);
        }
        self.best = report.moves.unwrap_or_default();
        self.stopped = report.stopped_by;
        self.playback.offer(&self.best);
    }

    /// Does what a key asks for.
    pub fn key(&mut self, key: &KeyEvent, now: Duration) {
        const PAGE: usize = 10;
        self.touched = true;
        let at = self.playback.at();
        let playback = &mut self.playback;
        match key.code {
            KeyCode::Char(' ') => playback.toggle(now),
            KeyCode::Right | KeyCode::Char('l') => playback.step(),
            KeyCode::Left | KeyCode::Char('h') => playback.step_back(),
            KeyCode::Up | KeyCode::Char('+' | 'k') => playback.change_speed(true),
            KeyCode::Down | KeyCode::Char('-' | 'j') => playback.change_speed(false),
            KeyCode::PageDown => playback.seek(at + PAGE),
            KeyCode::PageUp => playback.seek(at.saturating_sub(PAGE)),
            KeyCode::Home | KeyCode::Char('g') => playback.seek(0),
            KeyCode::End | KeyCode::Char('G') => playback.seek(usize::MAX),
            KeyCode::Char(digit @ '0'..='9') => {
                let tenths = digit as usize - '0' as usize;
                playback.seek(playback.moves().len() * tenths / 10);
            }
            KeyCode::Char('s') => self.stop(),
            _ => {}
        }
        self.playback.offer(&self.best);
    }

    /// Ends the search with what it has found.
    fn stop(&mut self) {
        if self.search.take().is_some() {
            self.stopped = Some(Stop::Cancelled);
        }
    }

    /// Shows the move at a place of the slider.
    pub fn seek(&mut self, place: u16, width: u16) {
        self.touched = true;
        self.playback.pause();
        let moves = self.playback.moves().len();
        let last = usize::from(width.max(2) - 1);
        self.playback.seek((usize::from(place) * moves + last / 2) / last);
    }
}

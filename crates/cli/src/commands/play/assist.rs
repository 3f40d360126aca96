//! Help for the player: hints, solutions to watch, and reviews, which are searched in the background.

use std::time::Duration;

use loyd::moves::Metric;

use super::app::{App, HintState, View};
use super::review::ReviewView;
use super::watch::{Job, Watch};

impl App {
    /// Takes the hint once its search has ended.
    pub fn tick_hint(&mut self) {
        if let HintState::Searching(job) = &self.hint
            && let Some(answer) = job.answer()
        {
            self.hint = match answer {
                Ok(hint) => HintState::Found(Box::new(hint)),
                Err(error) => {
                    self.notice = Some(error);
                    HintState::None
                }
            };
        }
    }

    /// Takes a review once its search has ended, and starts the next.
    pub fn tick_reviews(&mut self, now: Duration) {
        let Some(answer) = self.reviews.job.as_ref().and_then(Job::answer) else { return };
        self.reviews.job = None;
        match answer {
            Ok(mut review) => {
                if let Some(first) = self.reviews.finished.first() {
                    review.offer_solution(&first.best);
                }
                self.reviews.finished.push(review);
                self.record_optimal();
                if self.reviews.finished.len() < Metric::ALL.len() {
                    self.review_next(now);
                }
            }
            Err(error) => self.reviews.failed = Some(error),
        }
    }

    /// Stores the length of a shortest solution with the solve in the session, once it is proved.
    fn record_optimal(&mut self) {
        let [review] = self.reviews.finished.as_slice() else { return };
        let optimal = review.shortest.exact_value();
        if let (Some(Ok(())), Some(optimal), Some(session)) =
            (&self.recorded, optimal, &mut self.setup.session)
            && let Err(failure) = session.set_optimal(optimal)
        {
            self.recorded = Some(Err(failure.to_line()));
        }
    }

    /// Searches for the best next move.
    pub fn start_hint(&mut self, now: Duration) {
        let problem = self.game.remaining_problem();
        if !self.is_solvable() || problem.is_solved_by(problem.start()) {
            return;
        }
        self.game.hints += 1;
        self.notice = None;
        let solver = self.setup.solver.clone();
        self.hint = HintState::Searching(Job::start(now, move |cancel, observer| {
            solver.hint(&problem, cancel, Some(observer)).map_err(|error| error.to_string())
        }));
    }

    /// Searches for a solution from the current board, or from the start if the game is over.
    pub fn watch(&mut self, now: Duration) {
        if !self.is_solvable() {
            return;
        }
        let problem = match self.game.is_over() {
            true => self.game.problem().clone(),
            false => self.game.remaining_problem(),
        };
        self.hint = HintState::None;
        self.reviewing = None;
        self.game.watched |= !self.game.is_over();
        let watch = Watch::search(self.setup.watched.clone(), problem, now);
        self.view = View::Watch(Box::new(watch));
    }

    /// Starts the review in the next metric.
    pub fn review_next(&mut self, now: Duration) {
        let solver = match self.reviews.finished.len() {
            0 => self.setup.solver.clone(),
            _ => self.setup.slides.clone(),
        };
        let (problem, steps) = (self.game.problem().clone(), self.game.steps());
        self.reviews.job = Some(Job::start(now, move |cancel, observer| {
            let review = solver.review(&problem, &steps, cancel, Some(observer));
            review.map_err(|error| error.to_string())
        }));
    }

    /// Shows where moves were lost, or a message if there is no review yet.
    pub fn show_review(&mut self) {
        if self.reviews.finished.is_empty() {
            let reason = if self.game.is_over() { "It is not ready yet" } else { "Solve it first" };
            self.notice = Some(format!("{reason}: the review shows where moves were lost."));
            return;
        }
        let review = ReviewView::new(&self.game, &self.reviews.finished);
        self.view = View::Review(Box::new(review));
    }
}

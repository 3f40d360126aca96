//! Messages about the game: what is searched, the hint, the result, and what to do next.

use std::time::Duration;

use loyd::moves::runs;
use loyd::study::{Bounds, Hint};

use super::app::{App, HintState};
use super::theme::Tone;
use super::watch::Job;
use super::words::{self, quantity, review_line, sentence, time};
use crate::commands::advice::tiles;
use crate::units;

/// Returns the current message.
pub fn notice(app: &App, now: Duration) -> Option<(Tone, String)> {
    let game = &app.game;
    if let Some(job) = &app.drawing {
        let status = || sentence(&job.description(now));
        let text = match app.setup.length {
            Some(length) => {
                format!("Searching for a board of length {length}. Esc cancels. {}", status())
            }
            None => "Drawing a board.".to_owned(),
        };
        return Some((Tone::Accent, text));
    }
    if let Some(key) = app.pending_key {
        let to_do = match key {
            'n' => "for a new board",
            'r' => "to start again",
            _ => "to leave",
        };
        return Some((Tone::Warn, format!("Press {key} again {to_do}: the clock is running.")));
    }
    if let Some(notice) = &app.notice {
        return Some((Tone::Warn, sentence(notice)));
    }
    if app.shows_goal {
        let text = "This is the goal. A cell with * may hold any tile. Press g to go back.";
        let is_partial = game.problem().partial_goal().is_some();
        let text = if is_partial { text } else { "This is the goal. Press g to go back." };
        return Some((Tone::Accent, text.to_owned()));
    }
    match &app.hint {
        _ if game.is_over() => Some((Tone::Good, result(app, now))),
        _ if !app.is_solvable() => {
            let goals = game.problem().solvable_goals().unwrap_or_default();
            Some((Tone::Warn, words::unsolvable(game.solvability(), &goals)))
        }
        HintState::Searching(job) => Some((Tone::Accent, first_hint(app, job, now))),
        HintState::Found(hint) => Some((Tone::Accent, hint_text(app, hint))),
        HintState::None if game.is_new() && game.problem().is_solved_by(game.board()) => {
            Some((Tone::Good, "This board is solved. Press n for one that is not.".to_owned()))
        }
        HintState::None if game.is_new() => {
            Some((Tone::Plain, "No moves yet. Slide a tile to start the clock.".to_owned()))
        }
        HintState::None => None,
    }
}

/// Describes the first move of the best solution so far, while the search for a better one runs.
fn first_hint(app: &App, job: &Job<Hint>, now: Duration) -> String {
    let moves = job.moves();
    match runs(&moves).next() {
        Some(first) => format!(
            "{} {} to go so far. Searching for fewer.",
            sentence(&tiles(app.game.board(), first)),
            units::moves(moves.len())
        ),
        None => format!("Searching for a hint: {}.", job.description(now)),
    }
}

fn hint_text(app: &App, hint: &Hint) -> String {
    let (Some(first), Some(bounds)) = (hint.best.first(), Bounds::of(&hint.report)) else {
        return "No hint was found in time.".to_owned();
    };
    let others = match hint.best.len() {
        1 => "",
        2 => " Another move is as good.",
        _ => " Other moves are as good.",
    };
    let go = sentence(&tiles(app.game.board(), first));
    match bounds.exact_value() {
        Some(length) => format!("{go} {} to go from there.{others}", units::moves(length - 1)),
        None => format!(
            "{go} The best known solution has {}; at least {} are needed.",
            units::moves(bounds.upper),
            bounds.lower
        ),
    }
}

/// Describes how the game went.
fn result(app: &App, now: Duration) -> String {
    let game = &app.game;
    let mut text = format!("Solved in {}", time(game.elapsed(now)));
    let mut helped = Vec::new();
    if game.hints > 0 {
        helped.push(quantity(game.hints, "hint"));
    }
    if game.undos > 0 {
        helped.push(quantity(game.undos, "undo"));
    }
    if game.watched {
        helped.push("the solution watched".to_owned());
    }
    if !helped.is_empty() {
        text += &format!(", with {}", helped.join(" and "));
    }
    text += ". ";
    text += &match (app.reviews.finished.first(), &app.reviews.failed) {
        (Some(review), _) if review.lost().upper == 0 => sentence(&review_line(review)),
        (Some(review), _) => format!("{} Press v to see where.", sentence(&review_line(review))),
        (None, Some(error)) => format!("There is no review: {error}."),
        (None, None) => "Reviewing the moves.".to_owned(),
    };
    if let Some(Err(reason)) = &app.recorded {
        text += &format!(" Not recorded: {reason}.");
    }
    text
}

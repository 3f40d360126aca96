//! States by distance.

use loyd::CancelToken;
use loyd::search::{Limits, Meter};
use loyd_lab::census::{Question, Survey};

use crate::answers::CensusAnswer;
use crate::fault::Fault;
use crate::progress::Listener;
use crate::request::Request;
use crate::work::{Work, json};

/// Farthest boards that are listed.
const FARTHEST: usize = 100;

/// Counts the states at each distance from a goal.
pub fn census(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let request = &work.request;
    let size = Request::needed("size", request.size()?.as_ref()).copied()?;
    let most = work.most.census_cells;
    if size.cells() > most {
        let message =
            format!("a {size} board has {} cells, and a census here at most {most}", size.cells());
        return Err(Fault::of("size", message));
    }
    let metric = request.metric()?;
    let question = match request.goal(size)? {
        (_, Some(goal)) => Question::new(goal, metric),
        (goal, None) => Question::to_board(&goal, metric),
    };
    let question = question.map_err(|error| Fault::of("goal", error.to_string()))?;
    let mut survey = Survey::new(vec![question], FARTHEST);
    let config = work.config()?;
    let limits = Limits { max_time: config.limits.max_time, ..Limits::default() };
    let mut watcher = work.watcher(listener);
    let cancel = CancelToken::clone(work.cancel);
    let mut meter = Meter::timed_by(config.clock, limits, cancel).observed_by(&mut watcher);
    while survey.advance(&mut meter).map_err(|stop| Fault::stopped(stop.to_string()))? {}
    let elapsed = meter.finish().elapsed;
    json(&CensusAnswer::new(&survey.questions()[0], &survey.answers()[0], survey.bytes(), elapsed))
}

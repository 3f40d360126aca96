//! All shortest solutions as text, each printed as soon as it is found.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;

use loyd::notation::slashes;
use loyd::search::Shortest;

use super::answer::{Answerer, Answers, print_moves, with_option};
use super::stats::stats;
use crate::Status;
use crate::args::{Shown, SolveOutput};
use crate::failure::{Failure, tell};
use crate::input::{Item, Items};
use crate::interrupt;
use crate::progress::{Progress, Watch};

/// Prints the solutions of one board after the other; where there may be several boards, each solution
/// has its board in front.
pub fn run(answerer: &Answerer<'_>, mut items: Items) -> Result<Status, Failure> {
    let args = answerer.args;
    let labelled = items.known_count() != Some(1) && args.output == SolveOutput::Moves;
    let mut status = Status::Yes;
    let watch = Watch::new(args.progress, answerer.solver.config().limits.max_time);
    let watch = if answerer.alone { watch } else { watch.of_many() };
    while let Some(item) = interrupt::while_waiting(&answerer.cancel, || items.next()).flatten() {
        watch.next_board();
        status = status.max(answer(answerer, item?, labelled, &watch)?);
        if answerer.cancel.is_cancelled() {
            return Ok(status.max(Status::No));
        }
    }
    Ok(status)
}

fn answer(
    answerer: &Answerer<'_>,
    item: Item,
    labelled: bool,
    watch: &Watch,
) -> Result<Status, Failure> {
    let Item { line, expected, problem, .. } = item;
    let mut out = io::stdout();
    let args = answerer.args;
    // Two cannot write to the same terminal.
    let is_watched = args.progress.progress == Shown::Json || !out.is_terminal();
    let mut watch = is_watched.then(|| watch.search());
    let observer = watch.as_mut().and_then(Progress::observer);
    let (mut found, mut written) = (0, Ok(()));
    let word = if problem.is_ok() { "refused" } else { "invalid" };
    let answered = problem.and_then(|problem| {
        let label = match labelled {
            true => format!("{}\t", slashes(problem.start())),
            false => String::new(),
        };
        let all = answerer.solver.all_shortest(&problem, &answerer.cancel, observer, |moves| {
            found += 1;
            written = out
                .write_all(label.as_bytes())
                .and_then(|()| print_moves(&problem, moves, args, &mut out));
            if written.is_err() { ControlFlow::Break(()) } else { answerer.is_enough(found) }
        });
        let Shortest { report, .. } = all.map_err(|error| with_option(error, args, line))?;
        std::mem::replace(&mut written, Ok(()))?;
        if report.moves.is_none() {
            out.write_all(label.as_bytes())?;
            answerer.print(&report, &mut out)?;
        }
        Ok(report)
    });
    drop(watch);
    let report = match answered {
        Err(Failure::Other(error)) if error.is::<io::Error>() => return Err(Failure::Other(error)),
        Err(failure) => {
            failure.print();
            if !answerer.alone {
                writeln!(out, "{word}")?;
            }
            return Ok(Status::Bad);
        }
        Ok(report) => report,
    };
    let mut about = Answers::default();
    about.judge(answerer, &report, line, expected);
    answerer.where_to_look(&report).into_iter().for_each(|remark| about.remark(remark));
    if answerer.args.stats {
        about.remark(stats(&report));
    }
    about.remarks.iter().for_each(|(_, remark)| tell(remark));
    Ok(about.status)
}

//! The pages in `docs/experiments` match the output of the experiments.

use std::fs;
use std::path::Path;

use loyd::CancelToken;
use loyd_lab::experiment::{EXPERIMENTS, Experiment, page, plot_name};

fn compare(experiment: &Experiment) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/experiments");
    let read = |name: String| fs::read_to_string(folder.join(&name)).expect(&name);
    let findings = experiment.run(&CancelToken::new()).unwrap();
    let written = page(experiment, &findings, "");
    assert!(read(format!("{}.md", experiment.name)) == written, "{written}");
    for plot in &findings.plots {
        let name = plot_name(experiment, plot.suffix);
        assert!(read(name.clone()) == plot.svg, "{name} differs");
    }
}

#[test]
fn quick_experiments_reproduce_their_pages() {
    for name in ["blank-in-parity", "astar-and-bibfs"] {
        compare(Experiment::named(name).unwrap());
    }
}

#[test]
#[ignore = "takes minutes; the pages change only with the searches and the experiments"]
fn untimed_experiments_reproduce_their_pages() {
    EXPERIMENTS.iter().filter(|experiment| !experiment.is_timed).for_each(|one| compare(one));
}

#[test]
fn cancelled_experiments_end() {
    let cancel = CancelToken::new();
    cancel.cancel();
    for experiment in EXPERIMENTS {
        assert!(experiment.run(&cancel).is_err(), "{}", experiment.name);
    }
}

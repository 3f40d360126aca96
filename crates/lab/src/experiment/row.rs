//! What an experiment is, and what comes of it.

use loyd::CancelToken;
use loyd::search::Stop;

/// A claim, and how it is put to the test.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The name, as in `loyd experiment NAME`.
    pub name: &'static str,
    /// The claim, in a sentence.
    pub claim: &'static str,
    /// What is done, and on which boards.
    pub method: &'static str,
    /// Whether the findings are about time, so that they differ from run to run. All others are the same on every
    /// machine.
    pub is_timed: bool,
    pub(super) run: fn(&CancelToken) -> Result<Findings, Stop>,
}

/// What came of an experiment.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Whether the claim is right.
    pub verdict: Verdict,
    /// Why, with the figures that decide it.
    pub summary: String,
    /// All figures.
    pub table: Table,
    /// The plots as SVG, the most important one first.
    pub plots: Vec<Plot>,
}

/// Whether a claim is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figures agree with it.
    Holds,
    /// It is right about a part of what it says.
    HoldsInPart,
    /// The figures contradict it.
    Fails,
}

/// Figures under a heading. The first column is words, the others are numbers.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The names of the columns.
    pub heading: Vec<&'static str>,
    /// The rows, each as long as the heading.
    pub rows: Vec<Vec<String>>,
}

/// A plot of an experiment.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What the name of its file adds to that of the experiment: nothing for the first, `-manhattan` for another.
    pub suffix: &'static str,
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// The plot.
    pub svg: String,
}

impl Experiment {
    /// Does the experiment, on all threads.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] once `cancel` is set.
    pub fn run(&self, cancel: &CancelToken) -> Result<Findings, Stop> {
        (self.run)(cancel)
    }
}

impl Verdict {
    /// The verdict in a word or two: `holds`, `holds in part` or `fails`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsInPart => "holds in part",
            Self::Fails => "fails",
        }
    }

    /// Holds if `is` so, and fails otherwise.
    pub(super) fn of(is: bool) -> Self {
        if is { Self::Holds } else { Self::Fails }
    }
}

impl Plot {
    /// The first plot.
    pub(super) fn first(figure: &crate::plot::Figure) -> Self {
        Self { suffix: "", title: figure.title.clone(), svg: figure.to_svg() }
    }
}

//! `loyd._loyd.Environments`, the base of the environments of `loyd.environments`.

use loyd::tables::Store;
use loyd::{Config, Size};
use loyd_arrays::environments::{self, EnvironmentError, Restart, Reward, Rules, Scramble, Starts};
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::core::{check_size, value_error};
use crate::interrupt;
use crate::objects::{goal_of, size_of};

type Boards<'py> = Bound<'py, PyArray3<u8>>;
type Masks<'py> = Bound<'py, PyArray2<i8>>;

/// Result of a step of all environments: observations, rewards, terminated, truncated, action masks.
type StepResult<'py> = (
    Boards<'py>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Masks<'py>,
);

/// Result of a step of a single environment.
type SingleStepResult<'py> = (Bound<'py, PyArray2<u8>>, f32, bool, bool, Bound<'py, PyArray1<i8>>);

/// Boards of one size that are stepped together, one action each. See `loyd.environments`.
#[pyclass(module = "loyd._loyd")]
#[derive(Clone)]
pub struct Environments {
    inner: environments::Environments,
    /// Buffer for the actions of a step as bytes.
    actions: Vec<u8>,
}

#[pymethods]
impl Environments {
    #[new]
    #[pyo3(signature = (count, size, *, goal=None, reward="step", max_steps=None, restart="next", refuse_illegal=false))]
    fn new(
        count: usize,
        size: &Bound<'_, PyAny>,
        goal: Option<&Bound<'_, PyAny>>,
        reward: &str,
        max_steps: Option<u32>,
        restart: &str,
        refuse_illegal: bool,
    ) -> PyResult<Self> {
        let goal = goal_of(goal)?.board(Some(size_of(size)?)).map_err(value_error)?;
        let (reward, restart) = (reward_named(reward)?, restart_named(restart)?);
        check_size(goal.size())?;
        let starts = Starts::uniform(&goal);
        let rules = Rules { goal, reward, max_steps, restart, refuse_illegal };
        let inner = environments::Environments::new(count, rules, starts).map_err(value_error)?;
        Ok(Self { inner, actions: Vec::new() })
    }

    /// Shape of the boards: (height, width).
    #[getter]
    fn shape(&self) -> (usize, usize) {
        let size = self.size();
        (size.height(), size.width())
    }

    /// Sets the starts of further episodes: boards whose shortest solutions have a number of moves in the inclusive
    /// range `lengths`, the ends of random walks of `walk` moves, or any solvable board. On boards of more than 10
    /// cells, `pool` boards of each length are drawn here, which may take long and can be interrupted with Ctrl-C.
    #[pyo3(signature = (*, lengths=None, walk=None, pool=256))]
    fn set_starts(
        &mut self,
        py: Python<'_>,
        lengths: Option<(u32, u32)>,
        walk: Option<usize>,
        pool: usize,
    ) -> PyResult<()> {
        let scramble = match (lengths, walk) {
            (None, None) => Scramble::Uniform,
            (Some((least, most)), None) => Scramble::Lengths(least..=most, pool),
            (None, Some(moves)) => Scramble::Walk(moves),
            (Some(_), Some(_)) => {
                return Err(value_error("give either a length or a walk, not both"));
            }
        };
        let (goal, config) = (&self.inner.rules().goal, config());
        let starts = interrupt::run(py, |cancel| Starts::new(goal, &scramble, &config, cancel))?;
        self.inner.set_starts(starts.map_err(value_error)?);
        Ok(())
    }

    /// Starts an episode in each of the given environments, which come with their seeds: the first episode of the seed,
    /// or the next one if the seed is `None`.
    fn reset(&mut self, environments: Vec<(usize, Option<u64>)>) -> PyResult<()> {
        for (environment, seed) in environments {
            self.check(environment)?;
            self.inner.reset(environment, seed);
        }
        Ok(())
    }

    /// Starts an episode on a given board in each of the given environments. `boards` is uint8 of shape (K, H, W).
    fn reset_to(
        &mut self,
        environments: Vec<usize>,
        boards: &Bound<'_, PyArray3<u8>>,
    ) -> PyResult<()> {
        let size = self.size();
        if boards.shape() != [environments.len(), size.height(), size.width()] {
            return Err(value_error(format!(
                "boards have shape {:?} instead of [{}, {}, {}]",
                boards.shape(),
                environments.len(),
                size.height(),
                size.width()
            )));
        }
        let numbers: Vec<u8> =
            boards.try_readonly().map_err(value_error)?.as_array().iter().copied().collect();
        for (environment, board) in environments.into_iter().zip(numbers.chunks_exact(size.cells()))
        {
            self.check(environment)?;
            self.inner.reset_to(environment, board).map_err(value_error)?;
        }
        Ok(())
    }

    /// The current boards, uint8 (N, H, W), and their action masks, int8 (N, 4).
    fn state<'py>(&self, py: Python<'py>) -> PyResult<(Boards<'py>, Masks<'py>)> {
        Ok((self.boards(py, self.inner.boards())?, masks(py, self.inner.masks())?))
    }

    /// Applies one action in each environment. `actions` are N integers from 0 to 3.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<StepResult<'py>> {
        self.read(actions)?;
        self.inner.step(&self.actions).map_err(value_error)?;
        let (boards, masks) = self.state(py)?;
        let rewards = PyArray1::from_slice(py, self.inner.rewards());
        let terminated = PyArray1::from_slice(py, self.inner.terminated());
        let truncated = PyArray1::from_slice(py, self.inner.truncated());
        Ok((boards, rewards, terminated, truncated, masks))
    }

    /// Applies an action if there is only one environment.
    fn step_one<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<SingleStepResult<'py>> {
        narrow(std::iter::once(action), &mut self.actions)?;
        self.inner.step(&self.actions).map_err(value_error)?;
        let size = self.size();
        let board = PyArray1::from_slice(py, self.inner.boards());
        Ok((
            board.reshape([size.height(), size.width()])?,
            self.inner.rewards()[0],
            self.inner.terminated()[0],
            self.inner.truncated()[0],
            PyArray1::from_slice(py, &self.inner.masks()[0]),
        ))
    }

    /// The environments that ended and restarted in the last step: their numbers, int64 (K,), their final boards, uint8
    /// (K, H, W), and the action masks of these, int8 (K, 4).
    fn ended<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Boards<'py>, Masks<'py>)> {
        let ended = self.inner.ended_episodes();
        let numbers = ended.environments.iter().map(|&number| number as i64);
        let boards = self.boards(py, &ended.boards)?;
        Ok((PyArray1::from_iter(py, numbers), boards, masks(py, &ended.masks)?))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

impl Environments {
    fn size(&self) -> Size {
        self.inner.rules().goal.size()
    }

    fn check(&self, environment: usize) -> PyResult<()> {
        match environment < self.inner.count() {
            true => Ok(()),
            false => Err(value_error(format!("there is no environment {environment}"))),
        }
    }

    fn boards<'py>(&self, py: Python<'py>, boards: &[u8]) -> PyResult<Boards<'py>> {
        let size = self.size();
        let count = boards.len() / size.cells();
        PyArray1::from_slice(py, boards).reshape([count, size.height(), size.width()])
    }

    /// Converts actions of any common type into the buffer.
    fn read(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let read = &mut self.actions;
        if let Ok(array) = actions.cast::<PyArray1<i64>>() {
            narrow_array(array, read)
        } else if let Ok(array) = actions.cast::<PyArray1<i32>>() {
            narrow_array(array, read)
        } else if let Ok(array) = actions.cast::<PyArray1<u8>>() {
            narrow_array(array, read)
        } else {
            narrow(actions.extract::<Vec<i64>>()?.into_iter(), read)
        }
    }
}

fn narrow_array<T: Element + Copy + Into<i64>>(
    array: &Bound<'_, PyArray1<T>>,
    into: &mut Vec<u8>,
) -> PyResult<()> {
    let array = array.try_readonly().map_err(value_error)?;
    match array.as_slice() {
        Ok(actions) => narrow(actions.iter().map(|&action| action.into()), into),
        Err(_) => narrow(array.as_array().iter().map(|&action| action.into()), into),
    }
}

/// Converts actions to bytes.
///
/// # Errors
/// Fails if an action is not in 0 to 3.
fn narrow(actions: impl ExactSizeIterator<Item = i64> + Clone, into: &mut Vec<u8>) -> PyResult<()> {
    let mut bits = 0;
    into.clear();
    into.extend(actions.clone().map(|action| {
        bits |= action;
        action as u8
    }));
    if bits & !3 == 0 {
        return Ok(());
    }
    let wrong = actions.enumerate().find(|(_, action)| !(0..4).contains(action));
    let (environment, action) = wrong.unwrap_or_default();
    Err(value_error(EnvironmentError::Action { environment, action }))
}

fn masks<'py>(py: Python<'py>, masks: &[[i8; 4]]) -> PyResult<Masks<'py>> {
    PyArray1::from_slice(py, masks.as_flattened()).reshape([masks.len(), 4])
}

fn reward_named(name: &str) -> PyResult<Reward> {
    match name {
        "step" => Ok(Reward::Step),
        "goal" => Ok(Reward::Goal),
        "misplaced" => Ok(Reward::Misplaced),
        "manhattan" => Ok(Reward::Manhattan),
        _ => Err(value_error(format!(
            "there is no reward {name}; use step, goal, misplaced or manhattan"
        ))),
    }
}

fn restart_named(name: &str) -> PyResult<Restart> {
    match name {
        "next" => Ok(Restart::NextStep),
        "same" => Ok(Restart::SameStep),
        "never" => Ok(Restart::Never),
        _ => Err(value_error(format!("there is no restart {name}; use next, same or never"))),
    }
}

/// Configuration of the searches for boards of a given length.
fn config() -> Config {
    /// Number of boards at which a table of all distances pays off for boards of up to 12 cells.
    const MANY: u64 = 1_000_000;
    Config { store: Store::of_user(), boards: Some(MANY), ..Config::default() }
}

//! `loyd._loyd.Environments`, on which the environments of `loyd.environments` stand.

use loyd::tables::Store;
use loyd::{Config, Size};
use loyd_lab::environments::{self, EnvironmentError, Restart, Reward, Rules, Scramble, Starts};
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::core::value_error;
use crate::interrupt;
use crate::objects::{goal_of, size_of};

type Boards<'py> = Bound<'py, PyArray3<u8>>;
type Masks<'py> = Bound<'py, PyArray2<i8>>;

/// What a step of all environments returns: observations, rewards, terminated, truncated, masks of actions.
type Stepped<'py> = (
    Boards<'py>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Masks<'py>,
);

/// What a step of a single one returns.
type SteppedOne<'py> = (Bound<'py, PyArray2<u8>>, f32, bool, bool, Bound<'py, PyArray1<i8>>);

/// Boards of one size that are moved together, one action each. See `loyd.environments`.
#[pyclass(module = "loyd._loyd")]
#[derive(Clone)]
pub struct Environments {
    inner: environments::Environments,
    /// The actions of a step as bytes.
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
        let starts = Starts::uniform(&goal);
        let rules = Rules { goal, reward, max_steps, restart, refuse_illegal };
        let inner = environments::Environments::new(count, rules, starts).map_err(value_error)?;
        Ok(Self { inner, actions: Vec::new() })
    }

    /// (height, width) of the boards.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        let size = self.size();
        (size.height(), size.width())
    }

    /// Episodes start from now on on boards whose shortest solutions have so many moves, from the first to the second
    /// of `lengths`, at the ends of random walks of `walk` moves, or anywhere. On boards of more than 10 cells `pool`
    /// boards of each length are drawn here, which may take long and is ended by Ctrl-C.
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
                return Err(value_error("a start has a length or is reached by a walk, not both"));
            }
        };
        let (goal, config) = (&self.inner.rules().goal, config());
        let starts = interrupt::run(py, |cancel| Starts::new(goal, &scramble, &config, cancel))?;
        self.inner.set_starts(starts.map_err(value_error)?);
        Ok(())
    }

    /// Begins an episode in each of some environments, given with their seeds: the first of the seed, or the next where
    /// that is `None`.
    fn reset(&mut self, environments: Vec<(usize, Option<u64>)>) -> PyResult<()> {
        for (environment, seed) in environments {
            self.check(environment)?;
            self.inner.reset(environment, seed);
        }
        Ok(())
    }

    /// Begins an episode on a given board in each of some environments. `boards` is uint8 of shape (K, H, W).
    fn reset_to(
        &mut self,
        environments: Vec<usize>,
        boards: &Bound<'_, PyArray3<u8>>,
    ) -> PyResult<()> {
        let size = self.size();
        if boards.shape() != [environments.len(), size.height(), size.width()] {
            return Err(value_error(format!(
                "boards of shape {:?} where [{}, {}, {}] is needed",
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

    /// The boards, uint8 (N, H, W), and which actions they have, int8 (N, 4).
    fn state<'py>(&self, py: Python<'py>) -> PyResult<(Boards<'py>, Masks<'py>)> {
        Ok((self.boards(py, self.inner.boards())?, masks(py, self.inner.masks())?))
    }

    /// Carries out one action in each environment. `actions` are N integers from 0 to 3.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<Stepped<'py>> {
        self.read(actions)?;
        self.inner.step(&self.actions).map_err(value_error)?;
        let (boards, masks) = self.state(py)?;
        let rewards = PyArray1::from_slice(py, self.inner.rewards());
        let terminated = PyArray1::from_slice(py, self.inner.terminated());
        let truncated = PyArray1::from_slice(py, self.inner.truncated());
        Ok((boards, rewards, terminated, truncated, masks))
    }

    /// Carries out one action in the first environment, where there is no other.
    fn step_one<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<SteppedOne<'py>> {
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

    /// The environments that ended in the last step and began anew in it: their numbers, int64 (K,), their last boards,
    /// uint8 (K, H, W), and which actions these have, int8 (K, 4).
    fn ended<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Boards<'py>, Masks<'py>)> {
        let ended = self.inner.ended();
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

    /// Reads actions of any usual type.
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

/// Writes actions as bytes.
///
/// # Errors
/// When one is not from 0 to 3.
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
            "{name} is no reward: there are step, goal, misplaced and manhattan"
        ))),
    }
}

fn restart_named(name: &str) -> PyResult<Restart> {
    match name {
        "next" => Ok(Restart::NextStep),
        "same" => Ok(Restart::SameStep),
        "never" => Ok(Restart::Never),
        _ => Err(value_error(format!("{name} is no restart: there are next, same and never"))),
    }
}

/// How boards of a length are searched for.
fn config() -> Config {
    /// A table of all distances pays for boards of up to 12 cells.
    const MANY: u64 = 1_000_000;
    Config { store: Store::of_user(), boards: Some(MANY), ..Config::default() }
}

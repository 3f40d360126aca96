//! `loyd._loyd.Environments`, the base of the environments of `loyd.environments`.

use std::ops::RangeInclusive;

use loyd::tables::Store;
use loyd::{Config, Size};
use loyd_arrays::InvalidRows;
use loyd_arrays::environments::{self, EnvironmentError, Restart, Reward, Rules, Scramble, Starts};
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::batch::Batch;
use crate::core::{check_size, value_error};
use crate::interrupt;
use crate::objects::{goal_of, import_numpy, maybe_whole, size_of, whole};

/// Largest number of environments: a step of all takes some tenths of a second, for which Ctrl-C waits.
const MAX_COUNT: u64 = 1 << 20;

/// Largest number of moves of the walks of all environments together, for the same reason.
const MAX_WALKS: u64 = 50_000_000;

/// Largest number of boards of each length in a pool: some hundred megabytes.
const MAX_POOL: u64 = 1 << 20;

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
        count: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        goal: Option<&Bound<'_, PyAny>>,
        reward: &str,
        max_steps: Option<&Bound<'_, PyAny>>,
        restart: &str,
        refuse_illegal: bool,
    ) -> PyResult<Self> {
        import_numpy(count.py())?;
        let count = whole("num_envs", count, 1..=MAX_COUNT)? as usize;
        let max_steps = maybe_whole("max_episode_steps", max_steps, 1..=u32::MAX.into())?;
        let max_steps = max_steps.map(|steps| steps as u32);
        let goal = goal_of(goal)?.board(Some(size_of(size)?)).map_err(value_error)?;
        let (reward, restart) = (reward_named(reward)?, restart_named(restart)?);
        check_size(goal.size())?;
        let starts = Starts::uniform(&goal);
        let rules = Rules { goal, reward, max_steps, restart, refuse_illegal };
        let inner = environments::Environments::new(count, rules, starts).map_err(error_of)?;
        Ok(Self { inner, actions: Vec::new() })
    }

    /// Shape of the boards: (height, width).
    #[getter]
    fn shape(&self) -> (usize, usize) {
        let size = self.size();
        (size.height(), size.width())
    }

    /// Sets the starts of further episodes: boards whose shortest solutions have `length` moves or a number in the
    /// inclusive range of two numbers, the ends of random walks of `walk` moves, or any solvable board. On boards of more than 10
    /// cells, `pool` boards of each length are drawn here, which may take long and can be interrupted with Ctrl-C.
    #[pyo3(
        signature = (*, length=None, walk=None, pool=None),
        text_signature = "($self, *, length=None, walk=None, pool=256)"
    )]
    fn set_starts(
        &mut self,
        py: Python<'_>,
        length: Option<&Bound<'_, PyAny>>,
        walk: Option<&Bound<'_, PyAny>>,
        pool: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let pool = maybe_whole("pool", pool, 1..=MAX_POOL)?.unwrap_or(256) as usize;
        let most = MAX_WALKS / self.inner.count() as u64;
        let walk = maybe_whole("walk", walk, 0..=most)?.map(|moves| moves as usize);
        let scramble = match (length, walk) {
            (None, None) => Scramble::Uniform,
            (Some(length), None) => Scramble::Lengths(range_of(length)?, pool),
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
    fn reset(&mut self, environments: Vec<(usize, Option<Bound<'_, PyAny>>)>) -> PyResult<()> {
        let read = |(environment, seed): (usize, Option<Bound<'_, PyAny>>)| {
            self.check(environment)?;
            Ok((environment, maybe_whole("seed", seed.as_ref(), 0..=u64::MAX)?))
        };
        // All are read before any environment changes.
        let all = environments.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
        for (environment, seed) in all {
            self.inner.reset(environment, seed);
        }
        Ok(())
    }

    /// Starts an episode on a board of a batch in each of the given environments. The batch has a board for each of all
    /// environments.
    fn reset_to(&mut self, environments: Vec<usize>, boards: &Bound<'_, PyAny>) -> PyResult<()> {
        let batch = self.checked(&environments, boards)?;
        for environment in environments {
            let board = batch.rows().get(environment);
            self.inner.reset_to(environment, board).map_err(error_of)?;
        }
        Ok(())
    }

    /// Checks the arguments of `reset_to`, and changes nothing.
    #[expect(clippy::needless_pass_by_value, reason = "Python passes a list")]
    fn check_boards(&self, environments: Vec<usize>, boards: &Bound<'_, PyAny>) -> PyResult<()> {
        self.checked(&environments, boards).map(drop)
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
        self.inner.step(&self.actions).map_err(error_of)?;
        let (boards, masks) = self.state(py)?;
        let rewards = PyArray1::from_slice(py, self.inner.rewards());
        let terminated = PyArray1::from_slice(py, self.inner.terminated());
        let truncated = PyArray1::from_slice(py, self.inner.truncated());
        Ok((boards, rewards, terminated, truncated, masks))
    }

    /// Applies an action if there is only one environment.
    fn step_one<'py>(
        &mut self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<SingleStepResult<'py>> {
        narrow(std::iter::once(action_of(action)?), &mut self.actions)?;
        self.inner.step(&self.actions).map_err(error_of)?;
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

    /// Reads boards for all environments, and checks those of `environments`.
    ///
    /// # Errors
    /// `ValueError` for the first board that cannot be a start.
    fn checked<'py>(
        &self,
        environments: &[usize],
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<Batch<'py>> {
        let batch = Batch::new(boards, Some(self.size()), InvalidRows::Reject)?;
        let (found, count) = (batch.len(), self.inner.count());
        if found != count {
            return Err(value_error(format!("{found} boards for {count} environments")));
        }
        for &environment in environments {
            self.check(environment)?;
            self.inner.check_start(batch.rows().get(environment)).map_err(|fault| match count {
                1 => error_of(fault),
                _ => value_error(format!("board {environment}: {fault}")),
            })?;
        }
        Ok(batch)
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
            let actions = actions.try_iter()?.map(|action| action_of(&action?));
            narrow(actions.collect::<PyResult<Vec<i64>>>()?.into_iter(), read)
        }
    }
}

/// Converts an action.
///
/// # Errors
/// `ValueError` if it does not fit in 64 bits, `TypeError` if it is not an integer.
fn action_of(action: &Bound<'_, PyAny>) -> PyResult<i64> {
    action.extract::<i64>().or_else(|error| {
        let py = action.py();
        if error.is_instance_of::<PyOverflowError>(py) {
            return Err(value_error(format!(
                "invalid action {action}: 0 to 3 move the blank up, left, right and down"
            )));
        }
        let kind = action.get_type().name()?;
        Err(PyTypeError::new_err(format!("an action must be an integer, not {kind}")))
    })
}

/// Reads the argument `length`: a number of moves, or a tuple of the least and the most. A list is rejected, because for
/// `scramble` it has another meaning.
fn range_of(length: &Bound<'_, PyAny>) -> PyResult<RangeInclusive<u32>> {
    let moves = |length: &Bound<'_, PyAny>| {
        whole("length", length, 0..=u32::MAX.into()).map(|length| length as u32)
    };
    if length.is_instance_of::<PyList>() || length.is_instance_of::<PyTuple>() {
        let pair = length.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
        let (least, most) = pair.map_err(|_| {
            PyTypeError::new_err(
                "length is a number of moves or a range as a tuple, such as (3, 10); lists, which `scramble` takes, are \
                 not supported here",
            )
        })?;
        return Ok(moves(&least)?..=moves(&most)?);
    }
    moves(length).map(|length| length..=length)
}

/// Creates the exception of an error.
fn error_of(error: EnvironmentError) -> PyErr {
    match error {
        EnvironmentError::Memory(_) => PyMemoryError::new_err(error.to_string()),
        _ => value_error(error),
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

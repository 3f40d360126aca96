//! `loyd.Board`.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use loyd::board::Solvability;
use loyd::notation::{MoveText, read_moves, slashes};
use loyd::scramble::Scrambler;
use loyd::{Config, Move};
use loyd_cli::library;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::goal::goal_of;
use super::input::{board_of, import_numpy, maybe_size, size_of, whole};
use crate::core::value_error;
use crate::interrupt;

/// A board: a size, and a tile on each cell. It never changes.
///
/// Built from text in any form of the command line, from nested or flat lists, and from arrays of shape (H, W) or (N,).
/// 0 is the blank. `size` is needed where the value does not tell width and height: "WxH", an edge, or (width, height).
/// Raises `ValueError` with what is wrong with it.
#[pyclass(frozen, module = "loyd")]
#[derive(Clone)]
pub struct Board {
    pub board: loyd::Board,
}

impl From<loyd::Board> for Board {
    fn from(board: loyd::Board) -> Self {
        Self { board }
    }
}

/// The numbers of `board` as an array of shape (H, W).
pub fn array<'py>(py: Python<'py>, board: &loyd::Board) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let (width, height) = (board.size().width(), board.size().height());
    let numbers: Vec<u8> = board.numbers().collect();
    import_numpy(py)?;
    PyArray1::from_vec(py, numbers).reshape([height, width])
}

/// Moves of the blank in any notation, as text, and where they lead from `board`.
///
/// # Errors
/// `ValueError` when they are none, or one of them cannot be made.
pub fn read(
    board: &loyd::Board,
    moves: &str,
    notation: Option<&str>,
) -> PyResult<(MoveText, loyd::Board)> {
    let notation = match notation {
        Some(name) => Some(library::style(Some(name), false).map_err(value_error)?.notation),
        None => None,
    };
    let fault = |error| value_error(library::Message::from(error));
    let read = read_moves(moves, notation, Some(board)).map_err(fault)?;
    let end = read.apply_to(board).map_err(fault)?;
    Ok((read, end))
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (value, size=None))]
    fn new(value: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(board_of(value, maybe_size(size)?)?.into())
    }

    /// A board drawn by `seed`, as `loyd scramble` draws it: any that can reach `goal`, one whose shortest solution has
    /// `length` moves, or the end of a random `walk` of so many moves from the goal, none of which undoes the one before.
    #[staticmethod]
    #[pyo3(signature = (size, *, seed=0, length=None, walk=None, goal=None))]
    fn scrambled(
        py: Python<'_>,
        size: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole)] seed: u64,
        length: Option<u32>,
        walk: Option<usize>,
        goal: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if length.is_some() && walk.is_some() {
            return Err(value_error("a board has a length or is reached by a walk, not both"));
        }
        let (size, goal) = (size_of(size)?, goal_of(goal)?);
        let store = loyd::tables::Store::of_user();
        let config = Config { store, ..Config::default() };
        let mut scrambler = match goal.partial(Some(size)).map_err(value_error)? {
            Some(partial) => Scrambler::to_partial(&partial, seed, config).map_err(value_error)?,
            None => {
                let goal = goal.board(Some(size)).map_err(value_error)?;
                Scrambler::new(goal, seed, config).map_err(value_error)?
            }
        };
        let drawn = interrupt::run(py, |cancel| match (length, walk) {
            (Some(length), _) => {
                scrambler.of_length(length, cancel, None).map(|scrambled| scrambled.board)
            }
            (None, Some(walk)) => scrambler.by_moves(walk).map(|(board, _)| board),
            (None, None) => Ok(scrambler.any()),
        })?;
        Ok(drawn.map_err(value_error)?.into())
    }

    /// (width, height).
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.board.size().width(), self.board.size().height())
    }

    /// The numbers of the tiles in reading order, 0 for the blank.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.board.numbers())
    }

    /// A new array of `uint8` of shape (H, W).
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        array(py, &self.board)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("the numbers of a board are copied into an array"));
        }
        let array = array(py, &self.board)?.into_any();
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// The cell of the blank, in reading order from 0.
    #[getter]
    fn blank(&self) -> usize {
        self.board.blank().index()
    }

    /// The moves that the blank can make: letters in the order "ulrd" of actions 0 to 3.
    #[getter]
    fn moves(&self) -> String {
        let possible = self.board.moves();
        Move::ALL.into_iter().filter(|&m| possible.contains(m)).map(Move::letter).collect()
    }

    /// The board to which `moves` lead, in any notation.
    #[pyo3(signature = (moves, *, notation=None))]
    fn apply(&self, moves: &str, notation: Option<&str>) -> PyResult<Self> {
        Ok(read(&self.board, moves, notation)?.1.into())
    }

    /// Whether `goal` can be reached: a name, or a board.
    #[pyo3(signature = (goal=None))]
    fn is_solvable(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let problem = goal_of(goal)?.problem(self.board.clone()).map_err(value_error)?;
        Ok(Solvability::new(problem.start(), problem.goal()).is_solvable())
    }

    /// The board in a form of `loyd list forms`: slashes, tokens, compact, list, rows or grid.
    #[pyo3(signature = (form="slashes"))]
    fn text(&self, form: &str) -> PyResult<String> {
        library::form(form).map_err(value_error)?.write(&self.board).map_err(value_error)
    }

    fn __str__(&self) -> String {
        slashes(&self.board).to_string()
    }

    fn __repr__(&self) -> String {
        let grid = loyd::notation::grid(&self.board).to_string();
        format!("Board(\"{}\")\n{}", slashes(&self.board), grid.trim_end())
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        drawn(slf.as_any(), "board_svg")
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        drawn(slf.as_any(), "board_html")
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board.hash(&mut hasher);
        hasher.finish()
    }

    /// By size, and then by numbers in reading order.
    fn __richcmp__(&self, other: &Self, op: pyo3::basic::CompareOp) -> bool {
        let key = |board: &loyd::Board| (board.size(), board.numbers().collect::<Vec<u8>>());
        let order: Ordering = key(&self.board).cmp(&key(&other.board));
        op.matches(order)
    }

    /// The number of cells.
    fn __len__(&self) -> usize {
        self.board.size().cells()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// What a function of `loyd._display` draws.
pub fn drawn(object: &Bound<'_, PyAny>, function: &str) -> PyResult<Py<PyAny>> {
    let display = object.py().import("loyd._display")?;
    Ok(display.call_method1(function, (object,))?.unbind())
}

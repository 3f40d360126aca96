//! `loyd.Board` and `loyd.Goal`, and the conversion of Python values to boards and goals.

use std::cmp::Ordering;
use std::ffi::CString;
use std::hash::{DefaultHasher, Hash, Hasher};

use loyd::board::Solvability;
use loyd::notation::{MAX_MOVES, MoveText, read_moves, read_moves_to, slashes};
use loyd::scramble::Scrambler;
use loyd::{Config, Move, Problem, Size};
use loyd_cli::library::{self, GoalText};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use super::conversion::{import_numpy, maybe_size, maybe_whole, seed_of, size_of};
use crate::core::{check_size, value_error};
use crate::interrupt;

/// A board: a size, and a tile on each cell. Boards are immutable.
///
/// Created from text in any form of the command line, from nested or flat lists, or from arrays of shape (H, W) or
/// (N,). 0 is the blank. `size` is required if the value does not determine width and height: "WxH", a number for a
/// square, or (width, height). Raises `ValueError` for invalid boards.
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

/// Returns the numbers of `board` as an array of shape (H, W).
pub fn array<'py>(py: Python<'py>, board: &loyd::Board) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let (width, height) = (board.size().width(), board.size().height());
    check_size(board.size())?;
    let numbers: Vec<u8> = board.bytes().collect();
    import_numpy(py)?;
    PyArray1::from_vec(py, numbers).reshape([height, width])
}

/// Parses moves in any notation and returns them with the board to which they lead. If there is a problem, they are
/// expected to solve it. Issues a warning if they are not read in the default notation.
///
/// # Errors
/// `ValueError` if the moves are invalid or impossible.
pub fn read(
    py: Python<'_>,
    board: &loyd::Board,
    moves: &str,
    notation: Option<&str>,
    problem: Option<&Problem>,
) -> PyResult<(MoveText, loyd::Board)> {
    let notation = match notation {
        Some(name) => Some(library::style(Some(name), false).map_err(value_error)?.notation),
        None => None,
    };
    let error_of = |error| value_error(library::Message::from(error));
    let read = match problem {
        Some(problem) => read_moves_to(moves, notation, board, |end| problem.is_solved_by(end)),
        None => read_moves(moves, notation, Some(board)),
    };
    let read = read.map_err(error_of)?;
    let end = read.apply_to(board).map_err(error_of)?;
    if let Some(note) = read.note() {
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(note)?, 1)?;
    }
    Ok((read, end))
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (value, size=None))]
    fn new(value: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(board_of(value, maybe_size(size)?)?.into())
    }

    /// Draws a board by `seed`, like `loyd scramble`: any board that can reach `goal`, one whose shortest solution has
    /// `length` moves, or the end of a random `walk` of that many moves from the goal, none of which undoes the
    /// previous one.
    #[staticmethod]
    #[pyo3(
        signature = (size, *, seed=None, length=None, walk=None, goal=None),
        text_signature = "(size, *, seed=0, length=None, walk=None, goal=None)"
    )]
    fn scrambled(
        py: Python<'_>,
        size: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        length: Option<&Bound<'_, PyAny>>,
        walk: Option<&Bound<'_, PyAny>>,
        goal: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let seed = seed_of(seed)?;
        let length = maybe_whole("length", length, 0..=u32::MAX.into())?.map(|n| n as u32);
        let walk = maybe_whole("walk", walk, 0..=MAX_MOVES as u64)?.map(|n| n as usize);
        if length.is_some() && walk.is_some() {
            return Err(value_error("give either a length or a walk, not both"));
        }
        let (size, goal) = (size_of(size)?, goal_of(goal)?);
        let store = loyd::tables::Store::of_user();
        let config = Config { store, ..Config::default() };
        let mut scrambler = match goal.partial(Some(size)).map_err(value_error)? {
            Some(partial) => {
                Scrambler::with_partial_goal(&partial, seed, config).map_err(value_error)?
            }
            None => {
                let goal = goal.board(Some(size)).map_err(value_error)?;
                Scrambler::new(goal, seed, config).map_err(value_error)?
            }
        };
        let drawn = interrupt::run(py, |cancel| match (length, walk) {
            (Some(length), _) => {
                scrambler.of_length(length, cancel, None).map(|scrambled| scrambled.board)
            }
            (None, Some(walk)) => scrambler.end_of_walk(walk, cancel),
            (None, None) => Ok(scrambler.uniform()),
        })?;
        Ok(drawn.map_err(value_error)?.into())
    }

    /// Size of the board: (width, height).
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.board.size().width(), self.board.size().height())
    }

    /// Numbers of the tiles in reading order, 0 for the blank.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.board.numbers())
    }

    /// A new `uint8` array of shape (H, W).
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
            return Err(PyValueError::new_err(
                "a board cannot be converted to an array without copying",
            ));
        }
        let array = array(py, &self.board)?.into_any();
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// Cell of the blank, in reading order from 0.
    #[getter]
    fn blank(&self) -> usize {
        self.board.blank().index()
    }

    /// Possible moves of the blank, as letters in the order "ulrd" of actions 0 to 3.
    #[getter]
    fn moves(&self) -> String {
        let possible = self.board.moves();
        Move::ALL.into_iter().filter(|&m| possible.contains(m)).map(Move::letter).collect()
    }

    /// Returns the board to which `moves` lead, in any notation.
    #[pyo3(signature = (moves, *, notation=None))]
    fn apply(&self, py: Python<'_>, moves: &str, notation: Option<&str>) -> PyResult<Self> {
        Ok(read(py, &self.board, moves, notation, None)?.1.into())
    }

    /// Returns whether the board can reach `goal`, a name or a board.
    #[pyo3(signature = (goal=None))]
    fn is_solvable(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let problem = goal_of(goal)?.problem(self.board.clone()).map_err(value_error)?;
        Ok(Solvability::new(problem.start(), problem.goal()).is_solvable())
    }

    /// Returns the board in a form of `loyd list forms`, such as slashes, tokens, compact, list, rows or grid.
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

    /// Compares by size, then by numbers in reading order.
    fn __richcmp__(&self, other: &Self, op: pyo3::basic::CompareOp) -> bool {
        let key = |board: &loyd::Board| (board.size(), board.numbers().collect::<Vec<u16>>());
        let order: Ordering = key(&self.board).cmp(&key(&other.board));
        op.matches(order)
    }

    /// Returns the number of cells.
    fn __len__(&self) -> usize {
        self.board.size().cells()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().__str__(),))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// Calls a drawing function of `loyd._display`.
pub fn drawn(object: &Bound<'_, PyAny>, function: &str) -> PyResult<Py<PyAny>> {
    let display = object.py().import("loyd._display")?;
    Ok(display.call_method1(function, (object,))?.unbind())
}

/// A goal, as in the option `--goal` of the command line: a name (see `loyd list goals`), or a board, with `*` for
/// cells that accept any tile. A named goal applies to boards of any size.
#[pyclass(frozen, module = "loyd")]
pub struct Goal {
    pub text: GoalText,
}

#[pymethods]
impl Goal {
    #[new]
    #[pyo3(signature = (value=None, size=None))]
    fn new(value: Option<&Bound<'_, PyAny>>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (text, size) = (goal_of(value)?, maybe_size(size)?);
        if text.named().is_some() {
            return Ok(Self { text });
        }
        // The stored text determines the size.
        let whole = match text.partial(size).map_err(value_error)? {
            Some(partial) => partial.to_string(),
            None => slashes(&text.board(size).map_err(value_error)?).to_string(),
        };
        Ok(Self { text: GoalText::new(&whole) })
    }

    /// Name of the goal, or `None` if it is a board.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.text.named().map(|_| self.text.as_str())
    }

    /// Whether some cells accept any tile.
    #[getter]
    fn is_partial(&self) -> bool {
        self.text.is_partial()
    }

    /// Returns the goal as a board; named goals require `size`. Raises `ValueError` for partial goals.
    #[pyo3(signature = (size=None))]
    fn board(&self, size: Option<&Bound<'_, PyAny>>) -> PyResult<Board> {
        Ok(self.text.board(maybe_size(size)?).map_err(value_error)?.into())
    }

    fn __str__(&self) -> &str {
        self.text.as_str()
    }

    fn __repr__(&self) -> String {
        format!("Goal(\"{}\")", self.text.as_str())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.text.as_str().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().text.as_str().to_owned(),))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// Converts a board: a `Board`, text in any form, nested or flat lists, or an array.
///
/// # Errors
/// `ValueError` for invalid boards.
pub fn board_of(value: &Bound<'_, PyAny>, size: Option<Size>) -> PyResult<loyd::Board> {
    if let Ok(board) = value.cast::<Board>() {
        let board = &board.get().board;
        return match size {
            Some(size) if size != board.size() => {
                let other = board.size();
                Err(value_error(format!("the board is {other}, not {size}")))
            }
            _ => Ok(board.clone()),
        };
    }
    match of_array(value, size)? {
        Some(board) => Ok(board),
        // Errors refer to the text of the value.
        None => {
            let size = size.or_else(|| row_of_array(value));
            library::read_board(&text_of(value)?, size).map_err(value_error)
        }
    }
}

/// Returns the size of an array of one row. In a list of lists, one row may be a square board.
fn row_of_array(value: &Bound<'_, PyAny>) -> Option<Size> {
    let shape: (u32, u32) = value.getattr("shape").ok()?.extract().ok()?;
    if shape.0 == 1 { Size::new(shape.1, 1).ok() } else { None }
}

/// Returns the board in a two-dimensional array of bytes, or `None` if the value is not such an array.
fn of_array(value: &Bound<'_, PyAny>, size: Option<Size>) -> PyResult<Option<loyd::Board>> {
    let is_written = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyTuple>();
    if is_written {
        return Ok(None);
    }
    import_numpy(value.py())?;
    Ok(of_bytes(value, size))
}

/// Like [`of_array`], once NumPy is imported.
fn of_bytes(value: &Bound<'_, PyAny>, size: Option<Size>) -> Option<loyd::Board> {
    let array: PyReadonlyArray2<'_, u8> = value.extract().ok()?;
    let &[height, width] = array.shape() else { return None };
    let own = Size::new(width.try_into().ok()?, height.try_into().ok()?).ok()?;
    let numbers: Vec<u32> = array.as_array().iter().map(|&number| number.into()).collect();
    if size.is_some_and(|size| size != own) {
        return None;
    }
    loyd::Board::new(own, &numbers).ok()
}

/// Returns the text of boards or moves; lists and arrays are formatted as lists.
///
/// # Errors
/// `TypeError` for other types.
pub fn text_of(value: &Bound<'_, PyAny>) -> PyResult<String> {
    interrupt::guard(value.py(), || formatted(value))
}

fn formatted(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_string());
    }
    if let Ok(board) = value.cast::<Board>() {
        return Ok(slashes(&board.get().board).to_string());
    }
    if let Ok(goal) = value.cast::<Goal>() {
        return Ok(goal.get().text.as_str().to_owned());
    }
    if value.is_instance_of::<PyDict>() {
        // A record with a field `board`, `state`, …
        let text = value.py().import("json")?.call_method1("dumps", (value,))?;
        return text.extract();
    }
    check_shape(value)?;
    let listed = match value.hasattr("tolist")? {
        true => value.call_method0("tolist")?,
        false => value.clone(),
    };
    if !listed.is_instance_of::<PyList>() && !listed.is_instance_of::<PyTuple>() {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a board is a Board, text, a list or an array, not {kind}"
        )));
    }
    check_cells(listed.len()?, "the list")?;
    let rows: Vec<Bound<'_, PyAny>> = listed.try_iter()?.collect::<PyResult<_>>()?;
    let is_row =
        |row: &Bound<'_, PyAny>| row.is_instance_of::<PyList>() || row.is_instance_of::<PyTuple>();
    let nested = rows.iter().any(is_row);
    let mut cells = 0_usize;
    for row in rows.iter().filter(|row| is_row(row)) {
        cells = cells.saturating_add(row.len()?);
    }
    check_cells(cells, "the list")?;
    let row = |row: &Bound<'_, PyAny>| -> PyResult<String> {
        let items: Vec<String> =
            row.try_iter()?.map(|item| cell_text(&item?)).collect::<PyResult<_>>()?;
        Ok(items.join(", "))
    };
    if !nested {
        return Ok(format!("[{}]", row(&listed)?));
    }
    let rows: Vec<String> =
        rows.iter().map(|one| row(one).map(|row| format!("[{row}]"))).collect::<PyResult<_>>()?;
    Ok(format!("[{}]", rows.join(", ")))
}

/// Checks the shape of an array, before its numbers are read.
///
/// # Errors
/// `ValueError` if it has more cells than a board.
fn check_shape(value: &Bound<'_, PyAny>) -> PyResult<()> {
    let Some(shape) = value.getattr_opt("shape")? else { return Ok(()) };
    let Ok(edges) = shape.extract::<Vec<usize>>() else { return Ok(()) };
    let cells = edges.iter().fold(1_usize, |cells, &edge| cells.saturating_mul(edge));
    check_cells(cells, &format!("the array of shape {shape}"))
}

/// Checks the number of cells of `what`.
///
/// # Errors
/// `ValueError` if they are too many for a board. Fewer than two are reported by the reader.
fn check_cells(cells: usize, what: &str) -> PyResult<()> {
    const MOST: usize = Size::MAX_CELLS;
    match cells <= MOST {
        true => Ok(()),
        false => Err(value_error(format!(
            "{what} has {cells} cells: boards have from 2 to {MOST} cells"
        ))),
    }
}

/// Returns the text of an element of a list. Strings are quoted, so that an empty one remains a cell.
fn cell_text(item: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = item.str()?.to_string();
    let quotes = item.is_instance_of::<PyString>() && !text.contains('"');
    Ok(if quotes { format!("\"{text}\"") } else { text })
}

/// Converts a Python value to a goal, by default `blank-last`.
///
/// # Errors
/// `TypeError` if the value is neither text nor a board.
pub fn goal_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<GoalText> {
    let text = value.map(text_of).transpose()?;
    Ok(GoalText::new(text.as_deref().unwrap_or("blank-last")))
}

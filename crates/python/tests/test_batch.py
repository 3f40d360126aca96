"""Batch calls, compared with the objects, the command line and plain NumPy."""

from __future__ import annotations

import csv
import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loyd

Array = np.ndarray[Any, np.dtype[Any]]
EVERY = loyd.unrank(np.arange(362_880, dtype=np.uint64), "3x3")
"""All arrangements of 3x3, half of them solvable."""
SOLVABLE = EVERY[loyd.is_solvable(EVERY)]


def plain_neighbours(board: Array) -> list[Array | None]:
    """Return the boards one move away, in plain NumPy."""
    found: list[Array | None] = []
    (row,), (column,) = np.nonzero(board == 0)
    for down, right in [(-1, 0), (0, -1), (0, 1), (1, 0)]:
        r, c = row + down, column + right
        if not (0 <= r < board.shape[0] and 0 <= c < board.shape[1]):
            found.append(None)
            continue
        near = board.copy()
        near[row, column], near[r, c] = near[r, c], 0
        found.append(near)
    return found


def test_distances_equal_lengths_of_solutions() -> None:
    assert len(SOLVABLE) == 181_440
    solver = loyd.Solver(quality="optimal")
    distances = solver.distance(SOLVABLE)
    assert distances.dtype == np.uint8 and distances.max() == 31
    assert distances.tolist() == [solver.solve(board).length for board in SOLVABLE]


def test_optimal_actions_lead_nearer() -> None:
    distances, actions = loyd.distance(SOLVABLE), loyd.optimal_actions(SOLVABLE)
    near, exist = loyd.neighbours(SOLVABLE)
    after = loyd.distance(near.reshape(-1, 3, 3)).reshape(-1, 4).astype(int)
    assert (actions == (exist & (after < distances[:, None]))).all()
    assert (actions.any(axis=1) == (distances > 0)).all()
    for board, row in zip(SOLVABLE[::911], actions[::911]):
        hinted = {moves[0] for moves in loyd.hint(board).best}
        assert {"ulrd"[action] for action in np.flatnonzero(row)} == hinted


def test_solutions_are_as_long_as_distances() -> None:
    for goal in ["blank-last", "spiral"]:
        solver = loyd.Solver(goal=goal, quality="optimal")
        boards = SOLVABLE if goal == "blank-last" else EVERY[solver.is_solvable(EVERY)]
        found = solver.solve_batch(boards, threads=2)
        assert found.proved.all()
        assert (found.lengths == solver.distance(boards)).all()
        for step in range(found.actions.shape[1]):
            goes_on = found.actions[:, step] != 255
            assert (goes_on == (step < found.lengths)).all()
            boards[goes_on] = loyd.apply(boards[goes_on], found.actions[goes_on, step])
        assert (boards == solver.goal.board(3).array).all()


def test_ranks_of_all_arrangements() -> None:
    assert (loyd.rank(EVERY) == np.arange(362_880)).all()
    flat = EVERY.reshape(-1, 9)
    assert (flat[1:] > flat[:-1])[np.arange(362_879), (flat[1:] != flat[:-1]).argmax(axis=1)].all()
    for board, solvable in zip(EVERY[::97], loyd.is_solvable(EVERY[::97])):
        assert loyd.Board(board).is_solvable() == solvable


def test_neighbours_of_all_boards() -> None:
    near, exist = loyd.neighbours(EVERY)
    assert near.shape == (362_880, 4, 3, 3) and exist.shape == (362_880, 4)
    blank = EVERY.reshape(-1, 9).argmin(axis=1)
    for action, step in enumerate([-3, -1, 1, 3]):
        rows = np.flatnonzero(exist[:, action])
        after = near[rows, action].reshape(-1, 9)
        assert (after.argmin(axis=1) == blank[rows] + step).all()
        actions = np.full(len(rows), action)
        assert (loyd.apply(EVERY[rows], actions) == near[rows, action]).all()
        back = np.full(len(rows), 3 - action)
        assert (loyd.apply(near[rows, action], back) == EVERY[rows]).all()
    for board, boards, mask in zip(EVERY[::97], near[::97], exist[::97]):
        for after, one, legal in zip(plain_neighbours(board), boards, mask):
            assert (after is not None) == legal
            assert (one == (board if after is None else after)).all()


@pytest.mark.parametrize(
    ("size", "more", "options"),
    [
        ("3x3", [], {}),
        ("3x3", ["--metric", "mtm", "--goal", "spiral"], {"metric": "mtm", "goal": "spiral"}),
        ("4x3", ["--length", "10,20"], {}),
        ("3x4", [], {"goal": "blank-first"}),
        ("4x4", ["--walks", "40"], {}),
    ],
)
def test_rows_equal_those_of_the_command(size: str, more: list[str], options: dict[str, Any]) -> None:
    if "goal" in options and "--goal" not in more:
        more = [*more, "--goal", options["goal"]]
    count = 40
    command = [sys.executable, "-m", "loyd", "dataset", "--size", size, "-n", str(count), "--seed", "5"]
    command += ["--output", "csv", "--first-moves", *more]
    # Manhattan distance is not admissible in the other metric.
    name = "line-crossings" if "mtm" in more else "manhattan"
    command += ["--heuristics", name]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(output.splitlines()))
    drawn: dict[str, Any] = {}
    if "--length" in more:
        drawn["length"] = [10, 20]
    if "--walks" in more:
        drawn["walk"] = 40
    goal = {"goal": options["goal"]} if "goal" in options else {}
    boards = loyd.scramble(size, count, seed=5, **drawn, **goal)
    expected = [loyd.Board(row["board"], size).array for row in rows]
    assert (boards == np.array(expected)).all()
    assert loyd.distance(boards, **options).tolist() == [int(row["distance"]) for row in rows]
    masks = (loyd.optimal_actions(boards, **options) << np.arange(4)).sum(axis=1)
    assert masks.tolist() == [int(row["first_moves"]) for row in rows]
    values = loyd.heuristic(boards, name, **options)
    assert values.tolist() == [int(row[f"h_{name}"]) for row in rows]
    assert values.dtype == np.uint16


def test_results_do_not_depend_on_threads() -> None:
    boards = loyd.scramble("3x3", 700_000, seed=1)
    actions = loyd.optimal_actions(boards).argmax(axis=1)
    for call in [
        loyd.distance,
        loyd.optimal_actions,
        loyd.is_solvable,
        loyd.rank,
        lambda boards, **options: loyd.heuristic(boards, "manhattan", **options),
        lambda boards, **options: loyd.apply(boards, actions, on_invalid="mask", **options),
        lambda boards, **options: loyd.neighbours(boards, **options)[0],
        lambda boards, **options: loyd.unrank(loyd.rank(boards), "3x3", **options),
    ]:
        alone = call(boards)
        for threads in [3, 0]:
            assert (call(boards, threads=threads) == alone).all()
    boards[650_000, 0, 0] = 9
    for call in [loyd.distance, loyd.optimal_actions, loyd.is_solvable, loyd.neighbours, loyd.rank]:
        with pytest.raises(ValueError, match="^row 650000: "):
            call(boards, threads=3)


def test_random_boards_depend_on_the_seed() -> None:
    boards = loyd.scramble("4x4", 100, seed=3)
    assert (boards == loyd.scramble(4, 100, seed=3)).all()
    assert (boards[:50] == loyd.scramble((4, 4), 50, seed=3)).all()
    assert (boards != loyd.scramble("4x4", 100, seed=4)).any()
    assert loyd.is_solvable(boards).all()
    assert loyd.scramble("3x2", 10, seed=1).shape == (10, 2, 3)
    assert loyd.distance(loyd.scramble("3x3", 60, length=range(5, 8))).tolist() == [5, 6, 7] * 20
    every = loyd.scramble("3x2", 360, seed=1, unique=True)
    assert len(np.unique(loyd.rank(every))) == 360
    one = loyd.scramble("4x4", seed=9)
    assert one == loyd.Board.scrambled("4x4", seed=9)
    assert loyd.scramble("3x3", 0).shape == (0, 3, 3)
    for wrong in [{"length": 99}, {"length": 3, "walk": 3}, {"length": []}, {"walk": 0}]:
        with pytest.raises(ValueError, match="length|walk|99"):
            loyd.scramble("3x3", 5, **wrong)
    with pytest.raises(ValueError, match="360"):
        loyd.scramble("3x2", 361, unique=True)
    for wrong in [{"n": -1}, {"seed": -1}, {"seed": 2**64}, {"walk": -3}]:
        with pytest.raises(ValueError, match=r"is out of range: integers from [01] "):
            loyd.scramble("3x3", **{"n": 5, **wrong})
    with pytest.raises(ValueError, match="threads=-1 is out of range"):
        loyd.distance(boards, threads=-1)
    with pytest.raises(MemoryError):
        loyd.scramble("4x4", 10**13)
    with pytest.raises(TypeError, match="length must be an integer, not str"):
        loyd.scramble("3x3", 5, length="far")


def forms(boards: Array) -> dict[str, Any]:
    """Return the same boards in every accepted form."""
    count, height, width = boards.shape
    read_only = boards.copy()
    read_only.flags.writeable = False
    spread = np.zeros((2 * count, height, 3 * width), dtype=np.uint8)
    spread[::2, :, ::3] = boards
    return {
        "plain": boards,
        "read-only": read_only,
        "Fortran": np.asfortranarray(boards),
        "strided": spread[::2, :, ::3],
        "backwards": boards[::-1].copy()[::-1],
        "flat": boards.reshape(count, -1),
        "lists": boards.tolist(),
        "int8": boards.astype(np.int8),
        "int64": boards.astype(np.int64),
        "uint64": boards.astype(np.uint64),
        "big-endian": boards.astype(">u2"),
        "DLPack": OnlyDlpack(boards),
        "boards": [loyd.Board(board) for board in boards],
    }


class OnlyDlpack:
    """An array of another library that knows nothing of NumPy."""

    def __init__(self, array: Array) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["2x2", "3x2", "3x3", "2x5", "4x3", "5x2"]),
    st.integers(1, 40),
    st.integers(0, 2**64 - 1),
)
def test_results_do_not_depend_on_the_form_of_arrays(size: str, count: int, seed: int) -> None:
    boards = loyd.scramble(size, count, seed=seed)
    distances, near = loyd.distance(boards), loyd.neighbours(boards)
    before = boards.copy()
    for name, form in forms(boards).items():
        assert (loyd.distance(form, size=size) == distances).all(), name
        assert (loyd.optimal_actions(form, size=size) == loyd.optimal_actions(boards)).all(), name
        assert (loyd.rank(form, size=size) == loyd.rank(boards)).all(), name
        found = loyd.neighbours(form, size=size)
        assert (found[0].reshape(near[0].shape) == near[0]).all(), name
        assert (found[1] == near[1]).all(), name
    assert (boards == before).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.integers(1, 8), st.integers(1, 8), st.randoms(use_true_random=False))
def test_any_bytes_are_rejected_or_labelled(count: int, height: int, width: int, random: Any) -> None:
    """For rows of random numbers, boards are labelled, other rows are rejected, and nothing else happens."""
    cells = height * width
    most = random.choice([cells - 1, cells, 255])
    rows = np.array(
        [
            random.sample(range(cells), cells) if random.random() < 0.5 else [random.randint(0, most) for _ in range(cells)]
            for _ in range(count)
        ],
        dtype=np.uint8,
    ).reshape(count, height, width)
    if cells == 1:
        with pytest.raises(ValueError, match="1x1"):
            loyd.neighbours(rows)
        return
    good = np.array([sorted(row) == list(range(cells)) for row in rows.reshape(count, -1).tolist()])
    solvable = loyd.is_solvable(rows, on_invalid="mask")
    assert not solvable[~good].any()
    if cells <= 20:
        ranks = loyd.rank(rows, on_invalid="mask")
        assert ((ranks == 2**64 - 1) == ~good).all()
        assert (loyd.unrank(ranks[good], (width, height)) == rows[good]).all()
    near, exist = loyd.neighbours(rows, on_invalid="mask")
    assert (exist.any(axis=1) == good).all()
    assert (near[~good] == rows[~good][:, None]).all()
    if good.all():
        assert loyd.neighbours(rows)[1].sum() == exist.sum()
    else:
        with pytest.raises(ValueError, match=f"^row {np.flatnonzero(~good)[0]}: "):
            loyd.is_solvable(rows)
    if cells <= 10:
        distances = loyd.distance(rows, on_invalid="mask")
        assert ((distances != 255) == solvable).all()
        if not solvable.all():
            with pytest.raises(ValueError, match=f"^row {np.flatnonzero(~solvable)[0]}: "):
                loyd.optimal_actions(rows)


@pytest.mark.parametrize("size", ["3x3", "4x3", "4x4", "5x4"])
def test_invalid_rows_raise_or_are_masked(size: str) -> None:
    boards = loyd.scramble(size, 5, seed=2, walk=12)
    labelled = loyd.distance(boards)
    largest = np.iinfo(labelled.dtype).max
    assert labelled.dtype == (np.uint16 if size == "5x4" else np.uint8)
    spoilt = boards.copy()
    spoilt[1, 0, 0] = spoilt[1, 0, 1]
    flat = spoilt.reshape(5, -1)
    first, second = np.flatnonzero(flat[3])[:2]
    flat[3, [first, second]] = flat[3, [second, first]]
    with pytest.raises(ValueError, match=r"^row 1: "):
        loyd.distance(spoilt)
    with pytest.raises(ValueError, match=r"^row 2: .*cannot be solved"):
        loyd.optimal_actions(spoilt[[0, 2, 3]])
    with pytest.raises(ValueError, match=r"^row 0: .*cannot be solved"):
        loyd.heuristic(spoilt[3:], "manhattan")
    with pytest.raises(ValueError, match=r"^row 1: "):
        loyd.solve_batch(spoilt)
    with pytest.raises(ValueError, match=r"^row 3: .*cannot be solved"):
        loyd.solve_batch(spoilt[[0, 2, 4, 3]])
    masked = loyd.distance(spoilt, on_invalid="mask")
    assert masked.tolist() == [labelled[0], largest, labelled[2], largest, labelled[4]]
    actions = loyd.optimal_actions(spoilt, on_invalid="mask")
    assert (actions[[0, 2, 4]] == loyd.optimal_actions(boards)[[0, 2, 4]]).all()
    assert not actions[[1, 3]].any()
    values = loyd.heuristic(spoilt, "manhattan", on_invalid="mask")
    assert values[[1, 3]].tolist() == [65535, 65535] and (values[[0, 2, 4]] < 65535).all()
    found = loyd.solve_batch(spoilt, on_invalid="mask")
    assert found.lengths[[1, 3]].tolist() == [65535, 65535]
    assert (found.actions[[1, 3]] == 255).all() and not found.proved[[1, 3]].any()
    assert (found.lengths[[0, 2, 4]] >= labelled[[0, 2, 4]]).all()
    wide = boards.astype(np.int32)
    wide[2, 0, 0] = 256
    with pytest.raises(ValueError, match=r"^row 2: "):
        loyd.distance(wide)
    assert loyd.distance(wide, on_invalid="mask")[2] == largest
    with pytest.raises(ValueError, match='"raise" or "mask"'):
        loyd.distance(boards, on_invalid="skip")


def test_actions_off_the_board_raise_or_leave_the_row() -> None:
    boards = np.array([[1, 2, 3, 4, 5, 6, 7, 8, 0]] * 4, dtype=np.uint8)
    with pytest.raises(ValueError, match=r"^row 2: action 3 leads off the board; 0, 1 are allowed here$"):
        loyd.apply(boards, [0, 1, 3, 2])
    moved = loyd.apply(boards, [0, 1, -1, 300], on_invalid="mask")
    assert (moved != boards).any(axis=1).tolist() == [True, True, False, False]
    with pytest.raises(ValueError, match="3 actions for 4 boards"):
        loyd.apply(boards, [0, 1, 0])
    with pytest.raises(TypeError, match="must be integers"):
        loyd.apply(boards, [0.5, 1, 0, 0])
    with pytest.raises(ValueError, match="shape"):
        loyd.apply(boards, [[0], [1], [0], [0]])


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.zeros((2, 6), dtype=np.uint8), ValueError, "no square boards"),
        (np.zeros(9, dtype=np.uint8), ValueError, r"\(B, H, W\) or \(B, N\)"),
        (np.zeros((2, 3, 3), dtype=np.float32), TypeError, "float32"),
        (np.zeros((2, 300, 3), dtype=np.uint8), ValueError, "300"),
        ("1 2 3/4 5 6/7 8 0", TypeError, "not str"),
        (loyd.Board("1 2 3/4 5 6/7 8 0"), TypeError, "not Board"),
        (None, ValueError, r"\(B, H, W\)"),
    ],
)
def test_invalid_batches_are_rejected(value: Any, error: Any, message: str) -> None:
    for call in [loyd.distance, loyd.is_solvable, loyd.neighbours, loyd.rank, loyd.solve_batch]:
        with pytest.raises(error, match=message):
            call(value)


def test_sizes_and_goals_have_to_fit() -> None:
    boards = loyd.scramble("4x3", 2, seed=1)
    with pytest.raises(ValueError, match="4x3.*3x4"):
        loyd.distance(boards, size="3x4")
    with pytest.raises(ValueError, match="12 numbers.*3x3"):
        loyd.distance(boards.reshape(2, 12), size="3x3")
    goal = "1 2 3 4/5 6 7 8/9 10 0 11"
    solver = loyd.Solver(goal=goal)
    assert (solver.distance(boards.reshape(2, 12)) == solver.distance(boards)).all()
    assert solver.distance([loyd.Board(goal)]).tolist() == [0]
    assert (solver.unrank(solver.rank(boards)) == boards).all()
    with pytest.raises(ValueError, match="every cell needs a tile"):
        loyd.distance(loyd.scramble("3x3", 2), goal="1 2 3/* * */* * *")
    with pytest.raises(ValueError, match="a size is needed"):
        loyd.Solver().unrank([1, 2])
    for wrong in [[24], [-1]]:
        with pytest.raises(ValueError, match="row 0: "):
            loyd.unrank(wrong, "2x2")
    with pytest.raises(TypeError, match="ranks must be integers"):
        loyd.unrank([0.5], "2x2")
    with pytest.raises(ValueError, match="at most 20"):
        loyd.rank(loyd.scramble("5x5", 1))


def test_partial_goals_are_solved() -> None:
    goal = "1 2 3/* * */* * *"
    boards = loyd.scramble("3x3", 20, seed=1)
    found = loyd.solve_batch(boards, goal=goal, quality="optimal")
    solver = loyd.Solver(goal=goal, quality="optimal")
    assert found.lengths.tolist() == [solver.solve(board).length for board in boards]


def test_empty_batches_have_empty_answers() -> None:
    none = np.zeros((0, 4, 4), dtype=np.uint8)
    assert loyd.distance(none).shape == (0,)
    assert loyd.optimal_actions(none).shape == (0, 4)
    assert loyd.neighbours(none)[0].shape == (0, 4, 4, 4)
    assert loyd.solve_batch(none).actions.shape == (0, 0)
    assert loyd.apply(none, np.zeros(0, dtype=np.uint8)).shape == (0, 4, 4)
    assert loyd.unrank(np.zeros(0, dtype=np.uint64), "3x3").shape == (0, 3, 3)


def test_distances_without_tables() -> None:
    """Covers 4x4 boards and slides, which are searched."""
    boards = loyd.scramble("4x4", 12, seed=4, walk=60)
    solver = loyd.Solver(quality="optimal")
    lengths = [solver.solve(board).length for board in boards]
    for threads in [1, 2, 0]:
        assert solver.distance(boards, threads=threads).tolist() == lengths
        assert solver.solve_batch(boards, threads=threads).lengths.tolist() == lengths
    near, exist = loyd.neighbours(boards)
    actions = solver.optimal_actions(boards)
    after = solver.distance(near.reshape(-1, 4, 4)).reshape(-1, 4).astype(int)
    assert (actions == (exist & (after < np.array(lengths)[:, None]))).all()
    runs = loyd.distance(boards[:4], metric="mtm")
    mtm = loyd.Solver(metric="mtm", quality="optimal")
    assert runs.tolist() == [mtm.solve(board).length for board in boards[:4]]


def test_limits_apply_to_each_board() -> None:
    solver = loyd.Solver(algorithm="idastar", heuristic="manhattan", max_expanded=10)
    boards = loyd.scramble("4x4", 3, seed=1)
    with pytest.raises(ValueError, match="row 0: the limit on expanded nodes was reached"):
        solver.distance(boards)
    with pytest.raises(ValueError, match="row 0: the limit on expanded nodes was reached"):
        solver.solve_batch(boards)
    assert solver.distance(boards, on_invalid="mask").tolist() == [255] * 3


def test_progress_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    boards = loyd.scramble("3x3", 600_000, seed=1)
    reports: list[tuple[int, int]] = []
    loyd.distance(boards, progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (600_000, 600_000) and len(reports) > 1
    assert all(before < after for (before, _), (after, _) in itertools.pairwise(reports))
    reports.clear()
    loyd.solve_batch(boards[:100], progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (100, 100)
    loyd.distance(boards, progress=False)
    assert capfd.readouterr().err == ""
    loyd.distance(boards, progress=True)
    assert "600,000 of 600,000 boards" in capfd.readouterr().err

    def refuse(done: int, total: int) -> None:
        raise RuntimeError(f"{done} are enough")

    with pytest.raises(RuntimeError, match="are enough"):
        loyd.distance(boards, progress=refuse)


def test_dlpack_shares_memory_in_both_directions() -> None:
    boards = loyd.scramble("3x3", 10, seed=1)
    shared = np.from_dlpack(OnlyDlpack(boards))
    assert np.shares_memory(shared, boards)
    assert (loyd.distance(OnlyDlpack(boards)) == loyd.distance(boards)).all()
    distances = loyd.distance(boards)
    assert np.shares_memory(np.from_dlpack(OnlyDlpack(distances)), distances)

"""Times each batch call against what a user would write: `taskset -c 1 cargo xtask python --bench batches`.

Prints medians over several rounds in which the alternatives run in turn. Boards are drawn by seed. Slow alternatives are
timed on fewer boards, and their times are scaled to the same number of boards. Arguments select the groups of rows whose
names begin with them.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import loyd

Array = np.ndarray[Any, np.dtype[Any]]
MILLION = 1_000_000
ROUNDS = 7


def timed(work: Callable[[], object]) -> float:
    """Return the time of one call in seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def seconds(works: list[Callable[[], object]], rounds: int = ROUNDS) -> list[float]:
    """Return the median times of calls that run in turn, without the first round."""
    times = [[timed(work) for work in works] for _ in range(rounds + 1)]
    return [statistics.median(column) for column in zip(*times[1:])]


def unit(value: float) -> str:
    """Format a time with a suitable unit."""
    for factor, name in [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]:
        if value >= factor:
            return f"{value / factor:.3g} {name}"
    return f"{value * 1e9:.3g} ns"


def row(name: str, here: float, other: float | None = None, what: str = "", note: str = "") -> None:
    """Print a row of the table."""
    ratio = f"{other / here:,.0f}x" if other and other >= 10 * here else f"{other / here:.2f}x" if other else ""
    print(f"| {name} | {unit(here)} | {unit(other) if other else ''} | {ratio} | {what} | {note} |", flush=True)


def moves(board: tuple[int, ...], width: int) -> list[tuple[int, ...] | None]:
    """Return the neighbours of a board in plain Python: blank up, left, right, down."""
    blank, found = board.index(0), []
    for step, legal in [
        (-width, blank >= width),
        (-1, blank % width > 0),
        (1, blank % width < width - 1),
        (width, blank + width < len(board)),
    ]:
        changed = list(board)
        if legal:
            changed[blank], changed[blank + step] = changed[blank + step], 0
        found.append(tuple(changed) if legal else None)
    return found


def table_of_python() -> dict[tuple[int, ...], int]:
    """Return all distances of 3x3 boards by breadth-first search, as a user would write it."""
    goal: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    table, queue = {goal: 0}, deque([goal])
    while queue:
        board = queue.popleft()
        for near in moves(board, 3):
            if near is not None and near not in table:
                table[near] = table[board] + 1
                queue.append(near)
    return table


def neighbours_of_numpy(boards: Array) -> tuple[Array, Array]:
    """Return all neighbours in NumPy, without a loop over boards."""
    count, height, width = boards.shape
    flat = boards.reshape(count, -1)
    blank = flat.argmin(axis=1)
    r, c = blank // width, blank % width
    legal = np.stack([r > 0, c > 0, c < width - 1, r < height - 1], axis=1)
    found = np.repeat(flat[:, None], 4, axis=1)
    for action, step in enumerate([-width, -1, 1, width]):
        rows = np.flatnonzero(legal[:, action])
        to = blank[rows] + step
        found[rows, action, blank[rows]] = flat[rows, to]
        found[rows, action, to] = 0
    return found.reshape(count, 4, height, width), legal


def labels() -> None:
    """Times distances and optimal actions of 3x3 boards."""
    table = table_of_python()
    boards = loyd.scramble("3x3", MILLION, seed=1)
    few = boards[:20_000]

    def look_up() -> list[int]:
        return [table[tuple(board)] for board in few.reshape(-1, 9).tolist()]

    def look_around() -> list[list[bool]]:
        rows = few.reshape(-1, 9).tolist()
        return [[near is not None and table[near] < table[tuple(row)] for near in moves(tuple(row), 3)] for row in rows]

    assert loyd.distance(few).tolist() == look_up()
    assert loyd.optimal_actions(few).tolist() == look_around()
    share = len(boards) / len(few)
    here, other = seconds([lambda: loyd.distance(boards), look_up])
    row("3x3 `distance`, a million", here, other * share, "a dictionary of Python")
    here, other = seconds([lambda: loyd.optimal_actions(boards), look_around])
    row("3x3 `optimal_actions`, a million", here, other * share, "a dictionary of Python")
    here, other = seconds([lambda: loyd.scramble("3x3", MILLION, seed=2), lambda: scrambled(20_000)])
    row("3x3 `scramble`, a million", here, other * share, "`permutation` of NumPy, parity counted")


def scrambled(count: int) -> list[Array]:
    """Draw solvable boards as a user would."""
    rng = np.random.default_rng(1)
    boards: list[Array] = []
    while len(boards) < count:
        board = rng.permutation(9)
        tiles = board[board > 0]
        if sum(int((tiles[i] > tiles[i + 1 :]).sum()) for i in range(8)) % 2 == 0:
            boards.append(board.reshape(3, 3))
    return boards


def larger() -> None:
    """Time distances of 3x4 boards, once the table is built."""
    boards = loyd.scramble("4x3", MILLION, seed=1)
    started = time.perf_counter()
    loyd.distance(boards[:1])
    building = time.perf_counter() - started
    (here,) = seconds([lambda: loyd.distance(boards)], 3)
    row("3x4 `distance`, a million", here, note=f"the table took {unit(building)}")


def manipulations() -> None:
    """Time moves, ranks and heuristics of boards against NumPy."""
    boards = loyd.scramble("4x4", MILLION, seed=1)
    part = boards[:100_000]
    for made, expected in zip(loyd.neighbours(part), neighbours_of_numpy(part)):
        legal = neighbours_of_numpy(part)[1]
        assert (made[legal] == expected[legal]).all()
    here, other = seconds([lambda: loyd.neighbours(boards), lambda: neighbours_of_numpy(boards)])
    row("4x4 `neighbours`, a million", here, other, "NumPy", f"{MILLION / here / 1e6:.0f} M boards/s")
    small = loyd.scramble("3x3", MILLION, seed=1)
    here, other = seconds([lambda: loyd.neighbours(small), lambda: neighbours_of_numpy(small)])
    row("3x3 `neighbours`, a million", here, other, "NumPy", f"{MILLION / here / 1e6:.0f} M boards/s")

    cells = np.arange(16)
    grid = np.abs(cells[:, None] // 4 - cells // 4) + np.abs(cells[:, None] % 4 - cells % 4)
    goal = np.vstack([np.zeros((1, 16), dtype=np.int64), grid[:15]])

    def manhattan() -> Array:
        sums: Array = goal[boards.reshape(-1, 16), cells].sum(axis=1)
        return sums

    assert (loyd.heuristic(boards, "manhattan") == manhattan()).all()
    here, other = seconds([lambda: loyd.heuristic(boards, "manhattan"), manhattan], 3)
    row("4x4 `heuristic` manhattan, a million", here, other, "NumPy")
    here, other = seconds([lambda: loyd.rank(small), lambda: len(np.unique(small.reshape(-1, 9), axis=0))], 3)
    row("3x3 `rank`, a million", here, other, "`unique` of rows")


def overhead() -> None:
    """Time the overhead of a call."""
    board, calls = loyd.scramble("3x3", 1, seed=1), 20_000
    (here,) = seconds([lambda: [loyd.distance(board) for _ in range(calls)]])
    row("`distance` of one 3x3 board", here / calls)


def searches() -> None:
    """Time 4x4 boards with the pattern databases 7-8 against the command line."""
    options: dict[str, Any] = {"algorithm": "idastar", "heuristic": "pdb", "tables": "7-8"}
    boards = loyd.scramble("4x4", 1000, seed=1)
    solver = loyd.Solver(**options)
    started = time.perf_counter()
    solver.solve_batch(boards[:1])
    building = time.perf_counter() - started
    program = os.environ.get("LOYD_PROGRAM", str(Path(sys.executable).with_name("loyd")))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        # The boards are solved twice, and the second time is measured, as above, when the table entries are in the CPU
        # caches.
        lines = [" ".join(map(str, board.ravel())) + "\n" for board in boards]
        file.writelines(lines + lines)
        file.flush()
        command = [program, "solve", "--file", file.name, "--output", "json", "--threads", "1"]
        command += [f"--{name}={value}" for name, value in options.items()]

        def elapsed() -> float:
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            records = [json.loads(line) for line in output.splitlines()]
            return float(sum(record["elapsed_ns"] for record in records[len(boards) :])) / 1e9

        here, other = [], []
        for _ in range(ROUNDS):
            solver.solve_batch(boards)
            here.append(timed(lambda: solver.solve_batch(boards)))
            other.append(elapsed())
    mine, theirs = statistics.median(here), statistics.median(other)
    note = f"the tables took {unit(building)}"
    row("4x4 `solve_batch` 7-8, a board", mine / len(boards), theirs / len(boards), "the command line", note)


def slidingpuzzle() -> None:
    """Time the boards of the README of `slidingpuzzle`, if that is installed."""
    try:
        import slidingpuzzle as other
    except ImportError as error:
        print(f"| `slidingpuzzle` | | | | | skipped: {error} |")
        return
    easy = [[8, 3, 1], [4, 0, 2], [5, 6, 7]]
    hard = [[5, 7, 6], [4, 0, 2], [1, 8, 3]]
    large = [
        [17, 1, 20, 9, 16],
        [2, 22, 19, 14, 5],
        [15, 21, 0, 3, 24],
        [23, 18, 13, 12, 7],
        [10, 8, 6, 4, 11],
    ]
    solver = loyd.Solver(quality="optimal")
    for name, rows, extra in [
        ("`search(board)`, 22 moves", easy, {}),
        ("`search(board)`, 24 moves", hard, {}),
        ("`search(board, heuristic=manhattan_distance)`", hard, {"heuristic": other.manhattan_distance}),
        ('`search(board, "bfs")`', hard, {"alg": "bfs"}),
    ]:
        board, ours = other.from_rows(*rows), loyd.Board(np.array(rows, dtype=np.uint8))
        theirs = timed(lambda: other.search(board, **extra))
        here, fresh = seconds([lambda: solver.solve(ours), lambda: loyd.Solver(quality="optimal").solve(ours)])
        row(name, here, theirs, "`slidingpuzzle`", f"{unit(fresh)} with a new solver")
    board, ours = other.from_rows(*large), loyd.Board(np.array(large, dtype=np.uint8))
    found = []
    theirs = timed(lambda: found.append(other.search(board, weight=2)))
    bounded = loyd.Solver(quality="bounded=2")
    (here,) = seconds([lambda: bounded.solve(ours)], 3)
    note = f"{bounded.solve(ours).length} moves, theirs {len(found[0].solution)}"
    row("`search(board, weight=2)`, 5x5", here, theirs, "`slidingpuzzle`", note)


def main() -> None:
    """Run the groups of rows whose names begin with one of the arguments, or all."""
    print("| call | Loyd | other | ratio | the alternative | |\n|---|---|---|---|---|---|")
    for part in [labels, larger, manipulations, overhead, searches, slidingpuzzle]:
        if len(sys.argv) == 1 or any(part.__name__.startswith(name) for name in sys.argv[1:]):
            part()


if __name__ == "__main__":
    main()

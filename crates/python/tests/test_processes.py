"""Processes, threads and signals: forks, shared solvers, Ctrl-C, pickles."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import loyd

BOARDS = [loyd.Board.scrambled("3x3", seed=seed) for seed in range(40)]
HARD = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"
"""One of the farthest 4x4 boards, 80 moves: many seconds with small tables, and hours without."""

FARTHEST = "8 6 7 2 5 4 3 0 1"

needs_fork = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")


def lengths(boards: list[loyd.Board]) -> list[int | None]:
    """Solve boards in a worker, with the module's own solver."""
    return [loyd.solve(board).length for board in boards]


def solve(board: str) -> int | None:
    """Search with a new solver and tables."""
    return loyd.Solver(algorithm="idastar", heuristic="pdb").solve(board).length


def solve_by_threads(board: str) -> int | None:
    """Search with two threads."""
    return loyd.Solver(algorithm="idastar", threads=2).solve(board).length


@pytest.mark.parametrize("method", [pytest.param("fork", marks=needs_fork), "spawn"])
def test_processes_solve_like_their_parent(method: str) -> None:
    """A forked child has the tables that its parent built when it solved the boards here."""
    expected = lengths(BOARDS)
    assert solve(FARTHEST) == solve_by_threads(FARTHEST) == 31
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(lengths, [BOARDS] * 4) == [expected] * 4
        assert pool.map(solve, [FARTHEST] * 2) == [31, 31]
        # The parent's threads do not exist after a fork: these belong to the child.
        assert pool.map(solve_by_threads, [FARTHEST] * 2) == [31, 31]


@needs_fork
def test_a_fork_before_any_table_builds_its_own() -> None:
    """The parent has done nothing before the first fork, and has tables before the second."""
    program = """
        import multiprocessing, loyd
        def solve(seed):
            board = loyd.Board.scrambled("4x4", seed=seed)
            return loyd.solve(board, tables="5-5-5", heuristic="pdb", algorithm="idastar").length
        with multiprocessing.get_context("fork").Pool(2) as pool:
            before = pool.map(solve, range(4))
        here = [solve(seed) for seed in range(4)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            after = pool.map(solve, range(4))
        assert before == here == after, (before, here, after)
    """
    run(program)


def test_threads_share_a_solver() -> None:
    """Each board has the same answer, regardless of how many threads use the solver at once."""
    expected = lengths(BOARDS)
    for options in ({}, {"algorithm": "idastar", "heuristic": "pdb"}, {"algorithm": "bfs"}):
        solver = loyd.Solver(**options)
        with ThreadPoolExecutor(8) as pool:
            assert [found.length for found in pool.map(solver.solve, BOARDS)] == expected


def test_other_threads_run_during_a_search() -> None:
    """The search releases the GIL: this thread counts during the search, and then ends it."""
    program = f"""
        import _thread, threading, time, loyd
        counted = 0
        def count():
            global counted
            end = time.monotonic() + 1
            while time.monotonic() < end:
                counted += 1
                time.sleep(0.001)
            _thread.interrupt_main()
        threading.Thread(target=count).start()
        try:
            loyd.Solver(algorithm="idastar", heuristic="manhattan").solve({HARD!r})
        except KeyboardInterrupt:
            pass
        else:
            raise AssertionError("it was not interrupted")
        assert counted > 50, counted
    """
    run(program)


def test_ctrl_c_ends_a_search_and_keeps_the_solver() -> None:
    """SIGINT raises KeyboardInterrupt; the solver still works afterwards and has kept its tables."""
    program = f"""
        import loyd
        solver = loyd.Solver(algorithm="idastar", heuristic="pdb", tables="5-5-5", cache="none")
        solver.solve("1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15")
        held = solver.held_bytes
        assert held > 0
        print("ready", flush=True)
        try:
            solver.solve({HARD!r})
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        assert solver.held_bytes >= held
        found = solver.solve("1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15")
        assert found.length == 2 and found.statistics.get("tables_ns", 0) == 0, found.statistics
        print("done", flush=True)
    """
    assert interrupt(program) == ["interrupted", "done"]


def interrupt(program: str) -> list[str]:
    """Send Ctrl-C to a program shortly after it has reported that it is ready, and return its output."""
    with subprocess.Popen(command(program), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        # The search has started by then. If not, the signal comes before the search, and the program fails.
        timer = threading.Timer(1.0, process.send_signal, [signal.SIGINT])
        timer.start()
        output = process.stdout.read().split()
        assert process.wait(timeout=120) == 0
    return output


def run(program: str) -> None:
    """Run a program in its own process."""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    subprocess.run(command(program), check=True, timeout=300, env=environment)


def command(program: str) -> list[str]:
    """Return a command that runs a program with the default handling of Ctrl-C, which background jobs of a shell ignore with all their children."""
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    return [sys.executable, "-c", listen + textwrap.dedent(program)]


def objects() -> dict[str, Any]:
    """Objects that may be sent to or returned by a worker."""
    board = loyd.Board("8 6 7 2 5 4 3 0 1")
    return {
        "Board": board,
        "Goal": loyd.Goal("blank-first"),
        "Solution": loyd.Solver().solve(board),
        "Hint": loyd.hint(board),
        "Count": loyd.count(board),
        "AllShortest": loyd.all_shortest(board, limit=2),
        "Explanation": loyd.explain(board),
        "Review": loyd.review(board, "u")[0],
        "Census": loyd.census("2x2"),
        "Solutions": loyd.solve_batch([board.array]),
        "Solver": loyd.Solver(algorithm="idastar", heuristic="manhattan"),
    }


@pytest.mark.parametrize("name", objects())
def test_objects_are_pickled_and_copied(name: str) -> None:
    value = objects()[name]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert repr(pickle.loads(pickle.dumps(value, protocol))) == repr(value)
    assert repr(copy.copy(value)) == repr(copy.deepcopy(value)) == repr(value)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_running_search_is_not_pickled(protocol: int) -> None:
    with loyd.anytime(HARD) as search, pytest.raises(TypeError, match="a running search, which cannot be pickled"):
        pickle.dumps(search, protocol)


def test_a_solver_is_pickled_as_its_options() -> None:
    solver = loyd.Solver(algorithm="idastar", heuristic="manhattan", threads=1)
    for again in (pickle.loads(pickle.dumps(solver)), copy.copy(solver), copy.deepcopy(solver)):
        assert repr(again) == repr(solver)
        assert again.solve(FARTHEST).length == 31

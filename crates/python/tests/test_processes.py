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
    """What a worker does, with the module's own solver."""
    return [loyd.solve(board).length for board in boards]


def solve(board: str) -> int | None:
    """A search by a solver of its own, with tables."""
    return loyd.Solver(algorithm="idastar", heuristic="pdb").solve(board).length


def solve_by_threads(board: str) -> int | None:
    """A search by two threads."""
    return loyd.Solver(algorithm="idastar", threads=2).solve(board).length


@pytest.mark.parametrize("method", [pytest.param("fork", marks=needs_fork), "spawn"])
def test_processes_solve_as_their_parent_does(method: str) -> None:
    """By fork the child has what its parent has made before, for it solved the boards here."""
    expected = lengths(BOARDS)
    assert solve(FARTHEST) == solve_by_threads(FARTHEST) == 31
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(lengths, [BOARDS] * 4) == [expected] * 4
        assert pool.map(solve, [FARTHEST] * 2) == [31, 31]
        # The parent's threads are not there after a fork: these are the child's own.
        assert pool.map(solve_by_threads, [FARTHEST] * 2) == [31, 31]


@needs_fork
def test_a_fork_before_any_table_makes_its_own() -> None:
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
    """Each board has the answer that it has alone, however many threads ask at once."""
    expected = lengths(BOARDS)
    for options in ({}, {"algorithm": "idastar", "heuristic": "pdb"}, {"algorithm": "bfs"}):
        solver = loyd.Solver(**options)
        with ThreadPoolExecutor(8) as pool:
            assert [found.length for found in pool.map(solver.solve, BOARDS)] == expected


def test_other_threads_go_on_while_one_searches() -> None:
    """The search lets others run: this one counts while it searches, and then ends it from outside."""
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
    """SIGINT raises KeyboardInterrupt; the solver answers afterwards, and has the tables it had."""
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
    """Sends Ctrl-C to a program a little after it has said that it is ready; what it says then."""
    with subprocess.Popen(command(program), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        # It has begun by then. If it has not, the signal comes before the search, and the program fails.
        timer = threading.Timer(1.0, process.send_signal, [signal.SIGINT])
        timer.start()
        said = process.stdout.read().split()
        assert process.wait(timeout=120) == 0
    return said


def run(program: str) -> None:
    """Runs a program in a process of its own."""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    subprocess.run(command(program), check=True, timeout=300, env=environment)


def command(program: str) -> list[str]:
    """Runs a program. Tests that run in the background of a shell ignore Ctrl-C, and so would their children."""
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    return [sys.executable, "-c", listen + textwrap.dedent(program)]


def objects() -> dict[str, Any]:
    """Objects that a worker may be sent or may return."""
    board = loyd.Board("8 6 7 2 5 4 3 0 1")
    return {
        "Board": board,
        "Goal": loyd.Goal("blank-first"),
        "Solution": loyd.Solver().solve(board),
        "Hint": loyd.hint(board),
        "Count": loyd.count(board),
    }


@pytest.mark.parametrize("name", objects())
def test_objects_are_pickled_and_copied(name: str) -> None:
    value = objects()[name]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert repr(pickle.loads(pickle.dumps(value, protocol))) == repr(value)
    assert repr(copy.copy(value)) == repr(copy.deepcopy(value)) == repr(value)


def test_a_solver_is_pickled_as_its_options() -> None:
    solver = loyd.Solver(algorithm="idastar", heuristic="manhattan", threads=1)
    for again in (pickle.loads(pickle.dumps(solver)), copy.copy(solver), copy.deepcopy(solver)):
        assert repr(again) == repr(solver)
        assert again.solve(FARTHEST).length == 31

"""Batch calls in forked processes, by several threads at once, and under Ctrl-C."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import pytest
from test_processes import interrupt, needs_fork, run

import loyd

BOARDS = loyd.scramble("3x3", 500, seed=11)


def label(seed: int) -> tuple[list[int], list[list[bool]]]:
    """Label boards in a worker, with the module's own solver."""
    boards = loyd.scramble("3x3", 500, seed=seed)
    return loyd.distance(boards).tolist(), loyd.optimal_actions(boards).tolist()


@pytest.mark.parametrize("method", [pytest.param("fork", marks=needs_fork), "spawn"])
def test_processes_label_like_their_parent(method: str) -> None:
    """A forked child has the table that its parent built when `label` ran here."""
    expected = [label(seed) for seed in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(label, range(4)) == expected


@needs_fork
def test_a_fork_before_any_table_builds_its_own() -> None:
    """The threads of a batch of the parent do not exist after a fork."""
    program = """
        import multiprocessing, loyd
        def label(seed):
            boards = loyd.scramble("3x3", 1000, seed=seed)
            return int(loyd.distance(boards, threads=2).sum())
        with multiprocessing.get_context("fork").Pool(2) as pool:
            before = pool.map(label, range(4))
        here = [label(seed) for seed in range(4)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            after = pool.map(label, range(4))
        assert before == here == after, (before, here, after)
    """
    run(program)


def test_threads_share_a_solver() -> None:
    solver, expected = loyd.Solver(), loyd.distance(BOARDS)
    with ThreadPoolExecutor(8) as pool:
        batches = [pool.submit(solver.distance, BOARDS) for _ in range(16)]
        lengths = list(pool.map(lambda board: solver.solve(board).length, BOARDS[:40]))
    for batch in batches:
        assert (batch.result() == expected).all()
    assert lengths == expected[:40].tolist()


def test_ctrl_c_ends_a_batch() -> None:
    program = """
        import loyd
        boards = loyd.scramble("4x4", 100_000, seed=1)
        solver = loyd.Solver(algorithm="idastar", heuristic="manhattan")
        print("ready", flush=True)
        try:
            solver.solve_batch(boards)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        assert loyd.distance(loyd.scramble("3x3", 10, seed=1)).max() <= 31
        print("done", flush=True)
    """
    assert interrupt(program) == ["interrupted", "done"]


FORK = """
    import os, signal, threading, time, loyd
    solver = MAKE
    def build():
        global solver
        while True:
            solver = MAKE
            CALL
    threading.Thread(target=build, daemon=True).start()
    for _ in range(5):
        time.sleep(0.13)
        child = os.fork()
        if child == 0:
            signal.alarm(100)
            CALL
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
"""
"""Forks while another thread builds tables, which the child needs as well."""


@needs_fork
@pytest.mark.parametrize(
    ("make", "call"),
    [
        ("loyd.Solver()", "solver.distance(loyd.scramble('5x2', 3))"),
        (
            "loyd.Solver(algorithm='idastar', heuristic='pdb', tables='5-5-5', cache='none')",
            "solver.solve('1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15')",
        ),
    ],
)
def test_a_fork_during_a_build_builds_its_own(make: str, call: str) -> None:
    run(FORK.replace("MAKE", make).replace("CALL", call))


@needs_fork
def test_ctrl_c_ends_a_build_after_a_fork() -> None:
    program = """
        import os, signal, threading, time, loyd
        solver = loyd.Solver(metric="mtm", cache="none")
        boards = loyd.scramble("4x3", 3)
        threading.Thread(target=solver.distance, args=[boards], daemon=True).start()
        time.sleep(0.3)
        child = os.fork()
        if child == 0:
            try:
                solver.distance(boards)
            except KeyboardInterrupt:
                os._exit(7)
            os._exit(0)
        time.sleep(1)
        os.kill(child, signal.SIGINT)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    """
    run(program)


def test_ctrl_c_ends_the_wait_for_a_build() -> None:
    """Another thread builds the table, and cannot be interrupted."""
    program = """
        import os, signal, threading, time, loyd
        solver = loyd.Solver(metric="mtm", cache="none")
        boards = loyd.scramble("4x3", 3)
        threading.Thread(target=solver.distance, args=[boards], daemon=True).start()
        time.sleep(0.2)
        threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
        started = time.monotonic()
        try:
            solver.distance(boards)
        except KeyboardInterrupt:
            assert time.monotonic() - started < 1.5
        else:
            raise AssertionError("it was not interrupted")
    """
    run(program)

"""The end of Python while daemon threads, which it does not join, are inside calls."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

FAR = "8 6 7/2 5 4/3 0 1"
LARGE = "22 14 15 3 7 19 0 2 8 17 23 6 12 20 1 24 10 9 11 16 13 4 21 18 5"

CALLS = {
    "short searches": f"loyd.solve('{FAR}')",
    "a search without an end": f"loyd.solve('{LARGE}', algorithm='idastar', heuristic='manhattan')",
    "a search with threads": f"loyd.solve('{LARGE}', threads=2)",
    "a table": "loyd.distance(loyd.scramble('4x3', 10), metric='mtm')",
    "batches": "loyd.distance(boards)",
    "batches with threads": "loyd.rank(boards, threads=2)",
    "a callback": "loyd.scramble('4x4', 10**7, progress=lambda *_: [time.sleep(0.001) for _ in range(300)])",
    "improvements": f"list(loyd.anytime('{LARGE}'))",
    "conversions": "loyd.distance(slow)",
    "answers": f"loyd.hint('{FAR}')",
    "boards": "loyd.Board(boards[0]).array",
}


SLOWLY = """
import sys, time

class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.5)

sys.slow = Slow()
"""
"""Releases the GIL during finalization, so that other threads try to take it: without this, only some runs crash."""


def end(program: str) -> str:
    """Run a program, which must succeed, and return its output on standard error."""
    environment = {**os.environ, "LOYD_CACHE": "none"}
    command = [sys.executable, "-c", SLOWLY + textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stderr


@pytest.mark.parametrize("name", CALLS)
def test_python_ends_during_calls_of_daemon_threads(name: str) -> None:
    program = f"""
        import threading, time, loyd
        boards = loyd.scramble("3x3", 20_000)
        loyd.distance(boards)
        class SlowArray:
            def __array__(self, *_, **__):
                time.sleep(0.001)
                return boards[:50]
        slow = SlowArray()
        def repeat():
            while True:
                {CALLS[name]}
        for _ in range(2):
            threading.Thread(target=repeat, daemon=True).start()
        time.sleep(0.3)
    """
    assert end(program) == ""


def test_python_ends_during_calls_of_an_open_pool() -> None:
    program = f"""
        import time, loyd
        from multiprocessing.pool import ThreadPool
        pool = ThreadPool(3)
        pool.map_async(loyd.solve, ["{FAR}"] * 10**6)
        time.sleep(0.5)
    """
    assert end(program) == ""


def test_the_last_thread_still_calls() -> None:
    """A function that was registered before the import of the package runs after the end of all other calls."""
    program = f"""
        import atexit
        atexit.register(lambda: print(loyd.solve("{FAR}", threads=2).length, file=__import__("sys").stderr))
        import loyd
    """
    assert end(program) == "31\n"

"""Ctrl-C ends every call that can take longer than a second, soon after the signal."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

FAR = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"
LARGE = "22 14 15 3 7 19 0 2 8 17 23 6 12 20 1 24 10 9 11 16 13 4 21 18 5"
ALLOWED_MS = 500.0
"""Ten times the delay on an idle machine."""

CALLS = {
    "solve": f"slow.solve('{FAR}')",
    "solve, tables": f"loyd.solve('{FAR}')",
    "solve, threads": f"loyd.solve('{LARGE}', threads=2)",
    "solve, A*": f"loyd.solve('{FAR}', algorithm='astar', heuristic='manhattan')",
    "all_shortest": f"slow.all_shortest('{FAR}')",
    "count": f"slow.count('{FAR}')",
    "hint": f"slow.hint('{FAR}')",
    "explain": f"slow.explain('{FAR}')",
    "review": f"slow.review('{FAR}', 'r')",
    "anytime": f"list(loyd.anytime('{LARGE}'))",
    "compare": f"loyd.compare(['{FAR}'], algorithms='idastar', heuristics='manhattan')",
    "compare, drawn": "loyd.compare(size='4x4', number=100000, algorithms='idastar', heuristics='manhattan')",
    "compare, length": "loyd.compare(size='4x4', number=100, length=72, algorithms='idastar', heuristics='manhattan')",
    "census": "loyd.census('7x2')",
    "census, threads": "loyd.census('7x2', threads=2)",
    "distance, table": "loyd.distance(loyd.scramble('4x3', 10), metric='mtm')",
    "distance, search": f"slow.distance([loyd.Board('{FAR}').array])",
    "optimal_actions": f"slow.optimal_actions([loyd.Board('{FAR}').array])",
    "heuristic": "loyd.heuristic(loyd.scramble('4x4', 10), 'pdb', tables='7-8')",
    "solve_batch": f"slow.solve_batch([loyd.Board('{FAR}').array])",
    "rank": "loyd.rank(boards)",
    "scramble": "loyd.scramble('4x4', 10**8)",
    "scramble, length": "loyd.scramble('4x4', 100, length=72)",
    "scramble, walk": "loyd.scramble('4x4', 10**6, walk=10**6)",
    "scramble, unique": "loyd.scramble('4x4', 10**8, unique=True)",
    "scramble, unique, many": "loyd.scramble('4x4', 10**8, unique=True, progress=after(8 * 10**6))",
    "Board.scrambled": "loyd.Board.scrambled('4x4', length=75)",
    "SlidingEnv": "SlidingEnv(4, length=(60, 75))",
    "SlidingVectorEnv": "SlidingVectorEnv(2, 4, length=(60, 75))",
    "SlidingVectorEnv.reset": "many.reset(options={'length': (60, 75)})",
}

PROGRAM = """
import os, signal, threading, time
import numpy as np
import loyd
from loyd.environments import SlidingEnv, SlidingVectorEnv

signal.signal(signal.SIGINT, signal.default_int_handler)
slow = loyd.Solver(algorithm="idastar", heuristic="manhattan")
many = SlidingVectorEnv(2, 4)
boards = np.tile(np.arange(16, dtype=np.uint8), (2 * 10**7, 1)) if 'rank' in 'NAME' else None
sent = 0.0

def send():
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)

def after(boards):
    timer.cancel()
    return lambda done, _: done < boards or send()

timer = threading.Timer(0.5, send)
timer.start()
try:
    CALL
except KeyboardInterrupt:
    print(1e3 * (time.perf_counter() - sent))
else:
    raise SystemExit("the call ended by itself")
"""


def delay(call: str) -> float:
    """Return the milliseconds between the signal and the exception."""
    command = [sys.executable, "-c", PROGRAM.replace("CALL", call).replace("NAME", call.partition("(")[0])]
    environment = {**os.environ, "LOYD_CACHE": "none"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr[-1000:]
    return float(done.stdout)


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_the_call(name: str) -> None:
    # Another process may take the cores at the moment of the signal, but not each time.
    assert min(delay(CALLS[name]) for _ in range(2)) < ALLOWED_MS


def test_ctrl_c_during_the_first_use_of_an_array() -> None:
    """The signal comes while the C interface of NumPy is looked up, which runs this class of NumPy."""
    program = """
        import os, signal
        import numpy as np
        import loyd

        signal.signal(signal.SIGINT, signal.default_int_handler)
        original = np.lib.NumpyVersion

        class Interrupted(original):
            def __init__(self, version):
                os.kill(os.getpid(), signal.SIGINT)
                super().__init__(version)

        np.lib.NumpyVersion = Interrupted
        try:
            CALL
        except KeyboardInterrupt:
            print("interrupted")
        np.lib.NumpyVersion = original
        print(loyd.Board(np.arange(9, dtype=np.uint8).reshape(3, 3)))
    """
    calls = [
        "loyd.Board(np.zeros((3, 3), np.uint8))",
        "loyd.Board('1 2 3/4 5 6/7 8 0').array",
        "loyd.distance(np.zeros((1, 3, 3), np.uint8))",
        "loyd.scramble('3x3', 2)",
    ]
    for call in calls:
        command = [sys.executable, "-c", textwrap.dedent(program).replace("CALL", call)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (0, "interrupted\n0 1 2/3 4 5/6 7 8\n"), done.stderr

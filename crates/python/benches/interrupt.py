"""Measures how fast Ctrl-C ends a search: `cargo xtask python --bench interrupt`."""

import os
import signal
import statistics
import threading
import time

import loyd

HARD = "22 14 15 3 7 19 0 2 8 17 23 6 12 20 1 24 10 9 11 16 13 4 21 18 5"
"""A 5x5 board whose shortest solution takes hours."""

ROUNDS = 21
ALLOWED_MS = 50.0


def interrupted() -> float:
    """Return the milliseconds between the signal and the exception."""
    sent = 0.0

    def send() -> None:
        nonlocal sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, send)
    timer.start()
    try:
        solver.solve(HARD)
    except KeyboardInterrupt:
        return 1e3 * (time.perf_counter() - sent)
    raise AssertionError("the search ended by itself")


if __name__ == "__main__":
    solver = loyd.Solver()
    times = sorted(interrupted() for _ in range(ROUNDS))
    print(f"from Ctrl-C to the exception: median {statistics.median(times):.1f} ms, at most {times[-1]:.1f} ms")
    if times[-1] > ALLOWED_MS:
        raise SystemExit(f"more than {ALLOWED_MS:.0f} ms")

"""A line on standard error that tells how far a batch is, on terminals and in notebooks."""

from __future__ import annotations

import sys
import time


class Line:
    """Called with the boards that are done and all boards."""

    def __init__(self) -> None:
        """Begin to count the time."""
        self._begun = time.monotonic()
        self._told = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Write the line anew, but not so often that nobody can read it."""
        now = time.monotonic()
        if done < total and now - self._told < 0.1:
            return
        self._told = now
        left = (now - self._begun) * (total - done) / max(done, 1)
        rest = f"about {left:,.0f} s left" if 0 < done < total else ""
        end = "\n" if done == total else ""
        print(f"\r{done:,} of {total:,} boards {rest:<24}", end=end, file=sys.stderr, flush=True)

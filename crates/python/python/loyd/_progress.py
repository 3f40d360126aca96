"""Progress line of a batch on standard error, for terminals and notebooks."""

from __future__ import annotations

import sys
import time


class Line:
    """Callable with the number of boards done and the total number."""

    def __init__(self) -> None:
        """Start the clock."""
        self._started = time.monotonic()
        self._last_report = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Update the line, at most ten times per second."""
        now = time.monotonic()
        if done < total and now - self._last_report < 0.1:
            return
        self._last_report = now
        left = (now - self._started) * (total - done) / max(done, 1)
        rest = f"about {left:,.0f} s left" if 0 < done < total else ""
        end = "\n" if done == total else ""
        print(f"\r{done:,} of {total:,} boards {rest:<24}", end=end, file=sys.stderr, flush=True)

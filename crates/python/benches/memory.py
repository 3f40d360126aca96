"""Checks that memory does not grow while 10^8 boards are labelled: `cargo xtask python --bench memory`."""

import resource
import sys
import time
from pathlib import Path

import loyd

BATCH = 1_000_000
BATCHES = 100
WARM_UP = 5
"""Number of batches after which everything that is kept has been allocated: tables, the pools of the allocator."""

ALLOWED_MIB = 8
"""A leak of a tenth of a byte per board would exceed this."""


def resident_mib() -> float:
    """Return the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    """Label the boards, and compare the memory after each batch with that after the first ones."""
    started, before, highest = time.perf_counter(), 0.0, 0.0
    total = 0
    for batch in range(BATCHES):
        boards = loyd.scramble("3x3", BATCH, seed=batch)
        total += int(loyd.distance(boards).sum(dtype="uint64"))
        total += int(loyd.optimal_actions(boards).sum())
        total += int(loyd.neighbours(boards)[1].sum())
        del boards
        now = resident_mib()
        if batch < WARM_UP:
            before = max(before, now)
        highest = max(highest, now)
    seconds = time.perf_counter() - started
    print(f"{BATCHES * BATCH:,} boards in {seconds:.0f} s: {before:.1f} MiB after {WARM_UP} batches, at most {highest:.1f} MiB")
    if highest - before > ALLOWED_MIB:
        sys.exit(f"memory grew by {highest - before:.1f} MiB")


if __name__ == "__main__":
    main()

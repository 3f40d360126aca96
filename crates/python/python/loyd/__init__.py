"""Sliding-tile puzzles: shortest solutions, exact labels for arrays of boards, environments.

A board is an array of ``uint8``: 0 is the blank, and the tile of cell ``i`` of the usual goal is ``i + 1``. Actions 0
to 3 are the **blank's** moves up, left, right and down.
"""

from loyd._loyd import Solver, __version__

__all__ = ["Solver", "__version__"]

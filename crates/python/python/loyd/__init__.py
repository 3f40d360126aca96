"""Sliding-tile puzzles: shortest solutions, exact labels for arrays of boards, environments.

A board is an array of ``uint8``: 0 is the blank, and the tile of cell ``i`` of the default goal is ``i + 1``. Actions 0
to 3 move the **blank** up, left, right and down.
"""

from loyd._answers import (
    AllShortest,
    Census,
    Count,
    Explanation,
    Hint,
    Improvement,
    Iteration,
    Review,
    Segment,
    Solutions,
)
from loyd._functions import (
    all_shortest,
    anytime,
    apply,
    census,
    compare,
    count,
    distance,
    explain,
    heuristic,
    hint,
    is_solvable,
    neighbours,
    optimal_actions,
    rank,
    review,
    scramble,
    solve,
    solve_batch,
    unrank,
)
from loyd._loyd import (
    Anytime,
    Board,
    Goal,
    Solution,
    Solver,
    __version__,
    convert,
)
from loyd._registration import register_soon

__all__ = [
    "AllShortest",
    "Anytime",
    "Board",
    "Census",
    "Count",
    "Explanation",
    "Goal",
    "Hint",
    "Improvement",
    "Iteration",
    "Review",
    "Segment",
    "Solution",
    "Solutions",
    "Solver",
    "__version__",
    "all_shortest",
    "anytime",
    "apply",
    "census",
    "compare",
    "convert",
    "count",
    "distance",
    "explain",
    "heuristic",
    "hint",
    "is_solvable",
    "neighbours",
    "optimal_actions",
    "rank",
    "review",
    "scramble",
    "solve",
    "solve_batch",
    "unrank",
]

register_soon()

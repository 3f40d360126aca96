"""What solvers do, as functions: with the usual solver, or with one of the options that are given.

Options are those of :class:`loyd.Solver`, in the names of the command line. The last solvers are kept with their
tables, so that a call with the same options finds them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from loyd._answers import AllShortest, Count, Explanation, Hint, Review
from loyd._loyd import Anytime, Solution, Solver


@lru_cache(maxsize=8)
def _kept(options: tuple[tuple[str, Any], ...]) -> Solver:
    return Solver(**dict(options))


def _solver(options: dict[str, Any]) -> Solver:
    """The solver with these options."""
    try:
        return _kept(tuple(sorted(options.items())))
    except TypeError:
        # Lists and arrays have no hash; and an option that does not exist is refused here again.
        return Solver(**options)


def solve(board: Any, **options: Any) -> Solution:
    """Solve a board: see :meth:`loyd.Solver.solve`.

    >>> import loyd
    >>> loyd.solve("1 2 3/4 0 5/7 8 6").moves
    'rd'
    """
    return _solver(options).solve(board)


def all_shortest(
    board: Any, *, limit: int | None = None, notation: str = "blank", runs: bool = False, **options: Any
) -> AllShortest:
    """Find all shortest solutions of a board: see :meth:`loyd.Solver.all_shortest`."""
    return _solver(options).all_shortest(board, limit=limit, notation=notation, runs=runs)


def count(board: Any, **options: Any) -> Count:
    """Count the shortest solutions of a board: see :meth:`loyd.Solver.count`."""
    return _solver(options).count(board)


def hint(board: Any, **options: Any) -> Hint:
    """Tell what to play next: see :meth:`loyd.Solver.hint`."""
    return _solver(options).hint(board)


def explain(board: Any, **options: Any) -> Explanation:
    """Tell why a board can be solved or not: see :meth:`loyd.Solver.explain`."""
    return _solver(options).explain(board)


def review(
    board: Any, moves: str, *, metric: str | None = None, notation: str | None = None, **options: Any
) -> tuple[Review, ...]:
    """Tell where moves were lost: see :meth:`loyd.Solver.review`."""
    return _solver(options).review(board, moves, metric=metric, notation=notation)


def anytime(board: Any, **options: Any) -> Anytime:
    """Search while the best solution is looked at: see :meth:`loyd.Solver.anytime`."""
    return _solver(options).anytime(board)


def compare(boards: Any = None, **options: Any) -> Any:
    """Run searches side by side: see :meth:`loyd.Solver.compare`, whose options these are."""
    return _solver({}).compare(boards, **options)


def census(size: Any, **options: Any) -> Any:
    """Count the boards at each distance from a goal: see :meth:`loyd.Solver.census`, whose options these are."""
    return _solver({}).census(size, **options)

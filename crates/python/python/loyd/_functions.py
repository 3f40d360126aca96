"""Methods of solvers as functions that use a shared solver with the given options.

Options are those of :class:`loyd.Solver`, with the names of the command line. The most recent solvers are cached with
their tables, so later calls with the same options reuse them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

from loyd._answers import AllShortest, Count, Explanation, Hint, Review, Solutions
from loyd._loyd import Anytime, Board, Solution, Solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@lru_cache(maxsize=8)
def _cached(options: tuple[tuple[str, Any], ...]) -> Solver:
    return Solver(**dict(options))


def _solver(options: dict[str, Any]) -> Solver:
    """Return a solver with these options."""
    if not options:
        return _cached(())
    try:
        return _cached(tuple(sorted(options.items())))
    except TypeError:
        # Lists and arrays are not hashable. Unknown options also end up here and raise again.
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
    """Find the best next moves: see :meth:`loyd.Solver.hint`."""
    return _solver(options).hint(board)


def explain(board: Any, **options: Any) -> Explanation:
    """Explain whether and why a board is solvable: see :meth:`loyd.Solver.explain`."""
    return _solver(options).explain(board)


def review(
    board: Any, moves: str, *, metric: str | None = None, notation: str | None = None, **options: Any
) -> tuple[Review, ...]:
    """Find where moves were wasted: see :meth:`loyd.Solver.review`."""
    return _solver(options).review(board, moves, metric=metric, notation=notation)


def anytime(board: Any, **options: Any) -> Anytime:
    """Iterate over better solutions while the search runs: see :meth:`loyd.Solver.anytime`."""
    return _solver(options).anytime(board)


def compare(boards: Any = None, **options: Any) -> Any:
    """Run searches side by side: see :meth:`loyd.Solver.compare` for the options."""
    return _solver({}).compare(boards, **options)


def census(size: Any, **options: Any) -> Any:
    """Count the boards at each distance from a goal: see :meth:`loyd.Solver.census` for the options."""
    return _solver({}).census(size, **options)


def distance(
    batch: Any,
    *,
    size: Any = None,
    threads: int | None = None,
    on_invalid: str = "raise",
    progress: Any = None,
    **options: Any,
) -> NDArray[np.unsignedinteger[Any]]:
    """Return the length of a shortest solution of each board: see :meth:`loyd.Solver.distance`.

    ``batch`` is ``uint8`` of shape (B, H, W), or (B, N) for square boards; the result has shape (B,).

    >>> import loyd
    >>> import numpy as np
    >>> loyd.distance(np.array([[1, 2, 3, 4, 5, 6, 7, 0, 8]], dtype=np.uint8))
    array([1], dtype=uint8)
    """
    solver = _solver(options)
    return solver.distance(batch, size=size, threads=threads, on_invalid=on_invalid, progress=progress)


def optimal_actions(
    batch: Any,
    *,
    size: Any = None,
    threads: int | None = None,
    on_invalid: str = "raise",
    progress: Any = None,
    **options: Any,
) -> NDArray[np.bool_]:
    """Return which actions begin a shortest solution of each board: see :meth:`loyd.Solver.optimal_actions`.

    The result has shape (B, 4), for the blank's moves up, left, right and down.
    """
    solver = _solver(options)
    return solver.optimal_actions(
        batch, size=size, threads=threads, on_invalid=on_invalid, progress=progress
    )


def heuristic(
    batch: Any,
    name: str,
    *,
    size: Any = None,
    threads: int | None = None,
    on_invalid: str = "raise",
    progress: Any = None,
    **options: Any,
) -> NDArray[np.uint16]:
    """Evaluate a heuristic on each board: see :meth:`loyd.Solver.heuristic`."""
    solver = _solver(options)
    return solver.heuristic(
        batch, name, size=size, threads=threads, on_invalid=on_invalid, progress=progress
    )


def solve_batch(
    batch: Any,
    *,
    size: Any = None,
    threads: int | None = None,
    on_invalid: str = "raise",
    progress: Any = None,
    **options: Any,
) -> Solutions:
    """Solve each board: see :meth:`loyd.Solver.solve_batch`."""
    solver = _solver(options)
    return solver.solve_batch(
        batch, size=size, threads=threads, on_invalid=on_invalid, progress=progress
    )


def is_solvable(
    batch: Any, *, size: Any = None, threads: int | None = None, on_invalid: str = "raise", **options: Any
) -> NDArray[np.bool_]:
    """Return whether each board can reach the goal: see :meth:`loyd.Solver.is_solvable`."""
    return _solver(options).is_solvable(batch, size=size, threads=threads, on_invalid=on_invalid)


def rank(
    batch: Any, *, size: Any = None, threads: int | None = None, on_invalid: str = "raise"
) -> NDArray[np.uint64]:
    """Return the rank of each board among all arrangements: see :meth:`loyd.Solver.rank`."""
    return _solver({}).rank(batch, size=size, threads=threads, on_invalid=on_invalid)


def unrank(ranks: Any, size: Any, *, threads: int | None = None) -> NDArray[np.uint8]:
    """Return the boards with these ranks, of shape (B, H, W): see :meth:`loyd.Solver.unrank`.

    >>> import loyd
    >>> loyd.unrank([0, 46233], "3x3").reshape(2, 9).tolist()
    [[0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 0]]
    """
    return _solver({}).unrank(ranks, size, threads=threads)


def apply(
    batch: Any, actions: Any, *, size: Any = None, threads: int | None = None, on_invalid: str = "raise"
) -> NDArray[np.uint8]:
    """Apply one action to each board and return the resulting boards: see :meth:`loyd.Solver.apply`.

    Actions 0 to 3 move the blank up, left, right and down.
    """
    return _solver({}).apply(batch, actions, size=size, threads=threads, on_invalid=on_invalid)


def neighbours(
    batch: Any, *, size: Any = None, threads: int | None = None, on_invalid: str = "raise"
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the boards one move away, (B, 4, H, W), and which of them exist, (B, 4): see :meth:`loyd.Solver.neighbours`."""
    return _solver({}).neighbours(batch, size=size, threads=threads, on_invalid=on_invalid)


@overload
def scramble(
    size: Any,
    n: None = None,
    *,
    seed: int = 0,
    length: int | None = None,
    walk: int | None = None,
    unique: bool = False,
    progress: Any = None,
    **options: Any,
) -> Board: ...
@overload
def scramble(
    size: Any,
    n: int,
    *,
    seed: int = 0,
    length: int | Iterable[int] | None = None,
    walk: int | None = None,
    unique: bool = False,
    progress: Any = None,
    **options: Any,
) -> NDArray[np.uint8]: ...
def scramble(
    size: Any,
    n: int | None = None,
    *,
    seed: int = 0,
    length: Any = None,
    walk: int | None = None,
    unique: bool = False,
    progress: Any = None,
    **options: Any,
) -> Board | NDArray[np.uint8]:
    """Draw random boards, ``uint8`` of shape (n, H, W), or a single ``Board``: see :meth:`loyd.Solver.scramble`.

    >>> import loyd
    >>> loyd.distance(loyd.scramble("3x3", 3, seed=1, length=20)).tolist()
    [20, 20, 20]
    """
    solver = _solver(options)
    return solver.scramble(
        size, n, seed=seed, length=length, walk=walk, unique=unique, progress=progress
    )

"""What solvers do, as functions: with the usual solver, or with one of the options that are given.

Options are those of :class:`loyd.Solver`, in the names of the command line. The last solvers are kept with their
tables, so that a call with the same options finds them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from loyd._answers import AllShortest, Count, Explanation, Hint, Review, Solutions
from loyd._loyd import Anytime, Solution, Solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@lru_cache(maxsize=8)
def _kept(options: tuple[tuple[str, Any], ...]) -> Solver:
    return Solver(**dict(options))


def _solver(options: dict[str, Any]) -> Solver:
    """The solver with these options."""
    if not options:
        return _kept(())
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


def distance(
    batch: Any,
    *,
    size: Any = None,
    threads: int | None = None,
    on_invalid: str = "raise",
    progress: Any = None,
    **options: Any,
) -> NDArray[np.unsignedinteger[Any]]:
    """Tell how many moves the shortest solution of each board has: see :meth:`loyd.Solver.distance`.

    ``batch`` is ``uint8`` of shape (B, H, W), or (B, N) for square boards; the result has the shape (B,).

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
    """Tell which actions begin a shortest solution of each board: see :meth:`loyd.Solver.optimal_actions`.

    The result has the shape (B, 4), for the blank's moves up, left, right and down.
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
    """Tell whether the goal can be reached from each board: see :meth:`loyd.Solver.is_solvable`."""
    return _solver(options).is_solvable(batch, size=size, threads=threads, on_invalid=on_invalid)


def rank(
    batch: Any, *, size: Any = None, threads: int | None = None, on_invalid: str = "raise"
) -> NDArray[np.uint64]:
    """Number each board among all arrangements: see :meth:`loyd.Solver.rank`."""
    return _solver({}).rank(batch, size=size, threads=threads, on_invalid=on_invalid)


def unrank(ranks: Any, size: Any, *, threads: int | None = None) -> NDArray[np.uint8]:
    """Make the boards with these numbers, of shape (B, H, W): see :meth:`loyd.Solver.unrank`.

    >>> import loyd
    >>> loyd.unrank([0, 46233], "3x3").reshape(2, 9).tolist()
    [[0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 0]]
    """
    return _solver({}).unrank(ranks, size, threads=threads)


def apply(
    batch: Any, actions: Any, *, size: Any = None, threads: int | None = None, on_invalid: str = "raise"
) -> NDArray[np.uint8]:
    """Carry out an action on each board, and return the boards after it: see :meth:`loyd.Solver.apply`.

    Actions 0 to 3 are the blank's moves up, left, right and down.
    """
    return _solver({}).apply(batch, actions, size=size, threads=threads, on_invalid=on_invalid)


def neighbours(
    batch: Any, *, size: Any = None, threads: int | None = None, on_invalid: str = "raise"
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Make the boards one move away, (B, 4, H, W), and tell which there are, (B, 4): see :meth:`loyd.Solver.neighbours`."""
    return _solver({}).neighbours(batch, size=size, threads=threads, on_invalid=on_invalid)


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
) -> Any:
    """Draw random boards, ``uint8`` of shape (n, H, W), or one ``Board``: see :meth:`loyd.Solver.scramble`.

    >>> import loyd
    >>> loyd.distance(loyd.scramble("3x3", 3, seed=1, length=20)).tolist()
    [20, 20, 20]
    """
    solver = _solver(options)
    return solver.scramble(
        size, n, seed=seed, length=length, walk=walk, unique=unique, progress=progress
    )

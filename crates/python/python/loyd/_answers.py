"""Answers of a solver as immutable values.

Lengths and bounds count moves in the metric of the answer. Moves are letters of ``"ulrd"``: the directions of the blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from loyd._loyd import Board


@dataclass(frozen=True)
class Iteration:
    """An iteration of an iterative search."""

    bound: int
    """Bound on the length of paths."""
    expanded: int
    """Number of nodes expanded."""
    generated: int
    """Number of nodes generated."""


@dataclass(frozen=True)
class _Shortest:
    """Common fields of :class:`Count` and :class:`AllShortest`."""

    board: Board = field(repr=False)
    goal: str
    status: str
    """``"solved"``, ``"unsolvable"``, ``"exhausted"``, or ``"stopped"`` if a limit was reached."""
    metric: str
    """``"stm"`` or ``"mtm"``."""
    length: int | None
    """Length of each shortest solution."""
    count: int
    """Number of solutions found."""
    complete: bool
    """Whether these are all shortest solutions."""


@dataclass(frozen=True)
class Count(_Shortest):
    """Number of shortest solutions of a board."""

    def __int__(self) -> int:
        return self.count

    def __index__(self) -> int:
        return self.count


@dataclass(frozen=True)
class AllShortest(_Shortest):
    """Shortest solutions of a board: a sequence of strings."""

    solutions: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[str]:
        return iter(self.solutions)

    def __getitem__(self, index: int) -> str:
        return self.solutions[index]


@dataclass(frozen=True)
class Hint:
    """Best next moves. ``print`` shows them like ``loyd hint``."""

    board: Board = field(repr=False)
    goal: str
    status: str
    metric: str
    length: int | None
    """Length of the best known solution."""
    optimal: bool
    """Whether that solution is proved shortest."""
    lower_bound: int | None
    """Proved lower bound on the length of a solution."""
    best: tuple[str, ...]
    """First moves of the best known solutions."""
    complete: bool
    """Whether ``best`` has the first moves of all shortest solutions."""
    stopped_by: str | None
    """Limit that was reached before all of them were found."""
    moves: str | None
    """Best known solution."""
    text: str = field(repr=False)
    solvable_goals: tuple[str, ...] | None = None
    """Named goals that the board can reach, if it cannot reach the requested one."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Explanation:
    """Whether and why a board is solvable. ``print`` shows it like ``loyd explain``."""

    board: Board = field(repr=False)
    goal: str
    solvable: bool
    inversions: tuple[tuple[int, int], ...] | None
    """Pairs of tiles that are in the wrong order; ``None`` for partial goals."""
    blank_rows: int | None
    """Distance in rows between the blank and its row in the goal; ``None`` for partial goals."""
    mend: tuple[int, int] | None
    """Two tiles whose exchange would make the board solvable."""
    order_fixed: bool
    """Whether the board is a single line, on which the order of the tiles never changes."""
    heuristics: Mapping[str, int | None]
    """Value of each heuristic for the board."""
    distance: int | None
    """Length of a shortest solution, if proved."""
    best_known: int | None
    """Length of the best known solution."""
    lower_bound: int | None
    """Proved lower bound on the length of a solution."""
    text: str = field(repr=False)
    solvable_goals: tuple[str, ...] | None = None
    """Named goals that the board can reach, if it cannot reach the requested one."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Segment:
    """Consecutive moves that wasted some."""

    number: int
    """Number of the first of these moves, from 1."""
    played: tuple[str, ...]
    before: int | None
    """Distance to the goal before the moves; ``None`` if not proved."""
    after: int | None
    """Distance to the goal after the moves; ``None`` if not proved."""
    lost: int
    """Number of moves wasted."""
    instead: tuple[str, ...]
    """Better moves."""
    shortcut: tuple[str, ...] | None
    """Shorter path to the same board."""


@dataclass(frozen=True)
class Review:
    """Where moves were wasted, in one metric. ``print`` shows it like ``loyd review``.

    If ``status`` is ``"unsolvable"``, the lengths and the segments are missing.
    """

    board: Board = field(repr=False)
    goal: str
    status: str
    """``"solved"`` or ``"unsolvable"``."""
    metric: str
    length: int | None = None
    """Number of moves played."""
    shortest: int | None = None
    """Length of a shortest solution, if proved."""
    best_known: int | None = None
    lower_bound: int | None = None
    left: int | None = None
    """Distance from the final board to the goal, if proved."""
    left_at_least: int | None = None
    left_at_most: int | None = None
    lost: int | None = None
    """Number of moves wasted, if proved."""
    lost_at_least: int | None = None
    lost_at_most: int | None = None
    segments: tuple[Segment, ...] = ()
    """Segments that wasted moves."""
    best: str | None = None
    """Best known solution."""
    text: str = field(default="", repr=False)
    notation: str | None = None
    """Notation in which the moves were read."""
    solvable_goals: tuple[str, ...] | None = None
    """Named goals that the board can reach, if it cannot reach the requested one."""

    def __post_init__(self) -> None:
        segments = (Segment(**_fields(one)) for one in self.segments)
        object.__setattr__(self, "segments", tuple(segments))

    def __str__(self) -> str:
        return self.text


def _fields(segment: Segment | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a segment, which may be an object or a mapping."""
    return vars(segment) if isinstance(segment, Segment) else segment


@dataclass(frozen=True)
class Improvement:
    """State of a running search for a solution."""

    moves: str | None
    """Best solution so far."""
    length: int | None
    lower_bound: int | None
    """Proved lower bound on the length of a solution."""
    within: float | None
    """Upper bound on the length of the best solution divided by that of a shortest one."""
    expanded: int
    """Number of nodes expanded so far."""
    elapsed: float
    """Seconds since the start of the search."""

    @property
    def proved(self) -> bool:
        """Whether the best solution is proved shortest."""
        return self.length is not None and self.length == self.lower_bound


@dataclass(frozen=True)
class Census:
    """Number of boards at each distance from a goal."""

    size: str
    metric: str
    goal: str
    goals: int
    """Number of goals with the same answer, including this one."""
    states: int
    """Number of boards that can reach the goal."""
    depth: int
    """Largest distance."""
    mean: float
    """Mean distance."""
    levels: tuple[int, ...]
    """Number of boards at distance 0, 1, 2 and so on."""
    farthest: tuple[Board, ...] = field(repr=False)
    """Boards at the largest distance, as many as requested."""
    bytes: int = field(repr=False)
    elapsed_ns: int = field(repr=False)


class Solutions(NamedTuple):
    """Solutions of B boards."""

    actions: NDArray[np.uint8]
    """Shape (B, L), where L is the largest number of actions: 0 to 3 move the blank up, left, right and down, and 255
    pads shorter solutions."""
    lengths: NDArray[np.uint16]
    """Shape (B,), in the metric of the solver; 65535 for rows without a solution."""
    proved: NDArray[np.bool_]
    """Shape (B,): whether the solution is proved shortest."""

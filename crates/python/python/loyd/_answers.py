"""What a solver says of a board: plain values that never change.

Lengths and bounds count moves in the metric of the answer. Moves are letters of ``"ulrd"``: the ways of the blank.
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
    """A round of an iterative search."""

    bound: int
    """The bound on the length of paths."""
    expanded: int
    """Nodes whose successors were enumerated."""
    generated: int
    """Nodes that were made."""


@dataclass(frozen=True)
class _Shortest:
    """What is known of all shortest solutions of a board."""

    board: Board = field(repr=False)
    goal: str
    status: str
    """``"solved"``, ``"unsolvable"``, ``"exhausted"``, or ``"stopped"`` when a limit was reached."""
    metric: str
    """``"stm"`` or ``"mtm"``."""
    length: int | None
    """The length of each of them."""
    count: int
    """How many were found."""
    complete: bool
    """Whether these are all."""


@dataclass(frozen=True)
class Count(_Shortest):
    """How many shortest solutions a board has."""

    def __int__(self) -> int:
        return self.count

    def __index__(self) -> int:
        return self.count


@dataclass(frozen=True)
class AllShortest(_Shortest):
    """Shortest solutions of a board: a sequence of texts."""

    solutions: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[str]:
        return iter(self.solutions)

    def __getitem__(self, index: int) -> str:
        return self.solutions[index]


@dataclass(frozen=True)
class Hint:
    """What to play next. ``print`` shows it as ``loyd hint`` does."""

    board: Board = field(repr=False)
    goal: str
    status: str
    metric: str
    length: int | None
    """The length of the best known solution."""
    optimal: bool
    """Whether it is proved that none is shorter."""
    lower_bound: int | None
    """No solution is shorter."""
    best: tuple[str, ...]
    """The moves with which best known solutions begin."""
    complete: bool
    """Whether these are all with which a shortest solution begins."""
    stopped_by: str | None
    """The limit that was reached before all were found."""
    moves: str | None
    """The best known solution."""
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Explanation:
    """Why a board can be solved or not. ``print`` shows it as ``loyd explain`` does."""

    board: Board = field(repr=False)
    goal: str
    solvable: bool
    inversions: tuple[tuple[int, int], ...] | None
    """Pairs of tiles that stand the wrong way round; ``None`` for partial goals."""
    blank_rows: int | None
    """How many rows the blank is from its row in the goal; ``None`` for partial goals."""
    mend: tuple[int, int] | None
    """Two tiles whose exchange would make the board solvable."""
    order_fixed: bool
    """Whether the tiles stand in a line, where their order never changes."""
    heuristics: Mapping[str, int | None]
    """What each heuristic says of the board."""
    distance: int | None
    """The length of a shortest solution, where it is proved."""
    best_known: int | None
    """The length of the best known solution."""
    lower_bound: int | None
    """No solution is shorter."""
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Segment:
    """Moves in a row that lost some."""

    number: int
    """The number of the first of them, from 1."""
    played: tuple[str, ...]
    before: int | None
    """How far the goal was before; ``None`` where that is not proved."""
    after: int | None
    """How far it was after."""
    lost: int
    """How many moves were lost."""
    instead: tuple[str, ...]
    """Moves that would have been better."""
    shortcut: tuple[str, ...] | None
    """A shorter way to the same board."""


@dataclass(frozen=True)
class Review:
    """Where moves were lost, in one metric. ``print`` shows it as ``loyd review`` does.

    Of a board that is ``"unsolvable"`` nothing else is known.
    """

    board: Board = field(repr=False)
    goal: str
    status: str
    """``"solved"`` or ``"unsolvable"``."""
    metric: str
    length: int | None = None
    """The moves that were made."""
    shortest: int | None = None
    """The length of a shortest solution, where it is proved."""
    best_known: int | None = None
    lower_bound: int | None = None
    left: int | None = None
    """How far the goal is from where the moves end."""
    left_at_least: int | None = None
    left_at_most: int | None = None
    lost: int | None = None
    """How many moves were lost."""
    lost_at_least: int | None = None
    lost_at_most: int | None = None
    segments: tuple[Segment, ...] = ()
    """Where they were lost."""
    best: str | None = None
    """The best known solution."""
    text: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        segments = (Segment(**_fields(one)) for one in self.segments)
        object.__setattr__(self, "segments", tuple(segments))

    def __str__(self) -> str:
        return self.text


def _fields(segment: Segment | Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a segment, however it came."""
    return vars(segment) if isinstance(segment, Segment) else segment


@dataclass(frozen=True)
class Improvement:
    """What is known of a solution while a search goes on."""

    moves: str | None
    """The best solution so far."""
    length: int | None
    lower_bound: int | None
    """No solution is shorter."""
    within: float | None
    """How many times as long as a shortest solution it is at most."""
    expanded: int
    """Nodes expanded so far."""
    elapsed: float
    """Seconds since the search began."""

    @property
    def proved(self) -> bool:
        """Whether it is proved that no solution is shorter."""
        return self.length is not None and self.length == self.lower_bound


@dataclass(frozen=True)
class Census:
    """How many boards there are at each distance from a goal."""

    size: str
    metric: str
    goal: str
    goals: int
    """How many goals have the same answer, this one among them."""
    states: int
    """How many boards can reach the goal."""
    depth: int
    """The greatest distance."""
    mean: float
    """The mean distance."""
    levels: tuple[int, ...]
    """How many boards there are at distance 0, 1, 2 and so on."""
    farthest: tuple[Board, ...] = field(repr=False)
    """Boards at the greatest distance, as many as were asked for."""
    bytes: int = field(repr=False)
    elapsed_ns: int = field(repr=False)


class Solutions(NamedTuple):
    """Solutions of B boards."""

    actions: NDArray[np.uint8]
    """Shape (B, L), L being the actions of the longest: 0 to 3 are the blank's moves up, left, right and down, and 255
    stands behind the end of a shorter one."""
    lengths: NDArray[np.uint16]
    """Shape (B,), in the metric of the solver; 65535 where there is no solution."""
    proved: NDArray[np.bool_]
    """Shape (B,): whether no solution is shorter."""

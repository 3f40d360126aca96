"""The extension module, written in Rust."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Literal, TypeAlias, final, overload

import numpy as np
from numpy.typing import NDArray

from loyd._answers import (
    AllShortest,
    Census,
    Count,
    Explanation,
    Hint,
    Improvement,
    Iteration,
    Review,
    Solutions,
)

__version__: str

def main(arguments: Sequence[str]) -> int: ...

# Objects

_Size: TypeAlias = str | int | tuple[int, int]
_Lists: TypeAlias = Sequence[int] | Sequence[Sequence[int]]
_Board: TypeAlias = Board | str | _Lists | NDArray[Any]
_Goal: TypeAlias = Goal | Board | str | _Lists | NDArray[Any]

@final
class Board:
    def __new__(cls, value: _Board, size: _Size | None = None) -> Board: ...
    @staticmethod
    def scrambled(
        size: _Size,
        *,
        seed: int = 0,
        length: int | None = None,
        walk: int | None = None,
        goal: _Goal | None = None,
    ) -> Board: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def numbers(self) -> tuple[int, ...]: ...
    @property
    def array(self) -> NDArray[np.uint8]: ...
    @property
    def blank(self) -> int: ...
    @property
    def moves(self) -> str: ...
    def apply(self, moves: str, *, notation: str | None = None) -> Board: ...
    def is_solvable(self, goal: _Goal | None = None) -> bool: ...
    def text(self, form: str = "slashes") -> str: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Board, /) -> bool: ...
    def __le__(self, other: Board, /) -> bool: ...
    def __gt__(self, other: Board, /) -> bool: ...
    def __ge__(self, other: Board, /) -> bool: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: Any) -> Board: ...
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Goal:
    def __new__(cls, value: _Goal | None = None, size: _Size | None = None) -> Goal: ...
    @property
    def name(self) -> str | None: ...
    @property
    def is_partial(self) -> bool: ...
    def board(self, size: _Size | None = None) -> Board: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Goal: ...
    def __deepcopy__(self, memo: Any) -> Goal: ...

@final
class Solution:
    @property
    def board(self) -> Board: ...
    @property
    def goal(self) -> str: ...
    @property
    def status(self) -> Literal["solved", "unsolvable", "exhausted", "stopped"]: ...
    @property
    def moves(self) -> str | None: ...
    @property
    def actions(self) -> NDArray[np.uint8]: ...
    def moves_in(self, notation: str = "blank", *, runs: bool = False) -> str | None: ...
    @property
    def boards(self) -> NDArray[np.uint8]: ...
    @property
    def length(self) -> int | None: ...
    @property
    def metric(self) -> Literal["stm", "mtm"]: ...
    @property
    def proved(self) -> bool: ...
    @property
    def lower_bound(self) -> int | None: ...
    @property
    def within(self) -> float | None: ...
    @property
    def statistics(self) -> dict[str, Any]: ...
    @property
    def iterations(self) -> tuple[Iteration, ...]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def _repr_html_(self) -> str: ...

@final
class Anytime(Iterator[Improvement]):
    @property
    def solution(self) -> Solution | None: ...
    def close(self) -> None: ...
    def __iter__(self) -> Anytime: ...
    def __next__(self) -> Improvement: ...
    def __enter__(self) -> Anytime: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

@final
class Solver:
    def __new__(
        cls,
        *,
        goal: _Goal | None = None,
        quality: str | None = None,
        algorithm: str | None = None,
        heuristic: str | None = None,
        tables: str | None = None,
        metric: str | None = None,
        costs: str | None = None,
        weight: float | None = None,
        closed: str | None = None,
        prune: str | None = None,
        max_depth: int | None = None,
        no_parity_check: bool = False,
        max_expanded: int | None = None,
        max_time: float | str | None = None,
        max_memory: int | str | None = None,
        threads: int | None = None,
        cache: Any = None,
    ) -> Solver: ...
    @property
    def goal(self) -> Goal: ...
    @property
    def held_bytes(self) -> int: ...
    def solve(self, board: _Board) -> Solution: ...
    def all_shortest(
        self, board: _Board, *, limit: int | None = None, notation: str = "blank", runs: bool = False
    ) -> AllShortest: ...
    def count(self, board: _Board) -> Count: ...
    def hint(self, board: _Board) -> Hint: ...
    def explain(self, board: _Board) -> Explanation: ...
    def review(
        self, board: _Board, moves: str, *, metric: str | None = None, notation: str | None = None
    ) -> tuple[Review, ...]: ...
    def anytime(self, board: _Board) -> Anytime: ...
    def compare(self, boards: Any = None, *, frame: str = "pandas", **options: Any) -> Any: ...
    @overload
    def census(self, size: _Size, *, all_goals: Literal[True], **options: Any) -> tuple[Census, ...]: ...
    @overload
    def census(self, size: _Size, **options: Any) -> Census: ...
    @overload
    def scramble(
        self,
        size: _Size,
        n: None = None,
        *,
        seed: int = 0,
        length: int | None = None,
        walk: int | None = None,
        unique: bool = False,
        progress: _Progress = None,
    ) -> Board: ...
    @overload
    def scramble(
        self,
        size: _Size,
        n: int,
        *,
        seed: int = 0,
        length: int | Iterable[int] | None = None,
        walk: int | None = None,
        unique: bool = False,
        progress: _Progress = None,
    ) -> NDArray[np.uint8]: ...
    def distance(
        self,
        batch: _Batch,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
        progress: _Progress = None,
    ) -> NDArray[np.unsignedinteger[Any]]: ...
    def optimal_actions(
        self,
        batch: _Batch,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
        progress: _Progress = None,
    ) -> NDArray[np.bool_]: ...
    def heuristic(
        self,
        batch: _Batch,
        name: str,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
        progress: _Progress = None,
    ) -> NDArray[np.uint16]: ...
    def solve_batch(
        self,
        batch: _Batch,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
        progress: _Progress = None,
    ) -> Solutions: ...
    def is_solvable(
        self,
        batch: _Batch,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
    ) -> NDArray[np.bool_]: ...
    def rank(
        self,
        batch: _Batch,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
    ) -> NDArray[np.uint64]: ...
    def unrank(
        self, ranks: _Numbers, size: _Size | None = None, *, threads: int | None = None
    ) -> NDArray[np.uint8]: ...
    def apply(
        self,
        batch: _Batch,
        actions: _Numbers,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
    ) -> NDArray[np.uint8]: ...
    def neighbours(
        self,
        batch: _Batch,
        *,
        size: _Size | None = None,
        threads: int | None = None,
        on_invalid: _OnInvalid = "raise",
    ) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]: ...
    def __copy__(self) -> Solver: ...
    def __deepcopy__(self, memo: Any) -> Solver: ...

def convert(
    text: _Board,
    to: str,
    *,
    source: str | None = None,
    runs: bool = False,
    board: _Board | None = None,
    goal: _Goal | None = None,
    size: _Size | None = None,
) -> str: ...

# Batches

_Batch: TypeAlias = Any
"""An array of boards, (B, H, W) or (B, N): a NumPy array, an object with ``__dlpack__``, lists, or a column of lists."""
_Numbers: TypeAlias = Any
"""An integer for each board: an array or a list."""
_OnInvalid: TypeAlias = str
_Progress: TypeAlias = bool | Callable[[int, int], object] | None

# Environments

@final
class Environments:
    def __new__(
        cls,
        count: int,
        size: _Size,
        *,
        goal: _Goal | None = None,
        reward: str = "step",
        max_steps: int | None = None,
        restart: str = "next",
        refuse_illegal: bool = False,
    ) -> Environments: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def set_starts(
        self, *, length: int | tuple[int, int] | None = None, walk: int | None = None, pool: int = 256
    ) -> None: ...
    def reset(self, environments: Sequence[tuple[int, int | None]]) -> None: ...
    def reset_to(self, environments: Sequence[int], boards: Any) -> None: ...
    def check_boards(self, environments: Sequence[int], boards: Any) -> None: ...
    def state(self) -> tuple[NDArray[np.uint8], NDArray[np.int8]]: ...
    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int8]
    ]: ...
    def step_one(
        self, action: int
    ) -> tuple[NDArray[np.uint8], float, bool, bool, NDArray[np.int8]]: ...
    def ended(self) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int8]]: ...
    def __copy__(self) -> Environments: ...
    def __deepcopy__(self, _memo: Any) -> Environments: ...

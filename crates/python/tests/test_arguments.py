"""Arguments of the wrong size or kind: every public function refuses them with an ordinary exception."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

import loyd
from loyd.environments import SlidingEnv, SlidingVectorEnv

BOARD = "1 2 3/4 0 5/7 8 6"
BATCH = loyd.scramble("3x3", 3, seed=1)
LISTS = BATCH.reshape(3, 9).tolist()

NUMBERS = """
import loyd
from loyd.environments import SlidingEnv, SlidingVectorEnv

batch = loyd.scramble("3x3", 3, seed=1)
actions = [2, 0, 1]
board = "1 2 3/4 0 5/7 8 6"
calls = {
    **{
        f"{call.__name__}(threads)": lambda number, call=call, more=more: call(batch, *more, threads=number)
        for call, *more in [
            (loyd.distance,), (loyd.optimal_actions,), (loyd.heuristic, "manhattan"), (loyd.is_solvable,),
            (loyd.rank,), (loyd.solve_batch,), (loyd.neighbours,),
        ]
    },
    "apply(threads)": lambda number: loyd.apply(batch, actions, on_invalid="mask", threads=number),
    "unrank(threads)": lambda number: loyd.unrank([0], "3x3", threads=number),
    "unrank(ranks)": lambda number: loyd.unrank([number], "3x3"),
    "unrank(size)": lambda number: loyd.unrank([0], number),
    "apply(actions)": lambda number: loyd.apply(batch, [number, 0, 0]),
    "distance(batch)": lambda number: loyd.distance([[number] * 9]),
    "distance(size)": lambda number: loyd.distance([[1, 2, 3, 0]], size=number),
    "Board": lambda number: loyd.Board([number, 1, 2, 3]),
    "Board(size)": lambda number: loyd.Board([1, 2, 3, 0], size=(number, 2)),
    "Goal(size)": lambda number: loyd.Goal("1 2 3 0", size=number),
    "Goal.board": lambda number: loyd.Goal("spiral").board(number),
    "scramble(size)": lambda number: loyd.scramble(number, 1),
    "scramble(n)": lambda number: loyd.scramble("3x3", number),
    "scramble(seed)": lambda number: loyd.scramble("3x3", 1, seed=number),
    "scramble(length)": lambda number: loyd.scramble("3x3", 1, length=number),
    "scramble(lengths)": lambda number: loyd.scramble("3x3", 1, length=[number]),
    "scramble(walk)": lambda number: loyd.scramble("3x3", 1, walk=number),
    "scramble(one, walk)": lambda number: loyd.scramble("3x3", walk=number),
    "Board.scrambled(seed)": lambda number: loyd.Board.scrambled("3x3", seed=number),
    "Board.scrambled(length)": lambda number: loyd.Board.scrambled("3x3", length=number),
    "Board.scrambled(walk)": lambda number: loyd.Board.scrambled("3x3", walk=number),
    "all_shortest(limit)": lambda number: loyd.all_shortest(board, limit=number),
    "convert(size)": lambda number: loyd.convert(board, "grid", size=number),
    **{
        f"Solver({name})": lambda number, name=name: loyd.Solver(**{name: number}).solve(board)
        for name in ["threads", "max_time", "max_memory", "max_expanded", "max_depth", "weight"]
    },
    **{
        f"solve({name})": lambda number, name=name: loyd.solve(board, **{name: number})
        for name in ["threads", "max_time", "max_memory", "max_expanded", "max_depth", "weight"]
    },
    **{
        f"compare({name})": lambda number, name=name: loyd.Solver().compare(
            **{"number": 1, "algorithms": "idastar", "heuristics": "manhattan", "size": "2x2", name: number}
        )
        for name in ["number", "length", "seed", "size", "weights", "max_expanded", "max_time", "max_memory", "threads"]
    },
    **{
        f"census({name})": lambda number, name=name: loyd.census("2x2", **{name: number})
        for name in ["farthest", "threads", "max_memory"]
    },
    "census(size)": lambda number: loyd.census(number),
    "SlidingEnv(size)": lambda number: SlidingEnv(number),
    "SlidingEnv(max_episode_steps)": lambda number: SlidingEnv(3, max_episode_steps=number),
    "SlidingEnv(pool)": lambda number: SlidingEnv("4x3", length=1, pool=number),
    "SlidingEnv.reset(seed)": lambda number: SlidingEnv(3).reset(seed=number),
    "SlidingEnv.reset(board)": lambda number: SlidingEnv(2).reset(options={"board": [[number, 1], [2, 3]]}),
    "SlidingVectorEnv(num_envs)": lambda number: SlidingVectorEnv(number, 3).reset(seed=1),
    "SlidingVectorEnv(pool)": lambda number: SlidingVectorEnv(2, "4x3", length=1, pool=number),
    "SlidingVectorEnv.reset(seed)": lambda number: SlidingVectorEnv(2, 3).reset(seed=number),
    "SlidingVectorEnv.reset(seeds)": lambda number: SlidingVectorEnv(2, 3).reset(seed=[number, 0]),
    **{
        f"{kind.__name__}({name})": lambda number, kind=kind, name=name: kind(size=3, **{name: number}).reset(seed=1)
        for kind in (SlidingEnv, SlidingVectorEnv)
        for name in ["walk", "length"]
    },
    **{
        f"{kind.__name__}.reset({name})": lambda number, kind=kind, name=name: kind(size=3).reset(options={name: number})
        for kind in (SlidingEnv, SlidingVectorEnv)
        for name in ["walk", "length"]
    },
}
for call in (SlidingEnv(3), SlidingVectorEnv(1, 3)):
    call.reset(seed=1)
    one = isinstance(call, SlidingEnv)
    calls[f"{type(call).__name__}.step"] = lambda number, call=call, one=one: call.step(number if one else [number])

huge = [2**31, 2**32, 10**12, 2**62, 2**63, 2**64, 10**30]
refusable = (ValueError, MemoryError)
for name, call in calls.items():
    for number in [-(10**30), -(2**63), -1, 0, *huge]:
        accepted = False
        if name == "scramble(n)" and 2**31 <= number <= 2**32:
            # These are drawn, if there is memory.
            continue
        try:
            call(number)
            accepted = True
        except refusable as error:
            assert str(error), (name, number)
            assert "--" not in str(error), (name, number, error)
        except BaseException as error:
            raise AssertionError(f"{name}: {number} raises {error!r}") from error
        # Zero and huge limits may be allowed, but no function takes negative numbers, except -1 for the blank.
        assert not accepted or number >= 0 or name == "Board", (name, number)
    for wrong in [1.5, object()]:
        try:
            call(wrong)
        except (TypeError, ValueError):
            continue
        assert wrong == 1.5 and any(word in name for word in ("max_time", "weight")), (name, wrong)
print("done")
"""


def test_numbers_of_any_size_raise_ordinary_exceptions() -> None:
    """Runs in a child process, since an allocation that fails in Rust aborts the process."""
    done = subprocess.run([sys.executable, "-c", NUMBERS], capture_output=True, text=True, timeout=600)
    assert done.stdout == "done\n" and done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: loyd.distance(BATCH, threads=-1), r"threads=-1 is out of range: integers from 0 to"),
        (lambda: loyd.scramble("3x3", 1, walk=10**12), r"walk=1000000000000 .*from 1 to 1000000 "),
        (lambda: loyd.Board.scrambled("3x3", walk=10**12), r"walk=1000000000000 .*from 0 to 10000000 "),
        (lambda: loyd.scramble("3x3", 1, length=-1), "length=-1 is out of range"),
        (lambda: loyd.all_shortest(BOARD, limit=-1), "limit=-1 is out of range"),
        (lambda: SlidingVectorEnv(2**31, 3), "num_envs=2147483648 is out of range"),
        (lambda: SlidingVectorEnv(2, 3, walk=10**9), "walk=1000000000 is out of range: .*to 25000000"),
        (lambda: SlidingEnv(3).reset(seed=2**64), "seed=18446744073709551616 is out of range"),
        (lambda: loyd.Solver(max_time="abc"), "'abc' for 'max_time='"),
        (lambda: loyd.Solver(threads=0), "threads=0 is out of range: integers from 1"),
        (lambda: loyd.convert("ullr", "blank", source="xx"), "'xx' for 'source='"),
        (lambda: loyd.apply(BATCH, [-1, 0, 0]), "row 0: -1 is not an action"),
        (lambda: loyd.apply(BATCH, [2, 256, 0]), "row [01]: 256 is not an action"),
        (lambda: loyd.apply(BATCH, np.array([2**64 - 1] * 3, dtype=np.uint64)), "row 0: 18446744073709551615 is"),
        (lambda: SlidingEnv(3).reset(options={"boards": BATCH}), "there is no option boards"),
        (lambda: SlidingVectorEnv(3, 3).reset(options={"board": BATCH}), "there is no option board;"),
        (lambda: loyd.distance(pd.Series([*LISTS, [1, 2]])), "the same number of cells"),
        (lambda: loyd.Board([1.5, 2, 3, 0]), "`1.5` is not a tile"),
        (lambda: loyd.Board(np.array([[1.5, 2], [3, 0]])), "`1.5` is not a tile"),
    ],
)
def test_messages_name_the_argument_and_the_value(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: loyd.scramble("3x3", 1, seed=1.5), "seed must be an integer, not float"),
        (lambda: loyd.scramble("3x3", "1"), "n must be an integer, not str"),
        (lambda: loyd.Solver(threads=1.5), "threads must be an integer, not float"),
        (lambda: loyd.distance([[1.5, 2, 3, 0]]), "a batch has integers"),
        (lambda: loyd.distance(np.array([[1.0, 2, 3, 0]])), "a batch has integers"),
        (lambda: loyd.distance(pd.Series([*LISTS, None])), "a batch has integers|same number of cells"),
        (lambda: loyd.distance(pd.Series(["1 2 3/4 5 6/7 8 0"])), r"not .*; loyd\.Board\(text\)\.array reads text"),
        (lambda: loyd.distance(["1 2 3/4 5 6/7 8 0"]), r"not <U17; loyd\.Board\(text\)\.array reads text"),
        (lambda: SlidingEnv(3).reset(seed=1.5), "seed must be an integer, not float"),
        (lambda: SlidingVectorEnv(2, 3).reset(seed="1"), "seed must be an integer, not str"),
        (lambda: SlidingEnv(2).reset(options={"board": [[1.5, 2], [3, 0]]}), "a batch has integers"),
        (lambda: SlidingEnv(2).reset(options={"length": 1.5}), "length must be an integer, not float"),
    ],
)
def test_values_of_the_wrong_type_are_refused(call: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize("action", [1.7, "0", None, np.float32(1), [1]])
def test_actions_are_integers(action: Any) -> None:
    one, many = SlidingEnv(3), SlidingVectorEnv(2, 3)
    one.reset(seed=1)
    many.reset(seed=1)
    for step in (lambda: one.step(action), lambda: many.step(np.array([action, action], dtype=object))):
        with pytest.raises(TypeError, match="an action must be an integer, not"):
            step()


class Refusing:
    """An object that cannot be exported through DLPack."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __dlpack__(self, **_options: Any) -> Any:
        raise self.error

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize("kind", [RuntimeError, TypeError, BufferError, ValueError, KeyboardInterrupt])
def test_exceptions_of_dlpack_are_raised(kind: type[BaseException]) -> None:
    error = kind("on another device")
    with pytest.raises(kind) as raised:
        loyd.distance(Refusing(error))
    assert raised.value is error


def columns() -> dict[str, Any]:
    """Return the boards as columns of data frames, from the libraries that are installed."""
    found = {"pandas": pd.Series(LISTS), "pandas, nested": pd.Series(BATCH.tolist())}
    try:
        import polars as pl
    except ImportError:
        pass
    else:
        found["polars"] = pl.Series(LISTS)
        found["polars, nested"] = pl.Series(BATCH.tolist())
        found["polars, arrays"] = pl.Series(LISTS, dtype=pl.Array(pl.Int64, 9))
    try:
        import pyarrow as pa
    except ImportError:
        pass
    else:
        found["pyarrow"] = pa.array(LISTS)
        found["pyarrow, nested"] = pa.array(BATCH.tolist())
        found["pyarrow, fixed size"] = pa.array(LISTS, pa.list_(pa.uint8(), 9))
        found["pyarrow, chunks"] = pa.chunked_array([LISTS[:1], LISTS[1:]])
    return found


COLUMNS = columns()


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_lists_are_batches(name: str) -> None:
    assert (loyd.distance(COLUMNS[name]) == loyd.distance(BATCH)).all()


HUGE = {
    "Board(array)": ("loyd.Board(np.zeros((20_000, 20_000), np.uint8))", r"400000000 cells: boards have from 2 to 10000"),
    "Board(view)": ("loyd.Board(np.broadcast_to(np.uint8(1), (2**40,)))", r"1099511627776 cells: boards have from 2 to"),
    "Goal(array)": ("loyd.Goal(np.zeros((20_000, 20_000), np.uint8))", r"400000000 cells: boards have from 2 to 10000"),
    "Board(list)": ("loyd.Board([1] * 10**7)", r"the list has 10000000 cells: boards have from 2 to 10000"),
    "Board(lists)": ("loyd.Board([[1] * 9000] * 9000)", r"the list has 81000000 cells: boards have from 2 to 10000"),
    "scramble(range)": ("loyd.scramble('3x3', 2, length=range(2**62))", r"length has more than 65536 numbers for 2 boards"),
    "unrank(view)": ("loyd.unrank(np.broadcast_to(np.uint64(1), (2**50,)), '3x3')", "Unable to allocate"),
    "unrank(signed view)": ("loyd.unrank(np.broadcast_to(np.int64(1), (2**50,)), '3x3')", "Unable to allocate"),
}


@pytest.mark.parametrize("name", HUGE)
def test_what_is_too_large_is_refused_before_it_is_read(name: str) -> None:
    """In another process, as without the check it takes all memory, or runs for hours."""
    call, message = HUGE[name]
    program = f"""
import sys, numpy as np, loyd
if sys.platform == "linux":
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
try:
    {call}
except (ValueError, MemoryError) as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20)
    kind = "MemoryError" if name.startswith("unrank") else "ValueError"
    assert re.match(f"{kind} .*{message}", done.stdout), (done.stdout, done.stderr)


def test_lengths_beyond_the_boards_are_still_lengths() -> None:
    """A list may be longer than the batch."""
    assert loyd.distance(loyd.scramble("3x3", 2, length=range(5, 15))).tolist() == [5, 6]

"""Searches that run while their solutions are read."""

from __future__ import annotations

import time

import pytest
from command import FARTHEST, UNSOLVABLE

import loyd


def test_improvements_get_better() -> None:
    board = loyd.Board.scrambled("8x8", seed=1)
    with loyd.anytime(board, max_time=1) as search:
        news = list(search)
    assert len(news) >= 3
    lengths = [one.length for one in news if one.length is not None]
    bounds = [one.lower_bound for one in news if one.lower_bound is not None]
    assert lengths == sorted(lengths, reverse=True) and bounds == sorted(bounds)
    assert lengths[0] > lengths[-1] and [one.elapsed for one in news] == sorted(one.elapsed for one in news)
    assert search.solution is not None and search.solution.length == lengths[-1]
    assert news[-1].moves is not None
    assert board.apply(news[-1].moves) == loyd.Goal().board(8)
    assert bounds[-1] <= lengths[-1] and not news[0].proved


def test_the_last_improvement_is_proved() -> None:
    search = loyd.anytime(FARTHEST)
    *_, last = search
    assert (last.length, last.lower_bound, last.proved) == (31, 31, True)
    assert search.solution is not None and search.solution.proved
    assert list(search) == []
    assert list(loyd.anytime(UNSOLVABLE))[-1].moves is None


def test_a_search_can_be_closed() -> None:
    search = loyd.anytime(loyd.Board.scrambled("6x6", seed=1), max_time=60)
    first = next(search)
    started = time.perf_counter()
    search.close()
    assert time.perf_counter() - started < 1
    assert search.solution is not None and search.solution.length is not None
    assert first.length is None or search.solution.length <= first.length
    assert list(search) == []
    with pytest.raises(ValueError, match="needs an entry per state"):
        list(loyd.anytime(loyd.Board.scrambled("4x4"), algorithm="astar", closed="ranked"))

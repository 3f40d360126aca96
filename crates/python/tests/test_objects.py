"""Boards, goals, solvers and solutions."""

from __future__ import annotations

import copy
import json
import pickle
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import CLASSIC, FARTHEST, UNSOLVABLE, command_line, with_arguments
from hypothesis import given
from hypothesis import strategies as st

import loyd

# Boards


def test_boards_are_read_in_every_form() -> None:
    board = loyd.Board(CLASSIC)
    nested = [[2, 3, 4], [1, 5, 0], [7, 6, 8]]
    flat = [2, 3, 4, 1, 5, 0, 7, 6, 8]
    arrays = [np.array(nested, dtype) for dtype in (np.uint8, np.int64, ">i2")]
    strided = np.zeros((6, 6), np.uint8)
    strided[::2, ::2] = nested
    others: list[Any] = [board, "234/15x/768", "[[2,3,4],[1,5,0],[7,6,8]]", nested, tuple(map(tuple, nested)), flat, np.array(flat)]
    for value in [*others, *arrays, strided[::2, ::2], np.asfortranarray(arrays[0]), board.text("grid")]:
        assert loyd.Board(value) == board, value
    assert loyd.Board(np.arange(12, dtype=np.uint8).reshape(3, 4)).size == (4, 3)
    line = loyd.Board([1, 2, 3, 0], size="4x1")
    assert line == loyd.Board([1, 2, 3, 0], size=(4, 1)) == loyd.Board(str(line))
    assert loyd.Board("1 2 3 0", size=2) != line


def test_boards_are_read_in_common_forms() -> None:
    near = loyd.Board("1 2 3/4 5 6/7 0 8")
    for value in (
        [["1", "2", "3"], ["4", "5", "6"], ["7", "", "8"]],
        [[1, 2, 3], [4, 5, 6], [7, None, 8]],
        [1, 2, 3, 4, 5, 6, 7, None, 8],
        ["1", "2", "3", "4", "5", "6", "7", " ", "8"],
        [0, 1, 2, 3, 4, 5, 6, -1, 7],
        {"state": [[1, 2, 3], [4, 5, 6], [7, 0, 8]]},
        "3\n1 2 3\n4 5 6\n7 9 8\n",
        "| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 |   | 8 |",
        "ABC/DEF/G_H",
        "3x3:1,2,3,4,5,6,7,0,8",
    ):
        assert loyd.Board(value) == near, value
    with pytest.raises(ValueError, match="8 tiles and no blank"):
        loyd.Board([1, 2, 3, 4, 5, 6, 7, 8])


@given(size=st.tuples(st.integers(1, 6), st.integers(1, 6)).filter(lambda size: size[0] * size[1] > 1), data=st.data())
def test_boards_of_any_size_are_read_back(size: tuple[int, int], data: st.DataObject) -> None:
    width, height = size
    numbers = data.draw(st.permutations(range(width * height)))
    board = loyd.Board(numbers, size=size)
    dtype = data.draw(st.sampled_from(["u1", "i1", "<i4", ">u2", "i8"]))
    order: Any = data.draw(st.sampled_from(["C", "F"]))
    array = np.array(numbers, dtype).reshape(height, width).copy(order)
    array.flags.writeable = data.draw(st.booleans())
    # One row in a text may be a square board.
    given = size if height == 1 else None
    assert board == loyd.Board(array) == loyd.Board(board.array)
    assert board == loyd.Board(str(board), size=given)
    for form in ("slashes", "tokens", "list", "rows", "grid"):
        assert loyd.Board(board.text(form), size=size) == board, form
    assert board == pickle.loads(pickle.dumps(board)) and board.numbers == tuple(numbers)
    assert all(board.apply(move) != board for move in board.moves)


def test_boards_have_properties() -> None:
    board = loyd.Board(CLASSIC)
    assert (board.size, board.blank, board.moves, len(board)) == ((3, 3), 5, "uld", 9)
    assert board.numbers == (2, 3, 4, 1, 5, 0, 7, 6, 8)
    assert board.array.dtype == np.uint8 and board.array.shape == (3, 3)
    board.array[0, 0] = 0
    assert np.array_equal(np.asarray(board), [[2, 3, 4], [1, 5, 0], [7, 6, 8]])
    assert np.asarray(board, dtype=np.int32).dtype == np.int32
    assert str(board) == board.text() == "2 3 4/1 5 0/7 6 8"
    assert board.text("compact") == board.text("COMPACT") == "23415x768"
    assert repr(board).splitlines()[0] == 'Board("2 3 4/1 5 0/7 6 8")'
    assert repr(board).endswith("└───────┘") and "│ 1 5 · │" in repr(board)


def test_moves_and_solvability() -> None:
    board = loyd.Board(CLASSIC)
    ways = ["ull", "DR2", "4 3 2", "1,3 1,1"]
    assert {str(board.apply(way)) for way in ways} == {"0 2 3/1 5 4/7 6 8"}
    assert board.apply("", notation="blank") == board
    with pytest.raises(ValueError, match="the blank, on row 2 and column 3, cannot go right"):
        board.apply("r")
    assert board.is_solvable() and not loyd.Board(UNSOLVABLE).is_solvable()
    assert loyd.Board(UNSOLVABLE).is_solvable(UNSOLVABLE)
    assert loyd.Board("1 0 2/3 4 5/6 7 8").is_solvable("Korf")
    assert loyd.Board(UNSOLVABLE).is_solvable("1 2 3/* * */* * *")


def test_boards_are_immutable_values() -> None:
    board, other = loyd.Board(CLASSIC), loyd.Board("1 2 3/4 5 6/7 8 0")
    line = loyd.Board("1 2 3 0/")
    for one in (board, other, line):
        assert pickle.loads(pickle.dumps(one)) == one
        assert copy.copy(one) is one and copy.deepcopy([one])[0] == one
        assert hash(loyd.Board(str(one))) == hash(one)
    assert sorted([board, other]) == [other, board] and other < board <= board
    assert len({board, other, loyd.Board(CLASSIC)}) == 2 and board != CLASSIC
    with pytest.raises(AttributeError):
        board.size = (1, 2)  # type: ignore[misc]


def test_boards_are_drawn_by_seed() -> None:
    drawn = command_line("scramble", "--size", "4x4", "--seed", "7").stdout.strip()
    assert str(loyd.Board.scrambled("4x4", seed=7)) == drawn
    far = loyd.Board.scrambled(3, seed=1, length=31)
    assert loyd.solve(far).length == 31
    walked = command_line("scramble", "--size", "4x3", "--seed", "2", "--moves", "10").stdout.strip()
    assert str(loyd.Board.scrambled((4, 3), seed=2, walk=10)) == walked
    with pytest.raises(ValueError, match="no 3x3 board is 32 moves from this goal: the farthest are 31"):
        loyd.Board.scrambled("3x3", length=32)


@pytest.mark.parametrize("text", ["2 3 4 1 5 x 7 6 7", "1 2 3/4 5", "1 2 3 q", "", "1 2 3 4 5 6", "9 9 9/9 9 9/9 9 9"])
def test_invalid_boards_have_the_message_of_the_command_line(text: str) -> None:
    output = json.loads(command_line("solve", "--output", "json", "--", text).stdout)
    with pytest.raises(ValueError) as raised:
        loyd.Board(text)
    # The command adds that it takes equal tiles, if there are any.
    assert str(raised.value) == with_arguments(output["error"]).split(" (`loyd solve` takes equal tiles")[0]


def test_values_of_other_types_are_rejected() -> None:
    for value in (5, None, object()):
        with pytest.raises(TypeError, match="a board is a Board, text, a list or an array"):
            loyd.Board(value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`3y3` is not a size"):
        loyd.Board(CLASSIC, size="3y3")
    for array in (np.zeros((3, 3), np.uint8), np.full((2, 2), 1.5), np.zeros((0, 3), np.uint8)):
        with pytest.raises(ValueError):
            loyd.Board(array)


# Goals


def test_goals_have_names_or_are_boards() -> None:
    assert loyd.Goal() == loyd.Goal("standard") == loyd.Goal("Blank-Last")
    spiral = loyd.Goal("snail")
    assert (spiral.name, str(spiral), str(spiral.board(3))) == ("spiral", "spiral", "1 2 3/8 0 4/7 6 5")
    goal = loyd.Goal([[1, 2], [0, 3]])
    assert (goal.name, goal.board(), repr(goal)) == (None, loyd.Board("1 2/0 3"), 'Goal("1 2/0 3")')
    partial = loyd.Goal("1 2 3/* * */* * *")
    assert partial.is_partial and not goal.is_partial
    with pytest.raises(ValueError, match="every cell needs a tile"):
        partial.board()
    for one in (spiral, goal, partial, loyd.Goal("1 * * *", size="4x1")):
        assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)
        assert hash(one) == hash(copy.copy(one))
    with pytest.raises(ValueError, match="did you mean spiral?"):
        loyd.Goal("spirall")


def test_solvers_have_goals() -> None:
    board = loyd.Board("5 1 2 3/4 0 6 7")
    assert loyd.solve(board, goal="blank-first").goal == "0 1 2 3/4 5 6 7"
    assert loyd.solve("4 1 3/0 2 5/7 8 6", goal="1 2 3/* * */* * *").length == 3
    solver = loyd.Solver(goal=loyd.Board("0 1/3 2"))
    assert solver.solve("1 0/3 2").moves == "l" and str(solver.goal) == "0 1/3 2"
    with pytest.raises(ValueError, match="the goal is a 2x2 board, the start a 3x3 board"):
        solver.solve(CLASSIC)


# Solvers


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithm": "foo"}, ["--algorithm", "foo"]),
        ({"heuristic": "manhatan"}, ["--heuristic", "manhatan"]),
        ({"metric": "htm"}, ["--metric", "htm"]),
        ({"closed": "big"}, ["--closed", "big"]),
        ({"weight": 0.5}, ["--weight", "0.5"]),
        ({"quality": "optmal"}, ["--quality", "optmal"]),
        ({"max_time": "soon"}, ["--max-time", "soon"]),
        ({"max_memory": "lots"}, ["--max-memory", "lots"]),
        ({"algorithm": "bfs", "heuristic": "md"}, ["--algorithm", "bfs", "--heuristic", "md"]),
        ({"quality": "fast", "algorithm": "A*"}, ["--quality", "fast", "--algorithm", "A*"]),
        ({"algorithm": "idastar", "no_parity_check": True}, ["--algorithm", "idastar", "--no-parity-check"]),
    ],
)
def test_invalid_options_have_the_message_of_the_command_line(options: dict[str, object], words: list[str]) -> None:
    output = with_arguments(command_line("solve", CLASSIC, *words).stderr)
    with pytest.raises(ValueError) as raised:
        loyd.Solver(**options)  # type: ignore[arg-type]
    message = str(raised.value)
    assert output.startswith(f"error: {message}"), (message, output)
    rest = output.removeprefix(f"error: {message}").strip()
    assert not rest or re.match(r"Usage:|For more information", rest), rest


def test_unknown_options_are_rejected() -> None:
    with pytest.raises(TypeError, match="no option `algoritm`; the options are goal, quality, algorithm"):
        loyd.Solver(algoritm="astar")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no option `output`"):
        loyd.solve(CLASSIC, output="json")
    with pytest.raises(ValueError, match="needs an entry per state"):
        loyd.solve("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15", algorithm="astar", closed="ranked")


def test_solvers_use_their_options() -> None:
    statistics = loyd.Solver(algorithm="A*", heuristic="Hamming", closed="hashed").solve(CLASSIC).statistics
    assert (statistics["algorithm"], statistics["heuristic"], statistics["closed"]) == ("astar", "misplaced", "hashed")
    assert statistics["expanded"] > 0 and statistics["elapsed_ns"] > 0
    words = ["--algorithm", "idastar", "--heuristic", "manhattan"]
    record = json.loads(command_line("solve", FARTHEST, "--output", "json", *words).stdout)
    solution = loyd.Solver(algorithm="idastar", heuristic="manhattan").solve(FARTHEST)
    assert solution.moves == record["moves"]
    assert [vars(round) for round in solution.iterations] == record["iterations"]
    assert {name: solution.statistics[name] for name in ("expanded", "generated", "peak_bytes")} == {
        name: record[name] for name in ("expanded", "generated", "peak_bytes")
    }
    stopped = loyd.Solver(algorithm="bfs", max_expanded=10).solve(FARTHEST)
    assert (stopped.status, stopped.moves, str(stopped)) == ("stopped", None, "stopped")
    assert not stopped and stopped.lower_bound is not None and stopped.statistics["stopped_by"] == "expanded"
    weighted = loyd.Solver(algorithm="wastar", weight=1.5).solve(FARTHEST)
    assert weighted.within == 1.5 and not weighted.proved and len(weighted) >= 31


def test_solvers_are_restored_from_their_options() -> None:
    solver = loyd.Solver(algorithm="A*", max_time="5s", goal=loyd.Goal("spiral"))
    assert repr(solver) == "Solver(algorithm='A*', max_time='5s', goal=Goal(\"spiral\"))"
    again = pickle.loads(pickle.dumps(solver))
    assert repr(again) == repr(solver) and again.goal == solver.goal
    assert again.solve(CLASSIC).moves == solver.solve(CLASSIC).moves
    assert copy.copy(solver) is solver and copy.deepcopy(solver) is solver


def test_damaged_tables_cause_warnings(tmp_path: Path) -> None:
    board, options = "1 2 3 4/5 0 6 8/9 10 7 11", {"algorithm": "idastar", "heuristic": "pdb"}
    assert loyd.Solver(cache=tmp_path, **options).solve(board).length == 3  # type: ignore[arg-type]
    files = [file for file in tmp_path.rglob("*") if file.is_file() and file.stat().st_size > 100]
    assert files
    for file in files:
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    with pytest.warns(RuntimeWarning, match=re.escape(str(tmp_path))):
        assert loyd.Solver(cache=tmp_path, **options).solve(board).length == 3  # type: ignore[arg-type]


def test_threads_share_a_solver() -> None:
    solver, boards = loyd.Solver(), [loyd.Board.scrambled("3x3", seed=seed) for seed in range(40)]
    expected = [loyd.Solver(algorithm="astar").solve(board).length for board in boards]
    found: dict[int, list[int | None]] = {}

    def work(number: int) -> None:
        found[number] = [solver.solve(board).length for board in boards]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), expected)


# Solutions


def test_moves_of_solutions() -> None:
    solution = loyd.solve(CLASSIC)
    assert (solution.status, solution.length, solution.proved, solution.lower_bound) == ("solved", 19, True, 19)
    assert solution.board == loyd.Board(CLASSIC) and solution.goal == "1 2 3/4 5 6/7 8 0"
    assert len(solution) == 19 and "".join(solution) == solution.moves == str(solution) and bool(solution)
    assert solution.metric == "stm" and solution.actions.dtype == np.uint8
    assert "".join("ulrd"[action] for action in solution.actions) == solution.moves
    for notation in ("blank", "tile", "numbers", "coordinates"):
        for runs in (False, True):
            text = solution.moves_in(notation, runs=runs)
            assert text is not None
            assert loyd.Board(CLASSIC).apply(text) == loyd.Goal().board(3), text
    with pytest.raises(ValueError, match="possible values: blank, tile"):
        solution.moves_in("morse")
    assert "19, proved shortest" in repr(solution)


def test_boards_along_the_way_are_an_array() -> None:
    for board in (loyd.Board(FARTHEST), loyd.Board("1 2 3 4/0 5 6 7")):
        solution = loyd.solve(board)
        boards = solution.boards
        assert boards.dtype == np.uint8 and boards.shape == (len(solution) + 1, board.size[1], board.size[0])
        now = board
        for letter, shown in zip(" " + "".join(solution), boards, strict=True):
            now = now.apply(letter.strip())
            assert np.array_equal(shown, now.array)
        assert str(now) == solution.goal


def test_boards_without_a_solution_have_none() -> None:
    solution = loyd.solve(UNSOLVABLE)
    assert (solution.status, solution.moves, solution.length, str(solution)) == ("unsolvable", None, None, "unsolvable")
    assert not solution and len(solution) == 0 and solution.boards.shape == (1, 3, 3) and not solution.proved
    assert repr(solution).endswith("<Solution unsolvable: see explain>")
    assert solution.moves_in("tile") is None and solution.lower_bound is None
    solved = loyd.solve("1 2 3/4 5 6/7 8 0")
    assert solved and solved.moves == "" and solved.length == 0 and solved.proved


def test_solutions_are_pickled() -> None:
    for board in (CLASSIC, UNSOLVABLE, "1 2 3/4 5 6/7 8 0"):
        solution = loyd.Solver(algorithm="astar").solve(board)
        again = pickle.loads(pickle.dumps(solution))
        assert (again.moves, again.statistics, again.board) == (solution.moves, solution.statistics, solution.board)
        assert (again.goal, again.status, repr(again)) == (solution.goal, solution.status, repr(solution))
        assert copy.deepcopy(solution).moves == solution.moves


def test_slides_count_in_their_metric() -> None:
    solution = loyd.solve(CLASSIC, metric="mtm")
    record = json.loads(command_line("solve", CLASSIC, "--metric", "mtm", "--output", "json").stdout)
    assert (solution.metric, solution.length) == ("mtm", record["length"])
    assert len(solution) == len(record["moves"]) > record["length"]


def test_public_names_are_documented() -> None:
    for name in set(loyd.__all__) - {"__version__"}:
        assert getattr(loyd, name).__doc__, name
    for kind in (loyd.Board, loyd.Goal, loyd.Solver, loyd.Solution, loyd.Anytime):
        for name in dir(kind):
            if not name.startswith("_"):
                assert getattr(kind, name).__doc__, f"{kind.__name__}.{name}"

"""Answers of solvers other than solutions, and searches side by side."""

from __future__ import annotations

import json
import pickle
import re

import pytest
from command import CLASSIC, FARTHEST, UNSOLVABLE, command_line, with_arguments

import loyd

# Studies


def test_all_shortest_solutions_are_found_and_counted() -> None:
    all_of_them = loyd.all_shortest(FARTHEST)
    assert (len(all_of_them), all_of_them.complete, all_of_them.length) == (40, True, 31)
    assert list(all_of_them) == command_line("solve", FARTHEST, "--all").stdout.split()
    assert all(loyd.Board(FARTHEST).apply(moves) == loyd.Goal().board(3) for moves in all_of_them)
    first = loyd.all_shortest(FARTHEST, limit=2, notation="tile", runs=True)
    assert (len(first), first.complete, first.count) == (2, False, 2)
    assert loyd.Board(FARTHEST).apply(first[0]) == loyd.Board(FARTHEST).apply(all_of_them[0])
    count = loyd.count(FARTHEST)
    assert (int(count), count.complete, count.length, count.status) == (40, True, 31, "solved")
    assert loyd.count(UNSOLVABLE).count == 0 and loyd.all_shortest(UNSOLVABLE).solutions == ()
    with pytest.raises(ValueError, match="greedy does not prove its solutions shortest"):
        loyd.count(FARTHEST, algorithm="greedy")


@pytest.mark.parametrize("board", [CLASSIC, UNSOLVABLE, "1 2 3/4 5 6/7 8 0", "1 2 3 4/0 5 6 7"])
def test_hints_and_explanations_equal_those_of_the_command_line(board: str) -> None:
    hint, explanation = loyd.hint(board), loyd.explain(board)
    for answer, command in ((hint, "hint"), (explanation, "explain")):
        assert str(answer) == command_line(command, board).stdout.rstrip()
        record = json.loads(command_line(command, board, "--output", "json").stdout)
        fields = {**vars(answer), "board": str(answer.board)}
        del fields["text"]
        # Records of boards that can reach their goal do not name other goals.
        if fields.get("solvable_goals", ()) is None:
            del fields["solvable_goals"]
        assert json.loads(json.dumps(fields)) == record
    assert pickle.loads(pickle.dumps(hint)) == hint
    with pytest.raises(AttributeError):
        hint.length = 3  # type: ignore[misc]


def test_moves_are_read_so_that_they_solve_the_board() -> None:
    board = "1 0 2 4/5 7 3 8/9 6 11 12/13 10 14 15"
    with pytest.warns(UserWarning, match="read as moves of the blank"):
        review = loyd.review(board, "R D L D D R R")[0]
    assert (review.notation, review.lost) == ("capitals", 0)
    assert loyd.review(board, "rdlddrr")[0].notation == "blank"


def test_goals_that_a_board_can_reach_are_named() -> None:
    board = "1 2 3/4 5 6/8 7 0"
    goals = ("columns", "snake", "spiral")
    assert loyd.explain(board).solvable_goals == goals
    assert loyd.hint(board).solvable_goals == goals
    assert loyd.review(board, "u")[0].solvable_goals == goals
    assert loyd.hint("1 2 3/4 5 6/7 0 8").solvable_goals is None


def test_reviews_equal_those_of_the_command_line() -> None:
    board, moves = "1 2 3/4 x 5/7 8 6", "urdd"
    reviews = loyd.review(board, moves)
    output = command_line("review", board, moves).stdout
    assert [line.rstrip() for review in reviews for line in str(review).splitlines()] == [
        line.rstrip() for line in output.splitlines() if line
    ]
    assert [(review.metric, review.lost, review.shortest) for review in reviews] == [("stm", 8, 2), ("mtm", 6, 2)]
    segment = reviews[0].segments[0]
    assert (segment.number, segment.played, segment.instead, segment.lost) == (1, ("u", "r", "d", "d"), ("r",), 8)
    assert [review.metric for review in loyd.review(board, "DLUU", metric="slides")] == ["mtm"]
    assert loyd.review(UNSOLVABLE, "u")[0].status == "unsolvable"
    assert pickle.loads(pickle.dumps(reviews)) == reviews
    with pytest.raises(ValueError, match="cannot go up"):
        loyd.review(board, "uu")


def test_boards_and_moves_are_converted() -> None:
    assert loyd.convert(CLASSIC, "list") == "[[2,3,4],[1,5,0],[7,6,8]]"
    assert loyd.convert(loyd.Board(CLASSIC), "Compact") == "23415x768"
    assert loyd.convert("DR2", "numbers", board=CLASSIC) == "4 3 2"
    assert loyd.convert("4 3 2", "blank", board=CLASSIC, source="numbers") == "ull"
    assert loyd.convert("ulldrr", "tile", runs=True) == "DR2UL2"
    for words in (["ull", "--to", "numbers"], [CLASSIC, "--to", "compact", "--from", "nothing"]):
        with pytest.raises(ValueError) as raised:
            loyd.convert(words[0], words[2], source=words[4] if len(words) > 4 else None)
        expected = with_arguments(command_line("convert", *words).stderr).replace("from=", "source=")
        assert str(raised.value).splitlines()[0] in expected
    pddl = loyd.convert(CLASSIC, "pddl", goal="spiral")
    assert pddl.strip() == command_line("convert", CLASSIC, "--to", "pddl", "--goal", "spiral").stdout.strip()


def test_a_census_counts_boards() -> None:
    census = loyd.census("3x3", farthest=2)
    assert (census.states, census.depth, sum(census.levels)) == (181440, 31, 181440)
    assert {loyd.solve(board).length for board in census.farthest} == {31}
    assert len(loyd.census("2x2", all_goals=True)) >= 1
    assert loyd.Solver(metric="mtm", goal="spiral").census("3x3").goal == "1 2 3/8 0 4/7 6 5"
    with pytest.raises(ValueError, match="max_memory="):
        loyd.census("3x3", max_memory=100)
    with pytest.raises(TypeError, match="census has no option `depth`"):
        loyd.census("3x3", depth=3)


# Comparisons


def test_comparisons_are_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    boards = [loyd.Board(CLASSIC), FARTHEST]
    frame = loyd.compare(boards, algorithms=["astar", "idastar"], heuristics=["manhattan", "misplaced"])
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 8
    assert set(frame.length) == {19, 31} and frame.optimal.all() and str(frame.expanded.dtype) == "Int64"
    assert frame.columns[0] == "row" and list(frame.board_id) == [1] * 4 + [2] * 4
    words = ["--algorithms", "astar,idastar", "--heuristics", "manhattan,misplaced", "--output", "csv"]
    lines = command_line("compare", *map(str, boards), *words).stdout.splitlines()
    assert lines[0] == ",".join([*frame.columns, "iterations"])
    pruned = loyd.compare([FARTHEST], algorithms="idastar", prune=["undo", "automaton=8"])
    assert list(pruned.prune) == ["undo", "automaton=8"] and pruned.expanded[1] < pruned.expanded[0]
    drawn = loyd.compare(number=3, seed=5, algorithms="idastar")
    assert list(drawn.board) == [
        record["board"]
        for record in map(json.loads, command_line(
            "compare", "--number", "3", "--seed", "5", "--algorithms", "idastar", "--threads", "1", "--output", "json"
        ).stdout.splitlines())
        if "board" in record
    ]
    with pytest.raises(ValueError, match="invalid value 'x'"):
        loyd.compare(algorithms="x")
    with pytest.raises(ValueError, match="there is no frame `table`"):
        loyd.compare(boards, frame="table")
    with pytest.raises(ValueError, match="the goal is a 2x2 board"):
        loyd.compare(boards, goal="1 2/3 0")


@pytest.mark.parametrize("command", ["compare", "census"])
def test_options_are_those_of_the_command(command: str) -> None:
    study = {"compare": loyd.compare, "census": lambda **options: loyd.census("2x2", **options)}[command]
    with pytest.raises(TypeError, match="has no option `depth`") as refusal:
        study(depth=3)
    names = str(refusal.value).split("the options are ")[1].split(", ")
    listed = re.findall(r"--([\w-]+)", command_line(command, "--help").stdout)
    assert len(names) > 5 and {name.replace("_", "-") for name in names} <= set(listed)


def test_comparisons_are_polars_data_frames() -> None:
    polars = pytest.importorskip("polars")
    frame = loyd.Solver(metric="mtm").compare([CLASSIC], preset="heuristics", frame="polars")
    assert isinstance(frame, polars.DataFrame)
    assert set(frame["metric"]) == {"mtm"}

"""Display of boards and solutions in notebooks, as SVG and HTML without external resources."""

from __future__ import annotations

import json
import uuid
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loyd._loyd import Board, Solution

_EDGE = 44
"""Width and height of a cell in pixels, unless the board would exceed ``_LARGEST``."""

_LARGEST = 480
"""Maximum width and height of a board in pixels."""


def _edge(board: Board) -> float:
    return min(_EDGE, _LARGEST / max(board.size))


def _frame(board: Board) -> tuple[str, str]:
    """Return the beginning and the end of a drawing of a board."""
    width, height = board.size
    edge = _edge(board)
    label = escape(str(board), quote=True)
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}"'
        f' width="{width * edge + 8:g}" height="{height * edge + 8:g}" viewBox="-4 -4 {width * 44 + 8} {height * 44 + 8}">'
        f'<rect x="-3" y="-3" width="{width * 44 + 6}" height="{height * 44 + 6}" rx="6" fill="#495057"/>'
    )
    return begin, "</svg>"


def _tile(number: int, column: int, row: int, home: bool) -> str:
    """Draw a tile in its cell; tiles on their goal cells have another colour."""
    fill = "#b2f2bb" if home else "#fff3bf"
    return (
        f'<g data-tile="{number}" transform="translate({column * 44} {row * 44})">'
        f'<rect x="1" y="1" width="42" height="42" rx="4" fill="{fill}"/>'
        f'<text x="22" y="29" text-anchor="middle" font-family="sans-serif" font-size="{20 if number < 100 else 16}"'
        f' fill="#212529">{number}</text></g>'
    )


def _svg(board: Board, goal: list[int]) -> str:
    """Draw a board; tiles whose cell has the same number in ``goal`` are green."""
    width, _ = board.size
    begin, end = _frame(board)
    tiles = "".join(
        _tile(number, cell % width, cell // width, number == goal[cell])
        for cell, number in enumerate(board.numbers)
        if number
    )
    return begin + tiles + end


def board_svg(board: Board) -> str:
    """Draw a board; tiles that are in place in the default goal are green."""
    return _svg(board, list(range(1, len(board) + 1)))


def board_html(board: Board) -> str:
    """Return the drawing as an HTML fragment."""
    return f"<div>{board_svg(board)}</div>"


def _summary(solution: Solution) -> str:
    """Summarise a solution in one line."""
    if solution.moves is None:
        return f"{solution}: see <code>explain</code>" if str(solution) == "unsolvable" else str(solution)
    proof = "proved shortest" if solution.proved else f"at least {solution.lower_bound}"
    if solution.lower_bound is None and not solution.proved:
        proof = "not proved shortest"
    return f"{solution.length} {'slides' if solution.metric == 'mtm' else 'moves'}, {proof}"


def solution_html(solution: Solution) -> str:
    """Return an animation of a solution, with buttons and a slider. Without scripts, it shows the first board and the moves."""
    words = solution.goal.replace("/", " ").split()
    goal = [int(word) if word.isdigit() else -1 for word in words]
    drawing = _svg(solution.board, goal)
    if not solution.moves:
        return f"<div>{drawing}<div>{_summary(solution)}</div></div>"
    name = f"loyd-{uuid.uuid4().hex}"
    width, _ = solution.board.size
    data = json.dumps({"moves": solution.moves, "numbers": solution.board.numbers, "goal": goal, "width": width})
    buttons = "".join(
        f'<button type="button" data-do="{do}" title="{title}" aria-label="{title}">{sign}</button> '
        for do, title, sign in (
            ("first", "first board", "|&#9664;"),
            ("previous", "previous move", "&#9664;"),
            ("play", "play or pause", "play"),
            ("next", "next move", "&#9654;"),
            ("last", "last board", "&#9654;|"),
        )
    )
    return (
        f'<div id="{name}" class="loyd-playback"><style>#{name} g{{transition:transform .15s}}'
        f"#{name} button{{font-size:14px;min-width:36px}}#{name} code{{overflow-wrap:anywhere}}#{name} [data-now]{{font-weight:bold;text-decoration:underline}}"
        f"</style>{drawing}<div>{buttons}"
        f'<input type="range" min="0" max="{len(solution)}" value="0" aria-label="move"> <output>0</output>'
        f" / {len(solution)}</div><div><code>{''.join(f'<span>{letter}</span>' for letter in solution)}</code></div>"
        f"<div>{_summary(solution)}</div><script>({_PLAYER})({json.dumps(name)},{data})</script></div>"
    )


_PLAYER = """function(name, data) {
const root = document.getElementById(name), slider = root.querySelector("input"), shown = root.querySelector("output");
const toggle = root.querySelector("[data-do=play]"), letters = root.querySelectorAll("code span"), steps = {u: -data.width, d: data.width, l: -1, r: 1};
const boards = [data.numbers];
for (const move of data.moves) {
  const board = boards[boards.length - 1].slice(), blank = board.indexOf(0), next = blank + steps[move];
  board[blank] = board[next]; board[next] = 0; boards.push(board);
}
let at = 0, timer = null;
function show(number) {
  at = Math.max(0, Math.min(data.moves.length, number));
  boards[at].forEach((tile, cell) => {
    if (!tile) return;
    const group = root.querySelector('[data-tile="' + tile + '"]');
    group.style.transform = "translate(" + cell % data.width * 44 + "px," + Math.floor(cell / data.width) * 44 + "px)";
    group.firstChild.setAttribute("fill", tile === data.goal[cell] ? "#b2f2bb" : "#fff3bf");
  });
  letters.forEach((letter, index) => letter.toggleAttribute("data-now", index === at - 1));
  slider.value = at; shown.textContent = at;
}
function pause() { clearInterval(timer); timer = null; toggle.textContent = "play"; }
function play() {
  if (timer) { pause(); return; }
  if (at === data.moves.length) show(0);
  toggle.textContent = "pause";
  timer = setInterval(() => { show(at + 1); if (at === data.moves.length || !root.isConnected) pause(); }, 400);
}
const actions = {first: () => show(0), previous: () => show(at - 1), next: () => show(at + 1),
  last: () => show(data.moves.length)};
root.querySelectorAll("button").forEach(button => button.addEventListener("click", () => {
  const action = actions[button.dataset.do];
  if (action) { pause(); action(); } else play();
}));
slider.addEventListener("input", () => { pause(); show(Number(slider.value)); });
show(0);
}"""

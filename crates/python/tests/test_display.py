"""Display in notebooks."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from command import CLASSIC, UNSOLVABLE

import loyd


class Page(HTMLParser):
    """Collects the tags of a page, the elements still open, and every attribute that might load a resource."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("input", "rect"):
            self.open.append(tag)
        self.fetched += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "xlink:href", "data", "action")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_boards_are_drawn_in_notebooks() -> None:
    board = loyd.Board("4 1 2 3/5 6 7 0")
    page = Page(board._repr_html_())
    assert board._repr_svg_() in board._repr_html_() and page.open == []
    assert page.tags.count("text") == 7 and page.fetched == []
    assert loyd.Board.scrambled("16x16", seed=1)._repr_svg_().count("<text") == 255


def test_playback_loads_nothing() -> None:
    solution = loyd.solve(CLASSIC)
    html = solution._repr_html_()
    page = Page(html)
    assert page.open == [] and page.fetched == []
    links = set(re.findall(r"https?:[^\"' )]*|//[a-z]\S*|@import|url\(", html))
    assert links == {"http://www.w3.org/2000/svg"}, "only the namespace of SVG, which is never loaded"
    assert [re.search(f'data-do="{do}"', html) is not None for do in ("first", "previous", "play", "next")] == [True] * 4
    assert "19 moves, proved shortest" in html and str(solution.length) in html
    # Green marks the tiles that are in place in the goal of the solution, not in the default goal.
    green = [loyd.solve("1 0/3 2", goal=goal)._repr_html_().split("<script")[0].count("#b2f2bb") for goal in ("0 1/3 2", "columns")]
    assert green == [2, 1]
    # Each animation has its own id, so that a page can contain several.
    names = {re.search(r'id="(loyd-\w+)"', solution._repr_html_())[1] for _ in range(5)}  # type: ignore[index]
    assert len(names) == 5
    assert "<script" not in loyd.solve(UNSOLVABLE)._repr_html_()
    assert "unsolvable" in loyd.solve(UNSOLVABLE)._repr_html_()

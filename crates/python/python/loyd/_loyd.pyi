"""What of the package is written in Rust."""

from collections.abc import Sequence
from typing import final

__version__: str

def main(arguments: Sequence[str]) -> int: ...

# Objects

@final
class Solver:
    def __init__(self) -> None: ...
    def solve(self, board: str) -> str | None: ...

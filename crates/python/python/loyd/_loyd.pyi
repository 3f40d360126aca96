"""What of the package is written in Rust."""

from collections.abc import Sequence

__version__: str

def main(arguments: Sequence[str]) -> int: ...

# Objects

class Solver:
    def __init__(self) -> None: ...
    def solve(self, board: str) -> str | None: ...

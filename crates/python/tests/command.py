"""The command line as a reference for answers, and boards shared by tests."""

from __future__ import annotations

import re
import subprocess
import sys

CLASSIC = "2 3 4 1 5 x 7 6 8"
FARTHEST = "8 6 7/2 5 4/3 x 1"
UNSOLVABLE = "1 2 3/4 5 6/8 7 0"


def command_line(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command that is installed with the package."""
    return subprocess.run([sys.executable, "-m", "loyd", *words], capture_output=True, text=True, check=False)


def with_arguments(message: str) -> str:
    """Return a message of the command line with the names of arguments instead of options."""
    return re.sub(r"--([a-z][a-z-]*)( <[^>]*>)?", lambda option: option[1].replace("-", "_") + "=", message)

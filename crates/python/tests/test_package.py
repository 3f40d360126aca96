"""The installed package: its command, its names, and the examples of its documents."""

import doctest
import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

import loyd

PACKAGE = Path(__file__).parents[1]
DOCUMENTS = [PACKAGE / "README.md", PACKAGE.parents[1] / "docs" / "python.md"]


def examples(document: Path) -> list[tuple[int, str]]:
    """Return the Python blocks of a document, each with the number of its first line."""
    text = document.read_text()
    blocks = re.finditer(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [(text.count("\n", 0, block.start()) + 2, block[1]) for block in blocks]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_of_a_document(document: Path) -> None:
    """The blocks of a document run in order, as if typed by a reader, and print the output shown."""
    blocks = examples(document)
    assert blocks, "no examples were found"
    names: dict[str, object] = {}
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DocTestRunner(verbose=False, optionflags=flags)
    for line, block in blocks:
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, document.name, str(document), line - 1)
            runner.run(test, clear_globs=False)
            names = test.globs
        else:
            exec(compile("\n" * (line - 1) + block, str(document), "exec"), names)
    assert runner.summarize().failed == 0


def test_the_module_runs_the_command() -> None:
    command = [sys.executable, "-m", "loyd", "2 3 4 1 5 x 7 6 8"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "ullddrurdllurrdlurd\n"
    wrong = subprocess.run([*command[:3], "1 1 x 2"], capture_output=True, text=True)
    assert wrong.returncode != 0 and wrong.stderr


def test_the_version_equals_that_of_the_distribution() -> None:
    assert loyd.__version__ == importlib.metadata.version("loyd")


def test_every_exported_name_exists_and_is_documented() -> None:
    for name in loyd.__all__:
        value = getattr(loyd, name)
        if callable(value):
            assert value.__doc__, f"{name} has no docstring"

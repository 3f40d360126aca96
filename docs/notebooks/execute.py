"""Executes a notebook, `execute.py NOTEBOOK OUT`, and writes it with its outputs, and its pictures to the folder `pictures` of the environment."""

import base64
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

SECONDS = 600
"""Time limit of a cell, in seconds."""


def main(source: Path, out: Path) -> None:
    """Execute a notebook in its own process. A cell that raises ends the run."""
    notebook = nbformat.read(source, as_version=4)
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", record_timing=False).execute()
    # The version of Python depends on the machine and would change the file.
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    out.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, out)
    pictures = Path(sys.prefix) / "pictures"
    pictures.mkdir(exist_ok=True)
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if picture := output.get("data", {}).get("image/png"):
                (pictures / f"{source.stem}-{number}.png").write_bytes(base64.b64decode(picture))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

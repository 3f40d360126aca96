"""Records as data frames."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any

_COLUMNS = {
    "row": "",
    "algorithm": "",
    "heuristic": "",
    "closed": "",
    "weight": "Float64",
    "prune": "",
    "metric": "",
    "board": "",
    "goal": "",
    "board_id": "Int64",
    "status": "",
    "stop": "",
    "length": "Int64",
    "optimal": "bool",
    "optimal_length": "Int64",
    "h": "Int64",
    "expanded": "Int64",
    "generated": "Int64",
    "duplicates": "Int64",
    "reopened": "Int64",
    "peak_bytes": "Int64",
    "elapsed_ns": "Int64",
    "tables_ns": "Int64",
}
"""The columns in the order of ``loyd compare --export csv``, and their types in pandas; text without one."""


def frame(records: Iterable[Mapping[str, Any]], kind: str) -> Any:
    """Return a frame of pandas or polars with a row for each record, without their iterations.

    Numbers that are not known are missing values, and the others stay whole numbers.
    """
    if kind not in ("pandas", "polars"):
        raise ValueError(f"there is no frame `{kind}`; there are pandas, polars")
    library = importlib.import_module(kind)
    rows = [{name: record[name] for name in _COLUMNS} for record in records]
    if kind == "polars":
        return library.DataFrame(rows, infer_schema_length=None)
    table = library.DataFrame(rows, columns=list(_COLUMNS))
    return table.astype({name: kind for name, kind in _COLUMNS.items() if kind})

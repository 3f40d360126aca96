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
"""Columns in the order of ``loyd compare --output csv``, with their types in pandas; text if the type is empty."""


def frame(records: Iterable[Mapping[str, Any]], kind: str) -> Any:
    """Return a pandas or polars data frame with a row for each record, without the iterations.

    Unknown numbers are missing values; the column keeps its integer type.
    """
    if kind not in ("pandas", "polars"):
        raise ValueError(f"there is no frame `{kind}`; use pandas or polars")
    library = importlib.import_module(kind)
    rows = [{name: record[name] for name in _COLUMNS} for record in records]
    if kind == "polars":
        return library.DataFrame(rows, infer_schema_length=None)
    table = library.DataFrame(rows, columns=list(_COLUMNS))
    return table.astype({name: kind for name, kind in _COLUMNS.items() if kind})

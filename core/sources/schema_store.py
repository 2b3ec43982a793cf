"""Keeping a SQL schema on disk between runs; a file that can't be read is as good as none."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from core.encoding import from_json, to_json
from core.sources.base import Column, ForeignKey, SqlSchema, Table


def load_schema(path: Path) -> SqlSchema | None:
    """The schema in `path`, or None."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return SqlSchema(data["dialect"], tuple(_table(t) for t in data["tables"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save_schema(path: Path, schema: SqlSchema) -> None:
    """Write `schema` to `path` in one step; without room for it the schema is read again next time."""
    text = json.dumps(dataclasses.asdict(schema), default=to_json, ensure_ascii=False)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)


def _table(data: dict[str, Any]) -> Table:
    return Table(
        data["name"],
        tuple(_column(c) for c in data["columns"]),
        tuple(data["primary_key"]),
        tuple(ForeignKey(tuple(k["columns"]), k["ref_table"], tuple(k["ref_columns"])) for k in data["foreign_keys"]),
        data["rows"],
        data["is_view"],
    )


def _column(data: dict[str, Any]) -> Column:
    values = {"samples": tuple(from_json(v) for v in data["samples"])}
    values |= {key: from_json(data[key]) for key in ("minimum", "maximum")}
    return Column(**{**data, **values})

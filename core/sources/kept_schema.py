"""Schemas kept on disk between runs, by the fingerprint of the data."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from core.encoding import from_json, to_json
from core.sources.base import (
    Column,
    Edge,
    ForeignKey,
    GraphSchema,
    NodeType,
    Property,
    RdfClass,
    RdfPredicate,
    RdfSchema,
    RelType,
    SqlSchema,
    Table,
)

S = TypeVar("S", RdfSchema, GraphSchema, SqlSchema)

VERSION = 5
"""Counts up when what a schema holds changes, so that files of an earlier version are read anew."""
PARTS: dict[tuple[type, str], type] = {
    (RdfSchema, "classes"): RdfClass,
    (RdfSchema, "predicates"): RdfPredicate,
    (GraphSchema, "nodes"): NodeType,
    (GraphSchema, "rels"): RelType,
    (GraphSchema, "edges"): Edge,
    (NodeType, "properties"): Property,
    (RelType, "properties"): Property,
    (SqlSchema, "tables"): Table,
    (Table, "columns"): Column,
    (Table, "foreign_keys"): ForeignKey,
}


def kept_schema(path: Path, kind: type[S], read: Callable[[], S]) -> S:
    """The schema in `path`; without a readable one, what `read` gives, which is then kept there."""
    path = path.with_suffix(f".{VERSION}.json")
    if (kept := read_kept(path, kind)) is not None:
        return kept
    schema = read()
    with contextlib.suppress(OSError):  # no room for it: it is read again next time
        _write(path, json.dumps(_encode(schema), ensure_ascii=False))
    return schema


def read_kept(path: Path, kind: type[S]) -> S | None:
    """The schema in `path`, or None where it can't be read."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        kept: S = _decode(kind, json.loads(path.read_text(encoding="utf-8")))
        return kept
    return None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _encode(part: Any) -> dict[str, Any]:
    return {
        f.name: [_encode(item) for item in getattr(part, f.name)]
        if (type(part), f.name) in PARTS
        else to_json(getattr(part, f.name))
        for f in dataclasses.fields(part)
    }


def _decode(kind: type, data: dict[str, Any]) -> Any:
    return kind(
        **{
            name: tuple(_decode(PARTS[kind, name], item) for item in value)
            if (kind, name) in PARTS
            else from_json(value)
            for name, value in data.items()
        }
    )

"""SQLite files from a schema and rows."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def database(path: Path, schema: Path) -> Iterator[sqlite3.Connection]:
    """A new database with `schema` loaded; what was written is committed at the end."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(schema.read_text(encoding="utf-8"))
        yield db
        db.commit()

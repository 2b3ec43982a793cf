"""Vectors of short texts that come back question after question: cards, labels, schema terms."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.settings import Settings
from core.sources.encoder import encode, encoder_name, text_key

if TYPE_CHECKING:
    import numpy as np

ASKED_AT_ONCE = 500
"""Keys in one SELECT; SQLite takes no more than 999 parameters everywhere."""


def kept_vectors(texts: Sequence[str], settings: Settings) -> np.ndarray[Any, Any]:
    """Unit vectors of `texts`, made once for each text and encoder and kept in OMNI_HOME/cache.

    The file only saves time: where it can't be read or written the vectors are made again.

    Raises:
        SourceUnavailable: The encoder's files are missing or unreadable.
    """
    import numpy as np

    path = settings.state("cache") / f"vectors-{text_key(encoder_name(settings))[:8]}.sqlite"
    keys = {text: text_key(text) for text in dict.fromkeys(texts)}
    known = _read(path, list(keys.values()))
    missing = [text for text, key in keys.items() if key not in known]
    if missing:
        fresh = dict(zip((keys[t] for t in missing), encode(missing, settings), strict=True))
        _write(path, {key: vector.tobytes() for key, vector in fresh.items()})
        known |= fresh
    return np.stack([known[keys[text]] for text in texts]) if texts else np.zeros((0, 0), np.float32)


def _read(path: Path, keys: Sequence[str]) -> dict[str, Any]:
    import numpy as np

    found: dict[str, Any] = {}
    with contextlib.suppress(sqlite3.Error), _opened(path) as db:
        for start in range(0, len(keys), ASKED_AT_ONCE):
            some = keys[start : start + ASKED_AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = db.execute(f"SELECT key, vector FROM vector WHERE key IN ({marks})", some)
            found.update({key: np.frombuffer(data, dtype=np.float32) for key, data in rows})
    return found


def _write(path: Path, vectors: dict[str, bytes]) -> None:
    with contextlib.suppress(sqlite3.Error, OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _opened(path) as db, db:
            db.execute("CREATE TABLE IF NOT EXISTS vector(key TEXT PRIMARY KEY, vector BLOB) WITHOUT ROWID")
            db.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?)", vectors.items())


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.parent.is_dir():
        raise sqlite3.OperationalError(f"{path.parent} does not exist")
    db = sqlite3.connect(path, timeout=2.0)
    try:
        yield db
    finally:
        db.close()

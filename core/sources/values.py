"""Where stored values, labels and entities stand: equality after folding first, near matches after."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import threading
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.encoding import from_json, to_json
from core.errors import SourceUnavailable
from core.results import Match, Place, Value

Entry = tuple[Value, str, Place, str]
"""(value as stored, label to show, place, description)"""

MATCHES_PER_TERM = 24
NEAR_TERMS = 12
NEAR_CUTOFF = 84.0
"""Least similarity (0-100, normalised edit distance) of a near match: two letters in a name of twelve."""
LEAST_OPENING = 6
OPENING_SCORE = 0.88
"""Several words that a longer value begins with: type 2 diabetes, for "Type 2 diabetes mellitus"."""
WORD_SCORE = 0.8
"""Score of a match by one whole word of a longer name, such as a family name."""
LONGEST_KEY = 120
NEAR_KEY = 48


def fold(text: str) -> str:
    """The form in which values are compared: no case, accents, punctuation or double spaces (NFKD)."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


class ValueIndex:
    """A SQLite file of folded values; read-only once built, safe from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._near: dict[int, list[str]] | None = None
        self._lock = threading.Lock()

    @classmethod
    def build(cls, path: Path, entries: Iterable[Entry]) -> ValueIndex:
        """Write the index beside `path` and move it there, so that no reader ever sees half of one.

        Raises:
            SourceUnavailable: The disk is full or the folder can't be written.
        """
        if _is_whole(path):
            return cls(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
            os.close(handle)
            try:
                _write(Path(name), entries)
                Path(name).replace(path)
            finally:
                Path(name).unlink(missing_ok=True)
        except (OSError, sqlite3.OperationalError) as error:
            raise SourceUnavailable(
                f"The value index {path.name} could not be written to {path.parent}: {error}. "
                "Free some space there, or point OMNI_HOME elsewhere."
            ) from error
        return cls(path)

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Matches of `terms`, exact ones first, then whole words of names, then near spellings."""
        keys = {term: fold(term) for term in dict.fromkeys(terms)}
        found: list[Match] = []
        missing: list[tuple[str, str]] = []
        for term, key in keys.items():
            if not key:
                continue
            exact = self._rows("SELECT * FROM entry WHERE key = ? LIMIT ?", key, MATCHES_PER_TERM)
            found += [_match(term, row, 1.0) for row in exact]
            if not exact:
                missing.append((term, key))
        covered = {fold(match.term) for match in found}
        open_terms = [(t, k) for t, k in missing if not any(f" {k} " in f" {c} " for c in covered)]
        for term, key in open_terms:
            if " " not in key and len(key) >= 3:
                rows = self._rows(
                    "SELECT e.* FROM word w JOIN entry e ON e.rowid = w.entry WHERE w.word = ? "
                    "ORDER BY length(e.key) LIMIT ?",
                    key,
                    MATCHES_PER_TERM,
                )
                found += [_match(term, row, WORD_SCORE) for row in rows]
            elif " " in key and len(key) >= LEAST_OPENING:
                rows = self._rows(
                    "SELECT * FROM entry WHERE key >= ? AND key < ? ORDER BY length(key) LIMIT ?",
                    f"{key} ",
                    f"{key}!",
                    MATCHES_PER_TERM,
                )
                found += [_match(term, row, OPENING_SCORE) for row in rows]
        return found + self._near_matches(open_terms)

    def _near_matches(self, terms: Sequence[tuple[str, str]]) -> list[Match]:
        from rapidfuzz import fuzz, process

        found: list[Match] = []
        wanted = [(t, k) for t, k in terms if 5 <= len(k) <= NEAR_KEY][:NEAR_TERMS]
        for term, key in wanted:
            slack = max(2, len(key) // 5)
            pool = [
                k for size in range(len(key) - slack, len(key) + slack + 1) for k in self._near_keys().get(size, ())
            ]
            for hit, score, _ in process.extract(key, pool, scorer=fuzz.ratio, score_cutoff=NEAR_CUTOFF, limit=3):
                rows = self._rows("SELECT * FROM entry WHERE key = ? LIMIT ?", hit, 6)
                found += [_match(term, row, 0.9 * score / 100) for row in rows]
        return found

    def _near_keys(self) -> dict[int, list[str]]:
        with self._lock:
            if self._near is None:
                buckets: dict[int, list[str]] = {}
                for (key,) in self._rows(
                    "SELECT DISTINCT key FROM entry WHERE length(key) BETWEEN 4 AND ?", NEAR_KEY + 9
                ):
                    buckets.setdefault(len(key), []).append(key)
                self._near = buckets
            return self._near

    def _rows(self, sql: str, *values: object) -> list[tuple[str, ...]]:
        if not hasattr(self._local, "db"):
            self._local.db = sqlite3.connect(f"{self.path.as_uri()}?mode=ro&immutable=1", uri=True)
        rows: list[tuple[str, ...]] = self._local.db.execute(sql, values).fetchall()
        return rows


def _is_whole(path: Path) -> bool:
    """Whether there is an index that can be read: power may fail while one is written."""
    if not path.exists():
        return False
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        db.execute("SELECT 1 FROM entry, word LIMIT 1").fetchone()
    except sqlite3.DatabaseError:
        return False
    finally:
        db.close()
    return True


def _write(path: Path, entries: Iterable[Entry]) -> None:
    db = sqlite3.connect(path)
    try:
        db.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
            "CREATE TABLE entry(key TEXT, value TEXT, label TEXT, owner TEXT, field TEXT, description TEXT);"
            "CREATE TABLE word(word TEXT, entry INTEGER);"
        )
        for number, (value, label, place, description) in enumerate(_keyed(entries), 1):
            key, stored = value
            texts = (json.dumps(to_json(stored), ensure_ascii=False), label, place.owner, place.field, description)
            row = (key, *(_clean(text) for text in texts))
            db.execute(
                "INSERT INTO entry(rowid, key, value, label, owner, field, description) VALUES (?,?,?,?,?,?,?)",
                (number, *row),
            )
            words = key.split()
            if 2 <= len(words) <= 5:
                db.executemany("INSERT INTO word VALUES (?,?)", [(w, number) for w in set(words) if len(w) >= 3])
        db.executescript("CREATE INDEX entry_key ON entry(key); CREATE INDEX word_word ON word(word);")
        db.commit()
    finally:
        db.close()


def _keyed(entries: Iterable[Entry]) -> Iterable[tuple[tuple[str, Value], str, Place, str]]:
    for value, label, place, description in entries:
        clean = _clean(label)
        key = fold(clean)[:LONGEST_KEY]
        if not key:
            continue
        yield (key, value), clean, place, description
        if key.startswith("the ") and len(key) > 7:
            yield (key[4:], value), clean, place, description


def _clean(text: str) -> str:
    """`text` without half characters, which SQLite can't store."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _match(term: str, row: Sequence[str], score: float) -> Match:
    _, value, label, owner, field, description = row
    return Match(term, from_json(json.loads(value)), label, Place(owner, field), score, description)

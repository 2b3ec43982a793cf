"""Reading a corpus file: passages out of JSON lines, with every bad line named."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import SourceUnavailable

CHUNK_WORDS = 150
"""Words of a chunk: about 200 word pieces, below the 256 that MiniLM reads before it cuts silently."""
OVERLAP_WORDS = 30
SHOWN_BAD_LINES = 8


@dataclass(frozen=True, slots=True)
class Document:
    """One passage as its file has it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """All passages of a file, and what could not be read of it."""

    documents: tuple[Document, ...]
    problems: tuple[str, ...]
    fingerprint: str


def corpus_file(location: Path) -> Path:
    """The JSON-lines file of a corpus: `location` itself, or corpus.jsonl[.gz] in it.

    Raises:
        SourceUnavailable: There is none.
    """
    if location.is_dir():
        found = next((p for p in (location / "corpus.jsonl", location / "corpus.jsonl.gz") if p.is_file()), None)
        found = found or next(iter(sorted(location.glob("*.jsonl"))), None)
        if found is None:
            raise SourceUnavailable(f"{location} holds no corpus.jsonl. Add one, or correct the manifest's location.")
        return found
    if not location.is_file():
        raise SourceUnavailable(f"{location} does not exist. Build it, or correct the manifest's location.")
    return location


def read_corpus(location: Path) -> Corpus:
    """Passages of a BEIR-form file {"_id" | "id", "title", "text"}; bad lines are named, the rest is kept.

    Raises:
        SourceUnavailable: The file is missing, can't be read, or no line of it is a passage.
    """
    path = corpus_file(location)
    documents: dict[str, Document] = {}
    problems: list[str] = []
    digest = hashlib.sha256()
    try:
        for number, line in _lines(path):
            digest.update(line.encode("utf-8", "replace"))
            try:
                document = _document(json.loads(line), number)
            except ValueError as error:
                problems.append(f"line {number}: {error if type(error) is ValueError else 'not JSON'}")
                continue
            if document.id in documents:
                problems.append(f"line {number}: the id {document.id!r} stands twice; the first is kept")
            else:
                documents[document.id] = document
    except (OSError, EOFError, gzip.BadGzipFile) as error:
        raise SourceUnavailable(f"{path} can't be read: {error}. Copy it again.") from error
    if problems and not documents:
        raise SourceUnavailable(
            f"{path} holds no passage: {problems[0]}. Each line is a JSON object with _id and text."
        )
    return Corpus(tuple(documents.values()), tuple(problems), digest.hexdigest()[:16])


def chunks(text: str) -> list[str]:
    """`text` in overlapping pieces that the encoder reads whole; one piece where it is short."""
    words = text.split()
    if len(words) <= CHUNK_WORDS:
        return [text]
    step = CHUNK_WORDS - OVERLAP_WORDS
    return [" ".join(words[start : start + CHUNK_WORDS]) for start in range(0, len(words) - OVERLAP_WORDS, step)]


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, line.strip()


def _document(record: Any, number: int) -> Document:
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    text = record.get("text")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no text")
    key = record.get("_id", record.get("id"))
    return Document(str(number if key is None else key), str(record.get("title") or ""), text)

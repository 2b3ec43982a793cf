"""Reading a corpus file: passages out of JSON lines, with every bad line named."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import SourceUnavailable

CHUNK_TOKENS = 230
"""Estimated tokens of a chunk: MiniLM reads 256 and cuts silently; the estimate is at most 11 % low on SciFact."""
OVERLAP_TOKENS = 40
LONGEST_WORD = 40
"""Characters; a longer run without a space (Chinese text, a URL) may be cut inside."""


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
    """One for each line that was left out, beginning with "line N: ", in the order of the file."""
    fingerprint: str

    @property
    def remark(self) -> str:
        """How many lines were left out and which was the first; empty when all were read."""
        if not self.problems:
            return ""
        count = len(self.problems)
        lines = "1 line was" if count == 1 else f"{count:,} lines were"
        return f"{lines} skipped; the first is {self.problems[0]}. Correct the file to have them searched too."


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
            f"{path} holds no passage: none of its {len(problems):,} lines could be read, {problems[0]}. "
            "Each line is a JSON object with _id and text."
        )
    return Corpus(tuple(documents.values()), tuple(problems), digest.hexdigest()[:16])


def chunks(text: str, beside: str = "") -> list[str]:
    """`text` in overlapping pieces, each of which the encoder reads whole with `beside` (a title) before it."""
    room = max(CHUNK_TOKENS - estimated_tokens(beside), CHUNK_TOKENS // 2)
    spans = [match.span() for match in re.finditer(rf"\S{{1,{LONGEST_WORD}}}", text)]
    costs = [estimated_tokens(text[start:end]) for start, end in spans]
    if sum(costs) <= room:
        return [text]
    pieces: list[str] = []
    first = 0
    while True:
        end, total = first, 0
        while end < len(spans) and total + costs[end] <= room:
            total += costs[end]
            end += 1
        pieces.append(text[spans[first][0] : spans[end - 1][1]])
        if end == len(spans):
            return pieces
        back = 0
        first, begun = end, first
        while first - 1 > begun and back + costs[first - 1] <= OVERLAP_TOKENS:
            first -= 1
            back += costs[first]


def estimated_tokens(text: str) -> int:
    """About how many word pieces an English encoder makes of `text`, rather too many than too few."""
    return sum(_cost(word) for word in re.findall(r"\w+|[^\w\s]", text))


def _cost(word: str) -> int:
    size = len(word)
    if not word.isascii():
        return size
    if word.isalpha():
        return 1 + max(0, size - 3) // 5 if size <= 8 else 1 + (size - 1) // 4
    return 1 + (size - 1) // 3 if word.isdigit() else 1 + size // 2


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, line.strip()


def _document(record: Any, number: int) -> Document:
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    text, title = record.get("text"), record.get("title") or ""
    if not isinstance(text, str) or not (text.strip() or str(title).strip()):
        raise ValueError("no text")
    key = record.get("_id", record.get("id"))
    if key is not None and (isinstance(key, bool) or not isinstance(key, str | int | float)):
        raise ValueError("_id is neither a text nor a number")
    return Document(_clean(str(number if key is None else key)), _clean(str(title)), _clean(text))


def _clean(text: str) -> str:
    """`text` without half characters, which JSON can spell and UTF-8 can't carry."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()

"""Answered questions of a source, from the files that its owner names, nearest to a question first.

Read are the file that the source's manifest entry names as `samples`, and OMNI_HOME/samples/SOURCE.jsonl, where
questions are saved by hand. No other file is looked at, so questions that a benchmark asks are never among
the examples unless somebody puts them there; the question itself is left out even then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import OmniError
from core.grounding.terms import content_words, tokens
from core.grounding.vectors import kept_vectors
from core.results import SourceCard
from core.settings import Settings
from core.sources.encoder import encode

NEAREST = 3
MOST_SAMPLES = 2_000
SAME = 0.98
"""Cosine at which two questions are the same one, written a little differently."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A question and a query of the source that answers it."""

    question: str
    query: str


def nearest_samples(
    question: str, card: SourceCard, settings: Settings, most: int = NEAREST
) -> tuple[tuple[Sample, ...], tuple[str, ...]]:
    """At most `most` samples, nearest by the encoder's cosine (shared words without it), and what could not be read."""
    samples: list[Sample] = []
    notes: list[str] = []
    for path, named in ((Path(card.samples), bool(card.samples)), (_saved(card, settings), False)):
        if path.is_file():
            found, wrong = _read(path, path.stat().st_mtime_ns, card.id)
            samples += found
            notes += [wrong] if wrong else []
        elif named:
            notes.append(f"The samples file {path} of {card.id} does not exist, so no examples were shown.")
    asked = _words(question)
    others = list({s.question: s for s in samples if _words(s.question) != asked}.values())
    return tuple(_ranked(question, others, settings)[:most]), tuple(notes)


def _saved(card: SourceCard, settings: Settings) -> Path:
    return settings.home / "samples" / f"{card.id}.jsonl"


def _words(question: str) -> tuple[str, ...]:
    return tuple(t.casefold() for t in tokens(question))


def _ranked(question: str, samples: Sequence[Sample], settings: Settings) -> list[Sample]:
    if not samples:
        return []
    texts = [s.question for s in samples]
    try:
        near = [float(c) for c in kept_vectors(texts, settings) @ encode([question], settings, keep=True)[0]]
    except OmniError:
        own = set(content_words(question))
        near = [len(own & set(content_words(text))) / (len(own) or 1) for text in texts]
        return [s for _, s in sorted(zip(near, samples, strict=True), key=lambda pair: -pair[0])]
    ranked = sorted(zip(near, samples, strict=True), key=lambda pair: -pair[0])
    return [sample for score, sample in ranked if score < SAME]


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, source_id: str) -> tuple[tuple[Sample, ...], str]:
    """Samples of one file as it was at `changed`, and which of its lines could not be read."""
    found: list[Sample] = []
    bad: list[int] = []
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            if len(found) == MOST_SAMPLES:
                break
            try:
                found += _samples(json.loads(line), source_id)
            except (ValueError, KeyError, TypeError, AttributeError):
                bad.append(number)
    listed = ", ".join(map(str, bad[:5])) + (" and more" if len(bad) > 5 else "")
    return tuple(found), f"{path.name}: line {listed} is no sample and was left out." if bad else ""


def _samples(entry: Mapping[str, Any], source_id: str) -> list[Sample]:
    question = entry["question"]
    gold = [g["query"] for g in entry["gold"] if g["source_id"] == source_id]
    if not isinstance(question, str) or not all(isinstance(query, str) for query in gold):
        raise TypeError("question and query are texts")
    return [Sample(question, gold[0])] if gold and entry.get("need", "any") != "all" else []

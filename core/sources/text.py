"""Text corpora: faiss over sentence vectors fused with BM25 by reciprocal rank."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import QueryRejected
from core.results import Match, NativeQuery, Passage, Passages, Place, Returned, SourceCard
from core.settings import Settings
from core.sources.base import Limits, TextSchema
from core.sources.corpus import Corpus, Document, chunks, corpus_file, read_corpus
from core.sources.encoder import encode, encoder_name
from core.sources.limiter import Limiter
from core.sources.text_index import DenseIndex, index_name, load_bm25, stems, words
from core.sources.topics import topics

SHOWN_PASSAGES = 6
RRF_K = 60
"""Constant of reciprocal rank fusion, 1 / (k + rank) (Cormack et al., 2009)."""
DEPTH = 100
"""Ranks of each branch that enter the fusion."""
TOP_K = 10
RARE_SHARE = 0.13
"""A term that more of the passages hold says nothing about any one of them."""
HOLDERS = 5
"""Passages named for one term."""
WHOLE_CHARS = 4_000
"""A longer passage is shown by the piece of it that matched."""
SPARE_SECONDS = 1.0
"""Part of a query's time that waiting for an unfinished index leaves for the search itself."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found by one question: fused score, cosine of its best piece, and BM25 score."""

    document: Document
    score: float
    cosine: float
    bm25: float
    piece: str = ""
    """The part of the passage that matched best; the passage itself where it is short."""


class _Index:
    """A corpus in memory with its two indexes."""

    def __init__(self, corpus: Corpus, stamp: tuple[str, int, int], settings: Settings, source_id: str) -> None:
        self.corpus = corpus
        self.stamp = stamp
        cut = [(n, piece) for n, d in enumerate(corpus.documents) for piece in chunks(d.text, beside=d.title)]
        self.owners = [n for n, _ in cut]
        """For each piece, the position of its document."""
        self.pieces = [piece for _, piece in cut]
        self.dense: DenseIndex | None = None
        self.sparse: Any = None
        if cut:
            # A piece from the middle of a passage says what it is about by the title before it.
            titles = (corpus.documents[n].title for n in self.owners)
            texts = [f"{title}. {piece}" if title else piece for title, piece in zip(titles, self.pieces, strict=True)]
            folder = settings.state("indexes")
            self.sparse = load_bm25(folder / index_name(source_id, corpus.fingerprint), texts)
            name = index_name(source_id, corpus.fingerprint, encoder_name(settings))
            self.dense = DenseIndex(folder / name, corpus.fingerprint, texts, settings).open()

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """What the corpus is about."""
        return topics(self.corpus.documents)

    @cached_property
    def holders(self) -> dict[str, array[int]]:
        """For each word, the documents that hold it, in order."""
        found: dict[str, array[int]] = {}
        for number, document in enumerate(self.corpus.documents):
            for word in dict.fromkeys(words(f"{document.title} {document.text}")):
                found.setdefault(word, array("l")).append(number)
        return found

    def holding(self, term: str) -> list[int]:
        """Documents that hold all words of `term` beside each other."""
        wanted = words(term)
        lists = sorted((self.holders.get(word, array("l")) for word in wanted), key=len)
        if not lists or not lists[0]:
            return []
        both = set(lists[0]).intersection(*lists[1:])
        return [n for n in sorted(both) if len(wanted) == 1 or self._says(n, " ".join(wanted))]

    def _says(self, number: int, phrase: str) -> bool:
        document = self.corpus.documents[number]
        return any(f" {phrase} " in f" {' '.join(words(part))} " for part in (document.title, document.text))


class TextSource:
    """A corpus, asked in free text: a question or a hypothetical passage.

    The vectors of a new corpus are made in the background. Until they are there, passages are ranked
    by BM25 alone, and every result says so.
    """

    def __init__(self, card: SourceCard, location: Path | str, settings: Settings, limits: Limits) -> None:
        self._card = card
        self._location = Path(location)
        self._settings = settings
        self._limits = limits
        self._lock = threading.Lock()
        self._index: _Index | None = None

    @property
    def card(self) -> SourceCard:
        """What the manifest says of this source."""
        return self._card

    @property
    def limits(self) -> Limits:
        """The limits of this source."""
        return self._limits

    def check(self) -> str:
        """Read the file, unless it is the one already read; its index is made when it is first searched."""
        index = self._index
        whole = index is not None and index.stamp == self._stamp()
        return (index.corpus if index and whole else read_corpus(self._location)).remark

    def prepare(self) -> None:
        """Wait until the index is complete, however long that takes."""
        index = self._ready()
        if index.dense is not None:
            index.dense.wait(None)

    def describe(self) -> TextSchema:
        """How many passages there are, what they are about and how they are titled."""
        index = self._ready()
        documents = index.corpus.documents
        return TextSchema(
            passages=len(documents),
            topics=index.topics,
            sample_titles=tuple(d.title or d.text[:60] for d in documents[:8]),
            query_type=self._card.query_type,
            document_style=self._card.document_style,
            sample_passages=tuple(
                Passage(d.id, d.title, d.text, 0.0) for d in documents[:: max(1, len(documents) // SHOWN_PASSAGES)]
            )[:SHOWN_PASSAGES],
        )

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Passages that hold a rare term; `place.owner` is the passage's id."""
        index = self._ready()
        documents = index.corpus.documents
        most = max(1, round(RARE_SHARE * len(documents)))
        found: list[Match] = []
        for term in dict.fromkeys(terms):
            holding = index.holding(term)
            if len(holding) > most:
                continue
            for document in (documents[n] for n in holding[:HOLDERS]):
                found.append(Match(term, document.id, document.title or document.text[:60], Place(document.id), 1.0))
        return found

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """The best passages for a text, at most ten."""
        limits = limits or self._limits
        if not query.text.strip():
            raise QueryRejected("The query is empty. Write what the passage should say.", "one query")
        started = time.monotonic()
        index = self._ready()
        wait = max(0.0, limits.seconds - SPARE_SECONDS - (time.monotonic() - started))
        dense, hits = _search(index, query.text, min(TOP_K, limits.max_items), self._settings, wait)
        limiter = Limiter(limits)
        kept = limiter.take((h.document.id, h.document.title, _shown(h), h.score, h.cosine or None) for h in hits)
        passages = tuple(Passage(*row) for row in kept)  # type: ignore[arg-type]
        notes = (
            _missing(index, dense),
            *limiter.notes(),
            _cut(hits[: len(kept)]),
            _problems(index.corpus),
        )
        truncated = limiter.truncated or len(index.corpus.documents) > len(passages) >= limits.max_items
        elapsed = time.monotonic() - started
        return Returned(query, Passages(passages), truncated, elapsed, tuple(n for n in notes if n))

    def search(self, text: str, k: int) -> list[Hit]:
        """The best `k` passages with the scores of both branches, for ranking and for comparing corpora.

        Waits for an unfinished index once, as long as a query may take; without one every cosine is 0.
        """
        return _search(self._ready(), text, k, self._settings, self._limits.seconds)[1]

    def close(self) -> None:
        """Forget the index; it is read again when needed."""
        with self._lock:
            index, self._index = self._index, None
        if index and index.dense:
            index.dense.leave()

    def _ready(self) -> _Index:
        with self._lock:
            stamp = self._stamp()
            if self._index is None or self._index.stamp != stamp:
                old = self._index
                self._index = _Index(read_corpus(self._location), stamp, self._settings, self._card.id)
                if old and old.dense:
                    old.dense.leave()
            return self._index

    def _stamp(self) -> tuple[str, int, int]:
        path = corpus_file(self._location)
        facts = path.stat()
        return str(path), facts.st_size, facts.st_mtime_ns


def _search(index: _Index, text: str, k: int, settings: Settings, wait: float) -> tuple[bool, list[Hit]]:
    """Whether vectors took part, and the best `k` passages."""
    documents = index.corpus.documents
    if index.dense is None:
        return False, []
    cosine: dict[int, tuple[float, int]] = {}
    vectors = index.dense.wait(wait)
    if vectors is not None:
        query = encode([text], settings, keep=len(text) < 400)
        scores, positions = vectors.search(query, min(DEPTH, len(index.owners)))
        _keep_best(cosine, index, scores[0], positions[0])
    lexical: dict[int, tuple[float, int]] = {}
    wanted = stems(text)
    if wanted:
        scores = index.sparse.get_scores(wanted)
        best = scores.argsort()[::-1][:DEPTH]
        _keep_best(lexical, index, scores[best], best, above=0.0)
    hits = []
    for n, score in fuse([_ranked(cosine), _ranked(lexical)])[:k]:
        (near, near_piece), (same, same_piece) = cosine.get(n, (0.0, -1)), lexical.get(n, (0.0, -1))
        piece = index.pieces[near_piece if near_piece >= 0 else same_piece]
        hits.append(Hit(documents[n], score, near, same, piece))
    return vectors is not None, hits


def _keep_best(
    best: dict[int, tuple[float, int]], index: _Index, scores: Any, positions: Any, above: float = -2.0
) -> None:
    """For each document its best piece; faiss pads with the position -1."""
    for score, position in zip(scores, positions, strict=True):
        if position < 0 or score <= above:
            continue
        owner = index.owners[position]
        if owner not in best or score > best[owner][0]:
            best[owner] = (float(score), int(position))


def fuse(rankings: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Reciprocal rank fusion (Cormack et al., 2009): best first, ties by the earlier item."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def _ranked(scores: dict[int, tuple[float, int]]) -> list[int]:
    return sorted(scores, key=lambda n: (-scores[n][0], n))


def _shown(hit: Hit) -> str:
    text = hit.document.text
    return text if len(text) <= WHOLE_CHARS else f"… {hit.piece} …"


def _cut(hits: Sequence[Hit]) -> str:
    ids = [h.document.id for h in hits if len(h.document.text) > WHOLE_CHARS]
    if not ids:
        return ""
    return f"Shown by the part that matched, being longer than {WHOLE_CHARS:,} characters: {', '.join(ids)}."


def _missing(index: _Index, dense: bool) -> str:
    if index.dense is None:
        return "This corpus holds 0 passages."
    return "" if dense else index.dense.note()


def _problems(corpus: Corpus) -> str:
    if not corpus.problems:
        return ""
    shown = "; ".join(corpus.problems[:8])
    more = f" and {len(corpus.problems) - 8} more" if len(corpus.problems) > 8 else ""
    return f"{len(corpus.problems)} lines of the corpus could not be read: {shown}{more}."

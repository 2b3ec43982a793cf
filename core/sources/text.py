"""Text corpora: faiss over sentence vectors fused with BM25 by reciprocal rank."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from core.errors import QueryRejected, SourceUnavailable
from core.results import Match, NativeQuery, Passage, Passages, Place, Returned, SourceCard
from core.settings import Settings
from core.sources.base import Limits, TextSchema
from core.sources.corpus import Corpus, Document, chunks, read_corpus
from core.sources.encoder import encode, encoder_name, text_key
from core.sources.limiter import Limiter

RRF_K = 60
"""Constant of reciprocal rank fusion, 1 / (k + rank) (Cormack et al., 2009)."""
DEPTH = 100
"""Ranks of each branch that enter the fusion."""
TOP_K = 10
FORMAT = 2
RARE_SHARE = 0.13
"""A term that more of the passages hold says nothing about any one of them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found by one question: fused score, cosine of its best chunk, and BM25 score."""

    document: Document
    score: float
    cosine: float
    bm25: float


@dataclass(slots=True)
class _Index:
    corpus: Corpus
    owners: list[int]
    """For each chunk, the position of its document."""
    dense: Any
    sparse: Any
    note: str


class TextSource:
    """A corpus, asked in free text: a question or a hypothetical passage."""

    def __init__(self, card: SourceCard, location: Path | str, settings: Settings, limits: Limits) -> None:
        self._card = card
        self._location = Path(location)
        self._settings = settings
        self._limits = limits
        self._lock = threading.Lock()
        self._index: _Index | None = None
        self._stamp = (0, 0)

    @property
    def card(self) -> SourceCard:
        """What the manifest says of this source."""
        return self._card

    @property
    def limits(self) -> Limits:
        """The limits of this source."""
        return self._limits

    def check(self) -> None:
        """Read the file; the index is built when it is first searched."""
        if self._index is None:
            read_corpus(self._location)

    def describe(self) -> TextSchema:
        """How many passages there are, what they are about and how they are titled."""
        index = self._ready()
        documents = index.corpus.documents
        return TextSchema(
            passages=len(documents),
            topics=_topics(documents),
            sample_titles=tuple(d.title or d.text[:60] for d in documents[:8]),
            query_type=self._card.query_type,
            document_style=self._card.document_style,
        )

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Passages that hold a rare term; `place.owner` is the passage's id."""
        index = self._ready()
        found: list[Match] = []
        folded = [(n, f" {_plain(d.title + ' ' + d.text)} ") for n, d in enumerate(index.corpus.documents)]
        for term in dict.fromkeys(terms):
            wanted = f" {_plain(term)} "
            holders = [n for n, text in folded if wanted in text] if wanted.strip() else []
            if not 0 < len(holders) <= max(1, round(RARE_SHARE * len(folded))):
                continue
            for n in holders[:5]:
                document = index.corpus.documents[n]
                found.append(Match(term, document.id, document.title or document.text[:60], Place(document.id), 1.0))
        return found

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """The best passages for a text, at most ten."""
        limits = limits or self._limits
        if not query.text.strip():
            raise QueryRejected("The query is empty. Write what the passage should say.", "one query")
        started = time.monotonic()
        hits = self.search(query.text, min(TOP_K, limits.max_items))
        limiter = Limiter(limits)
        kept = limiter.take((h.document.id, h.document.title, h.document.text, h.score, h.cosine or None) for h in hits)
        passages = tuple(Passage(*row) for row in kept)  # type: ignore[arg-type]
        index = self._ready()
        notes = tuple(n for n in (index.note, *limiter.notes(), _problems(index.corpus)) if n)
        truncated = limiter.truncated or len(index.corpus.documents) > len(passages) >= limits.max_items
        return Returned(query, Passages(passages), truncated, time.monotonic() - started, notes)

    def search(self, text: str, k: int) -> list[Hit]:
        """The best `k` passages with the scores of both branches, for ranking and for comparing corpora."""
        import numpy as np

        index = self._ready()
        documents = index.corpus.documents
        if not documents:
            return []
        cosine: dict[int, float] = {}
        if index.dense is not None:
            vector = encode([text], self._settings, keep=len(text) < 400)
            scores, positions = index.dense.search(vector, min(DEPTH, len(index.owners)))
            for score, position in zip(scores[0], positions[0], strict=True):
                if position >= 0:  # faiss pads with -1
                    owner = index.owners[position]
                    cosine[owner] = max(cosine.get(owner, -1.0), float(score))
        lexical: dict[int, float] = {}
        if index.sparse is not None:
            words = _stems(text)
            scores = index.sparse.get_scores(words) if words else []
            for position in np.argsort(scores)[::-1][:DEPTH]:
                if scores[position] > 0:
                    owner = index.owners[position]
                    lexical[owner] = max(lexical.get(owner, 0.0), float(scores[position]))
        fused = fuse([_ranked(cosine), _ranked(lexical)])
        return [Hit(documents[n], s, cosine.get(n, 0.0), lexical.get(n, 0.0)) for n, s in fused[:k]]

    def close(self) -> None:
        """Forget the index; it is read again when needed."""
        with self._lock:
            self._index = None

    def _ready(self) -> _Index:
        with self._lock:
            if self._index is None:
                self._index = self._open()
            return self._index

    def _open(self) -> _Index:
        corpus = read_corpus(self._location)
        pieces = [
            (n, p)
            for n, d in enumerate(corpus.documents)
            for p in chunks(f"{d.title}. {d.text}" if d.title else d.text)
        ]
        owners = [n for n, _ in pieces]
        texts = [p for _, p in pieces]
        if not texts:
            return _Index(corpus, [], None, None, "This corpus holds 0 passages.")
        note, dense = "", None
        try:
            dense = self._dense(corpus, texts)
        except SourceUnavailable as error:
            note = f"Ranked by words alone (BM25), without the encoder: {error.message}"
        return _Index(corpus, owners, dense, _bm25(texts), note)

    def _dense(self, corpus: Corpus, texts: list[str]) -> Any:
        """The stored index of this corpus and encoder, built if there is none."""
        import faiss
        from filelock import FileLock

        faiss.omp_set_num_threads(self._settings.threads)
        name = encoder_name(self._settings)
        folder = (
            self._settings.home.absolute() / "indexes" / f"{self._card.id}-{corpus.fingerprint}-{text_key(name)[:8]}"
        )
        try:
            folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with FileLock(f"{folder}.lock"):
                if not (folder / "meta.json").exists():
                    _build(folder, corpus, texts, self._settings)
                return _read(folder, corpus, len(texts), name)
        except OSError as error:
            raise SourceUnavailable(
                f"The index of {self._card.id} could not be written to {folder.parent}: {error}. "
                "Free some space there, or point OMNI_HOME elsewhere."
            ) from error


def fuse(rankings: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Reciprocal rank fusion (Cormack et al., 2009): best first, ties by the earlier item."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def _build(folder: Path, corpus: Corpus, texts: list[str], settings: Settings) -> None:
    import faiss

    vectors = encode(texts, settings)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=folder.name, suffix=".part"))
    try:
        faiss.write_index(index, str(part / "vectors.faiss"))
        meta = {
            "format": FORMAT,
            "encoder": encoder_name(settings),
            "dimension": int(vectors.shape[1]),
            "corpus": corpus.fingerprint,
            "chunks": len(texts),
        }
        (part / "meta.json").write_text(json.dumps(meta))
        shutil.rmtree(folder, ignore_errors=True)
        part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _read(folder: Path, corpus: Corpus, chunk_count: int, name: str) -> Any:
    import faiss

    meta = json.loads((folder / "meta.json").read_text())
    wanted = {"format": FORMAT, "encoder": name, "corpus": corpus.fingerprint, "chunks": chunk_count}
    for key, value in wanted.items():
        if meta.get(key) != value:
            raise SourceUnavailable(
                f"The index in {folder} was made with {key} {meta.get(key)!r}, but {value!r} is wanted. "
                "Delete that folder; it is built again."
            )
    try:
        return faiss.read_index(str(folder / "vectors.faiss"))
    except RuntimeError as error:
        raise SourceUnavailable(f"The index in {folder} is damaged. Delete that folder; it is built again.") from error


def _bm25(texts: list[str]) -> Any:
    import bm25s

    index = bm25s.BM25()
    index.index([_stems(t) or [""] for t in texts], show_progress=False)
    return index


STOP = frozenset(
    """a an and are as at be been but by can did do does for from had has have how i if in into is it its of on or our
    that the their them there these they this to was we were what when where which who whom why will with would you
    your""".split()
)


def _stems(text: str) -> list[str]:
    """Stemmed words of a text, alike for passages and questions (Snowball's English stemmer)."""
    import Stemmer

    return list(Stemmer.Stemmer("english").stemWords([w for w in _plain(text).split() if w not in STOP]))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _ranked(scores: dict[int, float]) -> list[int]:
    return sorted(scores, key=lambda n: (-scores[n], n))


def _topics(documents: Sequence[Document], most: int = 24) -> tuple[str, ...]:
    """Words that many passages use and use more than once: frequent, but not in every passage."""
    total = len(documents)
    inside: Counter[str] = Counter()
    overall: Counter[str] = Counter()
    for document in documents[:5_000]:
        words = [
            w
            for w in _plain(f"{document.title} {document.text}").split()
            if len(w) > 3 and w not in STOP and not w.isdigit()
        ]
        overall.update(words)
        inside.update(set(words))
    scored = {w: overall[w] * log((1 + total) / n) for w, n in inside.items() if n >= 2 or total < 4}
    return tuple(sorted(scored, key=lambda w: (-scored[w], w))[:most])


def _problems(corpus: Corpus) -> str:
    if not corpus.problems:
        return ""
    shown = "; ".join(corpus.problems[:8])
    more = f" and {len(corpus.problems) - 8} more" if len(corpus.problems) > 8 else ""
    return f"{len(corpus.problems)} lines of the corpus could not be read: {shown}{more}."

"""Built-in evidence selection: the result that fits the question best, and what agrees with it or completes it."""

from __future__ import annotations

import datetime as dt
import decimal
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.grounding.cues import cued
from core.grounding.parts import split_question
from core.grounding.terms import content_words, tokens, words_of
from core.planner.words import NUMBER_WORDS, UNITS, parts, stem, synonymous
from core.planner.words import STOP as ASKING
from core.results import (
    Candidate,
    Evidence,
    EvidenceItem,
    Grounding,
    Iri,
    Literal,
    Passage,
    Passages,
    Paths,
    Returned,
    Rows,
    Triples,
    Truth,
)
from core.stages.base import Choice
from core.stages.expected import Expected, expected

MOST_ITEMS = 1_000
FLOOR = 0.42
"""Least score of a result that is taken for an answer."""
NEAR_PASSAGE = 0.40
"""Cosine from which a passage is about the question, whatever words it uses (MiniLM)."""
FAR_PASSAGE = 0.35
"""Cosine below which shared words alone do not make a passage an answer."""
PASSAGE_SHARE = 0.5
"""Least share of the question's content words in a passage that is neither near nor far."""
QUERY_SHARE = 0.34
"""Least share of the question's content words that a structured query must speak of."""
SECOND_PASSAGE = 0.97
"""A second passage stands beside the first when it ranks nearly as high."""
NEXT_PASSAGES = 4
"""Passages that rank first by words and meaning together, among which meaning alone may decide."""
FAR_NEARER = 0.12
"""How much nearer in meaning (cosine) a passage must be to go before the first."""
COMPLETES = 0.3
"""Share of the question that a second result must cover and the first one does not."""


LEFT_OUT = 0.1
"""What each of at most two words that a query leaves out costs: what is asked may be just that."""
AS_NEAR = 0.06
"""How far below the first a passage of another corpus may lie and still stand beside it (cosine)."""
AS_GOOD = 0.1
"""How far a second answer may score below the first and still stand beside it."""
ASKED_SAME = 0.6
"""Least share of the question that two sources which differ must both speak of."""
MOST_BESIDE = 10
"""Most items of a second answer; what is longer is another question's."""
SURE_PASSAGE = 0.55
"""Cosine from which a passage answers although a structured source was asked the same and has nothing."""
FAR_LIKELIER = 0.2
"""How far the first candidate's score must be ahead for its silence to count."""
ASKED_ALL = 0.75
"""Share of the question that an empty result's query speaks of, for its emptiness to count."""
CLOSE_PASSAGE = 0.5
"""Cosine from which a passage is the likelier an answer, the closer it is."""
_PREFIXES = re.compile(r"(?im)^\s*PREFIX\s+\S*\s*<[^>]*>|\b[\w-]+:(?=[A-Za-z_])")
"""Declarations and prefixes of SPARQL, whose names say nothing of what is asked."""


@dataclass(frozen=True, slots=True)
class _Judged:
    result: Returned
    items: tuple[EvidenceItem, ...]
    covered: frozenset[str]
    score: float
    reason: str


class FeatureEvidence:
    """Chooses by expected type of answer, coverage of the question, agreement between sources, and emptiness."""

    def __call__(
        self,
        question: str,
        results: Sequence[Returned],
        *,
        candidates: Sequence[Candidate] = (),
        groundings: Sequence[Grounding] = (),
    ) -> Choice:
        """Evidence of one source, or of several where they agree or each holds a part.

        `candidates` and `groundings` are those of the same question; without them every source counts alike.
        """
        parts = split_question(question)
        if len(parts) > 1:
            return self._of_parts(parts, results, candidates, groundings)
        named = _named(question, candidates)
        results = [r for r in results if r.source_id in named] if named else results
        words = tuple(w for t in tokens(question) if t.casefold() not in UNITS for w in content_words(t))
        scores = {c.source_id: c.score for c in candidates}
        labels = {g.source_id: _labels(g) for g in groundings}
        judged = [
            _judge(question, words, r, scores.get(r.source_id, 0.5), labels.get(r.source_id, {})) for r in results
        ]
        answers = sorted((j for j in judged if j.items), key=lambda j: -j.score)
        if not answers:
            found = "; ".join(f"{j.result.source_id}: {j.reason}" for j in judged)
            return Choice((), f"Every result is empty: {found}")
        best = answers[0]
        if best.score < FLOOR:
            return Choice((), f"Nothing here answers: the best result, of {best.result.source_id}, {best.reason}.")
        passage = best.items[0].value
        unsure = isinstance(passage, Passage) and (passage.similarity or 0.0) < SURE_PASSAGE
        if unsure and (asked := _found_none(judged, words)):
            return Choice((), f"Nothing here answers: {asked} was asked just this, and has no such rows.")
        if unsure and (likelier := _declined(best, results, candidates)):
            return Choice((), f"Nothing here answers: {likelier} is about this, and does not hold what is asked.")
        besides = (_agrees, _completes, _differs, _tells_too)
        chosen = [best, *(j for j in answers[1:] if any(beside(best, j, words) for beside in besides))]
        evidence = tuple(Evidence(j.result.source_id, j.items, _why(j, best, words)) for j in chosen)
        return Choice(evidence, f"{best.result.source_id} answers: it {best.reason}.")

    def _of_parts(
        self,
        parts: Sequence[str],
        results: Sequence[Returned],
        candidates: Sequence[Candidate],
        groundings: Sequence[Grounding],
    ) -> Choice:
        """What each part of the question finds; a source's result serves one part only."""
        found: dict[str, Evidence] = {}
        reasons: list[str] = []
        for part in parts:
            free = [r for r in results if r.source_id not in found and r.query.part in ("", part)]
            left = [c for c in candidates if any(r.source_id == c.source_id for r in free)]
            choice = self(part, free, candidates=left, groundings=groundings) if free else Choice((), "")
            if choice.evidence:
                first = choice.evidence[0]
                found[first.source_id] = replace(first, reason=f"For “{part}”: {first.reason}")
            reasons.append(f"{part} {choice.reason or 'No source is left for it.'}")
        return Choice(tuple(found.values()), " ".join(reasons))


def _found_none(judged: Sequence[_Judged], words: Sequence[str]) -> str:
    """The structured source whose query speaks of the whole question and found nothing; else empty."""
    for one in judged:
        structured = not isinstance(one.result.payload, Passages)
        if structured and not one.items and words and len(one.covered) >= ASKED_ALL * len(words):
            return one.result.source_id
    return ""


def _declined(best: _Judged, results: Sequence[Returned], candidates: Sequence[Candidate]) -> str:
    """The first candidate where it gave no result and a passage of a far less likely source is left; else empty."""
    if not candidates or any(r.source_id == candidates[0].source_id for r in results):
        return ""
    own = next((c.score for c in candidates if c.source_id == best.result.source_id), 0.0)
    return candidates[0].source_id if candidates[0].score - own >= FAR_LIKELIER else ""


def _named(question: str, candidates: Sequence[Candidate]) -> frozenset[str]:
    """Candidates that the question itself asks: the clinic's patients, what the handbook says."""
    text = question.casefold()
    pattern = r"\b{0}['’]s\b|\b(?:in|at|from|does|did|has|of) (?:the|our) {0}\b"
    return frozenset(c.source_id for c in candidates if re.search(pattern.format(re.escape(c.source_id)), text))


def _judge(question: str, words: Sequence[str], result: Returned, prior: float, labels: Mapping[str, str]) -> _Judged:
    wanted = expected(question)
    if isinstance(result.payload, Passages):
        return _judge_passages(wanted, words, result, result.payload.items, prior)
    items = _items(result)
    words = [w for t in tokens(question) if t.casefold() not in ASKING for w in content_words(t) if w in words]
    covered = (frozenset(words) & _query_words(result, labels)) | _meant(question, result.query.text)
    words = [w for w in words if w in covered or not _counts(w)]
    covered &= frozenset(words)
    share = len(covered) / len(words) if words else 1.0
    fit = _fit(wanted, result)
    score = (0.30 * share + 0.30 * fit + 0.30 * min(1.0, prior) + 0.10) if items else 0.0
    score -= LEFT_OUT * min(2, len(result.query.left_out)) if items else 0.0
    if share < QUERY_SHARE:
        score = min(score, FLOOR - 0.01)
    reason = f"covers {len(covered)} of {len(words)} words of the question and gives {_form(result)}"
    return _Judged(result, items, covered, score, reason if items else "no rows")


def _judge_passages(
    wanted: Expected, words: Sequence[str], result: Returned, passages: Sequence[Passage], prior: float
) -> _Judged:
    if not passages:
        return _Judged(result, (), frozenset(), 0.0, "no passages")
    at = _first_of(passages)
    first = passages[at]
    held = _held(words, first)
    share = len(held) / len(words) if words else 0.0
    items = [EvidenceItem(at, first)]
    for position, passage in enumerate(passages[1:2] if not at else (), 1):
        near = passage.score >= SECOND_PASSAGE * first.score
        if near and len(_held(words, passage)) >= len(held):
            items.append(EvidenceItem(position, passage))
    fit = 1.0 if wanted is Expected.PROSE else 0.45
    score = 0.30 * share + 0.30 * fit + 0.30 * min(1.0, prior) + 0.05
    score += 0.5 * max(0.0, (first.similarity or 0.0) - CLOSE_PASSAGE)
    named = len(held) == len(words) and bool(held & frozenset(content_words(first.title)))
    if not _about(first, share) and not named:
        score = min(score, FLOOR - 0.01)
    elif first.similarity is not None and first.similarity >= NEAR_PASSAGE:
        score = max(score, FLOOR)
    reason = f"holds {len(held)} of {len(words)} words of the question in its first passage"
    return _Judged(result, tuple(items), held, score, reason)


def _first_of(passages: Sequence[Passage]) -> int:
    """Position of the passage that answers: the first, unless one right after it is far nearer in meaning."""
    nearest = max(range(min(NEXT_PASSAGES, len(passages))), key=lambda p: passages[p].similarity or 0.0)
    nearer = (passages[nearest].similarity or 0.0) > (passages[0].similarity or 0.0) + FAR_NEARER
    return nearest if nearer else 0


def _held(words: Sequence[str], passage: Passage) -> frozenset[str]:
    return frozenset(words) & frozenset(content_words(f"{passage.title} {passage.text}"))


def _about(passage: Passage, share: float) -> bool:
    if passage.similarity is None:
        return share >= PASSAGE_SHARE
    return passage.similarity >= NEAR_PASSAGE or (share >= PASSAGE_SHARE and passage.similarity >= FAR_PASSAGE)


def _items(result: Returned) -> tuple[EvidenceItem, ...]:
    payload = result.payload
    if isinstance(payload, Rows):
        rows = [(n, row) for n, row in enumerate(payload.items) if any(cell is not None for cell in row)]
        return tuple(EvidenceItem(n, row) for n, row in rows[:MOST_ITEMS])
    values: Sequence[Any] = payload.items[:MOST_ITEMS]
    return tuple(EvidenceItem(n, value) for n, value in enumerate(values))


def _query_words(result: Returned, labels: Mapping[str, str]) -> frozenset[str]:
    """Stemmed words of a query's names and constants; IRIs count with their labels."""
    text = result.query.text
    found = set(words_of(re.sub(r"[^\w]+", " ", _PREFIXES.sub(" ", text))))
    for iri, label in labels.items():
        if iri in text or re.search(rf":{re.escape(iri.rsplit('/', 1)[-1].rsplit('#', 1)[-1])}\b", text):
            found |= set(words_of(label))
    return frozenset(found)


def _meant(question: str, query: str) -> frozenset[str]:
    """Stemmed words of the question that a name in the query means by another word: earned, for gross."""
    named = {stem(word) for word in parts(query)}
    means = [t for t in tokens(question) if any(synonymous(stem(t), name) for name in named)]
    means += [said for meant, said in cued(question).items() if meant in set(words_of(query))]
    return frozenset(w for t in means for w in content_words(t))


def _counts(word: str) -> bool:
    """Whether a word is a number, which a query compares in its own way."""
    return word.replace(",", "").replace(".", "").isdigit() or word in NUMBER_WORDS


def _labels(grounding: Grounding) -> dict[str, str]:
    found = {link.place.field or link.place.owner: link.label for link in grounding.elements}
    for links in grounding.predicates.values():
        found.update({link.place.field: link.label for link in links})
    for match in (*grounding.entities, *grounding.values):
        if isinstance(match.value, Iri):
            found[match.value.value] = f"{match.label} {match.term}"
        elif isinstance(match.value, str):
            found[f"'{match.value}'"] = match.term
    return found


def _fit(wanted: Expected, result: Returned) -> float:
    payload = result.payload
    if isinstance(payload, Truth):
        return 1.0 if wanted is Expected.TRUTH else 0.3
    if wanted is Expected.PROSE:
        return 0.35
    if isinstance(payload, Triples | Paths):
        return 0.8 if wanted is Expected.THINGS else 0.4
    cells = [cell for row in payload.items[:20] if isinstance(row, tuple) for cell in row]
    if wanted is Expected.NUMBER:
        return 1.0 if any(_is_number(c) for c in cells) else 0.3
    if wanted is Expected.MOMENT:
        return 1.0 if any(_is_moment(c) for c in cells) else 0.4
    if wanted is Expected.TRUTH:
        return 0.9 if len(payload.items) == 1 and len(cells) == 1 else 0.6
    return 1.0 if cells else 0.0


def _is_number(cell: object) -> bool:
    if isinstance(cell, Literal):
        return bool(re.fullmatch(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?", cell.value))
    return isinstance(cell, int | float | decimal.Decimal) and not isinstance(cell, bool)


def _is_moment(cell: object) -> bool:
    if isinstance(cell, dt.date | dt.datetime):
        return True
    text = cell.value if isinstance(cell, Literal) else str(cell)
    return bool(re.match(r"-?\d{4}(-\d{2}(-\d{2})?)?($|T| )", text))


def _form(result: Returned) -> str:
    count = len(result.payload.items)
    name = {Rows: "row", Triples: "triple", Paths: "path", Truth: "truth value"}.get(type(result.payload), "item")
    return f"{count} {name}{'' if count == 1 else 's'}"


def _agrees(best: _Judged, other: _Judged, words: Sequence[str]) -> bool:
    """Whether both results say the same: as many items, each of whose cells has an equal in the other."""
    mine, theirs = _texts(best), _texts(other)
    if not mine or len(mine) != len(theirs) or isinstance(other.result.payload, Passages):
        return False
    return all(any(a & b for b in theirs) for a in mine)


def _tells_too(best: _Judged, other: _Judged, words: Sequence[str]) -> bool:
    """Whether a passage of a second corpus is about the question as much as the first one is."""
    first, second = best.items[0].value, other.items[0].value
    if not isinstance(first, Passage) or not isinstance(second, Passage):
        return False
    near, beside = first.similarity or 0.0, second.similarity or 0.0
    return beside >= SURE_PASSAGE and beside >= near - AS_NEAR and other.score >= FLOOR


def _differs(best: _Judged, other: _Judged, words: Sequence[str]) -> bool:
    """Whether a second structured source answers as much of the question as well, with something else."""
    if any(isinstance(j.result.payload, Passages) for j in (best, other)) or other.score < best.score - AS_GOOD:
        return False
    if len(other.items) > (1 if len(best.items) == 1 else MOST_BESIDE):
        return False
    return best.covered <= other.covered and len(best.covered) >= ASKED_SAME * len(words)


def _completes(best: _Judged, other: _Judged, words: Sequence[str]) -> bool:
    """Whether a second source holds a good part of the question that the first does not, and the other way round."""
    if not words or other.score < FLOOR:
        return False
    adds = len(other.covered - best.covered) / len(words)
    lacks = len(best.covered - other.covered) / len(words)
    return adds >= COMPLETES and lacks >= COMPLETES


def _texts(judged: _Judged) -> list[frozenset[str]]:
    found = []
    for item in judged.items:
        cells = item.value if isinstance(item.value, tuple) else (item.value,)
        flat = [part for cell in cells for part in (cell if isinstance(cell, tuple | list) else (cell,))]
        found.append(frozenset(_text(c) for c in flat if c is not None))
    return found


def _text(cell: object) -> str:
    if isinstance(cell, Literal):
        cell = cell.value
    text = str(cell.value if isinstance(cell, Iri) else cell).casefold().strip()
    return text.removesuffix(".0")


def _why(judged: _Judged, best: _Judged, words: Sequence[str]) -> str:
    if judged is best:
        return f"{judged.reason[:1].upper()}{judged.reason[1:]}."
    other = best.result.source_id
    if _agrees(best, judged, words):
        return f"Agrees with {other}."
    if _completes(best, judged, words):
        return f"Adds what {other} lacks."
    if _tells_too(best, judged, words):
        return f"Tells of it beside {other}."
    return f"Differs from {other}: both were asked the same. Compare them."

"""Query formulation without a model."""

from __future__ import annotations

from dataclasses import replace

from core.errors import CannotLink
from core.grounding.inside import coverage, look_inside, word_weights
from core.grounding.link import ground
from core.grounding.parts import split_question
from core.grounding.terms import content_words
from core.planner import plan_all
from core.results import Fault, Grounding, Kind, NativeQuery
from core.sources.base import Source
from core.stages.agreement import keep_one
from core.stages.base import Draft

LEFT_OUT = 0.15
"""What each word that a part's query leaves out counts against it."""
NAMED = 0.5
"""What it counts that a part names the source."""
GENERAL = frozenset(content_words("data research abstracts film world health supply"))
"""Words of a title that say what a source is about rather than which one it is."""


def _coverage_of(part: str, source: Source) -> float:
    inside = look_inside(part, source)
    if inside.kind is Kind.TEXT:
        return inside.cosine  # a corpus shares words with any question
    return coverage(inside, word_weights(part, [inside]))


def _names(part: str, source: Source) -> bool:
    """Whether a part of the question says which source it is for: what the handbook says."""
    title = {w for w in content_words(source.card.title) if w not in GENERAL}
    return bool(title & set(content_words(part)))


class BuiltInFormulator:
    """Writes a query by linking the question to schema and stored values.

    Args:
        candidates: Queries that are written where the question can be read in several ways; the one whose
            result fits best is kept.
    """

    def __init__(self, candidates: int = 1) -> None:
        self._candidates = candidates

    def __call__(self, question: str, source: Source, grounding: Grounding) -> Draft:
        """Write one native query.

        Raises:
            CannotLink: A part of the question is not in the source; the message names it.
            SourceUnavailable: The source can't be described.
        """
        parts = split_question(question)
        if len(parts) == 1:
            return self._best(question, source, grounding)
        return self._one_part(parts, source)

    def _best(self, question: str, source: Source, grounding: Grounding) -> Draft:
        kept = keep_one(question, source, plan_all(question, source, grounding, self._candidates))
        best = kept.plan
        missing = f"Not linked, and left out of the query: {', '.join(best.missing)}." if best.missing else ""
        notes = (*best.notes, *(n for n in (missing, kept.note) if n))
        return Draft(best.text, notes=notes, left_out=best.missing, further=best.further, ran=kept.returned)

    def _one_part(self, parts: tuple[str, ...], source: Source) -> Draft:
        """A query for the part of the question that this source can answer best."""
        made: list[tuple[float, Draft]] = []
        problems: list[str] = []
        for part in parts:
            grounding = ground(part, source)
            try:
                draft = self._best(part, source, grounding)
            except CannotLink as error:
                problems.append(error.message)
                continue
            fit = _coverage_of(part, source) - LEFT_OUT * len(draft.left_out) + NAMED * _names(part, source)
            notes = (*draft.notes, f"Asked one part of the question: {part}")
            made.append((fit, replace(draft, notes=notes, part=part)))
        if not made:
            raise CannotLink(" ".join(dict.fromkeys(problems)))
        return max(made, key=lambda m: m[0])[1]

    def repair(
        self, question: str, source: Source, grounding: Grounding, query: NativeQuery, fault: Fault
    ) -> Draft | None:
        """None: linking the same words again would write the same query."""
        return None

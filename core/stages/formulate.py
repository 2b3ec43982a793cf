"""Query formulation without a model."""

from __future__ import annotations

from core.errors import CannotLink
from core.grounding.inside import coverage, look_inside, word_weights
from core.grounding.link import ground
from core.grounding.parts import split_question
from core.planner import plan
from core.results import Fault, Grounding, Kind, NativeQuery
from core.sources.base import Source
from core.stages.base import Draft


def _coverage_of(part: str, source: Source) -> float:
    inside = look_inside(part, source)
    if inside.kind is Kind.TEXT:
        return inside.cosine  # a corpus shares words with any question
    return coverage(inside, word_weights(part, [inside]))


class BuiltInFormulator:
    """Writes a query by linking the question to schema and stored values."""

    def __call__(self, question: str, source: Source, grounding: Grounding) -> Draft:
        """Write one native query.

        Raises:
            CannotLink: A part of the question is not in the source; the message names it.
            SourceUnavailable: The source can't be described.
        """
        parts = split_question(question)
        if len(parts) == 1:
            made = plan(question, source, grounding)
            return Draft(made.text, notes=made.notes)
        return self._one_part(parts, source)

    def _one_part(self, parts: tuple[str, ...], source: Source) -> Draft:
        """A query for the part of the question that this source can answer best."""
        made: list[tuple[float, str, str, tuple[str, ...]]] = []
        problems: list[str] = []
        for part in parts:
            grounding = ground(part, source)
            try:
                plan_ = plan(part, source, grounding)
            except CannotLink as error:
                problems.append(error.message)
                continue
            made.append((_coverage_of(part, source), part, plan_.text, plan_.notes))
        if not made:
            raise CannotLink(" ".join(dict.fromkeys(problems)))
        _, part, text, notes = max(made, key=lambda m: m[0])
        return Draft(text, notes=(*notes, f"Asked one part of the question: {part}"))

    def repair(
        self, question: str, source: Source, grounding: Grounding, query: NativeQuery, fault: Fault
    ) -> Draft | None:
        """None: linking the same words again would write the same query."""
        return None

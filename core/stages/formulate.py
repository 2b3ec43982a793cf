"""Query formulation without a model."""

from __future__ import annotations

from core.planner import plan
from core.results import Fault, Grounding, NativeQuery
from core.sources.base import Source
from core.stages.base import Draft


class BuiltInFormulator:
    """Writes a query by linking the question to schema and stored values."""

    def __call__(self, question: str, source: Source, grounding: Grounding) -> Draft:
        """Write one native query.

        Raises:
            CannotLink: A part of the question is not in the source; the message names it.
            SourceUnavailable: The source can't be described.
        """
        made = plan(question, source, grounding)
        return Draft(made.text, notes=made.notes)

    def repair(
        self, question: str, source: Source, grounding: Grounding, query: NativeQuery, fault: Fault
    ) -> Draft | None:
        """None: linking the same words again would write the same query."""
        return None

"""What the stages take and give: each operation is a callable behind a one-method Protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.planner import Further
from core.results import Candidate, Evidence, Fault, Grounding, NativeQuery, Returned
from core.sources.base import Source
from core.sources.catalog import Catalog
from core.stages.sureness import Sureness


@dataclass(frozen=True, slots=True)
class Selection:
    """Up to k candidates, best first; empty when no source fits, and `reason` says why."""

    candidates: tuple[Candidate, ...]
    reason: str
    notes: tuple[str, ...] = ()
    sureness: Sureness | None = None
    """How sure the ranking is; None where no scores tell."""


class Selector(Protocol):
    """Source selection, S = LLM_select(q, {c_b}; k) (paper, section 2.2)."""

    def __call__(self, question: str, catalog: Catalog, k: int) -> Selection:
        """Rank at most `k` sources that may answer.

        Raises:
            SelectionFailed: A reply could not be used.
            ModelError: The model could not be asked.
        """
        ...


@dataclass(frozen=True, slots=True)
class Draft:
    """A query as a formulator wrote it, before anything ran."""

    text: str
    context: str = ""
    """The context c_b the formulator read."""
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Words of the question that the query does not use, where the formulator knows."""
    part: str = ""
    """The part of a question of several that the query asks; empty for the whole."""
    further: Further | None = None
    """For a query that asks for the first few: what tells whether others share their place."""
    ran: Returned | None = None
    """The whole result of the query, where it was run while it was chosen."""


class Formulator(Protocol):
    """Query formulation, q_b = Generate_b(q, c_b) (paper, section 2.3)."""

    def __call__(self, question: str, source: Source, grounding: Grounding) -> Draft:
        """Write one native query.

        Raises:
            FormulationError: No query could be written; the message says what was missing.
            ModelError: The model could not be asked.
        """
        ...

    def repair(
        self, question: str, source: Source, grounding: Grounding, query: NativeQuery, fault: Fault
    ) -> Draft | None:
        """Rewrite a query that its engine refused, or None where this formulator can't."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """Final evidence, best source first; empty when nothing here answers, and `reason` says why."""

    evidence: tuple[Evidence, ...]
    reason: str


class EvidenceSelector(Protocol):
    """Cross-source evidence selection, E = Select(q, {Exec(b, q_b)}) (paper, section 2.4)."""

    def __call__(self, question: str, results: Sequence[Returned]) -> Choice:
        """Pick the items that answer.

        Raises:
            EvidenceFailed: A reply could not be used.
            ModelError: The model could not be asked.
        """
        ...

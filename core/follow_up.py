"""A second part of a question that needs the answer of the first: its currency, how many people live there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.grounding.parts import split_question
from core.grounding.referring import first_name, referring, resolved
from core.results import Candidate, Evidence, Iri, Literal, Returned
from core.stages.evidence import FeatureEvidence


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The second part with the answer of the first put in."""

    first: str
    part: str
    source_id: str
    """The source that answered the first part."""
    note: str

    @property
    def question(self) -> str:
        """Both parts, so that each stands for itself."""
        return f"{self.first} {self.part}"


def follow_up(question: str, results: Sequence[Returned], candidates: Sequence[Candidate]) -> FollowUp | None:
    """What is still to ask when the second of two parts refers to the first: to its one answer, or to what it names."""
    parts = split_question(question)
    said = referring(parts[1]) if len(parts) == 2 else ""
    if not said or not results:
        return None
    evidence = FeatureEvidence()(parts[0], results, candidates=candidates).evidence
    if not evidence:
        return None
    answer = _name(evidence[0])
    name = answer or first_name(parts[0])
    if not name:
        return None
    note = f"“{said}” was read as {name}" + (f", the answer to “{parts[0]}”." if answer else ".")
    return FollowUp(parts[0], resolved(parts[1], name), evidence[0].source_id, note)


def _name(evidence: Evidence) -> str:
    """The one thing that a part found, as people call it; empty for several things."""
    if len(evidence.items) != 1:
        return ""
    value = evidence.items[0].value
    cells = value if isinstance(value, tuple) else (value,)
    named = [c.value if isinstance(c, Literal) else c for c in cells if not isinstance(c, Iri)]
    return named[0] if len(named) == 1 and isinstance(named[0], str) else ""

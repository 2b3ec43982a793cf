"""What is still to ask of a question of two parts once the sources have answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.grounding.parts import split_question
from core.grounding.referring import first_name, last_thing, referring, resolved
from core.results import Candidate, Evidence, Iri, Literal, Returned
from core.stages.evidence import FeatureEvidence


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One part of a question, ready to be asked by itself."""

    first: str
    part: str
    source_id: str
    """The source that answered `first`."""
    note: str

    @property
    def question(self) -> str:
        """Both parts, so that each stands for itself."""
        return f"{self.first} {self.part}"


def follow_up(question: str, results: Sequence[Returned], candidates: Sequence[Candidate]) -> FollowUp | None:
    """What is still to ask of a question of two parts.

    That is a second part that refers to the first, with its one answer or what it names put in, or a part that
    nothing found answers because every source asked the other one.
    """
    parts = split_question(question)
    if len(parts) != 2 or not results:
        return None
    found = [_answer(part, results, candidates) for part in parts]
    said = referring(parts[1])
    if said and found[0]:
        answer = _name(found[0])
        name = answer or first_name(parts[0]) or last_thing(parts[0])
        if name:
            note = f"“{said}” was read as {name}" + (f", the answer to “{parts[0]}”." if answer else ".")
            return FollowUp(parts[0], resolved(parts[1], name), found[0].source_id, note)
    for one, other in ((0, 1), (1, 0)):
        first = found[one]
        if first and not found[other]:
            note = f"“{parts[other]}” was asked by itself, of the source that fits it best."
            return FollowUp(parts[one], parts[other], first.source_id, note)
    return None


def _answer(part: str, results: Sequence[Returned], candidates: Sequence[Candidate]) -> Evidence | None:
    asked = [r for r in results if r.query.part in ("", part)]
    evidence = FeatureEvidence()(part, asked, candidates=candidates).evidence if asked else ()
    return evidence[0] if evidence else None


def _name(evidence: Evidence) -> str:
    """The one thing that a part found, as people call it; empty for several things."""
    if len(evidence.items) != 1:
        return ""
    value = evidence.items[0].value
    cells = value if isinstance(value, tuple) else (value,)
    named = [c.value if isinstance(c, Literal) else c for c in cells if not isinstance(c, Iri)]
    return named[0] if len(named) == 1 and isinstance(named[0], str) else ""

"""Formulation for graphs too wide for a schema: topic entities, and the predicates that leave or reach them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from core.errors import CannotLink, OmniError
from core.planner.predicates import Cue, cues_of
from core.planner.sparql import iri
from core.results import Grounding, Iri, Language, Literal, Match, NativeQuery, Origin, Rows, SchemaLink, Value
from core.sources.base import Limits, RdfSchema, Source

_PROBE = Limits(seconds=2.0, max_items=2_000)
_INVERSE = "^"
_LEAST = 0.3
_ASKS = re.compile(r"\s*(?:is|are|was|were|does|do|did|has|have|had|can)\b", re.IGNORECASE)
_TWO_STEPS = re.compile(r"\b(?:of|by|who|whose|'s|which|that|from)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """One predicate from an entity, in one direction, and how well it fits the question."""

    entity: Match
    predicate: str
    label: str
    inverse: bool
    score: float

    def pattern(self, start: str, end: str) -> str:
        """The triple from `start` to `end`."""
        left, right = (end, start) if self.inverse else (start, end)
        return f"{left} {iri(self.predicate)} {right} ."


def plan_by_entities(question: str, source: Source, grounding: Grounding) -> tuple[str, tuple[str, ...]]:
    """A SPARQL query around the topic entities of `question`, and remarks.

    Raises:
        CannotLink: No entity is named, or none of its predicates is what the question asks for.
    """
    return _Anchored(question, source, grounding).query()


class _Anchored:
    def __init__(self, question: str, source: Source, grounding: Grounding) -> None:
        self.question = question
        self.source = source
        self.grounding = grounding
        schema = source.describe()
        assert isinstance(schema, RdfSchema)
        self.schema = schema
        self.labels = {p.iri: p.label for p in schema.predicates}
        self.entities = self._ranked_entities()
        self.cues = cues_of(question, [m.term for m in self.entities])

    def query(self) -> tuple[str, tuple[str, ...]]:
        """The query and remarks."""
        if not self.entities:
            raise CannotLink("The question names no entity of this source.")
        if _ASKS.match(self.question):
            asked = self._ask()
            if asked:
                return asked
        steps = self._steps()
        if not steps or steps[0].score < _LEAST:
            names = ", ".join(dict.fromkeys(m.label for m in self.entities[:3]))
            raise CannotLink(f"No predicate of {names} reads like what the question asks for.")
        for attempt in (self._joined, self._two_hops):
            found = attempt(steps)
            if found:
                return found
        return self._one_hop(steps[0])

    # --- ranking ---

    def _ranked_entities(self) -> list[Match]:
        kept = [m for m in self.grounding.entities if isinstance(m.value, Iri)]
        return sorted(kept, key=lambda m: -self._entity_weight(m))

    def _entity_weight(self, match: Match) -> float:
        words = match.term.split()
        capitals = sum(w[:1].isupper() for w in words)
        position = self.question.lower().find(match.term.lower())
        return 0.16 * min(len(words), 5) + 0.5 * match.score + 0.1 * bool(capitals and position) + 0.02 * min(
            len(self.grounding.predicates.get(_iri(match), ())), 20
        ) / 2  # fmt: skip

    def _steps(self, entities: Iterable[Match] | None = None) -> list[Step]:
        steps = []
        for rank, match in enumerate(entities or self.entities):
            for link in self.grounding.predicates.get(_iri(match), ()):
                if "/prop/statement" in link.place.field or "/prop/qualifier" in link.place.field:
                    continue
                inverse = link.place.owner == _INVERSE
                score = self._fit(link, inverse) + 0.6 * self._entity_weight(match) - 0.02 * rank
                steps.append(Step(match, link.place.field, link.label, inverse, score))
        return sorted(steps, key=lambda s: -s.score)

    def _fit(self, link: SchemaLink, inverse: bool) -> float:
        cue = max((c.weight for c in self.cues if c.fits(link.label, inverse)), default=0.0)
        return 0.7 * link.score + cue - (0.18 if inverse else 0.0)

    def _cued(self, label: str, inverse: bool) -> list[Cue]:
        return [c for c in self.cues if c.fits(label, inverse)]

    # --- shapes ---

    def _one_hop(self, step: Step) -> tuple[str, tuple[str, ...]]:
        return self._select([step.pattern(iri(_iri(step.entity)), "?answer")], [step])

    def _select(self, patterns: Sequence[str], steps: Sequence[Step]) -> tuple[str, tuple[str, ...]]:
        body = "\n".join(f"  {p}" for p in patterns)
        notes = (self._note(steps),)
        if self._counts(steps):
            return f"SELECT (COUNT(DISTINCT ?answer) AS ?count) WHERE {{\n{body}\n}}", notes
        label = iri(self.schema.label_predicate)
        labelled = f'  OPTIONAL {{ ?answer {label} ?answerLabel . FILTER(langMatches(lang(?answerLabel), "en") ||'
        labelled += ' lang(?answerLabel) = "") }'
        return f"SELECT DISTINCT ?answer ?answerLabel WHERE {{\n{body}\n{labelled}\n}}", notes

    def _counts(self, steps: Sequence[Step]) -> bool:
        """Whether the question counts what it reaches, rather than asking for a stored number."""
        if not re.search(r"\bhow many\b|\bnumber of\b", self.question, re.IGNORECASE):
            return False
        last = steps[-1]
        known = next((p for p in self.schema.predicates if p.iri == last.predicate), None)
        samples = known.samples if known else ()
        return not (samples and all(isinstance(s, Literal) for s in samples) and not last.inverse)

    def _note(self, steps: Sequence[Step]) -> str:
        read = "; ".join(f"{s.entity.label} {'^' if s.inverse else ''}{s.label}" for s in steps)
        return f"Read as: {read}."

    def _ask(self) -> tuple[str, tuple[str, ...]] | None:
        """Whether two entities are joined; the predicate that fits best, tried where data shows one."""
        pairs = [
            (a, b) for a, b in product(self.entities, self.entities) if a.term.lower() != b.term.lower() and _iri(a) != _iri(b)
        ]  # fmt: skip
        pairs = sorted(pairs, key=lambda p: -(self._entity_weight(p[0]) + self._entity_weight(p[1])))[:8]
        for first, second in pairs:
            rows = self._run(f"SELECT DISTINCT ?p WHERE {{ {iri(_iri(first))} ?p {iri(_iri(second))} }}")
            joined = {_text(r[0]) for r in rows}
            fitting = [s for s in self._steps([first]) if s.predicate in joined and not s.inverse]
            if fitting:
                return f"ASK {{ {fitting[0].pattern(iri(_iri(first)), iri(_iri(second)))} }}", (
                    self._note(fitting[:1]),
                )
        for first, second in pairs[:4]:
            rows = self._run(
                f"SELECT DISTINCT ?p ?q WHERE {{ {iri(_iri(first))} ?p ?m . ?m ?q {iri(_iri(second))} }} LIMIT 20"
            )
            known = {s.predicate: s for s in self._steps([first]) if not s.inverse}
            for p, q in ((_text(a), _text(b)) for a, b in rows):
                step = known.get(p)
                if step and (self._cued(step.label, False) or self._cued(self.labels.get(q, ""), False)):
                    text = f"ASK {{ {iri(_iri(first))} {iri(p)} ?m . ?m {iri(q)} {iri(_iri(second))} . }}"
                    return text, (self._note([step]),)
        if pairs:
            first, second = pairs[0]
            steps = [s for s in self._steps([first]) if not s.inverse]
            if steps and steps[0].score > 0.8:
                return f"ASK {{ {steps[0].pattern(iri(_iri(first)), iri(_iri(second)))} }}", (self._note(steps[:1]),)
        return None

    def _joined(self, steps: Sequence[Step]) -> tuple[str, tuple[str, ...]] | None:
        """What two named entities have in common, when data holds such a thing."""
        first = steps[0]
        term = first.entity.term.lower()
        others = [
            m for m in self.entities
            if m.term.lower() != term and m.term.lower() not in term and term not in m.term.lower() and _marked(m.term)
        ]  # fmt: skip
        for other in others[:3]:
            same = [s for s in self._steps([other]) if self._cued(s.label, s.inverse) or s.score > 0.75][:4]
            for here in [s for s in steps if s.entity is first.entity and self._cued(s.label, s.inverse)][:2] or [
                first
            ]:
                for there in same:
                    patterns = [
                        here.pattern(iri(_iri(here.entity)), "?answer"),
                        there.pattern(iri(_iri(other)), "?answer"),
                    ]
                    if self._run(f"SELECT ?answer WHERE {{ {' '.join(patterns)} }} LIMIT 1"):
                        return self._select(patterns, [here, there])
        return None

    def _two_hops(self, steps: Sequence[Step]) -> tuple[str, tuple[str, ...]] | None:
        """Something about what the question first leads to: where the author of a book was born."""
        if len(self.cues) < 2 or not _TWO_STEPS.search(self.question):
            return None
        best = steps[0]
        for near in [s for s in steps if s.entity is best.entity][:12]:
            close = self._cued(near.label, near.inverse)
            rest = [c for c in self.cues if not any(c.word == n.word for n in close)]
            if not close or not rest or any(c.fits(best.label, best.inverse) for c in rest if best is not near):
                continue
            if near.inverse or any(c.noun for c in close) is False:
                continue
            start = iri(_iri(near.entity))
            rows = self._run(f"SELECT DISTINCT ?p WHERE {{ {near.pattern(start, '?m')} ?m ?p ?x }}")
            far = [
                (c.weight, p) for p in (_text(r[0]) for r in rows) for c in rest if c.fits(self.labels.get(p, ""), False)
            ]  # fmt: skip
            if far:
                predicate = max(far)[1]
                last = Step(near.entity, predicate, self.labels.get(predicate, ""), False, near.score)
                patterns = [near.pattern(start, "?middle"), f"?middle {iri(predicate)} ?answer ."]
                return self._select(patterns, [near, last])
        return None

    def _run(self, text: str) -> Sequence[tuple[Value, ...]]:
        query = NativeQuery(self.source.card.id, Language.SPARQL, text, Origin.GENERATED)
        try:
            payload = self.source.run(query, _PROBE).payload
        except OmniError:
            return ()  # a probe that fails only leaves the simpler reading
        return payload.items if isinstance(payload, Rows) else ()


def _marked(term: str) -> bool:
    return any(w[:1].isupper() for w in term.split())


def _iri(match: Match) -> str:
    return match.value.value if isinstance(match.value, Iri) else str(match.value)


def _text(value: Value) -> str:
    return value.value if isinstance(value, Iri | Literal) else str(value)

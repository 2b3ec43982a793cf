"""Formulation for graphs too wide for a schema: topic entities, and the predicates that leave or reach them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from core.errors import CannotLink, OmniError
from core.planner.predicates import Cue, cues_of
from core.planner.sparql import iri
from core.planner.statements import has_statements, plan_by_statements
from core.results import (
    Grounding,
    Iri,
    Language,
    Literal,
    Match,
    NativeQuery,
    Origin,
    Rows,
    SchemaLink,
    Value,
    term_text,
)
from core.sources.base import Limits, RdfSchema, Source
from core.sources.rdf_schema import DESCRIPTIONS
from core.sources.statement_form import Form

_PROBE = Limits(seconds=2.0, max_items=2_000)
_INVERSE = "^"
_LEAST = 0.3
FITS = 0.2
"""Least fit of a predicate of a graph with few: below it what is asked for is not among them. Of a wide graph, where
most things stand under some name, the best guess is right more often than not (SimpleQuestions: 84 % against 81 %).
"""
FEW = 200
_ASKS = re.compile(r"\s*(?:is|are|was|were|does|do|did|has|have|had|can)\b", re.IGNORECASE)
_EITHER = re.compile(r"\b(\w+)(?: \w+)? or (?:an? )?\w+\W*$", re.IGNORECASE)
_WHEN = re.compile(r"\s*(?:when|what year|in what year|(?:on )?what date)\b", re.IGNORECASE)
_TIME = re.compile(r"\b(?:date|time|inception|year|point in time|start|end)\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?P<way>more|most|fewer|fewest|less)\b", re.IGNORECASE)
_NAMED_ONLY = re.compile(r"\W*(?:who|what) (?:is|was|are|were) (?P<name>(?!the\b)[^?]+?)\W*$", re.IGNORECASE)
_WHO_IS = re.compile(r"\W*(?:who|what) (?:is|was|are|were) (?:the |an? )?(?P<name>[^?]+?)\W*$", re.IGNORECASE)
_TWO_STEPS = re.compile(r"\b(?:of|by|who|whose|'s|which|that|from)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """One predicate from an entity, in one direction, and how well it fits the question."""

    entity: Match
    predicate: str
    label: str
    inverse: bool
    score: float
    fit: float = 1.0
    """How well the predicate alone fits, whatever the entity."""

    def pattern(self, start: str, end: str) -> str:
        """The triple from `start` to `end`."""
        left, right = (end, start) if self.inverse else (start, end)
        return f"{left} {iri(self.predicate)} {right} ."


def plan_by_entities(
    question: str, source: Source, grounding: Grounding, *, stated: bool = True
) -> tuple[str, tuple[str, ...]]:
    """A SPARQL query around the topic entities of `question`, and remarks.

    Args:
        stated: False where `plan_stated` found nothing for this question already.

    Raises:
        CannotLink: No entity is named, or none of its predicates is what the question asks for.
    """
    anchored = _Anchored(question, source, grounding)
    return (anchored.stated() if stated and anchored.entities else None) or anchored.query()


def plan_stated(question: str, source: Source, grounding: Grounding) -> tuple[str, tuple[str, ...]] | None:
    """A SPARQL query over qualified statements and remarks, or None where the question asks for none."""
    anchored = _Anchored(question, source, grounding)
    return anchored.stated()


class _Anchored:
    def __init__(self, question: str, source: Source, grounding: Grounding) -> None:
        self.question = question
        self.source = source
        self.grounding = grounding
        schema = source.describe()
        assert isinstance(schema, RdfSchema)
        self.schema = schema
        self.labels = {p.iri: p.label for p in schema.predicates}
        self.forms = {p.iri: p.form for p in schema.predicates if p.form}
        self.asked: dict[str, Sequence[tuple[Value, ...]]] = {}
        self.has_names = bool(re.search(r"(?<=\s)[A-Z]", question))
        self.entities = self._ranked_entities()
        self.cues = cues_of(question, [m.term for m in self.entities])

    def query(self) -> tuple[str, tuple[str, ...]]:
        """The query and remarks."""
        if not self.entities:
            raise CannotLink("The question names no entity of this source.")
        if _ASKS.match(self.question) and not _EITHER.search(self.question):
            asked = self._ask()
            if asked is None:
                raise CannotLink("The question asks yes or no, and names no two things of this source to check.")
            return asked
        steps = self._steps()
        few = len(self.schema.predicates) <= FEW
        if not steps or steps[0].score < _LEAST or (few and max(s.fit for s in steps[:5]) < FITS):
            names = ", ".join(dict.fromkeys(m.label for m in self.entities[:3]))
            raise CannotLink(f"No predicate of {names} reads like what the question asks for.")
        for attempt in (self._compared, self._joined, self._two_hops):
            found = attempt(steps)
            if found:
                return found
        return self._one_hop(steps[0])

    def _described(self, name: str) -> tuple[str, tuple[str, ...]] | None:
        """What the graph says of a thing that the question only names: who is she?"""
        if not self.entities:
            return None
        first = self.entities[0]
        described = [p for p in DESCRIPTIONS if p in self.labels]
        if not described or name.casefold() != first.term.casefold():
            return None
        for predicate in described:
            pattern = f"{iri(first.iri)} {iri(predicate)} ?answer ."
            if self._run(f"SELECT ?answer WHERE {{ {pattern} }} LIMIT 1"):
                return f"SELECT DISTINCT ?answer WHERE {{\n  {pattern}\n}}", (f"Read as: what {first.label} is.",)
        return None

    def stated(self) -> tuple[str, tuple[str, ...]] | None:
        """What qualifiers of statements answer, or what a thing is that is only named."""
        named = _NAMED_ONLY.match(self.question)
        return (named and self._described(named["name"])) or self._by_statements() or self._titled()

    def _titled(self) -> tuple[str, tuple[str, ...]] | None:
        named = _WHO_IS.match(self.question)
        return self._described(named["name"]) if named else None

    def _by_statements(self) -> tuple[str, tuple[str, ...]] | None:
        if not has_statements(self.schema):
            return None
        scores: dict[str, float] = {}
        for links in self.grounding.predicates.values():
            scores |= {link.label: max(link.score, scores.get(link.label, 0.0)) for link in links}

        def fit(label: str, inverse: bool) -> float:
            cue = max((c.weight for c in self.cues if c.fits(label, inverse)), default=0.0)
            return 0.7 * scores.get(label, 0.0) + cue

        return plan_by_statements(self.question, self.schema, self.entities, self._entity_weight, fit, self._run)

    # --- ranking ---

    def _ranked_entities(self) -> list[Match]:
        kept = [m for m in self.grounding.entities if isinstance(m.value, Iri)]
        return sorted(kept, key=lambda m: -self._entity_weight(m))

    def _entity_weight(self, match: Match) -> float:
        words = match.term.split()
        marked = _marked(match.term)
        position = self.question.lower().find(match.term.lower())
        unmarked = 0.25 if self.has_names and not marked else 0.0
        facts = min(len(self.grounding.predicates.get(match.iri, ())), 20)
        late = 0.1 * position / max(1, len(self.question))
        return (
            0.16 * min(len(words), 5)
            + 0.5 * match.score
            + 0.1 * (marked and position > 0)
            + 0.01 * facts
            + late
            - unmarked
        )

    def _steps(self, entities: Iterable[Match] | None = None) -> list[Step]:
        steps = []
        for rank, match in enumerate(entities or self.entities):
            for link in self.grounding.predicates.get(match.iri, ()):
                if self.forms.get(link.place.field, Form.DIRECT) != Form.DIRECT:
                    continue
                inverse = link.place.owner == _INVERSE
                fit = self._fit(link, inverse)
                score = fit + 0.6 * self._entity_weight(match) - 0.02 * rank
                steps.append(Step(match, link.place.field, link.label, inverse, score, fit))
        return sorted(steps, key=lambda s: -s.score)

    def _fit(self, link: SchemaLink, inverse: bool) -> float:
        cue = max((c.weight for c in self.cues if c.fits(link.label, inverse)), default=0.0)
        if _WHEN.match(self.question):
            cue += 0.4 if _TIME.search(link.label) and not inverse else -0.3
        return 0.7 * link.score + cue - (0.18 if inverse else 0.0)

    def _cued(self, label: str, inverse: bool) -> list[Cue]:
        return [c for c in self.cues if c.fits(label, inverse)]

    # --- shapes ---

    def _one_hop(self, step: Step) -> tuple[str, tuple[str, ...]]:
        return self._select([step.pattern(iri(step.entity.iri), "?answer")], [step])

    def _select(self, patterns: Sequence[str], steps: Sequence[Step]) -> tuple[str, tuple[str, ...]]:
        body = "\n".join(f"  {p}" for p in patterns)
        notes = (self._note(steps),)
        if self._counts(patterns):
            return f"SELECT (COUNT(DISTINCT ?answer) AS ?count) WHERE {{\n{body}\n}}", notes
        label = iri(self.schema.label_predicate)
        labelled = f'  OPTIONAL {{ ?answer {label} ?answerLabel . FILTER(langMatches(lang(?answerLabel), "en") ||'
        labelled += ' lang(?answerLabel) = "") }'
        return f"SELECT DISTINCT ?answer ?answerLabel WHERE {{\n{body}\n{labelled}\n}}", notes

    def _counts(self, patterns: Sequence[str]) -> bool:
        """Whether the question counts what it reaches, rather than asking for a stored number."""
        if not re.search(r"\bhow many\b|\bnumber of\b", self.question, re.IGNORECASE):
            return False
        found = self._run(f"SELECT ?answer WHERE {{ {' '.join(patterns)} }} LIMIT 1")
        return not (found and isinstance(found[0][0], Literal))

    def _note(self, steps: Sequence[Step]) -> str:
        read = "; ".join(f"{s.entity.label} {'^' if s.inverse else ''}{s.label}" for s in steps)
        return f"Read as: {read}."

    def _ask(self) -> tuple[str, tuple[str, ...]] | None:
        """Whether two entities are joined; the predicate that fits best, tried where data shows one."""
        terms = {id(m): m.term.lower() for m in self.entities}
        pairs = [
            (a, b) for a, b in product(self.entities, self.entities)
            if a.iri != b.iri and terms[id(a)] not in terms[id(b)] and terms[id(b)] not in terms[id(a)]
        ]  # fmt: skip
        known = {(s.entity.iri, s.predicate): s for s in self._steps() if not s.inverse}
        several = " ".join(iri(m.iri) for m in self.entities)
        both = f"VALUES ?a {{ {several} }} VALUES ?b {{ {several} }}"
        allowed = {(a.iri, b.iri) for a, b in pairs}
        found = []
        for a, p, b in self._run(f"SELECT ?a ?p ?b WHERE {{ {both} ?a ?p ?b }}"):
            step = known.get((term_text(a), term_text(p)))
            if step and (term_text(a), term_text(b)) in allowed:
                found.append((step.score, step, term_text(b)))
        if found:
            _, step, other = max(found, key=lambda f: f[0])
            return f"ASK {{ {step.pattern(iri(step.entity.iri), iri(other))} }}", (self._note([step]),)
        far = []
        for a, p, q, b in self._run(f"SELECT ?a ?p ?q ?b WHERE {{ {both} ?a ?p ?m . ?m ?q ?b }} LIMIT 200"):
            step = known.get((term_text(a), term_text(p)))
            if step and (term_text(a), term_text(b)) in allowed and self.labels.get(term_text(q)):
                asked = bool(self._cued(step.label, False)) + bool(self._cued(self.labels[term_text(q)], False))
                far.append((asked + 0.1 * step.score, step, term_text(q), term_text(b)))
        if far:
            _, step, second_step, other = max(far, key=lambda f: f[0])
            path = f"{iri(step.entity.iri)} {iri(step.predicate)} ?m . ?m {iri(second_step)} {iri(other)} ."
            return f"ASK {{ {path} }}", (self._note([step]),)
        if pairs:
            first, second = max(pairs, key=lambda p: self._entity_weight(p[0]) + self._entity_weight(p[1]))
            steps = [s for s in self._steps([first]) if not s.inverse]
            if steps and steps[0].score > 0.8:
                return f"ASK {{ {steps[0].pattern(iri(first.iri), iri(second.iri))} }}", (self._note(steps[:1]),)
        return None

    def _compared(self, steps: Sequence[Step]) -> tuple[str, tuple[str, ...]] | None:
        """Which of two named entities has more of something."""
        way = _MORE.search(self.question)
        named = re.search(r"[,:;]?\s+([^,:;?]+?) or ([^?]+)", self.question)
        if not way or not named:
            return None
        sides = [[m for m in self.entities if m.term.lower() in side.lower()] for side in named.groups()]
        best = steps[0]
        rivals = [m[0] for m in sides if m]
        if len(rivals) < 2 or best.inverse:
            return None
        values = " ".join(iri(m.iri) for m in rivals)
        order = "ASC" if way["way"].lower() in ("fewer", "fewest", "less") else "DESC"
        text = (
            f"SELECT ?answer (COUNT(DISTINCT ?thing) AS ?count) WHERE {{\n  VALUES ?answer {{ {values} }}\n"
            f"  ?answer {iri(best.predicate)} ?thing .\n}}\nGROUP BY ?answer\nORDER BY {order}(?count)\nLIMIT 1"
        )
        return text, (self._note([best]),)

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
                        here.pattern(iri(here.entity.iri), "?answer"),
                        there.pattern(iri(other.iri), "?answer"),
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
            start = iri(near.entity.iri)
            rows = self._run(f"SELECT DISTINCT ?p WHERE {{ {near.pattern(start, '?m')} ?m ?p ?x }}")
            far = [
                (c.weight, p)
                for p in (term_text(r[0]) for r in rows)
                for c in rest
                if c.fits(self.labels.get(p, ""), False)
            ]  # fmt: skip
            if far:
                predicate = max(far)[1]
                last = Step(near.entity, predicate, self.labels.get(predicate, ""), False, near.score)
                patterns = [near.pattern(start, "?middle"), f"?middle {iri(predicate)} ?answer ."]
                return self._select(patterns, [near, last])
        return None

    def _run(self, text: str) -> Sequence[tuple[Value, ...]]:
        """The rows of a SELECT; the frames of one question ask the same of an entity more than once."""
        if text not in self.asked:
            self.asked[text] = self._rows_of(text)
        return self.asked[text]

    def _rows_of(self, text: str) -> Sequence[tuple[Value, ...]]:
        query = NativeQuery(self.source.card.id, Language.SPARQL, text, Origin.GENERATED)
        try:
            payload = self.source.run(query, _PROBE).payload
        except OmniError:
            return ()  # a probe that fails only leaves the simpler reading
        return payload.items if isinstance(payload, Rows) else ()


def _marked(term: str) -> bool:
    return any(w[:1].isupper() for w in term.split())

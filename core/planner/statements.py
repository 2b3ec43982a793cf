"""Questions about the statements of a graph in Wikidata's form: who won it in 1911, when, for how long, with whom.

A frame is a statement pattern: a subject, a property and a value, of which the question names one or two. Frames are
read from the data around the named entities; the one that has the qualifiers the question asks for is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations

from core.grounding.terms import content_words
from core.planner.qualifiers import Asked, Role, asked_of, role_of
from core.planner.sparql import iri
from core.planner.statement_frame import Frame, Property, core
from core.planner.statement_query import Written, write
from core.results import Match, Value, term_text
from core.sources.base import RdfSchema
from core.sources.statement_form import Form

Ask = Callable[[str], Sequence[tuple[Value, ...]]]
SURE = 0.93
PEOPLE = frozenset(content_words("human person people"))
MOST_STATEMENTS = 600
MOST_SUBJECTS = 5
TIMES = (Role.AT, Role.START)
LEAST_OVERLAP = 0.5
WHOLE = frozenset({"part of", "subclass of", "part of the series"})
"""Direct properties over which a value may be named by what it belongs to: the Nobel Prize, for the one in physics."""


def has_statements(schema: RdfSchema) -> bool:
    """Whether the graph holds statements with qualifiers."""
    return any(p.form == Form.QUALIFIER for p in schema.predicates)


def plan_by_statements(
    question: str,
    schema: RdfSchema,
    entities: Sequence[Match],
    weigh: Callable[[Match], float],
    fit: Callable[[str, bool], float],
    ask: Ask,
) -> tuple[str, tuple[str, ...]] | None:
    """A query over statements and remarks, or None where the question asks nothing of qualifiers.

    `weigh` says how sure an entity is, `fit` how well the label of a property, read from its subject or (True) from its
    value, is what the question asks for; `ask` runs a SELECT.
    """
    sure = [m for m in entities if m.score >= SURE]
    asked = asked_of(question, tuple(m.term for m in sure))
    if not sure and not asked.most:
        return None
    written = _Frames(question, schema, sure, weigh, fit, ask, asked).best()
    if written is None:
        return None
    return written.text, (f"Read as: {written.reading}.",)


class _Frames:
    def __init__(
        self,
        question: str,
        schema: RdfSchema,
        entities: Sequence[Match],
        weigh: Callable[[Match], float],
        fit: Callable[[str, bool], float],
        ask: Ask,
        asked: Asked,
    ) -> None:
        self.question, self.schema, self.entities, self.asked = question, schema, entities, asked
        self.weigh, self.fit, self.ask = weigh, fit, ask
        self.classes = {c.iri: frozenset(content_words(c.label)) for c in schema.classes}
        self.shapes = {p.iri: (p.domains, p.ranges) for p in schema.predicates}
        self.labels = {p.iri: p.label for p in schema.predicates}
        forms: dict[str, dict[str, str]] = {}
        names: dict[str, str] = {}
        for predicate in schema.predicates:
            if predicate.property:
                forms.setdefault(predicate.property, {})[predicate.form] = predicate.iri
                names[predicate.property] = predicate.label
        self.properties = {key: Property(names[key], found) for key, found in forms.items()}
        self.direct = {p.forms[Form.DIRECT]: p.label for p in self.properties.values() if Form.DIRECT in p.forms}
        self.by_claim = {p.forms[Form.CLAIM]: p for p in self.properties.values() if p.has_statements}
        self.by_value = {p.forms[Form.STATEMENT]: p for p in self.properties.values() if p.has_statements}
        self.qualifiers = {p.iri: p.label for p in schema.predicates if p.form == Form.QUALIFIER}

    def best(self) -> Written | None:
        """The query of the best frame that can answer and whose statements exist."""
        if not self._may_answer():
            return None
        frames = [*self._pairs(), *self._of_values(), *self._of_subjects(), *self._open()]
        frames = [self._shown(f) for f in frames]
        empty: Written | None = None
        for frame in sorted([*frames, *self._absent(frames)], key=lambda f: -f.score - f.kind):
            written = write(frame, self.asked, self.labels, self.schema)
            if written is None:
                continue
            if self.ask(written.probe):
                return written
            # What the question demands is kept, though nothing fits it: nobody won it in 2050.
            if empty is None and (frame.absent or self.asked.demands):
                empty = written
        return empty

    def _may_answer(self) -> bool:
        """Whether anything of qualifiers is asked; where classes are known, what they are may narrow as well."""
        asked = self.asked
        narrowed = asked.roles or asked.demands or asked.how_long or asked.how_many or asked.times or asked.also_when
        return bool(narrowed) or any(domains for domains, _ in self.shapes.values())

    # --- frames ---

    def _pairs(self) -> Iterable[Frame]:
        """Subject and value both named: Marie Curie's Nobel Prize in Chemistry."""
        terms = {m.iri: m for m in reversed(self.entities)}
        for subject in self.entities[:MOST_SUBJECTS]:
            found: dict[tuple[str, frozenset[str]], list[str]] = {}
            scores: dict[tuple[str, frozenset[str]], float] = {}
            words = self._words_besides(subject)
            for claim, value, label in self._statements(subject.iri):
                other = terms.get(value)
                if other and not _overlaps(other.term, subject.term):
                    key, score = (claim, frozenset({other.term})), 1.0 + self.weigh(other)
                else:
                    key, score = (claim, frozenset()), _overlap(words, label)
                    if score < LEAST_OVERLAP or self._is_another(label, subject):
                        continue
                if score > scores.get(key, 0.0) + 1e-6:
                    found[key], scores[key] = [value], score
                elif value not in found[key] and score >= scores[key] - 1e-6:
                    found[key].append(value)
            for (claim, term), values in found.items():
                score = self.weigh(subject) + scores[claim, term] + 0.3 * self.fit(self.by_claim[claim].label, False)
                named = frozenset({subject.term}) | term
                frame = Frame(self.by_claim[claim], (subject.iri,), tuple(values), score, named)
                yield self._qualified(frame)

    def _of_values(self) -> Iterable[Frame]:
        """The value is named: who won the Nobel Prize in Chemistry."""
        wholes = [iri_ for iri_, label in self.direct.items() if label.lower() in WHOLE]
        for term in dict.fromkeys(m.term for m in self.entities):
            match = next(m for m in self.entities if m.term == term)
            node = iri(match.iri)
            for via in ("", *wholes):
                for prop in self._incoming(node, via):
                    score = self.weigh(match) + 0.3 + 0.6 * self.fit(prop.label, True) - 0.2 * bool(via)
                    frame = Frame(prop, (), (match.iri,), score, frozenset({term}), via)
                    constrained = self._constrained(frame)
                    if constrained:
                        yield self._qualified(constrained)

    def _open(self) -> Iterable[Frame]:
        """Neither is named, and a qualifier tells them apart: the highest transfer fee."""
        if not self.entities:
            for claim, qualifiers in self.schema.qualifiers.items():
                if claim in self.by_claim:
                    yield Frame(self.by_claim[claim], (), (), 0.0, frozenset(), qualifiers=dict.fromkeys(qualifiers, 1))

    def _incoming(self, node: str, via: str) -> Iterable[Property]:
        """Properties of which `node`, or over `via` a part of it, is the value."""
        step = f"?st ?ps {node}" if not via else f"?part {iri(via)} {node} . ?st ?ps ?part"
        for (predicate,) in self.ask(f"SELECT DISTINCT ?ps {{ {_among('ps', self.by_value)} {step} }}"):
            prop = self.by_value.get(term_text(predicate))
            if prop and prop.forms.get(Form.DIRECT) != self.schema.type_predicate:
                yield prop

    def _of_subjects(self) -> Iterable[Frame]:
        """The subject is named, the value asked for: the prize that Linus Pauling won in 1954."""
        for subject in self.entities[:MOST_SUBJECTS]:
            claims = dict.fromkeys(claim for claim, _, _ in self._statements(subject.iri))
            for claim in claims:
                prop = self.by_claim[claim]
                score = self.weigh(subject) + 0.6 * self.fit(prop.label, False)
                frame = Frame(prop, (subject.iri,), (), score, frozenset({subject.term}))
                constrained = self._constrained(frame)
                if constrained:
                    yield self._qualified(constrained)

    def _absent(self, frames: Sequence[Frame]) -> Iterable[Frame]:
        """What statements of the property say elsewhere, but not these; and a subject and a value that none joins."""
        whole = [frame for frame in frames if frame.whole]
        for frame in sorted(whole, key=lambda f: -f.score)[:1]:
            known = self.schema.qualifiers.get(frame.prop.forms[Form.CLAIM], ())
            yield replace(frame, qualifiers=dict.fromkeys(known, 0) | dict(frame.qualifiers), score=0.0, absent=True)
        if any(len(frame.named) > 1 for frame in whole):
            return
        exact = [m for m in self.entities if m.score >= 1.0]
        for subject, value in permutations(exact[:MOST_SUBJECTS], 2):
            if _overlaps(subject.term, value.term):
                continue
            claims = {claim for claim, _, _ in self._statements(subject.iri)}
            for prop in self._incoming(iri(value.iri), ""):
                if prop.forms[Form.CLAIM] in claims:
                    frame = Frame(prop, (), (value.iri,), 0.0, frozenset({subject.term, value.term}))
                    yield replace(self._qualified(frame), subjects=(subject.iri,), absent=True)

    def _constrained(self, frame: Frame) -> Frame | None:
        """The frame with what else is named, joined to the answer; None where that can't be joined."""
        rest = [m for m in self.entities if not any(_overlaps(m.term, t) for t in frame.named)]
        for term in dict.fromkeys(m.term for m in rest):
            nodes = " ".join(iri(m.iri) for m in rest if m.term == term)
            joined = f"{core(frame)} VALUES ?o {{ {nodes} }} ?answer ?p ?o"
            rows = self.ask(f"SELECT ?p ?o (COUNT(*) AS ?n) {{ {joined} }} GROUP BY ?p ?o")
            found = [(int(term_text(n)), term_text(p), term_text(o)) for p, o, n in rows]
            direct = [one for one in found if one[1] in self.direct]
            if direct:
                _, predicate, node = max(direct, key=lambda d: (self.fit(self.labels.get(d[1], ""), True) > 0.5, d[0]))
                frame = replace(
                    frame,
                    score=frame.score + 0.4,
                    named=frame.named | {term},
                    extra=(*frame.extra, f"?answer {iri(predicate)} {iri(node)} ."),
                )
            elif term[:1].isupper() and self._is_of_a_name(term):
                return None
        return frame

    def _is_of_a_name(self, term: str) -> bool:
        return any(m.term == term and m.score >= 1.0 for m in self.entities)

    # --- data ---

    def _statements(self, subject: str) -> list[tuple[str, str, str]]:
        """Claim, value and label of the value of each statement of `subject`."""
        label = iri(self.schema.label_predicate)
        rows = self.ask(
            f"SELECT ?p ?ps ?v ?l {{ {_among('p', self.by_claim)} {iri(subject)} ?p ?st . ?st ?ps ?v . "
            f'OPTIONAL {{ ?v {label} ?l FILTER(lang(?l) = "en" || lang(?l) = "") }} }} LIMIT {MOST_STATEMENTS}'
        )
        return [
            (term_text(p), term_text(v), term_text(name) if name is not None else "")
            for p, ps, v, name in rows
            if self.by_value.get(term_text(ps)) is self.by_claim.get(term_text(p))
        ]

    def _qualified(self, frame: Frame) -> Frame:
        rows = self.ask(
            f"SELECT ?q (COUNT(*) AS ?n) {{ {_among('q', self.qualifiers)} "
            f"{core(frame)} {' '.join(frame.extra)} ?st ?q ?x }} GROUP BY ?q"
        )
        found = {term_text(q): int(term_text(n)) for q, n in rows}
        frame = replace(frame, qualifiers=found)
        if frame.whole or not self.asked.period or any(role_of(self.labels[q]) in TIMES for q in found):
            return frame
        timed = [p for p in self.direct if role_of(self.labels[p]) in TIMES]
        if not timed:
            return frame
        rows = self.ask(
            f"SELECT ?q (COUNT(*) AS ?n) {{ {_among('q', timed)} "
            f"{core(frame)} {' '.join(frame.extra)} ?answer ?q ?x }} GROUP BY ?q"
        )
        return replace(frame, own_times={term_text(q): int(term_text(n)) for q, n in rows})

    def _shown(self, frame: Frame) -> Frame:
        kind, of = self._kind(frame)
        typed = (f"?answer {iri(self.schema.type_predicate)} {iri(of)} .",) if of else ()
        return replace(frame, kind=kind, extra=(*frame.extra, *(t for t in typed if t not in frame.extra)))

    def _words_besides(self, subject: Match) -> frozenset[str]:
        rest = re.sub(rf"(?<!\w){re.escape(subject.term)}(?!\w)", " ", self.question, flags=re.IGNORECASE)
        return frozenset(content_words(rest))

    def _is_another(self, label: str, subject: Match) -> bool:
        """Whether a label shares words with a name that the question has, and is not what that name says."""
        own = set(content_words(label))
        others = [set(content_words(m.term)) for m in self.entities if not _overlaps(m.term, subject.term)]
        return any(other & own and not other <= own for other in others)

    def _kind(self, frame: Frame) -> tuple[float, str]:
        """How well the classes of what comes back go with who or which city, and the one of several that is meant."""
        direct = frame.prop.forms.get(Form.DIRECT, "")
        domains, ranges = self.shapes.get(direct, ((), ()))
        kinds = {c: self.classes.get(c, frozenset()) for c in (ranges if frame.subjects else domains)}
        if frame.whole or not kinds:
            return 0.0, ""
        if re.match(r"\W*whom?\b", self.question, re.IGNORECASE):
            return (0.4 if any(kind & PEOPLE for kind in kinds.values()) else -0.4), ""
        asked = re.search(r"\b(?:which|what|how many) (\w+)(?: (\w+))?", self.question, re.IGNORECASE)
        nouns = set(content_words(" ".join(w for w in asked.groups() if w))) if asked else set()
        meant = [c for c, kind in kinds.items() if kind & nouns]
        if not meant:
            return 0.0, ""
        return 0.4, meant[0] if len(kinds) > 1 else ""


def _overlap(words: frozenset[str], label: str) -> float:
    """How much of a label the question has, or how much of the question the label has."""
    own = content_words(label)
    shared = sum(w in words for w in own)
    return shared / min(len(own), len(words)) if shared else 0.0


def _among(variable: str, predicates: Iterable[str]) -> str:
    """The predicates that a variable may stand for; the guard parses this faster than a FILTER with IN."""
    return f"VALUES ?{variable} {{ {' '.join(iri(p) for p in predicates)} }}"


def _overlaps(one: str, other: str) -> bool:
    a, b = set(one.lower().split()), set(other.lower().split())
    return a <= b or b <= a

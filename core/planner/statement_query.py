"""The SPARQL that asks statements for a qualifier, or narrows them by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.grounding.terms import content_words
from core.planner.qualifiers import Asked, Period, Role, role_of
from core.planner.sparql import iri
from core.planner.statement_frame import Frame, core, plain
from core.sources.base import RdfSchema

NAMED_QUALIFIER = 0.6
"""Share of a qualifier's words that the question must have to ask for it by its own name."""
COUNTED = 0.5
"""The same for a "number of" something, where the question asks how many or who has most."""
_AMOUNTS = frozenset(content_words("number amount total quantity"))


@dataclass(frozen=True, slots=True)
class Written:
    """A query, and the query that tells whether it finds anything."""

    text: str
    probe: str
    reading: str


def write(frame: Frame, asked: Asked, labels: Mapping[str, str], schema: RdfSchema) -> Written | None:
    """The query that `frame` makes of what is asked, or None where its statements lack the qualifiers for it."""
    return _Writer(frame, asked, labels, schema).query()


class _Writer:
    def __init__(self, frame: Frame, asked: Asked, labels: Mapping[str, str], schema: RdfSchema) -> None:
        self.frame, self.asked, self.labels, self.schema = frame, asked, labels, schema
        self.base = [core(frame), *frame.extra]
        self.read = [frame.prop.label]
        self.nth = ""
        ranked = sorted(frame.qualifiers, key=lambda q: -frame.qualifiers[q])
        self.role: dict[Role, str] = {}
        for predicate in ranked:
            role = role_of(labels[predicate])
            if role:
                self.role.setdefault(role, predicate)
        self.number = self._by_name(ranked)
        self.own: dict[Role, str] = {}
        for predicate in sorted(frame.own_times, key=lambda q: -frame.own_times[q]):
            role = role_of(labels[predicate])
            if role and not {Role.AT, Role.START} & set(self.role):
                self.own.setdefault(role, predicate)

    def query(self) -> Written | None:
        narrowed = self._narrowed()
        if narrowed is None:
            return None
        if self.frame.whole:
            return self._of_statement(narrowed)
        if self.asked.yes_no:
            return None
        return self._qualifier(narrowed) or self._ends(narrowed)

    # --- what is asked for ---

    def _of_statement(self, patterns: Sequence[str]) -> Written | None:
        if self.asked.times:
            return self._written("SELECT (COUNT(DISTINCT ?st) AS ?count)", patterns)
        if self.asked.yes_no:
            if not self.asked.demands and not self.frame.absent:
                return None
            body = "\n".join(f"  {p}" for p in patterns)
            return Written(f"ASK {{\n{body}\n}}", _probe(self.base), self._reading())
        return self._qualifier(patterns)

    def _qualifier(self, patterns: Sequence[str]) -> Written | None:
        """The value of a qualifier: when, for how long, with whom, how many."""
        roles = self.asked.roles
        has_value = bool(self.frame.values)
        counts = self.number and self.asked.how_many and self.frame.kind <= 0
        if counts and not (self.frame.whole or self.asked.most or roles):
            self.read.append(self.labels[self.number])
            return self._written("SELECT (SUM(?n) AS ?total)", [*patterns, f"?st {iri(self.number)} ?n ."])
        if self.asked.how_long and has_value and Role.START in self.role and Role.END in self.role:
            return self._duration(patterns)
        if roles and self.frame.subjects and (has_value or not {Role.AT, Role.START, Role.END} & set(roles)):
            found = [role for role in roles if role in self.role]
            if Role.AT in found or len(roles) == 2:
                found = found[:1]
            if found:
                return self._values_of([self.role[role] for role in found], patterns)
        if self.number and self.frame.whole and not self.asked.most and not roles:
            return self._values_of([self.number], patterns)
        return None

    def _values_of(self, predicates: Sequence[str], patterns: Sequence[str]) -> Written:
        self.read += [self.labels[p] for p in predicates]
        # The answer is the qualifier, so what the frame leaves open needs another name.
        patterns = [p.replace("?answer", "?value") for p in patterns] if not self.frame.whole else patterns
        if len(predicates) == 1:
            body = [*patterns, f"?st {iri(predicates[0])} ?answer ."]
            literal = role_of(self.labels[predicates[0]]) in (Role.AT, Role.START, Role.END, Role.ORDINAL)
            return self._listed(body, labelled=not literal and predicates[0] != self.number)
        names = ["?start", "?end"]
        body = [*patterns, f"?st {iri(predicates[0])} ?start .", f"OPTIONAL {{ ?st {iri(predicates[1])} ?end . }}"]
        return self._written(f"SELECT DISTINCT {' '.join(names)}", body, tail="ORDER BY ?start")

    def _duration(self, patterns: Sequence[str]) -> Written:
        start, end = self.role[Role.START], self.role[Role.END]
        self.read += [self.labels[start], self.labels[end]]
        body = [
            *patterns, f"?st {iri(start)} ?start .", f"?st {iri(end)} ?end .",
            "BIND(xsd:integer(SUBSTR(STR(?end), 1, 4)) - xsd:integer(SUBSTR(STR(?start), 1, 4)) AS ?years)",
        ]  # fmt: skip
        return self._written("SELECT DISTINCT ?start ?end ?years", body, tail="ORDER BY ?start")

    def _ends(self, patterns: Sequence[str]) -> Written | None:
        """What stands at the open end of the statement, narrowed or ordered by qualifiers."""
        asked = self.asked
        wanted = asked.demands or self.frame.extra or self.frame.kind > 0 or asked.also_when
        if (
            not wanted
            or asked.roles
            or asked.how_long
            or (asked.beyond and not (asked.most and (self.number or self.nth)))
        ):
            return None
        if asked.also_when and self._time():
            self.read.append(self.labels[self._time()])
            patterns = [*patterns, f"?st {iri(self._time())} ?time ."]
        elif list(patterns) == self.base and not (asked.past or self.nth):
            patterns = [plain(self.frame), *self.frame.extra]
        if asked.how_many and not asked.most:
            return self._written("SELECT (COUNT(DISTINCT ?answer) AS ?count)", patterns)
        return self._listed(patterns, also=" ?time" if asked.also_when and self._time() else "")

    # --- what narrows ---

    def _narrowed(self) -> list[str] | None:
        """The statement pattern with all that is demanded of it; None where a qualifier for that is missing."""
        asked, patterns = self.asked, list(self.base)
        if asked.period:
            timed = self._in_period(asked.period)
            if timed is None:
                return None
            patterns += timed
        if asked.now and not asked.yes_no:
            if Role.END not in self.role:
                return None
            self.read.append(f"without {self.labels[self.role[Role.END]]}")
            patterns.append(f"FILTER NOT EXISTS {{ ?st {iri(self.role[Role.END])} ?over . }}")
        if asked.ordinal and Role.ORDINAL in self.role:
            self.read.append(f"{self.labels[self.role[Role.ORDINAL]]} {asked.ordinal}")
            number = iri(self.role[Role.ORDINAL])
            return [*patterns, f"?st {number} ?ordinal .", f'FILTER(STR(?ordinal) = "{asked.ordinal}")']
        if self.frame.whole:
            return patterns
        if asked.ordinal and asked.ordinal > 1:
            time = self._time()
            if not time:
                return None
            self.read.append(f"number {asked.ordinal} by {self.labels[time]}")
            self.nth = f"GROUP BY ?answer ?answerLabel\nORDER BY MIN(STR(?v))\nLIMIT 1 OFFSET {asked.ordinal - 1}"
            return [*patterns, f"?st {iri(time)} ?v ."]
        if asked.order:
            time = self._time()
            return self._extreme(patterns, time, asked.order, "STR(?v)") if time else None
        if asked.most and self.number:
            return self._extreme(patterns, self.number, asked.most, "?v")
        if asked.most:
            return self._most_often(patterns)
        return patterns

    def _most_often(self, patterns: list[str]) -> list[str] | None:
        """Who stands in most of such statements: who won most prizes."""
        if self.frame.subjects or not self.frame.values or self.frame.kind <= 0:
            return None
        self.read.append("most often" if self.asked.most == "DESC" else "least often")
        self.nth = f"GROUP BY ?answer ?answerLabel\nORDER BY {self.asked.most}(COUNT(DISTINCT ?st))\nLIMIT 1"
        return patterns

    def _in_period(self, period: Period) -> list[str] | None:
        roles, counts, of = (
            (self.own, self.frame.own_times, "?answer") if self.own else (self.role, self.frame.qualifiers, "?st")
        )
        at, start = roles.get(Role.AT), roles.get(Role.START)
        if at and (not start or counts[at] >= counts[start]):
            self.read.append(self.labels[at])
            return [f"{of} {iri(at)} ?when .", _filter("?when", period)]
        if not start:
            return None
        self.read.append(self.labels[start])
        patterns = [f"{of} {iri(start)} ?from ."]
        if not (period.low and period.high):
            return [*patterns, _filter("?from", period)]
        less, more = ("<", ">") if period.within else ("<=", ">=")
        began = f'{_cut("?from", period.high)} {less} "{period.high}"'
        end = roles.get(Role.END)
        if not end:
            return [*patterns, f"FILTER({began})"]
        lasted = f'(!BOUND(?until) || {_cut("?until", period.low)} {more} "{period.low}")'
        return [*patterns, f"OPTIONAL {{ {of} {iri(end)} ?until . }}", f"FILTER({began} && {lasted})"]

    def _extreme(self, patterns: Sequence[str], predicate: str, order: str, key: str) -> list[str]:
        """Only the statements whose qualifier is the least or the greatest of all that fit."""
        self.read.append(f"{'first' if order == 'ASC' else 'last'} by {self.labels[predicate]}")
        function = "MIN" if order == "ASC" else "MAX"
        step = f"?st {iri(predicate)} ?v ."
        inner = " ".join([*patterns, step])
        best = f"{{ SELECT ({function}({key}) AS ?best) WHERE {{ {inner} }} }}"
        return [best, *patterns, step, f"FILTER({key} = ?best)"]

    def _time(self) -> str:
        found = [self.role[role] for role in (Role.AT, Role.START) if role in self.role]
        return max(found, key=lambda q: self.frame.qualifiers[q], default="")

    def _by_name(self, ranked: Sequence[str]) -> str:
        """The qualifier that the question asks for by its own words."""
        best, found = 0.0, ""
        for predicate in ranked:
            label = self.labels[predicate]
            words = [w for w in content_words(label) if w not in _AMOUNTS]
            share = sum(w in self.asked.words for w in words) / len(words) if words else 0.0
            counted = label.lower().startswith("number of") and (self.asked.how_many or self.asked.most)
            counted = counted and bool(self.frame.subjects or self.frame.values)
            if share >= (COUNTED if counted else NAMED_QUALIFIER) and share > best and role_of(label) is None:
                best, found = share, predicate
        return found

    # --- text ---

    def _listed(self, patterns: Sequence[str], *, labelled: bool = True, also: str = "") -> Written:
        if not labelled:
            return self._written("SELECT DISTINCT ?answer", patterns)
        label = iri(self.schema.label_predicate)
        named = f'OPTIONAL {{ ?answer {label} ?answerLabel . FILTER(langMatches(lang(?answerLabel), "en") ||'
        named += ' lang(?answerLabel) = "") }'
        select = "SELECT ?answer ?answerLabel" if self.nth else f"SELECT DISTINCT ?answer ?answerLabel{also}"
        return self._written(select, [*patterns, named], tail=self.nth, probed=patterns)

    def _written(
        self, select: str, patterns: Sequence[str], *, tail: str = "", probed: Sequence[str] | None = None
    ) -> Written:
        body = "\n".join(f"  {p}" for p in patterns)
        text = f"{select} WHERE {{\n{body}\n}}" + (f"\n{tail}" if tail else "")
        return Written(text, _probe(patterns if probed is None else probed), self._reading())

    def _reading(self) -> str:
        return ", ".join(dict.fromkeys(self.read))


def _probe(patterns: Sequence[str]) -> str:
    return f"SELECT ?st WHERE {{ {' '.join(patterns)} }} LIMIT 1"


def _cut(variable: str, bound: str) -> str:
    """The beginning of a time that is as exact as `bound`; years, days and moments compare by their beginnings."""
    return f"SUBSTR(STR({variable}), 1, {len(bound)})"


def _filter(variable: str, period: Period) -> str:
    tests = [f'{_cut(variable, period.low)} >= "{period.low}"'] if period.low else []
    if period.high and period.high == period.low:
        return f'FILTER({_cut(variable, period.low)} = "{period.low}")'
    tests += [f'{_cut(variable, period.high)} <= "{period.high}"'] if period.high else []
    return f"FILTER({' && '.join(tests)})"

"""Facts in Wikidata's statement form: p: leads to a statement, ps: to its value, pq: to its qualifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.sources.base import RdfPredicate, RdfSchema
from core.sources.statement_form import SKOS, WIKIBASE, Form

QUALIFIERS = 5
INSIDE = (Form.STATEMENT, Form.QUALIFIER)
Short = Callable[[str], str]


class Statements:
    """What a graph keeps in statement form; false where it keeps nothing so."""

    def __init__(self, schema: RdfSchema) -> None:
        self._predicates = {p.iri: p for p in schema.predicates}
        self._qualifiers = schema.qualifiers
        self._values = {p.property: p.iri for p in schema.predicates if p.form == Form.STATEMENT}
        self._direct = frozenset(p.property for p in schema.predicates if p.form == Form.DIRECT)
        self._claims = {p.property: p.iri for p in schema.predicates if p.form == Form.CLAIM}

    def __bool__(self) -> bool:
        return bool(self._values)

    def form_of_query(self, short: Short) -> str:
        """The query form of a fact with its qualifier, by the claim that most qualifiers belong to."""
        claim = max(self._qualifiers, key=lambda c: len(self._qualifiers[c]), default="")
        value = self._value_of(claim)
        if not claim or not value:
            return ""
        qualifier = short(self._qualifiers[claim][0])
        return f"  SELECT ?x ?q WHERE {{ ENTITY {short(claim)} ?s . ?s {short(value)} ?x ; {qualifier} ?q }}"

    def holds(self, predicate: str) -> bool:
        """Whether `predicate` is a part of statements rather than a plain edge."""
        return self._form(predicate) in (Form.CLAIM, *INSIDE)

    def is_inside(self, predicate: str) -> bool:
        """Whether `predicate` leads from a statement, to its value or to a qualifier."""
        return self._form(predicate) in INSIDE

    def is_told(self, predicate: str) -> bool:
        """Whether `predicate` says no more than another: a statement without qualifiers beside its direct form."""
        known = self._predicates.get(predicate)
        if not self or known is None or known.form in ("", Form.DIRECT):
            return bool(self) and predicate.startswith((WIKIBASE, SKOS))
        if known.form == Form.QUALIFIER or known.property not in self._direct:
            return False
        return not self._qualifiers.get(self._claims.get(known.property, ""))

    def patterns(self, entity: str, predicate: str, label: str, short: Short, *, inverse: bool) -> Iterator[str]:
        """Triple patterns that read a statement of `entity`, or those that name it as value or qualifier."""
        form = self._form(predicate)
        if form == Form.CLAIM and not inverse and (value := self._value_of(predicate)):
            more = self.remark(predicate, short)
            yield f"  {entity} {short(predicate)} ?s . ?s {short(value)} ?x   # {label}{more}"
        elif form == Form.STATEMENT and inverse:
            claim = self._claims.get(self._predicates[predicate].property, "")
            if claim:
                more = self.remark(claim, short)
                yield f"  ?x {short(claim)} ?s . ?s {short(predicate)} {entity}   # {label}{more}"
        elif form == Form.QUALIFIER and inverse:
            claim = next((c for c, qualifiers in self._qualifiers.items() if predicate in qualifiers), "")
            value = self._value_of(claim)
            if value:
                yield f"  ?x {short(claim)} ?s . ?s {short(value)} ?y ; {short(predicate)} {entity}   # {label}"

    def remark(self, claim: str, short: Short) -> str:
        """The value and the qualifiers of a claim's statements, as the end of its line."""
        qualifiers = self._qualifiers.get(claim, ())[:QUALIFIERS]
        if not qualifiers:
            return ""
        return "; qualifiers " + ", ".join(f"{short(q)} ({self._predicates[q].label})" for q in qualifiers)

    def reaches(self, predicate: RdfPredicate, short: Short) -> str:
        """How a claim's line goes on to the value of its statement; empty for other predicates."""
        value = self._value_of(predicate.iri) if predicate.form == Form.CLAIM else ""
        return f" ?s . ?s {short(value)}" if value else ""

    def value_of(self, claim: RdfPredicate) -> RdfPredicate:
        """The predicate that holds the value of a claim's statements, or the claim itself."""
        return self._predicates.get(self._value_of(claim.iri), claim) if claim.form == Form.CLAIM else claim

    def _value_of(self, claim: str) -> str:
        owner = self._predicates.get(claim)
        return self._values.get(owner.property, "") if owner else ""

    def _form(self, predicate: str) -> str:
        known = self._predicates.get(predicate)
        return known.form if known else ""

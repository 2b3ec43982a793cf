"""Graphs in Wikidata's statement form: which predicates are forms of one property, and what qualifies what.

A property is an entity with labels of its own. Facts use four predicates of it: the direct one, the claim that leads to
a statement node, the statement's value, and the qualifier.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from core.results import Iri, Literal, Value
from core.sources.base import RdfSchema

Ask = Callable[[str], Iterable[tuple[Value, ...]]]
"""Runs a SELECT and gives its rows."""

WIKIBASE = "http://wikiba.se/ontology#"
WIKIDATA = {
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "wikibase": WIKIBASE,
}
SKOS = "http://www.w3.org/2004/02/skos/core#"
INSTANCE_OF = "instance of"


class Form(StrEnum):
    """What a predicate is to its property."""

    DIRECT = "direct"
    CLAIM = "claim"
    STATEMENT = "statement"
    QUALIFIER = "qualifier"


_LINKS = {
    WIKIBASE + "directClaim": Form.DIRECT, WIKIBASE + "claim": Form.CLAIM,
    WIKIBASE + "statementProperty": Form.STATEMENT, WIKIBASE + "qualifier": Form.QUALIFIER,
}  # fmt: skip
_SPACES = {
    WIKIDATA["wdt"]: Form.DIRECT, WIKIDATA["p"]: Form.CLAIM,
    WIKIDATA["ps"]: Form.STATEMENT, WIKIDATA["pq"]: Form.QUALIFIER,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PropertyForm:
    """The property entity that a predicate belongs to, and how."""

    property: str
    form: Form


def read_forms(ask: Ask, predicates: Mapping[str, int]) -> dict[str, PropertyForm]:
    """Predicate IRI to its form: as the property entities say, or by Wikidata's own namespaces."""
    forms = {}
    for iri in predicates:
        space, slash, number = iri.rpartition("/")
        if space + slash in _SPACES:
            forms[iri] = PropertyForm(WIKIDATA["wd"] + number, _SPACES[space + slash])
    if any(link in predicates for link in _LINKS):
        listed = " ".join(f"<{link}>" for link in _LINKS)
        for entity, link, predicate in ask(f"SELECT ?e ?l ?p {{ VALUES ?l {{ {listed} }} ?e ?l ?p }}"):
            if isinstance(entity, Iri) and isinstance(link, Iri) and isinstance(predicate, Iri):
                forms[predicate.value] = PropertyForm(entity.value, _LINKS[link.value])
    return forms


def read_names(ask: Ask, forms: Mapping[str, PropertyForm], label: str) -> dict[str, str]:
    """Labels of predicates by their property entities, in English where there is one."""
    named: dict[str, str] = {}
    properties = sorted({form.property for form in forms.values()})
    for start in range(0, len(properties), 500):
        listed = " ".join(f"<{p}>" for p in properties[start : start + 500])
        for entity, text in ask(f"SELECT ?e ?l {{ VALUES ?e {{ {listed} }} ?e <{label}> ?l }}"):
            if not isinstance(entity, Iri) or not isinstance(text, Literal):
                continue
            if text.lang in (None, "en") or entity.value not in named:
                named[entity.value] = text.value
    return {iri: named[form.property] for iri, form in forms.items() if form.property in named}


def type_predicate(forms: Mapping[str, PropertyForm], names: Mapping[str, str], counts: Mapping[str, int]) -> str:
    """The direct predicate that tells the class of an item, or an empty text."""
    direct = [iri for iri, form in forms.items() if form.form is Form.DIRECT and iri in counts]
    named = [iri for iri in direct if names.get(iri, "").casefold() == INSTANCE_OF or iri == WIKIDATA["wdt"] + "P31"]
    return max(named, key=lambda iri: counts[iri], default="")


def read_qualified(ask: Ask, forms: Mapping[str, PropertyForm], counts: Mapping[str, int]) -> dict[str, list[str]]:
    """For each qualifier the claims whose statements have it, most frequent first."""
    claims = [iri for iri, form in forms.items() if form.form is Form.CLAIM and iri in counts]
    qualifiers = [iri for iri, form in forms.items() if form.form is Form.QUALIFIER and iri in counts]
    found: defaultdict[str, list[str]] = defaultdict(list)
    if not claims or not qualifiers:
        return found
    listed = " ".join(f"<{iri}>" for iri in claims)
    pattern = f"VALUES ?p {{ {listed} }} ?s ?p ?n . ?n ?q ?o"
    for claim, qualifier, _ in ask(f"SELECT ?p ?q (COUNT(*) AS ?k) {{ {pattern} }} GROUP BY ?p ?q ORDER BY DESC(?k)"):
        if isinstance(claim, Iri) and isinstance(qualifier, Iri) and qualifier.value in qualifiers:
            found[qualifier.value].append(claim.value)
    return found


def direct_view(schema: RdfSchema) -> RdfSchema:
    """The schema without statements: direct predicates, and those that are no form of a property."""
    kept = tuple(p for p in schema.predicates if p.form in ("", Form.DIRECT) and not p.iri.startswith((WIKIBASE, SKOS)))
    return replace(schema, predicates=kept)

"""What an RDF graph holds: classes, predicates, labels and conventions, read by SPARQL."""

from __future__ import annotations

import gzip
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.results import Iri, Literal, Match, Place, Value, term_text
from core.sources.base import RdfClass, RdfPredicate, RdfSchema
from core.sources.statement_form import (
    WIKIDATA,
    Ask,
    Form,
    PropertyForm,
    read_forms,
    read_names,
    read_qualified,
    type_predicate,
)
from core.sources.values import Entry, fold

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
COMMON = {
    "rdf": RDF,
    "rdfs": RDFS,
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
}
LABELS = (
    RDFS + "label",
    COMMON["skos"] + "prefLabel",
    COMMON["schema"] + "name",
    "http://xmlns.com/foaf/0.1/name",
)
ALIASES = (COMMON["skos"] + "altLabel", COMMON["schema"] + "alternateName")
DESCRIPTIONS = (COMMON["schema"] + "description", RDFS + "comment")
PREFIX_LINE = re.compile(r"(?:^|(?<=[.>]))\s*@?prefix\s+([\w.-]*):\s*<([^>]*)>", re.IGNORECASE)
HEAD_LINES = 300
MANY_PREDICATES = 250
"""A graph with more predicates than this is described by its entities' own predicates, not as a whole."""
SAMPLED_PREDICATES = 120
LONGEST_LABEL = 120
FOREIGN = 0.95
"""Score of a match by a label of another language, where the English name is something else's."""
SINGULAR = 0.96
"""Score of a match by the singular of what the question says."""


def read_prefixes(files: Sequence[Path]) -> dict[str, str]:
    """Prefixes that the files declare in their first lines, over the common ones."""
    found: dict[str, str] = {}
    for file in files:
        opener = gzip.open if file.suffix == ".gz" else open
        with opener(file, "rt", errors="replace") as lines:
            for line in itertools.islice(lines, HEAD_LINES):
                for match in PREFIX_LINE.finditer(line):
                    found.setdefault(match[1], match[2])
    return {**COMMON, **found}


def read_schema(ask: Ask, prefixes: Mapping[str, str]) -> RdfSchema:
    """Classes and predicates, most frequent first; domains, ranges and samples where the graph is small enough."""
    counts = {
        term_text(p): _number(n)
        for p, n in ask("SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p ORDER BY DESC(?n) LIMIT 5000")
    }
    forms = read_forms(ask, counts)
    is_wikidata = any(p.startswith(WIKIDATA["wdt"]) for p in counts)
    known = {**prefixes, **(WIKIDATA if is_wikidata else {})}
    label = max(LABELS, key=lambda p: counts.get(p, 0))
    names = read_names(ask, forms, label) | _labels(ask, counts, label)
    own = type_predicate(forms, names, counts)
    typed = counts.get(RDF + "type", 0) - len({form.property for form in forms.values()})  # properties have a type
    kind = own if counts.get(own, 0) > typed else RDF + "type"
    small = len(counts) <= MANY_PREDICATES
    shapes = _Shapes(ask, kind) if small else None
    by_qualifier = read_qualified(ask, forms, counts)
    claimed = dict.fromkeys(claim for claims in by_qualifier.values() for claim in claims)
    qualified = {
        q: "qualifies " + ", ".join(names.get(p) or local_name(p) for p in claims) for q, claims in by_qualifier.items()
    }
    predicates = tuple(
        _predicate(
            ask, p, n, names, shapes, forms.get(p), qualified.get(p, ""),
            sampled=small and position < SAMPLED_PREDICATES,
        )
        for position, (p, n) in enumerate(counts.items())
    )  # fmt: skip
    qualifiers = {claim: tuple(q for q, claims in by_qualifier.items() if claim in claims) for claim in claimed}
    return RdfSchema(known, _classes(ask, kind, label), predicates, label, kind, sum(counts.values()), qualifiers)


class _Shapes:
    """Domains, ranges and datatypes of all predicates, by one query each."""

    def __init__(self, ask: Ask, kind: str) -> None:
        def count(name: str, pattern: str) -> defaultdict[str, list[str]]:
            return _ranked(ask(f"SELECT ?p ?{name} (COUNT(*) AS ?n) {{ ?s ?p ?o {pattern} }} GROUP BY ?p ?{name}"))

        self.domains = count("c", f". ?s <{kind}> ?c")
        self.ranges = count("c", f". ?o <{kind}> ?c")
        both = ask(
            f"SELECT ?p ?c ?d (COUNT(*) AS ?n) {{ ?s ?p ?o . ?s <{kind}> ?c . ?o <{kind}> ?d }} GROUP BY ?p ?c ?d"
        )
        self.pairs: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for p, c, d, _ in sorted(both, key=lambda row: -_number(row[3])):
            self.pairs[term_text(p)].append((term_text(c), term_text(d)))
        self.datatypes = count("d", "FILTER(isLiteral(?o)) BIND(DATATYPE(?o) AS ?d)")
        self.languages = count("l", 'FILTER(isLiteral(?o) && LANG(?o) != "") BIND(LANG(?o) AS ?l)')


def _predicate(
    ask: Ask,
    iri: str,
    count: int,
    names: Mapping[str, str],
    shapes: _Shapes | None,
    form: PropertyForm | None,
    description: str,
    *,
    sampled: bool,
) -> RdfPredicate:
    samples: tuple[Value, ...] = ()
    if sampled and (form is None or form.form is not Form.CLAIM):  # the ids of statements say nothing
        samples = tuple(row[0] for row in ask(f"SELECT DISTINCT ?o {{ ?s <{iri}> ?o }} LIMIT 5"))
    shape: dict[str, Any] = {}
    if shapes is not None:
        shape = {
            "domains": tuple(shapes.domains[iri]),
            "ranges": tuple(shapes.ranges[iri]),
            "pairs": tuple(shapes.pairs[iri]),
            "datatype": next(iter(shapes.datatypes[iri]), None),
            "languages": tuple(shapes.languages[iri]),
        }
    return RdfPredicate(
        iri=iri,
        label=names.get(iri) or local_name(iri),
        count=count,
        **shape,
        samples=samples,
        description=description,
        form=form.form if form else "",
        property=form.property if form else "",
    )


def _classes(ask: Ask, kind: str, label: str) -> tuple[RdfClass, ...]:
    counted = list(ask(f"SELECT ?c (COUNT(?s) AS ?n) {{ ?s <{kind}> ?c }} GROUP BY ?c ORDER BY DESC(?n) LIMIT 300"))
    names: dict[str, str] = {}
    listed = " ".join(f"<{term_text(c)}>" for c, _ in counted if isinstance(c, Iri))
    for c, text in ask(f"SELECT ?c ?l {{ VALUES ?c {{ {listed} }} ?c <{label}> ?l }}") if listed else ():
        if isinstance(text, Literal) and (text.lang in (None, "en") or term_text(c) not in names):
            names[term_text(c)] = text.value
    return tuple(
        RdfClass(term_text(c), names.get(term_text(c)) or local_name(term_text(c)), _number(n))
        for c, n in counted
        if isinstance(c, Iri)
    )


def _labels(ask: Ask, counts: Mapping[str, int], label: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for batch in _batches(list(counts), 200):
        listed = " ".join(f"<{p}>" for p in batch)
        for p, text in ask(f"SELECT ?p ?l {{ VALUES ?p {{ {listed} }} ?p <{label}> ?l }}"):
            if isinstance(text, Literal) and (text.lang in (None, "en") or term_text(p) not in found):
                found[term_text(p)] = text.value
    return found


def read_values(ask: Ask, schema: RdfSchema) -> Iterator[Entry]:
    """Labels and other names of entities, then short literals of other predicates."""
    described = " ".join(f"<{d}>" for d in DESCRIPTIONS)
    kinds = dict(_first(ask(f"SELECT ?s ?c {{ ?s <{schema.type_predicate}> ?c }}")))
    notes = dict(_first(ask(f"SELECT ?s ?d {{ VALUES ?p {{ {described} }} ?s ?p ?d }}")))
    class_names = {c.iri: c.label for c in schema.classes}
    properties = {p.property for p in schema.predicates}
    naming = (schema.label_predicate, *ALIASES, *(p for p in LABELS if p != schema.label_predicate))
    for predicate in naming:
        for entity, text in ask(f"SELECT ?s ?l {{ ?s <{predicate}> ?l FILTER(isLiteral(?l)) }}"):
            if not isinstance(entity, Iri) or not isinstance(text, Literal) or len(text.value) > LONGEST_LABEL:
                continue
            if entity.value in properties or entity.value.startswith(WIKIDATA["wd"] + "P"):
                continue
            kind = kinds.get(entity.value, "")
            description = notes.get(entity.value) or class_names.get(kind, "")
            yield entity, text.value, Place(kind, predicate), description[:160]
    skipped = " ".join(f"<{p}>," for p in (*naming, *DESCRIPTIONS)).rstrip(",")
    for predicate_iri, value in ask(
        f"SELECT DISTINCT ?p ?o {{ ?s ?p ?o FILTER(isLiteral(?o) && ?p NOT IN ({skipped}) && "
        f'(DATATYPE(?o) = <{COMMON["xsd"]}string> || LANG(?o) != "") && STRLEN(STR(?o)) <= {LONGEST_LABEL}) }}'
    ):
        if isinstance(value, Literal):
            yield value, value.value, Place("", term_text(predicate_iri)), ""


def probe_forms(probe: Callable[[Sequence[str]], list[Match]], terms: Sequence[str]) -> list[Match]:
    """Matches of `terms`; of several words that name nothing as they stand, also in the singular.

    Presidents of the United States, where the graph has a president.
    """
    found = probe(terms)
    exact = {m.term for m in found if m.score >= 1.0}
    singular = {one: t for t in terms if t not in exact and " " in t for one in _singular(t)}
    named = [m for m in probe(list(singular)) if m.score >= 1.0] if singular else []
    return [replace(m, term=singular[m.term], score=SINGULAR) for m in named] + found


def in_english_first(matches: Sequence[Match], ask: Ask, label: str) -> list[Match]:
    """Matches, those lowered by which a name means one thing in English and another in a foreign language.

    Titan is a moon, and German for titanium.
    """
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for m in matches:
        if m.score >= 1.0 and isinstance(m.value, Iri) and m.place.field == label:
            meant[m.term].add(m.value.value)
    unsure = sorted({iri for iris in meant.values() if len(iris) > 1 for iri in iris})
    if not unsure:
        return list(matches)
    listed = " ".join(f"<{iri}>" for iri in unsure)
    rows = ask(f'SELECT ?e ?l {{ VALUES ?e {{ {listed} }} ?e <{label}> ?l FILTER(LANG(?l) = "en" || LANG(?l) = "") }}')
    english: defaultdict[str, set[str]] = defaultdict(set)
    for entity, text in rows:
        english[fold(term_text(text))].add(term_text(entity))

    def foreign(m: Match) -> bool:
        known = english[fold(m.term)]
        return bool(known & meant[m.term]) and m.place.field == label and term_text(m.value) in meant[m.term] - known

    return [replace(m, score=FOREIGN) if foreign(m) else m for m in matches]


def _singular(term: str) -> Iterator[str]:
    words = term.split()
    for position, word in enumerate(words):
        if len(word) > 4 and word.endswith("s") and not word.endswith("ss"):
            yield " ".join([*words[:position], word[:-1], *words[position + 1 :]])


def local_name(iri: str) -> str:
    """The last part of an IRI, words apart."""
    name = re.split(r"[#/:]", iri.rstrip("/#"))[-1]
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)


def _first(rows: Iterable[tuple[Value, ...]]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for subject, value in rows:
        key = term_text(subject)
        if key not in seen:
            seen.add(key)
            yield key, term_text(value)


def _ranked(rows: Iterable[tuple[Value, ...]]) -> defaultdict[str, list[str]]:
    counted = sorted(
        ((term_text(p), term_text(c), _number(n)) for p, c, n in rows if c is not None), key=lambda r: -r[2]
    )
    ranked: defaultdict[str, list[str]] = defaultdict(list)
    for predicate, value, _ in counted:
        ranked[predicate].append(value)
    return ranked


def _batches(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _number(value: Value) -> int:
    return int(term_text(value))

"""The context of an RDF graph: prefixes, query forms, linked entities and their predicates (paper, appendix A.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from core.grounding.entities import INVERSE
from core.results import Grounding, Iri, Literal, Match, SchemaLink, SourceCard, term_text
from core.sources.base import RdfPredicate, RdfSchema
from core.sources.prefixes import Shortener
from core.stages.contexts.shared import LINKED_VALUES, Context, fitting, one_line, sample, size_of
from core.stages.contexts.statements import Statements

SMALL_ONTOLOGY = 120
MOST_CLASSES = 40
PREDICATES_SHARE = 0.7
"""The predicates of the entities take at most this part of what the preamble leaves where an ontology follows."""
VOCABULARY = ("http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
"""What a graph says of its own classes and predicates is not what it is about."""

FORMS = """Query forms (for the words in capitals put entities, classes and predicates as they are written below):
  SELECT ?x ?label WHERE { ENTITY PREDICATE ?x . ?x rdfs:label ?label }
  SELECT ?value WHERE { ENTITY PREDICATE ?value }   # a number, date or text has no label
  SELECT ?x ?label WHERE { ?x PREDICATE ENTITY . ?x rdfs:label ?label }
  SELECT ?value WHERE { ENTITY PREDICATE ?y . ?y PREDICATE2 ?value }
  ASK WHERE { ENTITY PREDICATE ENTITY2 }
  SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x PREDICATE ENTITY }
  SELECT ?g (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x PREDICATE ?g } GROUP BY ?g
  SELECT ?x ?label WHERE { ?x a CLASS ; rdfs:label ?label ; PREDICATE ?v . FILTER(?v > 10) }
  SELECT ?x ?label WHERE { ?x a CLASS ; rdfs:label ?label ; PREDICATE ?v } ORDER BY DESC(?v) LIMIT 1"""


def rdf_context(card: SourceCard, schema: RdfSchema, grounding: Grounding, budget: int) -> Context:
    """Prefixes and forms, then the topic entities with their predicates, then the ontology of a small graph."""
    short = Shortener(schema.prefixes)
    statements = Statements(schema)
    forms = FORMS.replace(" a CLASS", f" {short(schema.type_predicate)} CLASS")
    forms = forms.replace("rdfs:label", short(schema.label_predicate))
    if statement := statements.form_of_query(short):
        forms += f"\n{statement}"
    labels = _labels(schema, short)
    ontology = list(_ontology(schema, grounding, short, statements))
    # Classes and predicates that a small graph describes as entities stand in its ontology.
    own = {*(c.iri for c in schema.classes), *(p.iri for p in schema.predicates)} if ontology else set()
    topics = [m for m in grounding.entities if isinstance(m.value, Iri) and m.value.value not in own]
    entities = list(_entities(topics, grounding, short))
    links = {iri: found for iri, found in grounding.predicates.items() if iri not in own}
    types = {p.iri: p.datatype for p in schema.predicates if p.datatype}
    patterns = {iri: list(_patterns(iri, found, short, statements, types)) for iri, found in links.items()}
    every = "\n".join([labels, forms, *entities, *(line for lines in patterns.values() for line in lines), *ontology])
    prefixes = [f"PREFIX {p}: <{iri}>" for p, iri in schema.prefixes.items() if _uses(every, p)]
    head = [f"Knowledge graph: {card.title}", *prefixes, labels, forms, *entities]
    room = budget - size_of(head)
    candidates = _candidates(patterns, room if not ontology else int(room * PREDICATES_SHARE))
    kept = fitting(ontology, room - size_of(candidates))
    return Context("\n".join([*head, *candidates, *(kept if len(kept) > 1 else ())]))


def _uses(text: str, prefix: str) -> bool:
    return bool(re.search(rf"(?<![\w:]){re.escape(prefix)}:\w", text))


def _labels(schema: RdfSchema, short: Shortener) -> str:
    where = f"Labels are at {short(schema.label_predicate)}"
    languages = next((p.languages for p in schema.predicates if p.iri == schema.label_predicate), ())
    if len(languages) < 2:
        return f"{where}."
    first = "en" if "en" in languages else languages[0]
    return f'{where} in {", ".join(languages[:6])}; for one language add FILTER(LANG(?label) = "{first}").'


def _entities(topics: Sequence[Match], grounding: Grounding, short: Shortener) -> Iterator[str]:
    if topics:
        yield "Topic entities:"
        for match in topics:
            about = f", {one_line(match.description)}" if match.description else ""
            yield f'  {short(term_text(match.value))} ("{one_line(match.label)}"{about}) for "{one_line(match.term)}"'
    literals = [m for m in grounding.values if isinstance(m.value, Literal)][:LINKED_VALUES]
    for match in literals:
        yield f'  literal {sample(match.value)} at {short(match.place.field)} for "{one_line(match.term)}"'


def _candidates(patterns: Mapping[str, Sequence[str]], room: int) -> list[str]:
    """Each entity's predicates, best first; where there is no room for all, each entity keeps its best."""
    head = "Candidate predicates of each entity, best first:"
    turns = [line for turn in zip_longest(*patterns.values()) for line in turn if line is not None]
    kept = set(fitting(turns, room - len(head) - 1))
    return [head, *(line for own in patterns.values() for line in own if line in kept)] if kept else []


def _patterns(
    iri: str, links: Sequence[SchemaLink], short: Shortener, statements: Statements, types: Mapping[str, str]
) -> Iterator[str]:
    entity = short(iri)
    for link in links:
        predicate, inverse = link.place.field, link.place.owner == INVERSE
        if statements.is_told(predicate):
            continue
        if statements.holds(predicate):
            yield from statements.patterns(entity, predicate, one_line(link.label), short, inverse=inverse)
        else:
            shown = f"?x {short(predicate)} {entity}" if inverse else f"{entity} {short(predicate)} ?x"
            kind = "" if inverse else types.get(predicate, "")
            yield f"  {shown}   # {one_line(link.label)}{f', {short(kind)}' if kind else ''}"


def _ontology(schema: RdfSchema, grounding: Grounding, short: Shortener, statements: Statements) -> Iterator[str]:
    told = (schema.label_predicate, schema.type_predicate)
    own = [p for p in schema.predicates if p.iri not in told and not statements.is_inside(p.iri)]
    own = [p for p in own if not statements.is_told(p.iri)]
    if len(own) > SMALL_ONTOLOGY:
        return
    linked = {e.place.owner for e in grounding.elements} | {e.place.field for e in grounding.elements}
    yield "Classes:"
    classes = [c for c in schema.classes if not c.iri.startswith(VOCABULARY)]
    for item in sorted(classes, key=lambda c: c.iri not in linked)[:MOST_CLASSES]:
        yield f"  {short(item.iri)}   # {one_line(item.label)}, {item.count}"
    yield "Predicates (subject class -> object):"
    for predicate in sorted(own, key=lambda p: p.iri not in linked):
        yield _declared(predicate, statements, short) + statements.remark(predicate.iri, short)


def _declared(predicate: RdfPredicate, statements: Statements, short: Shortener) -> str:
    held = statements.value_of(predicate)
    subject = " | ".join(short(d) for d in predicate.domains[:3]) or "?"
    value = " | ".join(short(r) for r in held.ranges[:3]) or (short(held.datatype) if held.datatype else "literal")
    samples = ", ".join(sample(s) for s in held.samples[:2] if isinstance(s, Literal))
    examples = f", e.g. {samples}" if samples else ""
    path = f"{short(predicate.iri)}{statements.reaches(predicate, short)}"
    return f"  {path}: {subject} -> {value}   # {one_line(predicate.label)}{examples}"

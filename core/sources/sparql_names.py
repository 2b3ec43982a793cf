"""Why a SPARQL query may have found nothing: names that the graph does not have, or not so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from core.results import Iri, Literal, Match, Value, term_text
from core.sources.base import RdfPredicate, RdfSchema
from core.sources.guards.sparql import patterns_of
from core.sources.prefixes import Shortener
from core.sources.values import fold

Ask = Callable[[str], Iterable[tuple[Value, ...]]]
Probe = Callable[[Sequence[str]], Sequence[Match]]

COMPLETE = 5_000
"""A schema with fewer predicates lists all that the graph has."""
MOST_CHECKED = 6
NUMERIC = ("integer", "decimal", "double", "float", "int", "long", "nonNegativeInteger")
TEMPORAL = ("date", "dateTime", "gYear", "gYearMonth")
DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*):\s*<([^>]*)>", re.IGNORECASE)
TEXTUAL = re.compile(r"\b(?:CONTAINS|STRSTARTS|STRENDS|REGEX|LCASE|UCASE)\s*\(\s*(?:LCASE\s*\(\s*)?\?(\w+)\b", re.I)
TEXTS = re.compile(r""" "((?:\\.|[^"\\\n])+)" | '((?:\\.|[^'\\\n])+)' """, re.VERBOSE)


def name_hints(text: str, schema: RdfSchema, ask: Ask, probe: Probe) -> Iterator[str]:
    """Wrong prefixes, unknown predicates, classes and entities, wrong directions and types, each with what is there."""
    shorten = Shortener(schema.prefixes)
    for name, iri in DECLARED.findall(text):
        if schema.prefixes.get(name, iri) != iri:
            right = schema.prefixes[name]
            yield f"{name}: is declared as <{iri}>, but here it is <{right}>. Leave the declaration out."
            return
    if re.search(r"\bGRAPH\s+[?<\w]", text, re.IGNORECASE):
        yield "This source has one graph without a name: write the patterns without GRAPH."
    patterns = patterns_of(text)
    known = {p.iri: p for p in schema.predicates}
    unknown = list(_unknown_predicates(patterns, schema, shorten))
    yield from unknown
    yield from _unknown_things(patterns, schema, ask, probe, shorten)
    if not unknown:
        yield from _reversed(patterns, known, schema.type_predicate, ask, shorten)
    yield from _types(text, patterns, known, shorten)
    yield from _capitals(text, probe)


def _unknown_predicates(
    patterns: Sequence[tuple[Any, Any, Any]], schema: RdfSchema, shorten: Callable[[str], str]
) -> Iterator[str]:
    known = {p.iri for p in schema.predicates}
    if len(known) >= COMPLETE:
        return
    names = {key: shorten(p.iri) for p in schema.predicates for key in (p.label, shorten(p.iri))}
    for iri in dict.fromkeys(i for _, p, _ in patterns for i in _iris_of(p)):
        if iri not in known:
            yield f"No predicate {shorten(iri)} here.{_nearest(iri, names, shorten)}"


def _unknown_things(
    patterns: Sequence[tuple[Any, Any, Any]],
    schema: RdfSchema,
    ask: Ask,
    probe: Probe,
    shorten: Callable[[str], str],
) -> Iterator[str]:
    """Classes and entities that stand nowhere in the graph."""
    classes = {str(o) for _, p, o in patterns if str(p) == schema.type_predicate and _is_iri(o)}
    named = dict.fromkeys(str(t) for s, _, o in patterns for t in (s, o) if _is_iri(t))
    things = list(named)[:MOST_CHECKED]
    if not things:
        return
    listed = " ".join(f"<{t}>" for t in things)
    exists = "FILTER(EXISTS { ?e ?p ?o } || EXISTS { ?s ?q ?e })"
    there = {term_text(row[0]) for row in ask(f"SELECT ?e {{ VALUES ?e {{ {listed} }} {exists} }}")}
    for iri in things:
        if iri in there:
            continue
        if iri in classes:
            known = {c.label: shorten(c.iri) for c in schema.classes}
            yield f"No class {shorten(iri)} here.{_nearest(iri, known, shorten) or _all(known.values())}"
            continue
        near = [m for m in probe([_spoken(iri)]) if isinstance(m.value, Iri)][:3]
        said = ", ".join(dict.fromkeys(f"{shorten(term_text(m.value))} ({m.label})" for m in near))
        yield f"{shorten(iri)} stands nowhere in this graph.{f' Nearest: {said}.' if said else ''}"


def _reversed(
    patterns: Sequence[tuple[Any, Any, Any]],
    known: Mapping[str, RdfPredicate],
    kind: str,
    ask: Ask,
    shorten: Callable[[str], str],
) -> Iterator[str]:
    """Edges that exist in the other direction only, and those that never start at such a thing."""
    for s, p, o in patterns[:MOST_CHECKED]:
        if str(p) not in known or not (_is_iri(s) or _is_iri(o)) or str(p) == kind:
            continue
        thing = str(s) if _is_iri(s) else str(o)
        out, into = f"<{thing}> <{p}> ?x", f"?x <{p}> <{thing}>"
        written, other = (out, into) if _is_iri(s) else (into, out)
        if not _any(ask, written) and _any(ask, other):
            shown = other.replace(f"<{thing}>", shorten(thing)).replace(f"<{p}>", shorten(str(p)))
            yield f"The edge goes the other way: {shown}."
        elif _is_iri(s) and (domains := known[str(p)].domains) and not _any(ask, out):
            classes = " ".join(f"<{d}>" for d in domains)
            if not _any(ask, f"VALUES ?x {{ {classes} }} <{thing}> <{kind}> ?x"):
                begins = ", ".join(shorten(d) for d in domains[:3])
                yield f"{shorten(str(p))} leads from {begins}, and {shorten(thing)} is none."


def _types(
    text: str,
    patterns: Sequence[tuple[Any, Any, Any]],
    known: Mapping[str, RdfPredicate],
    shorten: Callable[[str], str],
) -> Iterator[str]:
    """Dates compared with numbers or plain texts, and things compared as if they were texts."""
    textual = set(TEXTUAL.findall(text))
    starts = {str(s): p for s, p, _ in patterns}
    for _, p, o in patterns:
        predicate = known.get(str(p))
        if predicate is None:
            continue
        kind = (predicate.datatype or "").rpartition("#")[2]
        variable = str(o) if type(o).__name__ == "Variable" else ""
        compared = variable and re.search(rf"\?{variable}\s*\)?\s*[<>=!]|[<>=]\s*\?{variable}\b", text)
        literal = type(o).__name__ == "Literal" and str(o.datatype or "") != predicate.datatype
        if kind in NUMERIC and literal and str(o.datatype or "").rpartition("#")[2] in NUMERIC:
            continue
        if predicate.datatype and not predicate.ranges and variable in starts:
            yield f"?{variable} is a value of {shorten(predicate.iri)} and has no {shorten(str(starts[variable]))}."
        elif kind in TEMPORAL and (compared or literal):
            example = next((s.value for s in predicate.samples if isinstance(s, Literal)), "2001")
            yield (
                f'{shorten(predicate.iri)} holds values such as "{example}"^^xsd:{kind}, which are no plain numbers or '
                f'texts. Compare FILTER(YEAR(?{variable or "x"}) = 2001), or with "{example}"^^xsd:{kind}.'
            )
        elif kind in NUMERIC and (literal or (variable and _beside_text(variable, text))):
            yield f"{shorten(predicate.iri)} holds numbers: write them without quotes."
        elif type(o).__name__ == "Literal" and predicate.ranges and not predicate.datatype:
            name = shorten(predicate.iri)
            yield f"{name} leads to things and not to texts: {name} ?x . ?x rdfs:label ?l."
        elif variable in textual and predicate.ranges and not predicate.datatype:
            yield f"?{variable} is a thing and holds no text. Compare its label: ?{variable} rdfs:label ?l."


def _beside_text(variable: str, query: str) -> bool:
    """Whether a variable is compared with a text in quotes that has no type."""
    return bool(re.search(rf"""\?{variable}\s*(?:[<>]=?|!?=)\s*["'][^"']*["'](?!\^\^)""", query))


def _capitals(text: str, probe: Probe) -> Iterator[str]:
    """Texts that are stored with other capitals."""
    body = DECLARED.sub("", text)
    for quoted in list(TEXTS.finditer(body))[:MOST_CHECKED]:
        wanted = quoted[1] or quoted[2]
        if len(wanted) < 3 or "LCASE" in body.upper():
            continue
        labels = dict.fromkeys(m.label for m in probe([wanted]))
        if any(wanted in label for label in labels):
            continue
        near = [label for label in labels if fold(wanted) in fold(label)][:3]
        if near:
            said = ", ".join(f'"{label}"' for label in near)
            yield f'Capitals count: "{wanted}" is written {said} here. Write it so, or compare LCASE(STR(?x)).'


def _any(ask: Ask, pattern: str) -> bool:
    return any(True for _ in ask(f"SELECT ?x {{ {pattern} }} LIMIT 1"))


def _iris_of(predicate: Any) -> Iterator[str]:
    """The IRIs of a predicate or property path."""
    if _is_iri(predicate):
        yield str(predicate)
    for part in getattr(predicate, "args", ()) or ():
        yield from _iris_of(part)
    if hasattr(predicate, "arg") or hasattr(predicate, "path"):
        yield from _iris_of(getattr(predicate, "arg", None) or getattr(predicate, "path", None))


def _is_iri(term: Any) -> bool:
    return type(term).__name__ == "URIRef"


def _nearest(iri: str, known: Mapping[str, str], shorten: Callable[[str], str]) -> str:
    """The nearest names, by the words of a label or by the letters of the name."""
    folded = {key.casefold(): name for key, name in known.items()}
    wanted = (_spoken(iri).casefold(), shorten(iri).casefold())
    close = [name for form in wanted for name in get_close_matches(form, list(folded), n=2, cutoff=0.55)]
    names = list(dict.fromkeys(folded[c] for c in close))[:3]
    return f" Nearest: {', '.join(names)}." if names else ""


def _all(names: Iterable[str]) -> str:
    return f" There are: {', '.join(list(names)[:8])}."


def _spoken(iri: str) -> str:
    """The last part of an IRI as words."""
    name = re.split(r"[#/:]", iri.rstrip("/#"))[-1]
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", name).strip() or name

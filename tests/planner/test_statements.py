"""Questions to answers over a graph in Wikidata's statement form, under namespaces of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.grounding.link import ground
from core.planner import plan
from core.planner.qualifiers import Asked, Period, Role, asked_of
from core.results import Iri, Kind, Language, Literal, NativeQuery, Origin, Rows, SourceCard, Truth
from core.settings import Settings
from core.sources.base import Limits, Source
from core.sources.rdf import RdfSource

NAMES = {
    "P1": "instance of", "P2": "award received", "P3": "position held", "P4": "point in time", "P5": "start time",
    "P6": "end time", "P7": "together with", "P8": "replaces", "P9": "replaced by", "P10": "series ordinal",
    "P11": "crew size", "P12": "part of", "P13": "country of citizenship", "P14": "member of sports team",
    "P15": "number of matches played", "P16": "date of birth",
}  # fmt: skip
ITEMS = {
    "Q1": ("human", ""), "Q2": ("prize", ""), "Q3": ("public office", ""), "Q4": ("country", ""), "Q5": ("sports club", ""),
    "Q10": ("Golden Anchor", "Q2"), "Q11": ("Golden Anchor for Navigation", "Q2"), "Q12": ("Golden Anchor for Rescue", "Q2"),
    "Q20": ("Harbourmaster of Ostrel", "Q3"), "Q30": ("Ostrel", "Q4"), "Q31": ("Vellmark", "Q4"),
    "Q40": ("Ostrel Rovers", "Q5"), "Q41": ("Vellmark Town", "Q5"),
    "Q50": ("Ada Thorne", "Q1"), "Q51": ("Bert Quill", "Q1"), "Q52": ("Cora Lund", "Q1"), "Q53": ("Dov Marsh", "Q1"),
}  # fmt: skip
FACTS = [
    ("Q50", "P2", "Q11", {"P4": 1950, "P7": "Q51"}), ("Q51", "P2", "Q11", {"P4": 1950, "P7": "Q50"}),
    ("Q50", "P2", "Q12", {"P4": 1963}), ("Q52", "P2", "Q11", {"P4": 1971}),
    ("Q50", "P3", "Q20", {"P5": 1940, "P6": 1952, "P9": "Q51", "P10": "1"}),
    ("Q51", "P3", "Q20", {"P5": 1952, "P6": 1960, "P8": "Q50", "P9": "Q52", "P10": "2", "P11": 12}),
    ("Q52", "P3", "Q20", {"P5": 1960, "P8": "Q51", "P10": "3", "P11": 30}),
    ("Q50", "P13", "Q30", {}), ("Q51", "P13", "Q31", {}), ("Q52", "P13", "Q31", {}),
    ("Q11", "P12", "Q10", {}), ("Q12", "P12", "Q10", {}),
    ("Q53", "P14", "Q40", {"P5": 1990, "P6": 1994, "P15": 70}), ("Q53", "P14", "Q41", {"P5": 1994, "P15": 21}),
    ("Q52", "P14", "Q41", {"P5": 1955, "P6": 1958, "P15": 44}),
    ("Q50", "P16", 1912, {}),
]  # fmt: skip
CASES = [
    ("a qualifier of a named statement", "When did Ada Thorne win the Golden Anchor for Rescue?", [1963]),
    ("a value named by what it belongs to", "In which years did Ada Thorne win a Golden Anchor?", [1950, 1963]),
    ("a year narrows", "Who won the Golden Anchor for Navigation in 1971?", ["Cora Lund"]),
    ("since holds the year", "Who won the Golden Anchor for Navigation since 1971?", ["Cora Lund"]),
    ("before leaves it out", "Who won the Golden Anchor for Navigation before 1971?", ["Ada Thorne", "Bert Quill"]),
    ("a term of office holds the years between", "Who was harbourmaster of Ostrel in 1945?", ["Ada Thorne"]),
    ("an open term lasts", "Who was Harbourmaster of Ostrel in 1999?", ["Cora Lund"]),
    ("what has not ended is now", "Who is the harbourmaster of Ostrel?", ["Cora Lund"]),
    ("who came before", "Who was harbourmaster of Ostrel before Cora Lund?", ["Bert Quill"]),
    ("who came after", "Who succeeded Ada Thorne as harbourmaster of Ostrel?", ["Bert Quill"]),
    ("who was replaced", "Whom did Bert Quill replace?", ["Ada Thorne"]),
    ("a number in a series", "Who was the 2nd harbourmaster of Ostrel?", ["Bert Quill"]),
    ("the first in time", "Who was the first to win the Golden Anchor for Rescue?", ["Ada Thorne"]),
    ("the last in time", "Who won the Golden Anchor for Navigation most recently?", ["Cora Lund"]),
    ("with whom", "With whom did Ada Thorne share the Golden Anchor for Navigation?", ["Bert Quill"]),
    ("with whom, the value left open", "With whom did Bert Quill share the prize?", ["Ada Thorne"]),
    ("the value is asked for", "Which prize did Ada Thorne win in 1963?", ["Golden Anchor for Rescue"]),
    ("a qualifier by its own name", "How many matches did Dov Marsh play for Ostrel Rovers?", [70]),
    ("the most of a number", "Who played the most matches for Vellmark Town?", ["Cora Lund"]),
    ("statements are counted", "How many people won the Golden Anchor for Navigation in 1950?", [2]),
    ("another name narrows the answer", "Who from Vellmark won the Golden Anchor for Navigation in 1950?", ["Bert Quill"]),
    ("who has most", "Who won the most Golden Anchors?", ["Ada Thorne"]),
    ("the most of all", "Who played the most matches?", ["Dov Marsh"]),
    ("shared with nobody", "With whom did Cora Lund share the Golden Anchor for Navigation?", []),
    ("all that were, not only what holds", "Which sports clubs did Dov Marsh play for?", ["Ostrel Rovers", "Vellmark Town"]),
    ("nobody did", "Who won the Golden Anchor for Rescue in 2001?", []),
    ("no such statement", "When did Cora Lund win the Golden Anchor for Rescue?", []),
    ("another of the same words is not meant", "When did Bert Quill win the Golden Anchor for Rescue?", []),
    ("yes, in that year", "Did Ada Thorne win the Golden Anchor for Rescue in 1963?", True),
    ("not in that year", "Did Ada Thorne win the Golden Anchor for Rescue in 1950?", False),
    ("never", "Did Cora Lund win the Golden Anchor for Rescue?", False),
    ("no qualifier is asked for", "When was Ada Thorne born?", [1912]),
]  # fmt: skip


def _turtle(root: str, *, linked: bool) -> str:
    """The graph under `root`; `linked` property entities name their predicates, as Wikidata's do."""
    direct, claim, value, qualifier = (f"{root}prop/{part}" for part in ("direct/", "", "statement/", "qualifier/"))
    lines = [
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix wikibase: <http://wikiba.se/ontology#> .",
        f"@prefix e: <{root}entity/> . @prefix s: <{root}entity/statement/> . @prefix d: <{direct}> .",
        f"@prefix c: <{claim}> . @prefix v: <{value}> . @prefix q: <{qualifier}> .",
    ]
    for number, label in NAMES.items():
        forms = f" ; wikibase:directClaim d:{number} ; wikibase:claim c:{number}" if linked else ""
        forms += f" ; wikibase:statementProperty v:{number} ; wikibase:qualifier q:{number}" if linked else ""
        lines.append(f'e:{number} a wikibase:Property ; rdfs:label "{label}"@en{forms} .')
    facts = [(item, "P1", of, {}) for item, (_, of) in ITEMS.items() if of] + FACTS
    lines += [f'e:{item} rdfs:label "{label}"@en .' for item, (label, _) in ITEMS.items()]
    for n, (subject, number, end, qualifiers) in enumerate(facts):
        extra = "".join(f" ; q:{q} {_term(x)}" for q, x in qualifiers.items())
        lines.append(
            f"e:{subject} d:{number} {_term(end)} ; c:{number} s:n{n} . s:n{n} v:{number} {_term(end)}{extra} ."
        )
    return "\n".join(lines)


def _term(value: object) -> str:
    if isinstance(value, int):
        kind = "gYear" if value > 1000 else "integer"
        return f'"{value}"^^<http://www.w3.org/2001/XMLSchema#{kind}>'
    return f"e:{value}" if str(value).startswith("Q") else f'"{value}"'


@pytest.fixture(scope="module", params=["own", "wikidata"])
def harbour(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, planner_settings: Settings
) -> Iterator[Source]:
    """The graph under names of its own, and under Wikidata's without links from property entities."""
    own = request.param == "own"
    path: Path = tmp_path_factory.mktemp("harbour") / f"{request.param}.ttl"
    path.write_text(_turtle("http://example.org/" if own else "http://www.wikidata.org/", linked=own))
    card = SourceCard(f"harbour-{request.param}", Kind.RDF, "oxigraph", Language.SPARQL, "Harbour", "")
    source = RdfSource(card, path, planner_settings, Limits())
    yield source
    source.close()


@pytest.mark.parametrize(("question", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_statements(harbour: Source, question: str, wanted: list[object] | bool) -> None:
    made = plan(question, harbour, ground(question, harbour))
    payload = harbour.run(NativeQuery(harbour.card.id, Language.SPARQL, made.text, Origin.GENERATED)).payload
    if isinstance(payload, Truth):
        assert payload.value is wanted
        return
    assert isinstance(payload, Rows) and isinstance(wanted, list)
    got = [_plain(row[1] if isinstance(row[0], Iri) else row[0]) for row in payload.items]
    assert sorted(map(str, got)) == sorted(map(str, wanted))


def _plain(value: object) -> object:
    return value.value if isinstance(value, Literal) else value


ASKED = [
    ("when, and as a fallback from when to when", "When was it?", Asked(roles=(Role.AT, Role.START, Role.END), past=True)),
    ("the end alone", "When did it end?", Asked(roles=(Role.END,), past=True)),
    ("a decade", "Who won it in the 1960s?", Asked(period=Period("1960", "1969", within=True), past=True)),
    ("a day", "Who was it on 8 May 1945?", Asked(period=Period("1945-05-08", "1945-05-08"), past=True)),
    ("a day the American way", "Who was it on May 8, 1945?", Asked(period=Period("1945-05-08", "1945-05-08"), past=True)),
    ("after a year", "Who won it after 1999?", Asked(period=Period("2000", ""), past=True)),
    ("a span", "Who held it between 1914 and 1918?", Asked(period=Period("1914", "1918", within=True))),
    ("most recently is no most", "Who won it most recently?", Asked(order="DESC", past=True)),
    ("a comparison is beyond it", "Who is the oldest?", Asked(beyond=True)),
    ("before a year is no predecessor", "Who was it before 1950?", Asked(period=Period("", "1949"), past=True)),
]  # fmt: skip


@pytest.mark.parametrize(("question", "wanted"), [c[1:] for c in ASKED], ids=[c[0] for c in ASKED])
def test_what_is_asked(question: str, wanted: Asked) -> None:
    got = asked_of(question, ())
    parts = ("roles", "period", "order", "most", "ordinal", "beyond", "past")
    assert {p: getattr(got, p) for p in parts} == {p: getattr(wanted, p) for p in parts}


def test_a_year_within_a_name_is_no_period() -> None:
    assert asked_of("Which city hosted the 1992 Summer Games?", ("1992 Summer Games",)).period is None

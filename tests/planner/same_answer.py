"""Whether the planner's query gives what a query written by hand gives, or refuses by name."""

from __future__ import annotations

import pytest

from core.errors import CannotLink
from core.grounding.link import ground
from core.planner import plan
from core.results import Iri, Literal, NativeQuery, Origin, Rows, Truth
from core.sources.base import Source

GEO = (
    "PREFIX geo: <http://example.org/geo/> PREFIX place: <http://example.org/place/>"
    " PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>"
)
CINE = "PREFIX cine: <http://example.org/cinema/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>"


def assert_same(source: Source, question: str, gold: str) -> None:
    """As many rows as the query by hand gives, each with all its cells, whatever stands beside them."""
    made = plan(question, source, ground(question, source))
    got, wanted = _cells(source, made.text, Origin.GENERATED), _cells(source, gold, Origin.GIVEN)
    assert len(got) == len(wanted), made.text
    for row in wanted:
        assert any(row <= other for other in got), (row, made.text)


def assert_refused(source: Source, question: str, named: str) -> None:
    """No query is written, and the reason names what is missing."""
    with pytest.raises(CannotLink) as caught:
        plan(question, source, ground(question, source))
    assert named in caught.value.message


def _cells(source: Source, text: str, origin: Origin) -> list[set[str]]:
    payload = source.run(NativeQuery(source.card.id, source.card.language, text, origin)).payload
    if isinstance(payload, Truth):
        return [{str(payload.value)}]
    assert isinstance(payload, Rows)
    return [{_plain(cell) for cell in row} for row in payload.items]


def _plain(cell: object) -> str:
    text = str(cell.value if isinstance(cell, Iri | Literal) else cell)
    return f"{float(text):.6g}" if text.replace(".", "", 1).isdigit() else text

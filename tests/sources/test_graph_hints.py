"""What a graph says of a Cypher query that runs and finds nothing, or that it can't read: on real sample graphs."""

from __future__ import annotations

import pytest

from core.errors import OmniError
from core.results import NativeQuery, Origin, Returned
from core.sources.catalog import Catalog
from core.sources.graph_hints import unjoined
from core.sources.guards.cypher import check_cypher

pytestmark = pytest.mark.slow


def run(samples: Catalog, source_id: str, text: str) -> Returned:
    source = samples[source_id]
    return source.run(NativeQuery(source_id, source.card.language, text, Origin.GIVEN))


EMPTY = [
    ("label in another case", "film_graph", "MATCH (f:film) RETURN f.title", "Did you mean 'Film'?"),
    ("label that is not there", "film_graph", "MATCH (f:Movie) RETURN f.title", "No label 'Movie'"),
    ("type in another case", "film_graph", "MATCH (:Person)-[:directed]->(f) RETURN f.title", "Did you mean 'DIRECTED'?"),
    ("type with an underscore", "flights", "MATCH (f:Flight)-[:LANDS_AT]->(a) RETURN a.name", "Did you mean 'LANDS AT'?"),
    ("arrow the wrong way", "film_graph", "MATCH (f:Film)-[:DIRECTED]->(p:Person) RETURN p.name", "does not occur"),
    ("property of another label", "film_graph", "MATCH (f:Film) WHERE f.name = 'Alien' RETURN f", "Film has no 'name'. It has title"),
    ("value in another case", "film_graph", "MATCH (f:Film) WHERE f.title = 'alien' RETURN f", "Stored: 'Alien'"),
    ("value in a map", "film_graph", "MATCH (c:Critic {name: 'ylva pemberton'}) RETURN c", "Stored: 'Ylva Pemberton'"),
    ("value in a list", "supply_chain", "MATCH (c:Customer) WHERE c.country IN ['norway'] RETURN c", "Stored: 'Norway'"),
    ("value of another label", "film_graph", "MATCH (f:Film {title: 'Robert De Niro'}) RETURN f", "stands in Person.name"),
    ("number as text", "film_graph", "MATCH (f:Film) WHERE f.year = '1979' RETURN f", "write 1979 without quotes"),
    ("truth as text", "supply_chain", "MATCH (p:Part {hazardous: 'true'}) RETURN p", "write true without quotes"),
    ("date as text", "flights", "MATCH (f:Flight) WHERE f.first_flown = '2017-10-19' RETURN f", "write date('2017-10-19')"),
    ("time as text", "flights", "MATCH (f:Flight) WHERE f.departs = '15:05' RETURN f", "write localtime('15:05')"),
    ("duration as text", "flights", "MATCH (f:Flight) WHERE f.duration = 'PT1H40M' RETURN f", "write duration('PT1H40M')"),
    ("count of nothing", "flights", "MATCH (f:Flight) WHERE f.first_flown > '2020' RETURN count(f)", "is a date"),
    ("property of a relationship", "supply_chain", "MATCH ()-[r:SUPPLIES]->() WHERE r.leadtime > 3 RETURN r", "Did you mean 'lead_time_days'?"),
]  # fmt: skip


@pytest.mark.parametrize(("source_id", "text", "says"), [c[1:] for c in EMPTY], ids=[c[0] for c in EMPTY])
def test_an_empty_result_is_explained_and_doubted(samples: Catalog, source_id: str, text: str, says: str) -> None:
    returned = run(samples, source_id, text)
    assert any(says in note for note in returned.notes), returned.notes
    assert returned.doubtful


UNREADABLE = [
    ("type with a space", "flights", "MATCH (f:Flight)-[:LANDS AT]->(a) RETURN a.name", "`LANDS AT`"),
    ("property with a space", "flights", "MATCH (a:Airline) RETURN a.on-time rate", "`on-time rate`"),
    ("property with a hyphen", "science_graph", "MATCH ()-[w:`WORKED AT`]->() WHERE w.from-year > 1950 RETURN w", "`from-year`"),
]  # fmt: skip


@pytest.mark.parametrize(("source_id", "text", "says"), [c[1:] for c in UNREADABLE], ids=[c[0] for c in UNREADABLE])
def test_a_name_that_wants_backticks_is_named(samples: Catalog, source_id: str, text: str, says: str) -> None:
    with pytest.raises(OmniError) as caught:
        run(samples, source_id, text)
    assert f"Write {says} in backticks" in caught.value.message


FINE = [
    ("film_graph", "MATCH (f:Film) WHERE f.title = 'Alien' RETURN f.year"),
    ("film_graph", "MATCH (f:Film {year: 1979})<-[:DIRECTED]-(p:Person) RETURN p.name"),
    ("flights", "MATCH (f:Flight) WHERE f.first_flown >= date('2020-01-01') RETURN count(f)"),
    ("flights", "MATCH (a:Airport {city: 'Oslo'}), (b:Airport {city: 'Paris'}) WHERE a.elevation_m > b.elevation_m RETURN a"),
    ("flights", "MATCH (a:Airport) WHERE a.location.x > 100 RETURN a.name LIMIT 3"),
    ("supply_chain", "MATCH (c:Customer) WHERE toLower(c.country) CONTAINS 'norw' RETURN count(c)"),
]  # fmt: skip


@pytest.mark.parametrize(("source_id", "text"), FINE)
def test_a_query_that_fits_has_no_remark(samples: Catalog, source_id: str, text: str) -> None:
    returned = run(samples, source_id, text)
    assert not returned.notes and not returned.doubtful


APART = [
    ("MATCH (a:X), (b:Y) RETURN a, b", True),
    ("MATCH (a:X) MATCH (b:Y) RETURN a, b", True),
    ("MATCH (a:X)-[:R]->(b:Y) RETURN a, b", False),
    ("MATCH (a:X)-[:R]->(m), (m)<-[:R]-(b) RETURN a", False),
    ("MATCH (a:X) MATCH (a)-[:R]->(b) RETURN b", False),
    ("MATCH (a:X), (b:Y) WHERE a.k = b.k RETURN a", False),
    ("MATCH (a:X) WITH a MATCH (b:Y) RETURN a, b", False),
    ("MATCH (a:X) RETURN a, [1, 2]", False),
]


@pytest.mark.parametrize(("text", "apart"), APART)
def test_patterns_that_nothing_joins_are_told(text: str, apart: bool) -> None:
    assert bool(unjoined(check_cypher(text))) is apart

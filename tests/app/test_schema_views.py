"""What a source holds as lists and as a picture, from the sample sources of each kind."""

from __future__ import annotations

import pytest

from app.schema_frames import listing_of
from app.schema_picture import MOST, busiest, schema_picture, too_many
from app.source_filter import matches
from app.source_query import starters
from core.results import NativeQuery, Origin
from core.sources.base import TextSchema
from core.sources.catalog import Catalog

PARTS = [
    ("hospital", "admission", "adm_no", "ward"),
    ("countries", "country", "population", "borders"),
    ("laureates", "human", "date of birth", "award received"),
    ("flights", "Flight", "duration", "OPERATES"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("source_id", "name", "own", "other"), PARTS, ids=[p[0] for p in PARTS])
def test_a_part_is_listed_with_its_own_and_found_by_both(
    samples: Catalog, source_id: str, name: str, own: str, other: str
) -> None:
    listing = listing_of(samples[source_id].describe())
    assert listing is not None
    part = next(p for p in listing.parts if p.name == name)
    assert own in [row[0] for row in part.rows]
    assert all(len(p.facts) == len(listing.columns) for p in listing.parts)
    assert all(len(row) == len(listing.detail) for row in part.rows)
    assert part in listing.found(name.upper()) and part in listing.found(own)
    assert any(p.name == other for p in listing.found(other))
    assert listing.found("no such name anywhere") == ()


@pytest.mark.slow
@pytest.mark.parametrize("source_id", [p[0] for p in PARTS])
def test_a_picture_holds_what_fits_and_only_edges_with_two_ends(samples: Catalog, source_id: str) -> None:
    schema = samples[source_id].describe()
    picture = schema_picture(schema)
    assert picture is not None and 1 < len(picture.dots) <= MOST
    assert picture.lines and all(line.start in picture.dots and line.end in picture.dots for line in picture.lines)


@pytest.mark.slow
def test_of_many_tables_those_near_one_are_drawn(samples: Catalog) -> None:
    schema = samples["hospital"].describe()
    assert too_many(schema) and busiest(schema)[0] in ("admission", "staff")
    picture = schema_picture(schema, "pharmacy_stock")
    assert picture is not None and {"pharmacy_stock", "drug", "medication_order"} <= set(picture.dots)
    assert picture.all_dots > len(picture.dots)


@pytest.mark.slow
@pytest.mark.parametrize("source_id", ["films_sql", "hospital", "countries", "laureates", "flights", "handbook"])
def test_every_query_to_begin_with_runs(samples: Catalog, source_id: str) -> None:
    source = samples[source_id]
    given = starters(source.describe(), source.card)
    assert given
    for text in given.values():
        returned = source.run(NativeQuery(source_id, source.card.language, text, Origin.GIVEN))
        assert returned.payload.items


def test_a_corpus_shows_passages_and_no_picture(samples: Catalog) -> None:
    schema = samples["handbook"].describe()
    assert isinstance(schema, TextSchema)
    assert listing_of(schema) is None and schema_picture(schema) is None
    assert len({p.id for p in schema.sample_passages}) == 6 and all(p.text for p in schema.sample_passages)


def test_a_search_looks_in_title_description_and_examples(samples: Catalog) -> None:
    card = samples["clinic"].card
    assert matches(card, "") and matches(card, "CLINIC visits") and matches(card, "laboratory")
    assert matches(card, card.examples[0].split()[-1]) and not matches(card, "clinic telescopes")

"""Others that share the place of what a superlative found, on the sample sources."""

from __future__ import annotations

import pytest

from core.grounding.link import ground
from core.planner import plan
from core.sources.catalog import Catalog
from core.stages.ties import tie_note

SHARED = [
    ("films_sql", "Which film won the most Oscars?", ("Titanic", "Ben-Hur", "The Return of the King")),
    ("countries", "Which country has the most neighbours?", ("China", "Russia")),
    ("film_graph", "Which critic wrote the most reviews?", ("Beatrix Oduya", "Anselm Fairweather")),
]


@pytest.mark.parametrize(("source_id", "question", "names"), SHARED, ids=[s[0] for s in SHARED])
def test_all_who_share_the_first_place_are_named(
    samples: Catalog, source_id: str, question: str, names: tuple[str, ...]
) -> None:
    source = samples[source_id]
    note = tie_note(plan(question, source, ground(question, source)).further, source)
    assert note.startswith("The first place is shared by ")
    assert all(name in note for name in names)


def test_a_clear_first_has_no_note(samples: Catalog) -> None:
    source = samples["countries"]
    for question in ("Which country has the largest area?", "What is the capital of Peru?"):
        assert tie_note(plan(question, source, ground(question, source)).further, source) == ""


def test_the_last_place_of_a_few_counts(samples: Catalog) -> None:
    source = samples["films_sql"]
    question = "top 2 films by Oscars"
    assert tie_note(plan(question, source, ground(question, source)).further, source).startswith(
        "Place 2 is shared by "
    )

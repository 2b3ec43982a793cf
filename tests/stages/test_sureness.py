"""How sure a ranking is, and how many sources are asked for it."""

from __future__ import annotations

import pytest

from core.results import Kind
from core.settings import Settings
from core.sources.catalog import Catalog
from core.stages.select import ProbeSelector
from core.stages.sureness import LEAST, near_best, sureness


def test_confidence_grows_with_margin_and_with_score() -> None:
    close, clear, weak = sureness([0.6, 0.58]), sureness([0.6, 0.2]), sureness([0.3, 0.28])
    assert weak.confidence < close.confidence < clear.confidence < 1
    assert close.margin == pytest.approx(0.02) and sureness([0.6]).margin == pytest.approx(0.6 - LEAST)


CASES = [
    ("one when sure", [("a", Kind.SQL, 0.8), ("b", Kind.RDF, 0.4)], {"a"}),
    ("more when not", [("a", Kind.SQL, 0.8), ("b", Kind.RDF, 0.6), ("c", Kind.TEXT, 0.3)], {"a", "b"}),
    ("a corpus in front rules less out", [("t", Kind.TEXT, 0.8), ("b", Kind.RDF, 0.4), ("u", Kind.TEXT, 0.4)], {"t", "b"}),
    ("nothing", [], set()),
]  # fmt: skip


@pytest.mark.parametrize(("ranked", "near"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_those_near_the_best_are_asked(ranked: list[tuple[str, Kind, float]], near: set[str]) -> None:
    assert near_best(ranked, 0.25) == near


@pytest.mark.slow
def test_one_source_is_asked_where_only_one_holds_the_name(samples: Catalog, tmp_path_factory: object) -> None:
    settings = Settings.load()
    question = "Which airline operates flight HW101?"
    sure = ProbeSelector(settings)(question, samples, 3)
    assert [c.source_id for c in sure.candidates] == ["flights"]
    assert sure.sureness is not None and sure.sureness.confidence > 0.8
    wide = ProbeSelector(Settings(home=settings.home, selection_margin=1.0))("Who directed Ikiru?", samples, 3)
    assert len(wide.candidates) == 3


@pytest.mark.slow
def test_each_part_of_a_question_keeps_its_source(samples: Catalog) -> None:
    question = "How many patients at the clinic take atorvastatin, and do statins help after a heart attack?"
    found = ProbeSelector(Settings.load())(question, samples, 3)
    assert {"clinic", "health_abstracts"} <= {c.source_id for c in found.candidates}

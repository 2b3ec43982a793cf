"""Vectors are made once and kept; a damaged or missing file costs time and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import SourceUnavailable
from core.grounding.cards import card_similarity
from core.grounding.vectors import kept_vectors
from core.results import Kind, Language, SourceCard
from core.settings import Settings
from core.sources.encoder import encode

TEXTS = ["film director", "unit cost", "film director"]


def files(settings: Settings) -> list[Path]:
    return list((settings.home / "cache").glob("vectors-*.sqlite"))


def test_kept_vectors_are_the_encoder_s(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    first, again = kept_vectors(TEXTS, settings), kept_vectors(TEXTS, settings)
    assert np.allclose(first, encode(TEXTS, settings), atol=1e-5)
    assert np.array_equal(first, again)
    assert len(files(settings)) == 1
    assert kept_vectors([], settings).shape[0] == 0


def test_a_kept_vector_is_read_without_the_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(home=tmp_path)
    first = kept_vectors(TEXTS, settings)

    def refuse(*_: object) -> None:
        raise SourceUnavailable("the encoder was asked")

    monkeypatch.setattr("core.grounding.vectors.encode", refuse)
    assert np.array_equal(kept_vectors(TEXTS, settings), first)
    with pytest.raises(SourceUnavailable):
        kept_vectors(["something new"], settings)


def test_a_damaged_file_is_no_failure(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    first = kept_vectors(TEXTS, settings)
    files(settings)[0].write_bytes(b"not a database" * 100)
    assert np.allclose(kept_vectors(TEXTS, settings), first, atol=1e-5)


def test_a_folder_that_can_not_be_made_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder would be")
    assert kept_vectors(TEXTS, Settings(home=tmp_path)).shape[0] == len(TEXTS)


def card(source_id: str, descriptor: str, *examples: str) -> SourceCard:
    return SourceCard(source_id, Kind.SQL, "sqlite", Language.SQL, source_id, descriptor, examples)


CARDS = [
    card("clinic", "Patients, doctors and their visits"),
    card("harbour", "Vessels and berths", "Which ships lie at berth four?"),
]
NEAREST = [
    ("Which physician saw the most sick people?", "clinic"),
    ("Which ships lie at berth nine?", "harbour"),
    ("patients", "clinic"),
]


@pytest.mark.parametrize(("question", "nearest"), NEAREST, ids=[c[0] for c in NEAREST])
def test_the_nearest_card(tmp_path: Path, question: str, nearest: str) -> None:
    scores = card_similarity(question, CARDS, Settings(home=tmp_path))
    assert max(scores, key=lambda source_id: scores[source_id]) == nearest
    assert set(scores) == {"clinic", "harbour"}


def test_no_cards(tmp_path: Path) -> None:
    assert card_similarity("anything", [], Settings(home=tmp_path)) == {}


def test_cards_without_the_encoder_are_compared_by_words(tmp_path: Path) -> None:
    scores = card_similarity("visits of patients", CARDS, Settings(home=tmp_path, encoder=str(tmp_path / "none")))
    assert scores["clinic"] == 1.0
    assert scores["harbour"] == 0.0

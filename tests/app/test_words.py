"""The engine's sentences in plain words."""

from __future__ import annotations

import pytest

from app.words import judgement, picked_because
from core.results import Kind, Language, SourceCard

CARDS = {
    name: SourceCard(name, Kind.SQL, "sqlite", Language.SQL, title, "")
    for name, title in (("clinic", "Clinic visits"), ("countries", "Countries of the world"))
}

REASONS = [
    ("chosen by hand", "chosen by hand"),
    ("It names the clinic; and more.", "It names the clinic; and more."),
    ("card 1.00", "Your question is like one of its examples."),
    ("card 0.30, passages not searchable", "Its description is related to your question. Its passages can't be searched yet."),
    ("card 0.02", "Nothing else is nearer to your question."),
    (
        "stored “2021-01-02” in visits.visit_date, “Osei” in doctors.name and 22 more; schema terms visits, visit_id; card 0.60",
        "It holds “2021-01-02”, “Osei” and more. It records visits, visit id. Its description is close to your question.",
    ),
    ("passage “A; card 0.10” (cosine 0.29); card 0.10", "Its passage “A; card 0.10” is close to your question."),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "said"), REASONS)
def test_why_a_source_was_picked(raw: str, said: str) -> None:
    assert picked_because(raw) == said


JUDGED = [
    (
        "Nothing here answers: the best result, of clinic, covers 1 of 4 words of the question and gives 6 rows.",
        "Nothing here answers: the best result, of Clinic visits, speaks of 1 of the 4 words in your question "
        "and gives 6 rows.",
    ),
    ("holds 0 of 0 words of the question in its first passage", "has nothing to compare with the question"),
    ("covers 0 of 0 words of the question and gives 2 rows", "gives 2 rows"),
    ("clinic answers: it covers 2 of 2 words of the question and gives one number.",
     "Clinic visits answers: it speaks of every word in your question and gives one number."),
    ("The nearest is countries (0.09).", "The nearest is Countries of the world."),
    ("Countries of the clinic are countries.", "Countries of the clinic are countries."),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "said"), JUDGED)
def test_why_something_answers(raw: str, said: str) -> None:
    assert judgement(raw, CARDS) == said

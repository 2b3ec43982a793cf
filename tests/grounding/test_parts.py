"""Questions that ask two things are taken apart, and only those."""

from __future__ import annotations

import pytest

from core.grounding.parts import split_question

CASES = [
    ("one thing", "Which studio released the most films?", 1),
    ("two things", "How many patients take metformin, and what did trials of metformin show?", 2),
    ("two questions", "What is the capital of Peru? Which countries border Peru?", 2),
    ("joined by and alone", "What is the capital of Peru and how many people live in Lima?", 2),
    ("and between names", "Which films star Tom Hanks and Meg Ryan?", 1),
    ("and between columns", "List the title and year of each film", 1),
    ("a clause that asks nothing of its own", "Which films were released in 1994, and when?", 1),
    ("a relative clause", "Which patients, who live in Bergen, have asthma?", 1),
]


@pytest.mark.parametrize(("question", "count"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_split(question: str, count: int) -> None:
    parts = split_question(question)
    assert len(parts) == count, parts
    assert count > 1 or parts == (question,)
    assert all(p.endswith("?") for p in parts) or count == 1

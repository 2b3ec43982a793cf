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


NAMED = [
    ("Who directed Seven Samurai, and which film is a remake of it?", "which film is a remake of Seven Samurai?"),
    ("When did Max Planck win the Nobel Prize, and who were his students?", "who were Max Planck's students?"),
    ("How long is The Dark Knight and who made it?", "who made The Dark Knight?"),
    ("Who directed Alien, and when was he born?", "when was he born?"),
    ("Which film won the most Oscars, and who directed it?", "who directed it?"),
]


@pytest.mark.parametrize(("question", "second"), NAMED, ids=[c[0] for c in NAMED])
def test_a_pronoun_is_replaced_by_what_the_first_part_names_and_not_where_it_is_the_answer(
    question: str, second: str
) -> None:
    assert split_question(question)[1] == second

"""Answered questions as examples: whose they are, which are nearest, and which are never shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.grounding.samples import NEAREST, nearest_samples
from core.results import Kind, Language, SourceCard
from core.settings import Settings

CARD = SourceCard("clinic", Kind.SQL, "sqlite", Language.SQL, "Clinic", "Visits")
ASKED = "How many visits did Dr. Osei have?"


def line(question: str, query: str = "SELECT 1", source: str = "clinic", need: str = "any") -> str:
    return json.dumps({"id": "1", "question": question, "need": need, "gold": [{"source_id": source, "query": query}]})


def shown(question: str, folder: Path, *lines: str, encoder: str = "") -> list[str]:
    """The questions that are shown from a file the card names."""
    path = folder / "answered.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    settings = Settings(home=folder / "home", encoder=encoder)
    return [s.question for s in nearest_samples(question, replace(CARD, samples=str(path)), settings)[0]]


@pytest.mark.parametrize("encoder", ["", "/no/such/encoder"], ids=["with the encoder", "words alone"])
def test_the_nearest_come_first_and_no_more_than_a_few(tmp_path: Path, encoder: str) -> None:
    far = [line(f"Who supplies part {n}?") for n in range(6)]
    found = shown(ASKED, tmp_path, *far, line("How many visits did Dr. Lind have in 2021?"), encoder=encoder)
    assert found[0] == "How many visits did Dr. Lind have in 2021?" and len(found) == NEAREST


THE_SAME = [ASKED, "how many visits did dr. osei have", "How  many visits did Dr Osei have ?"]


@pytest.mark.parametrize("question", THE_SAME)
def test_the_question_itself_is_never_shown(tmp_path: Path, question: str) -> None:
    assert shown(ASKED, tmp_path, line(question), line("Which drug?")) == ["Which drug?"]


NOT_ITS_OWN = [("another source's", line("Which?", source="films")), ("one of two parts", line("Which?", need="all"))]


@pytest.mark.parametrize("text", [c[1] for c in NOT_ITS_OWN], ids=[c[0] for c in NOT_ITS_OWN])
def test_what_the_source_alone_does_not_answer_is_not_shown(tmp_path: Path, text: str) -> None:
    assert shown(ASKED, tmp_path, text) == []


def test_a_damaged_line_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "answered.jsonl"
    path.write_text(f"{line('One?')}\n\n{{broken\n[]\n{line('Two?')}\n", encoding="utf-8")
    samples, notes = nearest_samples(ASKED, replace(CARD, samples=str(path)), Settings(home=tmp_path))
    assert {s.question for s in samples} == {"One?", "Two?"}
    assert notes == ("answered.jsonl: line 3, 4 is no sample and was left out.",)


def test_a_named_file_that_is_missing_is_told(tmp_path: Path) -> None:
    samples, notes = nearest_samples(ASKED, replace(CARD, samples=str(tmp_path / "no")), Settings(home=tmp_path))
    assert samples == () and "does not exist" in notes[0]


def test_questions_saved_by_hand_are_found_without_naming_them(tmp_path: Path) -> None:
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "clinic.jsonl").write_text(line("Which drug?", "SELECT drug"), encoding="utf-8")
    assert nearest_samples(ASKED, CARD, Settings(home=tmp_path))[0][0].query == "SELECT drug"


def test_no_other_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text(line("Which drug?"), encoding="utf-8")
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "films.jsonl").write_text(line("Which drug?"), encoding="utf-8")
    assert nearest_samples(ASKED, CARD, Settings(home=tmp_path)) == ((), ())

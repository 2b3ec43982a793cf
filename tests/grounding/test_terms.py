"""Phrases, content words and stems of questions, case by case."""

from __future__ import annotations

import pytest

from core.grounding.cues import cued
from core.grounding.terms import LONGEST_PHRASE, content_words, phrases, stem, words_of
from core.grounding.vocabulary import spelt

PHRASES = [
    ("a name in capitals", "Who directed The Matrix?", {"The Matrix", "Matrix"}, {"Who", "Who directed", "The"}),
    ("a name in lower case", "who directed the matrix", {"matrix", "directed the matrix"}, {"the matrix", "who"}),
    ("a quoted text", "Which films say 'To be or not'?", {"To be or not"}, set()),
    ("a possessive", "What is Norway's capital?", {"Norway", "capital"}, {"Norway's"}),
    ("a name with an apostrophe", "Which roles did O'Toole play?", {"O'Toole"}, set()),
    ("a year", "How many films are from 1994?", {"1994"}, {"from 1994"}),
    ("a date", "What happened on 2021-03-04?", {"2021-03-04"}, set()),
    ("a hyphenated name", "Where does Jean-Luc Godard live?", {"Jean-Luc Godard"}, set()),
    ("another script", "東京 の 人口", {"東京"}, set()),
    ("nothing", "", set(), set()),
    ("stop words alone", "who is he?", set(), {"who", "is", "he"}),
]


@pytest.mark.parametrize(("question", "among", "not_among"), [c[1:] for c in PHRASES], ids=[c[0] for c in PHRASES])
def test_phrases(question: str, among: set[str], not_among: set[str]) -> None:
    found = set(phrases(question))
    assert among <= found
    assert not not_among & found


def test_phrases_come_longest_first_and_have_a_bounded_length() -> None:
    sizes = [len(p.split()) for p in phrases("Lord Ring Fellowship Return King Tower Hobbit Smaug")]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) == LONGEST_PHRASE


ALIKE = [("directors", "directed"), ("composer", "composed"), ("suppliers", "supplier"), ("Films", "film")]
UNLIKE = [("factory", "fact"), ("actor", "action"), ("doctor", "doctrine"), ("county", "count")]


@pytest.mark.parametrize(("left", "right"), ALIKE, ids=str)
def test_inflected_forms_share_a_stem(left: str, right: str) -> None:
    assert stem(left) == stem(right)


@pytest.mark.parametrize(("left", "right"), UNLIKE, ids=str)
def test_different_words_keep_different_stems(left: str, right: str) -> None:
    assert stem(left) != stem(right)


IDENTIFIERS = ["unit_cost", "unitCost", "UnitCost", "UNIT_COST", "unit cost", "unit-cost"]


@pytest.mark.parametrize("identifier", IDENTIFIERS)
def test_an_identifier_reads_alike_in_every_spelling(identifier: str) -> None:
    assert words_of(identifier) == ("unit", "cost")
    assert spelt(identifier) == "unit cost"


def test_content_words_are_stemmed_and_come_once() -> None:
    assert content_words("How many films did the film's director film in 1994?") == ("film", "direct", "1994")


CUED = [
    ("an age", "How old is Akira Kurosawa?", "birth", "How old"),
    ("a price", "How much does the tent cost?", "price", "How much does the tent cost"),
    ("a language", "What do they speak in Peru?", "languag", "speak"),
    ("a person", "who made it", "person", "who"),
]


@pytest.mark.parametrize(("question", "word", "said"), [c[1:] for c in CUED], ids=[c[0] for c in CUED])
def test_a_question_implies_what_it_does_not_name(question: str, word: str, said: str) -> None:
    assert cued(question)[word] == said


def test_a_plain_question_implies_nothing() -> None:
    assert cued("List the titles of films") == {}

"""Words that refer to the answer of an earlier part, and what is put in their place."""

from __future__ import annotations

import pytest

from core.grounding.referring import referring, resolved


@pytest.mark.parametrize(
    ("part", "said", "whole"),
    [
        ("how many people live in that country?", "that country", "how many people live in Norway?"),
        ("what currency is used there?", "there", "what currency is used in Norway?"),
        ("what is its capital?", "its", "what is Norway's capital?"),
        ("who directed it?", "it", "who directed Norway?"),
        ("how many suppliers are there?", "", "how many suppliers are there?"),
        ("is there a ferry?", "", "is there a ferry?"),
    ],
)
def test_what_refers_is_found_and_replaced(part: str, said: str, whole: str) -> None:
    assert referring(part) == said
    assert resolved(part, "Norway") == whole

"""What data says is shown and never obeyed."""

from __future__ import annotations

import pytest

from app.highlight import marked, query_words, snippet
from app.markup import label, value_html
from app.notices import notice_html
from core.results import Iri, Literal, Node, Path, Rel

VERBATIM = "costs $5 to $9, :red[x], # head, <b>, ~~a~~, [x](javascript:alert(1))"
EVIL = "<img src=x onerror=alert(1)>"
NODE = Node("1", (EVIL,), {"name": EVIL, EVIL: EVIL})


@pytest.mark.parametrize(
    "value",
    [
        EVIL,
        Literal(EVIL, EVIL),
        Iri(EVIL),
        Iri(f"http://x/{EVIL}\"'"),
        NODE,
        Path((NODE, NODE), (Rel("r", EVIL, "1", "1", {}),)),
        (EVIL, NODE),
        {EVIL: EVIL},
    ],
)
def test_markup_in_values_is_escaped(value: object) -> None:
    assert "<img" not in value_html(value)


@pytest.mark.parametrize("iri", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "urn:x"])
def test_only_web_addresses_become_links(iri: str) -> None:
    assert "href" not in value_html(Iri(iri))


def test_text_stands_as_it_is() -> None:
    shown = "costs $5 to $9, :red[x], # head, &lt;b&gt;, ~~a~~, [x](javascript:alert(1))"
    assert marked(VERBATIM, ()) == shown
    assert value_html(VERBATIM) == shown
    assert shown in notice_html("t", VERBATIM)


def test_labels_escape_markdown() -> None:
    assert label("a *b* $c$ :red[x]") == "a \\*b\\* \\$c\\$ \\:\u2060red\\[x\\]"


def test_question_words_are_marked_whatever_their_case_and_accents() -> None:
    words = query_words("Where do the Cafés of Malmö open?")
    assert words == ("cafes", "malmo", "open")
    assert marked("A CAFÉ in Malmö opens.", words) == "A <mark>CAFÉ</mark> in <mark>Malmö</mark> <mark>opens</mark>."


def test_marks_stay_in_place_where_folding_changes_lengths() -> None:
    assert marked("ﬁne Straße reef", ("reef",)) == "ﬁne Straße <mark>reef</mark>"


def test_a_snippet_shows_the_part_that_answers() -> None:
    text = "filler " * 200 + "the reef is here " + "filler " * 200
    assert "<mark>reef</mark>" in snippet(text, ("reef",))
    assert len(snippet(text, ("reef",))) < 400


def test_nothing_to_mark() -> None:
    assert marked("a & b", query_words("the of and")) == "a &amp; b"

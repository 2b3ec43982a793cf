"""Graph pictures: whole, capped, offline and inert."""

from __future__ import annotations

import re

import pytest

from app.graph import MAX_NODES, MISSING, graph_html, picture_of
from core.results import Iri, Literal, Node, Passages, Path, Paths, Rel, Rows, Triples

EVIL = "</script><img src=x onerror=alert(1)>"


def node(number: int, name: str = "") -> Node:
    return Node(f"n{number}", ("Thing",), {"name": name or f"thing {number}"})


def rel(number: int, start: int, end: int) -> Rel:
    return Rel(f"r{number}", "HAS", f"n{start}", f"n{end}", {})


def test_a_path_becomes_nodes_and_directed_edges() -> None:
    picture = picture_of(Paths(("p",), ((Path((node(1), node(2)), (rel(1, 2, 1),)),),)))
    assert picture is not None
    assert set(picture.dots) == {"n1", "n2"}
    assert [(line.start, line.end) for line in picture.lines] == [("n2", "n1")]


def test_a_relationship_met_twice_is_drawn_once() -> None:
    path = Path((node(1), node(2)), (rel(1, 1, 2),))
    picture = picture_of(Paths(("p",), ((path,), (path,))))
    assert picture is not None
    assert len(picture.lines) == 1


def test_an_edge_to_a_node_that_was_not_returned_has_an_end() -> None:
    picture = picture_of(Rows(("a", "r"), ((node(1), rel(1, 1, 99)),)))
    assert picture is not None
    assert picture.dots["n99"].group == MISSING
    assert "n99" in graph_html(picture)


def test_thousands_of_nodes_are_capped_with_a_notice() -> None:
    rows = tuple((Path((node(i), node(i + 1)), (rel(i, i, i + 1),)),) for i in range(5_000))
    picture = picture_of(Paths(("p",), rows))
    assert picture is not None
    assert len(picture.dots) == MAX_NODES
    assert "5,001 nodes" in picture.notice
    assert all(line.start in picture.dots and line.end in picture.dots for line in picture.lines)


def test_equal_literals_do_not_join_what_has_them() -> None:
    label = Iri("http://e.org/label")
    picture = picture_of(Triples(tuple((Iri(f"http://e.org/{i}"), label, Literal("same", "en")) for i in range(2))))
    assert picture is not None
    assert len(picture.dots) == 4


def test_a_name_that_all_edges_share_is_said_once() -> None:
    same = picture_of(Rows(("n", "r", "s"), ((node(1), rel(1, 1, 2), node(2)), (node(1), rel(2, 2, 1), node(2)))))
    assert same is not None
    assert same.one_relation == "HAS"
    assert '"label": "HAS"' not in graph_html(same)


@pytest.mark.parametrize(("dark", "ground"), [(False, "#fbfaf7"), (True, "#15191b")])
def test_the_ground_is_that_of_the_page(dark: bool, ground: str) -> None:
    picture = picture_of(Rows(("n",), ((node(1),),)))
    assert picture is not None
    assert f"background:{ground}" in graph_html(picture, dark)


def test_results_without_a_graph_have_no_picture() -> None:
    assert picture_of(Rows(("a",), ((1,),))) is None
    assert picture_of(Passages(())) is None


def test_the_page_asks_nothing_of_the_network_and_runs_nothing_of_the_data() -> None:
    picture = picture_of(Rows(("n",), ((node(1, EVIL), rel(1, 1, 1)),)))
    assert picture is not None
    page = graph_html(picture, dark=True)
    assert not re.search(r"<(link|script|img|iframe)\b[^>]*\b(href|src)\s*=", page)
    assert "<h1>" not in page
    assert EVIL not in page

"""Native values survive JSON."""

from __future__ import annotations

import datetime as dt
import decimal
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoding import from_json, payload_columns, payload_from_json, payload_items, to_json
from core.results import (
    Bnode,
    Duration,
    Iri,
    Literal,
    Node,
    Passage,
    Passages,
    Path,
    Paths,
    Payload,
    Point,
    Rel,
    Rows,
    Triples,
    Truth,
    payload_kind,
)

ANA = Node("1", ("Person",), {"name": "Ana", "born": dt.date(1960, 1, 2)})
FILM = Node("2", ("Film", "Dock Worker"), {"$odd": 1})
ACTED = Rel("7", "ACTED_IN", "1", "2", {"roles": ("Ann", "Bea")})

CASES = [
    ("null", None, None),
    ("yes is not one", True, True),
    ("the largest exact integer", 2**53, 2**53),
    ("a larger integer", 2**53 + 1, {"$int": "9007199254740993"}),
    ("a negative large integer", -(2**64), {"$int": "-18446744073709551616"}),
    ("infinity", float("inf"), {"$float": "inf"}),
    ("a decimal keeps its zeros", decimal.Decimal("1.50"), {"$decimal": "1.50"}),
    ("a date", dt.date(9999, 12, 31), {"$date": "9999-12-31"}),
    ("a time with zone", dt.time(1, 2, tzinfo=dt.UTC), {"$date": "01:02:00+00:00"}),
    ("a moment", dt.datetime(2020, 1, 2, 3, 4, 5), {"$date": "2020-01-02T03:04:05"}),
    ("bytes", b"\xff\x00", {"$bytes": "/wA="}),
    ("an IRI", Iri("http://e/x"), {"$iri": "http://e/x"}),
    ("a tagged literal", Literal("Récif", "fr"), {"$literal": "Récif", "lang": "fr", "datatype": None}),
    ("a blank node", Bnode("b0"), {"$bnode": "b0"}),
    ("a point", Point((1.5, 2.0), 4326), {"$point": [1.5, 2.0], "srid": 4326}),
    ("a duration", Duration(1, 2, 3, 4), {"$duration": [1, 2, 3, 4]}),
    ("a list", (1, "a"), [1, "a"]),
    (
        "a path keeps direction",
        Path((ANA, FILM), (ACTED,)),
        {
            "$path": [
                {"$node": {"id": "1", "labels": ["Person"], "props": {"name": "Ana", "born": {"$date": "1960-01-02"}}}},
                {
                    "$rel": {
                        "id": "7",
                        "type": "ACTED_IN",
                        "start": "1",
                        "end": "2",
                        "props": {"roles": ["Ann", "Bea"]},
                    }
                },
                {"$node": {"id": "2", "labels": ["Film", "Dock Worker"], "props": {"$map": {"$odd": 1}}}},
            ]
        },
    ),
]


@pytest.mark.parametrize(("value", "encoded"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_value(value: object, encoded: object) -> None:
    assert to_json(value) == encoded
    assert from_json(json.loads(json.dumps(encoded))) == value


def test_timedelta_comes_back() -> None:
    value = dt.timedelta(days=-1, microseconds=7)
    assert from_json(to_json(value)) == value


def test_lone_surrogate_becomes_a_mark_that_utf8_carries() -> None:
    assert json.dumps(to_json("a\ud800b"), ensure_ascii=False).encode()


def test_a_value_without_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        to_json(object())


PAYLOADS: list[Payload] = [
    Rows(("a", "a"), ((1, None), (decimal.Decimal("2.0"), b"x"))),
    Rows((), ()),
    Triples(((Iri("s"), Iri("p"), Literal("1", None, "xsd:integer")),)),
    Paths(("p",), ((Path((ANA, FILM), (ACTED,)),),)),
    Passages((Passage("d1", "T", "Text", 0.5),)),
    Truth(False),
]


@pytest.mark.parametrize("payload", PAYLOADS, ids=payload_kind)
def test_payload_comes_back(payload: Payload) -> None:
    encoded = json.loads(json.dumps([payload_kind(payload), payload_columns(payload), payload_items(payload)]))
    assert payload_from_json(*encoded) == payload


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.binary(),
    st.decimals(allow_nan=False),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.timedeltas(),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text(max_size=5), inner), max_leaves=8
)


@given(VALUES)
def test_any_value_comes_back(value: object) -> None:
    assert from_json(json.loads(json.dumps(to_json(value), allow_nan=False))) == value

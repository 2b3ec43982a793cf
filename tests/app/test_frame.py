"""Every native value reaches the grid: what raised in st.dataframe is shown, and nothing changes its meaning."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

import pytest
from streamlit.dataframe_util import convert_anything_to_arrow_bytes

from app.frame import CELL_CHARS, to_display_frame, unique_names
from app.plain import XSD
from core.results import Bnode, Duration, Iri, Literal, Node, Path, Point, Rel

A, B = Node("1", ("Person",), {"name": "Ada"}), Node("2", ("Person",), {"name": "Bob"})
KNOWS = Rel("r", "KNOWS", "1", "2", {"since": 1990})


@dataclass(frozen=True)
class Case:
    name: str
    values: tuple[object, ...]
    shown: tuple[object, ...]


CASES = [
    Case("whole numbers stay numbers", (1, None, 3), (1, None, 3)),
    Case("the largest 64-bit number stays one", (2**63 - 1,), (2**63 - 1,)),
    Case("a number over 64 bits keeps every digit", (2**63, 1), ("9223372036854775808", "1")),
    Case("a number under 64 bits keeps every digit", (-(2**63) - 1,), ("-9223372036854775809",)),
    Case("whole and broken numbers mix", (1, 2.5), (1.0, 2.5)),
    Case("a float beside a number it can't hold stays exact", (2**60 + 1, 0.5), (str(2**60 + 1), "0.5")),
    Case("no number and infinity are not NULL", (float("nan"), float("inf"), None), ("nan", "inf", None)),
    Case("truth is not a number", (True, 2), ("true", "2")),
    Case("truth alone stays truth", (True, None), (True, None)),
    Case("bytes alone", (b"\xff\x00",), ("0xff00 (2 bytes)",)),
    Case("bytes in a mixed column", (b"\xff", "a", 1), ("0xff (1 bytes)", "a", "1")),
    Case("a lone surrogate", ("a\ud800b",), ("a?b",)),
    Case("a NUL character", ("a\0b",), ("a\0b",)),
    Case("text and numbers", ("a", 1, None), ("a", "1", None)),
    Case("decimals keep their digits", (Decimal("1.50"), None), (Decimal("1.50"), None)),
    Case("decimals that no Arrow type holds", (Decimal("1E+50"), Decimal("1E-50")), ("1E+50", "1E-50")),
    Case("a decimal that is no number", (Decimal("NaN"), Decimal(1)), ("NaN", "1")),
    Case("dates to the ends of the calendar", (dt.date(1, 1, 1), dt.date(9999, 12, 31)),
         (dt.date(1, 1, 1), dt.date(9999, 12, 31))),
    Case("dates beside times of day", (dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 5)),
         ("2020-01-01", "2020-01-01 05:00:00")),
    Case("time zones are kept", (dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=2))),),
         ("2020-01-01 00:00:00+02:00",)),
    Case("a duration", (Duration(14, 3, 5, 500_000_000),), ("P14M3DT5.5S",)),
    Case("a point", (Point((1.0, 2.0), 4326),), ("point(1.0, 2.0; 4326)",)),
    Case("a resource", (Iri("http://e.org/a"), Bnode("b0")), ("http://e.org/a", "_:b0")),
    Case("a typed number", (Literal("7", None, XSD + "integer"),), (7,)),
    Case("a typed number that is none", (Literal("seven", None, XSD + "integer"),), ("seven",)),
    Case("a typed yes", (Literal("1", None, XSD + "boolean"), Literal("false", None, XSD + "boolean")), (True, False)),
    Case("a node", (A,), ("Ada (Person)",)),
    Case("a relationship", (KNOWS,), ("[:KNOWS {since: 1990}]",)),
    Case("a path against its arrow", (Path((B, A), (KNOWS,)),), ("(Bob)<-[:KNOWS]-(Ada)",)),
    Case("a list and a map", ((1, "a"), {"k": None}), ("[1, a]", "{k: NULL}")),
    Case("nothing at all", (None, None), (None, None)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_values_reach_the_grid(case: Case) -> None:
    frame = to_display_frame(["x"], [(value,) for value in case.values])
    convert_anything_to_arrow_bytes(frame)
    shown = [None if value is None or value is frame.isna else value for value in frame["x"].tolist()]
    blank = frame["x"].isna().tolist()
    assert tuple(None if empty else value for value, empty in zip(shown, blank, strict=True)) == case.shown


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["id", "id", "id"], ["id", "id_2", "id_3"]),
        (["id", "id_2", "id"], ["id", "id_2", "id_3"]),
        ([None, "", "  "], ["column 1", "column 2", "column 3"]),
        (["a\ud800", 7], ["a?", "7"]),
    ],
)
def test_names_are_made_unique(given: list[object], names: list[str]) -> None:
    assert unique_names(given) == names
    convert_anything_to_arrow_bytes(to_display_frame(given, [tuple(range(len(given)))]))


def test_language_tags_have_their_own_column() -> None:
    frame = to_display_frame(
        ["label", "label · language"], [(Literal("Reef", "en"), 1), (Literal("Récif", "fr"), 2), (Literal("Reef"), 3)]
    )
    assert list(frame.columns) == ["label", "label · language_2", "label · language"]
    assert frame["label · language_2"].tolist() == ["en", "fr", ""]
    assert frame["label"].tolist() == ["Reef", "Récif", "Reef"]


def test_unusual_datatypes_have_their_own_column() -> None:
    frame = to_display_frame(["d"], [(Literal("P1D", None, XSD + "duration"),), (Literal("x", None, XSD + "string"),)])
    assert frame["d · type"].tolist() == ["duration", ""]


def test_long_cells_are_cut_and_say_so() -> None:
    cell = to_display_frame(["x"], [("a" * 5_000,)])["x"][0]
    assert len(cell) < CELL_CHARS + 40
    assert cell.endswith("(5,000 characters)")


def test_rows_of_uneven_length_are_padded() -> None:
    assert to_display_frame(["a", "b"], [(1,), (1, 2)])["b"].isna().tolist() == [True, False]

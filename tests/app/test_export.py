"""Downloads: nothing is lost, and no spreadsheet runs what a cell says."""

from __future__ import annotations

import csv
import io
import json

import pytest

from app.export import payload_csv, payload_json, safe_cell
from core.results import Language, NativeQuery, Origin, Passage, Passages, Returned, Rows, Truth


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=HYPERLINK("http://x")', "＝1"]
)
def test_formulas_are_neutralised(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(("value", "text"), [(-5, "-5"), ("-5.2e3", "-5.2e3"), ("a=b", "a=b"), (None, ""), ("", "")])
def test_numbers_and_plain_text_stay_as_they_are(value: object, text: str) -> None:
    assert safe_cell(value) == text


def test_csv_keeps_the_engine_names_and_survives_surrogates() -> None:
    payload = Rows(("id", "id", "=x"), ((1, 2**70, "a\ud800,\n"),))
    rows = list(csv.reader(io.StringIO(payload_csv(payload).decode("utf-8-sig"))))
    assert rows == [["id", "id", "'=x"], ["1", str(2**70), "a?,\n"]]


@pytest.mark.parametrize("payload", [Truth(True), Passages((Passage("p", "t", "x", 1.0),)), Rows((), ())])
def test_every_payload_has_both_files(payload: Truth | Passages | Rows) -> None:
    result = Returned(NativeQuery("s", Language.SQL, "SELECT 1", Origin.GENERATED), payload, False, 0.1)
    assert payload_csv(payload)
    assert json.loads(payload_json(result, ()))["status"] == "returned"

"""The rule by which an answer counts as right, by hand-countable cases."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.right import right
from core.results import Evidence, EvidenceItem, Iri, Literal, Outcome, Passage, Timings, Trace

INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def trace(*values: Any, outcome: Outcome = Outcome.ANSWERED) -> Trace:
    items = tuple(EvidenceItem(n, value) for n, value in enumerate(values))
    evidence = (Evidence("s", items, ""),) if items else ()
    return Trace("q", "omni", "built-in", "probe", outcome, "", (), (), (), (), (), evidence, Timings(), ())


def sample(*answers: list[list[Any]], need: str = "any") -> dict[str, Any]:
    return {"need": need, "gold": [{"source_id": "s", "answer": answer} for answer in answers]}


CASES = [
    ("the cell itself", sample([["Ran"]]), trace(("Ran",)), True),
    ("the cell beside others in its row", sample([["Ran"]]), trace((1, "Ran", None)), True),
    ("nothing kept", sample([["Ran"]]), trace(), False),
    ("one other item for one row", sample([["Ran"]]), trace(("Ran",), ("Ikiru",)), True),
    ("two other items for one row", sample([["Ran"]]), trace(("Ran",), ("Ikiru",), ("Kagemusha",)), False),
    ("a row missing", sample([["Ran"], ["Ikiru"]]), trace(("Ran",)), False),
    ("cells of one row in two items", sample([["Ran", 1985]]), trace(("Ran",), (1985,)), False),
    ("a number as another type", sample([[3]]), trace(("3.0",)), True),
    ("zero is not null", sample([[0]]), trace((None,)), False),
    ("null is null", sample([[None]]), trace((None,)), True),
    ("a typed literal", sample([[{"$literal": "3", "lang": None, "datatype": INTEGER}]]), trace((3,)), True),
    ("a tagged literal and its text", sample([["Récif"]]), trace((Literal("Récif", "fr"),)), True),
    ("an IRI with its label", sample([[{"$iri": "http://e/x"}]]), trace((Iri("http://e/x"), "X")), True),
    ("a passage by id", sample([["d1"]]), trace(Passage("d1", "t", "x", 1.0)), True),
    ("either of two golds", sample([["a"]], [["b"]]), trace(("b",)), True),
    ("both of two golds where one is enough", sample([["a"]], [["b"]]), trace(("a",), ("b",)), True),
    ("one of two golds where both are needed", sample([["a"]], [["b"]], need="all"), trace(("a",)), False),
    ("both where both are needed", sample([["a"]], [["b"]], need="all"), trace(("a",), ("b",)), True),
    ("nothing answers and nothing should", sample(), trace(outcome=Outcome.NOTHING_ANSWERS), True),
    ("an answer where none should be", sample(), trace(("a",)), False),
    ("a failure is not a finding", sample(), trace(outcome=Outcome.FAILED), False),
    ("yes as one", sample([[True]]), trace((1,)), True),
]


@pytest.mark.parametrize(("gold", "got", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_right(gold: dict[str, Any], got: Trace, expected: bool) -> None:
    assert right(gold, got) is expected

"""Numbers, months and phrases of a question in the form a source keeps them."""

from __future__ import annotations

import pytest

from core.planner.concept import Attribute, Form
from core.planner.logical import Op
from core.planner.mentions import Mention
from core.planner.units import in_unit, month_range
from core.planner.words import tokenise


def _attribute(*words: str, samples: tuple[float, ...] = ()) -> Attribute:
    return Attribute("_".join(words), "film", words, Form.NUMBER, samples)


@pytest.mark.parametrize(
    ("value", "unit", "attribute", "kept"),
    [
        (200_000_000, "dollars", _attribute("budget", "musd"), 200),
        (2_500_000, "", _attribute("budget", "musd"), 2.5),
        (200, "", _attribute("budget", "musd"), 200),
        (3, "hours", _attribute("runtime", samples=(95.0, 120.0)), 180),
        (3, "hours", _attribute("duration", samples=(1.5, 2.0)), 3),
        (100_000_000, "", _attribute("population"), 100_000_000),
    ],
)
def test_a_number_is_compared_in_the_unit_of_its_column(
    value: int, unit: str, attribute: Attribute, kept: float
) -> None:
    assert in_unit(value, Mention(0, 1, str(value), number=value, unit=unit), attribute) == kept


@pytest.mark.parametrize(
    ("op", "wanted"),
    [
        (Op.EQ, (Op.BETWEEN, ("2024-02-01", "2024-02-29"))),
        (Op.LT, (Op.LT, ("2024-02-01",))),
        (Op.GT, (Op.GT, ("2024-02-29",))),
        (Op.GE, (Op.GE, ("2024-02-01",))),
        (Op.LE, (Op.LE, ("2024-02-29",))),
    ],
)
def test_a_month_is_its_days(op: Op, wanted: tuple[Op, tuple[str, ...]]) -> None:
    assert month_range(op, ("2024-02",)) == wanted


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("opened in June 1982?", "1982-06"),
        ("on 12 June 1982", "1982-06-12"),
        ("on June 3rd, 2020", "2020-06-03"),
        ("since Sept. 2019", "2019-09"),
        ("may 5 films in 2020", ""),
    ],
)
def test_dates_as_people_write_them(question: str, date: str) -> None:
    assert [t.text for t in tokenise(question) if t.kind == "date"] == ([date] if date else [])

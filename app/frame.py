"""One coercion from native rows to a frame that `st.dataframe` can always draw."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from app.plain import XSD, clean, node_name, plain
from core.results import Iri, Literal, Node

if TYPE_CHECKING:
    import pandas as pd

CELL_CHARS = 2_000
"""Characters of one cell that a grid draws; exports keep all of it."""
INT64 = range(-(2**63), 2**63)
EXACT_FLOAT = 2**53
DECIMAL_DIGITS = 38
"""Digits Arrow's decimal128 holds; wider columns are shown as text."""

LANGUAGE, DATATYPE = "language", "type"


def unique_names(columns: Sequence[object]) -> list[str]:
    """Column names a grid accepts: none missing, none twice (`id`, `id_2`), in order."""
    taken: set[str] = set()
    names = []
    for position, column in enumerate(columns, 1):
        base = clean(str(column)).strip() if column is not None else ""
        base = base or f"column {position}"
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        names.append(name)
    return names


def to_display_frame(columns: Sequence[object], rows: Sequence[Sequence[object]]) -> pd.DataFrame:
    """A frame of plain columns: numbers, booleans, dates and text.

    A column keeps a native type only where every value of it fits that type exactly; otherwise each
    value is shown as text. Language tags and unusual datatypes of RDF literals become a column of
    their own, right of the one they belong to.
    """
    # pandas takes half a second to import, and a page without a table needs none of it.
    import pandas as pd

    names = unique_names(columns)
    series: dict[str, Any] = {}
    for index, name in enumerate(names):
        values = [row[index] if index < len(row) else None for row in rows]
        series[name] = _series([_native(value) for value in values])
        for suffix, tags in ((LANGUAGE, _languages(values)), (DATATYPE, _datatypes(values))):
            if any(tags):
                series[_free(f"{name} · {suffix}", {*names, *series})] = pd.Series(
                    [tag or "" for tag in tags], dtype=object
                )
    return pd.DataFrame(series, columns=list(series), index=range(len(rows)))


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _languages(values: Sequence[object]) -> list[str | None]:
    return [value.lang if isinstance(value, Literal) else None for value in values]


def _datatypes(values: Sequence[object]) -> list[str | None]:
    return [
        value.datatype.rsplit("#", 1)[-1]
        if isinstance(value, Literal) and value.datatype and isinstance(_native(value), str)
        and not value.datatype.endswith(("#string", "#langString"))
        else None
        for value in values
    ]  # fmt: skip


def _native(value: object) -> object:
    """An RDF literal as the Python value its datatype means; anything else as it is."""
    if isinstance(value, Literal):
        parse = PARSERS.get(value.datatype or "")
        if parse is None:
            return value.value
        try:
            return parse(value.value)
        except (ValueError, ArithmeticError, LookupError):
            return value.value
    return value.value if isinstance(value, Iri) else value


BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
PARSERS: dict[str, Callable[[str], object]] = {
    **{XSD + name: int for name in ("integer", "int", "long", "short", "byte", "nonNegativeInteger",
                                    "positiveInteger", "unsignedInt", "unsignedLong")},
    **{XSD + name: float for name in ("double", "float")},
    XSD + "decimal": decimal.Decimal,
    XSD + "boolean": BOOLEANS.__getitem__,
    XSD + "date": dt.date.fromisoformat,
    XSD + "dateTime": dt.datetime.fromisoformat,
    XSD + "gYear": int,
}  # fmt: skip


def _series(values: Sequence[object]) -> Any:
    import pandas as pd

    present = [value for value in values if value is not None]
    for fits, dtype in KEEPERS:
        if present and all(fits(value) for value in present) and _agree(present):
            return pd.Series(list(values), dtype=dtype)
    return pd.Series([None if value is None else _cell(value) for value in values], dtype=object)


def _cell(value: object) -> str:
    # A cell is too narrow for a node's properties; the files to download have them.
    text = f"{node_name(value)} ({':'.join(value.labels)})" if isinstance(value, Node) else plain(value)
    return text if len(text) <= CELL_CHARS else f"{text[:CELL_CHARS]}… ({len(text):,} characters)"


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in INT64


def _is_float(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return (isinstance(value, float) and math.isfinite(value)) or (isinstance(value, int) and abs(value) <= EXACT_FLOAT)


def _is_decimal(value: object) -> bool:
    return isinstance(value, decimal.Decimal) and value.is_finite()


def _is_local_datetime(value: object) -> bool:
    return isinstance(value, dt.datetime) and value.tzinfo is None


def _is_date(value: object) -> bool:
    return isinstance(value, dt.date) and not isinstance(value, dt.datetime)


KEEPERS: tuple[tuple[Callable[[object], bool], str], ...] = (
    (lambda value: isinstance(value, bool), "object"),
    (_is_int, "Int64"),
    (_is_float, "Float64"),
    (_is_decimal, "object"),
    (_is_local_datetime, "object"),
    (_is_date, "object"),
)


def _agree(present: Sequence[object]) -> bool:
    """Whether the values fit one Arrow type together, and not each by itself only."""
    decimals = [value.as_tuple() for value in present if isinstance(value, decimal.Decimal)]
    if not decimals:
        return True
    scales = [-int(parts.exponent) for parts in decimals]
    whole = max(len(parts.digits) - scale for parts, scale in zip(decimals, scales, strict=True))
    return max(whole, 0) + max(*scales, 0) <= DECIMAL_DIGITS

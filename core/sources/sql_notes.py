"""Quiet remarks on a SQL result: what a reader would otherwise have to find out alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from core.sources.base import SqlSchema
from core.sources.guards.sql import parse_sql
from core.sources.guards.sql_names import UsedColumn, used_columns
from core.sources.sql_empty import why_empty
from core.sources.sql_types import bare_columns, compared_types, date_formats, unjoined
from core.sources.values import ValueIndex

SYNTAX = (
    (r"\bSELECT\s+(?:DISTINCT\s+)?TOP\s*\(?\s*\d", "There is no TOP in SQLite: LIMIT 5 stands at the end."),
    (r"\bFETCH\s+(?:FIRST|NEXT)\b", "There is no FETCH FIRST in SQLite: LIMIT 5 stands at the end."),
    (r"\bILIKE\b", "There is no ILIKE in SQLite: LIKE does not mind the case of plain letters."),
    (r"\b(?:RLIKE|REGEXP|SIMILAR\s+TO)\b|~\s*'", "SQLite has no regular expressions: use LIKE '%part%' or GLOB 'a*'."),
    (r"\bEXTRACT\s*\(", "There is no EXTRACT in SQLite: strftime('%Y', x) is the year, '%m' the month."),
    (r"\bINTERVAL\s+'?-?\d", "There is no INTERVAL in SQLite: date(x, '+1 day')."),
    (r"[\w\")']::\s*\w", "SQLite casts with CAST(x AS REAL), not with ::."),
    (r"\bQUALIFY\b", "There is no QUALIFY in SQLite: filter a subquery that has the window function."),
    (r"\b(?:DISTINCT\s+ON)\b", "There is no DISTINCT ON in SQLite: use GROUP BY, or row_number() in a subquery."),
    (r"\b(?:CROSS|OUTER)\s+APPLY\b|\bLATERAL\b", "SQLite has no APPLY or LATERAL: use a subquery in SELECT or a join."),
    (r"\bSELECT\b[^;]*\bINTO\b", "SELECT INTO writes; leave INTO out."),
    (r"\bWHERE\b[^;()]*\b(?:COUNT|SUM|AVG|MIN|MAX)\s*\(", "What is counted or summed is compared in HAVING."),
)
"""What other databases write and SQLite can't parse, and what it has instead."""

ELSEWHERE = {
    "year": "strftime('%Y', x)",
    "month": "strftime('%m', x)",
    "day": "strftime('%d', x)",
    "date_part": "strftime('%Y', x)",
    "date_trunc": "strftime('%Y-%m-01', x)",
    "extract": "strftime('%Y', x)",
    "datediff": "julianday(a) - julianday(b)",
    "dateadd": "date(x, '+1 day')",
    "date_format": "strftime(format, x)",
    "to_char": "strftime(format, x)",
    "from_unixtime": "datetime(x, 'unixepoch')",
    "now": "datetime('now')",
    "curdate": "date('now')",
    "getdate": "datetime('now')",
    "concat": "a || b",
    "isnull": "ifnull(a, b)",
    "nvl": "ifnull(a, b)",
    "len": "length(x)",
    "left": "substr(x, 1, n)",
    "right": "substr(x, -n)",
    "charindex": "instr(x, part)",
    "string_agg": "group_concat(x, ', ')",
    "regexp_replace": "replace(x, a, b)",
    "regexp": "x LIKE '%part%'",
    "regexp_like": "x LIKE '%part%'",
    "if": "iif(test, a, b)",
    "decode": "CASE x WHEN a THEN b ELSE c END",
    "str_to_date": "date(x), where x is written 2021-12-31",
    "to_date": "date(x), where x is written 2021-12-31",
    "to_timestamp": "datetime(x)",
    "to_number": "CAST(x AS REAL)",
    "convert": "CAST(x AS type)",
    "try_cast": "CAST(x AS type)",
    "week": "strftime('%W', x)",
    "weekday": "strftime('%w', x), 0 is Sunday",
    "dayofweek": "strftime('%w', x), 0 is Sunday",
    "dayname": "strftime('%w', x), 0 is Sunday",
    "monthname": "strftime('%m', x)",
    "quarter": "(strftime('%m', x) + 2) / 3",
    "hour": "strftime('%H', x)",
    "date_add": "date(x, '+1 day')",
    "date_sub": "date(x, '-1 day')",
    "age": "(julianday('now') - julianday(x)) / 365.25",
    "timestampdiff": "julianday(a) - julianday(b)",
    "greatest": "max(a, b)",
    "least": "min(a, b)",
    "array_agg": "group_concat(x, ', ')",
    "listagg": "group_concat(x, ', ')",
    "ucase": "upper(x)",
    "lcase": "lower(x)",
    "strpos": "instr(x, part)",
    "position": "instr(x, part)",
    "char_length": "length(x)",
    "lpad": "printf('%05d', x)",
    "stddev": "sqrt(avg(x * x) - avg(x) * avg(x))",
    "variance": "avg(x * x) - avg(x) * avg(x)",
    "median": "avg(x) over the middle rows: ORDER BY x LIMIT 2 - (SELECT count(*) FROM t) % 2 OFFSET "
    "(SELECT (count(*) - 1) / 2 FROM t)",
}
"""Functions of other databases and what SQLite has for them."""


def syntax_hint(text: str) -> str:
    """What SQLite has for the first thing in `text` that only other databases write; empty when there is none."""
    plain = re.sub(r"'(?:[^']|'')*'", "''", text)
    return next((said for pattern, said in SYNTAX if re.search(pattern, plain, re.IGNORECASE)), "")


def function_hints(text: str, known: Sequence[str]) -> str:
    """What to write instead of the functions in `text` that only other databases have."""
    plain = re.sub(r"'(?:[^']|'')*'", "''", text)
    called = dict.fromkeys(name.lower() for name in re.findall(r"\b(\w+)\s*\(", plain))
    foreign = [name for name in called if name in ELSEWHERE and name not in known]
    return " ".join(f"There is no {name}(). {function_hint(name, known)}" for name in foreign)


def function_hint(name: str, known: Sequence[str]) -> str:
    """What to write instead of a function that SQLite does not have."""
    if name.lower() in ELSEWHERE:
        return f"In SQLite write {ELSEWHERE[name.lower()]}."
    close = get_close_matches(name.lower(), sorted(set(known)), n=3)
    return f"Nearest: {', '.join(close)}." if close else ""


def remarks(text: str, schema: SqlSchema, values: ValueIndex | None, *, empty: bool) -> list[str]:
    """Remarks on what `text` returned: numbers kept as text, names read as text, and near values of an empty result."""
    parsed = parse_sql(text, schema.dialect)
    if not parsed or parsed[0] is None:
        return []
    used = used_columns(parsed[0], schema)
    near = why_empty(used, values) if empty else []
    found = [*near, *compared_types(used), *_names_as_text(used, schema, everywhere=empty and not near)]
    return list(dict.fromkeys([*found, *bare_columns(parsed[0], used), *unjoined(parsed[0]), *date_formats(parsed[0])]))


def _names_as_text(used: Sequence[UsedColumn], schema: SqlSchema, *, everywhere: bool) -> Iterator[str]:
    from sqlglot import exp

    shown = (exp.Select, exp.Alias, exp.Ordered, exp.Group)  # beside a comparison it is meant as a text
    names = {t.name.lower() for t in schema.tables} | {c.name.lower() for t in schema.tables for c in t.columns}
    for column in used:
        node = column.node
        if not everywhere and not isinstance(node.parent, shown):
            continue
        if node.this.quoted and not node.table and node.name.lower() not in names and not column.meant:
            yield f'"{node.name}" is no column here, so SQLite reads it as a text. Texts stand in single quotes.'

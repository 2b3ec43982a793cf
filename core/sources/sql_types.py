"""What SQLite lets pass in silence: numbers kept as text, texts counted as nothing, columns of some row."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.sources.base import Column
from core.sources.guards.sql_names import UsedColumn

FORMATS = frozenset("defFGgHIjJklmMpPRsSTuUVwWY%")
"""Letters that SQLite's strftime knows."""
THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
DECIMAL_COMMA = re.compile(r"-?\d+,\d{1,2}")
YEAR_LAST = re.compile(r"\d\d[./-]\d\d[./-]\d{4}")
DATE = re.compile(r"\d{4}-\d\d-\d\d")


def compared_types(used: Sequence[UsedColumn]) -> Iterator[str]:
    """Columns whose values are not of the type they are ordered, compared or added up as."""
    from sqlglot import exp

    ordered = (exp.Ordered, exp.Max, exp.Min, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)
    for column in used:
        if not column.meant:
            continue
        table, stored = column.meant
        where, parent = f"{table.name}.{stored.name}", column.node.parent
        shown = column.node.sql(dialect="sqlite")
        if stored.numeric_text and isinstance(parent, (*ordered, exp.Sum, exp.Avg)):
            declared = stored.type or "no type"
            number, remark = _as_number(stored, shown)
            yield f"{where} holds numbers as text ({declared}), so 10 stands before 9. {number} {remark}"
        elif isinstance(parent, ordered) and (dated := _day_first(stored)):
            yield (
                f"{where} holds dates such as {dated!r}, which sort by their first figures. Compare "
                f"substr({shown}, 7, 4) || '-' || substr({shown}, 4, 2) || '-' || substr({shown}, 1, 2)."
            )
        elif _is_text(stored) and isinstance(parent, exp.Sum | exp.Avg):
            yield f"{where} holds texts such as {stored.samples[0]!r}, which count as 0 in a sum."
        elif _is_text(stored) and _is_number(column.node, parent):
            example = next((s for s in stored.samples if DATE.match(str(s))), None)
            hint = f" For a year write strftime('%Y', {shown}) > '1980'." if example else ""
            yield f"{where} holds texts such as {stored.samples[0]!r}, and every text is above every number.{hint}"


def _day_first(column: Column) -> str:
    """A date of a column that writes the year last; empty for other columns."""
    texts = [s for s in column.samples if isinstance(s, str)]
    return texts[0] if texts and all(YEAR_LAST.fullmatch(t.strip()) for t in texts) else ""


def _as_number(column: Column, shown: str) -> tuple[str, str]:
    texts = [s for s in column.samples if isinstance(s, str)]
    if any(THOUSANDS.fullmatch(t.strip()) for t in texts):
        return f"CAST(REPLACE({shown}, ',', '') AS REAL)", "compares them as numbers; the commas part thousands."
    if any(DECIMAL_COMMA.fullmatch(t.strip()) for t in texts):
        return f"CAST(REPLACE({shown}, ',', '.') AS REAL)", "compares them as numbers; the comma stands for a point."
    return f"CAST({shown} AS REAL)", "compares them as numbers."


def _is_text(column: Column) -> bool:
    return (
        bool(column.samples) and not column.numeric_text and all(isinstance(s, str | dt.date) for s in column.samples)
    )


def _is_number(node: Any, parent: Any) -> bool:
    """Whether a column is compared with a bare number."""
    from sqlglot import exp

    if not isinstance(parent, exp.GT | exp.GTE | exp.LT | exp.LTE):
        return False
    other = parent.expression if parent.this is node else parent.this
    return isinstance(other, exp.Literal) and not other.is_string


def bare_columns(root: Any, used: Sequence[UsedColumn]) -> Iterator[str]:
    """Columns shown beside aggregates without being grouped by: SQLite takes them from some row."""
    from sqlglot import exp

    meant = {id(u.node): u.meant for u in used}
    for select in root.find_all(exp.Select):
        aggregates = [
            a for item in select.selects for a in item.find_all(exp.AggFunc) if not a.find_ancestor(exp.Window)
        ]
        group = select.args.get("group")
        grouped = {e.name.lower() for e in group.expressions for e in e.find_all(exp.Column)} if group else set()
        by_position = bool(group) and any(isinstance(e, exp.Literal) for e in group.expressions)
        if not aggregates or by_position or any(isinstance(a, exp.Max | exp.Min) for a in aggregates):
            continue  # beside one MAX or MIN SQLite shows the row that has it
        for item in select.selects:
            column = item.unalias()
            if not isinstance(column, exp.Column) or column.name.lower() in grouped or item.alias.lower() in grouped:
                continue
            owner = meant.get(id(column))
            if owner and (not owner[0].primary_key or not {k.lower() for k in owner[0].primary_key} <= grouped):
                yield (
                    f"{column.sql(dialect='sqlite')} is neither grouped nor aggregated, so it is that of some row. "
                    "Add it to GROUP BY."
                )


def unjoined(root: Any) -> Iterator[str]:
    """Tables of one SELECT that no condition joins, so that each row of one is paired with each of the other."""
    from sqlglot import exp

    for select in root.find_all(exp.Select):
        joins = select.args.get("joins") or []
        loose = [j for j in joins if not (j.args.get("on") or j.args.get("using") or j.args.get("method"))]
        where = select.args.get("where")
        for join in loose:
            name = join.this.alias_or_name
            conditions = where.find_all(exp.Binary) if where else ()
            tied = any(
                len({c.table for c in condition.find_all(exp.Column) if c.table}) > 1
                and name in {c.table for c in condition.find_all(exp.Column)}
                for condition in conditions
            )
            unnamed = where is not None and any(not c.table for c in where.find_all(exp.Column))
            if name and isinstance(join.this, exp.Table) and not tied and not unnamed:
                yield f"Nothing joins {name} with the rest: each of its rows is paired with each of the others."


def date_formats(root: Any) -> Iterator[str]:
    """Letters in the format of strftime that SQLite does not know, which make the whole result NULL."""
    from sqlglot import exp

    for node in root.find_all(exp.Anonymous, exp.TimeToStr):
        text = node.sql(dialect="sqlite")
        found = re.match(r"strftime\(\s*'([^']*)'", text, re.IGNORECASE)
        unknown = [c for c in re.findall(r"%(.)", found[1]) if c not in FORMATS] if found else []
        if unknown:
            known = "%Y year, %m month, %d day, %H hour, %w weekday, %j day of the year"
            yield f"strftime gives nothing for %{unknown[0]}. SQLite knows {known}."

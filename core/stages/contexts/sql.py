"""The context of a relational database: CREATE TABLE with types, keys and stored values (paper, appendix A.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from core.grounding.pruning import MOST_TABLES, Pruned, prune_schema
from core.results import Grounding, Value
from core.settings import Settings
from core.sources.base import Column, SqlSchema, Table
from core.stages.contexts.shared import SAMPLES, Context, first, linked_values, listed, one_line, sample, size_of

NAMES_SHARE = 8
"""The names of tables left out take at most this part of the room."""
OTHERS = "-- other tables: "
WIDEST = 2
"""One table takes at most this part of the room."""


class Detail(IntEnum):
    """How much of a table is shown."""

    KEYS = 0
    """Its keys and the columns that are linked to the question."""
    COLUMNS = 1
    """All columns, stored values at the linked ones only."""
    SAMPLES = 2


def sql_context(
    question: str, schema: SqlSchema, grounding: Grounding, settings: Settings, budget: int, spoken_of: str = ""
) -> Context:
    """Declarations of the tables that the question is about and of those that join them, then the stored values.

    Tables near the question are shown with more detail; those that have no room are named in one line.
    """
    pruned = _pruned(question, schema, grounding, settings, spoken_of)
    links = _links(grounding)
    near = frozenset(t.name for t in pruned.tables)
    values = list(linked_values(grounding, "--"))
    room = budget - size_of(values)
    for names in (0, room // NAMES_SHARE):  # room for the names of tables is kept only where there are any
        tables = [_Shown(t, links.get(t.name, {}), near, (room - names) // WIDEST) for t in pruned.tables]
        kept = _fit(tables, room - names)
        left_out = [*(t.name for t in tables[len(kept) :]), *pruned.left_out]
        if not left_out:
            break
    parts = [shown.text for shown in kept]
    if left_out:
        parts.append(OTHERS + listed([_quoted(n) for n in left_out], room // NAMES_SHARE - len(OTHERS) - 16))
    return Context("\n".join([*parts, *values]), _notes(schema, kept, settings))


def _links(grounding: Grounding) -> dict[str, dict[str, list[Value]]]:
    """For each table the columns that the question names, with the stored values that it names there."""
    links: dict[str, dict[str, list[Value]]] = {}
    for element in grounding.elements:
        links.setdefault(element.place.owner, {}).setdefault(element.place.field, [])
    for match in grounding.values:
        links.setdefault(match.place.owner, {}).setdefault(match.place.field, []).append(match.value)
    return links


def _pruned(question: str, schema: SqlSchema, grounding: Grounding, settings: Settings, spoken_of: str) -> Pruned:
    if settings.schema_pruning and len(schema.tables) > MOST_TABLES:
        return prune_schema(question, schema, grounding, settings, spoken_of=spoken_of)
    linked = [m.place.owner for m in grounding.values] + [e.place.owner for e in grounding.elements]
    return Pruned(tuple(sorted(schema.tables, key=lambda t: first(linked, t.name))))


class _Shown:
    """One table at a level of detail."""

    def __init__(self, table: Table, links: Mapping[str, Sequence[Value]], near: frozenset[str], widest: int) -> None:
        self.name = table.name
        self._table = table
        self._links = links
        self._near = near
        self._widest = widest
        self.text = ""
        self.detail(Detail.KEYS)

    def detail(self, detail: Detail) -> None:
        """Show the table so."""
        self.text = self.at(detail)

    def at(self, detail: Detail) -> str:
        """The declaration at a level of detail."""
        return _create_table(self._table, self._links, self._near, self._widest, detail)


def _fit(tables: Sequence[_Shown], room: int) -> list[_Shown]:
    """The first tables, as many as there is room for at the least detail; then more detail from the first on."""
    kept: list[_Shown] = []
    for table in tables:
        if kept and room < len(table.text) + 1:
            break
        room -= len(table.text) + 1
        kept.append(table)
    for detail in (Detail.COLUMNS, Detail.SAMPLES):
        for table in kept:
            more = len(table.at(detail)) - len(table.text)
            if more <= room:
                room -= more
                table.detail(detail)
    return kept


def _notes(schema: SqlSchema, kept: Sequence[_Shown], settings: Settings) -> tuple[str, ...]:
    if len(kept) == len(schema.tables):
        return ()
    names = listed([t.name for t in kept], 200)
    how = "those the question is about and what joins them" if settings.schema_pruning else "as many as fit"
    return (f"Of {len(schema.tables)} tables the model was shown {len(kept)}, {how}: {names}.",)


def _create_table(
    table: Table, links: Mapping[str, Sequence[Value]], near: frozenset[str], room: int, detail: Detail
) -> str:
    """One declaration; of a table too wide for `room`, the keys and the linked columns come first."""
    joins = [key for key in table.foreign_keys if key.ref_table in near]
    keys = {*table.primary_key, *(c for key in joins for c in key.columns)}
    needed = {c.name for c in table.columns if c.name in links or c.name in keys}
    every = {*keys, *(c for key in table.foreign_keys for c in key.columns)}
    shown = {c.name: _parts_of(c, detail, links.get(c.name), is_key=c.name in every) for c in table.columns}
    kept: set[str] = set()
    for column in sorted(table.columns, key=lambda c: c.name not in needed):
        room -= len(_line(*shown[column.name], ",")) + 1
        if kept and (room < 0 or (detail is Detail.KEYS and column.name not in needed)):
            break
        kept.add(column.name)
    parts: list[tuple[str, str]] = [shown[c.name] for c in table.columns if c.name in kept]
    if table.primary_key:
        parts.append((f"PRIMARY KEY ({', '.join(_quoted(c) for c in table.primary_key)})", ""))
    for key in joins:
        own, other = (", ".join(_quoted(c) for c in columns) for columns in (key.columns, key.ref_columns))
        parts.append((f"FOREIGN KEY ({own}) REFERENCES {_quoted(key.ref_table)} ({other})", ""))
    left_out = [c.name for c in table.columns if c.name not in kept]
    lines = [_line(text, note, "," if n < len(parts) else "") for n, (text, note) in enumerate(parts, 1)]
    if left_out:
        lines.append(f"  -- and {len(left_out)} more columns: {listed([_quoted(c) for c in left_out], 160)}")
    rows = f" -- {table.rows} rows" if table.rows is not None else ""
    kind = "VIEW" if table.is_view else "TABLE"
    return f"CREATE {kind} {_quoted(table.name)} ({rows}\n" + "\n".join(lines) + "\n);"


def _parts_of(column: Column, detail: Detail, named: Sequence[Value] | None, *, is_key: bool) -> tuple[str, str]:
    """A column and the remark behind it: a few stored values, those that the question names first.

    The numbers of a key say nothing.
    """
    shows = detail is Detail.SAMPLES or named is not None
    samples = () if is_key and all(isinstance(s, int) for s in column.samples) else column.samples
    values = dict.fromkeys([*(named or ()), *samples]) if shows else {}
    notes = ", ".join(sample(s) for s in list(values)[:SAMPLES])
    extra = "numbers stored as text; " if column.numeric_text else ""
    return f"{_quoted(column.name)} {one_line(column.type)}".rstrip(), f"{extra}{notes}".strip("; ")


def _line(text: str, note: str, comma: str) -> str:
    return f"  {text}{comma}" + (f" -- {note}" if note else "")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

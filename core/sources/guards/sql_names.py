"""Which tables and columns the names in a SQL query mean, and what is wrong with those that mean none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from core.sources.base import Column, SqlSchema, Table
from core.sources.guards.sql import parse_sql

EVERYWHERE = frozenset({"rowid", "oid", "_rowid_", "rank"})
"""Columns that tables have without being asked (rank belongs to full-text tables)."""


@dataclass(frozen=True, slots=True)
class UsedColumn:
    """A column of a query; `meant` is its table and column where a stored table holds it."""

    node: Any
    meant: tuple[Table, Column] | None
    problem: str = ""


def lint_sql(text: str, schema: SqlSchema) -> list[str]:
    """What is wrong with the names in a query: unknown and ambiguous ones, with the nearest real names.

    Empty when nothing is wrong or the query can't be parsed.
    """
    parsed = parse_sql(text, schema.dialect)
    if not parsed or parsed[0] is None:
        return []
    problems = [*_unknown_tables(parsed[0], schema), *(u.problem for u in used_columns(parsed[0], schema))]
    return list(dict.fromkeys(p for p in problems if p))


def used_columns(root: Any, schema: SqlSchema) -> list[UsedColumn]:
    """Every column of a parsed query with what it means; a query too strange to resolve has none."""
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.scope import traverse_scope

    names = _Names(schema)
    try:
        scopes = list(traverse_scope(root))
        return [names.resolve(node, scope) for scope in scopes for node in _own_columns(scope)]
    except (SqlglotError, RecursionError):
        return []


def _own_columns(scope: Any) -> list[Any]:
    """Columns that stand in this scope itself, not in a query inside it."""
    inner = {id(c) for sub in scope.subquery_scopes for c in sub.expression.find_all(_column_class())}
    return [c for c in scope.columns if id(c) not in inner]


def _column_class() -> Any:
    from sqlglot import exp

    return exp.Column


class _Names:
    """The columns that each source of a scope offers."""

    def __init__(self, schema: SqlSchema) -> None:
        self._schema = schema
        self._tables = {t.name.lower(): t for t in schema.tables}

    def resolve(self, node: Any, scope: Any) -> UsedColumn:
        """What one column means."""
        name, qualifier = node.name, node.table
        if name.lower() in EVERYWHERE or (not qualifier and name.lower() in self._aliases(scope)):
            return UsedColumn(node, None)
        levels = list(_levels(scope, qualifier))
        if not levels:
            return UsedColumn(node, None, self._no_source(node, scope))
        for sources in levels:
            offers = {alias: self._offer(source) for alias, source in sources.items()}
            holders = [alias for alias, offer in offers.items() if offer is not None and name.lower() in offer]
            if len(holders) > 1 and not _is_shared(node, scope):
                named = " or ".join(f"{alias}.{name}" for alias in holders)
                return UsedColumn(node, None, f"{name!r} stands in several tables. Write {named}.")
            if holders:
                return UsedColumn(node, (offers[holders[0]] or {})[name.lower()])
            # A full-text table is asked by its own name, and a quoted name that is no column is read as text.
            if None in offers.values() or name.lower() in offers:
                return UsedColumn(node, None)
        if node.this.quoted and not qualifier:
            return UsedColumn(node, None)
        inner = {alias: self._offer(source) for alias, source in levels[0].items()}
        return UsedColumn(node, None, self._unknown(node, inner))

    def _no_source(self, node: Any, scope: Any) -> str:
        known = list(scope.selected_sources)
        if not node.table or not known:
            return ""
        return (
            f"No table or alias {node.table!r} in this FROM.{_guess(node.table, known) or f' It has: {_some(known)}.'}"
        )

    def _offer(self, source: Any, depth: int = 0) -> dict[str, tuple[Table, Column] | None] | None:
        """Lower-case column names of a source; None where they can't be known."""
        from sqlglot import exp

        if isinstance(source, exp.Table):
            table = self._tables.get(source.name.lower())
            return {c.name.lower(): (table, c) for c in table.columns} if table else None
        query = getattr(source, "expression", None)
        if depth > 20 or not isinstance(query, exp.Query):
            return None
        holder = query
        while isinstance(holder.parent, exp.SetOperation):  # the first branch of a recursive query stands for it
            holder = holder.parent
        alias = holder.parent.args.get("alias") if isinstance(holder.parent, exp.CTE | exp.Subquery) else None
        if alias is not None and alias.args.get("columns"):
            return {c.name.lower(): None for c in alias.args["columns"]}
        return self._selected(source, query, depth)

    def _selected(self, scope: Any, query: Any, depth: int) -> dict[str, tuple[Table, Column] | None] | None:
        from sqlglot import exp

        branch = scope.union_scopes[0] if getattr(scope, "union_scopes", None) else scope
        offered: dict[str, tuple[Table, Column] | None] = {}
        for item in query.selects:
            if item.is_star:
                wanted = item.table.lower() if isinstance(item, exp.Column) else ""
                for alias, (_, source) in branch.selected_sources.items():
                    if wanted and alias.lower() != wanted:
                        continue
                    inner = self._offer(source, depth + 1)
                    if inner is None:
                        return None
                    offered |= inner
            elif item.alias_or_name:
                offered[item.alias_or_name.lower()] = None
        return offered

    def _aliases(self, scope: Any) -> set[str]:
        selects = getattr(scope.expression, "selects", ())
        return {item.alias.lower() for item in selects if item.alias}

    def _unknown(self, node: Any, offers: dict[str, Any]) -> str:
        real = {alias: self._real_names(offer) for alias, offer in offers.items()}
        every = [name for names in real.values() for name in names]
        shown = node.sql(dialect=self._schema.dialect)
        inside = {id(meant[0]) for offer in offers.values() for meant in (offer or {}).values() if meant}
        holders = [
            t.name
            for t in self._schema.tables
            if id(t) not in inside and any(c.name.lower() == node.name.lower() for c in t.columns)
        ]
        elsewhere = f" It stands in: {_some(holders)}." if holders else ""
        nearest = _guess(node.name, every)
        listed = "" if nearest or elsewhere or not every else f" There are: {_some(every)}."
        return f"No column {shown!r}.{nearest}{elsewhere}{listed}"

    def _real_names(self, offer: dict[str, Any] | None) -> list[str]:
        return [meant[1].name if meant else key for key, meant in (offer or {}).items()]


def _levels(scope: Any, qualifier: str) -> Iterator[dict[str, Any]]:
    """Sources that a column may come from: its own scope's, then those of the queries around it."""
    while scope is not None:
        sources = {alias.lower(): source for alias, (_, source) in scope.selected_sources.items()}
        if qualifier:
            sources = {alias: source for alias, source in sources.items() if alias == qualifier.lower()}
        if sources:
            yield sources
        scope = scope.parent if scope.is_subquery or scope.is_set_operation else None


def _is_shared(node: Any, scope: Any) -> bool:
    """Whether USING or NATURAL makes one column of two."""
    joins = scope.expression.args.get("joins") or ()
    shared = {c.name.lower() for join in joins for c in join.args.get("using") or ()}
    return node.name.lower() in shared or any(join.method == "NATURAL" for join in joins)


def _unknown_tables(root: Any, schema: SqlSchema) -> Iterator[str]:
    from sqlglot import exp

    known = {t.name.lower() for t in schema.tables} | {c.alias.lower() for c in root.find_all(exp.CTE)}
    for node in root.find_all(exp.Table):
        name = node.name
        if name and name.lower() not in known and not name.lower().startswith("sqlite_"):
            every = [t.name for t in schema.tables]
            yield f"No table {name!r}.{_guess(name, every) or f' There are: {_some(every)}.'}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:8]) + (", …" if len(names) > 8 else "")


def _guess(name: str, known: list[str]) -> str:
    folded = {k.lower(): k for k in known}
    close = get_close_matches(name.lower(), folded, n=3, cutoff=0.5)
    return f" Nearest: {', '.join(folded[c] for c in close)}." if close else ""

"""The SQL guard: one reading statement, or a refusal that says which rule and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from core.errors import QueryRejected
from core.sources.base import SqlSchema

ANSI = re.compile(r"\x1b\[[0-9;]*m")

DENIED_FUNCTIONS = frozenset(
    {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "zipfile", "fsdir", "lsdir", "shell"}
)
"""Functions that reach outside the database or load code."""

WRITES = (
    "Insert", "Update", "Delete", "Merge", "Create", "Drop", "Alter", "TruncateTable", "Into", "Lock", "Copy",
    "Attach", "Detach", "Pragma", "Set", "Command", "Use", "Transaction", "Commit", "Rollback", "Analyze", "LoadData",
)  # fmt: skip
"""Names of sqlglot nodes that may stand nowhere in a reading query (a CTE may hold a DELETE)."""

ROOTS = ("Select", "SetOperation", "Subquery", "Values")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A query that may run; `checked` is False when no parser here understands it."""

    text: str
    checked: bool
    note: str = ""


def check_sql(text: str, dialect: str = "sqlite", *, engine_is_safe: bool = False) -> Verdict:
    """Let one reading statement through.

    What sqlglot can't parse passes unchecked only where `engine_is_safe`: an engine that can't write
    or leave its database whatever it is told.

    Raises:
        QueryRejected: The text is no single reading query; `rule` names the rule.
    """
    if not text.strip().strip(";").strip():
        raise QueryRejected("The query is empty. Write one SELECT.", "one statement")
    parsed = _parse(text, dialect)
    if parsed is None:
        if engine_is_safe:
            return Verdict(
                text, False, "This query could not be checked before it ran; the engine itself can only read."
            )
        raise QueryRejected(
            "The query could not be parsed, and this engine runs checked queries only. Simplify it.", "parses"
        )
    statements = [s for s in parsed if s is not None and type(s).__name__ != "Semicolon"]
    if len(statements) != 1:
        raise QueryRejected(
            f"These are {len(statements)} statements; one is run at a time. Keep the one you want.", "one statement"
        )
    _check_tree(statements[0])
    return Verdict(text, True)


def _parse(text: str, dialect: str) -> list[Any] | None:
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return list(sqlglot.parse(text, read=dialect))
    except (SqlglotError, RecursionError):
        return None


def _check_tree(root: Any) -> None:
    from sqlglot import exp

    kinds = tuple(getattr(exp, name) for name in WRITES if hasattr(exp, name))
    for node in root.walk():
        if isinstance(node, kinds):
            what = type(node).__name__.upper()
            raise QueryRejected(f"{what} is refused: sources are read-only. Write a SELECT.", "reads only")
        name = _function_name(node, exp)
        if name in DENIED_FUNCTIONS:
            raise QueryRejected(f"The function {name} is refused: it reaches outside the database.", "functions")
    if not isinstance(root, tuple(getattr(exp, name) for name in ROOTS)):
        raise QueryRejected("This is not a reading query: it has to begin with SELECT, WITH or VALUES.", "reads only")


def _function_name(node: Any, exp: Any) -> str:
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower()
    return str(node.sql_name()).lower() if isinstance(node, exp.Func) else ""


def lint_sql(text: str, schema: SqlSchema) -> list[str]:
    """What is wrong with the names in a query: unknown tables and columns with the nearest real ones.

    Empty when nothing is wrong or the query can't be parsed.
    """
    parsed = _parse(text, schema.dialect)
    if not parsed or parsed[0] is None:
        return []
    return list(dict.fromkeys(_unknown_names(parsed[0], schema)))


def _unknown_names(root: Any, schema: SqlSchema) -> Iterator[str]:
    from sqlglot import exp

    tables = {t.name.lower(): t for t in schema.tables}
    ctes = {c.alias.lower() for c in root.find_all(exp.CTE)}
    aliases: dict[str, Any] = {}
    known_columns: set[str] = {a.alias.lower() for a in root.find_all(exp.Alias)}
    for cte in root.find_all(exp.CTE):
        known_columns |= {c.name.lower() for c in cte.args["alias"].columns} if cte.args.get("alias") else set()
    opaque = bool(ctes) or any(root.find_all(exp.Subquery))
    for node in root.find_all(exp.Table):
        name = node.name
        if name.lower() in ctes or not name:
            continue
        if name.lower() not in tables:
            yield f"No table {name!r}.{_guess(name, [t.name for t in schema.tables])}"
            opaque = True
            continue
        aliases[(node.alias or name).lower()] = tables[name.lower()]
    for column in root.find_all(exp.Column):
        qualifier, name = column.table.lower(), column.name
        if qualifier and qualifier not in aliases:
            continue
        pool = [aliases[qualifier]] if qualifier else list(aliases.values())
        names = [c.name for t in pool for c in t.columns]
        if name.lower() in (n.lower() for n in names) or name.lower() in known_columns or (opaque and not qualifier):
            continue
        yield f"No column {column.sql(dialect=schema.dialect)!r}.{_guess(name, names)}{_elsewhere(name, schema, pool)}"


def _guess(name: str, known: list[str]) -> str:
    folded = {k.lower(): k for k in known}
    close = get_close_matches(name.lower(), folded, n=3, cutoff=0.5)
    return f" Nearest: {', '.join(folded[c] for c in close)}." if close else ""


def _elsewhere(name: str, schema: SqlSchema, pool: list[Any]) -> str:
    holders = [
        t.name for t in schema.tables if t not in pool and any(c.name.lower() == name.lower() for c in t.columns)
    ]
    return f" It stands in: {', '.join(holders[:4])}." if holders else ""


def plain(message: str) -> str:
    """An engine's or parser's message without terminal escape codes."""
    return ANSI.sub("", message)

"""The SQL guard: one reading statement, or a refusal that says which rule and what to do."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any

from core.errors import QueryRejected

ANSI = re.compile(r"\x1b\[[0-9;]*m")

DENIED_FUNCTIONS = frozenset(
    {
        "load_extension",
        "readfile",
        "writefile",
        "edit",
        "fts3_tokenizer",
        "zipfile",
        "fsdir",
        "lsdir",
        "shell",
        "optimize",
    }
)
"""Functions that reach outside the database, load code or rewrite a full-text index."""

LONGEST_QUERY = 100_000
"""Characters; a longer text is no question to a database, and parsing it takes seconds."""

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
    if not text.strip("; \t\r\n"):
        raise QueryRejected("The query is empty. Write one SELECT.", "one statement")
    _check_text(text)
    parsed = parse_sql(text, dialect)
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


def _check_text(text: str) -> None:
    if len(text) > LONGEST_QUERY:
        raise QueryRejected(
            f"The query has {len(text):,} characters; {LONGEST_QUERY:,} are allowed. Write the values as a condition.",
            "length",
        )
    odd = next((c for c in text if c == "\0" or "\ud800" <= c <= "\udfff"), None)
    if odd is not None:
        raise QueryRejected(
            f"The query holds U+{ord(odd):04X}, which no database takes as text. Remove that character.", "text"
        )


def parse_sql(text: str, dialect: str) -> list[Any] | None:
    """sqlglot's statements of `text`, or None for what it can't parse."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    # It warns on standard error about each statement that it keeps as a mere command; those are refused here.
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
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


def plain(message: str) -> str:
    """An engine's or parser's message without terminal escape codes."""
    return ANSI.sub("", message)


def place_of(message: str, text: str) -> str:
    """ " at line L, column C" of the word that SQLite's `message` stumbled over, where that word stands once."""
    near = re.search(r'near "(.+?)": syntax|unrecognized token: "(.+?)"?$', message)
    word = near and (near[1] or near[2])
    if not word:
        return ""
    edge = r"(?<!\w){}(?!\w)" if word.replace("_", "").isalnum() else "{}"
    found = [match.start() for match in re.finditer(edge.format(re.escape(word)), text)]
    if len(found) != 1:
        return ""
    before = text[: found[0]]
    return f" at line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"

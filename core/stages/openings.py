"""What a query begins with in each language, told apart from a sentence that begins with the same word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.results import Language

_NAME = r"(?:[\w$]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])"
_SQL_READ = rf"""
    SELECT\s*(?:(?:DISTINCT|ALL|TOP\s+\d+)\s+)?
      (?: [*'"`(\[?:@$+~\d-] | CASE\s | (?:NOT|EXISTS)\s*\(
        | \w+ \s* (?: [.,(;|+*/%<>=-] | $ | \b(?:AS|FROM|OVER|IS|IN|LIKE|BETWEEN|COLLATE|UNION)\b )
        | (?!(?:the|all|those|only|each|every|which|this|that|your|these|any|some)\s)
          \w+ \s+ {_NAME} \s* (?:,|\bFROM\b) )
    | WITH\s+(?:RECURSIVE\s+)?{_NAME}\s*(?:\([^()]*\)\s*)?AS\s*(?:NOT\s+)?(?:MATERIALIZED\s*)?\(
    | VALUES\s*\(
"""
_SQL_WRITE = r"""
    (?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+)?INTO\s | UPDATE\s+\S+\s+SET\s | DELETE\s+FROM\s
    | (?:CREATE|DROP|ALTER|TRUNCATE)\s+(?:\w+\s+){0,3}?(?:TABLE|VIEW|INDEX|TRIGGER|DATABASE|SCHEMA)\b
    | ATTACH\s+(?:DATABASE\s+)?['"\w]+\s+AS\s | ATTACH\s+(?:DATABASE\s+)?['"] | DETACH\s+\w+\s*;?\s*$
    | PRAGMA\s+\w+\s*(?:[=(;]|$) | VACUUM\b | COPY\s+\S+\s+(?:FROM|TO)\s | MERGE\s+INTO\s
    | EXPLAIN\s+(?:QUERY\s+PLAN\s+)?(?:SELECT|WITH|INSERT|UPDATE|DELETE)\s
"""
_SPARQL_READ = r"""
    PREFIX\s+[\w.-]*:\s*< | BASE\s+< | SELECT\s*(?:(?:DISTINCT|REDUCED)\s*)?[?$*(]
    | ASK\s*(?:WHERE\s*)?\{ | ASK\s+FROM\s | CONSTRUCT\s*(?:WHERE\s*)?\{ | CONSTRUCT\s+FROM\s
    | DESCRIBE\s*(?:[?$<*]|[\w-]*:\w)
"""
_SPARQL_WRITE = r"""
    (?:INSERT|DELETE)\s*(?:DATA\s*|WHERE\s*)?\{ | WITH\s*<
    | (?:DROP|CLEAR|CREATE)\s+(?:SILENT\s+)?(?:ALL|GRAPH|DEFAULT|NAMED)\b
    | LOAD\s+(?:SILENT\s+)?< | (?:COPY|MOVE|ADD)\s+(?:SILENT\s+)?(?:<|GRAPH\b|DEFAULT\b)
"""
_CYPHER_READ = r"""
    (?:(?:PROFILE|EXPLAIN|CYPHER\s+[\w.]+)\s+)?(?:
    (?:OPTIONAL\s+)?MATCH\s*(?:\(|`?\w+`?\s*=|\w*shortestPaths?\s*\(|(?:ANY|ALL|SHORTEST)\s)
    | WITH\s+(?:DISTINCT\s+)?(?:\*|[^\n]{1,200}?\bAS\s+[`\w]|`?\w+`?\s*(?:,|\n\s*(?:MATCH|WHERE|RETURN|ORDER|UNWIND)\b))
    | UNWIND\s[^\n]{1,400}?\bAS\s+[`\w] | CALL\s*(?:\(|\{) | CALL\s+[\w.]+\s*(?:\(|YIELD\b|;?\s*$) | USE\s+[\w.`]+\s*\n
    | RETURN\s+(?:DISTINCT\s+)?(?:['"\[{(*$\d-]|`?\w+`?\s*(?:[.,(;+*/<>=-]|$|AS\b)) )
"""
_CYPHER_WRITE = r"""
    (?:CREATE|MERGE)\s*\( | (?:CREATE|DROP)\s+(?:\w+\s+){0,2}?(?:INDEX|CONSTRAINT|DATABASE|USER|ROLE)\b
    | LOAD\s+CSV\s | FOREACH\s*\( | (?:DETACH\s+)?DELETE\s+\w+\s*;?\s*$ | CALL\s+apoc\.
"""
_LEAD: Mapping[Language, str] = {
    Language.SQL: r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*+",
    Language.SPARQL: r"(?:\s|\#[^\n]*\n)*+",
    Language.CYPHER: r"(?:\s|//[^\n]*\n|/\*.*?\*/)*+",
}
"""Comments, white space and, in SQL, brackets that may come before the first word."""

_FLAGS = re.I | re.X | re.S


def _compiled(read: str, language: Language) -> re.Pattern[str]:
    return re.compile(f"{_LEAD[language]}(?:{read})", _FLAGS)


READS: Mapping[Language, re.Pattern[str]] = {
    Language.SQL: _compiled(_SQL_READ, Language.SQL),
    Language.SPARQL: _compiled(_SPARQL_READ, Language.SPARQL),
    Language.CYPHER: _compiled(_CYPHER_READ, Language.CYPHER),
}
"""How a reading query begins, comments included."""

WRITES: Mapping[Language, re.Pattern[str]] = {
    Language.SQL: _compiled(_SQL_WRITE, Language.SQL),
    Language.SPARQL: _compiled(_SPARQL_WRITE, Language.SPARQL),
    Language.CYPHER: _compiled(_CYPHER_WRITE, Language.CYPHER),
}
"""How a writing statement begins: it is handed on whole, for the guard to refuse by name."""

_FIRST_WORDS: Mapping[Language, re.Pattern[str]] = {
    Language.SQL: re.compile(
        r"select|with|values|insert|replace|update|delete|create|drop|alter|truncate|attach|detach|pragma|vacuum|copy|"
        r"merge|explain|[-/(]", re.I),
    Language.SPARQL: re.compile(
        r"prefix|base|select|ask|construct|describe|insert|delete|with|drop|clear|create|load|copy|move|add|\#", re.I),
    Language.CYPHER: re.compile(
        r"profile|explain|cypher|optional|match|with|unwind|call|use|return|create|merge|drop|load|foreach|detach|"
        r"delete|/", re.I),
}  # fmt: skip


def opens(text: str, position: int, language: Language) -> bool:
    """Whether a query, reading or writing, begins at `position`."""
    return opens_reading(text, position, language) or bool(
        _FIRST_WORDS[language].match(text, position) and WRITES[language].match(text, position)
    )


def opens_reading(text: str, position: int, language: Language) -> bool:
    """Whether a reading query begins at `position`."""
    return bool(_FIRST_WORDS[language].match(text, position) and READS[language].match(text, position))

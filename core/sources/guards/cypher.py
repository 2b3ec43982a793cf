"""The Cypher guard: a token-level allow-list, since no library at hand parses all of Neo4j's Cypher."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from core.errors import QueryRejected
from core.sources.base import GraphSchema

TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?\*/)
    | (?P<string> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
    | (?P<quoted> `(?:``|[^`])*`)
    | (?P<word> [^\W\d]\w*)
    | (?P<number> 0[xX][0-9A-Fa-f]+ | \d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    | (?P<open> ["'`] | /\*)
    | (?P<sign> \S)
    """,
    re.VERBOSE | re.DOTALL,
)

REFUSED = {
    "CREATE": "reads only", "MERGE": "reads only", "SET": "reads only", "DELETE": "reads only",
    "DETACH": "reads only", "REMOVE": "reads only", "DROP": "reads only", "FOREACH": "reads only",
    "INSERT": "reads only", "LOAD": "no files", "USE": "one database",
}  # fmt: skip
"""Clauses that may stand nowhere, with the name of the rule that refuses them."""

OPENERS = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL", "EXPLAIN", "PROFILE"})
"""Words that a reading query may begin with."""

PROCEDURES = frozenset(
    {
        "db.labels", "db.relationshiptypes", "db.propertykeys", "db.schema.visualization",
        "db.schema.nodetypeproperties", "db.schema.reltypeproperties", "db.index.fulltext.querynodes",
        "db.index.fulltext.queryrelationships", "dbms.components",
    }
)  # fmt: skip
"""Procedures that only read the graph itself; every other one is refused (apoc.load.* reads files)."""

CODE_ESCAPE = re.compile(r"\\u+00[0-9A-Fa-f]{2}")

REFUSED_FUNCTIONS = re.compile(
    r"(apoc\.(load|cypher|do|periodic|export|import|trigger|custom|refactor|create|merge)|dbms)\b"
)

PATTERN_WORDS = frozenset({"MATCH", "WHERE", "AND", "OR", "NOT", "XOR"})
COMPONENTS = frozenset(
    {
        "year", "quarter", "month", "week", "day", "ordinalDay", "dayOfWeek", "weekDay", "hour", "minute", "second",
        "millisecond", "microsecond", "nanosecond", "epochSeconds", "epochMillis", "timezone", "offset", "years",
        "months", "days", "hours", "minutes", "seconds", "x", "y", "z", "longitude", "latitude", "height", "crs",
        "srid",
    }
)  # fmt: skip
"""Parts of dates, durations and points, which read like properties."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token outside comments; `kind` is the group's name."""

    kind: str
    text: str

    @property
    def upper(self) -> str:
        """Upper case for words, empty for anything that can't be a keyword."""
        return self.text.upper() if self.kind == "word" else ""


def tokenize(text: str) -> list[Token]:
    """The tokens of a Cypher text; comments are left out.

    Raises:
        QueryRejected: A string, a back-quoted name or a comment is not closed.
    """
    tokens = []
    for match in TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "open":
            raise QueryRejected(f"A {match[0]} is opened and never closed. Close it.", "parses")
        if kind != "comment":
            tokens.append(Token(kind, match[0]))
    return tokens


def check_cypher(text: str) -> list[Token]:
    """Let one reading query through and return its tokens.

    Raises:
        QueryRejected: The query is empty, several, writes, reads files, or calls a procedure that is not allowed.
    """
    if CODE_ESCAPE.search(text):
        # Neo4j decodes these before it looks for quotes, others after.
        raise QueryRejected("An escape such as \\u0027 is refused: write the character itself.", "no escapes")
    tokens = tokenize(text)
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    if not tokens:
        raise QueryRejected("The query is empty. Write MATCH ... RETURN ...", "one statement")
    if any(t.text == ";" for t in tokens):
        raise QueryRejected(
            "These are several statements; one is run at a time. Keep the one you want.", "one statement"
        )
    if tokens[0].upper not in OPENERS and tokens[0].upper not in REFUSED:
        raise QueryRejected(
            f"This is not a reading Cypher query: it begins with {tokens[0].text[:30]!r}, "
            "and has to begin with MATCH, WITH, UNWIND, CALL or RETURN.",
            "reads only",
        )
    for number, token in enumerate(tokens):
        if token.upper in REFUSED and not _is_name(tokens, number):
            raise QueryRejected(
                f"{token.upper} is refused: sources are read-only. Write MATCH ... RETURN ...", REFUSED[token.upper]
            )
        if token.upper == "CALL" and not _is_name(tokens, number):
            _check_call(tokens, number)
    for name in _dotted(tokens):
        if REFUSED_FUNCTIONS.match(name.lower()) and name.lower() not in PROCEDURES:
            raise QueryRejected(f"{name} is refused: it can reach outside the graph.", "functions")
    return tokens


def _check_call(tokens: Sequence[Token], number: int) -> None:
    following = tokens[number + 1] if number + 1 < len(tokens) else Token("sign", "")
    if following.text in ("{", "("):
        return  # a subquery; its own clauses are checked like all others
    name = _dotted_from(tokens, number + 1)
    if name.lower() not in PROCEDURES:
        raise QueryRejected(
            f"The procedure {name or following.text!r} is not on the list of those that only read the graph. "
            "Use MATCH instead.",
            "procedures",
        )


def _is_name(tokens: Sequence[Token], number: int) -> bool:
    """Whether the word is a property, label, type, map key or variable rather than a clause."""
    before = tokens[number - 1] if number else Token("sign", "")
    after = tokens[number + 1] if number + 1 < len(tokens) else Token("sign", "")
    word = tokens[number].upper
    if word == "LOAD" and after.upper != "CSV":
        return True
    if word == "USE" and before.text not in ("", "{", "}") and before.upper not in ("UNION", "ALL", "DISTINCT"):
        return True
    if before.text == "." and number > 1 and tokens[number - 2].kind == "number":
        return False
    if before.text in (".", ":", "|", "&", "!", "$") or after.text in (".", ":"):
        return True
    if before.text in ("{", ",") and after.text == ":":
        return True
    if before.text == "(" and after.text in (")", ":"):
        return False
    # In `WITH 1 AS as CREATE (x)` the second `as` is the name, and what follows it is a clause.
    return before.upper == "AS" and (number < 2 or tokens[number - 2].upper != "AS")


def _dotted(tokens: Sequence[Token]) -> Iterator[str]:
    for number, token in enumerate(tokens):
        starts = token.kind in ("word", "quoted") and (number == 0 or tokens[number - 1].text != ".")
        if starts and number + 1 < len(tokens) and tokens[number + 1].text == ".":
            yield _dotted_from(tokens, number)


def _dotted_from(tokens: Sequence[Token], number: int) -> str:
    parts = []
    while number < len(tokens) and tokens[number].kind in ("word", "quoted"):
        parts.append(tokens[number].text.strip("`"))
        if number + 1 >= len(tokens) or tokens[number + 1].text != ".":
            break
        number += 2
    return ".".join(parts)


def lint_cypher(tokens: Sequence[Token], schema: GraphSchema) -> list[str]:
    """Names in patterns that the graph does not have, with the nearest real ones.

    A label or type is what stands after a colon inside round or square brackets; names in maps and
    in expressions are left alone.
    """
    labels = [n.label for n in schema.nodes]
    types = [r.type for r in schema.rels]
    said: list[str] = []
    stack: list[str] = []
    for number, token in enumerate(tokens):
        if token.text in ("(", "[", "{"):
            stack.append(token.text)
        elif token.text in (")", "]", "}") and stack:
            stack.pop()
        elif number and tokens[number - 1].text in (":", "|", "&") and token.kind in ("word", "quoted") and stack:
            known, what = (labels, "label") if stack[-1] == "(" else (types, "relationship type")
            if stack[-1] != "{":
                said += _unknown(what, token, known)
    owned = [*(n.properties for n in schema.nodes), *(r.properties for r in schema.rels)]
    properties = sorted({p.name for some in owned for p in some})
    for token in _property_keys(tokens):
        said += _unknown("property", token, properties)
    return list(dict.fromkeys(said))


def _unknown(what: str, token: Token, known: Sequence[str]) -> list[str]:
    name = token.text[1:-1].replace("``", "`") if token.kind == "quoted" else token.text
    if name in known:
        return []
    close = get_close_matches(name.lower(), [k.lower() for k in known], n=1, cutoff=0.6)
    real = next((k for k in known if close and k.lower() == close[0]), "")
    return [f"No {what} {name!r} in this graph.{f' Did you mean {real!r}?' if real else ''}"]


def _property_keys(tokens: Sequence[Token]) -> Iterator[Token]:
    """Keys read as `x.key` or asked for in the map of a pattern; keys of maps that the query makes are left out."""
    text = [t.text for t in tokens] + ["", ""]
    is_name = [t.kind in ("word", "quoted") for t in tokens] + [False, False]
    own_keys = {t.text for n, t in enumerate(tokens) if text[n + 1] == ":" and n and text[n - 1] in ("{", ",")}
    open_signs: list[int] = []
    for n, token in enumerate(tokens):
        if token.text in ("(", "[", "{"):
            open_signs.append(n)
        elif token.text in (")", "]", "}") and open_signs:
            open_signs.pop()
        elif is_name[n] and n > 1 and text[n - 1] == "." and is_name[n - 2] and text[n - 3] != ".":
            last = n
            while text[last + 1] == "." and is_name[last + 2]:
                last += 2
            of_function = text[last + 1] == "("
            if not of_function and token.text not in own_keys | COMPONENTS:
                yield token
        elif is_name[n] and text[n + 1] == ":" and text[n - 1] in ("{", ",") and _in_pattern(tokens, open_signs):
            yield token


def _in_pattern(tokens: Sequence[Token], open_signs: Sequence[int]) -> bool:
    """Whether the innermost brace is the property map of a node or relationship."""
    if len(open_signs) < 2 or tokens[open_signs[-1]].text != "{":
        return False
    brace, outer = open_signs[-1], open_signs[-2]
    before = tokens[outer - 1] if outer else Token("sign", "")
    called = tokens[outer].text == "(" and before.kind in ("word", "quoted") and before.upper not in PATTERN_WORDS
    in_list = tokens[outer].text == "[" and before.text != "-"
    return not called and not in_list and tokens[brace - 1].kind in ("word", "quoted")


def wrong_directions(text: str, schema: GraphSchema) -> list[str]:
    """One-hop patterns between two labelled nodes whose arrow exists only the other way round."""
    edges = {(e.start, e.type, e.end) for e in schema.edges}
    pattern = re.compile(
        r"\(\s*\w*\s*:\s*`?([^`(){}:]+?)`?\s*(?:\{[^}]*\})?\)\s*(<)?-\s*\[\s*\w*\s*:\s*`?(\w+)`?[^\]]*\]\s*-(>)?\s*"
        r"\(\s*\w*\s*:\s*`?([^`(){}:]+?)`?\s*(?:\{[^}]*\})?\)"
    )
    said = []
    for left, back, kind, forth, right in pattern.findall(text):
        if bool(back) == bool(forth):
            continue
        start, end = (right, left) if back else (left, right)
        if (start, kind, end) not in edges and (end, kind, start) in edges:
            said.append(f"(:{start})-[:{kind}]->(:{end}) does not occur; the graph has (:{end})-[:{kind}]->(:{start}).")
    return said

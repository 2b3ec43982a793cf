"""What is wrong with a Cypher query that an engine runs without a word: names, types and values that do not fit.

An empty result, or a comparison that is never true, looks like an answer. These remarks tell why, from the schema
and one look at the stored values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.results import Match
from core.sources.base import GraphSchema, Property
from core.sources.guards.cypher import Token

MOST_NEAR = 4
COMPARING = ("=", "<", ">", "<=", ">=", "<>")
TEMPORAL = {"DATE": "date", "TIME": "time", "LOCAL TIME": "localtime", "DATETIME": "datetime",
            "LOCAL DATETIME": "localdatetime", "DURATION": "duration"}  # fmt: skip
WRITTEN = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|P\w+|\d{4}$")
"""A text that reads like a date, a time, a duration or a year."""
Probe = Callable[[Sequence[str]], Sequence[Match]]


@dataclass(frozen=True, slots=True)
class Compared:
    """A property of a named owner and a constant that it is compared with."""

    owner: str
    key: str
    operator: str
    value: Token


def type_hints(tokens: Sequence[Token], schema: GraphSchema) -> list[str]:
    """Comparisons that are never true: a number with a text, a date with a text, a key that the owner lacks."""
    owned = _owned(schema)
    said = []
    for one in compared(tokens):
        properties = owned.get(one.owner)
        if properties is None:
            continue
        if one.key not in properties:
            if any(one.key in other for other in owned.values()):
                said.append(f"{one.owner} has no {one.key!r}. It has {', '.join(properties) or 'no properties'}.")
            continue
        if hint := _type_hint(one, properties[one.key]):
            said.append(hint)
    return list(dict.fromkeys(said))


def value_hints(tokens: Sequence[Token], schema: GraphSchema, probe: Probe) -> list[str]:
    """For each text that a property is compared with and does not hold, what it holds instead."""
    owned = _owned(schema)
    said = []
    for one in compared(tokens):
        known = owned.get(one.owner, {}).get(one.key)
        if known is None or one.value.kind != "string" or one.operator not in ("=", "IN") or _is_other(known):
            continue
        wanted = _text(one.value)
        if not wanted.strip() or wanted in known.samples:
            continue
        found = probe([wanted])
        here = [m for m in found if (m.place.owner, m.place.field) == (one.owner, one.key)]
        if any(m.value == wanted for m in here):
            continue
        elsewhere = dict.fromkeys(f"{m.place.owner}.{m.place.field}" for m in found if m.value == wanted)
        where = f"{one.owner}.{one.key}"
        if here:
            near = ", ".join(repr(str(v)) for v in list(dict.fromkeys(m.value for m in here))[:MOST_NEAR])
            said.append(f"{where} has no {wanted!r}. Stored: {near}.")
        elif elsewhere:
            said.append(f"{where} has no {wanted!r}. It stands in {', '.join(list(elsewhere)[:MOST_NEAR])}.")
        elif known.distinct is not None and 0 < known.distinct <= len(known.samples):
            said.append(f"{where} has no {wanted!r}. It holds {', '.join(repr(s) for s in known.samples)}.")
    return list(dict.fromkeys(said))


def quoting_hint(text: str, schema: GraphSchema) -> str:
    """Which name has to stand in backticks, for a query that the engine can't read; empty when none is the reason."""
    names = [*(n.label for n in schema.nodes), *(r.type for r in schema.rels)]
    names += [name for properties in _owned(schema).values() for name in properties]
    bare = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", " ", text)
    for name in dict.fromkeys(names):
        odd = not re.fullmatch(r"\w+", name)
        if odd and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", bare):
            return f"Write `{name}` in backticks: it holds more than letters, digits and underscores."
    return ""


def unjoined(tokens: Sequence[Token]) -> str:
    """A remark where a MATCH pairs things that nothing joins; empty where all hang together."""
    groups: list[set[str]] = []
    linked: list[set[str]] = []
    chain: set[str] = set()
    depth = 0
    matching = False
    for number, token in enumerate(tokens):
        if depth == 0 and token.upper in ("MATCH", "WHERE", "RETURN", "WITH", "UNWIND", "CALL", "ORDER", "LIMIT"):
            if matching and chain:
                groups.append(chain)
            chain = set()
            matching = token.upper == "MATCH"
            if token.upper in ("WITH", "UNWIND", "CALL"):
                return ""  # what is carried over, or made there, may join anything
            if token.upper == "WHERE":
                linked.append(_names_until_return(tokens, number))
        elif token.text in ("(", "[", "{"):
            depth += 1
            following = tokens[number + 1] if number + 1 < len(tokens) else token
            if matching and depth == 1 and token.text in ("(", "["):
                chain.add(following.text if following.kind == "word" else f"#{number}")
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif token.text == "," and depth == 0 and matching:
            groups.append(chain)
            chain = set()
    if matching and chain:
        groups.append(chain)
    apart = _merged([*groups], linked)
    if len(apart) < 2:
        return ""
    names = [next((n for n in sorted(group) if not n.startswith("#")), "") for group in apart]
    named = " and ".join(f"({name})" for name in names[:3] if name) or "these patterns"
    return f"Nothing joins {named}: each of one is paired with each of the other."


def _merged(groups: list[set[str]], linked: Sequence[set[str]]) -> list[set[str]]:
    apart: list[set[str]] = []
    for group in groups:
        joined = [other for other in apart if other & group]
        apart = [other for other in apart if not other & group]
        apart.append(group.union(*joined))
    for names in linked:
        touched = [group for group in apart if group & names]
        if len(touched) > 1:
            apart = [group for group in apart if not group & names] + [set().union(*touched)]
    return apart


def _names_until_return(tokens: Sequence[Token], start: int) -> set[str]:
    names: set[str] = set()
    for token in tokens[start + 1 :]:
        if token.upper in ("RETURN", "WITH", "MATCH"):
            break
        if token.kind == "word":
            names.add(token.text)
    return names


def compared(tokens: Sequence[Token]) -> Iterator[Compared]:
    """Properties of labelled nodes and typed relationships with the constants they are compared with."""
    owners = _owners(tokens)
    stack: list[tuple[str, str]] = []
    for n, token in enumerate(tokens):
        if token.text in ("(", "["):
            stack.append((token.text, _owner_after(tokens, n)))
        elif token.text == "{":
            stack.append(("{", stack[-1][1] if stack and stack[-1][0] in "([" else ""))
        elif token.text in (")", "]", "}") and stack:
            stack.pop()
        elif token.text == ":" and stack and stack[-1][0] == "{" and stack[-1][1] and n + 1 < len(tokens):
            if tokens[n + 1].kind in ("string", "number"):
                yield Compared(stack[-1][1], _name(tokens[n - 1]), "=", tokens[n + 1])
        elif token.text == "." and 0 < n < len(tokens) - 2 and tokens[n - 1].text in owners:
            yield from _after_key(owners[tokens[n - 1].text], tokens, n + 1)


def _after_key(owner: str, tokens: Sequence[Token], at: int) -> Iterator[Compared]:
    key, rest = _name(tokens[at]), list(tokens[at + 1 : at + 24])
    signs = 0
    while signs < min(2, len(rest)) and rest[signs].text in ("<", ">", "="):
        signs += 1
    operator = "".join(t.text for t in rest[:signs])
    if operator in COMPARING and len(rest) > signs:
        if rest[signs].kind in ("string", "number"):
            yield Compared(owner, key, operator, rest[signs])
    elif rest and rest[0].upper == "IN" and len(rest) > 1 and rest[1].text == "[":
        for token in rest[2:]:
            if token.text == "]":
                break
            if token.kind in ("string", "number"):
                yield Compared(owner, key, "IN", token)


def _owners(tokens: Sequence[Token]) -> dict[str, str]:
    """The label or type that each variable is given in a pattern."""
    found: dict[str, str] = {}
    for n in range(len(tokens) - 3):
        if tokens[n].text in ("(", "[") and tokens[n + 1].kind == "word" and tokens[n + 2].text == ":":
            found.setdefault(tokens[n + 1].text, _name(tokens[n + 3]))
    return found


def _owner_after(tokens: Sequence[Token], at: int) -> str:
    rest = tokens[at + 1 : at + 4]
    if len(rest) > 1 and rest[0].text == ":":
        return _name(rest[1])
    return _name(rest[2]) if len(rest) > 2 and rest[1].text == ":" else ""


def _owned(schema: GraphSchema) -> dict[str, dict[str, Property]]:
    found = {n.label: {p.name: p for p in n.properties} for n in schema.nodes}
    return found | {r.type: {p.name: p for p in r.properties} for r in schema.rels}


def _type_hint(one: Compared, stored: Property) -> str:
    kind, where = stored.type.upper(), f"{one.owner}.{one.key}"
    if one.value.kind == "number":
        return f"{where} holds text: write '{one.value.text}' in quotes." if kind == "STRING" else ""
    wanted = _text(one.value)
    if kind in ("INTEGER", "FLOAT"):
        return f"{where} holds numbers: write {wanted or 'a number'} without quotes."
    if kind == "BOOLEAN":
        return f"{where} is true or false: write {wanted.lower() or 'true'} without quotes."
    if kind in TEMPORAL and WRITTEN.match(wanted):
        return f"{where} is a {kind.lower()}: write {TEMPORAL[kind]}('{wanted}')."
    return ""


def _is_other(stored: Property) -> bool:
    return stored.type.upper() not in ("STRING", "")


def _name(token: Token) -> str:
    return token.text[1:-1].replace("``", "`") if token.kind == "quoted" else token.text


def _text(token: Token) -> str:
    return re.sub(r"\\(.)", r"\1", token.text[1:-1])

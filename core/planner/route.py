"""Ways between two things of one kind in a property graph: the ports between two harbours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.planner.concept import Concept, Entity, Form
from core.planner.cypher import name, text
from core.planner.mentions import Mention
from core.results import Language, Match

LONGEST = 8
"""Relationships on a way; weighed ways are looked for among shorter ones, whose number grows with each step."""
WEIGHED = 5

_ENDS = re.compile(
    r"\b(?P<w>from|between) (?:(?:[a-z]+|[EB]\d+) )*?V(?P<a>\d+) "
    r"(?:to|and|until) (?:(?:[a-z]+|[EB]\d+) )*?V(?P<b>\d+)\b"
)
_WAY = re.compile(
    r"\b(?:route|routes|path|paths|way|chain|connection|connected|connects?|travels?|get|go|goes|going|reach|via"
    r"|through|by which|pass|passes|sail|sails|shipped|ship|degrees|hops|steps|linked|links?|far)\b"
)
_LEAST = re.compile(r"\b(?:cheapest|fastest|quickest|shortest|least|lowest)\b")


def plan_route(mentions: Sequence[Mention], skeleton: str, concept: Concept) -> str:
    """Cypher for the shortest way that a question asks for, empty when it asks for none.

    The way has the fewest relationships, or the least of an attribute that the question names ("the cheapest
    route"). One row: the names of the things on it, in order, and the total of the attribute.
    """
    found = _ENDS.search(skeleton)
    if concept.language is not Language.CYPHER or not found or not _WAY.search(skeleton):
        return ""
    pair = _of_one_kind(mentions[int(found["a"])].values, mentions[int(found["b"])].values, concept)
    if pair is None:
        return ""
    start, end = pair
    kind = concept.entities[start.place.owner]
    links = _links(kind, mentions, concept)
    if not links:
        return ""
    types = "|".join(dict.fromkeys(name(link.native) for link in links))
    arrow = "->" if found["w"] == "from" else "-"
    label = name(kind.native)
    ends = f"(a:{label} {_where(start)})-[:{types}*..HOPS]{arrow}(b:{label} {_where(end)})"
    shown = f"[n IN nodes(p) | n.{name(kind.names[0])}] AS {name('_'.join(kind.words) + 's')}"
    total = _total(links[0], mentions, skeleton)
    if total:
        sum_of = name(f"total_{total}")
        shown += f", reduce(total = 0, r IN relationships(p) | total + r.{name(total)}) AS {sum_of}"
    if total and _LEAST.search(skeleton):
        return f"MATCH p = {ends.replace('HOPS', str(WEIGHED))}\nRETURN {shown}\nORDER BY {sum_of}\nLIMIT 1"
    if total:
        return f"MATCH p = shortestPath({ends.replace('HOPS', str(LONGEST))})\nRETURN {shown}"
    if re.search(r"\b(?:hops|steps|how far|degrees)\b", skeleton):
        return f"MATCH p = shortestPath({ends.replace('HOPS', str(LONGEST))})\nRETURN length(p) AS steps"
    return f"MATCH p = shortestPath({ends.replace('HOPS', str(LONGEST))})\nRETURN {shown}"


def _of_one_kind(left: Sequence[Match], right: Sequence[Match], concept: Concept) -> tuple[Match, Match] | None:
    for a in left:
        for b in right:
            kind = concept.entities.get(a.place.owner)
            if kind and not kind.link and kind.names and a.place == b.place and a.place.field in kind.names:
                return a, b
    return None


def _links(kind: Entity, mentions: Sequence[Mention], concept: Concept) -> list[Entity]:
    """Relationship types between things of one kind; those that the question names, else all."""
    links = []
    for link in concept.entities.values():
        ends = {e.target for e in concept.around.get(link.id, ()) if e.source == link.id}
        if link.link and ends == {kind.id}:
            links.append(link)
    named = {n.owner for m in mentions for n in m.named if n.score > 0.7}
    return [link for link in links if link.id in named] or links


def _total(link: Entity, mentions: Sequence[Mention], skeleton: str) -> str:
    """The number on the relationships that the question asks to add up."""
    for mention in mentions:
        for one in mention.attributes:
            if one.owner == link.id and link.attribute(one.attribute).form is Form.NUMBER:
                return one.attribute
    implied = {"cheapest": "cost", "fastest": "day", "quickest": "day", "how long": "day", "shortest": "distance"}
    for word, part in implied.items():
        if word in skeleton:
            found = [a for a in link.attributes if a.form is Form.NUMBER and any(w.startswith(part) for w in a.words)]
            if found:
                return found[0].id
    return ""


def _where(match: Match) -> str:
    return f"{{{name(match.place.field)}: {text(str(match.value))}}}"

"""Schema pruning with reachability: the tables a question is about, and those that join them."""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import OmniError
from core.grounding.terms import content_words, words_of
from core.grounding.vectors import kept_vectors
from core.grounding.vocabulary import spelt
from core.results import Grounding
from core.settings import Settings
from core.sources.base import SqlSchema, Table
from core.sources.encoder import encode

MOST_TABLES = 12
"""Tables that a pruned schema keeps; a schema with no more is shown whole."""
VALUE, NAME, COLUMN, MEANING = 1.0, 1.5, 0.8, 2.0
"""What a stored value, a table's name, a column's name and the likeness of the whole count."""
SPOKEN_OF = 10.0
"""What it counts that a query to be repaired, or the message about it, has the table's name."""
BY_NAME = 1.5
"""What a join by an equal column name costs, where a declared foreign key costs 1."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What is kept of a schema. Every prefix of `tables` is connected as far as the joins of the schema allow."""

    tables: tuple[Table, ...]
    joining: frozenset[str] = frozenset()
    """Names of the tables that are kept for the joins they make."""
    left_out: tuple[str, ...] = ()


def prune_schema(
    question: str,
    schema: SqlSchema,
    grounding: Grounding,
    settings: Settings,
    most: int = MOST_TABLES,
    spoken_of: str = "",
) -> Pruned:
    """At most `most` tables, those nearest to the question first, each with the join path to what is kept already.

    Args:
        spoken_of: A query and the message about it; tables named there are kept before others.
    """
    scores = score_tables(question, schema, grounding, settings)
    if spoken_of:
        said = {w.lower() for w in re.findall(r"\w+", spoken_of)}
        for table in schema.tables:
            scores[table.name] += SPOKEN_OF * (table.name.lower() in said)
    joins = joins_of(schema)
    order = sorted(schema.tables, key=lambda t: (-scores[t.name], -len(joins[t.name])))
    best = max(scores.values(), default=0.0) or 1.0
    nearness = {name: score / best for name, score in scores.items()}
    kept: dict[str, None] = {}
    joining: set[str] = set()
    for table in order:
        if table.name in kept:
            continue
        path = _path(kept, table.name, joins, nearness)
        if len(kept) + len(path) + 1 > most:
            continue
        joining.update(path)
        kept.update(dict.fromkeys([*path, table.name]))
    by_name = {t.name: t for t in schema.tables}
    left_out = tuple(t.name for t in schema.tables if t.name not in kept)
    return Pruned(tuple(by_name[name] for name in kept), frozenset(joining), left_out)


def score_tables(question: str, schema: SqlSchema, grounding: Grounding, settings: Settings) -> dict[str, float]:
    """How near each table is to the question: values, names and columns that it links, and its meaning as a whole.

    A term that many tables share says little about each of them. Without the encoder words decide alone.
    """
    scores = {t.name: 0.0 for t in schema.tables}
    holders: dict[str, Counter[str]] = defaultdict(Counter)
    for match in grounding.values:
        holders[match.term][match.place.owner] += 1
    for match in grounding.values:
        _raise(scores, match.place.owner, VALUE * match.score / len(holders[match.term]))
    links: dict[tuple[str, str], float] = {}
    for link in grounding.elements:
        key = (link.term, link.place.owner)
        links[key] = max(links.get(key, 0.0), link.score * (COLUMN if link.place.field else NAME))
    sharing = Counter(term for term, _ in links)
    for (term, owner), score in links.items():
        _raise(scores, owner, score / sharing[term] ** 0.5)
    for name, score in _likeness(question, schema, settings).items():
        scores[name] += MEANING * score
    return scores


def _raise(scores: dict[str, float], name: str, by: float) -> None:
    if name in scores:
        scores[name] += by


def _likeness(question: str, schema: SqlSchema, settings: Settings) -> Mapping[str, float]:
    """Cosine of the question with each table's name and columns; the share of shared words without the encoder."""
    if not schema.tables:
        return {}
    names = [t.name for t in schema.tables]
    texts = [f"{spelt(t.name)}: {', '.join(spelt(c.name) for c in t.columns)[:300]}" for t in schema.tables]
    try:
        cosines = kept_vectors(texts, settings) @ encode([question], settings, keep=True)[0]
    except OmniError:
        own = set(content_words(question))
        return {n: len(own & set(words_of(text))) / (len(own) or 1) for n, text in zip(names, texts, strict=True)}
    return {name: float(cosine) for name, cosine in zip(names, cosines, strict=True)}


def joins_of(schema: SqlSchema) -> dict[str, dict[str, float]]:
    """For each table the tables it joins, with the cost of the join; declared keys, then equal names of keys."""
    joins: dict[str, dict[str, float]] = {t.name: {} for t in schema.tables}
    folded = {t.name.lower(): t.name for t in schema.tables}
    keyed = defaultdict(list)
    for table in schema.tables:
        if len(table.primary_key) == 1 and table.primary_key[0].lower() not in ("id", "name", "code"):
            keyed[table.primary_key[0].lower()].append(table.name)
    for table in schema.tables:
        for key in table.foreign_keys:
            other = folded.get(key.ref_table.lower())
            if other and other != table.name:
                joins[table.name][other] = joins[other][table.name] = 1.0
        for column in table.columns:
            for other in keyed.get(column.name.lower(), ()):
                if other != table.name:
                    joins[table.name].setdefault(other, BY_NAME)
                    joins[other].setdefault(table.name, BY_NAME)
    return joins


def _path(
    kept: Sequence[str] | Mapping[str, None],
    goal: str,
    joins: Mapping[str, Mapping[str, float]],
    near: Mapping[str, float],
) -> list[str]:
    """Tables between what is kept and `goal`, in the order of the joins; none where no path leads there.

    Of paths of one length the one whose tables are nearer to the question is taken.
    """
    queue: list[tuple[float, str, tuple[str, ...]]] = [(0.0, name, ()) for name in kept]
    heapq.heapify(queue)
    done: set[str] = set()
    while queue:
        cost, name, path = heapq.heappop(queue)
        if name == goal:
            return list(path[:-1])
        if name in done:
            continue
        done.add(name)
        for other, price in joins[name].items():
            if other not in done:
                heapq.heappush(queue, (cost + price - 0.4 * max(near[other], 0.0), other, (*path, other)))
    return []

"""Which parts of a question name schema elements, stored values, numbers and dates."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.planner.concept import Attribute, Concept, Entity, Form
from core.planner.words import (
    ACTS,
    CLAUSE_VERBS,
    LIGHT,
    NUMBER_WORDS,
    PAST,
    SCALES,
    STOP,
    UNITS,
    Token,
    abbreviates,
    fold,
    stem,
    stems_of,
    synonymous,
)
from core.results import Grounding, Match

_GLUE = frozenset({"of", "the", "a", "an", "in", "by", "for", "to", "on", "at", "with", "from", "is", "has", "was"})
_INNER = frozenset({"of", "the", "a", "an"})
_CUES = frozenset(
    "number count total average mean maximum minimum sum max min avg most least highest lowest top first last order"
    " sorted each every list show between before after more less than how many much year age long".split()
)
_DIRECTIONS = frozenset(
    "ascending descending alphabetical alphabetic increasing decreasing reverse in chronological".split()
)
_TESTS = frozenset("starting starts beginning begins ending ends containing contains including includes".split())
"""Words for a test of a text, which name an attribute only where one is called so."""
_ACCEPT = 0.5
_CLOSE = 0.26
_EXACT = 0.97
_MONEY = frozenset("salary salaries wage wages earn earns earned income incomes".split())
_WHEREABOUTS = frozenset("work works worked live lives lived stay stays".split())
_AT = frozenset("in at for on under with".split())
_LAST_RESORT = 0.45
"""The weight of a reading that is taken where nothing else reads the word."""


@dataclass(frozen=True, slots=True)
class Named:
    """A schema element that a mention may stand for."""

    owner: str
    """The entity type."""
    attribute: str
    """Empty for the entity type itself; an edge id when `edge` is set."""
    score: float
    edge: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of the question, and everything it may stand for."""

    first: int
    last: int
    """Token positions; `last` is exclusive."""
    text: str
    named: tuple[Named, ...] = ()
    values: tuple[Match, ...] = ()
    number: float | int | None = None
    date: str = ""
    quoted: bool = False
    unit: str = ""
    """The word after a number: hours, million dollars."""
    partial: bool = False
    """True when the stored values only begin with the words of the question."""

    @property
    def entities(self) -> tuple[Named, ...]:
        """Entity types it may stand for, best first."""
        return tuple(n for n in self.named if not n.attribute and not n.edge)

    @property
    def attributes(self) -> tuple[Named, ...]:
        """Attributes it may stand for, best first."""
        return tuple(n for n in self.named if n.attribute and not n.edge)

    @property
    def edges(self) -> tuple[Named, ...]:
        """Edges or linking entity types it may stand for, best first."""
        return tuple(n for n in self.named if n.edge)

    @property
    def code(self) -> str:
        """V value, Y year, T decade, D date, N number, E entity, A attribute, B either, R relation, Q unknown."""
        if self.values:
            return "V"
        if self.date:
            return "D"
        if self.number is not None and self.text.endswith("s") and self.text[:4].isdigit():
            return "T"
        if self.number is not None:
            return "Y" if isinstance(self.number, int) and 1000 <= self.number <= 2100 and len(self.text) == 4 else "N"
        if not self.named:
            return "Q"
        best = max(n.score for n in self.named)
        entity = max((n.score for n in self.entities), default=0.0) >= best - 0.08
        attribute = max((n.score for n in self.attributes), default=0.0) >= best - 0.08
        if entity and attribute:
            return "B"
        return "E" if entity else "A" if attribute else "R"


def find_mentions(tokens: Sequence[Token], concept: Concept, grounding: Grounding) -> tuple[Mention, ...]:
    """The mentions of a question that do not overlap, in its order; longer and better ones win."""
    schema = tuple(_schema(tokens, concept))
    exact = {(m.first, m.last) for _, m in schema if m.named[0].score >= _EXACT}
    found = [*_values(tokens, concept, grounding, exact), *schema, *_constants(tokens)]
    taken: set[int] = set()
    kept: list[Mention] = []
    for weight, mention in sorted(found, key=lambda f: (-f[0], f[1].first)):
        span = set(range(mention.first, mention.last))
        if weight > 0 and not span & taken:
            kept.append(mention)
            taken |= span
    return tuple(sorted(kept, key=lambda m: m.first))


def _constants(tokens: Sequence[Token]) -> Iterable[tuple[float, Mention]]:
    for i, token in enumerate(tokens):
        if token.kind == "quoted":
            yield 1.5, Mention(i, i + 1, token.text, quoted=True)
        elif token.kind == "date":
            yield 4.0, Mention(i, i + 1, token.text, date=token.text)
        elif token.kind == "decade":
            yield 3.0, Mention(i, i + 1, token.text, number=int(token.text[:4]))
        elif token.kind == "number":
            yield _counted(tokens, i, _number(token.text))
        elif token.lower in NUMBER_WORDS and (token.lower not in ("one", "once") or _compared(tokens, i)):
            yield _counted(tokens, i, NUMBER_WORDS[token.lower])


def _counted(tokens: Sequence[Token], at: int, number: int | float) -> tuple[float, Mention]:
    """A number with its scale and the unit after it: 100 million, three hours."""
    last = at + 1
    if last < len(tokens) and tokens[last].lower in SCALES:
        number *= SCALES[tokens[last].lower]
        last += 1
    unit = tokens[last].lower if last < len(tokens) and tokens[last].lower in UNITS else ""
    text = " ".join(t.text for t in tokens[at:last])
    return 1.2 * (last - at), Mention(at, last, text, number=number, unit=unit)


def _compared(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at - 1].lower in {"than", "least", "most", "exactly", "only"}


def _number(text: str) -> int | float:
    plain = re.sub(r"[$€£%,]", "", text)
    return float(plain) if "." in plain else int(plain)


# --- stored values -----------------------------------------------------------------------------


def _values(
    tokens: Sequence[Token], concept: Concept, grounding: Grounding, exact: Container[tuple[int, int]]
) -> Iterable[tuple[float, Mention]]:
    by_span: dict[tuple[int, int], list[Match]] = {}
    folded = [fold(t.text) for t in tokens]
    reached = {*concept.entities, *(e.native for e in concept.entities.values())}
    for match in (*grounding.entities, *grounding.values):
        if match.place.owner not in reached:
            continue
        for span in _places(folded, fold(match.term)):
            if match not in by_span.setdefault(span, []):
                by_span[span].append(match)
    for (first, last), matches in by_span.items():
        quoted = last - first == 1 and tokens[first].kind == "quoted"
        if (first, last) in exact and not quoted:
            matches = [m for m in matches if m.score >= 1.0]  # a name of the schema is no misspelt value
        if last - first == 1 and tokens[first].kind == "word" and (tokens[first].text.islower() or first == 0):
            bare = first > 0 and not any(t.capitalised or t.kind == "quoted" for t in tokens[1:])
            opening = _opening(matches, concept, tokens[first])
            said = _happens(tokens, first, concept)
            matches = [
                m for m in matches
                if (_categorical(m, concept) and not said) or (bare and not said and _names_a_thing(m, concept))
            ]  # fmt: skip
            if not any(m.score >= 1.0 for m in matches) and opening:
                yield _LAST_RESORT, Mention(first, last, tokens[first].text, (), opening, partial=True)
                continue
        if not matches:
            continue
        best = max(m.score for m in matches)
        near = [m for m in matches if m.score >= (1.0 if best >= 1.0 else best - 0.03)]
        weight = _value_weight(tokens, first, last, best, quoted)
        if weight > 0:
            text = " ".join(t.text for t in tokens[first:last])
            near.sort(key=lambda m: -m.score)
            begins = best < 1.0 and all(fold(m.label).startswith(f"{fold(m.term)} ") for m in near)
            yield weight, Mention(first, last, text, (), tuple(near), quoted=quoted, partial=begins)


def _opening(matches: Sequence[Match], concept: Concept, token: Token) -> tuple[Match, ...]:
    """Names of things that begin with a plain word, all of one place: migraine, for "Migraine, unspecified"."""
    plain = token.lower in STOP or token.lower in _CUES or token.lower in PAST or len(token.text) < 4
    if plain or token.lower in ACTS or token.lower.endswith(("ing", "ed")):
        return ()
    naming = [
        m for m in matches
        if (e := concept.entities.get(m.place.owner)) and m.place.field in e.names
        and fold(m.label).startswith(fold(m.term).removesuffix("s"))
    ]  # fmt: skip
    return tuple(m for m in naming if m.place == naming[0].place)


def _happens(tokens: Sequence[Token], at: int, concept: Concept) -> bool:
    """Whether a plain word says what happens rather than naming a value: tracks belong, are reported."""
    word = tokens[at].lower
    if word in ACTS:
        return True
    passive = word.endswith("ed") and at > 0 and tokens[at - 1].lower in ("is", "are", "was", "were")
    return passive and any(word in a.words for a in concept.attributes())


def _categorical(match: Match, concept: Concept) -> bool:
    """Whether a value is one of few, as words for kinds are; a plain word that names one of many is chance."""
    entity = concept.entities.get(match.place.owner)
    if entity is None or not match.place.field or not entity.has(match.place.field):
        return True
    distinct = entity.attribute(match.place.field).distinct
    return distinct is None or distinct <= 40


def _names_a_thing(match: Match, concept: Concept) -> bool:
    entity = concept.entities.get(match.place.owner)
    return entity is not None and match.place.field in entity.names and match.score >= 1.0


def _places(folded: Sequence[str], term: str) -> Iterable[tuple[int, int]]:
    if not term:
        return
    for first in range(len(folded)):
        joined = ""
        for last in range(first, min(len(folded), first + 12)):
            joined = f"{joined} {folded[last]}".strip()
            if joined == term:
                yield first, last + 1
            if len(joined) >= len(term):
                break


def _value_weight(tokens: Sequence[Token], first: int, last: int, score: float, quoted: bool) -> float:
    if quoted:
        return 6.0 + score
    words = [t for t in tokens[first:last] if t.kind in ("word", "number", "quoted")]
    if not words or score < 0.8:
        return 0.0
    content = [t for t in words if t.lower not in STOP]
    if not content:
        inner = [t for t in words if t.capitalised]
        return 1.1 * len(words) * score if len(inner) == len(words) and first > 0 and len(words) > 1 else 0.0
    if all(t.kind == "number" for t in words):
        return 0.0
    marked = any(t.capitalised for t in words if t.start > tokens[0].start) or any(
        t.kind == "number" for t in words
    )  # fmt: skip
    if len(content) == 1 and not marked:
        if content[0].lower in _CUES or score < 1.0:
            return 0.0
        return 0.97
    return (len(content) + 0.3 * (len(words) - len(content)) + (0.6 if marked else 0.0)) * score


# --- schema elements ---------------------------------------------------------------------------


def _schema(tokens: Sequence[Token], concept: Concept) -> Iterable[tuple[float, Mention]]:
    names = tuple(_names(concept))
    for first in range(len(tokens)):
        for last in range(first + 1, min(len(tokens), first + 6) + 1):
            span = tokens[first:last]
            if any(t.kind not in ("word", "possessive") for t in span) or span[-1].kind == "possessive":
                break
            if any(t.lower in _GLUE - _INNER for t in span[1:-1]):
                break
            if (
                span[0].lower in {"number", "count", "total"}
                and last < len(tokens)
                and tokens[last].lower == "of"
                and last - first == 1
            ):
                continue
            if span[0].lower in _GLUE or span[-1].lower in _GLUE:
                continue
            if len(span) > 1 and _tells(span, concept):
                continue
            words = tuple(w for t in span if t.kind == "word" and t.lower not in _GLUE for w in _split(t.text))
            if words[0] == "order" and first > 0 and tokens[first - 1].lower in _DIRECTIONS:
                continue
            if first == 0 and words[0] == "name" and last < len(tokens) and tokens[last].lower != "of":
                continue
            if not words or (len(span) == 1 and not _may_name(words[0])):
                continue
            named = _without_links(_candidates(stems_of(words), names), concept)
            if named and words[0] in _TESTS and named[0].score < _EXACT:
                continue
            if set(words) & _MONEY:
                named = tuple(n for n in named if not _paid(n, concept))
            after = tokens[last].lower if last < len(tokens) else ""
            if len(words) == 1 and words[0] in _WHEREABOUTS and after in _AT:
                named = tuple(n for n in named if n.edge)  # nurses work in Cardiology
            if len(words) == 1 and words[0] in LIGHT:
                named = tuple(n for n in named if n.attribute and words[0] in _words_of(n, concept))
            if named:
                text = " ".join(t.text for t in span)
                yield _schema_weight(named[0].score, len(words)), Mention(first, last, text, named)


def _words_of(named: Named, concept: Concept) -> tuple[str, ...]:
    if named.edge:
        return tuple(w for role in concept.edges[named.attribute].words for w in role)
    return concept.attribute(named.owner, named.attribute).words


def _paid(named: Named, concept: Concept) -> bool:
    """Whether a name is a day or a sum of payment, which is no salary and no income."""
    if named.edge or not named.attribute:
        return False
    attribute = concept.attribute(named.owner, named.attribute)
    return attribute.form is Form.DATE or "paid" in attribute.words


def _tells(span: Sequence[Token], concept: Concept) -> bool:
    """Whether a plural and the verb after it are a clause and no compound: films cost, studios earned."""
    first, last = span[0].lower, span[-1].lower
    if not first.endswith("s") or not (last.endswith("ed") or last in CLAUSE_VERBS):
        return False
    return not any(first in e.words for e in concept.entities.values())


def _split(word: str) -> tuple[str, ...]:
    return tuple(w for w in re.split(r"[^\w]+|_", word.lower()) if w)


def _without_links(named: tuple[Named, ...], concept: Concept) -> tuple[Named, ...]:
    """Named elements without tables that only join, where one of their own edges is named as well."""
    roles = {n.owner for n in named if n.edge and n.attribute}
    return tuple(
        n for n in named if n.edge or n.attribute or n.owner not in roles or not concept.entities[n.owner].link
    )


def _schema_weight(score: float, words: int) -> float:
    """A longer reading wins only where it fits well; else its words may each name something exactly."""
    return score * (words + 0.05) if score >= 0.72 else score * (1.05 + 0.2 * (words - 1))


def _may_name(word: str) -> bool:
    return word not in STOP or word in {
        "name", "number", "title", "age", "year", "total", "record", "count", "detail", "details", "information",
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Name:
    stems: tuple[str, ...]
    owner: str
    attribute: str
    edge: bool
    weight: float
    extended: bool = False
    """Made of the owner's name and the attribute's; a single word does not reach it."""


def _plain(words: Iterable[str]) -> tuple[str, ...]:
    kept = tuple(w for w in words if w not in _GLUE)
    return stems_of(kept or tuple(words))


def _names(concept: Concept) -> Iterable[_Name]:
    for entity in concept.entities.values():
        native_link = entity.link and "|" in entity.id
        yield _Name(_plain(entity.words), entity.id, "", native_link, 0.97 if native_link else 1.0)
        for attribute in entity.attributes:
            yield from _attribute_names(entity, attribute)
    for edge in concept.edges.values():
        for words in edge.words:
            yield _Name(_plain(words), edge.source, edge.id, True, 0.98)


def _attribute_names(entity: Entity, attribute: Attribute) -> Iterable[_Name]:
    words = _plain(attribute.words)
    own = _plain(entity.words)
    role = attribute.key and len(words) < len(attribute.words)  # the ward that a patient comes from
    yield _Name(words, entity.id, attribute.id, False, 0.85 if role else 1.0)
    head = own[-1:]
    if words[: len(own)] != own and words[:1] != head:
        yield _Name(own + words, entity.id, attribute.id, False, 1.0, True)
        if len(own) > 1:
            yield _Name(head + words, entity.id, attribute.id, False, 0.98, True)
    elif len(words) > len(own) and words[: len(own)] == own:
        yield _Name(words[len(own) :], entity.id, attribute.id, False, 0.98)


def _candidates(span: tuple[str, ...], names: Sequence[_Name]) -> tuple[Named, ...]:
    best: dict[tuple[str, str, bool], float] = {}
    for name in names:
        if name.extended and len(span) < 2:
            continue
        score = likeness(span, name.stems) * name.weight
        if score >= _ACCEPT:
            key = (name.owner, name.attribute, name.edge)
            best[key] = max(best.get(key, 0.0), score)
    if not best:
        return ()
    top = max(best.values())
    named = [Named(o, a, s, e) for (o, a, e), s in best.items() if s >= top - _CLOSE]
    return tuple(sorted(named, key=lambda n: -n.score))


@lru_cache(maxsize=200_000)
def likeness(span: tuple[str, ...], name: tuple[str, ...]) -> float:
    """How well stems of a question read as the stems of a name: 1 for the same, 0 for unrelated."""
    if span == name:
        return 1.0
    if not span or not name:
        return 0.0
    if "".join(span) == "".join(name):
        return 0.97
    if len(span) == len(name):
        scores = [_word(s, n) for s, n in zip(span, name, strict=True)]
        if min(scores) > 0:
            return 0.6 * min(scores) + 0.4 * sum(scores) / len(scores)
        return 0.0
    if len(span) > len(name):
        return 0.0
    rest = len(span) / len(name)
    if _same(span, name[-len(span) :]):
        return 0.62 + 0.2 * rest
    if _same(span, name[: len(span)]):
        left = name[len(span) :]
        if left == (stem("name"),) or set(left) <= _UNITS:
            return 0.84
        return 0.64 if left in _KEYS else 0.45 + 0.2 * rest
    if len(set(span)) > 1 and set(span) <= set(name):
        return 0.6
    return 0.0


_UNITS = set(
    stems_of(
        tuple(
            "m2 km2 km cm mm kg g mg ml eur usd gbp musd meur pct in square kilometres kilometers metres meters"
            " minutes seconds dollars euros kmh mph".split()
        )
    )
)
_KEYS = {(stem("id"),), (stem("code"),), (stem("number"),), (stem("title"),)}


def _word(left: str, right: str) -> float:
    if left == right:
        return 1.0
    if synonymous(left, right):
        return 0.85
    if abbreviates(right, left):
        return 0.74
    if min(len(left), len(right)) >= 6 and _one_letter_more(*sorted((left, right), key=len)):
        return 0.8
    if min(len(left), len(right)) >= 5 and (left.startswith(right) or right.startswith(left)):
        return 0.7
    return 0.0


def _one_letter_more(short: str, longer: str) -> bool:
    """Whether `longer` is `short` with one letter put in, as in enrolment and enrollment."""
    if len(longer) != len(short) + 1:
        return False
    return any(longer[:i] + longer[i + 1 :] == short for i in range(len(longer)))


def _same(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    return all(_word(a, b) >= 0.74 for a, b in zip(left, right, strict=True))

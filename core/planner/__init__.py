"""Built-in query formulation: one logical query, found by linking, lowered to SQL, SPARQL or Cypher."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from core.errors import CannotLink, NoSuchThing
from core.planner.assemble import assemble
from core.planner.concept import Concept
from core.planner.coverage import check_coverage
from core.planner.cypher import to_cypher
from core.planner.intent import Intent
from core.planner.logical import Calc, Calculation, Logical, Nested, Op, Statement
from core.planner.mentions import Mention, find_mentions
from core.planner.qualifiers import asked_of
from core.planner.read_intent import read_intent
from core.planner.readings import readings
from core.planner.route import plan_route
from core.planner.sparql import shorten, to_sparql
from core.planner.sql import to_sql
from core.planner.statements import has_statements
from core.planner.views import concept_of
from core.planner.words import ACTS, PAST, Token, tokenise
from core.results import Grounding, Language
from core.sources.base import RdfSchema, Source, TextSchema
from core.sources.statement_form import direct_view

LOWER: dict[Language, Callable[[Statement, Concept], str]] = {
    Language.SQL: to_sql, Language.SPARQL: to_sparql, Language.CYPHER: to_cypher,
}  # fmt: skip


FURTHER = 5
"""Things after the first few that are looked at, in case they share the last place."""
WIDE = 200
"""Predicates above which an RDF graph is asked around its entities rather than by its schema."""


@dataclass(frozen=True, slots=True)
class Further:
    """Of a query for the first few in an order the same with those that follow; what it is ordered by comes last."""

    text: str
    first: int
    """How many the query itself asks for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A native query, the logical one it came from, and remarks for the reader."""

    text: str
    logical: Statement | None
    """None for a text source, whose query is the question, and for a query anchored on entities."""
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Words of the question that stand for nothing in the source."""
    further: Further | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """Those of `left_out` that matter: what verbs say, the joins say."""
        return _missing(self.left_out)


def plan(question: str, source: Source, grounding: Grounding) -> Plan:
    """One native query for `question` on `source`: the likeliest of `plan_all`.

    Raises:
        CannotLink: A part of the question is not in the source; the message names it.
        SourceUnavailable: The source can't be described.
    """
    return plan_all(question, source, grounding, most=1)[0]


def plan_all(question: str, source: Source, grounding: Grounding, most: int) -> tuple[Plan, ...]:
    """At least one and at most `most` different queries for `question` on `source`, likeliest first.

    Raises:
        CannotLink: A part of the question is not in the source; the message names it.
        SourceUnavailable: The source can't be described.
    """
    schema = source.describe()
    if isinstance(schema, TextSchema):
        return (Plan(question, None),)
    if not isinstance(schema, RdfSchema):
        return _by_schema(question, source, grounding, most)
    if len(schema.predicates) > WIDE:
        made: tuple[Plan, ...] = (_anchored(question, source, grounding, stated=True),)
    elif has_statements(schema):
        made = _stated(question, source, grounding, most)
    else:
        made = _by_schema(question, source, grounding, most)
    return tuple(replace(one, text=shorten(one.text, schema.prefixes)) for one in made)


def _anchored(question: str, source: Source, grounding: Grounding, *, stated: bool) -> Plan:
    from core.planner.entity import plan_by_entities

    text, notes = plan_by_entities(question, source, grounding, stated=stated)
    return Plan(text, None, notes)


def _stated(question: str, source: Source, grounding: Grounding, most: int) -> tuple[Plan, ...]:
    """For a graph with qualified statements: by those, by its schema where all is linked, else around its entities."""
    from core.planner.entity import plan_stated

    found = plan_stated(question, source, grounding)
    if found:
        return (Plan(found[0], None, found[1]),)
    made: tuple[Plan, ...] = ()
    problem = CannotLink("Nothing in the question names a part of this source.")
    try:
        made = _by_schema(question, source, grounding, most)
    except CannotLink as error:
        problem = error
    if made and not made[0].left_out:
        return made
    compares = asked_of(question, ()).beyond  # which one hop from an entity does not
    if not compares and not isinstance(problem, NoSuchThing):
        try:
            return (_anchored(question, source, grounding, stated=False),)
        except CannotLink as error:
            problem = error
    if not made:
        raise problem
    return made


_SAID = (
    # "First and last name" are two attributes, each with its whole name.
    (r"\b(first|last)( and |, | or )(first|last) (names?)\b", r"\1 \4\2\3 \4"),
    (r"\bbox[ -]office(?: takings?| gross| revenues?| results?)?\b", "gross"),
    (r"\b(?:running|run|screen) time\b", "runtime"),
    (r"\b(what|which) part( did| does| do)\b", r"\1 role\2"),
    (r"\bhow old (?:was|were) (.+?) (?:when (?:he|she|it|they) (?:died|passed away)|at (?:his |her |their )?death)\b",
     r"what is the lifespan of \1"),
    (r"\bhow (?:long|many years) did (.+?) live\b", r"what is the lifespan of \1"),
    (r"\blived (?:the )?(longest|longer|shortest|shorter)\b", r"had the \1 lifespan"),
    (r"\bage at death\b", "lifespan"),
)  # fmt: skip
_SHARE = re.compile(
    r"^\W*(?:(?:what|which)(?: is the)? (?:share|percentage|percent|proportion|fraction)|how many percent)"
    r" of (?:the |all (?:the )?)?(?P<rest>.+)$",
    re.IGNORECASE,
)
_RATIO = re.compile(
    r"^\W*(?:(?:what|how much) (?:is|are|was) )?(?:the )?"
    r"(?:ratio of (?:the )?(?P<c>.+?) to (?:the )?(?P<d>.+?) of (?P<y>.+?)"
    r"|(?P<a>.+?) of (?P<x>.+?),? divided by (?:its |his |her |their |the )?(?P<b>.+?)(?: of (?:it|them|(?P=x)))?)\W*$",
    re.IGNORECASE,
)
_LATELY = re.compile(
    r"\b(?:in|during|over|within) the (?:last|past) (?P<n>\d+) (?P<u>day|week|month|year)s\b", re.IGNORECASE
)
_ON_AND_ON = re.compile(
    r",? ?\b(?:(?:directly,? (?:or|and) )?indirectly(?:,? (?:or|and) directly)?|transitively"
    r"|through any number of steps)\b",
    re.IGNORECASE,
)
_PRONOUNS = frozenset("it they them he him she her this that these those".split())
_PERSONAL = re.compile(r" (?:it|they|them|he|him|she|her|his|its|their) ")
_DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}


def _plainly(question: str) -> str:
    """Phrases as schemas write what they mean."""
    for said, meant in _SAID:
        question = re.sub(said, meant, question, flags=re.IGNORECASE)
    return _LATELY.sub(_since, question)


def _since(found: re.Match[str]) -> str:
    day = dt.date.today() - dt.timedelta(days=round(int(found["n"]) * _DAYS[found["u"].lower()]))
    return f"since {day.isoformat()}"


def _by_schema(question: str, source: Source, grounding: Grounding, most: int) -> tuple[Plan, ...]:
    schema = source.describe()
    concept = concept_of(direct_view(schema) if isinstance(schema, RdfSchema) else schema)
    about = set(re.findall(r"\w+", f"{source.card.title} {source.card.id.replace('_', ' ')}".lower()))
    plain = _plainly(question)
    share = _SHARE.match(plain)
    if share:
        return (_share(share["rest"], concept, grounding, about),)
    ratio = _RATIO.match(plain)
    if ratio:
        return (_ratio(ratio, concept, grounding, about),)
    tokens = tokenise(_ON_AND_ON.sub("", plain))
    closure = bool(_ON_AND_ON.search(plain))
    made: dict[str, Plan] = {}
    problem: CannotLink | None = None
    tried = islice(readings(find_mentions(tokens, concept, grounding)), 3 * most if most > 1 else 1)
    for mentions in tried:
        try:
            one = _read(tokens, mentions, concept, about, closure)
        except CannotLink as error:
            problem = problem or error
            continue
        made.setdefault(one.text, one)
        if len(made) == most:
            break
    if not made:
        raise problem or CannotLink("Nothing in the question names a part of this source.")
    return tuple(made.values())


def _read(
    tokens: Sequence[Token], mentions: Sequence[Mention], concept: Concept, about: set[str], closure: bool
) -> Plan:
    """The query of one reading."""
    intent = read_intent(tokens, mentions)
    intent.closure = closure
    left_out = check_coverage(tokens, mentions, about)
    hints = {w.hint for w in intent.wanted}
    left_out = tuple(w for w in left_out if w.lower() not in hints)
    intent.left_out = bool(_missing(left_out))
    way = plan_route(mentions, intent.skeleton, concept)
    if way:
        return Plan(way, None, (), left_out)
    logical = _assembled(mentions, intent, concept)
    if len(left_out) > 1 and isinstance(logical, Logical) and logical.ask:
        raise CannotLink(f"Yes or no depends on {', '.join(left_out)!r}, which stand for nothing in this source.")
    refers = next((t.lower for t in tokens if t.lower in _PRONOUNS), "")
    stands_for_nothing = _PERSONAL.search(re.split(r" [EBV]\d", intent.skeleton)[0])
    if refers and (_lists_all(logical) or (stands_for_nothing and not _narrows(logical))):
        raise CannotLink(f"{refers!r} refers to nothing in this question. Name what is meant.")
    if left_out and _lists_all(logical):
        raise CannotLink(f"Without {', '.join(left_out)!r} this source could only list all it has.")
    if left_out and _echoes(logical):
        raise CannotLink(f"{', '.join(left_out)!r} stands for nothing in this source, and the rest asks for nothing.")
    lower = LOWER[concept.language]
    further: Further | None = None
    if isinstance(logical, Logical) and logical.limit and logical.order and not logical.ask:
        keyed = tuple(dict.fromkeys((*(t for t in logical.targets if t != logical.order[0].key), logical.order[0].key)))
        more = logical.but(targets=keyed, limit=logical.limit + FURTHER)
        further = Further(lower(more, concept), logical.limit)
    return Plan(lower(logical, concept), logical, (), left_out, further)


def _share(of: str, concept: Concept, grounding: Grounding, about: set[str]) -> Plan:
    """What part of the films won an Oscar: how many films did, of how many films."""
    tokens = tokenise(f"how many {of}")
    mentions = find_mentions(tokens, concept, grounding)
    left_out = check_coverage(tokens, mentions, about)
    kind = next((m for m in mentions if m.code in "EBR"), None)
    if kind is None:
        raise CannotLink("The question asks for a share, and what it is a share of could not be linked.")
    part = _assembled(mentions, read_intent(tokens, mentions), concept)
    before = tuple(m for m in mentions if m.last <= kind.last)
    whole = _assembled(before, read_intent(tokens[: kind.last], before), concept)
    if not isinstance(part, Logical) or not isinstance(whole, Logical) or part == whole or not part.measures:
        raise CannotLink("The question asks for a share, and what counts as part of it could not be linked.")
    logical = Calculation(Calc.SHARE, part, whole)
    return Plan(LOWER[concept.language](logical, concept), logical, (), left_out)


def _ratio(found: re.Match[str], concept: Concept, grounding: Grounding, about: set[str]) -> Plan:
    """One figure of a thing divided by another one of it."""
    over, under, whose = (found["a"], found["b"], found["x"]) if found["a"] else (found["c"], found["d"], found["y"])
    sides: list[Logical] = []
    missing: list[str] = []
    for figure in (over, under):
        tokens = tokenise(f"what is the {figure} of {whose}")
        mentions = find_mentions(tokens, concept, grounding)
        missing += check_coverage(tokens, mentions, about)
        side = _assembled(mentions, read_intent(tokens, mentions), concept)
        if not isinstance(side, Logical) or len(side.targets) != 1:
            raise CannotLink(f"{figure!r} is not one figure of {whose!r} here, so that it can't be divided.")
        sides.append(side)
    logical = Calculation(Calc.RATIO, *sides)
    left_out = tuple(dict.fromkeys(missing))
    return Plan(LOWER[concept.language](logical, concept), logical, (), left_out)


def _assembled(mentions: Sequence[Mention], intent: Intent, concept: Concept) -> Statement:
    try:
        return assemble(mentions, intent, concept)
    except ValueError as error:
        raise CannotLink(f"The parts that were linked make no query: {error}") from error


def _missing(left_out: Sequence[str]) -> tuple[str, ...]:
    return tuple(w for w in left_out if w.lower() not in ACTS | PAST and not w.endswith("ed"))


def _narrows(logical: Statement) -> bool:
    """Whether anything but the joins narrows a query."""
    if isinstance(logical, Nested | Calculation):
        return True
    return bool(logical.filters or logical.absent or logical.having or logical.order)


def _lists_all(logical: Statement) -> bool:
    """Whether a query narrows nothing, sorts nothing and counts nothing."""
    if isinstance(logical, Nested | Calculation):
        return False
    narrows = logical.filters or logical.absent or logical.having or logical.order or logical.hops
    return not (narrows or logical.measures or logical.groups)


def _echoes(logical: Statement) -> bool:
    """Whether only what the question named itself would come back."""
    if isinstance(logical, Nested | Calculation):
        return False
    fixed = {f.on for f in logical.filters if f.op in (Op.EQ, Op.IN) and len(f.values) == 1}
    return not logical.ask and bool(logical.targets) and all(t in fixed for t in logical.targets)

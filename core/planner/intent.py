"""What a question wants: targets, comparisons, a superlative, groups."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.planner.logical import Calc, Func, Op


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing to return: a mention, or an aggregate of one."""

    mention: int | None
    func: Func | None = None
    distinct: bool = False
    word: str = ""
    """The question word, when nothing in the question names what it asks for."""
    hint: str = ""
    """The comparing word that says what is measured: how much longer."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition with an operator; `mention` is the attribute, `counted` what is counted instead."""

    op: Op
    values: tuple[int, ...]
    mention: int | None = None
    counted: int | None = None
    hint: str = ""
    """The comparing word, such as older, when no attribute is named."""
    average: bool = False
    decade: bool = False
    year: bool = False
    position: int = 0
    standard: int | None = None
    """The named thing that is compared with: a larger population than Germany."""
    typical: bool = False
    """True when a count is compared with the average count."""
    times: int | None = None
    """The attribute that is compared with: more than ten times the budget; `values` holds a factor in figures."""
    factor: float = 1
    """A factor in words: twice, half."""
    beside: int | None = None
    """The stored name right before a comparison without an attribute: an HbA1c above 7."""
    at: int | None = None
    """What happened when an age is compared: older than 60 at the visit."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """A superlative: the first `limit` things by an attribute, or by how many `counted` they have."""

    descending: bool
    limit: int
    mention: int | None = None
    counted: bool = False
    hint: str = ""
    func: Func | None = None
    summed: bool = False
    """True when what is measured adds up over the parts of a thing: the studio that earned the most."""


@dataclass(slots=True)
class Intent:
    """What was read from the cues; positions are indexes of mentions."""

    ask: bool = False
    distinct: bool = False
    wanted: list[Wanted] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    extreme: Extreme | None = None
    groups: list[int] = field(default_factory=list)
    order: list[tuple[int | None, bool]] = field(default_factory=list)
    limit: int | None = None
    negated: list[int] = field(default_factory=list)
    both: bool = False
    by_part: str = ""
    """"year" or "month" when those of dates are asked for, and the source keeps none of their own."""
    standards: set[int] = field(default_factory=set)
    """Named things that are only compared with."""
    versus: int | None = None
    """The named thing whose figure is taken from the first one's: how many more than in France."""
    calc: Calc = Calc.DIFFERENCE
    nested: Func | None = None
    """An aggregate over the counts of groups: the average number of films of a studio."""
    spans: list[tuple[int, int, str]] = field(default_factory=list)
    """Two dates of one thing and a unit: the days between a visit and its follow-up."""
    listed: bool = False
    """True when stored values stand in a list: A or B, A and B."""
    used: set[int] = field(default_factory=set)
    """Mentions whose part in the query is settled by a cue."""
    owners: set[int] = field(default_factory=set)
    """Entity mentions that only say whose attribute is meant."""
    present: set[int] = field(default_factory=set)
    """Attribute mentions that must have a value."""
    mutual: bool = False
    """True for things that are related to each other."""
    closure: bool = False
    """True when a relation is followed on and on: directly or indirectly."""
    left_out: bool = False
    """True when words of the question stand for nothing in the source."""
    skeleton: str = ""

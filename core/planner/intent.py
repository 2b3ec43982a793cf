"""What a question wants: targets, comparisons, a superlative, groups."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.planner.logical import Func, Op


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing to return: a mention, or an aggregate of one."""

    mention: int | None
    func: Func | None = None
    distinct: bool = False
    word: str = ""
    """The question word, when nothing in the question names what it asks for."""


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
    by_year: bool = False
    """True when the years of dates are asked for, and the source keeps no years of their own."""
    listed: bool = False
    """True when stored values stand in a list: A or B, A and B."""
    used: set[int] = field(default_factory=set)
    """Mentions whose part in the query is settled by a cue."""
    owners: set[int] = field(default_factory=set)
    """Entity mentions that only say whose attribute is meant."""
    present: set[int] = field(default_factory=set)
    """Attribute mentions that must have a value."""
    skeleton: str = ""

"""One logical query, before any query language: what every lowering reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from core.results import Value


class Op(StrEnum):
    """How a filter compares."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    BETWEEN = "between"
    IN = "in"
    CONTAINS = "contains"
    STARTS = "starts with"
    ENDS = "ends with"
    NULL = "is null"
    NOT_NULL = "is not null"


class Func(StrEnum):
    """An aggregate."""

    COUNT = "count"
    SUM = "sum"
    AVG = "avg"
    MIN = "min"
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Var:
    """An instance of an entity type that the query ranges over."""

    name: str
    entity: str


@dataclass(frozen=True, slots=True)
class Hop:
    """`source` and `target` variables joined by an edge of the conceptual view, in the edge's own direction."""

    edge: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Field:
    """An attribute of a variable; an empty attribute is the thing itself."""

    var: str
    attribute: str = ""
    part: str = ""
    """"year" or "month" for that part of a date, to group by; a month keeps its year (2021-03)."""
    since: Field | None = None
    """For the time that lies between that date and this one: the age of a patient at a visit."""
    unit: str = ""
    """Of that time: days, months or years, whole ones that have passed."""
    until: str = ""
    """For the time up to a day that is not stored (ISO 8601), such as today."""


@dataclass(frozen=True, slots=True)
class Measure:
    """An aggregate over a field; counting a field with an empty attribute counts things."""

    func: Func
    field: Field
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Single:
    """The one value that another query returns, to compare with: the population of Germany."""

    query: Logical | Nested


@dataclass(frozen=True, slots=True)
class Times:
    """A multiple of another field, to compare with: ten times the budget."""

    field: Field
    factor: float = 1


Operand = Value | Single | Times


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a field (or, in `having`, on a measure).

    `year` compares the year of a date; `BETWEEN` takes two values, `IN` any number, the null tests none.
    """

    on: Field | Measure
    op: Op
    values: tuple[Operand, ...] = ()
    year: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A pattern hanging on one variable of the query that must exist, or must not."""

    vars: tuple[Var, ...]
    hops: tuple[Hop, ...]
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """A sort key."""

    key: Field | Measure
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Logical:
    """A query over the conceptual view of one source."""

    vars: tuple[Var, ...]
    targets: tuple[Field | Measure, ...]
    hops: tuple[Hop, ...] = ()
    filters: tuple[Filter, ...] = ()
    absent: tuple[Branch, ...] = ()
    groups: tuple[Field, ...] = ()
    having: tuple[Filter, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    distinct: bool = False
    ask: bool = False
    """True when the answer is yes or no."""
    closure: bool = False
    """True when a relation between two things of one kind is followed any number of times: directly or indirectly."""
    present: tuple[Branch, ...] = ()
    """Patterns that only have to exist: joining them would repeat what is summed or averaged."""

    def __post_init__(self) -> None:
        known = {v.name for v in self.vars}
        if len(known) != len(self.vars) or not self.vars:
            raise ValueError("A logical query needs variables with different names.")
        if not self.targets and not self.ask:
            raise ValueError("A logical query needs a target unless it asks yes or no.")
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"The limit is {self.limit}, but must be at least 1.")
        loose = {f.var for f in self.fields()} | {v for h in self.hops for v in (h.source, h.target)}
        if loose - known:
            raise ValueError(f"No variable is named {sorted(loose - known)[0]!r}.")
        if len(self._reached()) < len(self.vars):
            apart = next(v.entity for v in self.vars if v.name not in self._reached())
            raise ValueError(f"Nothing joins {apart.rsplit('/', 1)[-1]!r} with the rest.")
        for one in (*self.filters, *self.having):
            wanted = _ARITY.get(one.op, 1)
            if wanted != len(one.values) and one.op is not Op.IN:
                raise ValueError(f"{one.op} takes {wanted} values, not {len(one.values)}.")

    def _reached(self) -> set[str]:
        """Variables that hops join with the first one; the others would make a cartesian product."""
        reached = {self.vars[0].name}
        for _ in self.hops:
            for hop in self.hops:
                if reached & {hop.source, hop.target}:
                    reached |= {hop.source, hop.target}
        return reached

    def fields(self) -> Iterator[Field]:
        """Every field the query mentions outside its absent branches."""
        keys = (o.key for o in self.order)
        conditions = (*self.filters, *self.having)
        others = (v.field for f in conditions for v in f.values if isinstance(v, Times))
        for one in (*self.targets, *self.groups, *(f.on for f in conditions), *keys, *others):
            field = one.field if isinstance(one, Measure) else one
            yield field
            if field.since is not None:
                yield field.since

    def entity_of(self, var: str) -> str:
        """The entity type of a variable, those of absent branches included."""
        return next(
            v.entity for v in (*self.vars, *(v for b in (*self.absent, *self.present) for v in b.vars)) if v.name == var
        )

    @property
    def singles(self) -> tuple[Single, ...]:
        """The queries whose values this one compares with, each once."""
        values = (v for f in (*self.filters, *self.having) for v in f.values)
        return tuple(dict.fromkeys(v for v in values if isinstance(v, Single)))

    @property
    def group_singles(self) -> tuple[Single, ...]:
        """Those of `singles` that conditions on groups compare with."""
        return tuple(dict.fromkeys(v for h in self.having for v in h.values if isinstance(v, Single)))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Aggregates among the targets, sort keys and group conditions."""
        keys = (o.key for o in self.order)
        return tuple(m for m in (*self.targets, *keys, *(h.on for h in self.having)) if isinstance(m, Measure))

    @property
    def counted(self) -> Measure:
        """The one measure among the targets of a query whose groups are aggregated again."""
        return next(t for t in self.targets if isinstance(t, Measure))

    def but(self, **changes: object) -> Logical:
        """The same query with some parts replaced."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Nested:
    """An aggregate over the groups of another query: the average number of films of a studio."""

    func: Func
    query: Logical
    """Its one target is a measure, and it has groups."""


class Calc(StrEnum):
    """What is computed from two values."""

    DIFFERENCE = "difference"
    DAYS = "days"
    YEARS = "years"
    SHARE = "percentage"
    RATIO = "ratio"


@dataclass(frozen=True, slots=True)
class Calculation:
    """A figure from two other queries: a difference, a ratio, a percentage, the time between two dates."""

    kind: Calc
    left: Logical | Nested
    right: Logical | Nested


Statement = Logical | Nested | Calculation
"""What can be lowered to one native query."""

_ARITY = {Op.BETWEEN: 2, Op.NULL: 0, Op.NOT_NULL: 0}

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
    year: bool = False
    """True for the year of a date, to group by."""


@dataclass(frozen=True, slots=True)
class Measure:
    """An aggregate over a field; counting a field with an empty attribute counts things."""

    func: Func
    field: Field
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Overall:
    """An aggregate of one attribute over all its instances, to compare with."""

    func: Func
    entity: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a field (or, in `having`, on a measure).

    `year` compares the year of a date; `BETWEEN` takes two values, `IN` any number, the null tests none.
    """

    on: Field | Measure
    op: Op
    values: tuple[Value | Overall, ...] = ()
    year: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A pattern hanging on one variable of the query that must not exist."""

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
        for one in (*self.targets, *self.groups, *(f.on for f in self.filters), *(f.on for f in self.having)):
            yield one.field if isinstance(one, Measure) else one
        for key in self.order:
            yield key.key.field if isinstance(key.key, Measure) else key.key

    def entity_of(self, var: str) -> str:
        """The entity type of a variable, those of absent branches included."""
        return next(v.entity for v in (*self.vars, *(v for b in self.absent for v in b.vars)) if v.name == var)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Aggregates among the targets, sort keys and group conditions."""
        keys = (o.key for o in self.order)
        return tuple(m for m in (*self.targets, *keys, *(h.on for h in self.having)) if isinstance(m, Measure))

    def but(self, **changes: object) -> Logical:
        """The same query with some parts replaced."""
        return replace(self, **changes)  # type: ignore[arg-type]


_ARITY = {Op.BETWEEN: 2, Op.NULL: 0, Op.NOT_NULL: 0}

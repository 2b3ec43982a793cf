"""A logical query as Cypher."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

from core.planner.concept import Attribute, Concept, Form
from core.planner.derived import attribute_of, spelled_out
from core.planner.logical import (
    Branch,
    Calc,
    Calculation,
    Field,
    Filter,
    Func,
    Hop,
    Logical,
    Measure,
    Nested,
    Op,
    Operand,
    Single,
    Statement,
    Times,
    Var,
)
from core.planner.units import DURATION

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*$")
_RESERVED = frozenset(
    "all and any as asc by call case contains create delete desc distinct else end ends exists false in is limit match"
    " merge not null on optional or order remove return set skip starts then true union unwind when where with xor"
    " order group count".split()
)


FARTHEST = 8
"""Steps that "directly or indirectly" follows: the number of ways grows with each."""

_SYMMETRIC = frozenset("with friend friends sibling siblings spouse married related connected colleague".split())
"""Words of relations that hold both ways, though each is stored one way."""


def to_cypher(query: Statement, concept: Concept) -> str:
    """`query` as one reading Cypher statement; names that need it are in backticks."""
    query = spelled_out(query, concept)
    if isinstance(query, Calculation):
        lines = [
            *_single(query.left, concept, "left_value"),
            *_single(query.right, concept, "right_value", ("left_value",)),
        ]
        return "\n".join([*lines, f"RETURN {_calculated(query, concept)} AS {query.kind}"])
    if isinstance(query, Nested):
        measure = query.query.counted
        lines = _Cypher(query.query, concept).grouped(())
        return "\n".join([*lines, f"RETURN {query.func}({alias(measure)}) AS {query.func}_{alias(measure)}"])
    return _Cypher(query, concept).statement()


def _single(query: Logical | Nested, concept: Concept, to: str, carried: tuple[str, ...] = ()) -> list[str]:
    """Lines that keep the one value of `query` as `to`; the largest where several rows could come back."""
    if isinstance(query, Nested):
        measure = query.query.counted
        lines = _Cypher(query.query, concept).grouped(carried)
        return [*lines, "WITH " + ", ".join([*carried, f"{query.func}({alias(measure)}) AS {to}"])]
    return _Cypher(query, concept).value(to, carried)


def _calculated(query: Calculation, concept: Concept) -> str:
    if query.kind is Calc.DIFFERENCE:
        return "left_value - right_value"
    if query.kind is Calc.SHARE:
        return "round(10000.0 * left_value / right_value) / 100"
    if query.kind is Calc.RATIO:
        return "1.0 * left_value / right_value"
    end, start = _date_value(query.left, concept, "left_value"), _date_value(query.right, concept, "right_value")
    return f"abs({_passed(end, start, 'days' if query.kind is Calc.DAYS else 'years')})"


def _date_value(query: Logical | Nested, concept: Concept, carried: str) -> str:
    """A carried value as a date, whatever its property keeps it as."""
    target = query.targets[0] if isinstance(query, Logical) else None
    if not isinstance(query, Logical) or not isinstance(target, Field):
        return carried
    return _as_date(carried, concept.attribute(query.entity_of(target.var), target.attribute).native)


def _as_date(plain: str, native: str) -> str:
    return plain if native.upper() == "DATE" else f"date({plain})"


def _passed(end: str, start: str, unit: str) -> str:
    """Whole days, months or years from one date to another."""
    return f"duration.inDays({start}, {end}).days" if unit == "days" else f"duration.between({start}, {end}).{unit}"


class _Cypher:
    def __init__(self, query: Logical, concept: Concept) -> None:
        self.query = query
        self.concept = concept
        self.introduced: set[str] = set()
        self.singles = {s: f"reference{n or ''}" for n, s in enumerate(query.singles)}

    def matched(self, carried: tuple[str, ...] = ()) -> list[str]:
        """The values to compare with, then MATCH and WHERE."""
        lines: list[str] = []
        known = carried
        for single, to in self.singles.items():
            lines += _single(single.query, self.concept, to, known)
            known = (*known, to)
        lines.append("MATCH " + ", ".join(self._patterns(self.query.vars, self.query.hops)))
        conditions = list(self._conditions())
        if conditions:
            lines.append("WHERE " + " AND ".join(conditions))
        return lines

    def value(self, to: str, carried: tuple[str, ...]) -> list[str]:
        """Lines that keep the one target as `to`."""
        (target,) = self.query.targets
        expression = self._measure(target) if isinstance(target, Measure) else f"max({self._key(target)})"
        return [*self.matched(carried), "WITH " + ", ".join([*carried, f"{expression} AS {to}"])]

    def grouped(self, carried: tuple[str, ...]) -> list[str]:
        """Lines up to the measure of each group."""
        measure = self.query.counted
        groups = [f"{self._plain(g)} AS {_carried(g)}" if g.attribute else g.var for g in self.query.groups]
        kept = [*carried, *groups, f"{self._measure(measure)} AS {alias(measure)}", *self._needed()]
        return [*self.matched(carried), "WITH " + ", ".join(kept), *self._having_conditions()]

    def statement(self) -> str:
        query = self.query
        lines = self.matched()
        if query.ask and query.having:
            return "\n".join([*lines, *self._having(), "RETURN count(*) > 0 AS answer"])
        if query.ask:
            return "\n".join([*lines, "RETURN count(*) > 0 AS answer"])
        if query.having or self._groups_by_thing():
            return "\n".join([*lines, *self._grouped()])
        body = ", ".join(self._column(t) for t in query.targets)
        lines.append(f"RETURN {'DISTINCT ' if query.distinct else ''}{body}")
        return "\n".join([*lines, *self._tail()])

    # --- patterns ---

    def _patterns(self, variables: Iterable[Var], hops: Iterable[Hop]) -> list[str]:
        """Node and relationship patterns; a relationship without a known end has an anonymous one."""
        hops = list(hops)
        patterns, seen = [], set()
        for var in variables:
            if not self.concept.entities[var.entity].link:
                continue
            start = next((h.target for h in hops if h.source == var.name and self._end(h) == "start"), "")
            end = next((h.target for h in hops if h.source == var.name and self._end(h) == "end"), "")
            arrow = "-" if _SYMMETRIC & set(self.concept.entities[var.entity].words) and start and end else "->"
            relation = f"{var.name}:{name(self._native(var.entity))}"
            if self.query.closure and self._loops(var.entity):
                relation = f":{name(self._native(var.entity))}*1..{FARTHEST}"
            patterns.append(f"{self._node(start)}-[{relation}]{arrow}{self._node(end)}")
            seen |= {start, end}
        for var in variables:
            if not self.concept.entities[var.entity].link and var.name not in seen:
                patterns.append(self._node(var.name))
        return patterns

    def _loops(self, link: str) -> bool:
        """Whether a relation joins things of one kind, so that it can be followed on and on."""
        return len({e.target for e in self.concept.around.get(link, ()) if e.source == link}) == 1

    def _end(self, hop: Hop) -> str:
        return self.concept.edges[hop.edge].native

    def _native(self, entity: str) -> str:
        return self.concept.entities[entity].native

    def _node(self, var: str) -> str:
        if not var:
            return "()"
        if var in self.introduced:
            return f"({var})"
        self.introduced.add(var)
        return f"({var}:{name(self._native(self.query.entity_of(var)))})"

    # --- conditions ---

    def _conditions(self) -> Iterable[str]:
        for item in self.query.filters:
            yield self._filter(item)
        for order in self.query.order:
            if self.query.limit is not None and isinstance(order.key, Field) and order.key.attribute:
                yield f"{self._plain(order.key)} IS NOT NULL"
        for branch in self.query.present:
            yield self._exists(branch)
        for branch in self.query.absent:
            yield f"NOT {self._exists(branch)}"

    def _exists(self, branch: Branch) -> str:
        known = set(self.introduced)
        body = "MATCH " + ", ".join(self._patterns(branch.vars, branch.hops))
        self.introduced = known
        if branch.filters:
            body += " WHERE " + " AND ".join(self._filter(f) for f in branch.filters)
        return f"EXISTS {{ {body} }}"

    def _filter(self, item: Filter) -> str:
        if isinstance(item.on, Measure):
            return _compare(self._measure(item.on), item.op, [self._constant(v) for v in item.values])
        attribute = self._attribute(item.on)
        plain = self._plain(item.on)
        if item.op is Op.NULL or item.op is Op.NOT_NULL:
            return f"{plain} IS {'NOT ' if item.op is Op.NOT_NULL else ''}NULL"
        if item.year and attribute.form is Form.DATE:
            return _compare(_year(plain, attribute), item.op, [self._constant(v) for v in item.values])
        if attribute.native.upper().startswith("LIST"):
            test = " AND ".join(f"{self._constant(v)} IN {plain}" for v in item.values)
            return f"NOT ({test})" if item.op is Op.NE else test
        if attribute.native.upper() == DURATION:
            return _compare(f"{plain}.minutes", item.op, [self._constant(v) for v in item.values])
        if attribute.form is Form.NUMERIC_TEXT:
            if item.op in (Op.EQ, Op.NE, Op.IN):
                return _compare(plain, item.op, [text(str(v)) for v in item.values])
            plain = f"toFloat({plain})"
        values = [self._typed(v, attribute) for v in item.values]
        return _compare(plain, item.op, values)

    def _typed(self, value: Operand, attribute: Attribute) -> str:
        if attribute.form is Form.DATE and isinstance(value, str):
            native = attribute.native.upper()
            if "TIME" in native and "DATE" not in native:
                return f"{'localtime' if 'LOCAL' in native else 'time'}({text(value)})"
            if "DATE" in native or "TIME" in native:
                return f"{'date' if native == 'DATE' else 'datetime'}({text(value)})"
        if attribute.form is Form.TEXT and isinstance(value, int | float) and attribute.native.upper() == "STRING":
            return text(str(value))
        return self._constant(value)

    def _constant(self, value: Operand) -> str:
        if isinstance(value, Single):
            return self.singles[value]
        if isinstance(value, Times):
            field = self._key(value.field)
            return field if value.factor == 1 else f"{value.factor} * {field}"
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            return str(value)
        if isinstance(value, dt.datetime):
            return f"datetime({text(value.isoformat())})"
        if isinstance(value, dt.date):
            return f"date({text(value.isoformat())})"
        return "null" if value is None else text(str(value))

    # --- what comes back ---

    def _attribute(self, field: Field) -> Attribute:
        return attribute_of(field, self.query, self.concept)

    def _plain(self, field: Field) -> str:
        plain = f"{field.var}.{name(field.attribute)}" if field.attribute else field.var
        if field.since is not None:
            end = f"date({text(field.until)})" if field.until else self._date(Field(field.var, field.attribute))
            return _passed(end, self._date(field.since), field.unit)
        if field.part == "month":
            return f"left(toString({plain}), 7)"
        return _year(plain, self._attribute(field)) if field.part else plain

    def _date(self, field: Field) -> str:
        return _as_date(self._plain(field), self._attribute(field).native)

    def _key(self, key: Field | Measure) -> str:
        if isinstance(key, Measure):
            return self._measure(key)
        if key.attribute and self._attribute(key).native.upper() == DURATION:
            return f"{self._plain(key)}.minutes"
        numeric = key.attribute and self._attribute(key).form is Form.NUMERIC_TEXT
        return f"toFloat({self._plain(key)})" if numeric else self._plain(key)

    def _measure(self, measure: Measure) -> str:
        distinct = "DISTINCT " if measure.distinct else ""
        counted = measure.func is Func.COUNT
        return f"{measure.func}({distinct}{self._plain(measure.field) if counted else self._key(measure.field)})"

    def _column(self, target: Field | Measure) -> str:
        if isinstance(target, Measure):
            return f"{self._measure(target)} AS {alias(target)}"
        named = target.part or target.unit
        return f"{self._plain(target)} AS {named}" if named else self._plain(target)

    def _groups_by_thing(self) -> bool:
        ordered = any(isinstance(o.key, Measure) and o.key not in self.query.targets for o in self.query.order)
        return ordered or any(not g.attribute for g in self.query.groups)

    def _having(self) -> list[str]:
        """Groups in a WITH, so that two things of one name stay apart, and their conditions."""
        query = self.query
        carried = [self._plain(g) if not g.attribute else f"{self._plain(g)} AS {_carried(g)}" for g in query.groups]
        measures = {alias(m): m for m in query.measures}
        carried += [f"{self._measure(m)} AS {a}" for a, m in measures.items()]
        carried += self._needed()
        return ["WITH " + ", ".join(dict.fromkeys(carried)), *self._having_conditions()]

    def _needed(self) -> list[str]:
        """Values that conditions on groups compare with."""
        return [self.singles[single] for single in self.query.group_singles]

    def _having_conditions(self) -> list[str]:
        conditions = []
        for item in self.query.having:
            left = alias(item.on) if isinstance(item.on, Measure) else self._plain(item.on)
            conditions.append(_compare(left, item.op, [self._constant(v) for v in item.values]))
        return ["WHERE " + " AND ".join(conditions)] if conditions else []

    def _grouped(self) -> list[str]:
        query = self.query
        lines = self._having()
        groups = {g: _carried(g) for g in query.groups if g.attribute}

        def after(one: Field | Measure) -> str:
            if isinstance(one, Measure):
                return alias(one)
            shown = groups.get(one) or self._plain(one)
            named = one.part or one.unit
            return f"{shown} AS {named}" if named else shown

        lines.append("RETURN " + ", ".join(after(t) for t in query.targets))
        if query.order:
            keys = ", ".join(after(o.key) + (" DESC" if o.descending else "") for o in query.order)
            lines.append(f"ORDER BY {keys}")
        if query.limit is not None:
            lines.append(f"LIMIT {query.limit}")
        return lines

    def _tail(self) -> list[str]:
        lines = []
        if self.query.order:
            keys = []
            for order in self.query.order:
                shown = isinstance(order.key, Measure) and order.key in self.query.targets
                key = alias(order.key) if shown and isinstance(order.key, Measure) else self._key(order.key)
                keys.append(key + (" DESC" if order.descending else ""))
            lines.append("ORDER BY " + ", ".join(keys))
        if self.query.limit is not None:
            lines.append(f"LIMIT {self.query.limit}")
        return lines


def name(identifier: str) -> str:
    """`identifier` as Cypher takes it, in backticks where it needs them."""
    if _PLAIN.match(identifier) and identifier.lower() not in _RESERVED:
        return identifier
    return "`" + identifier.replace("`", "``") + "`"


def text(value: str) -> str:
    """A Cypher string literal."""
    plain = value.replace("\x00", "")
    escaped = plain.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
    return f"'{escaped}'"


def alias(measure: Measure) -> str:
    """The column name of a measure."""
    of = measure.field.attribute or measure.field.var
    return f"{measure.func}_{re.sub(r'[^A-Za-z0-9_]', '_', of)}"


def _carried(field: Field) -> str:
    return f"{field.var}_{re.sub(r'[^A-Za-z0-9_]', '_', field.attribute)}{'_' + field.part if field.part else ''}"


def _year(plain: str, attribute: Attribute) -> str:
    native = attribute.native.upper()
    if "DATE" in native or "TIME" in native:
        return f"{plain}.year"
    return f"toInteger(left({plain}, 4))"


def _compare(left: str, op: Op, values: list[str]) -> str:
    if op is Op.BETWEEN:
        return f"{left} >= {values[0]} AND {left} <= {values[1]}"
    if op is Op.IN:
        return f"{left} IN [{', '.join(values)}]"
    if op in (Op.CONTAINS, Op.STARTS, Op.ENDS):
        return f"{left} {str(op).upper()} {values[0]}"
    return f"{left} {'<>' if op is Op.NE else str(op)} {values[0]}"

"""A logical query as SQL."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from sqlglot import exp

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
from core.results import Value

_COMPARE: dict[Op, type[exp.Binary]] = {
    Op.EQ: exp.EQ, Op.NE: exp.NEQ, Op.LT: exp.LT, Op.LE: exp.LTE, Op.GT: exp.GT, Op.GE: exp.GTE,
}  # fmt: skip


def to_sql(query: Statement, concept: Concept) -> str:
    """`query` as one SELECT in the dialect of `concept`, identifiers quoted."""
    return _statement(spelled_out(query, concept), concept).sql(
        dialect=concept.dialect or "sqlite", pretty=True, identify=True
    )


def _statement(query: Statement, concept: Concept) -> exp.Select:
    if isinstance(query, Calculation):
        left, right = (_statement(q, concept).subquery() for q in (query.left, query.right))
        return exp.Select().select(exp.alias_(_calculated(query.kind, left, right), str(query.kind), quoted=True))
    if isinstance(query, Nested):
        measure = query.query.counted
        inner = _Sql(query.query.but(targets=(measure,)), concept).select()
        shown = _col("", _measure_name(measure))
        outer = exp.alias_(_FUNCTIONS[query.func](this=shown), f"{query.func}_{_measure_name(measure)}", quoted=True)
        return exp.Select().select(outer).from_(inner.subquery("groups"))
    return _Sql(query, concept).select()


def _calculated(kind: Calc, left: exp.Expr, right: exp.Expr) -> exp.Expr:
    if kind is Calc.DIFFERENCE:
        return exp.Sub(this=left, expression=right)
    if kind is Calc.SHARE:
        part = exp.Mul(this=exp.Literal.number("100.0"), expression=left)
        return exp.func("ROUND", exp.Div(this=part, expression=right), exp.Literal.number(2))
    if kind is Calc.RATIO:
        return exp.Div(this=exp.Mul(this=exp.Literal.number("1.0"), expression=left), expression=right)
    if kind is Calc.DAYS:
        return exp.Abs(this=_days(left, right))
    return exp.Abs(this=_whole(left, right))


class _Sql:
    def __init__(self, query: Logical, concept: Concept) -> None:
        self.query = query
        self.concept = concept
        self.alone = len(query.vars) == 1 and not query.absent and not query.present

    def select(self) -> exp.Select:
        query = self.query
        select = exp.Select()
        for target in query.targets:
            select = select.select(self._target(target), copy=False)
        if query.ask:
            select = select.select(exp.Literal.number(1), copy=False)
        select = self._from(select)
        for condition in self._conditions():
            select = select.where(condition, copy=False)
        for group in query.groups:
            select = select.group_by(*self._identity(group), copy=False)
        for item in query.having:
            select = select.having(self._filter(item), copy=False)
        for order in query.order:
            select = select.order_by(exp.Ordered(this=self._value(order.key), desc=order.descending), copy=False)
        if query.limit is not None:
            select = select.limit(query.limit, copy=False)
        if query.distinct:
            select = select.distinct(copy=False)
        if query.ask:
            return exp.Select().select(exp.alias_(exp.Exists(this=select), "answer", quoted=True))
        return select

    def _table(self, var: Var) -> exp.Expr:
        name = exp.to_identifier(self.concept.entities[var.entity].native, quoted=True)
        if self.alone:
            return exp.Table(this=name)
        return exp.Table(this=name, alias=exp.TableAlias(this=exp.to_identifier(var.name, quoted=True)))

    def _from(self, select: exp.Select) -> exp.Select:
        first, *rest = self.query.vars
        select = select.from_(self._table(first), copy=False)
        placed, waiting = {first.name}, list(self.query.hops)
        by_name = {v.name: v for v in rest}
        while waiting:
            hop = next((h for h in waiting if (h.source in placed) or (h.target in placed)), waiting[0])
            waiting.remove(hop)
            new = hop.target if hop.source in placed else hop.source
            if new in placed:
                select = select.where(self._on(hop), copy=False)
                continue
            select = select.join(self._table(by_name[new]), on=self._on(hop), copy=False)
            placed.add(new)
        return select

    def _on(self, hop: Hop) -> exp.Expr:
        pairs = self.concept.edges[hop.edge].columns
        return exp.and_(*(exp.EQ(this=_col(hop.source, a), expression=_col(hop.target, b)) for a, b in pairs))

    def _conditions(self) -> Iterable[exp.Expr]:
        for item in self.query.filters:
            yield self._filter(item)
        for order in self.query.order:
            if self.query.limit is not None and isinstance(order.key, Field) and order.key.attribute:
                yield from self._present(order.key)
        for measure in self.query.measures:
            if measure.func is not Func.COUNT and self._attribute(measure.field).form is Form.NUMERIC_TEXT:
                yield from self._present(measure.field)
        for branch in self.query.present:
            yield exp.Exists(this=self._branch(branch))
        for branch in self.query.absent:
            yield exp.Not(this=exp.Exists(this=self._branch(branch)))

    def _branch(self, branch: Branch) -> exp.Select:
        select = exp.Select().select(exp.Literal.number(1))
        for var in branch.vars:
            select = select.from_(self._table(var)) if not select.args.get("from_") else select.join(self._table(var))
        for hop in branch.hops:
            select = select.where(self._on(hop))
        for item in branch.filters:
            select = select.where(self._filter(item))
        return select

    # --- values ---

    def _attribute(self, field: Field) -> Attribute:
        return attribute_of(field, self.query, self.concept)

    def _plain(self, field: Field) -> exp.Expr:
        column = (
            exp.Literal.string(field.until) if field.until else _col("" if self.alone else field.var, field.attribute)
        )
        if field.since is not None:
            return _passed(column, self._plain(field.since), field.unit)
        if field.part == "month":
            return _text(column, 1, 7)
        return _year_of(column) if field.part else column

    def _identity(self, field: Field) -> list[exp.Expr]:
        if field.attribute:
            return [self._plain(field)]
        entity = self.concept.entities[self.query.entity_of(field.var)]
        return [self._plain(Field(field.var, k)) for k in (entity.keys or entity.names)]

    def _present(self, field: Field) -> Iterable[exp.Expr]:
        column = self._plain(field)
        if self._attribute(field).form is Form.NUMERIC_TEXT:
            yield exp.Glob(this=column, expression=exp.Literal.string("*[0-9]*"))
        else:
            yield exp.Not(this=exp.Is(this=column, expression=exp.Null()))

    def _value(self, key: Field | Measure) -> exp.Expr:
        if isinstance(key, Measure):
            return self._measure(key)
        column = self._plain(key)
        return _number(column) if self._attribute(key).form is Form.NUMERIC_TEXT else column

    def _target(self, target: Field | Measure) -> exp.Expr:
        if isinstance(target, Measure):
            return exp.alias_(self._measure(target), _measure_name(target), quoted=True)
        plain = self._plain(target)
        named = target.part or target.unit
        return exp.alias_(plain, named, quoted=True) if named else plain

    def _measure(self, measure: Measure) -> exp.Expr:
        if measure.func is Func.COUNT and not measure.field.attribute:
            columns = self._identity(measure.field) if measure.distinct else []
            if not columns:
                return exp.Count(this=exp.Star())
            return exp.Count(this=exp.Distinct(expressions=[_one(columns)]))
        value: exp.Expr = self._plain(measure.field) if measure.func is Func.COUNT else self._value(measure.field)
        if measure.distinct:
            value = exp.Distinct(expressions=[value])
        return _FUNCTIONS[measure.func](this=value)

    def _filter(self, item: Filter) -> exp.Expr:
        if isinstance(item.on, Measure):
            return _compare(self._measure(item.on), item.op, [self._constant(v, None) for v in item.values])
        attribute = self._attribute(item.on)
        column = self._plain(item.on)
        if item.op is Op.NULL or item.op is Op.NOT_NULL:
            test = exp.Is(this=column, expression=exp.Null())
            return test if item.op is Op.NULL else exp.Not(this=test)
        if item.year and attribute.form is not Form.NUMBER:
            return _year(column, attribute, item)
        if item.op in (Op.CONTAINS, Op.STARTS, Op.ENDS):
            return _like(column, item)
        numeric = attribute.form is Form.NUMERIC_TEXT and all(
            _is_number(v) or isinstance(v, Single | Times) for v in item.values
        )
        if numeric and item.op not in (Op.EQ, Op.IN):
            guard = exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*"))
            return exp.and_(guard, _compare(_number(column), item.op, [self._constant(v, None) for v in item.values]))
        return _compare(column, item.op, [self._constant(v, attribute) for v in item.values])

    def _constant(self, value: Operand, attribute: Attribute | None) -> exp.Expr:
        if isinstance(value, Single):
            return self._single(value)
        if isinstance(value, Times):
            field = self._value(value.field)
            return field if value.factor == 1 else exp.Mul(this=_literal(value.factor), expression=field)
        if attribute is not None and attribute.form in (Form.TEXT, Form.NUMERIC_TEXT) and _is_number(value):
            return exp.Literal.string(str(value))
        return _literal(value)

    def _single(self, value: Single) -> exp.Expr:
        """A query in brackets; where several rows could come back, their largest value."""
        query = value.query
        if isinstance(query, Logical) and isinstance(query.targets[0], Field):
            query = query.but(targets=(Measure(Func.MAX, query.targets[0]),))
        return _statement(query, self.concept).subquery()


_FUNCTIONS: dict[Func, type[exp.AggFunc]] = {
    Func.COUNT: exp.Count, Func.SUM: exp.Sum, Func.AVG: exp.Avg, Func.MIN: exp.Min, Func.MAX: exp.Max,
}  # fmt: skip


def _measure_name(measure: Measure) -> str:
    return f"{measure.func}_{measure.field.attribute}" if measure.field.attribute else str(measure.func)


def _col(var: str, column: str) -> exp.Expr:
    table = exp.to_identifier(var, quoted=True) if var else None
    return exp.Column(this=exp.to_identifier(column, quoted=True), table=table)


def _one(columns: Sequence[exp.Expr]) -> exp.Expr:
    joined = columns[0]
    for column in columns[1:]:
        joined = exp.DPipe(this=exp.DPipe(this=joined, expression=exp.Literal.string("|")), expression=column)
    return joined


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _literal(value: Value) -> exp.Expr:
    if value is None:
        return exp.Null()
    if isinstance(value, bool):
        return exp.Literal.number(int(value))
    if isinstance(value, int | float):
        return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))
    if isinstance(value, dt.date | dt.datetime):
        return exp.Literal.string(value.isoformat())
    return exp.Literal.string(str(value).replace("\x00", ""))


def _number(column: exp.Expr) -> exp.Expr:
    plain = exp.func("REPLACE", column, exp.Literal.string(","), exp.Literal.string(""))
    return exp.cast(plain, "REAL")


def _compare(left: exp.Expr, op: Op, values: Sequence[exp.Expr]) -> exp.Expr:
    if op is Op.BETWEEN:
        return exp.Between(this=left, low=values[0], high=values[1])
    if op is Op.IN:
        return exp.In(this=left, expressions=list(values))
    return _COMPARE[op](this=left, expression=values[0])


def _year(column: exp.Expr, attribute: Attribute, item: Filter) -> exp.Expr:
    texts = [s for s in attribute.samples if isinstance(s, str)]
    if texts and not all(t[:4].isdigit() for t in texts):
        # A date written in another order can only be searched for its year.
        return exp.Like(this=column, expression=exp.Literal.string(f"%{item.values[0]}%"))
    return _compare(_year_of(column), item.op, [_literal(v) for v in item.values if not isinstance(v, Single | Times)])


def _year_of(column: exp.Expr) -> exp.Expr:
    if isinstance(column, exp.Literal):
        return exp.Literal.number(str(column.this)[:4])
    return exp.cast(_text(column, 1, 4), "INTEGER")


def _text(column: exp.Expr, first: int, length: int) -> exp.Expr:
    if isinstance(column, exp.Literal):
        return exp.Literal.string(str(column.this)[first - 1 : first - 1 + length])
    return exp.func("SUBSTR", column.copy(), exp.Literal.number(first), exp.Literal.number(length))


def _passed(end: exp.Expr, start: exp.Expr, unit: str) -> exp.Expr:
    """Whole days, months or years from one date to another, NULL where one is missing."""
    if unit == "days":
        return _days(end, start)
    if unit == "months":
        months = exp.Mul(
            this=exp.Paren(this=exp.Sub(this=_year_of(end), expression=_year_of(start))), expression=_literal(12)
        )
        between = exp.Sub(
            this=exp.cast(_text(end, 6, 2), "INTEGER"), expression=exp.cast(_text(start, 6, 2), "INTEGER")
        )
        return exp.Sub(
            this=exp.Add(this=months, expression=exp.Paren(this=between)), expression=_unfinished(end, start, 9)
        )
    return _whole(end, start)


def _days(end: exp.Expr, start: exp.Expr) -> exp.Expr:
    return exp.DateDiff(this=end.copy(), expression=start.copy(), unit=exp.var("DAY"))


def _whole(end: exp.Expr, start: exp.Expr) -> exp.Expr:
    return exp.Paren(
        this=exp.Sub(
            this=exp.Sub(this=_year_of(end), expression=_year_of(start)), expression=_unfinished(end, start, 6)
        )
    )


def _unfinished(end: exp.Expr, start: exp.Expr, first: int) -> exp.Expr:
    """1 where the last year (or month) is not over: the rest of the date, from character `first`, comes earlier."""
    earlier = exp.LT(this=_text(end, first, 5), expression=_text(start, first, 5))
    return exp.Case(ifs=[exp.If(this=earlier, true=_literal(1))], default=_literal(0))


def _like(column: exp.Expr, item: Filter) -> exp.Expr:
    text = str(item.values[0]).replace("\x00", "").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    pattern = {Op.CONTAINS: f"%{text}%", Op.STARTS: f"{text}%", Op.ENDS: f"%{text}"}[item.op]
    like = exp.Like(this=column, expression=exp.Literal.string(pattern))
    escaped = pattern.replace("%", "") != str(item.values[0])
    return exp.Escape(this=like, expression=exp.Literal.string("\\")) if escaped else like

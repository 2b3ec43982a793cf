"""A logical query as SPARQL."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping

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
from core.results import Iri, Literal, Value

_XSD = "http://www.w3.org/2001/XMLSchema#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def to_sparql(query: Statement, concept: Concept) -> str:
    """`query` as one SELECT or ASK; things come back as their IRI with a label beside it."""
    query = spelled_out(query, concept)
    if isinstance(query, Calculation):
        body = "\n".join(f"  {_single(q, concept, n)}" for q, n in ((query.left, "left"), (query.right, "right")))
        return f"SELECT ({_CALCULATED[query.kind]} AS ?{query.kind}) WHERE {{\n{body}\n}}"
    if isinstance(query, Nested):
        return _nested(query, concept, "")
    return _Sparql(query, concept).statement()


def _integer(text: str, first: int, length: int) -> str:
    return f"<{_XSD}integer>(SUBSTR(STR({text}), {first}, {length}))"


def _whole_years(end: str, start: str) -> str:
    """Years that have passed between two dates: one less before the anniversary."""
    early = f"IF(SUBSTR(STR({end}), 6, 5) < SUBSTR(STR({start}), 6, 5), 1, 0)"
    return f"({_integer(end, 1, 4)} - {_integer(start, 1, 4)} - {early})"


def _whole_months(end: str, start: str) -> str:
    """Months that have passed between two dates: one less before the day of the month."""
    early = f"IF(SUBSTR(STR({end}), 9, 2) < SUBSTR(STR({start}), 9, 2), 1, 0)"
    years = f"12 * ({_integer(end, 1, 4)} - {_integer(start, 1, 4)})"
    return f"({years} + {_integer(end, 6, 2)} - {_integer(start, 6, 2)} - {early})"


def _days(end: str, start: str) -> str:
    """Days between two dates, from the duration that subtracting them gives (P121D)."""
    dates = (f"<{_XSD}date>(SUBSTR(STR({d}), 1, 10))" for d in (end, start))
    duration = f"STR({' - '.join(dates)})"
    days = f'<{_XSD}integer>(STRBEFORE(STRAFTER({duration}, "P"), "D"))'
    return f'COALESCE(IF(STRSTARTS({duration}, "-"), -1, 1) * {days}, 0)'


_PASSED = {"days": _days, "months": _whole_months, "years": _whole_years}
_CALCULATED = {
    Calc.DIFFERENCE: "(?left - ?right)",
    Calc.SHARE: "(ROUND(10000.0 * ?left / ?right) / 100)",
    Calc.RATIO: "(1.0 * ?left / ?right)",
    Calc.DAYS: f"ABS({_days('?left', '?right')})",
    Calc.YEARS: f"ABS({_whole_years('?left', '?right')})",
}


def _single(query: Logical | Nested, concept: Concept, name: str) -> str:
    """A group with the one value of `query` as `?name`; the largest where several rows could come back."""
    if isinstance(query, Nested):
        return f"{{ {_nested(query, concept, name)} }}"
    return f"{{ {_Sparql(query, concept).value(name)} }}"


def _nested(query: Nested, concept: Concept, name: str) -> str:
    measure = query.query.counted
    inner = _Sparql(query.query.but(targets=(*query.query.groups, measure)), concept).statement()
    name = name or f"{query.func}_{_alias(measure)}"
    return f"SELECT ({str(query.func).upper()}(?{_alias(measure)}) AS ?{name}) WHERE {{ {{\n{inner}\n}} }}"


class _Sparql:
    def __init__(self, query: Logical, concept: Concept) -> None:
        self.query = query
        self.concept = concept
        self.bound: dict[Field, str] = {}
        self.lines: list[str] = []
        self.labels: list[str] = []
        self.singles = {s: f"?reference{n or ''}" for n, s in enumerate(query.singles)}
        for single, name in self.singles.items():
            self.lines.append(_single(single.query, concept, name[1:]))
        self._vars(query.vars, query.hops)
        for item in query.filters:
            self.lines += self._filter(item)

    def value(self, name: str) -> str:
        """A SELECT of the one target as `?name`."""
        (target,) = self.query.targets
        expression = self._measure(target) if isinstance(target, Measure) else f"MAX({self._variable(target)})"
        self._branches()
        return f"SELECT ({expression} AS ?{name}) WHERE {{ {' '.join(self.lines)} }}"

    def statement(self) -> str:
        query = self.query
        columns = [c for t in query.targets for c in self._columns(t)]
        keys = [self._key(o.key) for o in query.order]
        having = [self._having(h) for h in query.having]
        self._branches()
        body = "\n".join(f"  {line}" for line in [*self.lines, *self.labels])
        if query.ask and having:
            groups = " ".join(dict.fromkeys(self._grouping([])))
            return (
                f"ASK {{ {{ SELECT {groups} WHERE {{\n{body}\n}} GROUP BY {groups} HAVING ({' && '.join(having)}) }} }}"
            )
        if query.ask:
            return f"ASK {{\n{body}\n}}"
        distinct = "DISTINCT " if query.distinct or not query.measures else ""
        text = [f"SELECT {distinct}{' '.join(dict.fromkeys(columns))} WHERE {{", body, "}"]
        if query.groups or (query.measures and any(not c.startswith("(") for c in columns)):
            text.append("GROUP BY " + " ".join(dict.fromkeys(self._grouping(columns))))
        if having:
            text.append("HAVING (" + " && ".join(having) + ")")
        if query.order:
            parts = (f"{'DESC' if o.descending else 'ASC'}({k})" for o, k in zip(query.order, keys, strict=True))
            text.append("ORDER BY " + " ".join(parts))
        if query.limit is not None:
            text.append(f"LIMIT {query.limit}")
        return "\n".join(text)

    def _grouping(self, columns: list[str]) -> Iterable[str]:
        for group in self.query.groups:
            yield f"?{group.var}" if not group.attribute else self._variable(group)
        yield from (c for c in columns if not c.startswith("("))
        yield from (self.singles[single] for single in self.query.group_singles)

    # --- patterns ---

    def _vars(self, variables: Iterable[Var], hops: Iterable[Hop]) -> None:
        for var in variables:
            entity = self.concept.entities[var.entity]
            if entity.native:
                self.lines.append(f"?{var.name} {iri(self.concept.type_predicate)} {iri(entity.native)} .")
        for hop in hops:
            edge = self.concept.edges[hop.edge]
            path = iri(edge.native) + ("+" if self.query.closure and edge.source == edge.target else "")
            self.lines.append(f"?{hop.source} {path} ?{hop.target} .")

    def _attribute(self, field: Field) -> Attribute:
        return attribute_of(field, self.query, self.concept)

    def _variable(self, field: Field, optional: bool = False) -> str:
        """The variable that holds a field, bound once."""
        if field.since is not None and field not in self.bound:
            start = self._variable(field.since)
            end = quoted(field.until) if field.until else self._variable(Field(field.var, field.attribute))
            variable = f"{start if field.until else end}_{field.unit}"
            self.lines.append(f"BIND({_PASSED[field.unit](end, start)} AS {variable})")
            self.bound[field] = variable
        if not field.attribute and field.since is None:
            return f"?{field.var}"
        if field not in self.bound:
            attribute = self._attribute(field)
            variable = f"?{field.var}_{re.sub(r'[^A-Za-z0-9]', '', '_'.join(attribute.words)) or 'value'}"
            while variable in self.bound.values():
                variable += "2"
            self.bound[field] = variable
            pattern = f"?{field.var} {iri(field.attribute)} {variable} ."
            if attribute.id == self.concept.label_predicate:
                pattern += f' FILTER(lang({variable}) = "" || langMatches(lang({variable}), "en"))'
            self.lines.append(f"OPTIONAL {{ {pattern} }}" if optional else pattern)
            if field.part:
                part = _integer(variable, 1, 4) if field.part == "year" else f"SUBSTR(STR({variable}), 1, 7)"
                self.lines.append(f"BIND({part} AS {variable}_{field.part})")
                self.bound[field] = f"{variable}_{field.part}"
        return self.bound[field]

    def _label(self, var: str) -> str:
        variable = f"?{var}Label"
        predicate = iri(self.concept.label_predicate)
        pattern = f'OPTIONAL {{ ?{var} {predicate} {variable} . FILTER(langMatches(lang({variable}), "en") ||'
        pattern += f' lang({variable}) = "") }}'
        if pattern not in self.labels:
            self.labels.append(pattern)
        return variable

    def _columns(self, target: Field | Measure) -> list[str]:
        if isinstance(target, Measure):
            return [f"({self._measure(target)} AS ?{_alias(target)})"]
        if target.attribute in ("", self.concept.label_predicate) and target.since is None:
            return [f"?{target.var}", self._label(target.var)]
        return [self._variable(target)]

    def _key(self, key: Field | Measure) -> str:
        if isinstance(key, Measure):
            return f"?{_alias(key)}" if key in self.query.targets else self._measure(key)
        variable = self._variable(key)
        if self._attribute(key).form is Form.NUMERIC_TEXT:
            return f"<{_XSD}decimal>({variable})"
        return variable

    def _measure(self, measure: Measure) -> str:
        distinct = "DISTINCT " if measure.distinct or measure.func is Func.COUNT else ""
        value = self._variable(measure.field)
        if measure.func is not Func.COUNT and self._attribute(measure.field).form is Form.NUMERIC_TEXT:
            value = f"<{_XSD}decimal>({value})"
        return f"{str(measure.func).upper()}({distinct}{value})"

    def _having(self, item: Filter) -> str:
        left = self._measure(item.on) if isinstance(item.on, Measure) else self._variable(item.on)
        return _compare(left, item.op, [self._value(v) for v in item.values])

    def _branches(self) -> None:
        for branch in self.query.present:
            self.lines += self._branch(branch, "EXISTS")
        for branch in self.query.absent:
            self.lines += self._branch(branch, "NOT EXISTS")

    def _branch(self, branch: Branch, holds: str) -> list[str]:
        kept, self.lines = self.lines, []
        self._vars(branch.vars, branch.hops)
        for item in branch.filters:
            self.lines += self._filter(item)
        body, self.lines = " ".join(self.lines), kept
        return [f"FILTER {holds} {{ {body} }}"]

    def _filter(self, item: Filter) -> list[str]:
        if isinstance(item.on, Measure):
            return []
        field = item.on
        if item.op is Op.NULL:
            return [f"FILTER NOT EXISTS {{ ?{field.var} {iri(field.attribute)} [] . }}"]
        if item.op is Op.NOT_NULL:
            return [f"FILTER EXISTS {{ ?{field.var} {iri(field.attribute)} [] . }}"]
        if not field.attribute:
            terms = ", ".join(self._value(v) for v in item.values)
            return [f"FILTER(?{field.var} {'NOT IN' if item.op is Op.NE else 'IN'} ({terms}))"]
        attribute = self._attribute(field)
        variable = self._variable(field)
        return [f"FILTER({self._test(variable, attribute, item)})"]

    def _test(self, variable: str, attribute: Attribute, item: Filter) -> str:
        values = [self._value(v) for v in item.values]
        if item.op in (Op.CONTAINS, Op.STARTS, Op.ENDS):
            function = {Op.CONTAINS: "CONTAINS", Op.STARTS: "STRSTARTS", Op.ENDS: "STRENDS"}[item.op]
            return f"{function}(LCASE(STR({variable})), LCASE({values[0]}))"
        if attribute.form is Form.DATE and item.year:
            year = variable if attribute.native.endswith("gYear") else f"STR({variable})"
            return _compare(f"<{_XSD}integer>(SUBSTR(STR({year}), 1, 4))", item.op, values)
        if attribute.form is Form.DATE:
            return _compare(f"STR({variable})", item.op, [f"STR({v})" for v in values])
        if attribute.form is Form.NUMERIC_TEXT:
            numbers = all(isinstance(v, int | float | Single | Times) for v in item.values)
            left = f"<{_XSD}decimal>({variable})" if numbers else f"STR({variable})"
            return _compare(left, item.op, values)
        if attribute.form is Form.TEXT:
            return _compare(f"LCASE(STR({variable}))", item.op, [f"LCASE({v})" for v in map(_as_text, values)])
        return _compare(variable, item.op, values)

    def _value(self, value: Operand) -> str:
        if isinstance(value, Single):
            return self.singles[value]
        if isinstance(value, Times):
            field = self._key(value.field)
            return field if value.factor == 1 else f"({value.factor} * {field})"
        return _constant(value)


def _as_text(constant: str) -> str:
    return constant if constant.startswith(('"', "?")) else f'"{constant}"'


def iri(value: str) -> str:
    """An IRI reference, characters that would end it escaped."""
    return "<" + re.sub(r"[\x00-\x20<>\"{}|^`\\]", lambda m: f"%{ord(m.group()):02X}", value) + ">"


_IRI_OR_TEXT = re.compile(r'"(?:\\.|[^"\\])*"|<(?P<iri>[^<>"{}|^`\\\s]*)>')
_LOCAL = re.compile(r"[A-Za-z0-9_]+")


def shorten(query: str, prefixes: Mapping[str, str]) -> str:
    """`query` with IRIs as prefixed names, their prefixes declared; texts stay as they are."""
    spaces = sorted(((space, name) for name, space in prefixes.items()), key=lambda pair: -len(pair[0]))
    used: dict[str, str] = {}

    def name_of(found: re.Match[str]) -> str:
        value = found["iri"]
        if value is None:
            return found[0]
        if value == _TYPE:
            return "a"
        for space, prefix in spaces:
            if value.startswith(space) and _LOCAL.fullmatch(value[len(space) :]):
                used[prefix] = space
                return f"{prefix}:{value[len(space) :]}"
        return found[0]

    body = _IRI_OR_TEXT.sub(name_of, query)
    return "".join(f"PREFIX {prefix}: <{space}>\n" for prefix, space in sorted(used.items())) + body


def quoted(value: str) -> str:
    """A SPARQL string literal."""
    plain = value.replace("\x00", "")
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def _alias(measure: Measure) -> str:
    of = re.split(r"[#/]", measure.field.attribute)[-1] if measure.field.attribute else measure.field.var
    return f"{measure.func}_{re.sub(r'[^A-Za-z0-9]', '_', of)}"


def _constant(value: Value) -> str:
    if isinstance(value, Iri):
        return iri(value.value)
    if isinstance(value, Literal):
        return quoted(value.value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, dt.datetime):
        return f'"{value.isoformat()}"^^<{_XSD}dateTime>'
    if isinstance(value, dt.date):
        return f'"{value.isoformat()}"^^<{_XSD}date>'
    return quoted(str(value))


def _compare(left: str, op: Op, values: list[str]) -> str:
    if op is Op.BETWEEN:
        return f"{left} >= {values[0]} && {left} <= {values[1]}"
    if op is Op.IN:
        return f"{left} IN ({', '.join(values)})"
    return f"{left} {op} {values[0]}"

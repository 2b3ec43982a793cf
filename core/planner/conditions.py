"""Comparisons, and values right beside an attribute."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from core.errors import CannotLink
from core.planner.building import NUMERIC
from core.planner.concept import Form
from core.planner.intent import Comparison
from core.planner.logical import Field, Filter, Func, Logical, Measure, Op, Single, Var
from core.planner.mentions import Mention
from core.planner.targets import Targets
from core.planner.units import in_unit, month_range
from core.planner.words import stems_of
from core.results import Value

_BETWEEN = re.compile(
    r" (?:(?:is|are|was|of|=|number|no|with|value|equal|to|named|called|for|in|the|either|code|id|,|that|which|starts?"
    r"|starting|begins?|beginning|ends?|ending|contains?|containing|includ\w+|word|words|phrase|mentioning|a|an|letter"
    r"|substring|as|titled|like|year|by|and|on|at|not|whose|have|has) )*"
)
INVERSE = {
    Op.GT: Op.LT, Op.LT: Op.GT, Op.GE: Op.LE, Op.LE: Op.GE, Op.EQ: Op.EQ, Op.NE: Op.NE, Op.BETWEEN: Op.BETWEEN,
}  # fmt: skip


class Conditions(Targets):
    """Comparisons, and values right beside an attribute."""

    def _compare(self, one: Comparison) -> None:
        values = tuple(self._constant(v) for v in one.values)
        if one.counted is not None:
            self._compare_counted(one, values)
            return
        field, inverse = self._compared_field(one)
        if field is None:
            texts = [self.mentions[v].text for v in one.values]
            raise CannotLink(f"Nothing here says what {' and '.join(texts) or 'the average'!r} is compared with.")
        attribute = self._attribute_of(field)
        op = INVERSE[one.op] if inverse else one.op
        if one.average:
            entity = next(v.entity for v in self.pattern.vars if v.name == field.var)
            every = Logical((Var("every", entity),), (Measure(Func.AVG, replace(field, var="every")),))
            self.filters.append(Filter(field, op, (Single(every),)))
            return
        if one.hint in ("older", "younger", "aged") and attribute.form is Form.DATE:
            self.filters.append(Filter(field, op, tuple(_years_ago(v) for v in values)))
            return
        values = tuple(in_unit(v, self.mentions[m], attribute) for v, m in zip(values, one.values, strict=True))
        if attribute.form is Form.DATE and any(isinstance(v, str) and len(v) == 7 for v in values):
            op, values = month_range(op, [str(v) for v in values])
        year = one.year and attribute.form is Form.DATE
        if one.decade:
            first = int(self.mentions[one.values[0]].number or 0)
            values = (first, first + 9)
        self.filters.append(Filter(field, op, values, year=year))

    def _compared_field(self, one: Comparison) -> tuple[Field | None, bool]:
        at = one.mention
        if any(":" in self.mentions[v].date[:3] for v in one.values):
            return self._clock_field(at), False
        if any(self.mentions[v].date for v in one.values):
            return self._dated_field(at), False
        if at is not None and at in self.attribute_mentions:
            return self._field(at), False
        if one.beside is not None and one.beside in self.var_of and (held := self._reading_of(self.var_of[one.beside])):
            return held, False
        verb = at is not None and self.mentions[at].code == "R"
        subject = self.var_of.get(at) if at is not None and not verb else self._subject() if verb else None
        if subject is None and one.values and one.year:
            counted = [w.mention for w in self.intent.wanted if w.func is Func.COUNT and w.mention in self.var_of]
            near = counted or [k for k in self.var_of if 0 <= k < one.values[0]]
            subject = self.var_of[max(k for k in near if k is not None)] if near else None
        subject = subject or (self._subject() if self.pattern.vars else None)
        kinds = (Form.DATE, *NUMERIC)
        if one.year and one.values and (field := self._dated_relation(one.values[0])):
            return field, False
        if one.hint:
            found = self._hinted(one.hint, subject, kinds)
            if found:
                # "Older than 30" is about an age in years even where a birth date is stored.
                return found[0], found[1] and not one.hint.startswith("date")
        if at is not None and self.mentions[at].attributes:
            return self._field(at), False
        return self._only_numeric(one, subject), False

    def _reading_of(self, var: Var) -> Field | None:
        """The number that something named is kept with: the value of a laboratory test."""
        numbers = [a for a in self.concept.entities[var.entity].attributes if a.form in NUMERIC and not a.key]
        named = [a for a in numbers if {"value", "result", "reading", "amount"} & set(a.words)] or numbers
        return Field(var.name, named[0].id) if len(named) == 1 else None

    def _compare_counted(self, one: Comparison, values: tuple[Value, ...]) -> None:
        at = one.counted
        if at is None:
            return
        stored = self._stored_count(at)
        if stored is not None:
            self.filters.append(Filter(stored, one.op, values))
            return
        if at in self.attribute_mentions:
            field = self._field(at)
            if self._attribute_of(field).form in NUMERIC:
                self.filters.append(Filter(field, one.op, values))
                return
            counted = Measure(Func.COUNT, field, True)
        else:
            if at not in self.var_of:
                mention = self.mentions[at]
                if mention.code == "R":
                    self._place_role(at, mention)
                else:
                    self.var_of[at] = self._reach(self._entity(mention), at)
            counted = Measure(Func.COUNT, Field(self.var_of[at].name), self._branches() > 1)
        self.having.append(Filter(counted, one.op, values))

    def _branches(self) -> int:
        return len(self.pattern.hops)

    def _adjacent_filters(self) -> None:
        """An attribute directly before a number or an unknown quoted text: id 3, named 'Foo'."""
        for at, mention in enumerate(self.mentions):
            part = mention.code == "V" and self._is_part(at)
            if not part and (mention.code not in "NYQD" or at in self.intent.used):
                continue
            value = self._constant(at)
            after = at + 1
            if mention.number is not None and after < len(self.mentions) and self.mentions[after].first == mention.last:
                stored = self._stored_count(after)
                if stored is not None:
                    self.filters.append(Filter(stored, Op.EQ, (value,)))
                    continue
            before = at - 1 if at > 0 else None
            gap = mention.first - self.mentions[before].last if before is not None else 9
            field = None
            if before is not None and gap <= 4 and self._reads_on(before, at):
                other = self.mentions[before]
                if other.attributes and (before in self.attribute_mentions or other.attributes[0].score > 0.9):
                    field = self._field(before)
                    self.intent.used.add(before)
                    if mention.quoted and self._attribute_of(field).form not in (Form.TEXT, Form.NUMERIC_TEXT):
                        field = None
                elif before in self.var_of and gap <= 2:
                    field = self._key_field(self.var_of[before], mention)
            if field is None:
                if mention.quoted:
                    raise CannotLink(f"{mention.text!r} is not stored in this source.")
                continue
            op = self._text_op(at) if mention.quoted else Op.EQ
            after = at + 1
            if (
                after < len(self.mentions)
                and f"{mention.code}{at} or {self.mentions[after].code}{after}" in (self.intent.skeleton)
                and self.mentions[after].code == mention.code
            ):
                self.intent.used |= {at, after}
                self.filters.append(Filter(field, Op.IN, (value, self._constant(after))))
                continue
            self.filters.append(Filter(field, Op.NE if at in self.intent.negated else op, (value,)))
            self.intent.used.add(at)

    def _reads_on(self, before: int, at: int) -> bool:
        """Whether only words that say "is" stand between an attribute and its value."""
        codes = [f" {self.mentions[i].code}{i} " for i in (before, at)]
        between = self.intent.skeleton.partition(codes[0])[2].partition(codes[1][1:])[0]
        return bool(_BETWEEN.fullmatch(" " + between))

    def _key_field(self, var: Var, mention: Mention) -> Field | None:
        entity = self.concept.entities[var.entity]
        own = stems_of(entity.words)
        if mention.quoted:
            return Field(var.name, entity.names[0]) if entity.names else None
        options = [a for a in entity.attributes if stems_of(a.words) == own and a.form in NUMERIC]
        options += [a for a in entity.attributes if a.key]
        return Field(var.name, options[0].id) if options else None


def _years_ago(years: Value) -> Value:
    today = dt.date.today()
    whole = int(years) if isinstance(years, int | float) else 0
    return today.replace(year=today.year - whole, day=min(today.day, 28)).isoformat()

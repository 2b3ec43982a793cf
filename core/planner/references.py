"""Conditions whose other side is a value of the source: of a named thing, another attribute, an average of counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import CannotLink
from core.planner.concept import Form
from core.planner.conditions import INVERSE
from core.planner.intent import Comparison
from core.planner.logical import (
    Branch,
    Calculation,
    Field,
    Filter,
    Func,
    Hop,
    Logical,
    Measure,
    Nested,
    Op,
    Single,
    Statement,
    Times,
    Var,
)
from core.planner.ordering import Ordering
from core.results import Iri, Language, Match


class References(Ordering):
    """Adds comparisons with named things and other fields, and figures made of two values."""

    def _compare(self, one: Comparison) -> None:
        if one.times is not None:
            self._compare_fields(one, one.times)
        elif one.at is not None:
            self._compare_age(one, one.at)
        elif one.typical:
            self._compare_with_average(one)
        elif one.standard is not None:
            self._compare_named(one, one.standard)
        else:
            super()._compare(one)

    def _compare_fields(self, one: Comparison, other: int) -> None:
        factor = self._constant(one.values[0]) if one.values else one.factor
        if not isinstance(factor, int | float):
            raise CannotLink(f"{self.mentions[one.values[0]].text!r} is no number of times.")
        whole = int(factor) if float(factor).is_integer() else factor
        at = one.mention if one.mention is not None else other
        self.filters.append(Filter(self._field(at), one.op, (Times(self._field(other), whole),)))

    def _compare_age(self, one: Comparison, at: int) -> None:
        """An age when something happened: the date of birth of one thing, and the date of another."""
        subject = self._subject()
        born = self._hinted("older", subject, (Form.DATE,))
        then = self._date_at(at)
        if born is None or then is None or born[0] == then:
            raise CannotLink(f"No age at {self.mentions[at].text!r} follows from the dates of this source.")
        field = replace(then, since=born[0], unit="years")
        self.filters.append(Filter(field, one.op, tuple(self._constant(v) for v in one.values)))

    def _date_at(self, at: int) -> Field | None:
        """The date that a mention stands for: an attribute, or the one date of a thing."""
        if at in self.attribute_mentions:
            field = self._field(at)
            return field if self._attribute_of(field).form is Form.DATE else None
        mention = self.mentions[at]
        if at not in self.var_of and mention.entities:
            self.var_of[at] = self._reach(self._entity(mention), at)
        var = self.var_of.get(at)
        if var is None:
            return None
        found = self._hinted("date", var, (Form.DATE,))
        return found[0] if found and found[0].var == var.name else None

    def _compare_with_average(self, one: Comparison) -> None:
        """More visits than the average doctor: the count of a group with the average of all groups' counts."""
        measure = self._counted_measure(one)
        subject = self._subject()
        every = Logical(
            tuple(self.pattern.vars), (measure,), tuple(self.pattern.hops), groups=(Field(subject.name),)
        )  # fmt: skip
        self.having.append(Filter(measure, one.op, (Single(Nested(Func.AVG, every)),)))

    def _counted_measure(self, one: Comparison) -> Measure:
        held = len(self.having)
        self._compare_counted(one, (0,))
        if len(self.having) == held:
            raise CannotLink("What is counted here is kept as a number, which has no group to compare.")
        on = self.having.pop().on
        if not isinstance(on, Measure):
            raise CannotLink("What is counted here can't be compared.")
        return on

    def _compare_named(self, one: Comparison, at: int) -> None:
        mention = self.mentions[at]
        if one.counted is not None:
            measure = self._counted_measure(one)
            self._later.append((measure, one.op, at))
            return
        field, inverse = self._compared_field(one)
        if field is None:
            raise CannotLink(f"Nothing here says in what {mention.text!r} is compared.")
        near = [v for v in self.pattern.vars if v.name == field.var]
        match = self._named_as(at, [*near, self._subject(), *self.pattern.vars])
        pinned = next(v for v in [*near, self._subject(), *self.pattern.vars] if v.entity == match.place.owner)
        variables, hops = self._way(pinned.name, field.var)
        other = Logical(variables, (field,), hops, (self._pin(pinned, match),))
        self.filters.append(Filter(field, INVERSE[one.op] if inverse else one.op, (Single(other),)))

    def _named_as(self, at: int, kinds: Sequence[Var]) -> Match:
        """The stored name that a mention stands for, of one of the kinds of thing, the first that has it."""
        mention = self.mentions[at]
        for var in kinds:
            names = ("", *self.concept.entities[var.entity].names)
            for match in mention.values:
                if match.place.owner == var.entity and (
                    match.place.field in names
                    or (self.concept.language is Language.SPARQL and isinstance(match.value, Iri))
                ):
                    return match
        kind = " ".join(self.concept.entities[kinds[0].entity].words) if kinds else "thing"
        raise CannotLink(f"{mention.text!r} is no {kind} of this source to compare with.")

    # --- when the pattern is complete ---

    def _mutual(self) -> None:
        """Things that are related to each other, both ways."""
        if not self.intent.mutual:
            return
        loops = [v for v in self.pattern.vars if self._loop_ends(v.name)]
        if not loops and not any(self._loop(h) for h in self.pattern.hops):
            raise CannotLink("What holds each way could not be linked to a relation between things of one kind.")
        for link in loops:
            start, end = self._loop_ends(link.name)
            back = self.pattern.new_var(link.entity)
            self.pattern.hops += [replace(start, source=back.name, target=end.target)]
            self.pattern.hops += [replace(end, source=back.name, target=start.target)]
        for hop in [h for h in self.pattern.hops if self._loop(h)]:
            self.pattern.hops.append(replace(hop, source=hop.target, target=hop.source))

    def _loop(self, hop: Hop) -> bool:
        edge = self.concept.edges[hop.edge]
        return edge.source == edge.target

    def _loop_ends(self, name: str) -> tuple[Hop, ...]:
        """The two hops of a relation between things of one kind, in the order of its ends; else none."""
        ends = [h for h in self.pattern.hops if h.source == name]
        kinds = {self.concept.edges[h.edge].target for h in ends}
        if len(ends) != 2 or len(kinds) != 1 or kinds == {self.concept.edges[ends[0].edge].source}:
            return ()
        return tuple(sorted(ends, key=lambda h: self.concept.edges[h.edge].native != "start"))

    def _followed(self) -> bool:
        """Whether a relation is followed on and on; a source that has none of that kind can't say indirectly."""
        if not self.intent.closure:
            return False
        loops = any(self._loop(h) for h in self.pattern.hops) or any(self._loop_ends(v.name) for v in self.pattern.vars)
        if not loops or self.concept.language is Language.SQL:
            raise CannotLink("'indirectly' asks to follow a relation on and on, which this query can't say here.")
        return True

    def _settle(self, targets: Sequence[Field | Measure]) -> None:
        """Conditions on counts, whose other side counts the same for the named thing."""
        for measure, op, at in self._later:
            subject = self._subject()
            pin = self._kind_pin(at, targets) or self._pin(subject, self._named_as(at, [subject]))
            kept = [f for f in self.filters if not (isinstance(f.on, Field) and f.on.var == subject.name)]
            other = Logical(
                tuple(self.pattern.vars), (measure,), tuple(self.pattern.hops), (*kept, pin), tuple(self.absent)
            )  # fmt: skip
            self.having.append(Filter(measure, op, (Single(other),)))

    def _kind_pin(self, at: int, targets: Sequence[Field | Measure]) -> Filter | None:
        """For what is grouped by an attribute, the value of it: more films than Horror has."""
        for target in targets:
            if isinstance(target, Measure) or not target.attribute:
                continue
            var = next(v for v in self.pattern.vars if v.name == target.var)
            for match in self.mentions[at].values:
                if match.place.owner == var.entity and match.place.field == target.attribute:
                    return self._pin(var, match)
        return None

    def _figured(self, query: Logical) -> Statement:
        """The query, or the figure that is made of it."""
        things = [t for t in query.targets if isinstance(t, Measure) and t.func is Func.COUNT and not t.field.attribute]
        if query.having and len(query.targets) == 1 and things and not query.groups:
            kind = things[0].field  # how many studios released more than ten films: a count of groups
            measure = next(h.on for h in query.having if isinstance(h.on, Measure))
            return Nested(Func.COUNT, query.but(targets=(measure,), groups=(kind,), order=(), limit=None))
        if self.intent.nested is not None:
            measures = [t for t in query.targets if isinstance(t, Measure)]
            if not query.groups or len(measures) != 1:
                raise CannotLink("What the counts are averaged over could not be linked.")
            return Nested(self.intent.nested, query.but(targets=tuple(measures), order=(), limit=None))
        query = self._once(query)
        if self.intent.versus is None:
            return query
        return self._calculated(query, self.intent.versus)

    def _once(self, query: Logical) -> Logical:
        """Sums and averages take each thing once: what only narrows it must exist, and is not joined."""
        summed = {m.field.var for m in query.measures if m.func in (Func.SUM, Func.AVG)}
        shown = (*query.targets, *query.groups, *(o.key for o in query.order))
        needed = {f.field.var if isinstance(f, Measure) else f.var for f in shown}
        if needed != summed or len(summed) != 1 or len(query.vars) < 2 or query.having or query.absent:
            return query
        root = next(iter(summed))
        if not self._repeats(root):
            return query
        branches: list[Branch] = []
        for hop in query.hops:
            if root not in (hop.source, hop.target):
                continue
            other = hop.target if hop.source == root else hop.source
            beyond = self._beyond(query, other, {root})
            names = {v for h in beyond for v in (h.source, h.target)} | {other}
            inner = tuple(f for f in query.filters if isinstance(f.on, Field) and f.on.var in names)
            branches.append(Branch(tuple(v for v in query.vars if v.name in names), (hop, *beyond), inner))
        if {v.name for b in branches for v in b.vars} | {root} != {v.name for v in query.vars}:
            return query
        own = tuple(f for f in query.filters if isinstance(f.on, Field) and f.on.var == root)
        only = tuple(v for v in query.vars if v.name == root)
        return query.but(vars=only, hops=(), filters=own, present=tuple(branches))

    def _beyond(self, query: Logical, start: str, seen: set[str]) -> tuple[Hop, ...]:
        """The hops that hang on a variable, away from those seen."""
        found: list[Hop] = []
        queue, known = [start], {start, *seen}
        while queue:
            here = queue.pop()
            for hop in query.hops:
                for a, b in ((hop.source, hop.target), (hop.target, hop.source)):
                    if a == here and b not in known:
                        known.add(b)
                        queue.append(b)
                        found.append(hop)
        return tuple(found)

    def _calculated(self, query: Logical, at: int) -> Calculation:
        target = next((t for t in query.targets if self._is_figure(t)), None)
        if target is None:
            raise CannotLink("What is to be compared could not be linked to a number or a date.")
        left = query.but(targets=(target,), order=(), limit=None, groups=(), distinct=False)
        entities = {v.name: v for v in query.vars}
        for position, item in enumerate(left.filters):
            if not isinstance(item.on, Field) or item.op is not Op.EQ:
                continue
            for match in self.mentions[at].values:
                pin = self._pin(entities[item.on.var], match)
                if match.place.owner == entities[item.on.var].entity and pin.on == item.on:
                    filters = (*left.filters[:position], pin, *left.filters[position + 1 :])
                    return Calculation(self.intent.calc, left, left.but(filters=filters))
        raise CannotLink(f"{self.mentions[at].text!r} is nothing of the kind it is compared with.")

    def _is_figure(self, target: Field | Measure) -> bool:
        return isinstance(target, Measure) or bool(
            target.attribute and self._attribute_of(target).form in (Form.NUMBER, Form.NUMERIC_TEXT, Form.DATE)
        )

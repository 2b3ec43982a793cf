"""Attributes: the one that a mention, a comparing word or a date stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.errors import CannotLink
from core.planner.building import NUMERIC, PERSONAL, Building
from core.planner.concept import Form
from core.planner.hints import HINTS
from core.planner.intent import Comparison
from core.planner.logical import Field, Measure, Op, Var
from core.planner.mentions import Named
from core.planner.words import stems_of

_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2})?")
COUNTING = set(stems_of(("count", "number", "total", "amount", "of", "quantity")))


class Fields(Building):
    """Attributes: the one that a mention, a comparing word or a date stands for."""

    def _field(self, at: int) -> Field:
        """The variable and attribute that an attribute mention stands for."""
        mention = self.mentions[at]
        if not mention.attributes:
            raise CannotLink(f"{mention.text!r} is no attribute of this source.")
        top = mention.attributes[0].score
        ranked: list[tuple[float, Named, Var | None]] = []
        for one in mention.attributes:
            have = self.pattern.of(one.owner)
            base = one.score * 1.2 - (top - one.score) * 0.8
            if not have and self._attribute(one).span[0]:
                continue  # what follows from dates is told of a thing that the question names
            if not have:
                natural = 0.1 if not self._attribute(one).key else 0.0
                ranked.append((base - 0.35 + natural - self._far(one.owner), one, None))
            for var in have:
                ranked.append((base + self._nearness(at, var), one, var))
        if not ranked:
            raise CannotLink(f"{mention.text!r} is nothing that the things in the question have.")
        _, named, chosen = max(ranked, key=lambda r: r[0])
        alone = not self.concept.around.get(named.owner)
        if chosen is None and alone and self.pattern.vars and mention.text.lower() in ("year", "years"):
            return self._year([])
        return Field((chosen or self._reach(named.owner, at)).name, named.attribute)

    def _owner_var(self, at: int) -> Var | None:
        """The thing whose name an attribute mention asks for: the next one after "of", else the one before."""
        for near in range(at + 1, min(at + 4, len(self.mentions))):
            if near in self.var_of and self.mentions[near].code != "V":
                return self.var_of[near]
            if near not in self.attribute_mentions:
                break
        return self.var_of.get(at - 1)

    def _far(self, owner: str) -> float:
        alone = not self.concept.around.get(owner)
        return (0.1 if self.concept.entities[owner].link else 0.0) + (0.2 if alone and len(self.concept.edges) else 0.0)

    def _nearness(self, at: int, var: Var) -> float:
        best = 0.0
        for other, placed in self.var_of.items():
            if placed is not var or other < 0:
                continue
            gap = other - at
            best = max(best, 0.3 if gap == -1 else 0.28 if gap == 1 else 0.2 / max(1, abs(gap)))
        return best

    def _hinted(self, hint: str, prefer: Var | None, kinds: tuple[Form, ...]) -> tuple[Field, bool] | None:
        """The attribute a comparing word means on what is asked for, and whether it runs the other way."""
        words = hint.split()
        keyed = [o for key, options in HINTS.items() if any(w.startswith(key) for w in words) for o in options]
        others = [v for v in self.pattern.vars if v is not prefer]
        for variables in ([prefer], others) if prefer else (others,):
            for option, inverse in keyed:
                wanted = stems_of(tuple(option.split()))
                for var in variables:
                    for attribute in self.concept.entities[var.entity].attributes:
                        plain = attribute.form in kinds and not attribute.key and not attribute.span[0]
                        if plain and set(wanted) <= set(stems_of(attribute.words)):
                            return Field(var.name, attribute.id), inverse
        return None

    def _hinted_nearby(self, hint: str, subject: Var) -> tuple[Field, bool] | None:
        """The attribute a comparing word means on a thing next to what is asked for, which then joins the query."""
        for edge in self.concept.around.get(subject.entity, ()):
            other = edge.target if edge.source == subject.entity else edge.source
            for key, options in HINTS.items():
                if key not in hint:
                    continue
                for option, inverse in options:
                    for attribute in self.concept.entities[other].attributes:
                        if attribute.form in NUMERIC and set(stems_of((option,))) <= set(stems_of(attribute.words)):
                            return Field(self.pattern.step(subject, edge).name, attribute.id), inverse
        return None

    def _year(self, targets: Sequence[Field | Measure]) -> Field:
        """The year, or the month, of the date that what is counted or asked for has."""
        part = self.intent.by_part or "year"
        first = targets[0].field if targets and isinstance(targets[0], Measure) else None
        var = next((v for v in self.pattern.vars if first and v.name == first.var), self._subject())
        dated = self._hinted("date", var, (Form.DATE,))
        if dated is not None:
            return replace(dated[0], part=part)
        own = self._date_of(var.entity)
        if own:
            return Field(var.name, own, part=part)
        for edge in self.concept.around.get(var.entity, ()):
            if edge.source == var.entity and self._date_of(edge.target):
                return Field(self.pattern.step(var, edge).name, self._date_of(edge.target), part=part)
        raise CannotLink(f"The question asks for {part}s, and nothing linked here has a date.")

    def _date_of(self, entity: str) -> str:
        dates = [a.id for a in self.concept.entities[entity].attributes if a.form is Form.DATE]
        return dates[0] if len(dates) == 1 else ""

    def _dated_field(self, at: int | None) -> Field | None:
        """The date that a day or month is compared with: the one named, one of the subject's, or one next to it."""
        if at is not None and at in self.attribute_mentions:
            field = self._field(at)
            if self._attribute_of(field).form in (Form.DATE, Form.TEXT):
                return field
        subject = self.var_of.get(at) if at is not None else None
        subject = subject or (self._subject() if self.pattern.vars else None)
        if subject is None:
            return None
        found = self._hinted("date", subject, (Form.DATE,))
        if found:
            return found[0]
        for var in (subject, *self.pattern.vars):
            if self._date_of(var.entity):
                return Field(var.name, self._date_of(var.entity))
        for edge in self.concept.around.get(subject.entity, ()):
            other = edge.target if edge.source == subject.entity else edge.source
            if self._date_of(other):
                return Field(self.pattern.step(subject, edge).name, self._date_of(other))
        return None

    def _clock_field(self, at: int | None) -> Field | None:
        """The time of day that is compared with: before 08:00."""
        if at is not None and at in self.attribute_mentions:
            return self._field(at)
        for var in (self._subject(), *self.pattern.vars) if self.pattern.vars else ():
            for attribute in self.concept.entities[var.entity].attributes:
                native = attribute.native.upper()
                texts = [str(s) for s in attribute.samples[:3]]
                timed = native.endswith("TIME") and "DATE" not in native
                if timed or (texts and all(_CLOCK.fullmatch(t) for t in texts)):
                    return Field(var.name, attribute.id)
        return None

    def _dated_relation(self, value: int) -> Field | None:
        """The year or date of the relation that the nearest verb before a year names: screened in 2010."""
        for at in range(value - 1, -1, -1):
            mention = self.mentions[at]
            if mention.code != "R":
                continue
            for one in mention.edges:
                for var in self.pattern.of(one.owner) if not one.attribute else ():
                    for attribute in self.concept.entities[var.entity].attributes:
                        if attribute.form is Form.DATE or "year" in attribute.words:
                            return Field(var.name, attribute.id)
            return None
        return None

    def _only_numeric(self, one: Comparison, subject: Var | None) -> Field | None:
        for var in [subject, *self.pattern.vars] if subject else []:
            if var is None:
                continue
            if one.year and (own := self._date_of(var.entity)):
                return Field(var.name, own)
            fields = [
                a for a in self.concept.entities[var.entity].attributes
                if a.form in ((Form.DATE, Form.NUMBER) if one.year else NUMERIC) and not a.key and not a.span[0]
                and (one.year or "year" not in a.words)
            ]  # fmt: skip
            if len(fields) == 1:
                return Field(var.name, fields[0].id)
        if one.op is Op.EQ and subject is not None and not one.year:
            keys = [a for a in self.concept.entities[subject.entity].attributes if a.key]
            if keys:
                return Field(subject.name, keys[0].id)
        return None

    def _stored_count(self, at: int) -> Field | None:
        """An attribute that keeps how many there are, such as answer count or number of employees."""
        stems = set(stems_of(tuple(self.mentions[at].text.lower().split())))
        for var in self.pattern.vars:
            for attribute in self.concept.entities[var.entity].attributes:
                own = set(stems_of(attribute.words))
                if attribute.form in NUMERIC and stems < own and own - stems <= COUNTING:
                    return Field(var.name, attribute.id)
        return None

    def _default_targets(self) -> list[Field | Measure]:
        if not self.pattern.vars:
            for at in sorted(self.attribute_mentions):
                return [self._field(at)]
            raise CannotLink("The question does not say which thing of this source it asks for.")
        return list(self._names(self.pattern.vars[0]))

    def _shown(self, at: int) -> list[Field]:
        if at in self.attribute_mentions:
            if stems_of((self.mentions[at].text.lower(),))[0] in ("nam", "titl"):
                owner = self._owner_var(at)
                if owner is not None and owner.entity in self.concept.entities:
                    return self._names(owner)
            return [self._field(at)]
        if at in self.var_of:
            var = self.var_of[at]
            return self._names(self._bearer(var) if self.mentions[at].code == "V" else var)
        return []

    def _bearer(self, var: Var) -> Var:
        """Who a kind that is kept in a table of its own is told of: the staff, for consultants among the roles."""
        edges = [e for e in self.concept.around.get(var.entity, ()) if e.target == var.entity]
        people = [e for e in edges if self._personal(e.source) and not e.many]
        kind = not set(stems_of(self.concept.entities[var.entity].words[-1:])) & PERSONAL
        return self.pattern.step(var, people[0]) if kind and len(edges) == len(people) == 1 else var

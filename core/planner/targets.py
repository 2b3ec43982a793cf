"""What comes back: fields, counts and sums."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.errors import CannotLink
from core.planner.building import NUMERIC
from core.planner.concept import Form
from core.planner.intent import Wanted
from core.planner.logical import Field, Filter, Func, Measure, Op, Var
from core.planner.mentions import Named
from core.planner.placed_values import PLACES
from core.planner.placing import Placing
from core.planner.words import stems_of

_TIMES = ("date", "year", "time", "released", "born", "founded", "birth date", "start date")
OFTEN = re.compile(r"often|frequent|common|popular")


class Targets(Placing):
    """What comes back: fields, counts and sums."""

    def _targets(self) -> list[Field | Measure]:
        targets: list[Field | Measure] = []
        for wanted in self.intent.wanted:
            targets += self._target(wanted)
        extreme = self.intent.extreme
        if (
            extreme
            and extreme.mention in self.attribute_mentions
            and OFTEN.search(extreme.hint)
            and not extreme.counted
        ):
            targets = [self._field(extreme.mention)]  # the most common city asks for the city
        if not targets and not self.intent.ask:
            targets = self._default_targets()
        if self.intent.by_part:
            only = extreme is not None and all(w.mention == extreme.mention for w in self.intent.wanted)
            kept = [] if only else targets
            targets = [self._year(targets), *kept]
        for at in self.intent.groups:
            if self._finest(at):
                continue
            for one in self._shown(at):
                if one not in targets:
                    targets.insert(0, one)
        return list(dict.fromkeys([*self._per(targets), *targets]))

    def _finest(self, at: int) -> bool:
        """Whether a group is each thing that is averaged over, and no group: the average population per country."""
        extreme = self.intent.extreme
        if extreme is None or extreme.func is not Func.AVG or extreme.mention not in self.attribute_mentions:
            return False
        var = self.var_of.get(at)
        return var is not None and self._field(extreme.mention).var == var.name and len(self.intent.wanted) > 0

    def _per(self, targets: Sequence[Field | Measure]) -> list[Field]:
        """What a table of figures is kept by, for a table named so: the year, in visits per year."""
        shown = []
        for one in targets:
            if isinstance(one, Measure):
                continue
            entity = self.concept.entities[next(v.entity for v in self.pattern.vars if v.name == one.var)]
            if "per" in entity.words:
                by = set(stems_of(entity.words[entity.words.index("per") + 1 :]))
                shown += [Field(one.var, a.id) for a in entity.attributes if set(stems_of(a.words)) == by]
        return [f for f in shown if f not in {x.on for x in self.filters}]

    def _target(self, wanted: Wanted) -> list[Field | Measure]:
        if wanted.word == "span":
            return [self._span(wanted.func)]
        if wanted.hint:
            found = self._hinted(wanted.hint, None, (*NUMERIC, Form.DATE))
            if found is None:
                raise CannotLink(f"Nothing here is measured as {wanted.hint!r}.")
            return [found[0]]
        if wanted.word == "much":
            return [self._amount(wanted.func)]
        if wanted.word:
            return self._asked_by_word(wanted.word)
        at = wanted.mention
        if at is None:
            return []
        if wanted.func is Func.COUNT:
            return self._count_target(at, wanted.distinct)
        if wanted.func is not None:
            return [Measure(wanted.func, self._added_up(wanted.func, self._field(at)))]
        if at in self.attribute_mentions and len(self.intent.wanted) > 1:
            named = self.mentions[at].attributes[0]
            following = self.mentions[at + 1] if at + 1 < len(self.mentions) else None
            if (
                self._attribute(named).form is Form.BOOL
                and following is not None
                and following.first == self.mentions[at].last
            ):
                self.filters.append(Filter(self._field(at), Op.EQ, (True,)))
                return []
        return list(self._shown(at))

    def _added_up(self, func: Func, field: Field) -> Field:
        """A field that can be added up; for one that can't, the one number of its thing: a delay's minutes."""
        if func not in (Func.AVG, Func.SUM) or self._attribute_of(field).form in NUMERIC:
            return field
        entity = next(v.entity for v in self.pattern.vars if v.name == field.var)
        numbers = [a for a in self.concept.entities[entity].attributes if a.form in NUMERIC and not a.key]
        if len(numbers) != 1:
            raise CannotLink(f"{' '.join(self._attribute_of(field).words)!r} is no number that could be added up.")
        return Field(field.var, numbers[0].id)

    def _span(self, func: Func | None) -> Field | Measure:
        """The time between two dates that the question names."""
        first, last, unit = self.intent.spans[0]
        start, end = self._moment(first), self._moment(last)
        if start == end:
            raise CannotLink("The question asks for a time between two dates, and only one was linked.")
        field = replace(end, since=start, unit=unit)
        return Measure(func, field) if func else field

    def _moment(self, at: int) -> Field:
        """The date that a mention stands for: a visit is its date, a follow-up the date of that name."""
        mention = self.mentions[at]
        if mention.attributes and (at in self.attribute_mentions or not mention.entities):
            field = self._field(at)
            if self._attribute_of(field).form is Form.DATE:
                return field
        var = self.var_of.get(at)
        if var is None and mention.entities:
            var = self.var_of[at] = self._reach(self._entity(mention), at)
        own = set(stems_of(self.concept.entities[var.entity].words)) if var else set()
        dates = [a for a in self.concept.entities[var.entity].attributes if a.form is Form.DATE] if var else []
        named = [a for a in dates if own & set(stems_of(a.words))] or dates
        if var is None or not named:
            raise CannotLink(f"{mention.text!r} has no date in this source.")
        return Field(var.name, named[0].id)

    def _count_target(self, at: int, distinct: bool) -> list[Field | Measure]:
        mention = self.mentions[at]
        if mention.code == "V" and at in self.var_of:
            return [Measure(Func.COUNT, Field(self._bearer(self.var_of[at]).name), distinct)]
        if at in self.attribute_mentions:
            field = self._field(at)
            attribute = self._attribute_of(field)
            if attribute.form in NUMERIC and not attribute.key and not distinct:
                return [field if self._is_one(field) or self.intent.groups else Measure(Func.SUM, field)]
            return [Measure(Func.COUNT, field, True)]
        if at not in self.var_of:
            raise CannotLink(f"{mention.text!r} can't be counted in this source.")
        figures = self._figures(self.var_of[at])
        if figures:
            return [figures]
        return [Measure(Func.COUNT, Field(self.var_of[at].name), distinct)]

    def _is_one(self, field: Field) -> bool:
        """Whether what is counted belongs to one named thing, or nothing narrows the things it belongs to."""
        entity = self.concept.entities[next(v.entity for v in self.pattern.vars if v.name == field.var)]
        if not self.filters or len(self.pattern.vars) == 1:
            return True
        return any(
            isinstance(f.on, Field) and f.on.var == field.var and f.on.attribute in ("", *entity.names)
            for f in self.filters
        )

    def _figures(self, var: Var) -> Field | None:
        """The column that a table named by it keeps: visits, of visits per year."""
        words = self.concept.entities[var.entity].words
        if "per" not in words:
            return None
        counted = set(stems_of(words[: words.index("per")]))
        own = [a for a in self.concept.entities[var.entity].attributes if set(stems_of(a.words)) == counted]
        return Field(var.name, own[0].id) if own else None

    def _amount(self, func: Func | None) -> Field | Measure:
        """What "how much" asks for: the amount, price or fee of what is linked, summed where it was spent."""
        found = self._hinted("money", self._subject() if self.pattern.vars else None, NUMERIC)
        found = found or self._hinted("expensive", None, NUMERIC)
        if found is None:
            raise CannotLink("The question asks how much, and nothing linked here has an amount or a price.")
        return Measure(func, found[0]) if func else found[0]

    def _asked_by_word(self, word: str) -> list[Field | Measure]:
        if word == "who":
            return self._who()
        options = PLACES if word == "where" else _TIMES
        for at in sorted(self.attribute_mentions - self.intent.used):
            for named in self.mentions[at].attributes:
                attribute = self._attribute(named)
                if (word == "when") == (attribute.form is Form.DATE) or any(w in options for w in attribute.words):
                    self.intent.used.add(at)
                    return [self._field(at)]
        for option in options:
            wanted = stems_of(tuple(option.split()))
            for var in self.pattern.vars:
                for attribute in self.concept.entities[var.entity].attributes:
                    if set(wanted) <= set(stems_of(attribute.words)):
                        return [Field(var.name, attribute.id)]
        for at, mention in enumerate(self.mentions):
            for one in mention.edges:
                if one.attribute and self.pattern.of(one.owner):
                    var = self.pattern.step(self.pattern.of(one.owner)[0], self.concept.edges[one.attribute])
                    self.done_edges.add(at)
                    return list(self._names(var))
                end = self._other_end(one)
                if end is not None:
                    self.done_edges.add(at)
                    return list(self._names(end))
        raise CannotLink(f"The question asks {word}, and nothing linked here has such an attribute.")

    def _other_end(self, one: Named) -> Var | None:
        """The thing that a relation of what is placed leads to: the factory where a product is assembled."""
        start, end = self._ends(one)
        have = next((v for v in self.pattern.vars if v.entity == start), None)
        if one.attribute or have is None or start == end:
            return None
        edges = {e.native: e for e in self.concept.around[one.owner]}
        return self.pattern.step(self.pattern.step(have, edges["start"]), edges["end"])

    def _who(self) -> list[Field | Measure]:
        """The person's names, or the text attribute that the verb names: a director column for "who directed"."""
        if -1 in self.var_of:
            return list(self._names(self.var_of[-1]))
        for at in sorted(self.attribute_mentions - self.intent.used):
            for named in self.mentions[at].attributes:
                attribute = self._attribute(named)
                if attribute.form is Form.TEXT and not attribute.key and self.pattern.of(named.owner):
                    self.intent.used.add(at)
                    return [self._field(at)]
        raise CannotLink("The question asks who, and nothing linked here is a person.")

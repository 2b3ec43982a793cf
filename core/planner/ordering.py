"""Sort keys and superlatives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import CannotLink
from core.planner.building import NUMERIC
from core.planner.concept import Form
from core.planner.conditions import Conditions
from core.planner.intent import Extreme
from core.planner.logical import Field, Filter, Func, Measure, Op, Order, Var
from core.planner.targets import OFTEN
from core.results import Language

MEASURED = re.compile(
    r"(?:best|worst|cheap|expensive|most expensive|least expensive|tall|heav|light|fast|slow|old|young|deep|rich)\w*"
)
"""Superlatives of a quality, which no count stands for."""


class Ordering(Conditions):
    """Sort keys and superlatives."""

    def _ordering(self, targets: list[Field | Measure]) -> tuple[list[Order], int | None, list[Field | Measure]]:
        order: list[Order] = []
        extreme = self.intent.extreme
        if extreme is not None:
            key, descending = self._extreme_key(extreme, targets)
            self._leave_out_unknown(key, targets)
            order.append(Order(key, descending))
            if not targets:
                targets = self._default_targets()
            return order, extreme.limit, targets
        for at, descending in self.intent.order:
            if at is None:
                first = next((t for t in targets), None)
                if first is not None:
                    order.append(Order(first, descending))
            elif at in self.attribute_mentions:
                order.append(Order(self._field(at), descending))
            elif at in self.var_of:
                counted = next((t for t in targets if isinstance(t, Measure)), None)
                order.append(Order(counted or self._names(self.var_of[at])[0], descending))
        return order, self.intent.limit, targets

    def _leave_out_unknown(self, key: Field | Measure, targets: Sequence[Field | Measure]) -> None:
        """The genre with the most films is one: films without a genre are no group."""
        for one in targets if isinstance(key, Measure) and self.concept.language is not Language.SPARQL else ():
            if isinstance(one, Field) and one.attribute and not one.part and not self._attribute_of(one).key:
                entity = next(v.entity for v in self.pattern.vars if v.name == one.var)
                if one.attribute not in self.concept.entities[entity].names:
                    self.filters.append(Filter(one, Op.NOT_NULL))

    def _extreme_key(self, extreme: Extreme, targets: list[Field | Measure]) -> tuple[Field | Measure, bool]:
        at = extreme.mention
        if at is not None and at in self.attribute_mentions:
            field = self._field(at)
            form = self._attribute_of(field).form
            if extreme.func is not None:
                return Measure(extreme.func, field), extreme.descending
            if extreme.summed and form in NUMERIC and field.var != self._subject().name:
                return Measure(Func.SUM, field), extreme.descending
            if not extreme.counted and (form in (*NUMERIC, Form.DATE)):
                return field, extreme.descending
            if "common" in extreme.hint or "popular" in extreme.hint or "frequent" in extreme.hint:
                return Measure(Func.COUNT, Field(field.var)), extreme.descending
            if not extreme.counted and form is Form.TEXT and not self._plain_most(extreme):
                return field, extreme.descending
            return Measure(Func.COUNT, field, extreme.counted), extreme.descending
        measures = [t for t in targets if isinstance(t, Measure)]
        subject = self._subject()
        if self.intent.by_part and not measures and (at is None or at in self.var_of):
            return Measure(Func.COUNT, Field((self.var_of[at] if at is not None else subject).name)), extreme.descending
        if at is not None and at not in self.var_of and self.mentions[at].code == "R" and not measures:
            counted = self._relation_var(at, subject)
            if counted is not None:
                return Measure(Func.COUNT, Field(counted.name)), extreme.descending
        placed = self.var_of.get(at) if at is not None else None
        hinted = self._hinted(extreme.hint, placed or subject, (*NUMERIC, Form.DATE))
        if hinted is None and extreme.summed:
            hinted = self._hinted_nearby(extreme.hint, placed or subject)
        if hinted and not extreme.counted and not self._plain_most(extreme):
            if extreme.func is not None and hinted[0].var != subject.name:
                return Measure(extreme.func, hinted[0]), extreme.descending
            if extreme.summed and hinted[0].var != subject.name:
                return Measure(Func.SUM, hinted[0]), extreme.descending
            return hinted[0], extreme.descending != hinted[1]
        if measures:
            return measures[0], extreme.descending
        if MEASURED.match(extreme.hint):
            raise CannotLink(f"Nothing here measures {extreme.hint!r}.")
        often = bool(OFTEN.search(extreme.hint))
        whole = placed or (subject if often else None)
        if whole is not None and targets and all(self._describes(t, whole, often) for t in targets):
            return Measure(Func.COUNT, Field(whole.name)), extreme.descending  # the outlet with the most critics
        if placed is None or placed.name == subject.name:
            other = next((v for v in self.pattern.vars if v.name != subject.name), None)
            if other is None and not self._plain_most(extreme) and (placed is None or not extreme.counted):
                raise CannotLink(f"Nothing here measures {extreme.hint!r}.")
            if other is None:
                return self._incoming(subject), extreme.descending
            placed = other
        return Measure(Func.COUNT, Field(placed.name), False), extreme.descending

    def _describes(self, target: Field | Measure, var: Var, often: bool) -> bool:
        """Whether a target is an attribute of `var` that many of its kind share."""
        if isinstance(target, Measure) or target.var != var.name or not target.attribute:
            return False
        entity = self.concept.entities[var.entity]
        distinct = entity.attribute(target.attribute).distinct
        shared = often and distinct is not None and distinct < entity.count
        return (shared or target.attribute not in entity.names) and not entity.attribute(target.attribute).key

    def _relation_var(self, at: int, subject: Var) -> Var | None:
        """The variable that stands for each instance of a relation of the subject: a critic's reviews."""
        for one in self.mentions[at].edges:
            if one.attribute:
                edge = self.concept.edges[one.attribute]
                if subject.entity in (edge.source, edge.target):
                    self.done_edges.add(at)
                    return self.pattern.step(subject, edge)
            elif subject.entity in self._ends(one):
                self.done_edges.add(at)
                return self._reach(one.owner, at, starts=[subject])
        return None

    def _plain_most(self, extreme: Extreme) -> bool:
        return extreme.hint.split()[0] in ("most", "least", "fewest", "top", "first", "last") and not any(
            w in extreme.hint for w in ("recent", "expensive", "popul", "view", "money", "revenue", "income", "dollars")
        )

    def _incoming(self, subject: Var) -> Measure:
        """How often other things refer to the subject, for the most popular or most used one."""
        edges = [e for e in self.concept.around.get(subject.entity, ()) if e.target == subject.entity]
        if not edges:
            raise CannotLink(f"Nothing here counts {' '.join(self.concept.entities[subject.entity].words)!r}.")
        edge = max(edges, key=lambda e: self.concept.entities[e.source].count)
        var = self.pattern.step(subject, edge)
        return Measure(Func.COUNT, Field(var.name))

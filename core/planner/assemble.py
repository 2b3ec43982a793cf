"""From linked mentions and intent to one logical query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import CannotLink
from core.planner.building import NUMERIC
from core.planner.concept import Concept, Entity, Form
from core.planner.fields import COUNTING
from core.planner.intent import Intent
from core.planner.logical import Field, Filter, Func, Logical, Measure, Op, Order, Statement
from core.planner.mentions import Mention
from core.planner.references import References
from core.planner.words import stems_of
from core.results import Language


def assemble(mentions: Sequence[Mention], intent: Intent, concept: Concept) -> Statement:
    """One logical query for what was linked.

    Raises:
        CannotLink: A part that the answer depends on is not in the source; the message names it.
    """
    return _Assembler(mentions, intent, concept).build()


class _Assembler(References):
    """From linked mentions and intent to one logical query."""

    def build(self) -> Statement:
        self._check_linked()
        self._place_chain()
        self._place_targets()
        self._place_things()
        targets = self._targets()
        self._place_negated()
        for comparison in self.intent.comparisons:
            self._compare(comparison)
        self._adjacent_filters()
        order, limit, targets = self._ordering(targets)
        self._place_loose_edges()
        self._mutual()
        self._settle(targets)
        return self._figured(self._finish(targets, order, limit))

    def _finish(self, targets: list[Field | Measure], order: list[Order], limit: int | None) -> Logical:
        if not self.pattern.vars:
            raise CannotLink("Nothing in the question names a thing of this source.")
        for at in self.intent.present:
            if at in self.attribute_mentions:
                self.filters.append(self._has(self._field(at)))
        self._flags(targets)
        self._happened(targets)
        if self.concept.language is Language.CYPHER and self.intent.extreme and order and order[0].key not in targets:
            targets = [*targets, order[0].key]
        measured = any(isinstance(t, Measure) for t in targets)
        plain = [t for t in targets if isinstance(t, Field)]
        by_measure = bool(self.having) or any(isinstance(o.key, Measure) for o in order)
        groups: list[Field] = []
        if (measured and plain) or (by_measure and (plain or not measured)):
            groups = self._groups(plain, targets, order)
        self._all_told()
        targets = self._told_apart(self._no_echo(targets, plain))
        plain = [t for t in targets if isinstance(t, Field)]
        targets = [self._safe_count(t) if isinstance(t, Measure) else t for t in targets]
        ask = self.intent.ask and not measured
        if ask and self.having:
            groups = groups or [Field(self._subject().name)]
        distinct = not groups and not measured and (self.intent.distinct or self._fans_out(plain))
        if order and distinct and any(o.key not in targets for o in order):
            distinct = False
        return Logical(
            tuple(self.pattern.vars), tuple(targets) if not ask else (), tuple(self.pattern.hops),
            tuple(dict.fromkeys(self.filters)), tuple(self.absent), tuple(groups), tuple(self.having), tuple(order),
            None if ask else limit, distinct and not ask, ask, self._followed(),
        )  # fmt: skip

    def _all_told(self) -> None:
        """Every number, year and date of the question must have its part in the query."""
        for at, mention in enumerate(self.mentions):
            if mention.code in "NYDT" and at not in self.intent.used:
                raise CannotLink(f"What {mention.text!r} stands for could not be told.")

    def _no_echo(self, targets: list[Field | Measure], plain: list[Field]) -> list[Field | Measure]:
        """Targets that say more than the question did: all about a thing whose name alone would come back."""
        fixed = {f.on for f in self.filters if isinstance(f.on, Field) and f.op is Op.EQ}
        if self.intent.ask or not plain or len(plain) != len(targets) or not set(plain) <= fixed:
            return targets
        if self.intent.left_out:
            return targets  # what was asked about the thing is what stands for nothing here
        var = plain[0].var
        entity = self.concept.entities[next(v.entity for v in self.pattern.vars if v.name == var)]
        named = [Field(var, n) for n in entity.names if Field(var, n) not in fixed]
        rest = [Field(var, a.id) for a in entity.attributes if Field(var, a.id) not in fixed and not a.key]
        return list(named or rest or targets)

    def _told_apart(self, targets: list[Field | Measure]) -> list[Field | Measure]:
        """Figures of several named things with the names before them, so that each can be told whose it is."""
        several = [f.on for f in self.filters if isinstance(f.on, Field) and f.op is Op.IN and len(f.values) > 1]
        for on in several:
            entity = self.concept.entities[next(v.entity for v in self.pattern.vars if v.name == on.var)]
            named = on.attribute in ("", *entity.names) and on not in targets
            if named and targets and all(isinstance(t, Field) and t.var == on.var and t.attribute for t in targets):
                return [on, *targets]
        return targets

    def _has(self, field: Field) -> Filter:
        """A thing with an attribute: at least one where the attribute says how many."""
        attribute = self._attribute_of(field)
        many = attribute.words[-1].endswith("s") or set(stems_of(attribute.words)) & COUNTING
        if attribute.form in NUMERIC and many:
            return Filter(field, Op.GE, (1,))
        return Filter(field, Op.NOT_NULL)

    def _flags(self, targets: Sequence[Field | Measure]) -> None:
        """True-or-false attributes that the question only mentions: discontinued products."""
        for at in sorted(self.attribute_mentions):
            mention = self.mentions[at]
            if at in self.intent.used or not mention.attributes or mention.attributes[0].score < 0.9:
                continue
            if self._attribute(mention.attributes[0]).form is Form.BOOL and self.pattern.of(
                mention.attributes[0].owner
            ):
                field = self._field(at)
                if field not in targets and not any(f.on == field for f in self.filters):
                    self.filters.append(Filter(field, Op.EQ, (at not in self.intent.negated,)))

    def _happened(self, targets: Sequence[Field | Measure]) -> None:
        """A date that a verb names and nothing asks for: what is told of has happened, as in who cancelled."""
        shown = {t.field if isinstance(t, Measure) else t for t in targets}
        for at in sorted(self.attribute_mentions - self.intent.used - set(self.intent.negated)):
            mention = self.mentions[at]
            owners = [n for n in mention.attributes if self.pattern.of(n.owner)]
            if (
                not mention.text.lower().endswith("ed")
                or not owners
                or self._attribute(owners[0]).form is not Form.DATE
            ):
                continue
            field = Field(self.pattern.of(owners[0].owner)[-1].name, owners[0].attribute)
            if field not in shown and not any(f.on == field for f in self.filters) and not self.intent.order:
                self.filters.append(Filter(field, Op.NOT_NULL))

    def _groups(self, plain: list[Field], targets: Sequence[Field | Measure], order: Sequence[Order]) -> list[Field]:
        groups: list[Field] = []
        measures = [t for t in (*targets, *(o.key for o in order)) if isinstance(t, Measure)]
        counted = {m.field.var for m in measures if m.func is Func.COUNT and not m.field.attribute}
        each = {f for at in self.intent.groups if at in self.attribute_mentions for f in self._shown(at)}
        for field in plain:
            entity = next(v.entity for v in self.pattern.vars if v.name == field.var)
            named = self.concept.entities[entity]
            if field in each or (field.var in counted and len(self.pattern.vars) == 1):
                pass  # one group for each thing that is counted would be as many groups
            elif field.attribute in named.names and self._tells_apart(named, field.attribute):
                groups.append(Field(field.var))
            groups.append(field)
        return list(dict.fromkeys(groups))

    def _tells_apart(self, entity: Entity, name: str) -> bool:
        """Whether a name stands for one thing, or for two that share it; what many share is a kind of thing."""
        distinct = entity.attribute(name).distinct
        shared = distinct is not None and entity.count > 0 and distinct < 0.5 * entity.count
        return not shared and (bool(entity.keys) or self.concept.language is not Language.SQL)

    def _safe_count(self, measure: Measure) -> Measure:
        """Count things once where a join could repeat them."""
        counts_things = measure.func is Func.COUNT and not measure.field.attribute
        if counts_things and len(self.pattern.vars) > 1 and self._repeats(measure.field.var):
            return replace(measure, distinct=True)
        return measure

    def _fans_out(self, plain: list[Field]) -> bool:
        if len(self.pattern.vars) < 2 or not plain:
            return False
        owners = {f.var for f in plain}
        return len(owners) == 1 and self._repeats(next(iter(owners)))

"""Things and relations: where each mention stands in the pattern, and what must be absent from it."""

from __future__ import annotations

import re
from dataclasses import replace

from core.errors import CannotLink
from core.planner.building import NUMERIC
from core.planner.concept import Form
from core.planner.logical import Branch, Field, Filter, Func, Hop, Op, Var
from core.planner.mentions import Mention
from core.planner.pattern import Pattern
from core.planner.placed_values import PlacedValues
from core.results import Match, Place

_DOER = re.compile(
    r"^ who (?:(?:has |had |have )?(?:[a-z]+ly )?(?P<verb>R\d+) |(?:is|was|are|were) )"
    r"(?P<nouns>(?:(?:the |an? )?R\d+ of )*)(?:[a-z]+ )?V\d+ (?:'s (?P<owned>R\d+) )?"
)
"""Who is asked for as the one who does something to who is named: who R0 V1, who was the R0 of the R1 of V2."""


class Placing(PlacedValues):
    """Things and relations: where each mention stands in the pattern, and what must be absent from it."""

    def _place_targets(self) -> None:
        order = [w.mention for w in self.intent.wanted if w.mention is not None]
        order += sorted(self.intent.owners)
        for at in order:
            if at in self.attribute_mentions:
                continue
            mention = self.mentions[at]
            if mention.code == "R":
                self._place_role(at, mention)
            elif mention.entities:
                self.var_of[at] = self._group_var(at) or self._reach(self._entity(mention), at)

    def _place_chain(self) -> None:
        """The relation of a named thing to others of its kind, of which something is asked: Hungary's neighbours."""
        skeleton = self.intent.skeleton
        found = re.search(r" of V(\d+) 's [RE](\d+) ", skeleton) or re.search(r" V(\d+) 's [RE](\d+) 's ", skeleton)
        swapped = re.search(r" of (?:the )?[RE](\d+) of V(\d+) ", skeleton)
        if found:
            name, role = int(found[1]), int(found[2])
        elif swapped:
            name, role = int(swapped[2]), int(swapped[1])
        else:
            return
        for match in self.mentions[name].values:
            owner = match.place.owner
            for one in self.mentions[role].edges:
                if owner not in self.concept.entities or self._ends(one) != (owner, owner) or not one.attribute:
                    continue
                var = self.pattern.new_var(owner)
                self.var_of[name] = var
                self.filters.append(self._value_filter(var, match))
                self.var_of[role] = self.pattern.step(var, self.concept.edges[one.attribute])
                self.done_edges.add(role)
                return

    def _place_role(self, at: int, mention: Mention) -> None:
        """A noun that names one end of a relation: the actors of a film, its director."""
        best = mention.edges[0]
        near = [v.place.owner for m in self.mentions for v in m.values[:1]]
        near += [n.owner for m in self.mentions for n in m.entities[:1]]
        ranked = []
        for one in mention.edges:
            if one.score < best.score - 0.1:
                continue
            source, target = self._ends(one)
            fit = (source in near) + (target in near) * 0.9
            ranked.append((fit + one.score, one))
        _, one = max(ranked, key=lambda r: r[0])
        if one.attribute:
            edge = self.concept.edges[one.attribute]
            have = self.pattern.of(edge.source)
            start = have[-1] if have else self._reach(edge.source, at)
            var = self.pattern.step(start, edge)
        else:
            link = self._reach(one.owner, at, fresh=not self.pattern.of(one.owner))
            if self._counted_itself(at):
                self.var_of[at] = link
                self._spend(self.pattern.hops)
                return
            agent = mention.text.lower().rstrip("s").endswith(("er", "or", "ist", "ess"))
            edges = {e.native: e for e in self.concept.around[one.owner]}
            var = self.pattern.step(link, edges["start" if agent else "end"])
            self.pattern.step(link, edges["end" if agent else "start"])
        self._spend(self.pattern.hops)
        self.var_of[at] = var

    def _counted_itself(self, at: int) -> bool:
        """Whether a relation's instances are counted, as in how many reviews, and not the things at its end."""
        counted = any(w.mention == at and w.func is Func.COUNT for w in self.intent.wanted)
        return counted and not self.mentions[at].text.lower().rstrip("s").endswith(("er", "or", "ist", "ess"))

    def _place_things(self) -> None:
        for at, mention in enumerate(self.mentions):
            if at in self.var_of or at in self.intent.negated or at in self.intent.standards:
                continue
            if mention.code == "V":
                if not self._is_part(at):
                    self._place_owned(at)
                    self._place_value(at, mention)
            elif mention.code in "EB" and at not in self.attribute_mentions and not self._only_joins(at):
                self.var_of[at] = self._group_var(at) or self._reach(self._entity(mention), at)
        if any(w.word == "who" for w in self.intent.wanted):
            self._place_who()

    def _group_var(self, at: int) -> Var | None:
        """The thing that counts are grouped by, where what is counted is of the same kind: neighbours of a country."""
        if at not in self.intent.groups:
            return None
        counted = {self.var_of[w.mention].name for w in self.intent.wanted if w.func and w.mention in self.var_of}
        same = self.pattern.of(self._entity(self.mentions[at]))
        return next((v for v in same if v.name not in counted), None) if counted & {v.name for v in same} else None

    def _place_owned(self, at: int) -> None:
        """The thing right after a name, which the name is joined by: played in a Spielberg film."""
        after = at + 1
        if (
            after >= len(self.mentions)
            or after in self.var_of
            or after in self.attribute_mentions
            or not self.pattern.vars
        ):
            return
        owned, name = self.mentions[after], self.mentions[at]
        if owned.code not in "EB" or owned.first != name.last or after in self.intent.standards:
            return
        entity = self._entity(owned)
        owners = {v.place.owner for v in name.values}
        if entity in owners or self.concept.entities[entity].link or self._subject().entity == entity:
            return
        before = [i for i in range(at) if i in self.var_of and self.var_of[i].entity == entity]
        var = self._reach(entity, after, fresh=bool(before), starts=[self._subject()], apart=bool(before))
        self.var_of[after] = self._owned[at] = var

    def _only_joins(self, at: int) -> bool:
        """Whether a verb that is also a table's name stands between two things that are joined without it."""
        if not self.mentions[at].text.lower().endswith("ed") or not 0 < at < len(self.mentions) - 1:
            return False
        near = [self.mentions[i] for i in (at - 1, at + 1)]
        ends = [{n.owner for n in m.entities[:1]} | {v.place.owner for v in m.values[:1]} for m in near]
        own = {n.owner for n in self.mentions[at].entities}
        if own & (ends[0] | ends[1]):
            return False
        return any(
            {e.source, e.target} == {a, b} for a in ends[0] for b in ends[1] for e in self.concept.around.get(a, ())
        )

    def _doers(self, at: int) -> list[int]:
        """Mentions that lead from who is named back to who is asked for, a step each; none where `at` does not.

        Who advised Heisenberg, who was the advisor of Heisenberg: one step. Who advised his advisor: two.
        """
        found = _DOER.search(self.intent.skeleton)
        verb, *nouns = (re.findall(r"R(\d+)", part or "") for part in found.groups()) if found else ([],)
        named = [int(n) for part in nouns for n in part]
        steps = [int(n) for n in verb] + named
        return steps if at in steps and all(self._is_doer(n) for n in named) else []

    def _is_doer(self, at: int) -> bool:
        """Whether a noun means who does what the relation says: the advisor, where the relation is ADVISED."""
        said = self.mentions[at].text.lower().rstrip("s")
        named = {w for n in self.mentions[at].edges if not n.attribute for w in self.concept.entities[n.owner].words}
        return said.endswith(("er", "or")) and said not in named

    def _place_who(self) -> None:
        """The person that a question with "who" asks for, at the end of the relation it names."""
        for at, mention in enumerate(self.mentions):
            if mention.edges and at not in self.done_edges and at not in self.var_of:
                for one in mention.edges:
                    source, target = self._ends(one)
                    if not one.attribute:
                        ends = (source, target)
                        have = next((v for v in self.pattern.vars if v.entity in ends), None)
                        if have is None:
                            continue
                        edges = {e.native: e for e in self.concept.around[one.owner]}
                        doers = self._doers(at) if source == target else []
                        if doers:
                            for _ in doers:
                                link = self.pattern.step(have, edges["end"], fresh=True)
                                have = self.pattern.step(link, edges["start"])
                            self.var_of[-1] = have
                            self.done_edges |= set(doers)
                            return
                        link = self._reach(one.owner, at, starts=[have], fresh=True)
                        start = self.pattern.step(link, edges["start"])
                        end = self.pattern.step(link, edges["end"])
                        self.var_of[-1] = end if start.name == have.name and start.name != end.name else start
                        self.done_edges.add(at)
                        return
                    have = next((v for v in self.pattern.of(source)), None)
                    if have is not None:
                        self.var_of[-1] = self.pattern.step(have, self.concept.edges[one.attribute])
                        self.done_edges.add(at)
                        return
        filtered = {f.on.var for f in self.filters if isinstance(f.on, Field)}
        for var in self.pattern.vars:
            if self._personal(var.entity) and var.name not in filtered:
                self.var_of[-1] = var
                return
        for var in self.pattern.vars:
            last = self.concept.entities[var.entity].words[-1]
            if last.endswith(("er", "or", "ier", "ist")) and var.name not in filtered:
                self.var_of[-1] = var  # a supplier supplies
                return
        for entity in self.concept.entities.values():
            if self._personal(entity.id) and not self.pattern.of(entity.id):
                reached = self.pattern.reach(entity.id, self._discount(0))  # type: ignore[arg-type]
                if reached is not None:
                    self.var_of[-1] = reached
                    return

    def _place_negated(self) -> None:
        values = [at for at in self.intent.negated if self.mentions[at].code == "V"]
        gone: Place | None = None
        for at in sorted(self.intent.negated, key=lambda at: self.mentions[at].code != "V"):
            mention = self.mentions[at]
            if mention.code != "V" and any(at < v for v in values) and mention.named:
                self.intent.used.add(at)  # it says how: not released by Warner Bros.
                self.done_edges.add(at)
                continue
            if mention.code != "V" and self.absent and self._is_absent(mention):
                self.done_edges.add(at)
                continue
            if at in self.attribute_mentions and at not in self.intent.used and mention.code != "V":
                self._lacks(at)
            if at in self.var_of or at in self.attribute_mentions:
                continue
            if mention.code == "V":
                match = self._denied(at, mention, gone)
                gone = match.place
                have = self.pattern.of(match.place.owner)
                if have and not self._named_already(have[-1], match):
                    item = self._value_filter(have[-1], match)
                    self.filters.append(replace(item, op=Op.NE))
                else:
                    self._absence(at, match.place.owner, match)
                self.var_of[at] = self.pattern.vars[0] if self.pattern.vars else Var("none", "none")
            elif mention.entities or mention.edges:
                self._absence(at, mention.entities[0].owner if mention.entities else "", None)

    def _denied(self, at: int, mention: Mention, before: Place | None) -> Match:
        """The reading of a denied name: the one of the name denied before it, in neither Germany nor Italy."""
        same = [v for v in mention.values if v.place == before]
        return same[0] if same else max(mention.values, key=lambda v: self._value_fit(at, v))

    def _named_already(self, var: Var, match: Match) -> bool:
        """Whether a thing is narrowed to another name, so that the denied one stands for another thing."""
        names = ("", *self.concept.entities[var.entity].names)
        return match.place.field in names and any(
            isinstance(f.on, Field) and f.on.var == var.name and f.on.attribute in names and f.op in (Op.EQ, Op.IN)
            for f in self.filters
        )

    def _is_absent(self, mention: Mention) -> bool:
        """Whether a mention only says what an absent thing is: Spanish is not an official language."""
        gone = {v.entity for b in self.absent for v in b.vars}
        return any(n.owner in gone for n in mention.entities) or any(gone & {*self._ends(n)} for n in mention.edges)

    def _lacks(self, at: int) -> None:
        """A thing without an attribute: a stored number of none, a flag that is off, or no value."""
        field = self._field(at)
        form = self._attribute_of(field).form
        self.intent.used.add(at)
        if form is Form.BOOL:
            self.filters.append(Filter(field, Op.EQ, (False,)))
        elif form in NUMERIC and not self._attribute_of(field).key:
            self.filters.append(Filter(field, Op.EQ, (0,)))
        else:
            self.filters.append(Filter(field, Op.NULL))

    def _absence(self, at: int, entity: str, match: Match | None) -> None:
        if not self.pattern.vars:
            return
        branch = Pattern(self.concept, [*self.pattern.vars], [])
        start = self._subject()
        if match is not None and self._absent_twin(start, entity, match):
            return
        if not entity:
            one = self.mentions[at].edges[0]
            entity = one.owner if not one.attribute else self.concept.edges[one.attribute].target
        if branch.of(entity) and entity != start.entity:
            return
        var = branch.reach(entity, self._discount(at), [start], fresh=True)  # type: ignore[arg-type]
        if var is None:
            raise CannotLink(f"Nothing joins {self.mentions[at].text!r} with the rest of the question.")
        old = {v.name for v in self.pattern.vars}
        filters = (self._value_filter(var, match),) if match else ()
        self._spend(branch.hops)
        self.absent.append(Branch(tuple(v for v in branch.vars if v.name not in old), tuple(branch.hops), filters))

    def _absent_twin(self, start: Var, entity: str, match: Match) -> bool:
        """What joins the subject with one thing must not join it with another: borders France but not Germany."""
        twin = next((v for v in reversed(self.pattern.of(entity)) if self._named_already(v, match)), None)
        if twin is None or twin.name == start.name:
            return False
        variables, hops = self._way(start.name, twin.name)
        fresh = Pattern(self.concept, [*self.pattern.vars], [])
        renamed = {v.name: v if v.name == start.name else fresh.new_var(v.entity) for v in variables}
        hops = tuple(Hop(h.edge, renamed[h.source].name, renamed[h.target].name) for h in hops)
        names = tuple(v for n, v in renamed.items() if n != start.name)
        self.absent.append(Branch(names, hops, (self._pin(renamed[twin.name], match),)))
        return True

    def _place_loose_edges(self) -> None:
        """Relations that the question names and no path used yet."""
        for at, mention in enumerate(self.mentions):
            if mention.code != "R" or at in self.done_edges or at in self.intent.used or at in self.intent.negated:
                continue
            for one in mention.edges:
                ends = self._ends(one)
                have = next((v for v in self.pattern.vars if v.entity in ends), None)
                if have is None or one.score < 0.8:
                    continue
                if one.attribute:
                    edge = self.concept.edges[one.attribute]
                    if have.entity == edge.source or self.concept.entities[edge.source].link:
                        self.pattern.step(have, edge)
                else:
                    link = self._reach(one.owner, at, starts=[have], fresh=True)
                    for edge in self.concept.around[one.owner]:
                        self.pattern.step(link, edge)
                break

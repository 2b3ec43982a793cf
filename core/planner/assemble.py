"""From linked mentions and intent to one logical query."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.errors import CannotLink
from core.planner.concept import Attribute, Concept, Edge, Form
from core.planner.hints import HINTS
from core.planner.intent import Comparison, Extreme, Intent, Wanted
from core.planner.logical import Branch, Field, Filter, Func, Logical, Measure, Op, Order, Overall, Var
from core.planner.mentions import Mention, Named
from core.planner.pattern import Pattern
from core.planner.units import in_unit, month_range
from core.planner.words import stems_of
from core.results import Iri, Language, Literal, Match, Value

_PERSONAL = stems_of(tuple(
    "person people user student employee customer actor author director staff member player patient doctor physician"
    " teacher artist singer scientist president instructor professor client reviewer driver pilot worker".split()
))  # fmt: skip
_PLACES = ("city", "place", "location", "country", "address", "birthplace", "state", "hometown", "town", "region")
_TIMES = ("date", "year", "time", "released", "born", "founded", "birth date", "start date")
_BETWEEN = re.compile(
    r" (?:(?:is|are|was|of|=|number|no|with|value|equal|to|named|called|for|in|the|either|code|id|,|that|which|starts?"
    r"|starting|begins?|beginning|ends?|ending|contains?|containing|includ\w+|word|words|phrase|mentioning|a|an|letter"
    r"|substring|as|titled|like|year|by|and|on|at|not|whose|have|has) )*"
)
_COUNTING = set(stems_of(("count", "number", "total", "amount", "of", "quantity")))
_MAKING = frozenset(stems_of(tuple(
    "direct direction director author authored write wrote compose composer paint painter create creator produce design"
    " designer develop developer sing singer record publish release review reviewed".split()
)))  # fmt: skip
"""Stems of relations between a thing and who made it."""
_PLAYING = frozenset(
    stems_of(tuple("act actor actress star cast casting play perform performer feature member".split()))
)
_NUMERIC = (Form.NUMBER, Form.NUMERIC_TEXT)


def assemble(mentions: Sequence[Mention], intent: Intent, concept: Concept) -> Logical:
    """One logical query for what was linked.

    Raises:
        CannotLink: A part that the answer depends on is not in the source; the message names it.
    """
    return _Assembler(mentions, intent, concept).build()


class _Assembler:
    def __init__(self, mentions: Sequence[Mention], intent: Intent, concept: Concept) -> None:
        self.mentions = mentions
        self.intent = intent
        self.concept = concept
        self.pattern = Pattern(concept)
        self.var_of: dict[int, Var] = {}
        self.filters: list[Filter] = []
        self.having: list[Filter] = []
        self.absent: list[Branch] = []
        self.done_edges: set[int] = set()
        self.attribute_mentions = self._attribute_like()

    def build(self) -> Logical:
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
        return self._finish(targets, order, limit)

    # --- which mentions are attributes ---

    def _attribute_like(self) -> set[int]:
        """Mentions that read as an attribute: no entity type by that name, or a join for nothing."""
        named = {n.owner for m in self.mentions if m.code == "E" for n in m.entities[:1]}
        named |= {v.place.owner for m in self.mentions for v in m.values[:1]}
        counted = {w.mention for w in self.intent.wanted if w.func is Func.COUNT}
        out = set()
        for at, mention in enumerate(self.mentions):
            if mention.code == "A":
                out.add(at)
            elif mention.code == "B":
                numeric = any(self._attribute(n).form in _NUMERIC for n in mention.attributes)
                owned = any(n.owner in named for n in mention.attributes)
                entity = mention.entities[0].owner
                if not owned and all(self.concept.entities[n.owner].link for n in mention.attributes):
                    continue  # films, where only a relation counts films
                joined = any(self.concept.around.get(n.owner) for n in mention.attributes)
                if not joined and not owned and self.concept.around.get(entity):
                    continue  # a table of figures that nothing joins is meant when more than its name is
                if (
                    entity not in named
                    and (owned or (at not in counted and not named))
                    and (at not in counted or numeric)
                ):
                    out.add(at)
        return out

    def _attribute(self, named: Named) -> Attribute:
        return self.concept.attribute(named.owner, named.attribute)

    def _check_linked(self) -> None:
        if not any(m.named or m.values for m in self.mentions):
            raise CannotLink("Nothing in the question names a part of this source.")

    # --- variables ---

    def _discount(self, near: int) -> object:
        named: dict[str, float] = {}
        for at, mention in enumerate(self.mentions):
            joining = [n for n in mention.entities if self.concept.entities[n.owner].link]
            for one in (*mention.edges, *joining):
                # A verb close by is likelier to be the one that joins.
                far = min(abs(at - near), 6)
                spent = 0.15 if at in self.done_edges else 0.0
                value = 0.25 + 0.05 * far + spent + (1 - one.score) * 0.3
                key = one.attribute or one.owner
                named[key] = min(named.get(key, 1.0), value)

        part = self._part_of(near)

        def factor(edge: Edge, other: str) -> float:
            best = named.get(edge.id, 1.0)
            if self.concept.entities[edge.source].link:
                best = min(best, named.get(edge.source, 1.0))
            if part and best >= 1.0:
                link = self.concept.entities[edge.source]
                words = (*link.words, *(w for role in edge.words for w in role)) if link.link else ()
                words = words or tuple(w for role in edge.words for w in role)
                best = 0.6 if part & set(stems_of(words)) else best
            return best

        return factor

    def _part_of(self, near: int) -> frozenset[str]:
        """Stems of the relations that the words around a name mean where no verb does: films by, films with."""
        if re.search(rf" [EAB]\d+ by [VE]{near} | V{near} (?:'s )?[EB]\d+ ", self.intent.skeleton):
            return _MAKING
        led = rf" (?:with|has|have|had|stars?|starring|starred|features?|featuring|featured) V{near} (?![RAE]\d)"
        if re.search(led, self.intent.skeleton) or re.search(
            rf" V{near} (?:appears?|in (?:it|them)) ", self.intent.skeleton
        ):
            return _PLAYING
        return frozenset()

    def _reach(
        self, entity: str, near: int, fresh: bool = False, starts: Iterable[Var] | None = None, apart: bool = False
    ) -> Var:
        before = len(self.pattern.hops)
        if apart and starts is None:
            starts = [self._subject()]
        var = self.pattern.reach(entity, self._discount(near), starts, fresh, apart)  # type: ignore[arg-type]
        if var is None:
            text = " ".join(self.concept.entities[entity].words)
            raise CannotLink(f"Nothing joins {text!r} with the rest of the question.")
        self._spend(self.pattern.hops[before:])
        return var

    def _spend(self, hops: Iterable[object]) -> None:
        used = {getattr(h, "edge", "") for h in hops}
        links = {self.concept.edges[e].source for e in used}
        for at, mention in enumerate(self.mentions):
            if any((n.attribute or n.owner) in used | links for n in mention.edges):
                self.done_edges.add(at)

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
                self.var_of[at] = self._reach(self._entity(mention), at)

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

    def _entity(self, mention: Mention) -> str:
        placed = {v.entity for v in self.pattern.vars}
        ranked = sorted(
            mention.entities, key=lambda n: (-n.score, n.owner not in placed, self.concept.entities[n.owner].link)
        )
        return ranked[0].owner

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

    def _ends(self, one: Named) -> tuple[str, str]:
        if one.attribute:
            edge = self.concept.edges[one.attribute]
            return edge.source, edge.target
        edges = {e.native: e.target for e in self.concept.around[one.owner]}
        return edges.get("start", ""), edges.get("end", "")

    def _place_things(self) -> None:
        for at, mention in enumerate(self.mentions):
            if at in self.var_of or at in self.intent.negated:
                continue
            if mention.code == "V":
                if not self._is_part(at):
                    self._place_value(at, mention)
            elif mention.code in "EB" and at not in self.attribute_mentions and not self._only_joins(at):
                self.var_of[at] = self._reach(self._entity(mention), at)
        if any(w.word == "who" for w in self.intent.wanted):
            self._place_who()

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

    def _is_part(self, at: int) -> bool:
        """Whether a quoted text is only part of a stored one: names starting with 'Z'."""
        return self.mentions[at].quoted and self._text_op(at) is not Op.EQ

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
                        link = self._reach(one.owner, at, starts=[have], fresh=True)
                        edges = {e.native: e for e in self.concept.around[one.owner]}
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
        for entity in self.concept.entities.values():
            if self._personal(entity.id) and not self.pattern.of(entity.id):
                reached = self.pattern.reach(entity.id, self._discount(0))  # type: ignore[arg-type]
                if reached is not None:
                    self.var_of[-1] = reached
                    return

    def _personal(self, entity: str) -> bool:
        one = self.concept.entities[entity]
        if any(s in _PERSONAL for s in stems_of(one.words)):
            return not one.link
        words = {" ".join(a.words) for a in one.attributes}
        return bool({"first name", "last name", "born", "birth date", "age"} & words)

    # --- stored values ---

    def _place_value(self, at: int, mention: Mention) -> None:
        match = self._of_subject(max(mention.values, key=lambda v: self._value_fit(at, v)))
        if match.place.owner not in self.concept.entities:
            links = [e.id for e in self.concept.entities.values() if e.native == match.place.owner]
            if not links:
                raise CannotLink(f"{mention.text!r} is stored where this source's schema does not reach.")
            match = replace(match, place=replace(match.place, owner=links[0]))
        owner = match.place.owner
        var = self._related_var(at, owner) or self._value_var(at, owner, match)
        self.var_of[at] = var
        item = self._value_filter(var, match)
        if mention.partial:
            same = [self._value_filter(var, m).values[-1] for m in mention.values if m.place == match.place]
            item = replace(item, op=Op.IN if len(same) > 1 else Op.EQ, values=tuple(same))
        self.filters.append(item)

    def _of_subject(self, match: Match) -> Match:
        """A value that other things have, for the attribute of that name of what is asked for.

        No customer is in Portugal: that is an answer, and the supplier who is there is none.
        """
        owner, field = match.place.owner, match.place.field
        if not field or self.pattern.of(owner) or not self.pattern.vars or self.concept.language is Language.SPARQL:
            return match
        entity = self.concept.entities[self._subject().entity]
        named = owner in {n.owner for m in self.mentions for n in m.named}
        kind = self.concept.entities.get(owner)
        if named or kind is None or field in kind.names or field in entity.names or not entity.has(field):
            return match
        return replace(match, place=replace(match.place, owner=entity.id))

    def _related_var(self, at: int, owner: str) -> Var | None:
        """The other end of a relation between two things of one kind: films influenced by Metropolis."""
        if at == 0:
            return None
        verb = self.mentions[at - 1]
        if verb.code != "R" or at - 1 in self.var_of or self.mentions[at].first - verb.last > 2:
            return None
        subject = next(
            (self.var_of[i] for i in range(at - 2, -1, -1) if i in self.var_of and self.var_of[i].entity == owner), None
        )
        links = [n.owner for n in verb.edges if not n.attribute and self._ends(n) == (owner, owner)]
        if subject is None or not links:
            return None
        passive = f" R{at - 1} by V{at} " in self.intent.skeleton
        edges = {e.native: e for e in self.concept.around[links[0]]}
        near, far = ("end", "start") if passive else ("start", "end")
        link = self.pattern.step(subject, edges[near], fresh=True)
        self.done_edges.add(at - 1)
        return self.pattern.step(link, edges[far])

    def _value_fit(self, at: int, match: Match) -> float:
        fit = match.score
        owner, attribute = match.place.owner, match.place.field
        if owner not in self.concept.entities:
            return fit - 1
        if self.pattern.of(owner):
            fit += 0.3
        entity = self.concept.entities[owner]
        if attribute in ("", *entity.names):
            fit += 0.12
        if entity.link:
            fit -= 0.05
        before = self.intent.skeleton.split(f" V{at} ")[0].split()[-1:]
        if attribute and entity.has(attribute):
            words = entity.attribute(attribute).words
            if before in (["in"], ["from"], ["at"]) and any(w in _PLACES for w in words):
                fit += 0.25
        for offset, weight in ((-1, 0.6), (1, 0.5), (-2, 0.25)):
            near = at + offset
            if 0 <= near < len(self.mentions):
                other = self.mentions[near]
                gap = other.first - self.mentions[at].last if offset > 0 else self.mentions[at].first - other.last
                if gap > 3:
                    continue
                if any(n.owner == owner and n.attribute == attribute and not n.edge for n in other.attributes):
                    fit += weight
                elif any(n.attribute == attribute for n in other.attributes):
                    fit += weight * 0.6
                if any(n.owner == owner for n in other.entities):
                    fit += weight * 0.8
                if any(owner in self._ends(n) for n in other.edges):
                    fit += weight * 0.5
        return fit

    def _value_var(self, at: int, owner: str, match: Match) -> Var:
        have = self.pattern.of(owner)
        wanted = {
            self.var_of[w.mention].name for w in self.intent.wanted if w.mention in self.var_of and w.func is None
        }
        wanted |= {self.var_of[w.mention].name for w in self.intent.wanted if w.mention in self.var_of}
        names = ("", *self.concept.entities[owner].names)
        filtered = {f.on for f in self.filters if isinstance(f.on, Field)}
        for var in reversed(have):
            same = Field(var.name, match.place.field) in filtered or (
                Field(var.name) in filtered and match.place.field in names
            )
            asked = var.name in wanted and match.place.field in names and not self._calls(at, owner)
            if not same and not asked:
                return var
        identity = {
            f.on.var for f in self.filters if isinstance(f.on, Field) and f.on.attribute in ("", match.place.field)
        }
        earlier = [
            i
            for i, m in enumerate(self.mentions[:at])
            if m.code == "V" and any(v.place.owner == owner for v in m.values)
        ]
        related = bool(earlier) and any(m.code == "R" for m in self.mentions[earlier[-1] : at])
        if have and any(v.name in identity for v in have) and not self.intent.both and not related:
            if self.intent.listed or not self.pattern.hops or self._subject().entity == owner:
                return have[-1]
            # Two people that a film names without "or" play two parts in it.
            return self._reach(owner, at, fresh=True, starts=[self._subject()], apart=True)
        return self._reach(owner, at, fresh=bool(have), apart=(self.intent.both or related) and bool(have))

    def _calls(self, at: int, owner: str) -> bool:
        """Whether the value directly follows the entity type it names: the user 'Will'."""
        if at == 0:
            return False
        before = self.mentions[at - 1]
        return self.mentions[at].first - before.last <= 1 and any(n.owner == owner for n in before.entities)

    def _value_filter(self, var: Var, match: Match) -> Filter:
        on = Field(var.name, match.place.field)
        if self.concept.language is Language.SPARQL and isinstance(match.value, Iri):
            on = Field(var.name, "")
        elif on.attribute and not self.concept.entities[var.entity].has(on.attribute):
            raise CannotLink(f"{match.term!r} is stored in {on.attribute!r}, which this source's schema does not show.")
        value: Value = match.value.value if isinstance(match.value, Literal) else match.value
        op = Op.EQ
        if on.attribute and self.concept.attribute(var.entity, on.attribute).native.upper().startswith("LIST"):
            op = Op.EQ
        for position, item in enumerate(self.filters):
            if item.on == on and item.op in (Op.EQ, Op.IN):
                if value in item.values:
                    return self.filters.pop(position)
                if not self.intent.listed:
                    raise CannotLink(
                        f"{match.term!r} is the second name for one thing. Ask about one of them, or put or between."
                    )
                self.filters.pop(position)
                return Filter(on, Op.IN, (*item.values, value))
        return Filter(on, op, (value,))

    # --- negation ---

    def _place_negated(self) -> None:
        values = [at for at in self.intent.negated if self.mentions[at].code == "V"]
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
                match = max(mention.values, key=lambda v: self._value_fit(at, v))
                have = self.pattern.of(match.place.owner)
                if have:
                    item = self._value_filter(have[-1], match)
                    self.filters.append(replace(item, op=Op.NE))
                else:
                    self._absence(at, match.place.owner, match)
                self.var_of[at] = self.pattern.vars[0] if self.pattern.vars else Var("none", "none")
            elif mention.entities or mention.edges:
                self._absence(at, mention.entities[0].owner if mention.entities else "", None)

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
        elif form in _NUMERIC and not self._attribute_of(field).key:
            self.filters.append(Filter(field, Op.EQ, (0,)))
        else:
            self.filters.append(Filter(field, Op.NULL))

    def _absence(self, at: int, entity: str, match: Match | None) -> None:
        if not self.pattern.vars:
            return
        branch = Pattern(self.concept, [*self.pattern.vars], [])
        start = self._subject()
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

    def _subject(self) -> Var:
        for wanted in self.intent.wanted:
            if wanted.mention in self.var_of:
                return self.var_of[wanted.mention]
        return self.var_of.get(-1, self.pattern.vars[0])

    # --- attributes ---

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
            if not have:
                natural = 0.1 if not self._attribute(one).key else 0.0
                ranked.append((base - 0.35 + natural - self._far(one.owner), one, None))
            for var in have:
                ranked.append((base + self._nearness(at, var), one, var))
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
        for key, options in HINTS.items():
            if not any(w.startswith(key) for w in words):
                continue
            for option, inverse in options:
                wanted = stems_of(tuple(option.split()))
                for var in [prefer, *self.pattern.vars] if prefer else self.pattern.vars:
                    for attribute in self.concept.entities[var.entity].attributes:
                        stems = stems_of(attribute.words)
                        if attribute.form in kinds and not attribute.key and set(wanted) <= set(stems):
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
                        if attribute.form in _NUMERIC and set(stems_of((option,))) <= set(stems_of(attribute.words)):
                            return Field(self.pattern.step(subject, edge).name, attribute.id), inverse
        return None

    # --- targets ---

    def _targets(self) -> list[Field | Measure]:
        targets: list[Field | Measure] = []
        for wanted in self.intent.wanted:
            targets += self._target(wanted)
        extreme = self.intent.extreme
        if (
            extreme
            and extreme.mention in self.attribute_mentions
            and _OFTEN.search(extreme.hint)
            and not extreme.counted
        ):
            targets = [self._field(extreme.mention)]  # the most common city asks for the city
        if not targets and not self.intent.ask:
            targets = self._default_targets()
        if self.intent.by_year:
            targets.insert(0, self._year(targets))
        for at in self.intent.groups:
            for one in self._shown(at):
                if one not in targets:
                    targets.insert(0, one)
        return list(dict.fromkeys([*self._per(targets), *targets]))

    def _year(self, targets: Sequence[Field | Measure]) -> Field:
        """The year of the date that what is counted or asked for has."""
        first = targets[0].field if targets and isinstance(targets[0], Measure) else None
        var = next((v for v in self.pattern.vars if first and v.name == first.var), self._subject())
        dated = self._hinted("date", var, (Form.DATE,))
        if dated is not None:
            return replace(dated[0], year=True)
        own = self._date_of(var.entity)
        if own:
            return Field(var.name, own, year=True)
        for edge in self.concept.around.get(var.entity, ()):
            if edge.source == var.entity and self._date_of(edge.target):
                return Field(self.pattern.step(var, edge).name, self._date_of(edge.target), year=True)
        raise CannotLink("The question asks for years, and nothing linked here has a date.")

    def _date_of(self, entity: str) -> str:
        dates = [a.id for a in self.concept.entities[entity].attributes if a.form is Form.DATE]
        return dates[0] if len(dates) == 1 else ""

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

    def _default_targets(self) -> list[Field | Measure]:
        if not self.pattern.vars:
            for at in sorted(self.attribute_mentions):
                return [self._field(at)]
            raise CannotLink("The question does not say which thing of this source it asks for.")
        return list(self._names(self.pattern.vars[0]))

    def _names(self, var: Var) -> list[Field]:
        entity = self.concept.entities[var.entity]
        if self.concept.language is Language.SPARQL:
            return [Field(var.name, "")]
        names = entity.names or entity.keys or tuple(a.id for a in entity.attributes[:1])
        return [Field(var.name, n) for n in names]

    def _shown(self, at: int) -> list[Field]:
        if at in self.attribute_mentions:
            if stems_of((self.mentions[at].text.lower(),))[0] in ("nam", "titl"):
                owner = self._owner_var(at)
                if owner is not None and owner.entity in self.concept.entities:
                    return self._names(owner)
            return [self._field(at)]
        if at in self.var_of:
            return self._names(self.var_of[at])
        return []

    def _target(self, wanted: Wanted) -> list[Field | Measure]:
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
            return [Measure(wanted.func, self._field(at))]
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

    def _count_target(self, at: int, distinct: bool) -> list[Field | Measure]:
        mention = self.mentions[at]
        if at in self.attribute_mentions:
            field = self._field(at)
            attribute = self._attribute_of(field)
            if attribute.form in _NUMERIC and not attribute.key and not distinct:
                return [field]
            return [Measure(Func.COUNT, field, True)]
        if at not in self.var_of:
            raise CannotLink(f"{mention.text!r} can't be counted in this source.")
        figures = self._figures(self.var_of[at])
        if figures:
            return [figures]
        return [Measure(Func.COUNT, Field(self.var_of[at].name), distinct)]

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
        found = self._hinted("money", self._subject() if self.pattern.vars else None, _NUMERIC)
        found = found or self._hinted("expensive", None, _NUMERIC)
        if found is None:
            raise CannotLink("The question asks how much, and nothing linked here has an amount or a price.")
        return Measure(func, found[0]) if func else found[0]

    def _asked_by_word(self, word: str) -> list[Field | Measure]:
        if word == "who":
            return self._who()
        options = _PLACES if word == "where" else _TIMES
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

    def _attribute_of(self, field: Field) -> Attribute:
        entity = next(v.entity for v in self.pattern.vars if v.name == field.var)
        return self.concept.attribute(entity, field.attribute)

    # --- comparisons ---

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
        op = _INVERSE[one.op] if inverse else one.op
        if one.average:
            entity = next(v.entity for v in self.pattern.vars if v.name == field.var)
            self.filters.append(Filter(field, op, (Overall(Func.AVG, entity, field.attribute),)))
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

    def _constant(self, at: int) -> Value:
        mention = self.mentions[at]
        return mention.date or (mention.number if mention.number is not None else mention.text)

    def _compared_field(self, one: Comparison) -> tuple[Field | None, bool]:
        at = one.mention
        if any(self.mentions[v].date for v in one.values):
            return self._dated_field(at), False
        if at is not None and at in self.attribute_mentions:
            return self._field(at), False
        subject = self.var_of.get(at) if at is not None else None
        if subject is None and one.values and one.year:
            near = [k for k in self.var_of if 0 <= k < one.values[0]]
            subject = self.var_of[max(near)] if near else None
        subject = subject or (self._subject() if self.pattern.vars else None)
        kinds = (Form.DATE, *_NUMERIC)
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

    def _only_numeric(self, one: Comparison, subject: Var | None) -> Field | None:
        for var in [subject, *self.pattern.vars] if subject else []:
            if var is None:
                continue
            fields = [
                a for a in self.concept.entities[var.entity].attributes
                if a.form in ((Form.DATE, Form.NUMBER) if one.year else _NUMERIC) and not a.key
                and (one.year or "year" not in a.words)
            ]  # fmt: skip
            if len(fields) == 1:
                return Field(var.name, fields[0].id)
        if one.op is Op.EQ and subject is not None and not one.year:
            keys = [a for a in self.concept.entities[subject.entity].attributes if a.key]
            if keys:
                return Field(subject.name, keys[0].id)
        return None

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
            if self._attribute_of(field).form in _NUMERIC:
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

    def _stored_count(self, at: int) -> Field | None:
        """An attribute that keeps how many there are, such as answer count or number of employees."""
        stems = set(stems_of(tuple(self.mentions[at].text.lower().split())))
        for var in self.pattern.vars:
            for attribute in self.concept.entities[var.entity].attributes:
                own = set(stems_of(attribute.words))
                if attribute.form in _NUMERIC and stems < own and own - stems <= _COUNTING:
                    return Field(var.name, attribute.id)
        return None

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

    def _text_op(self, at: int) -> Op:
        text = self.intent.skeleton.split(f" {self.mentions[at].code}{at} ")[0][-32:]
        if "start" in text or "begin" in text:
            return Op.STARTS
        if "end" in text.split()[-3:] or "ending" in text or "ends" in text:
            return Op.ENDS
        if re.search(r"contain|includ|substring|\bword|phrase|mention", text):
            return Op.CONTAINS
        return Op.EQ

    def _key_field(self, var: Var, mention: Mention) -> Field | None:
        entity = self.concept.entities[var.entity]
        own = stems_of(entity.words)
        if mention.quoted:
            return Field(var.name, entity.names[0]) if entity.names else None
        options = [a for a in entity.attributes if stems_of(a.words) == own and a.form in _NUMERIC]
        options += [a for a in entity.attributes if a.key]
        return Field(var.name, options[0].id) if options else None

    # --- order, extremes ---

    def _ordering(self, targets: list[Field | Measure]) -> tuple[list[Order], int | None, list[Field | Measure]]:
        order: list[Order] = []
        extreme = self.intent.extreme
        if extreme is not None:
            key, descending = self._extreme_key(extreme, targets)
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

    def _extreme_key(self, extreme: Extreme, targets: list[Field | Measure]) -> tuple[Field | Measure, bool]:
        at = extreme.mention
        if at is not None and at in self.attribute_mentions:
            field = self._field(at)
            form = self._attribute_of(field).form
            if extreme.func is not None:
                return Measure(extreme.func, field), extreme.descending
            if extreme.summed and form in _NUMERIC and field.var != self._subject().name:
                return Measure(Func.SUM, field), extreme.descending
            if not extreme.counted and (form in (*_NUMERIC, Form.DATE)):
                return field, extreme.descending
            if "common" in extreme.hint or "popular" in extreme.hint or "frequent" in extreme.hint:
                return Measure(Func.COUNT, Field(field.var)), extreme.descending
            if not extreme.counted and form is Form.TEXT and not self._plain_most(extreme):
                return field, extreme.descending
            return Measure(Func.COUNT, field, extreme.counted), extreme.descending
        measures = [t for t in targets if isinstance(t, Measure)]
        subject = self._subject()
        if at is not None and at not in self.var_of and self.mentions[at].code == "R" and not measures:
            counted = self._relation_var(at, subject)
            if counted is not None:
                return Measure(Func.COUNT, Field(counted.name)), extreme.descending
        placed = self.var_of.get(at) if at is not None else None
        hinted = self._hinted(extreme.hint, placed or subject, (*_NUMERIC, Form.DATE))
        if hinted is None and extreme.summed:
            hinted = self._hinted_nearby(extreme.hint, placed or subject)
        if hinted and not extreme.counted and not self._plain_most(extreme):
            if extreme.summed and hinted[0].var != subject.name:
                return Measure(Func.SUM, hinted[0]), extreme.descending
            return hinted[0], extreme.descending != hinted[1]
        if measures:
            return measures[0], extreme.descending
        often = bool(_OFTEN.search(extreme.hint))
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
                    if have.entity == edge.source:
                        self.pattern.step(have, edge)
                else:
                    link = self._reach(one.owner, at, starts=[have], fresh=True)
                    for edge in self.concept.around[one.owner]:
                        self.pattern.step(link, edge)
                break

    # --- the whole ---

    def _finish(self, targets: list[Field | Measure], order: list[Order], limit: int | None) -> Logical:
        for at in self.intent.present:
            if at in self.attribute_mentions:
                self.filters.append(self._has(self._field(at)))
        self._flags(targets)
        if self.concept.language is Language.CYPHER and self.intent.extreme and order and order[0].key not in targets:
            targets = [*targets, order[0].key]
        measured = any(isinstance(t, Measure) for t in targets)
        plain = [t for t in targets if isinstance(t, Field)]
        by_measure = bool(self.having) or any(isinstance(o.key, Measure) for o in order)
        groups: list[Field] = []
        if (measured and plain) or (by_measure and (plain or not measured)):
            groups = self._groups(plain, targets, order)
        targets = self._no_echo(targets, plain)
        plain = [t for t in targets if isinstance(t, Field)]
        targets = [self._safe_count(t) if isinstance(t, Measure) else t for t in targets]
        ask = self.intent.ask and not measured
        distinct = not groups and not measured and (self.intent.distinct or self._fans_out(plain))
        if order and distinct and any(o.key not in targets for o in order):
            distinct = False
        return Logical(
            tuple(self.pattern.vars), tuple(targets) if not ask else (), tuple(self.pattern.hops),
            tuple(dict.fromkeys(self.filters)), tuple(self.absent), tuple(groups), tuple(self.having), tuple(order),
            None if ask else limit, distinct and not ask, ask,
        )  # fmt: skip

    def _no_echo(self, targets: list[Field | Measure], plain: list[Field]) -> list[Field | Measure]:
        """Targets that say more than the question did: all about a thing whose name alone would come back."""
        fixed = {f.on for f in self.filters if isinstance(f.on, Field) and f.op is Op.EQ}
        if self.intent.ask or not plain or len(plain) != len(targets) or not set(plain) <= fixed:
            return targets
        var = plain[0].var
        entity = self.concept.entities[next(v.entity for v in self.pattern.vars if v.name == var)]
        named = [Field(var, n) for n in entity.names if Field(var, n) not in fixed]
        rest = [Field(var, a.id) for a in entity.attributes if Field(var, a.id) not in fixed and not a.key]
        return list(named or rest or targets)

    def _has(self, field: Field) -> Filter:
        """A thing with an attribute: at least one where the attribute says how many."""
        attribute = self._attribute_of(field)
        many = attribute.words[-1].endswith("s") or set(stems_of(attribute.words)) & _COUNTING
        if attribute.form in _NUMERIC and many:
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

    def _groups(self, plain: list[Field], targets: Sequence[Field | Measure], order: Sequence[Order]) -> list[Field]:
        groups: list[Field] = []
        measures = [t for t in (*targets, *(o.key for o in order)) if isinstance(t, Measure)]
        counted = {m.field.var for m in measures if m.func is Func.COUNT and not m.field.attribute}
        for field in plain:
            entity = next(v.entity for v in self.pattern.vars if v.name == field.var)
            named = self.concept.entities[entity]
            if field.var in counted and len(self.pattern.vars) == 1:
                pass  # one group for each thing that is counted would be as many groups
            elif field.attribute in named.names and (named.keys or self.concept.language is not Language.SQL):
                groups.append(Field(field.var))
            groups.append(field)
        kept = list(dict.fromkeys(groups))
        if self.concept.language is Language.SPARQL:
            return kept
        return kept

    def _safe_count(self, measure: Measure) -> Measure:
        """Count things once where a join could repeat them."""
        counts_things = measure.func is Func.COUNT and not measure.field.attribute
        if counts_things and len(self.pattern.vars) > 1 and self._repeats(measure.field.var):
            return replace(measure, distinct=True)
        return measure

    def _repeats(self, var: str) -> bool:
        """Whether walking from `var` meets an edge with several instances at its far end."""
        seen, queue = {var}, [var]
        while queue:
            here = queue.pop()
            for hop in self.pattern.hops:
                edge = self.concept.edges[hop.edge]
                if hop.source == here and hop.target not in seen:
                    if edge.many:
                        return True
                    seen.add(hop.target)
                    queue.append(hop.target)
                elif hop.target == here and hop.source not in seen:
                    return True
        return False

    def _fans_out(self, plain: list[Field]) -> bool:
        if len(self.pattern.vars) < 2 or not plain:
            return False
        owners = {f.var for f in plain}
        return len(owners) == 1 and self._repeats(next(iter(owners)))


def _years_ago(years: Value) -> Value:
    today = dt.date.today()
    whole = int(years) if isinstance(years, int | float) else 0
    return today.replace(year=today.year - whole, day=min(today.day, 28)).isoformat()


_OFTEN = re.compile(r"often|frequent|common|popular")
_INVERSE = {
    Op.GT: Op.LT, Op.LT: Op.GT, Op.GE: Op.LE, Op.LE: Op.GE, Op.EQ: Op.EQ, Op.NE: Op.NE, Op.BETWEEN: Op.BETWEEN,
}  # fmt: skip

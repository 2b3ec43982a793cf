"""Stored values: which thing of the pattern each one narrows."""

from __future__ import annotations

import re
from dataclasses import replace

from core.errors import CannotLink
from core.planner.fields import Fields
from core.planner.logical import Field, Filter, Op, Var
from core.planner.mentions import Mention
from core.planner.words import stems_of
from core.results import Language, Match, Value

PLACES = ("city", "place", "location", "country", "address", "birthplace", "state", "hometown", "town", "region")


class PlacedValues(Fields):
    """Stored values: which thing of the pattern each one narrows."""

    def _is_part(self, at: int) -> bool:
        """Whether a quoted text is only part of a stored one: names starting with 'Z'."""
        return self.mentions[at].quoted and self._text_op(at) is not Op.EQ

    def _text_op(self, at: int) -> Op:
        text = self.intent.skeleton.split(f" {self.mentions[at].code}{at} ")[0][-32:]
        if "start" in text or "begin" in text:
            return Op.STARTS
        if "end" in text.split()[-3:] or "ending" in text or "ends" in text:
            return Op.ENDS
        if re.search(r"contain|includ|substring|\bword|phrase|mention", text):
            return Op.CONTAINS
        return Op.EQ

    def _constant(self, at: int) -> Value:
        mention = self.mentions[at]
        return mention.date or (mention.number if mention.number is not None else mention.text)

    def _place_value(self, at: int, mention: Mention) -> None:
        match = self._of_subject(max(mention.values, key=lambda v: self._value_fit(at, v)))
        if match.place.owner not in self.concept.entities:
            links = [e.id for e in self.concept.entities.values() if e.native == match.place.owner]
            if not links:
                raise CannotLink(f"{mention.text!r} is stored where this source's schema does not reach.")
            match = replace(match, place=replace(match.place, owner=links[0]))
        owner = match.place.owner
        if self._together(at, match):
            self.intent.both = True
        var = self._listed_var(at, owner) or self._related_var(at, owner) or self._value_var(at, owner, match)
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

    def _listed_var(self, at: int, owner: str) -> Var | None:
        """The thing that the name before it in a list narrows: France or Spain."""
        before = self.var_of.get(at - 1)
        listed = re.search(rf" V{at - 1} (?:(?:or|and|,) )+V{at} ", self.intent.skeleton)
        same = before is not None and before.entity == owner and self.mentions[at - 1].code == "V"
        return before if listed and same and not self.intent.both else None

    def _together(self, at: int, match: Match) -> bool:
        """Whether a name and the one before it are wanted of one thing: patients who take this and that.

        Only where a thing can have several of them, and not where they stand as subjects: films that A and B made.
        """
        before = self.var_of.get(at - 1)
        joined = rf" (?P<w>\S+)(?: (?:the|an?))? V{at - 1} and (?:(?:by|with|from|to|in|for) )?(?:[EB]\d+ )?V{at} "
        found = re.search(joined, self.intent.skeleton)
        if before is None or found is None or found["w"] in ("did", "do", "does", "have", "has", "had", "or", ","):
            return False
        subject = self._subject()
        if self.mentions[at - 1].code != "V" or before.entity != match.place.owner or before == subject:
            return False
        places = {v.place for v in self.mentions[at - 1].values}
        return match.place in places and self._several(subject.name, before.name)

    def _several(self, start: str, end: str) -> bool:
        """Whether one thing at `start` can have several at `end` of the pattern."""
        here = start
        for hop in reversed(self._way(start, end)[1]):
            if hop.source == here:
                if self.concept.edges[hop.edge].many:
                    return True
                here = hop.target
            elif hop.target == here:
                return True
        return False

    def _related_var(self, at: int, owner: str) -> Var | None:
        """The other end of a relation between two things of one kind: films influenced by Metropolis."""
        if at == 0:
            return None
        asked = self._asked_end(at, owner)
        if asked is not None:
            return asked
        verb = self.mentions[at - 1]
        if (
            verb.code != "R"
            or at - 1 in self.var_of
            or self.mentions[at].first - verb.last > (5 if self.intent.closure else 2)
        ):
            return None
        subject = next(
            (self.var_of[i] for i in range(at - 2, -1, -1) if i in self.var_of and self.var_of[i].entity == owner), None
        )
        loops = [n for n in verb.edges if self._ends(n) == (owner, owner)]
        links = [n.owner for n in loops if not n.attribute]
        if subject is None or not loops:
            return None
        if not links:
            self.done_edges.add(at - 1)
            return self.pattern.step(subject, self.concept.edges[loops[0].attribute], fresh=True)
        passive = f" R{at - 1} by V{at} " in self.intent.skeleton
        edges = {e.native: e for e in self.concept.around[links[0]]}
        near, far = ("end", "start") if passive else ("start", "end")
        link = self.pattern.step(subject, edges[near], fresh=True)
        self.done_edges.add(at - 1)
        return self.pattern.step(link, edges[far])

    def _asked_end(self, at: int, owner: str) -> Var | None:
        """The named end of a relation whose other end is asked for: what film is this one a remake of."""
        subject = next((self.var_of[i] for i in range(at) if i in self.var_of), None)
        verb = self.mentions[at + 1] if at + 1 < len(self.mentions) else None
        if subject is None or subject.entity != owner or verb is None or verb.code != "R" or at + 1 in self.var_of:
            return None
        ends = re.search(rf" V{at} (?:[a-z]+ )*?R{at + 1} (?P<by>by |of |to )?(?:\?|\$)?$", self.intent.skeleton)
        links = [n.owner for n in verb.edges if not n.attribute and self._ends(n) == (owner, owner)]
        if not ends or not links:
            return None
        edges = {e.native: e for e in self.concept.around[links[0]]}
        near, far = ("start", "end") if ends["by"] == "by " else ("end", "start")
        self.done_edges.add(at + 1)
        return self.pattern.step(self.pattern.step(subject, edges[near], fresh=True), edges[far])

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
        said = [w for w in self.intent.skeleton.split(f" V{at} ")[0].split() if w not in ("the", "a", "an")]
        before = said[-1:]
        if attribute and entity.has(attribute):
            words = entity.attribute(attribute).words
            if before in (["in"], ["from"], ["at"]) and any(w in PLACES for w in words):
                fit += 0.25
        for near in (at - 1, at + 1):
            other = self.mentions[near] if 0 <= near < len(self.mentions) else None
            own = self.mentions[at]
            if other is None or other.code != "V" or (other.last != own.first and own.last != other.first):
                continue
            if any(v.place.owner == owner and v.place.field != attribute for v in other.values):
                fit += 0.7  # a first name right before a last name
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
                elif self._shares_words(other, owner, attribute):
                    fit += weight * 0.5
                if any(n.owner == owner for n in other.entities):
                    fit += weight * 0.8
                if any(owner in self._ends(n) for n in other.edges):
                    fit += weight * 0.5
        return fit

    def _shares_words(self, mention: Mention, owner: str, attribute: str) -> bool:
        """Whether a mention and an attribute are named alike: an originator bank, the originator bank's country."""
        entity = self.concept.entities[owner]
        if not attribute or not entity.has(attribute):
            return False
        said = set(stems_of(tuple(mention.text.lower().split())))
        return bool(said) and said <= set(stems_of(entity.attribute(attribute).words))

    def _value_var(self, at: int, owner: str, match: Match) -> Var:
        if at in self._owned:
            return self._reach(owner, at, fresh=True, starts=[self._owned[at]], apart=True)
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
            if re.search(rf" from (?:[a-z]+ |E\d+ )?V{at - 1} to (?:[a-z]+ |E\d+ )?V{at} ", self.intent.skeleton):
                begin = self.var_of[at - 1]
                return self._reach(owner, at, fresh=True, starts=[v for v in self.pattern.vars[::-1] if v != begin])
            # Two people that a film names without "or" play two parts in it.
            return self._reach(owner, at, fresh=True, starts=[self._subject()], apart=True)
        starts = [self._subject()] if self.pattern.vars and self._own_clause(at) else None
        apart = (self.intent.both or related) and bool(have)
        return self._reach(owner, at, fresh=bool(have), apart=apart, starts=starts)

    def _own_clause(self, at: int) -> bool:
        """Whether a name ends a second clause about what is asked for: that border Poland and use the euro."""
        return bool(re.search(rf" V\d+ (?:and|but) (?:[a-z']+ |[ABR]\d+ )+V{at} ", self.intent.skeleton))

    def _calls(self, at: int, owner: str) -> bool:
        """Whether the value directly follows the entity type it names: the user 'Will'."""
        if at == 0:
            return False
        before = self.mentions[at - 1]
        return self.mentions[at].first - before.last <= 1 and any(n.owner == owner for n in before.entities)

    def _value_filter(self, var: Var, match: Match) -> Filter:
        pin = self._pin(var, match)
        on, (value,) = pin.on, pin.values
        if isinstance(on, Field) and on.attribute and not self.concept.entities[var.entity].has(on.attribute):
            raise CannotLink(f"{match.term!r} is stored in {on.attribute!r}, which this source's schema does not show.")
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
        return pin

"""What every part of a query in the making shares: mentions, intent, pattern, and ways to reach a thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.errors import CannotLink
from core.planner.concept import Attribute, Concept, Edge, Form
from core.planner.intent import Intent
from core.planner.logical import Branch, Field, Filter, Func, Hop, Measure, Op, Var
from core.planner.mentions import Mention, Named
from core.planner.pattern import Pattern
from core.planner.words import stems_of
from core.results import Iri, Language, Literal, Match, Value

PERSONAL = frozenset(stems_of(tuple(
    "person people user student employee customer actor author director staff member player patient doctor physician"
    " teacher artist singer scientist president instructor professor client reviewer driver pilot worker".split()
)))  # fmt: skip
_MAKING = frozenset(stems_of(tuple(
    "direct direction director author authored write wrote compose composer paint painter create creator produce design"
    " designer develop developer sing singer record publish release review reviewed".split()
)))  # fmt: skip
"""Stems of relations between a thing and who made it."""
_PLAYING = frozenset(
    stems_of(tuple("act actor actress star cast casting play perform performer feature member".split()))
)
_LEAVING = frozenset(stems_of(tuple(
    "from depart departs departure leave leaves origin source start starts begin sender send out takeoff export".split()
)))  # fmt: skip
_ARRIVING = frozenset(stems_of(tuple(
    "to arrive arrives arrival land lands destination target end ends receiver receive into import".split()
)))  # fmt: skip
NUMERIC = (Form.NUMBER, Form.NUMERIC_TEXT)


class Building:
    """What every part of a query in the making shares: mentions, intent, pattern, and ways to reach a thing."""

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
        self._owned: dict[int, Var] = {}
        """The thing that a name stands right before, by the name's mention."""
        self._later: list[tuple[Measure, Op, int]] = []
        """Counts that are compared with those of a named thing, once the pattern is complete."""
        self.attribute_mentions = self._attribute_like()

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
                numeric = any(self._attribute(n).form in NUMERIC for n in mention.attributes)
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

    def _attribute_of(self, field: Field) -> Attribute:
        entity = next(v.entity for v in self.pattern.vars if v.name == field.var)
        return self.concept.attribute(entity, field.attribute)

    def _check_linked(self) -> None:
        if not any(m.named or m.values for m in self.mentions):
            raise CannotLink("Nothing in the question names a part of this source.")

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
        if not part and len(self.pattern.vars) == 1:
            # What is reached from a name stands to it as the words around the name say.
            first = next((at for at, var in self.var_of.items() if self.mentions[at].code == "V"), None)
            part = self._part_of(first) if first is not None else part

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
        said = self.intent.skeleton
        if re.search(rf" [EAB]\d+ by [VE]{near} | V{near} (?:'s )?[EB]\d+ ", said):
            return _MAKING
        before = rf"(?: both)?(?: the)?(?: [EB]\d+)? V{near} "
        if re.search(rf" (?:from|leaves?|leaving|left|departs?|departing|departed)(?: from)?{before}", said):
            return _LEAVING
        if re.search(rf" (?:to|into|reach|reaches|arrives?|arriving|arrived)(?: in| at)?{before}", said):
            return _ARRIVING
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

    def _subject(self) -> Var:
        for wanted in self.intent.wanted:
            if wanted.mention in self.var_of:
                return self.var_of[wanted.mention]
        return self.var_of.get(-1, self.pattern.vars[0])

    def _entity(self, mention: Mention) -> str:
        placed = {v.entity for v in self.pattern.vars}
        ranked = sorted(
            mention.entities, key=lambda n: (-n.score, n.owner not in placed, self.concept.entities[n.owner].link)
        )
        return ranked[0].owner

    def _ends(self, one: Named) -> tuple[str, str]:
        if one.attribute:
            edge = self.concept.edges[one.attribute]
            return edge.source, edge.target
        edges = {e.native: e.target for e in self.concept.around[one.owner]}
        return edges.get("start", ""), edges.get("end", "")

    def _names(self, var: Var) -> list[Field]:
        entity = self.concept.entities[var.entity]
        if self.concept.language is Language.SPARQL:
            return [Field(var.name, "")]
        names = entity.names or entity.keys or tuple(a.id for a in entity.attributes[:1])
        return [Field(var.name, n) for n in names]

    def _personal(self, entity: str) -> bool:
        one = self.concept.entities[entity]
        if any(s in PERSONAL for s in stems_of(one.words)):
            return not one.link
        words = {" ".join(a.words) for a in one.attributes}
        return bool({"first name", "last name", "born", "birth date", "age"} & words)

    def _pin(self, var: Var, match: Match) -> Filter:
        """The condition that `var` is, or has, what is stored."""
        if self.concept.language is Language.SPARQL and isinstance(match.value, Iri):
            return Filter(Field(var.name), Op.EQ, (match.value,))
        value: Value = match.value.value if isinstance(match.value, Literal) else match.value
        return Filter(Field(var.name, match.place.field), Op.EQ, (value,))

    def _way(self, start: str, end: str) -> tuple[tuple[Var, ...], tuple[Hop, ...]]:
        """The variables and hops of the pattern between two of its variables."""
        before: dict[str, tuple[str, Hop] | None] = {start: None}
        queue = [start]
        while queue and end not in before:
            here = queue.pop(0)
            for hop in self.pattern.hops:
                for a, b in ((hop.source, hop.target), (hop.target, hop.source)):
                    if a == here and b not in before:
                        before[b] = (here, hop)
                        queue.append(b)
        names, hops = {end}, []
        step = before.get(end)
        while step is not None:
            names.add(step[0])
            hops.append(step[1])
            step = before[step[0]]
        if self.concept.language is Language.CYPHER:
            # A relationship has two ends, whether both are asked for or not.
            hops = [h for h in self.pattern.hops if h in hops or (h.source in names and h.target in names)]
        return tuple(v for v in self.pattern.vars if v.name in names), tuple(hops)

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

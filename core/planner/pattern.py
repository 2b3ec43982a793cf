"""The pattern of a query as it grows: variables, and the cheapest hops between them."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.planner.concept import Concept, Edge
from core.planner.logical import Hop, Var

Discount = Callable[[Edge, str], float]
"""The cost factor of walking an edge to an entity type, lower when the question names it."""


@dataclass(slots=True)
class Pattern:
    """Variables joined by hops; every variable after the first is connected when it is added."""

    concept: Concept
    vars: list[Var] = field(default_factory=list)
    hops: list[Hop] = field(default_factory=list)

    def new_var(self, entity: str) -> Var:
        """A fresh variable, named for its entity type."""
        words = self.concept.entities[entity].words
        base = "".join(c for c in "_".join(words) if c.isascii() and (c.isalnum() or c == "_")) or "thing"
        if not base[0].isalpha():
            base = f"v{base}"
        taken = {v.name for v in self.vars}
        name, number = base, 2
        while name in taken or name in _AWKWARD:
            name, number = f"{base}{number}", number + 1
        var = Var(name, entity)
        self.vars.append(var)
        return var

    def of(self, entity: str) -> list[Var]:
        """Variables of one entity type, oldest first."""
        return [v for v in self.vars if v.entity == entity]

    def reach(
        self,
        entity: str,
        discount: Discount,
        starts: Iterable[Var] | None = None,
        fresh: bool = False,
        apart: bool = False,
    ) -> Var | None:
        """The variable of `entity` that the pattern reaches cheapest, added with the hops to it.

        `fresh` asks for a new variable even where one exists, `apart` for new ones all the way to it.
        None when nothing connects them.
        """
        if not self.vars:
            return self.new_var(entity)
        existing = self.of(entity)
        if existing and not fresh:
            return existing[-1]
        path = self._cheapest(entity, discount, list(starts or reversed(self.vars)))
        if path is None:
            return None
        start, steps = path
        apart = apart or (fresh and self._ends_taken(start, steps))
        var = start
        for position, edge in enumerate(steps):
            last = position == len(steps) - 1
            var = self.step(var, edge, fresh=apart or (fresh and last))
        return var

    def _ends_taken(self, start: Var, steps: list[Edge]) -> bool:
        """Whether walking `steps` over hops that are there already ends at a link whose end is taken."""
        var: Var | None = start
        for edge in steps[:-1]:
            var = self._along(var, edge) if var else None
        return var is not None and steps[-1].source == var.entity and self._settled(var, steps[-1])

    def _along(self, var: Var, edge: Edge) -> Var | None:
        """The variable that an existing hop leads to."""
        forward = edge.source == var.entity
        for hop in self.hops:
            if hop.edge == edge.id and (hop.source if forward else hop.target) == var.name:
                other = hop.target if forward else hop.source
                return next(v for v in self.vars if v.name == other)
        return None

    def step(self, var: Var, edge: Edge, fresh: bool = False) -> Var:
        """The variable at the other end of `edge`, reused when this hop is there already."""
        forward = edge.source == var.entity
        there = None if fresh else self._along(var, edge)
        if there is not None:
            return there
        new = self.new_var(edge.target if forward else edge.source)
        self.hops.append(Hop(edge.id, var.name, new.name) if forward else Hop(edge.id, new.name, var.name))
        return new

    def _settled(self, var: Var, edge: Edge) -> bool:
        """Whether `var` has its one thing at the other end of `edge` already."""
        return not edge.many and any(h.edge == edge.id and h.source == var.name for h in self.hops)

    def _cheapest(self, goal: str, discount: Discount, starts: list[Var]) -> tuple[Var, list[Edge]] | None:
        queue: list[tuple[float, int, str, Var, tuple[Edge, ...]]] = []
        count = 0
        for age, var in enumerate(starts):
            heapq.heappush(queue, (0.1 * age, count, var.entity, var, ()))
            count += 1
        done: set[tuple[str, str]] = set()
        while queue:
            cost, _, entity, var, path = heapq.heappop(queue)
            if entity == goal and path:
                return var, list(path)
            here = (entity, path[-1].id if path else var.name)
            if here in done or len(path) >= 6:
                continue
            done.add(here)
            for edge in self.concept.around.get(entity, ()):
                other = edge.target if edge.source == entity else edge.source
                if (
                    path
                    and path[-1].id == edge.id
                    and edge.source != edge.target
                    and not self.concept.entities[entity].link
                ):
                    pass
                functional = bool(path) and path[-1].id == edge.id and entity == edge.source and not edge.many
                if functional:
                    continue  # the same end of the same link is the thing one came from
                if not path and other == goal and self._settled(var, edge):
                    continue
                step = edge.cost * discount(edge, other)
                count += 1
                heapq.heappush(queue, (cost + step, count, other, var, (*path, edge)))
        return None


_AWKWARD = frozenset("order group match where return with count limit not and or in is as by end all any".split())

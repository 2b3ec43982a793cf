"""The context of a property graph: properties with ranges and examples, and the edges (paper, appendix A.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from core.results import Grounding
from core.sources.base import Edge, GraphSchema, NodeType, Property, RelType
from core.stages.contexts.shared import Context, first, fitting, linked_values, sample, size_of

OPTIONS = 8
"""A text property with at most so many values shows them all, as the paper's graph schemas do."""
NODES, RELS = "Node properties:", "Relationship properties:"
EDGES_SHARE = 2
"""The edges take at most this part of the room."""


def graph_context(schema: GraphSchema, grounding: Grounding, budget: int) -> Context:
    """Labels and types with their properties, those that the question names first, then the edge patterns."""
    places = [*(m.place for m in grounding.values), *(e.place for e in grounding.elements)]
    linked = [p.owner for p in places]
    values = list(linked_values(grounding, "//"))
    edges = ["The relationships:", *_edges(schema, linked, (budget - size_of(values)) // EDGES_SHARE)]
    named = {(p.owner, p.field) for p in places}
    blocks = {id(owner): _owner(owner, named) for owner in _by_nearness(schema, linked)}
    kept = _fit(blocks, budget - size_of([*edges, *values]) - len(NODES) - len(RELS) - 2)
    labels = {id(n) for n in schema.nodes}
    nodes = [line for key, lines in kept.items() if key in labels for line in lines]
    rels = [line for key, lines in kept.items() if key not in labels for line in lines]
    parts = [NODES, *nodes, *([RELS, *rels] if rels else ()), *edges, *values]
    left_out = len(blocks) - len(kept)
    notes = (f"Of {len(blocks)} labels and types with properties the model was shown {len(kept)}.",) if left_out else ()
    return Context("\n".join(parts), notes)


def _by_nearness(schema: GraphSchema, linked: Sequence[str]) -> list[NodeType | RelType]:
    """Labels and types with properties: those that the question names, then their neighbours, then the others."""
    near = {name for e in schema.edges for name in (e.start, e.type, e.end) if {e.start, e.type, e.end} & set(linked)}
    owners: list[NodeType | RelType] = [*schema.nodes, *(r for r in schema.rels if r.properties)]
    return sorted(owners, key=lambda o: (first(linked, _name(o)), _name(o) not in near))


def _fit(blocks: Mapping[int, Sequence[str]], room: int) -> dict[int, list[str]]:
    """The first blocks as far as there is room; the last of them may lose its last lines."""
    kept: dict[int, list[str]] = {}
    for key, lines in blocks.items():
        shown = fitting(lines, room)
        if not shown:
            break
        kept[key] = shown
        room -= size_of(shown)
        if len(shown) < len(lines):
            break
    return kept


def _name(owner: NodeType | RelType) -> str:
    return owner.label if isinstance(owner, NodeType) else owner.type


def _owner(owner: NodeType | RelType, named: Set[tuple[str, str]]) -> list[str]:
    """The lines of one label or type, its linked properties first."""
    name = _name(owner)
    properties = sorted(owner.properties, key=lambda p: (name, p.name) not in named)
    return [f"- {ticked(name)}", *(f"  - {ticked(p.name)}: {p.type} {_range(p)}".rstrip() for p in properties)]


def _range(prop: Property) -> str:
    if prop.minimum is not None and prop.type.startswith("LIST"):
        example = f" Example: {sample(prop.samples[0])}" if prop.samples else ""
        return f"Min Size: {sample(prop.minimum)}, Max Size: {sample(prop.maximum)}{example}"
    if prop.minimum is not None and not isinstance(prop.minimum, str | bool):
        return f"Min: {sample(prop.minimum)}, Max: {sample(prop.maximum)}"
    if prop.distinct and prop.distinct <= OPTIONS and len(prop.samples) >= min(prop.distinct, 6):
        return "Options: " + ", ".join(sample(s) for s in prop.samples)
    return f"Example: {sample(prop.samples[0])}" if prop.samples else ""


def _edges(schema: GraphSchema, linked: Sequence[str], room: int) -> list[str]:
    """Edge patterns, those between linked labels and types first, as many as there is room for."""

    def links(edge: Edge) -> int:
        return -sum(name in linked for name in (edge.start, edge.type, edge.end))

    lines = [f"(:{ticked(e.start)})-[:{ticked(e.type)}]->(:{ticked(e.end)})" for e in sorted(schema.edges, key=links)]
    kept = fitting(lines, room)
    return kept if len(kept) == len(lines) else [*kept, f"... and {len(lines) - len(kept)} more"]


def ticked(name: str) -> str:
    """A label, type or key as Cypher takes it: in backticks unless it is a plain word."""
    plain = name.replace("_", "a").isalnum() and not name[:1].isdigit()
    return name if plain else "`" + name.replace("`", "``") + "`"

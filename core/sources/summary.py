"""A line about what a structured source holds, from a schema that was read before."""

from __future__ import annotations

import re
from pathlib import Path

from core.results import Kind, SourceCard
from core.settings import Settings
from core.sources.base import GraphSchema, RdfSchema, Schema, SqlSchema
from core.sources.kept_schema import VERSION, read_kept

MOST_CHARS = 420
NAMES = 5
"""Columns, predicates or properties that are named of one part."""


def summary_of(schema: Schema) -> str:
    """The largest tables, classes or labels with a few of their columns, predicates or properties."""
    parts: list[tuple[int, str, list[str]]] = []
    if isinstance(schema, SqlSchema):
        parts = [(t.rows or 0, t.name, [c.name for c in t.columns]) for t in schema.tables if not t.is_view]
    elif isinstance(schema, RdfSchema):
        plain = (schema.type_predicate, schema.label_predicate)
        for kind in schema.classes:
            own = [p.label for p in schema.predicates if kind.iri in p.domains and p.iri not in plain]
            parts.append((kind.count, kind.label, list(dict.fromkeys(own))))
    elif isinstance(schema, GraphSchema):
        for node in schema.nodes:
            out = [e.type for e in schema.edges if e.start == node.label]
            parts.append((node.count, node.label, [*(p.name for p in node.properties), *dict.fromkeys(out)]))
    text = ""
    for _, name, own in sorted(parts, key=lambda part: -part[0]):
        one = f"{name} ({', '.join(own[:NAMES])})" if own else name
        if len(text) + len(one) > MOST_CHARS:
            break
        text += f"{'; ' if text else ''}{one}"
    return text


def _read(path: Path, kind: Kind) -> Schema | None:
    match kind:
        case Kind.SQL:
            return read_kept(path, SqlSchema)
        case Kind.RDF:
            return read_kept(path, RdfSchema)
    return read_kept(path, GraphSchema)


class Summaries:
    """Summaries of sources by their cards; nothing is connected and nothing waited for.

    A source whose schema nobody has read yet has none. What was read last stands for data that has changed since,
    until it is read again.
    """

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.state("indexes")
        self._known: dict[str, tuple[Path, str]] = {}

    def __call__(self, card: SourceCard) -> str:
        """The summary of one source; empty where there is none yet, and of a corpus."""
        newest = self._newest(card.id) if card.kind in (Kind.SQL, Kind.RDF, Kind.GRAPH) else None
        if newest is None:
            return ""
        known = self._known.get(card.id)
        if known is None or known[0] != newest:
            schema = _read(newest, card.kind)
            self._known[card.id] = known = (newest, summary_of(schema) if schema else "")
        return known[1]

    def _newest(self, source_id: str) -> Path | None:
        named = re.compile(rf"{re.escape(source_id)}[-_][0-9a-f]+\.{VERSION}\.json")
        try:
            found = [path for path in self._folder.glob(f"{source_id}*.json") if named.fullmatch(path.name)]
            return max(found, key=lambda path: path.stat().st_mtime_ns, default=None)
        except OSError:
            return None

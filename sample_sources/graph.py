"""Property graphs as JSON lines, from a program that makes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class Graph:
    """Nodes and relationships in the order they were made."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.rels: list[dict[str, Any]] = []

    def node(self, labels: Sequence[str], **props: Any) -> str:
        """Add a node and give its id."""
        node_id = f"n{len(self.nodes) + 1}"
        self.nodes.append(
            {"id": node_id, "labels": list(labels), "props": {k: v for k, v in props.items() if v is not None}}
        )
        return node_id

    def rel(self, start: str, kind: str, end: str, **props: Any) -> None:
        """Add a relationship."""
        self.rels.append({"id": f"r{len(self.rels) + 1}", "start": start, "type": kind, "end": end, "props": props})

    def write(self, folder: Path) -> None:
        """Write nodes.jsonl and rels.jsonl."""
        folder.mkdir(exist_ok=True)
        for name, records in (("nodes", self.nodes), ("rels", self.rels)):
            lines = (json.dumps(r, ensure_ascii=False) for r in records)
            (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

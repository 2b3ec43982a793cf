"""Tables, and Turtle written from them."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

PREFIXES = """@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def table(path: Path) -> list[dict[str, str]]:
    """Rows of a tab-separated file with a header."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def slug(name: str) -> str:
    """A local name: letters, digits and underscores."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return re.sub(r"[^A-Za-z0-9]+", "_", plain.replace("½", " and a half")).strip("_")


def text(value: str, lang: str = "") -> str:
    """A string literal."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' + (f"@{lang}" if lang else "")


def typed(value: str, kind: str) -> str:
    """A typed literal."""
    return f'"{value}"^^xsd:{kind}'


def block(subject: str, pairs: Sequence[tuple[str, str]]) -> str:
    """One subject with its predicates and objects."""
    return f"{subject} " + " ;\n    ".join(f"{p} {o}" for p, o in pairs) + " .\n"


def vocabulary(prefix: str, classes: dict[str, str], predicates: dict[str, str]) -> Iterator[str]:
    """Labels of classes and predicates."""
    for name, label in classes.items():
        yield block(f"{prefix}:{name}", [("a", "rdfs:Class"), ("rdfs:label", text(label, "en"))])
    for name, label in predicates.items():
        yield block(f"{prefix}:{name}", [("a", "rdf:Property"), ("rdfs:label", text(label, "en"))])

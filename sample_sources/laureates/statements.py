"""Items and statements in the form that Wikidata's RDF has.

A fact stands twice: directly (`wdt:`), where no better statement of the same property says otherwise, and as a
statement node with a rank and qualifiers (`p:`, `ps:`, `pq:`). A property is an entity with labels of its own, which
names its four predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sample_sources.turtle import PREFIXES, block, text, typed

ROOT = "http://example.org/"
HEAD = (
    PREFIXES
    + f"""@prefix schema: <http://schema.org/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix e: <{ROOT}entity/> .
@prefix s: <{ROOT}entity/statement/> .
@prefix direct: <{ROOT}prop/direct/> .
@prefix claim: <{ROOT}prop/> .
@prefix value: <{ROOT}prop/statement/> .
@prefix qualifier: <{ROOT}prop/qualifier/> .

"""
)
KINDS = {"item": "WikibaseItem", "time": "Time", "quantity": "Quantity", "string": "String"}


@dataclass(slots=True)
class Statement:
    """One fact of an item, its qualifiers as pairs of property key and term."""

    value: str
    qualifiers: Sequence[tuple[str, str]] = ()
    rank: str = "Normal"


@dataclass(slots=True)
class Item:
    """An entity with its names by language and its statements by property key."""

    id: str
    labels: dict[str, str]
    description: str = ""
    aliases: list[str] = field(default_factory=list)
    facts: dict[str, list[Statement]] = field(default_factory=dict)

    @property
    def term(self) -> str:
        """The item as a Turtle term."""
        return f"e:{self.id}"

    def says(self, key: str, value: str, *qualifiers: tuple[str, str], rank: str = "Normal") -> None:
        """Add a statement."""
        self.facts.setdefault(key, []).append(Statement(value, qualifiers, rank))


class Items:
    """All items; ids are opaque and depend on the order of creation alone."""

    def __init__(self, properties: Iterable[dict[str, str]]) -> None:
        self._properties = {row["key"]: (f"P{11 + 3 * n}", row) for n, row in enumerate(properties)}
        self._items: dict[str, Item] = {}

    def __getitem__(self, key: str) -> Item:
        return self._items[key]

    def __contains__(self, key: str) -> bool:
        return key in self._items

    def add(self, key: str, label: str, description: str = "", *, french: str = "", german: str = "") -> Item:
        """The item of this key, made when it is first asked for."""
        if key not in self._items:
            named = {"en": label, "fr": french, "de": german}
            labels = {lang: name for lang, name in named.items() if name}
            self._items[key] = Item(f"Q{1009 + 7 * len(self._items)}", labels, description)
        return self._items[key]

    def turtle(self) -> str:
        """Everything as Turtle."""
        parts = [HEAD, *(self._property(i, row) for i, row in self._properties.values())]
        for item in self._items.values():
            parts += self._item(item)
        return "\n".join(parts)

    def _property(self, number: str, row: dict[str, str]) -> str:
        pairs = [("a", "wikibase:Property"), ("wikibase:propertyType", f"wikibase:{KINDS[row['kind']]}")]
        pairs += _names({"en": row["label"], "fr": row["french"], "de": row["german"]}, row["alias"].split(";"))
        pairs.append(("schema:description", text(row["description"], "en")))
        for role, prefix in (
            ("directClaim", "direct"), ("claim", "claim"), ("statementProperty", "value"), ("qualifier", "qualifier"),
        ):  # fmt: skip
            pairs.append((f"wikibase:{role}", f"{prefix}:{number}"))
        return block(f"e:{number}", pairs)

    def _item(self, item: Item) -> Iterable[str]:
        pairs = [*_names(item.labels, item.aliases)]
        if item.description:
            pairs.append(("schema:description", text(item.description, "en")))
        nodes: list[str] = []
        for key, statements in item.facts.items():
            number = self._properties[key][0]
            best = "Preferred" if any(one.rank == "Preferred" for one in statements) else "Normal"
            for one in statements:
                node = f"s:{item.id}-{len(nodes):04d}"
                pairs.append((f"claim:{number}", node))
                if one.rank == best:
                    pairs.append((f"direct:{number}", one.value))
                facts = [(f"value:{number}", one.value), ("wikibase:rank", f"wikibase:{one.rank}Rank")]
                facts += [(f"qualifier:{self._properties[k][0]}", value) for k, value in one.qualifiers]
                nodes.append(block(node, facts))
        return [block(item.term, pairs), *nodes]


def _names(labels: dict[str, str], aliases: Iterable[str]) -> list[tuple[str, str]]:
    named = [("rdfs:label", text(name, lang)) for lang, name in labels.items() if name]
    return named + [("skos:altLabel", text(alias, "en")) for alias in aliases if alias]


def when(value: str) -> str:
    """A day, or a year where the day is not known."""
    return typed(value, "date" if "-" in value else "gYear")


def whole(value: object) -> str:
    """A whole number."""
    return typed(str(value), "integer")

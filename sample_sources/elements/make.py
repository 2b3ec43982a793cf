"""Chemical elements, bodies of the solar system and minerals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from sample_sources.turtle import PREFIXES, block, slug, table, text, typed, vocabulary

HERE = Path(__file__).parent
CLASSES = {
    "Element": "chemical element", "Category": "category of elements", "Planet": "planet", "DwarfPlanet": "dwarf planet",
    "Moon": "moon", "Star": "star", "Mineral": "mineral", "CrystalSystem": "crystal system", "Discoverer": "discoverer",
    "Eponym": "namesake",
}  # fmt: skip
PREDICATES = {
    "symbol": "symbol", "atomicNumber": "atomic number", "atomicMass": "standard atomic mass", "period": "period",
    "group": "group", "category": "category", "state": "state at room temperature", "meltingPoint": "melting point in kelvin",
    "boilingPoint": "boiling point in kelvin", "discoverer": "discoverer", "discoveryYear": "year of discovery",
    "discoveryDate": "date of discovery", "namedAfter": "named after", "radioactive": "has no stable isotope",
    "orbits": "orbits", "diameter": "diameter in kilometres", "mass": "mass in kilograms",
    "orbitalPeriod": "orbital period in days", "moons": "number of known moons", "rings": "has rings", "formula": "chemical formula",
    "hardness": "hardness on the scale of Mohs", "crystalSystem": "crystal system", "contains": "contains element",
    "colour": "colour",
}  # fmt: skip
UNSTABLE = {43, 61, *range(84, 119)}
"""Atomic numbers of elements without a stable isotope, bismuth counted as stable."""
KINDS = {"star": "Star", "planet": "Planet", "dwarf planet": "DwarfPlanet", "moon": "Moon"}

Pairs = list[tuple[str, str]]


def make(path: Path) -> None:
    """Write the Turtle file."""
    head = PREFIXES + "@prefix sci: <http://example.org/science/> .\n"
    head += "".join(f"@prefix {p}: <http://example.org/{p}/> .\n" for p in ("element", "body", "mineral", "named"))
    graph = _Graph()
    parts = [*vocabulary("sci", CLASSES, PREDICATES), *graph.elements(), *graph.bodies(), *graph.minerals()]
    parts += graph.others()
    path.write_text(head + "\n" + "\n".join(parts), encoding="utf-8")


class _Graph:
    """Blocks of Turtle, and the people and things that they refer to."""

    def __init__(self) -> None:
        self._comments = {row["name"]: row["comment"] for row in table(HERE / "comments.tsv")}
        self._elements = {row["symbol"]: row["name"] for row in table(HERE / "elements.tsv")}
        self._bodies = {row["name"] for row in table(HERE / "bodies.tsv")}
        self._minerals = {row["name"] for row in table(HERE / "minerals.tsv")}
        self._others: dict[str, Pairs] = {}

    def elements(self) -> Iterator[str]:
        for row in table(HERE / "elements.tsv"):
            pairs = self._named("Element", row)
            pairs.append(("sci:symbol", text(row["symbol"])))
            pairs.append(("sci:radioactive", typed(str(int(row["number"]) in UNSTABLE).lower(), "boolean")))
            pairs += _typed(row, (
                ("number", "atomicNumber", "integer"), ("mass", "atomicMass", "decimal"), ("period", "period", "integer"),
                ("group", "group", "integer"), ("melting", "meltingPoint", "decimal"), ("boiling", "boilingPoint", "decimal"),
                ("year", "discoveryYear", "gYear"),
            ))  # fmt: skip
            if row["state"]:
                pairs.append(("sci:state", text(row["state"], "en")))
            if row["category"]:
                pairs.append(("sci:category", self._thing("Category", row["category"])))
            pairs += self._credit(row)
            yield block(f"element:{slug(row['name'])}", pairs)

    def bodies(self) -> Iterator[str]:
        for row in table(HERE / "bodies.tsv"):
            pairs = self._named(KINDS[row["kind"]], row)
            pairs += _typed(row, (
                ("diameter_km", "diameter", "decimal"), ("mass_kg", "mass", "double"), ("period_days", "orbitalPeriod", "decimal"),
                ("moons", "moons", "integer"), ("rings", "rings", "boolean"),
            ))  # fmt: skip
            if row["orbits"]:
                pairs.append(("sci:orbits", f"body:{slug(row['orbits'])}"))
            if "-" in row["discovered"]:
                pairs.append(("sci:discoveryDate", typed(row["discovered"], "date")))
            if row["discovered"]:
                pairs.append(("sci:discoveryYear", typed(row["discovered"][:4], "gYear")))
            pairs += self._credit(row)
            yield block(f"body:{slug(row['name'])}", pairs)

    def minerals(self) -> Iterator[str]:
        for row in table(HERE / "minerals.tsv"):
            pairs = self._named("Mineral", row)
            pairs.append(("sci:formula", text(row["formula"])))
            pairs += _typed(row, (("hardness", "hardness", "decimal"),))
            if row["system"]:
                pairs.append(("sci:crystalSystem", self._thing("CrystalSystem", row["system"])))
            if row["colour"]:
                pairs.append(("sci:colour", text(row["colour"], "en")))
            pairs += [("sci:contains", f"element:{slug(self._elements[s])}") for s in row["elements"].split(";")]
            pairs += self._credit(row)
            yield block(f"mineral:{slug(row['name'])}", pairs)

    def others(self) -> Iterator[str]:
        """People, namesakes, categories and crystal systems, in the order of their terms."""
        for node, pairs in sorted(self._others.items()):
            yield block(node, pairs)

    def _named(self, kind: str, row: dict[str, str]) -> Pairs:
        pairs = [("a", f"sci:{kind}"), ("rdfs:label", text(row["name"], "en"))]
        named = (("french", "fr"), ("german", "de"), ("latin", "la"))
        pairs += [("rdfs:label", text(row[column], lang)) for column, lang in named if row.get(column)]
        if row["name"] in self._comments:
            pairs.append(("rdfs:comment", text(self._comments[row["name"]], "en")))
        return pairs

    def _credit(self, row: dict[str, str]) -> Pairs:
        """Who found it, and what it is named after."""
        found = [n for n in row.get("discoverer", "").split(";") if n]
        after = [n for n in row["named_after"].split(";") if n]
        pairs = [("sci:discoverer", self._thing("Discoverer", name)) for name in found]
        return pairs + [("sci:namedAfter", self._namesake(name)) for name in after]

    def _namesake(self, name: str) -> str:
        if name in self._bodies:
            return f"body:{slug(name)}"
        if name in self._minerals:
            return f"mineral:{slug(name)}"
        if name in self._elements.values():
            return f"element:{slug(name)}"
        return self._thing("Eponym", name)

    def _thing(self, kind: str, name: str) -> str:
        node = f"named:{slug(name)}"
        pairs = self._others.setdefault(node, [("a", f"sci:{kind}"), ("rdfs:label", text(name, "en"))])
        if ("a", f"sci:{kind}") not in pairs:
            pairs.insert(1, ("a", f"sci:{kind}"))
        return node


def _typed(row: dict[str, str], columns: Iterable[tuple[str, str, str]]) -> Sequence[tuple[str, str]]:
    return [(f"sci:{name}", typed(_number(row[column], kind), kind)) for column, name, kind in columns if row[column]]


def _number(value: str, kind: str) -> str:
    return f"{Decimal(value):E}" if kind == "double" else value

"""Countries, capitals, currencies, languages and continents."""

from __future__ import annotations

from pathlib import Path

from sample_sources.turtle import PREFIXES, block, slug, table, text, typed, vocabulary

HERE = Path(__file__).parent


def make(path: Path) -> None:
    """Write the Turtle file."""
    head = PREFIXES + "@prefix geo: <http://example.org/geo/> .\n@prefix place: <http://example.org/place/> .\n\n"
    parts = list(
        vocabulary(
            "geo",
            {"Country": "country", "City": "city", "Continent": "continent", "Currency": "currency", "Language": "language"},
            {
                "capital": "capital", "continent": "continent", "population": "population", "area": "area in square kilometres",
                "currency": "currency", "officialLanguage": "official language", "borders": "borders", "isoCode": "ISO code",
                "independence": "date of independence",
            },
        )
    )  # fmt: skip
    rows = table(HERE / "countries.tsv")
    names = {row["code"]: row["name"] for row in rows}
    others: dict[str, tuple[str, str]] = {}
    for row in rows:
        pairs = [
            ("a", "geo:Country"),
            ("rdfs:label", text(row["name"], "en")),
            ("rdfs:label", text(row["french"], "fr")),
            ("rdfs:label", text(row["german"], "de")),
        ]
        pairs.append(("geo:isoCode", text(row["code"])))
        for predicate, kind, value in (
            ("capital", "City", row["capital"]),
            ("continent", "Continent", row["continent"]),
            ("currency", "Currency", row["currency"]),
        ):
            node = f"place:{slug(value)}_{kind.lower()}"
            others[node] = (kind, value)
            pairs.append((f"geo:{predicate}", node))
        for language in row["languages"].split(";"):
            node = f"place:{slug(language)}_language"
            others[node] = ("Language", language)
            pairs.append(("geo:officialLanguage", node))
        pairs += [("geo:borders", f"place:{slug(names[code])}") for code in row["borders"].split(";") if code]
        pairs += [
            ("geo:population", typed(row["population"], "integer")),
            ("geo:area", typed(row["area_km2"], "decimal")),
        ]
        if row["independence"]:
            pairs.append(("geo:independence", typed(row["independence"], "date")))
        parts.append(block(f"place:{slug(row['name'])}", pairs))
    parts += [
        block(node, [("a", f"geo:{kind}"), ("rdfs:label", text(label, "en"))])
        for node, (kind, label) in sorted(others.items())
    ]
    path.write_text(head + "\n".join(parts), encoding="utf-8")

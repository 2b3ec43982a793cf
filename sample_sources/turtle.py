"""The two RDF samples as Turtle, from their tables."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).parent
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


def countries() -> str:
    """Countries, capitals, currencies, languages and continents."""
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
    rows = table(HERE / "countries" / "countries.tsv")
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
    return head + "\n".join(parts)


def films() -> str:
    """World cinema: films, people, countries, literary works and prizes."""
    head = (
        PREFIXES
        + "@prefix cine: <http://example.org/cinema/> .\n@prefix film: <http://example.org/film/> .\n@prefix who: <http://example.org/person/> .\n\n"
    )
    parts = list(
        vocabulary(
            "cine",
            {"Film": "film", "Person": "person", "Country": "country", "LiteraryWork": "literary work", "Prize": "prize"},
            {
                "director": "director", "composer": "composer", "cinematographer": "cinematographer", "countryOfOrigin": "country of origin",
                "originalTitle": "original title", "releaseYear": "release year", "runtime": "running time in minutes", "basedOn": "based on",
                "author": "author", "wonPrize": "prize won", "birthDate": "date of birth", "deathDate": "date of death", "citizenship": "country of citizenship",
            },
        )
    )  # fmt: skip
    people: dict[str, list[tuple[str, str]]] = {}
    others: dict[str, list[tuple[str, str]]] = {}
    comments = {row["title"]: row["comment"] for row in table(HERE / "films_rdf" / "comments.tsv")}

    def thing(kind: str, label: str) -> str:
        node = f"film:{kind}_{slug(label)}"
        others.setdefault(node, [("a", f"cine:{kind}"), ("rdfs:label", text(label, "en"))])
        return node

    def person(name: str) -> str:
        people.setdefault(name, [("a", "cine:Person"), ("rdfs:label", text(name, "en"))])
        return f"who:{slug(name)}"

    for row in table(HERE / "films_rdf" / "films.tsv"):
        pairs = [("a", "cine:Film"), ("rdfs:label", text(row["title"], "en"))]
        if row["original"] != row["title"]:
            pairs.append(("rdfs:label", text(row["original"], row["lang"])))
        pairs.append(("cine:originalTitle", text(row["original"], row["lang"])))
        if row["title"] in comments:
            pairs.append(("rdfs:comment", text(comments[row["title"]], "en")))
        for predicate in ("director", "composer", "cinematographer"):
            pairs += [(f"cine:{predicate}", person(name)) for name in row[predicate].split(";") if name]
        pairs += [("cine:countryOfOrigin", thing("Country", name)) for name in row["country"].split(";")]
        pairs += [("cine:releaseYear", typed(row["year"], "gYear")), ("cine:runtime", typed(row["runtime"], "integer"))]
        if row["based_on"]:
            work = thing("LiteraryWork", row["based_on"])
            pairs.append(("cine:basedOn", work))
            author = ("cine:author", person(row["author"]))
            if author not in others[work]:
                others[work].append(author)
        if row["prize"]:
            pairs.append(("cine:wonPrize", thing("Prize", row["prize"])))
        parts.append(block(f"film:{slug(row['title'])}", pairs))
    for row in table(HERE / "films_rdf" / "people.tsv"):
        person(row["name"])
        facts = people[row["name"]]
        facts.append(("cine:birthDate", typed(row["born"], "date")))
        if row["died"]:
            facts.append(("cine:deathDate", typed(row["died"], "date")))
        facts.append(("cine:citizenship", thing("Country", row["country"])))
    parts += [block(f"who:{slug(name)}", pairs) for name, pairs in people.items()]
    parts += [block(node, pairs) for node, pairs in others.items()]
    return head + "\n".join(parts)

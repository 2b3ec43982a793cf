"""World cinema: films, people, countries, literary works and prizes."""

from __future__ import annotations

from pathlib import Path

from sample_sources.turtle import PREFIXES, block, slug, table, text, typed, vocabulary

HERE = Path(__file__).parent


def make(path: Path) -> None:
    """Write the Turtle file."""
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
    comments = {row["title"]: row["comment"] for row in table(HERE / "comments.tsv")}

    def thing(kind: str, label: str) -> str:
        node = f"film:{kind}_{slug(label)}"
        others.setdefault(node, [("a", f"cine:{kind}"), ("rdfs:label", text(label, "en"))])
        return node

    def person(name: str) -> str:
        people.setdefault(name, [("a", "cine:Person"), ("rdfs:label", text(name, "en"))])
        return f"who:{slug(name)}"

    for row in table(HERE / "films.tsv"):
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
    for row in table(HERE / "people.tsv"):
        person(row["name"])
        facts = people[row["name"]]
        facts.append(("cine:birthDate", typed(row["born"], "date")))
        if row["died"]:
            facts.append(("cine:deathDate", typed(row["died"], "date")))
        facts.append(("cine:citizenship", thing("Country", row["country"])))
    parts += [block(f"who:{slug(name)}", pairs) for name, pairs in people.items()]
    parts += [block(node, pairs) for node, pairs in others.items()]
    path.write_text(head + "\n".join(parts), encoding="utf-8")

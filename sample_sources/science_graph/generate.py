"""Who taught whom in science, and a correspondence that never was: nodes and relationships as JSON lines.

    python -m sample_sources.science_graph.generate

People, teachers, posts and discoveries come from scientists.tsv; letters are invented, from a fixed seed.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from sample_sources.graph import Graph
from sample_sources.turtle import table

HERE = Path(__file__).parent
SEED = 1687
LETTERS = 520
SUBJECTS = {"a proof": 20, "an experiment": 26, "money": 9, "a student": 17, "a visit": 14, "a quarrel": 6, "a book": 8}
LANGUAGES = {"Germany": "German", "Austria": "German", "Switzerland": "German", "France": "French", "Italy": "Italian"}


def generate() -> None:
    """Write nodes.jsonl and rels.jsonl."""
    rows = table(HERE / "scientists.tsv")
    graph = Graph()
    taught = {teacher for row in rows for teacher in row["advisors"].split(";") if teacher}
    people = {row["name"]: _scientist(graph, row, row["name"] in taught) for row in rows}
    known: dict[tuple[str, str], str] = {}

    def named(kind: str, name: str) -> str:
        if (kind, name) not in known:
            known[kind, name] = graph.node([kind], name=name)
        return known[kind, name]

    for row in rows:
        person = people[row["name"]]
        graph.rel(person, "WORKED_IN", named("Field", row["field"]))
        for teacher in filter(None, row["advisors"].split(";")):
            graph.rel(people[teacher], "ADVISED", person)
        for post in filter(None, row["institutions"].split(";")):
            place, _, years = post.partition("@")
            first, last = (int(year) for year in years.split("-"))
            graph.rel(person, "WORKED AT", named("Institution", place), **{"from-year": first, "to-year": last})
        for found in filter(None, row["known_for"].split(";")):
            what, _, year = found.partition("=")
            graph.rel(person, "DISCOVERED", named("Discovery", what), year=int(year))
    _letters(random.Random(SEED), graph, rows, people)
    graph.write(HERE / "graph")


def _scientist(graph: Graph, row: Mapping[str, str], teaches: bool) -> str:
    return graph.node(
        ["Scientist", "Teacher"] if teaches else ["Scientist"],
        name=row["name"],
        born=int(row["born"]),
        died=int(row["died"]) if row["died"] else None,
        country=row["country"],
    )


def _letters(rng: random.Random, graph: Graph, rows: Sequence[Mapping[str, str]], people: Mapping[str, str]) -> None:
    """Letters between people who were grown up at one time."""
    spans = [(r["name"], int(r["born"]) + 22, int(r["died"] or 2020), r["country"]) for r in rows]
    keen = [rng.paretovariate(1.3) for _ in spans]
    number = 0
    while number < LETTERS:
        one, other = rng.choices(spans, keen, k=2)
        first, last = max(one[1], other[1]), min(one[2], other[2])
        if one[0] == other[0] or first >= last:
            continue
        number += 1
        day = dt.date(rng.randrange(first, last), rng.randrange(1, 13), rng.randrange(1, 29))
        language = LANGUAGES.get(one[3], "English") if rng.random() < 0.7 else "Latin" if day.year < 1750 else "English"
        letter = graph.node(
            ["Letter"],
            name=f"Letter {number}",
            written={"date": day.isoformat()},
            language=language,
            subject=rng.choices(list(SUBJECTS), list(SUBJECTS.values()))[0],
            pages=rng.randrange(1, 9),
        )
        graph.rel(people[one[0]], "WROTE", letter)
        graph.rel(letter, "SENT_TO", people[other[0]])


if __name__ == "__main__":
    generate()

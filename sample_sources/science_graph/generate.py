"""Who taught whom in science, and a correspondence that never was: nodes and relationships as JSON lines.

    python -m sample_sources.science_graph.generate

People, teachers, posts and discoveries come from scientists.tsv; letters are invented, from a fixed seed.
"""

from __future__ import annotations

import datetime as dt
import json
import random
from pathlib import Path
from typing import Any

from sample_sources.turtle import table

HERE = Path(__file__).parent
SEED = 1687
LETTERS = 520
SUBJECTS = {"a proof": 20, "an experiment": 26, "money": 9, "a student": 17, "a visit": 14, "a quarrel": 6, "a book": 8}
LANGUAGES = {"Germany": "German", "Austria": "German", "Switzerland": "German", "France": "French", "Italy": "Italian"}


def generate() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The nodes and the relationships."""
    rows = table(HERE / "scientists.tsv")
    nodes: list[dict[str, Any]] = []
    rels: list[dict[str, Any]] = []
    known: dict[tuple[str, str], str] = {}

    def node(labels: list[str], name: str, **props: Any) -> str:
        key = (labels[0], name)
        if key not in known:
            known[key] = f"s{len(nodes) + 1}"
            kept = {k: v for k, v in props.items() if v is not None}
            nodes.append({"id": known[key], "labels": labels, "props": {"name": name, **kept}})
        return known[key]

    def rel(start: str, kind: str, end: str, **props: Any) -> None:
        rels.append({"start": start, "type": kind, "end": end, "props": props})

    taught = {teacher for row in rows for teacher in row["advisors"].split(";") if teacher}
    for row in rows:
        labels = ["Scientist", "Teacher"] if row["name"] in taught else ["Scientist"]
        died = int(row["died"]) if row["died"] else None
        node(labels, row["name"], born=int(row["born"]), died=died, country=row["country"])
    for row in rows:
        person = known["Scientist", row["name"]]
        rel(person, "WORKED_IN", node(["Field"], row["field"]))
        for teacher in filter(None, row["advisors"].split(";")):
            rel(known["Scientist", teacher], "ADVISED", person)
        for post in filter(None, row["institutions"].split(";")):
            place, _, years = post.partition("@")
            first, last = years.split("-")
            rel(person, "WORKED AT", node(["Institution"], place), **{"from-year": int(first), "to-year": int(last)})
        for found in filter(None, row["known_for"].split(";")):
            what, _, year = found.partition("=")
            rel(person, "DISCOVERED", node(["Discovery"], what), year=int(year))
    _letters(random.Random(SEED), rows, node, rel, known)
    return nodes, rels


def _letters(
    rng: random.Random, rows: list[dict[str, str]], node: Any, rel: Any, known: dict[tuple[str, str], str]
) -> None:
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
        subject = rng.choices(list(SUBJECTS), list(SUBJECTS.values()))[0]
        letter = node(
            ["Letter"],
            f"Letter {number}",
            written={"date": day.isoformat()},
            language=language,
            subject=subject,
            pages=rng.randrange(1, 9),
        )
        rel(known["Scientist", one[0]], "WROTE", letter)
        rel(letter, "SENT_TO", known["Scientist", other[0]])


def main() -> None:
    """Write nodes.jsonl and rels.jsonl."""
    (HERE / "graph").mkdir(exist_ok=True)
    for name, records in zip(("nodes", "rels"), generate(), strict=True):
        text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (HERE / "graph" / f"{name}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

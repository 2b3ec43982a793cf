"""Schema pruning on and off: are the tables a question needs kept, and how long is the context?

    [OMNI_BENCH_DIR=...] python -m benchmarks.pruning [--limit 100] [--api-base URL] [--show]

Asked are 33 questions about the hospital of 60 tables (benchmarks/hospital_tables.jsonl, whose writer named the tables
each needs) and, where OMNI_BENCH_DIR is set, questions of Spider over databases that are merged into one: dev, the
first 20 of train, and all of train. Gold tables are those of the gold query. With `--api-base` of a llama.cpp server
the context is counted in that model's tokens as well.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import tempfile
import urllib.request
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.grounding.link import ground
from core.grounding.pruning import prune_schema
from core.results import Kind, Language, SourceCard
from core.settings import ROOT, Settings
from core.sources.base import Limits, SqlSchema
from core.sources.guards.sql import parse_sql
from core.sources.sql import SqliteSource
from core.stages.context import render_context

HOSPITAL = ROOT / "sample_sources" / "hospital" / "built" / "hospital.db"
QUESTIONS = ROOT / "benchmarks" / "hospital_tables.jsonl"
SIZES = (6, 8, 12, 16)
WHOLE = 10_000_000
"""Room for a schema of any size."""
MERGED_ROWS = 3_000
COUNTED = 10
"""Questions whose context is counted in tokens."""


@dataclass(frozen=True, slots=True)
class Item:
    """A question with the names of the tables it needs, in lower case."""

    question: str
    tables: frozenset[str]


def hospital() -> tuple[Path, list[Item]]:
    """The hospital and the questions about it."""
    lines = [json.loads(line) for line in QUESTIONS.read_text().splitlines()]
    return HOSPITAL, [Item(e["question"], frozenset(e["tables"])) for e in lines]


def spider(data: Path, name: str, databases: int | None, limit: int, into: Path) -> tuple[Path, list[Item]]:
    """Databases of one Spider file merged into one, the first of equal table names, and questions about them."""
    raw = json.loads((data / "spider" / name).read_text())
    wanted = sorted({r["db_id"] for r in raw})[:databases]
    path = into / f"{Path(name).stem}-{databases or 'all'}.sqlite"
    used = set(merge(data / "spider" / "database", wanted, path))
    schema = source(path, into).describe()
    items = [Item(r["question"], gold_tables(r["query"], schema)) for r in raw if r["db_id"] in used]
    return path, random.Random(1).sample([i for i in items if i.tables], min(limit, len(items)))


def merge(folder: Path, databases: Sequence[str], path: Path) -> Iterable[str]:
    """Copy whole databases into one file as long as their table names are new; the ids of those copied."""
    taken: set[str] = set()
    with sqlite3.connect(path) as into:
        for name in databases:
            with sqlite3.connect(folder / name / f"{name}.sqlite") as db:
                db.text_factory = lambda raw: raw.decode("utf-8", "replace")
                rows = db.execute(
                    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                )
                tables = rows.fetchall()
                if taken & {t.lower() for t, _ in tables}:
                    continue
                for table, sql in tables:
                    into.execute(sql)
                    data = db.execute(f'SELECT * FROM "{table}" LIMIT {MERGED_ROWS}').fetchall()
                    if data:
                        into.executemany(
                            f'INSERT OR IGNORE INTO "{table}" VALUES ({",".join("?" * len(data[0]))})', data
                        )
            taken |= {t.lower() for t, _ in tables}
            yield name


def gold_tables(query: str, schema: SqlSchema) -> frozenset[str]:
    """The stored tables that a query reads; none where it can't be parsed."""
    from sqlglot import exp

    parsed = parse_sql(query, "sqlite")
    known = {t.name.lower() for t in schema.tables}
    return (
        frozenset(t.name.lower() for t in parsed[0].find_all(exp.Table)) & known
        if parsed and parsed[0]
        else frozenset()
    )


def source(path: Path, home: Path) -> SqliteSource:
    """A merged or sample database as a source."""
    card = SourceCard(path.stem, Kind.SQL, "sqlite", Language.SQL, path.stem, "")
    return SqliteSource(card, path, Settings(home=home), Limits())


def measure(name: str, path: Path, items: Sequence[Item], home: Path, api_base: str | None, show: bool) -> None:
    """Print the figures of one schema."""
    settings = Settings(home=home)
    db = source(path, home)
    schema = db.describe()
    print(f"{name}: {len(schema.tables)} tables, {len(items)} questions")
    groundings = [ground(i.question, db, settings) for i in items]
    for most in SIZES:
        kept = [
            frozenset(t.name.lower() for t in prune_schema(i.question, schema, g, settings, most).tables)
            for i, g in zip(items, groundings, strict=True)
        ]
        whole = sum(i.tables <= k for i, k in zip(items, kept, strict=True)) / len(items)
        share = sum(len(i.tables & k) / len(i.tables) for i, k in zip(items, kept, strict=True)) / len(items)
        print(f"  {most:>3} tables kept: all gold tables {whole:6.1%}, of the gold tables {share:6.1%}")
    switches = {"on": settings, "off, same room": replace(settings, schema_pruning=False)}
    switches["off, any room"] = replace(settings, schema_pruning=False, context_chars=WHOLE)
    for switch, setting in switches.items():
        texts = [
            render_context(i.question, db.card, schema, g, setting).text for i, g in zip(items, groundings, strict=True)
        ]
        held = [all(f'"{t}"' in _declared(text) for t in i.tables) for i, text in zip(items, texts, strict=True)]
        tokens = f", {_tokens(texts[:COUNTED], api_base):,.0f} tokens" if api_base else ""
        size = sum(map(len, texts)) / len(texts)
        print(f"  pruning {switch}: {size:,.0f} characters{tokens}, all gold tables shown {sum(held) / len(held):6.1%}")
        if show and switch == "on":
            print(
                *(f"    {i.question} {sorted(i.tables)}" for i, h in zip(items, held, strict=True) if not h), sep="\n"
            )


def _declared(text: str) -> set[str]:
    """The names of the tables and views that a context declares, in quotes and lower case."""
    heads = [line for line in text.lower().splitlines() if line.startswith(("create table ", "create view "))]
    return {head.split(" ", 2)[2].split(" (")[0] for head in heads}


def _tokens(texts: Sequence[str], api_base: str) -> float:
    url = f"{api_base.removesuffix('/v1')}/tokenize"
    counts = []
    for text in texts:
        request = urllib.request.Request(
            url, json.dumps({"content": text}).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as reply:
            counts.append(len(json.load(reply)["tokens"]))
    return sum(counts) / len(counts)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--api-base")
    parser.add_argument("--show", action="store_true", help="print each question whose tables were not all shown")
    args = parser.parse_args()
    data = os.environ.get("OMNI_BENCH_DIR")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        measure("hospital", *hospital(), home, args.api_base, args.show)
        for name, databases in (
            (("dev.json", None), ("train_spider.json", 20), ("train_spider.json", None)) if data else ()
        ):
            made = spider(Path(data or ""), name, databases, args.limit, home)
            measure(f"Spider {Path(name).stem} merged", *made, home, args.api_base, args.show)


if __name__ == "__main__":
    main()

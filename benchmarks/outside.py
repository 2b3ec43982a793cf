"""Formulation on public question sets, the gold source given: execution match.

    OMNI_BENCH_DIR=... python -m benchmarks.outside [--sets spider,qald10,...] [--tune] [--show]
                                                    [--backbone MODEL --api-base URL] [--limit N]

Measured are 100 questions (seed 42) of Spider dev, SimpleQuestions and Text2Cypher, and all of QALD-10.
`--tune` takes other questions instead: Spider train, SimpleQuestions after the first 300 without the
measured ones, Text2Cypher without the measured ones. A gold query that fails or returns nothing here is
a broken gold: it has a bucket of its own and is left out of the score.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.execution_match import answers_match, cell, rows_match
from core.errors import FormulationError, ModelError, OmniError, QueryError
from core.grounding.link import ground
from core.results import Fault, Kind, Language, NativeQuery, Origin, Payload, Rows, SourceCard, Stage, Truth
from core.settings import Settings
from core.sources.base import Limits, Source
from core.stages.base import Formulator
from core.stages.formulate import BuiltInFormulator

OUT = Path(__file__).parent / "out"
LIMITS = Limits(seconds=15.0)
ENTITY = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its gold: a query, or for SimpleQuestions and QALD-10 the answers."""

    id: str
    question: str
    source: str
    gold_query: str
    gold_answers: frozenset[Hashable] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question."""

    item: Item
    bucket: str
    """match, exact, wrong, cannot_link, failed or broken_gold."""
    query: str
    message: str
    seconds: float


def _sample(items: Sequence[Item], number: int, seed: int = 42) -> list[Item]:
    return random.Random(seed).sample(list(items), min(number, len(items)))


def spider(data: Path, tune: bool) -> list[Item]:
    """Spider dev, or train for tuning."""
    name = "train_spider.json" if tune else "dev.json"
    raw = json.loads((data / "spider" / name).read_text())
    items = [Item(f"{name}:{i}", r["question"], r["db_id"], r["query"]) for i, r in enumerate(raw)]
    return _sample(items, 100, 7 if tune else 42)


def text2cypher(data: Path, tune: bool) -> list[Item]:
    """Text2Cypher over the six graphs."""
    with (data / "text2cypher" / "test.csv").open(newline="") as file:
        raw = list(csv.DictReader(file))
    items = [Item(r["instance_id"], r["question"], r["database_reference_alias"], r["cypher"]) for r in raw]
    measured = _sample(items, 100)
    return _sample([i for i in items if i not in measured], 100, 7) if tune else measured


def simplequestions(data: Path, tune: bool) -> list[Item]:
    """SimpleQuestions; the gold answer is every object of (subject, property) in the graph."""
    items = []
    path = data / "simplequestions" / "annotated_wd_data_test_answerable.txt"
    for number, line in enumerate(path.read_text().splitlines()):
        subject, prop, _, question = line.split("\t")[:4]
        triple = f"<{ENTITY}{subject}> <{DIRECT}P{prop[1:]}> ?x"
        if prop.startswith("R"):
            triple = f"?x <{DIRECT}P{prop[1:]}> <{ENTITY}{subject}>"
        items.append(Item(str(number), question, "wikidata", f"SELECT DISTINCT ?x WHERE {{ {triple} }}"))
    measured = _sample(items, 100)
    return _sample([i for i in items[300:] if i not in measured], 100, 7) if tune else measured


def qald10(data: Path, tune: bool) -> list[Item]:
    """QALD-10, all of it."""
    raw = json.loads((data / "qald10" / "qald_10.json").read_text())["questions"]
    items = []
    for entry in raw:
        question = next(q["string"] for q in entry["question"] if q["language"] == "en")
        items.append(Item(str(entry["id"]), question, "wikidata", entry["query"]["sparql"]))
    return items


SETS: dict[str, tuple[Callable[[Path, bool], list[Item]], Language]] = {
    "spider": (spider, Language.SQL),
    "qald10": (qald10, Language.SPARQL),
    "simplequestions": (simplequestions, Language.SPARQL),
    "text2cypher": (text2cypher, Language.CYPHER),
}


class Sources:
    """The sets' sources, opened on first use."""

    def __init__(self, data: Path, settings: Settings) -> None:
        self._data = data
        self._settings = settings
        self._open: dict[str, Source] = {}

    def __call__(self, language: Language, name: str) -> Source:
        """The source a question is asked of."""
        key = f"{language}:{name}"
        if key not in self._open:
            self._open[key] = self._make(language, name)
        return self._open[key]

    def _make(self, language: Language, name: str) -> Source:
        if language is Language.SQL:
            from core.sources.sql import SqliteSource

            card = SourceCard(name, Kind.SQL, "sqlite", language, name, "")
            return SqliteSource(
                card, self._data / "spider" / "database" / name / f"{name}.sqlite", self._settings, LIMITS
            )
        if language is Language.SPARQL:
            from core.sources.rdf import RdfSource

            card = SourceCard(name, Kind.RDF, "oxigraph", language, name, "")
            return RdfSource(card, self._data / "wikidata" / "mini_wikidata.nt.gz", self._settings, LIMITS)
        from core.sources.graph import GraphSource

        card = SourceCard(name, Kind.GRAPH, "arcadedb", language, name, "")
        return GraphSource(card, self._data / "graphs" / name, self._settings, LIMITS)

    def close(self) -> None:
        """Close every source that was opened."""
        for source in self._open.values():
            source.close()


def run_gold(item: Item, source: Source, language: Language) -> Payload | None:
    """What the gold query returns, or None when it fails or is empty here."""
    try:
        payload = source.run(NativeQuery(source.card.id, language, item.gold_query, Origin.GIVEN), LIMITS).payload
    except OmniError:
        return None
    if isinstance(payload, Truth):
        return payload
    return payload if getattr(payload, "items", ()) or language is Language.SQL else None


def judge(item: Item, gold: Payload, given: Payload, language: Language) -> str:
    """exact, match or wrong."""
    if language is Language.SPARQL:
        answers = {cell(r[0]) for r in gold.items} if isinstance(gold, Rows) else {int(gold.items[0])}  # type: ignore[index,arg-type]
        return "exact" if answers_match(answers, given) else "wrong"
    ordered = bool(re.search(r"\border\s+by\b", item.gold_query, re.IGNORECASE)) and len(gold.items) > 1
    exact, match = rows_match(gold, given, ordered)
    return "exact" if exact else "match" if match else "wrong"


Make = Callable[[], Formulator]
"""A formulator for one question."""


def _by(backbone: str, api_base: str | None, settings: Settings) -> Make:
    if backbone == "built-in":
        return lambda: BuiltInFormulator(settings.planner_candidates)
    from core.llm.client import LiteLLMModel
    from core.stages.by_model.formulate import ModelFormulator

    return lambda: ModelFormulator(LiteLLMModel(backbone, settings, api_base), settings)


def _formulated(question: str, source: Source, formulate: Formulator, settings: Settings) -> tuple[str, Payload]:
    """The query that ran and its payload, after one repair where the formulator knows how."""
    grounding = ground(question, source, settings)
    query = NativeQuery(
        source.card.id, source.card.language, formulate(question, source, grounding).text, Origin.GENERATED
    )
    try:
        return query.text, source.run(query, LIMITS).payload
    except QueryError as error:
        fault = Fault(Stage.EXECUTE, error.kind, error.message)
        draft = formulate.repair(question, source, grounding, query, fault)
        if draft is None:
            error.add_note(query.text)
            raise
        repaired = replace(query, text=draft.text, origin=Origin.REPAIRED)
        return repaired.text, source.run(repaired, LIMITS).payload


def attempt(item: Item, source: Source, language: Language, settings: Settings, make: Make) -> Outcome:
    """Formulate, run and judge one question."""
    gold = run_gold(item, source, language)
    if gold is None:
        return Outcome(item, "broken_gold", "", "", 0.0)
    began = time.monotonic()
    text = ""
    try:
        text, given = _formulated(item.question, source, make(), settings)
    except FormulationError as error:
        return Outcome(item, "cannot_link", text, error.message, time.monotonic() - began)
    except (QueryError, ModelError) as error:
        return Outcome(
            item, "failed", " ".join(getattr(error, "__notes__", ())), error.message, time.monotonic() - began
        )
    return Outcome(item, judge(item, gold, given, language), text, "", time.monotonic() - began)


def table(outcomes: dict[str, list[Outcome]]) -> str:
    """The figures, one set a line; shares are of the questions whose gold runs."""
    heads = ("n", "match", "exact", "wrong", "no link", "failed", "broken gold", "s/q")
    widths = (5, 8, 7, 7, 9, 8, 13, 6)
    lines = [f"{'set':18}" + "".join(f"{h:>{w}}" for h, w in zip(heads, widths, strict=True))]
    for name, found in outcomes.items():
        count = Counter(o.bucket for o in found)
        n = len(found) - count["broken_gold"]
        match = count["exact"] + count["match"]
        seconds = sum(o.seconds for o in found) / max(1, n)
        lines.append(
            f"{name:18}{n:>5}{match / max(1, n):>8.0%}{count['exact'] / max(1, n):>7.0%}{count['wrong']:>7}"
            f"{count['cannot_link']:>9}{count['failed']:>8}{count['broken_gold']:>13}{seconds:>6.2f}"
        )
    return "\n".join(lines)


def _shown(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for one in outcomes:
        yield f"[{one.bucket}] {one.item.source}: {one.item.question}"
        if one.bucket not in ("exact", "broken_gold"):
            gold = re.sub(r"PREFIX \S+ <[^>]*>", "", one.item.gold_query)
            yield f"    gold  {' '.join(gold.split())}"
            yield f"    given {' '.join(one.query.split())}  {one.message}"


def main() -> None:
    """Run the sets and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--only", default="", help="source whose questions are run")
    parser.add_argument("--backbone", default="built-in")
    parser.add_argument("--api-base")
    arguments = parser.parse_args()
    data = Path(os.environ["OMNI_BENCH_DIR"])
    settings = Settings.load()
    sources = Sources(data, settings)
    make = _by(arguments.backbone, arguments.api_base, settings)
    outcomes: dict[str, list[Outcome]] = {}
    try:
        for name in arguments.sets.split(","):
            load, language = SETS[name]
            items = [i for i in load(data, arguments.tune) if arguments.only in i.source][: arguments.limit]
            outcomes[name] = [attempt(i, sources(language, i.source), language, settings, make) for i in items]
            if arguments.show:
                print("\n".join(_shown(outcomes[name])))
    finally:
        sources.close()
    print(table(outcomes))
    OUT.mkdir(exist_ok=True)
    for name, found in outcomes.items():
        count = Counter(o.bucket for o in found)
        rows = [{"id": o.item.id, "question": o.item.question, "bucket": o.bucket, "query": o.query} for o in found]
        by = "" if arguments.backbone == "built-in" else f"_{Path(arguments.backbone).name}"
        path = OUT / f"outside_{name}{by}{'_tune' if arguments.tune else ''}.json"
        path.write_text(json.dumps({"counts": count, "items": rows}, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

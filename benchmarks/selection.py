"""Built-in source selection alone: is the gold source among the first candidates?

    python -m benchmarks.selection [--half dev|blind] [--k 3] [--without-examples] [--show]
    OMNI_BENCH_DIR=... python -m benchmarks.selection --outside 20 [--seed 42] [--show]

Our own questions run over the sample sources; `--without-examples` takes the example questions off the
cards first, since an example may be one of the questions. `--outside N` takes N questions of each public
set over one pool: 110 SQL databases, Wikidata, six property graphs, SciFact, and five corpora that are
known by their descriptor only and can't be searched.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import outside
from benchmarks.questions import load
from core.errors import SourceUnavailable
from core.results import Kind, Language, Match, NativeQuery, Returned, SourceCard
from core.settings import Settings
from core.sources.base import GraphSchema, Limits, Source, SqlSchema, TextSchema
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog
from core.stages.select import ProbeSelector

CORPORA = {
    "scifact": ("Scientific claims and the research abstracts that support or refute them", "a scientific claim"),
    "nfcorpus": ("Medical and nutritional information retrieval", "a consumer-health or nutrition query, often terse"),
    "fiqa": ("Financial opinions and answers from forums and news", "a question on money, tax, shares or investing"),
    "fever": ("Wikipedia introductions for fact verification", "a short factual claim to be verified"),
    "nq": ("Wikipedia passages for open-domain questions", "a factual question typed into a search engine"),
    "hotpotqa": ("Wikipedia passages for multi-hop questions", "a question that joins facts of two articles"),
}
"""Description and query type of each corpus, in the form of the paper's appendix A.1."""
WIKIDATA = "General facts of Wikidata on people, places, works, organisations, species and events"


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the sources of which any one (or all) must be candidates, and the group it counts for."""

    group: str
    question: str
    gold: tuple[str, ...]
    need_all: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """What was selected for a case."""

    case: Case
    ids: tuple[str, ...]
    reason: str
    seconds: float

    def hit(self, k: int) -> bool:
        """Whether the needed sources are among the first `k`; without gold, whether nothing was selected."""
        if not self.case.gold:
            return not self.ids
        found = [g in self.ids[:k] for g in self.case.gold]
        return all(found) if self.case.need_all and k > 1 else any(found)


class DescribedOnly:
    """A corpus of which only the card is at hand."""

    def __init__(self, card: SourceCard) -> None:
        self.card = card
        self.limits = Limits()

    def check(self) -> None:
        """Always fails: there is no corpus."""
        raise SourceUnavailable(f"{self.card.id} is known by its descriptor only.")

    def describe(self) -> TextSchema:
        """No passages."""
        return TextSchema(0, (), (), self.card.query_type, self.card.document_style)

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Nothing is stored here."""
        return []

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Always fails: there is no corpus."""
        raise SourceUnavailable(f"{self.card.id} is known by its descriptor only.")

    def close(self) -> None:
        """Nothing is open."""


def own_cases(half: str | None) -> list[Case]:
    """Our own questions, grouped by the language of the first gold query; "none" where nothing answers."""
    cases = []
    for sample in load():
        if half not in (None, sample.get("half")):
            continue
        gold = tuple(g["source_id"] for g in sample["gold"])
        group = str(sample["gold"][0]["language"]) if gold else "none"
        cases.append(Case(group, sample["question"], gold, sample["need"] == "all"))
    return cases


def own_catalog(settings: Settings, with_examples: bool) -> Catalog:
    """The sample sources, with or without the example questions on their cards."""
    catalog = load_catalog(settings)
    if with_examples:
        return catalog
    return Catalog((replace(card, examples=()), partial(_without_examples, catalog[card.id])) for card in catalog)


def _without_examples(source: Source) -> Source:
    source._card = replace(source.card, examples=())  # type: ignore[attr-defined]
    return source


def outside_cases(data: Path, number: int, seed: int) -> list[Case]:
    """`number` questions of each public set, by seed."""
    sets: dict[str, list[Case]] = {}
    for name, (read, language) in outside.SETS.items():
        sets[f"{language} {name}"] = [Case(f"{language} {name}", i.question, (i.source,)) for i in read(data, False)]
    web = json.loads((data / "wikiwebquestions" / "dev.json").read_text())
    sets["sparql webq"] = [Case("sparql webq", w["utterance"], ("wikidata",)) for w in web]
    for name in CORPORA:
        lines = (data / "beir" / name / "queries.jsonl").read_text().splitlines()
        sets[f"text {name}"] = [Case(f"text {name}", json.loads(line)["text"], (name,)) for line in lines]
    picked = (random.Random(seed).sample(cases, min(number, len(cases))) for cases in sets.values())
    return [case for cases in picked for case in cases]


def outside_catalog(data: Path, settings: Settings) -> Catalog:
    """Every source of the public sets, each with a card drafted from its schema."""
    sources = outside.Sources(data, settings)
    entries: list[tuple[SourceCard, Callable[[], Source]]] = []
    names = [(Language.SQL, p.name) for p in sorted((data / "spider" / "database").iterdir())]
    names += [(Language.CYPHER, p.name) for p in sorted((data / "graphs").iterdir())]
    for language, name in [*names, (Language.SPARQL, "wikidata")]:
        source = sources(language, name)
        try:
            source._card = _drafted(source)  # type: ignore[attr-defined]
        except SourceUnavailable as error:
            print(f"{name} is left out: {error.message}")
            continue
        entries.append((source.card, partial(_itself, source)))
    for name, (descriptor, query_type) in CORPORA.items():
        card = SourceCard(name, Kind.TEXT, "faiss", Language.TEXT, name, descriptor, query_type=query_type)
        folder = data / "beir" / name
        entries.append((card, partial(_corpus, card, folder, settings)))
    return Catalog(entries)


def _itself(source: Source) -> Source:
    return source


def _corpus(card: SourceCard, folder: Path, settings: Settings) -> Source:
    from core.sources.text import TextSource

    if not any(folder.glob("corpus.jsonl*")):
        return DescribedOnly(card)
    source = TextSource(card, folder, settings, Limits())
    source.prepare()  # a selection by words alone would be measured otherwise
    return source


def _drafted(source: Source) -> SourceCard:
    """The source's card with the names of its tables or labels as descriptor."""
    schema = source.describe()
    title = source.card.title.removeprefix("neo4jlabs_demo_db_").replace("_", " ")
    if isinstance(schema, SqlSchema):
        named = [t.name for t in schema.tables]
    elif isinstance(schema, GraphSchema):
        named = [*(n.label for n in schema.nodes), *(r.type for r in schema.rels)]
    else:
        return replace(source.card, title=title, descriptor=WIKIDATA)
    return replace(source.card, title=title, descriptor=", ".join(named).replace("_", " "))


def run(cases: Iterable[Case], catalog: Catalog, settings: Settings, k: int) -> list[Ranked]:
    """Select for every case; the first call is not counted, so that indexes and encoder are up."""
    select = ProbeSelector(settings)
    select("What is known here?", catalog, k)
    ranked = []
    for case in cases:
        began = time.monotonic()
        selection = select(case.question, catalog, k)
        ids = tuple(c.source_id for c in selection.candidates)
        reason = selection.candidates[0].reason if ids else selection.reason
        ranked.append(Ranked(case, ids, reason, time.monotonic() - began))
    return ranked


def table(ranked: Sequence[Ranked], k: int) -> str:
    """hit@1 and hit@k by group; for questions without gold the share for which nothing was selected."""
    groups: Mapping[str, list[Ranked]] = defaultdict(list)
    for one in ranked:
        groups[one.case.group].append(one)
        groups["all with gold" if one.case.gold else "all without"].append(one)
    lines = [f"{'':<24}{'n':>5}{'hit@1':>8}{f'hit@{k}':>8}{'s/q':>7}"]
    for name, group in sorted(groups.items()):
        shares = [sum(one.hit(size) for one in group) / len(group) for size in (1, k)]
        seconds = sum(one.seconds for one in group) / len(group)
        lines.append(f"{name:<24}{len(group):>5}{shares[0]:>8.1%}{shares[1]:>8.1%}{seconds:>7.2f}")
    return "\n".join(lines)


def _shown(one: Ranked) -> str:
    gold = ", ".join(one.case.gold) or "none"
    return (
        f"[{one.case.group}] {one.case.question}\n    gold {gold}; given {', '.join(one.ids) or 'none'}: {one.reason}"
    )


def _record(one: Ranked) -> dict[str, Any]:
    case = one.case
    return {"group": case.group, "question": case.question, "gold": case.gold, "candidates": one.ids}


def main() -> None:
    """Run and print; the record goes to benchmarks/out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("dev", "blind"))
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--without-examples", action="store_true")
    parser.add_argument("--outside", type=int, metavar="N", help="questions of each public set")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--show", action="store_true", help="print each question whose gold is not a candidate")
    args = parser.parse_args()
    settings = Settings.load()
    if args.outside:
        data = Path(os.environ["OMNI_BENCH_DIR"])
        cases, catalog = outside_cases(data, args.outside, args.seed), outside_catalog(data, settings)
    else:
        cases, catalog = own_cases(args.half), own_catalog(settings, not args.without_examples)
    try:
        ranked = run(cases, catalog, settings, args.k)
    finally:
        catalog.close()
    if args.show:
        print("\n".join(_shown(one) for one in ranked if not one.hit(args.k)))
    print(table(ranked, args.k))
    outside.OUT.mkdir(exist_ok=True)
    name = "selection_outside" if args.outside else f"selection{f'_{args.half}' if args.half else ''}"
    (outside.OUT / f"{name}.json").write_text(
        json.dumps([_record(one) for one in ranked], indent=1, ensure_ascii=False)
    )


if __name__ == "__main__":
    main()

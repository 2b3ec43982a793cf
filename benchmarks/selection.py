"""Built-in source selection alone: is the gold source among the first candidates?

    python -m benchmarks.selection [--half dev|blind] [--k 3] [--without-examples] [--show]
    OMNI_BENCH_DIR=... python -m benchmarks.selection --outside 20 [--seed 42] [--show]
    OMNI_BENCH_DIR=... python -m benchmarks.selection --whole 1000 [--seed 42]

Our own questions run over the sample sources; `--without-examples` takes the example questions off the
cards first, since an example may be one of the questions. `--outside N` takes N questions of each public
set over one pool: 110 SQL databases, Wikidata, six property graphs, SciFact, and five corpora that are
known by their descriptor only and can't be searched. `--whole N` takes N questions over that pool, as many of each
paradigm, and ranks every source by its card alone, by what is inside it alone, and by both, from one look at each.

A table of confusions follows each run: the kind that was gold, and the kind that came first.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks import outside
from benchmarks.questions import load
from core.errors import SourceUnavailable
from core.grounding.cards import card_similarity
from core.grounding.inside import word_weights
from core.results import Kind, Language, Match, NativeQuery, Returned, SourceCard
from core.settings import Settings
from core.sources.base import GraphSchema, Limits, Source, SqlSchema, TextSchema
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog
from core.sources.summary import summary_of
from core.stages.select import ProbeSelector, score_of

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


def whole_cases(data: Path, number: int, seed: int) -> list[Case]:
    """`number` questions over everything, as many of each paradigm, sets of one paradigm taking turns."""
    sets = _all_sets(data)
    groups: dict[str, list[list[Case]]] = defaultdict(list)
    shuffle = random.Random(seed)
    for name, cases in sets.items():
        groups[name.split()[0]].append(shuffle.sample(cases, len(cases)))
    share = number // len(groups)
    picked: list[Case] = []
    for paradigm, several in groups.items():
        turns = [case for level in zip_longest(*several) for case in level if case is not None]
        picked += [replace(case, group=paradigm) for case in turns[:share]]
    return picked


def _all_sets(data: Path) -> dict[str, list[Case]]:
    """Every question of every set, by "paradigm set"."""
    sets: dict[str, list[Case]] = {}
    raw = json.loads((data / "spider" / "dev.json").read_text()) + json.loads(
        (data / "spider" / "train_spider.json").read_text()
    )
    sets["sql spider"] = [Case("sql", r["question"], (r["db_id"],)) for r in raw]
    for name, (read, language) in outside.SETS.items():
        if name != "spider":
            items = [*read(data, False), *(read(data, True) if name != "qald10" else ())]
            sets[f"{language} {name}"] = [Case(str(language), i.question, (i.source,)) for i in items]
    web = json.loads((data / "wikiwebquestions" / "dev.json").read_text())
    sets["sparql webq"] = [Case("sparql", w["utterance"], ("wikidata",)) for w in web]
    with (data / "text2cypher" / "test.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    sets["cypher text2cypher"] = [Case("cypher", r["question"], (r["database_reference_alias"],)) for r in rows]
    for name in CORPORA:
        lines = (data / "beir" / name / "queries.jsonl").read_text().splitlines()
        sets[f"text {name}"] = [Case("text", json.loads(line)["text"], (name,)) for line in lines]
    return sets


WAYS = ("cards", "inside", "both")


def three_ways(cases: Sequence[Case], catalog: Catalog, settings: Settings) -> dict[str, list[Ranked]]:
    """Every source ranked for each case by cards alone, by what is inside alone, and by both."""
    selector = ProbeSelector(settings)
    selector("What is known here?", catalog, 1)
    ranked: dict[str, list[Ranked]] = {way: [] for way in WAYS}
    cards = catalog.cards()
    for number, case in enumerate(cases, 1):
        began = time.monotonic()
        similar = card_similarity(case.question, cards, settings)
        insides, _ = selector.look(case.question, catalog)
        weights = word_weights(case.question, insides)
        scores = {
            "cards": similar,
            "inside": {i.source_id: score_of(i, 0.0, weights) for i in insides},
            "both": {i.source_id: score_of(i, similar[i.source_id], weights) for i in insides},
        }
        elapsed = time.monotonic() - began
        for way, found in scores.items():
            ids = tuple(sorted(found, key=lambda source_id: (-found[source_id], source_id)))[:20]
            ranked[way].append(Ranked(case, ids, "", elapsed))
        if number % 100 == 0:
            print(f"{number} of {len(cases)}", file=sys.stderr)
    return ranked


def confusion(ranked: Sequence[Ranked], kinds: Mapping[str, str]) -> str:
    """How often which kind came first where which was gold, and the sources that were confused most."""
    counts: Counter[tuple[str, str]] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for one in ranked:
        if not one.case.gold:
            continue
        first = one.ids[0] if one.ids else "none"
        gold = first if first in one.case.gold else one.case.gold[0]
        counts[kinds[gold], kinds.get(first, "none")] += 1
        if first != gold:
            pairs[gold, first] += 1
    names = sorted({*(a for a, _ in counts), *(b for _, b in counts)})
    head = f"{'gold, then first':<18}" + "".join(f"{name:>8}" for name in names)
    rows = [f"{gold:<18}" + "".join(f"{counts[gold, first]:>8}" for first in names) for gold in names if gold != "none"]
    worst = ", ".join(f"{first} for {gold} ({n})" for (gold, first), n in pairs.most_common(8))
    return "\n".join([head, *rows, f"most confused: {worst or 'none'}"])


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
        return replace(source.card, title=title, descriptor=WIKIDATA, summary=summary_of(schema))
    descriptor = ", ".join(named).replace("_", " ")
    return replace(source.card, title=title, descriptor=descriptor, summary=summary_of(schema))


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


def _whole(data: Path, number: int, seed: int, settings: Settings) -> None:
    catalog = outside_catalog(data, settings)
    kinds = {card.id: card.kind.value for card in catalog.cards()}
    cases = whole_cases(data, number, seed)
    try:
        ranked = three_ways(cases, catalog, settings)
    finally:
        catalog.close()
    print(f"{len(cases)} questions, {len(kinds)} sources\n{'':<10}{'':<8}{'n':>6}{'hit@1':>8}{'hit@3':>8}{'hit@20':>8}")
    for way in WAYS:
        groups: dict[str, list[Ranked]] = defaultdict(list)
        for one in ranked[way]:
            groups[one.case.group].append(one)
            groups["all"].append(one)
        for name, group in groups.items():
            shares = "".join(f"{sum(one.hit(k) for one in group) / len(group):>8.1%}" for k in (1, 3, 20))
            print(f"{way:<10}{name:<8}{len(group):>6}{shares}")
    print(confusion(ranked["both"], kinds))
    print(f"{sum(one.seconds for one in ranked['both']) / len(cases):.2f} s a question, all three ways")
    outside.OUT.mkdir(exist_ok=True)
    record = {way: [_record(one) for one in found] for way, found in ranked.items()}
    (outside.OUT / "selection_whole.json").write_text(json.dumps(record, indent=1, ensure_ascii=False))


def main() -> None:
    """Run and print; the record goes to benchmarks/out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("dev", "blind"))
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--without-examples", action="store_true")
    parser.add_argument("--outside", type=int, metavar="N", help="questions of each public set")
    parser.add_argument("--whole", type=int, metavar="N", help="questions over every set, as many of each paradigm")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--show", action="store_true", help="print each question whose gold is not a candidate")
    args = parser.parse_args()
    settings = Settings.load()
    if args.whole:
        _whole(Path(os.environ["OMNI_BENCH_DIR"]), args.whole, args.seed, settings)
        return
    if args.outside:
        data = Path(os.environ["OMNI_BENCH_DIR"])
        cases, catalog = outside_cases(data, args.outside, args.seed), outside_catalog(data, settings)
    else:
        cases, catalog = own_cases(args.half), own_catalog(settings, not args.without_examples)
    kinds = {card.id: card.kind.value for card in catalog.cards()}
    try:
        ranked = run(cases, catalog, settings, args.k)
    finally:
        catalog.close()
    if args.show:
        print("\n".join(_shown(one) for one in ranked if not one.hit(args.k)))
    print(table(ranked, args.k))
    print(confusion(ranked, kinds))
    outside.OUT.mkdir(exist_ok=True)
    name = "selection_outside" if args.outside else f"selection{f'_{args.half}' if args.half else ''}"
    (outside.OUT / f"{name}.json").write_text(
        json.dumps([_record(one) for one in ranked], indent=1, ensure_ascii=False)
    )


if __name__ == "__main__":
    main()

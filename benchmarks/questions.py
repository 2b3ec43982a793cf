"""Our own questions, start to finish: is the gold source a candidate, is the evidence right?

    python -m benchmarks.questions [--half dev|blind|practice] [--k 3] [--limit N] [--show]
                                   [--backbone MODEL --api-base URL] [--kinds sql,sparql,cypher] [--given]

`--kinds` keeps the questions whose first gold query is in one of these languages; `--given` asks the gold sources
alone, so that what is measured is formulation and evidence without selection.
Prints a table by half, by kind of gold source and by tag, and writes benchmarks/out/questions-BACKBONE.json.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.right import right
from core.pipeline import Pipeline
from core.results import Failed, Outcome, Trace
from core.settings import ROOT, Settings
from core.sources.manifest import load_catalog

QUESTIONS = ROOT / "sample_sources" / "questions.jsonl"
PRACTICE = ROOT / "sample_sources" / "practice.jsonl"
"""Questions written without sight of the planner, and looked at since."""
OUT = ROOT / "benchmarks" / "out"


def load(path: Path = QUESTIONS) -> list[dict[str, Any]]:
    """The samples of a file, in its order."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def stratified(samples: list[dict[str, Any]], limit: int, seed: int) -> list[dict[str, Any]]:
    """`limit` samples that take turns between the kinds of gold source (and none), by seed."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for sample in random.Random(seed).sample(samples, len(samples)):
        groups[kind_of(sample)].append(sample)
    picked: list[dict[str, Any]] = []
    while len(picked) < min(limit, len(samples)):
        for group in groups.values():
            if group and len(picked) < limit:
                picked.append(group.pop())
    return picked


def kind_of(sample: Mapping[str, Any]) -> str:
    """The language of the first gold query; "none" where nothing answers."""
    return str(sample["gold"][0]["language"]) if sample["gold"] else "none"


def score(sample: Mapping[str, Any], trace: Trace, seconds: float) -> dict[str, Any]:
    """One line of the record: what was gold, what became a candidate, and whether the evidence is right."""
    gold = [g["source_id"] for g in sample["gold"]]
    ids = [c.source_id for c in trace.candidates]
    asked = all if sample["need"] == "all" else any
    return {
        "id": sample["id"],
        "half": sample.get("half", ""),
        "kind": kind_of(sample),
        "tags": sample["tags"],
        "question": sample["question"],
        "gold": gold,
        "candidates": ids,
        "hit": asked(g in ids for g in gold) if gold else None,
        "hit1": ids[:1] == gold[:1] or bool(ids and ids[0] in gold) if gold else None,
        "right": right(sample, trace),
        "outcome": trace.outcome.value,
        "none_recognised": trace.outcome in (Outcome.NO_SOURCE, Outcome.NOTHING_ANSWERS) if not gold else None,
        "seconds": round(seconds, 3),
        "results": [
            {
                "source_id": r.source_id,
                "query": r.query.text if r.query else None,
                "error": r.message if isinstance(r, Failed) else None,
                "items": None if isinstance(r, Failed) else len(r.payload.items),
            }
            for r in trace.results
        ],
        "evidence": [e.source_id for e in trace.evidence],
        "tokens": sum((c.prompt_tokens or 0) + (c.completion_tokens or 0) for c in trace.calls),
    }


def table(records: Iterable[Mapping[str, Any]]) -> str:
    """Candidate hit, right and "nothing answers" by half, kind and tag."""
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        for name in ("all", f"half {record['half']}", f"kind {record['kind']}", *(f"tag {t}" for t in record["tags"])):
            groups[name].append(record)
    lines = [f"{'':<22} {'n':>3} {'hit@1':>7} {'hit@k':>7} {'right':>7}"]
    for name, group in groups.items():
        with_gold = [r for r in group if r["gold"]]
        cells = [_share([r[key] for r in with_gold]) for key in ("hit1", "hit")] + [_share([r["right"] for r in group])]
        lines.append(f"{name:<22} {len(group):>3} {' '.join(cells)}")
    none = [r["none_recognised"] for r in groups["all"] if r["none_recognised"] is not None]
    lines.append(f"no source recognised: {sum(none)} of {len(none)}")
    return "\n".join(lines)


def _share(values: list[bool]) -> str:
    return f"{100 * sum(values) / len(values):6.1f}%" if values else f"{'-':>7}"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("dev", "blind", "practice"))
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--backbone", default="built-in")
    parser.add_argument("--api-base")
    parser.add_argument("--kinds", help="languages of the gold query: text,sql,sparql,cypher,none")
    parser.add_argument("--given", action="store_true", help="ask the gold sources alone")
    parser.add_argument("--show", action="store_true", help="print each question that was not right")
    args = parser.parse_args()
    settings = Settings.load()
    samples = load(PRACTICE) if args.half == "practice" else [s for s in load() if args.half in (None, s.get("half"))]
    if args.kinds:
        samples = [s for s in samples if kind_of(s) in args.kinds.split(",")]
    if args.limit:
        samples = stratified(samples, args.limit, args.seed)
    pipeline = Pipeline(load_catalog(settings), settings, backbone=args.backbone, api_base=args.api_base)
    pipeline.ask("What is known about films?", args.k)  # engines and encoder are up before the first timing
    records = []
    for sample in samples:
        started = time.monotonic()
        gold = [g["source_id"] for g in sample["gold"]] if args.given else None
        trace = pipeline.ask(sample["question"], args.k, chosen=gold or None)
        records.append(score(sample, trace, time.monotonic() - started))
        if args.show and not records[-1]["right"]:
            print(json.dumps(records[-1], ensure_ascii=False, indent=1))
            print("gold:", json.dumps([(g["query"], g["answer"][:3]) for g in sample["gold"]], ensure_ascii=False))
    print(table(records))
    OUT.mkdir(parents=True, exist_ok=True)
    name = Path(args.backbone).name + (f"-{args.half}" if args.half else "")
    (OUT / f"questions-{name}.json").write_text(json.dumps(records, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()

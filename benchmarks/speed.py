"""Warm built-in questions: how long, how much of it is the sources' own work, and do sources overlap?

    python -m benchmarks.speed [--rounds 3]

Prints p50 and p95 of a question with k = 3, its time over the slowest source's own query run alone,
and the time of three sources of one second each asked together.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.questions import OUT, load
from core.pipeline import Pipeline
from core.results import NativeQuery, Returned, SourceCard, Trace
from core.settings import Settings
from core.sources.base import Limits, Source
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog


class Delayed:
    """A real source whose every query takes a second longer."""

    def __init__(self, source: Source, seconds: float) -> None:
        self._source, self._seconds = source, seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Wait, then run."""
        time.sleep(self._seconds)
        return self._source.run(query, limits)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def slowest_alone(catalog: Catalog, trace: Trace) -> float:
    """Seconds of the slowest of the trace's queries, each run alone on its source."""
    queries = [r.query for r in trace.results if isinstance(r, Returned)]
    return max((timed(lambda q=q: catalog[q.source_id].run(q))[0] for q in queries), default=0.0)


def overlap(catalog: Catalog, settings: Settings, question: str) -> float:
    """Seconds of one question over three sources that take one second each."""
    cards: list[SourceCard] = [c for c in catalog.cards() if c.language in ("sql", "text")][:3]
    slow = Catalog([(card, lambda c=card: Delayed(catalog[c.id], 1.0)) for card in cards])  # type: ignore[misc]
    pipeline = Pipeline(slow, settings)
    pipeline.ask(question, chosen=[c.id for c in cards])
    return timed(lambda: pipeline.ask(question, chosen=[c.id for c in cards]))[0]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    settings = Settings.load()
    catalog = load_catalog(settings)
    pipeline = Pipeline(catalog, settings)
    questions = [sample["question"] for sample in load()]
    for question in questions:
        pipeline.ask(question)
    seconds, alone, stages = [], [], []
    for _ in range(args.rounds):
        for question in questions:
            took, trace = timed(lambda q=question: pipeline.ask(q))
            seconds.append(took)
            alone.append(slowest_alone(catalog, trace))
            stages.append(trace.timings)
    cuts = statistics.quantiles(seconds, n=20)
    figures = {
        "questions": len(seconds),
        "p50_s": round(statistics.median(seconds), 3),
        "p95_s": round(cuts[18], 3),
        "slowest_query_alone_p50_s": round(statistics.median(alone), 4),
        "overhead_p50_s": round(statistics.median(s - a for s, a in zip(seconds, alone, strict=True)), 3),
        "select_p50_s": round(statistics.median(t.select for t in stages), 3),
        "formulate_p50_s": round(statistics.median(t.formulate for t in stages), 3),
        "execute_p50_s": round(statistics.median(t.execute for t in stages), 3),
        "evidence_p50_s": round(statistics.median(t.evidence for t in stages), 3),
        "three_sources_of_one_second_s": round(overlap(catalog, settings, questions[0]), 3),
    }
    print(json.dumps(figures, indent=1))
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "speed.json").write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()

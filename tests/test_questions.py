"""Every question of the samples, start to finish without a model: what is answered right stays right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.right import right
from core.pipeline import Pipeline
from core.settings import ROOT, Settings
from core.sources.manifest import load_catalog
from sample_sources import build

SAMPLES = ROOT / "sample_sources"
KNOWN_WRONG = {
    "how many days off do I get if my father dies?",
    "does intermittent fasting help with losing weight?",
    "Do I get a day off when I move house?",
}
"""Words that the passage does not use; a near passage that is about something else."""


def _asked(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


QUESTIONS = [*_asked(SAMPLES / "questions.jsonl"), *_asked(SAMPLES / "practice.jsonl")]


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    build.build(build.HERE)
    settings = Settings(home=tmp_path_factory.mktemp("questions"))
    catalog = load_catalog(settings, SAMPLES / "sources.toml")
    yield Pipeline(catalog, settings)
    catalog.close()


@pytest.mark.slow
@pytest.mark.parametrize("sample", QUESTIONS, ids=[q["id"] for q in QUESTIONS])
def test_the_evidence_is_right(pipeline: Pipeline, sample: dict[str, Any]) -> None:
    trace = pipeline.ask(sample["question"], 3)
    assert right(sample, trace) is (sample["question"] not in KNOWN_WRONG), trace.reason

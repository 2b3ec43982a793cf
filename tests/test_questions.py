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
    # A passage is near and about something else.
    "Do I get a day off when I move house?",
    "Does creatine improve memory in older adults?",
    # A word that stands for a thing of the other half, or for what no schema names so.
    "How many people live in Kenya, and how many airports there are served?",
    "When did Max Planck win the Nobel Prize, and who were his students?",
    "What is the budget of Inception, and how often has it been watched on the streaming service?",
    "How many units of blood does the hospital hold of group O-, and how many patients of the clinic live in Bergen?",
    "Who was the first President of the United States, and what is the capital of the country?",
}


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


@pytest.mark.slow
def test_a_second_part_is_asked_with_the_answer_of_the_first(pipeline: Pipeline) -> None:
    trace = pipeline.ask("In which country is the Da Nang factory, and what currency is used there?", 3)
    assert [e.source_id for e in trace.evidence] == ["supply_chain", "countries"]
    assert any("“there” was read as Vietnam" in note for note in trace.notes)
    assert [c.rank for c in trace.candidates] == list(range(1, len(trace.candidates) + 1))
    assert [r.source_id for r in trace.results] == [c.source_id for c in trace.candidates]
    first = trace.result_of("supply_chain")
    assert first is not None and first.query is not None
    again = pipeline.rerun(trace, "supply_chain", first.query.text)
    assert [e.source_id for e in again.evidence] == ["supply_chain", "countries"]

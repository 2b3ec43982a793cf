"""The command line: one JSON object, the exit codes, messages on standard error."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core import render
from core.cli import main
from core.contract import usage_json
from core.pipeline import Pipeline
from core.results import ModelCall, Stage
from core.settings import ROOT, Settings
from core.sources.manifest import load_catalog

MANIFEST = """
[[source]]
id = "films"
kind = "sql"
engine = "sqlite"
location = "films.db"
title = "Films"
descriptor = "Films, their directors and the year they came out"
examples = ["Who directed Ran?", "When did Playtime come out?"]

[[source]]
id = "lost"
kind = "sql"
engine = "sqlite"
location = "nowhere.db"
title = "Lost"
descriptor = "Reels"
"""


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OMNI_HOME", str(tmp_path / "home"))
    with sqlite3.connect(tmp_path / "films.db") as db:
        db.executescript(
            "create table film(title text, director text, year integer, poster blob);"
            "insert into film values ('Ran', 'Akira Kurosawa', 1985, x'ff'), ('Playtime', 'Jacques Tati', 1967, null);"
        )
    path = tmp_path / "sources.toml"
    path.write_text(MANIFEST)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any, str]:
    """Exit code, parsed standard output, standard error."""
    code = main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return code, json.loads(out), err


def test_sources_lists_every_source_with_its_state(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, listed, _ = run(capsys, "sources", "--json", "--sources", manifest)
    assert code == 0
    assert [(s["id"], s["status"]) for s in listed] == [("films", "ready"), ("lost", "error")]
    assert set(listed[0]) == {"id", "kind", "engine", "language", "title", "descriptor", "status", "reason"}
    assert "nowhere.db" in listed[1]["reason"]


def test_ask_prints_the_whole_contract(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, answer, _ = run(capsys, "ask", "Who directed Playtime?", "--source", "films", "--json", "--sources", manifest)
    assert code == 0
    assert answer["version"] == 1 and answer["outcome"] == "answered" and answer["method"] == "omni"
    assert answer["candidates"][0].keys() == {"source_id", "kind", "rank", "score", "reason"}
    assert "Jacques Tati" in json.dumps(answer["evidence"])
    assert set(answer["timings_ms"]) == {"select", "formulate", "execute", "evidence", "total"}
    nothing = {"prompt_tokens": 0, "completion_tokens": 0}
    assert answer["usage"] == {**nothing, "cost_usd": 0, "selection": nothing}
    (result,) = answer["results"]
    assert result["status"] == "returned" and result["payload"] == "rows" and result["origin"] == "generated"
    assert len(result["attempts"]) == 1


def test_query_keeps_native_values(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, result, _ = run(capsys, "query", "films", "SELECT poster, year FROM film", "--json", "--sources", manifest)
    assert code == 0
    assert result["origin"] == "given"
    assert result["items"] == [[{"$bytes": "/w=="}, 1985], [None, 1967]]


def test_empty_result_is_an_answer(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, result, _ = run(capsys, "query", "films", "SELECT 1 FROM film WHERE 0", "--json", "--sources", manifest)
    assert (code, result["status"], result["items"]) == (0, "returned", [])


def test_refused_query_fails_with_the_reason(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, result, err = run(capsys, "query", "films", "DROP TABLE film", "--json", "--sources", manifest)
    assert code == 3
    assert result["status"] == "failed" and result["error"]["kind"] == "rejected" and result["payload"] is None
    assert result["error"]["message"] in err


WRONG = [
    ("k of zero", ["ask", "Who?", "--k", "0"], "usage"),
    ("an empty question", ["ask", " "], "bad_question"),
    ("an unknown source", ["ask", "Who?", "--source", "filmz"], "unknown_source"),
    ("an unknown source to query", ["query", "filmz", "SELECT 1"], "unknown_source"),
    ("an empty query", ["query", "films", " "], "usage"),
]


@pytest.mark.parametrize(("arguments", "kind"), [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_wrong_usage_is_2_with_one_json_object(
    capsys: pytest.CaptureFixture[str], manifest: Path, arguments: list[str], kind: str
) -> None:
    code, body, err = run(capsys, *arguments, "--json", "--sources", manifest)
    assert code == 2 and body["error"]["kind"] == kind
    assert err.startswith("error: ")


def test_unknown_method_is_wrong_usage() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["ask", "Who?", "--method", "oracle"])
    assert stopped.value.code == 2


def test_every_source_failing_is_3(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, answer, _ = run(capsys, "ask", "Who directed Ran?", "--source", "lost", "--json", "--sources", manifest)
    assert code == 3 and answer["outcome"] == "failed"


def test_missing_manifest_is_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, body, _ = run(capsys, "sources", "--json", "--sources", tmp_path / "no.toml")
    assert code == 2 and "no.toml" in body["error"]["message"]


def test_the_module_runs_and_prints_plain_text(manifest: Path) -> None:
    command = [sys.executable, "-m", "core", "query", "films", "SELECT title FROM film", "--sources", str(manifest)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "Playtime" in done.stdout


def plain(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command for people."""
    code = main([str(a) for a in arguments])
    return (code, *capsys.readouterr())


def test_an_empty_question_is_answered_with_examples(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, out, err = plain(capsys, "ask", "", "--sources", manifest)
    assert (code, out) == (2, "")
    assert "questions below" not in err and err.endswith("For example:\n  Who directed Ran?\n")


def test_an_empty_question_without_examples_promises_none(
    capsys: pytest.CaptureFixture[str], manifest: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.toml"
    bare.write_text("".join(line for line in MANIFEST.splitlines(True) if not line.startswith("examples")))
    _, _, err = plain(capsys, "ask", "", "--sources", bare)
    assert "xample" not in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--k", "9"], "note: k is 9, but 2 sources are registered: all that fit are asked."),
        (["--k", "9", "--source", "films"], "note: k is 9, but 1 source was named: all of them are asked."),
        (["--source", "films"], ""),
    ],
)
@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_k_above_the_number_of_sources_is_noted(
    capsys: pytest.CaptureFixture[str], manifest: Path, arguments: list[str], says: str, json_too: list[str]
) -> None:
    _, _, err = plain(capsys, "ask", "Who directed Playtime?", *arguments, *json_too, "--sources", manifest)
    assert says in err if says else "note: k is" not in err


def test_a_note_on_a_source_stands_beside_its_result(manifest: Path) -> None:
    settings = Settings.load()
    trace = Pipeline(load_catalog(settings, manifest), settings).ask("Who directed Ran?", chosen=["films", "lost"])
    trace = replace(trace, notes=("k is 9.", "films: The query left out “old”."))
    assert render.general_notes(trace) == ["k is 9."]
    evidence, rest = render.trace_text(trace).split("\n1. films")
    for shown in (evidence, rest.split("\n2. lost")[0]):
        assert shown.rstrip().endswith("\nnote: The query left out “old”.")


def test_a_backbone_without_a_name_is_told_once(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    code, out, err = plain(capsys, "ask", "Who?", "--backbone", "", "--sources", manifest)
    assert (code, out) == (3, "")
    assert err.startswith("error: No model is named.") and err.count("\n") == 1


def test_a_corpus_with_bad_lines_is_ready_with_a_remark(
    capsys: pytest.CaptureFixture[str], manifest: Path, tmp_path: Path
) -> None:
    good = '{"_id": "a", "title": "Rain", "text": "It rains in Bergen."}\n'
    (tmp_path / "some.jsonl").write_text(good + '{"_id": "b"\n' + "[1]\n")
    (tmp_path / "none.jsonl").write_text('{"_id": "b"\n[1]\n')
    entry = '[[source]]\nid = "{0}"\nkind = "text"\nengine = "faiss"\nlocation = "{0}.jsonl"\n'
    entry += 'title = "Weather"\ndescriptor = "Weather"\n'
    manifest.write_text(entry.format("some") + entry.format("none"))
    _, listed, _ = run(capsys, "sources", "--json", "--sources", manifest)
    some, none = listed
    assert some["status"] == "ready" and some["reason"].startswith(
        "2 lines were skipped; the first is line 2: not JSON"
    )
    assert none["status"] == "error" and "none of its 2 lines could be read, line 1: not JSON" in none["reason"]
    assert "2 lines were skipped" in plain(capsys, "sources", "--sources", manifest)[1]


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNI_HOME", str(tmp_path / "home"))
    command = f"{sys.executable} -m core sources --json | head -c 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert "Traceback" not in done.stderr


def test_hyde_without_a_model_is_wrong_usage(capsys: pytest.CaptureFixture[str], manifest: Path) -> None:
    assert main(["ask", "Who?", "--hyde", "--backbone", "built-in", "--sources", str(manifest)]) == 2
    assert "HyDE needs a model" in capsys.readouterr().err


def test_tokens_of_selection_are_told_apart_from_the_rest() -> None:
    calls = [
        ModelCall(stage, None, "m", (), "", sent, received, 0.0, 0.0)
        for stage, sent, received in [(Stage.SELECT, 900, 20), (Stage.SELECT, 950, None), (Stage.FORMULATE, 400, 60)]
    ]
    usage = usage_json(calls)
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (2_250, 80)
    assert usage["selection"] == {"prompt_tokens": 1_850, "completion_tokens": 20}

"""The pipeline on real SQLite files, with the model's replies canned through litellm."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadQuestion, ModelError, UnknownSource, UsageError
from core.llm import client
from core.pipeline import Event, Pipeline, clean_question
from core.results import STOPPED, Failed, Language, NativeQuery, Origin, Outcome, Returned, Rows, Stage
from core.settings import Settings
from core.sources.manifest import load_catalog
from core.stages.base import Draft, Selection
from tests.misbehaving import Misbehaving, misbehaving_server

FOREVER = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

MANIFEST = """
[[source]]
id = "films"
kind = "sql"
engine = "sqlite"
location = "films.db"
title = "Films"
descriptor = "Films, their directors and the year they came out"
examples = ["Who directed Ran?"]

[[source]]
id = "vessels"
kind = "sql"
engine = "sqlite"
location = "vessels.db"
title = "Vessels"
descriptor = "Ships, their flags and the berths where they lie"
examples = ["Which vessels sail under the flag of Norway?"]
[source.limits]
seconds = 1

[[source]]
id = "lost"
kind = "sql"
engine = "sqlite"
location = "nowhere.db"
title = "Lost films"
descriptor = "Films whose reels are lost"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pipeline")
    with sqlite3.connect(folder / "films.db") as db:
        db.executescript(
            "create table film(id integer primary key, title text, director text, year integer);"
            "insert into film(title, director, year) values ('Ran', 'Akira Kurosawa', 1985),"
            "('Ikiru', 'Akira Kurosawa', 1952), ('Playtime', 'Jacques Tati', 1967),"
            "('Mon Oncle', 'Jacques Tati', 1958);"
        )
    with sqlite3.connect(folder / "vessels.db") as db:
        db.executescript(
            "create table vessel(id integer primary key, name text, flag text);"
            "insert into vessel(name, flag) values ('Astrid', 'Norway'), ('Bella', 'Panama'), ('Cygnus', 'Norway');"
        )
    (folder / "sources.toml").write_text(MANIFEST)
    return folder


@pytest.fixture(scope="module")
def make(folder: Path) -> Callable[..., Pipeline]:
    def build(**options: Any) -> Pipeline:
        settings = Settings(home=folder / "home", **options.pop("settings", {}))
        return Pipeline(load_catalog(settings, folder / "sources.toml"), settings, **options)

    return build


def by_model(make: Callable[..., Pipeline], reply: object, **settings: Any) -> Pipeline:
    """A pipeline whose model always replies the same, through litellm's own canned replies."""
    return make(backbone="openai/canned", mock_response=reply, settings=settings)


# --- the question ------------------------------------------------------------------------------

BAD = [
    ("empty", "", "empty"),
    ("white space", " \n\t ", "empty"),
    ("control characters alone", "\x00\x07\x1b", "empty"),
    ("too long", "why " * 2_500, "9,999 characters"),
    ("emoji alone", "🎬🍿", "nothing to look for"),
    ("punctuation alone", "?!…", "nothing to look for"),
]


@pytest.mark.parametrize(("question", "says"), [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_bad_question_is_refused_with_what_to_do(question: str, says: str) -> None:
    with pytest.raises(BadQuestion, match=says):
        clean_question(question, Settings())


GOOD = [
    ("control characters are dropped", "who\x00 made\tRan?", "who made Ran?"),
    ("direction overrides are dropped", "who \u202emade\u202c Ran?", "who made Ran?"),
    ("right-to-left text stays", "من أخرج ران؟", "من أخرج ران؟"),
    ("emoji beside words stay", "who made Ran 🎬?", "who made Ran 🎬?"),
    ("a lone surrogate is dropped", "who made\ud800 Ran?", "who made Ran?"),
    ("a joined emoji stays whole", "films with 👩\u200d🚀", "films with 👩\u200d🚀"),
    ("the longest question", "a" * 2_000, "a" * 2_000),
]


@pytest.mark.parametrize(("question", "cleaned"), [c[1:] for c in GOOD], ids=[c[0] for c in GOOD])
def test_readable_question_is_kept(question: str, cleaned: str) -> None:
    assert clean_question(question, Settings()) == cleaned


# --- built in ----------------------------------------------------------------------------------


def test_built_in_goes_from_question_to_evidence(make: Callable[..., Pipeline]) -> None:
    events: list[Event] = []
    trace = make().ask("Who directed Playtime?", k=2, on_event=events.append)
    assert trace.outcome is Outcome.ANSWERED
    assert trace.candidates[0].source_id == "films"
    assert [item.value for item in trace.evidence[0].items] == [("Jacques Tati",)] or "Jacques Tati" in str(
        trace.evidence
    )
    assert trace.backbone == "built-in" and not trace.calls
    assert trace.timings.total >= trace.timings.select > 0
    assert next(e.stage for e in events if e.state == "started") is Stage.SELECT
    assert events[-1].stage is Stage.EVIDENCE


def test_a_source_that_is_broken_takes_nothing_from_the_others(make: Callable[..., Pipeline]) -> None:
    trace = make().ask("Who directed Playtime?", chosen=["lost", "films"])
    lost, films = trace.result_of("lost"), trace.result_of("films")
    assert isinstance(lost, Failed) and lost.kind == "source_unavailable" and "nowhere.db" in lost.message
    assert isinstance(films, Returned)
    assert trace.outcome is Outcome.ANSWERED


def test_every_source_failing_is_a_failure(make: Callable[..., Pipeline]) -> None:
    trace = make().ask("Who directed Playtime?", chosen=["lost"])
    assert trace.outcome is Outcome.FAILED
    assert "nowhere.db" in trace.reason


def test_k_beyond_the_catalog_means_all_with_a_note(make: Callable[..., Pipeline]) -> None:
    trace = make().ask("Who directed Playtime?", k=100)
    assert any("k is 100" in note for note in trace.notes)


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_wrong_usage(make: Callable[..., Pipeline], k: int) -> None:
    with pytest.raises(UsageError, match="at least one source"):
        make().ask("Who directed Playtime?", k=k)


def test_unknown_source_is_named_with_a_guess(make: Callable[..., Pipeline]) -> None:
    with pytest.raises(UnknownSource, match="Did you mean 'films'"):
        make().ask("Who directed Playtime?", chosen=["filmz"])


@pytest.mark.parametrize(("option", "value"), [("method", "graphql"), ("selector", "best")])
def test_unknown_option_lists_what_there_is(make: Callable[..., Pipeline], option: str, value: str) -> None:
    with pytest.raises(UsageError, match="Choose one of"):
        make(**{option: value})


def test_route_commits_to_one_source(make: Callable[..., Pipeline]) -> None:
    assert len(make(method="route").ask("Who directed Playtime?", k=3).candidates) == 1


def test_a_method_without_sources_finds_no_source(make: Callable[..., Pipeline]) -> None:
    assert make(method="cypher").ask("Who directed Playtime?").outcome is Outcome.NO_SOURCE


# --- edited queries ----------------------------------------------------------------------------


def test_an_edited_query_changes_the_evidence_and_keeps_what_was(make: Callable[..., Pipeline]) -> None:
    pipeline = make()
    trace = pipeline.ask("Who directed Playtime?", chosen=["films"])
    again = pipeline.rerun(trace, "films", "SELECT director FROM film WHERE title = 'Ran'")
    assert "Akira Kurosawa" in str(again.evidence) and "Jacques Tati" not in str(again.evidence)
    assert [a.query.origin for a in again.attempts_of("films")] == [Origin.GENERATED, Origin.EDITED]
    assert again.candidates == trace.candidates


def test_a_query_that_is_run_again_unchanged_is_not_edited(make: Callable[..., Pipeline]) -> None:
    pipeline = make()
    trace = pipeline.ask("Who directed Playtime?", chosen=["films"])
    written = trace.attempts_of("films")[0].query.text
    edited = pipeline.rerun(trace, "films", "SELECT director FROM film WHERE title = 'Ran'")
    back = pipeline.rerun(edited, "films", f"{written}\n")
    again = pipeline.rerun(back, "films", "SELECT director FROM film WHERE title = 'Ran'")
    origins = [Origin.GENERATED, Origin.EDITED, Origin.GENERATED, Origin.EDITED]
    assert [a.query.origin for a in again.attempts_of("films")] == origins
    now = back.result_of("films")
    assert now is not None and now.query is not None and now.query.origin is Origin.GENERATED


def test_an_edited_query_passes_the_same_door(make: Callable[..., Pipeline], folder: Path) -> None:
    pipeline = make()
    before = (folder / "films.db").read_bytes()
    trace = pipeline.ask("Who directed Playtime?", chosen=["films"])
    again = pipeline.rerun(trace, "films", "DELETE FROM film")
    failed = again.result_of("films")
    assert isinstance(failed, Failed) and failed.kind == "rejected"
    assert failed.query is not None and failed.query.text == "DELETE FROM film"
    assert (folder / "films.db").read_bytes() == before


def test_an_edited_query_may_go_to_a_source_that_was_no_candidate(make: Callable[..., Pipeline]) -> None:
    pipeline = make()
    trace = pipeline.ask("Who directed Playtime?", chosen=["films"])
    again = pipeline.rerun(trace, "vessels", "SELECT name FROM vessel")
    assert isinstance(again.result_of("vessels"), Returned)
    assert isinstance(again.result_of("films"), Returned)


def test_an_empty_edit_loses_nothing(make: Callable[..., Pipeline]) -> None:
    pipeline = make()
    trace = pipeline.ask("Who directed Playtime?", chosen=["films"])
    with pytest.raises(UsageError, match="back to the generated query"):
        pipeline.rerun(trace, "films", "  ")


# --- by model ----------------------------------------------------------------------------------


def test_a_fenced_reply_runs_and_the_raw_reply_stays_in_the_trace(make: Callable[..., Pipeline]) -> None:
    reply = "Sure!\n```sql\nSELECT name FROM vessel WHERE flag = 'Panama'\n```"
    trace = by_model(make, reply).ask("Which vessel is Panamanian?", chosen=["vessels"])
    result = trace.result_of("vessels")
    assert isinstance(result, Returned) and result.payload == Rows(("name",), (("Bella",),))
    assert trace.backbone == "openai/canned"
    assert reply in [c.reply for c in trace.calls if c.stage is Stage.FORMULATE]


def test_a_query_the_engine_refuses_is_repaired_once_and_both_attempts_are_kept(make: Callable[..., Pipeline]) -> None:
    trace = by_model(make, "SELECT captain FROM vessel").ask("Who commands Astrid?", chosen=["vessels"])
    failed = trace.result_of("vessels")
    assert isinstance(failed, Failed) and "captain" in failed.message
    assert sum(c.stage is Stage.FORMULATE for c in trace.calls) == 2
    assert trace.attempts_of("vessels")[0].error is not None


def test_a_refusal_is_a_finding_with_the_models_words(make: Callable[..., Pipeline]) -> None:
    trace = by_model(make, "I'm sorry, the schema has no salaries.").ask("What do sailors earn?", chosen=["vessels"])
    failed = trace.result_of("vessels")
    assert isinstance(failed, Failed) and failed.stage is Stage.FORMULATE
    assert "no salaries" in failed.message
    assert trace.attempts == ()
    assert trace.outcome is Outcome.NOTHING_ANSWERS


def test_an_endless_query_ends_at_its_deadline_while_another_source_answers(make: Callable[..., Pipeline]) -> None:
    started = time.monotonic()
    trace = by_model(make, FOREVER).ask("How many?", chosen=["vessels"])
    failed = trace.result_of("vessels")
    assert isinstance(failed, Failed) and failed.kind == "timed_out"
    assert failed.query is not None and failed.query.text.startswith("WITH RECURSIVE")
    assert time.monotonic() - started < 12


PROVIDER_ERRORS = [
    ("litellm.RateLimitError", "model_rate_limit"),
    ("litellm.ContextWindowExceededError", "model_context"),
    ("litellm.InternalServerError", "model_overloaded"),
]


@pytest.mark.parametrize(("reply", "kind"), PROVIDER_ERRORS, ids=[c[1] for c in PROVIDER_ERRORS])
def test_a_provider_error_is_a_clear_message_at_that_source(
    make: Callable[..., Pipeline], reply: str, kind: str
) -> None:
    trace = by_model(make, reply, model_seconds=5).ask("Which vessel is Panamanian?", chosen=["vessels"])
    failed = trace.result_of("vessels")
    assert isinstance(failed, Failed) and failed.kind == kind and failed.stage is Stage.FORMULATE
    assert "openai/canned" in failed.message
    assert trace.outcome is Outcome.FAILED


def test_stop_keeps_the_question_and_says_so(make: Callable[..., Pipeline]) -> None:
    stop = threading.Event()

    def stop_at_execution(event: Event) -> None:
        if event.stage is Stage.EXECUTE:
            stop.set()

    trace = by_model(make, FOREVER).ask("How many?", chosen=["vessels"], on_event=stop_at_execution, cancel=stop)
    failed = trace.result_of("vessels")
    assert isinstance(failed, Failed) and failed.kind == "stopped"
    assert failed.query is not None
    assert trace.outcome is Outcome.FAILED
    assert trace.reason == f"{STOPPED} No answer yet from: vessels."


# --- stopped by the person ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def library_loaded() -> None:
    client._library()


@pytest.fixture
def server(library_loaded: None) -> Iterator[Misbehaving]:
    with misbehaving_server() as running:
        yield running


class _Told:
    """Stages that need no model, for the stages before the one that hangs."""

    def select(self, question: str, catalog: object, k: int) -> Selection:
        raise AssertionError("not asked")

    def __call__(self, question: str, source: object, grounding: object) -> Draft:
        return Draft("SELECT name FROM vessel WHERE flag = 'Panama'")

    def repair(self, *_: object) -> None:
        return None


@pytest.mark.parametrize("stage", [Stage.SELECT, Stage.FORMULATE, Stage.EVIDENCE])
def test_stop_leaves_a_silent_model_behind(
    make: Callable[..., Pipeline], server: Misbehaving, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = make(backbone="openai/silent", api_base=server.base, settings={"model_seconds": 45.0})
    if stage is Stage.EVIDENCE:
        stages = pipeline.backbone.stages
        monkeypatch.setattr(pipeline.backbone, "stages", lambda *args: replace(stages(*args), formulate=_Told()))
    stop, events = threading.Event(), list[Event]()

    def stop_while_asked() -> None:
        while not server.requests:
            time.sleep(0.05)
        stop.set()
        pressed.append(time.monotonic())

    pressed: list[float] = []
    threading.Thread(target=stop_while_asked, daemon=True).start()
    chosen = None if stage is Stage.SELECT else ["vessels"]
    trace = pipeline.ask("Which vessel sails for Panama?", chosen=chosen, on_event=events.append, cancel=stop)
    assert time.monotonic() - pressed[0] < 1.5
    assert trace.reason.startswith(STOPPED)
    assert len(server.requests) == 1
    assert [c.stage for c in trace.calls] == [stage] and "You stopped this" in trace.calls[0].error
    if stage is Stage.EVIDENCE:
        assert trace.outcome is Outcome.ANSWERED and "Bella" in str(trace.evidence)
        assert any("built-in evidence selection" in note for note in trace.notes)
    else:
        assert trace.outcome is Outcome.FAILED and not trace.evidence
        assert [r.kind for r in trace.results if isinstance(r, Failed)] == ["stopped"] * len(trace.results)
        assert len(trace.results) == (0 if stage is Stage.SELECT else 1)
    told = len(events)
    server.released.set()
    time.sleep(0.3)
    assert len(events) == told, "nothing is told after the end"


def test_a_stopped_question_keeps_what_had_come(make: Callable[..., Pipeline], monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = make(backbone="built-in")
    stages = pipeline.backbone.stages

    class Slow(_Told):
        def __call__(self, question: str, source: Any, grounding: object) -> Draft:
            return Draft(FOREVER) if source.card.id == "films" else super().__call__(question, source, grounding)

    monkeypatch.setattr(pipeline.backbone, "stages", lambda *args: replace(stages(*args), formulate=Slow()))
    stop = threading.Event()

    def stop_after_vessels(event: Event) -> None:
        if event.source_id == "vessels" and event.state == "done":
            threading.Timer(0.3, stop.set).start()

    started = time.monotonic()
    trace = pipeline.ask(
        "Which vessel sails for Panama?", chosen=["films", "vessels"], on_event=stop_after_vessels, cancel=stop
    )
    assert time.monotonic() - started < 5
    assert trace.outcome is Outcome.ANSWERED and trace.reason.startswith(STOPPED)
    assert isinstance(trace.result_of("vessels"), Returned)
    films = trace.result_of("films")
    assert isinstance(films, Failed) and films.kind == "stopped" and films.query is not None


def test_a_rerun_can_be_stopped(make: Callable[..., Pipeline]) -> None:
    pipeline = make()
    trace = pipeline.ask("Who directed Playtime?", chosen=["films"])
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    started = time.monotonic()
    again = pipeline.rerun(trace, "films", FOREVER, cancel=stop)
    assert time.monotonic() - started < 2
    assert again.reason.startswith(STOPPED)
    failed = again.result_of("films")
    assert isinstance(failed, Failed) and failed.kind == "stopped"
    assert failed.query == NativeQuery("films", Language.SQL, FOREVER, Origin.EDITED)


@pytest.mark.parametrize("name", ["", "model", "nonsense/x"])
def test_a_model_without_a_name_is_told_once_before_anything_runs(
    make: Callable[..., Pipeline], library_loaded: None, name: str
) -> None:
    events: list[Event] = []
    with pytest.raises(ModelError, match="such as openai/gpt-5.4 or ollama/qwen2.5") as raised:
        make(backbone=name).ask("Who directed Playtime?", on_event=events.append)
    assert len(raised.value.message) < 250
    assert [e.state for e in events] == ["started"]


# --- selection apart from the rest --------------------------------------------------------------


def test_what_select_gives_is_asked_as_it_stands(make: Callable[..., Pipeline]) -> None:
    pipeline = make()
    selection = pipeline.select("Who directed Playtime?", k=2)
    assert selection.candidates == pipeline.ask("Who directed Playtime?", k=2).candidates
    first = replace(selection, candidates=selection.candidates[:1])
    events: list[Event] = []
    trace = pipeline.ask("Who directed Playtime?", k=1, selection=first, on_event=events.append)
    assert trace.candidates == first.candidates and trace.outcome is Outcome.ANSWERED
    assert [e.state for e in events if e.stage is Stage.SELECT] == ["done"]


def test_a_selection_that_is_stopped_says_so(make: Callable[..., Pipeline]) -> None:
    cancel = threading.Event()
    cancel.set()
    selection = make().select("Who directed Playtime?", cancel=cancel)
    assert selection.reason.startswith(STOPPED) and not selection.candidates


def test_select_refuses_what_ask_refuses(make: Callable[..., Pipeline]) -> None:
    with pytest.raises(UsageError):
        make().select("Who directed Playtime?", k=0)
    with pytest.raises(BadQuestion):
        make().select("  ")

"""What the page says of an answer: who answered, what was stopped, what an edit leaves as it was."""

from __future__ import annotations

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from app.answer import question_html
from app.rerun import settled
from app.words import answered_by, last_edit, was_stopped
from core.results import (
    Attempt,
    Failed,
    Fault,
    Language,
    ModelCall,
    NativeQuery,
    Origin,
    Outcome,
    Returned,
    Rows,
    Stage,
    Timings,
    Trace,
)

WRITTEN = NativeQuery("films", Language.SQL, "SELECT 1", Origin.GENERATED)
FOUND = Returned(WRITTEN, Rows(("n",), ((1,),)), False, 0.1)
ASKED = Trace(
    "q", "omni", "built-in", "probe", Outcome.ANSWERED, "", (), (), (), (Attempt(WRITTEN, None, 0.1),), (FOUND,), (),
    Timings(total=2.0), (),
)  # fmt: skip


def rerun(before: Trace, text: str) -> Trace:
    query = replace(WRITTEN, text=text, origin=Origin.EDITED)
    after = replace(
        before,
        attempts=(*before.attempts, Attempt(query, None, 0.2)),
        results=(replace(FOUND, query=query),),
        timings=Timings(total=0.01),
    )
    return settled(before, after, "films")


def test_the_same_query_once_more_is_the_same_attempt() -> None:
    again = rerun(ASKED, " SELECT 1\n")
    assert [a.query for a in again.attempts] == [WRITTEN]
    assert again.results[0].query == WRITTEN
    assert last_edit(again) is None


def test_an_edit_is_one_attempt_however_often_it_runs_and_the_question_keeps_its_time() -> None:
    edited = rerun(rerun(ASKED, "SELECT 2"), "SELECT 2")
    assert [a.query.text for a in edited.attempts] == ["SELECT 1", "SELECT 2"]
    assert last_edit(edited) is edited.results[0]
    assert edited.timings == ASKED.timings


def test_going_back_to_the_written_query_is_no_edit() -> None:
    back = rerun(rerun(ASKED, "SELECT 2"), "SELECT 1")
    assert last_edit(back) is None
    assert back.results[0].query == WRITTEN


def test_a_stopped_question_is_called_stopped() -> None:
    failed = Failed("films", Stage.FORMULATE, "stopped", "stopped", None)
    trace = replace(ASKED, backbone="openai/some", outcome=Outcome.FAILED, attempts=(), results=(failed,))
    assert was_stopped(trace)
    assert answered_by(trace) == "asked with openai/some, stopped"
    assert "answered" not in question_html(trace)


def test_a_model_that_never_replied_has_not_answered() -> None:
    call = ModelCall(Stage.FORMULATE, "films", "openai/some", (), "", None, None, None, 0.1, "no key")
    fault = Attempt(WRITTEN, Fault(Stage.EXECUTE, "rejected", "no"), 0.0)
    trace = replace(ASKED, backbone="openai/some", outcome=Outcome.FAILED, attempts=(fault,), calls=(call,))
    assert answered_by(trace) == "openai/some could not be asked"


def stopped_page() -> None:
    """The answer of a question that was stopped before any source was picked."""
    from app.answer import show_answer
    from core.pipeline import STOPPED
    from core.results import Outcome, Timings, Trace

    reason = f"{STOPPED} No sources had been chosen yet."
    show_answer(
        Trace("q", "omni", "openai/some", "probe", Outcome.FAILED, reason, (), (), (), (), (), (), Timings(), ()),
        {},
        {},
    )


def failed_page() -> None:
    """The answer of a question that failed without a result of any source."""
    from app.answer import show_answer
    from core.results import Outcome, Timings, Trace

    show_answer(
        Trace("q", "omni", "x", "probe", Outcome.FAILED, "It failed.", (), (), (), (), (), (), Timings(), ()), {}, {}
    )


def test_a_stop_before_any_source_was_picked_is_shown_as_one() -> None:
    page = AppTest.from_function(stopped_page).run()
    assert not page.exception
    assert any("You stopped this" in html.proto.body for html in page.get("html"))


def test_a_failure_without_results_is_shown_with_its_reason() -> None:
    page = AppTest.from_function(failed_page).run()
    assert not page.exception
    assert any("It failed." in html.proto.body for html in page.get("html"))

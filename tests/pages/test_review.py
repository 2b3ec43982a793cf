"""Sources are looked at, switched on and off and added before any query is written."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.pipeline import Pipeline
from core.results import Trace
from tests.pages.conftest import BROKEN, MANIFEST, html
from tests.pages.test_ask import EDITED, QUESTION, ask, evidence

OpenApp = Callable[[], AppTest]


@pytest.fixture
def reviewing(open_app: OpenApp, manifest: Path) -> OpenApp:
    """The app with a second catalogue, set to show sources before it asks them."""
    second = MANIFEST.replace('id = "films"', 'id = "second"').replace("Film catalogue", "Second catalogue")
    manifest.write_text(MANIFEST + second + BROKEN)

    def open_() -> AppTest:
        app = open_app()
        app.toggle(key="review").set_value(True).run()
        return app

    return open_


def test_nothing_is_asked_before_the_sources_are_seen(reviewing: OpenApp) -> None:
    app = ask(reviewing(), QUESTION)
    assert "These would be asked" in html(app) and 'or-evidence"' not in html(app)
    assert app.checkbox(key="review-1-films").value and app.checkbox(key="review-1-second").value
    app.checkbox(key="review-1-second").uncheck().run()
    assert app.button(key="review-go").label == "Ask 1 source"
    app.button(key="review-go").click().run()
    assert not app.exception
    assert "Ran" in evidence(app) and "1 source asked" in html(app)
    assert "Second catalogue" not in evidence(app)


def test_with_none_on_nothing_can_be_asked(reviewing: OpenApp) -> None:
    app = ask(reviewing(), QUESTION)
    for key in ("review-1-films", "review-1-second"):
        app.checkbox(key=key).uncheck()
    app.run()
    assert app.button(key="review-go").disabled and "Switch on at least one source" in html(app)


def test_a_source_that_was_not_found_can_be_added(reviewing: OpenApp) -> None:
    app = ask(reviewing(), "Who is the prime minister of Belgium?")
    assert "No source seems to hold this" in html(app)
    app.multiselect(key="review-add-1").set_value(["films"]).run()
    app.button(key="review-go").click().run()
    assert not app.exception
    assert "chosen by hand" in html(app).lower()


def test_cancel_keeps_the_question(reviewing: OpenApp) -> None:
    app = ask(reviewing(), QUESTION)
    app.button(key="review-cancel").click().run()
    assert not app.exception
    assert app.text_input(key="question").value == QUESTION and "Ask this again?" in html(app)


def test_the_sources_of_an_answer_can_be_changed(reviewing: OpenApp) -> None:
    app = ask(reviewing(), QUESTION)
    app.button(key="review-go").click().run()
    assert "2 sources asked" in html(app)
    app.button(key="review-again").click().run()
    app.button(key="review-cancel").click().run()
    assert "2 sources asked" in html(app)
    app.button(key="review-again").click().run()
    app.checkbox(key="review-2-films").uncheck().run()
    app.button(key="review-go").click().run()
    assert not app.exception
    assert "1 source asked" in html(app) and "Second catalogue" in evidence(app)


def test_the_choice_stands_in_the_address(reviewing: OpenApp) -> None:
    app = ask(reviewing(), QUESTION)
    assert app.query_params["review"] in ("1", ["1"])


def test_an_edited_query_can_be_stopped_and_is_kept(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = ask(open_app(), QUESTION)
    whole, held = Pipeline.rerun, threading.Event()

    def slow(self: Pipeline, trace: Trace, source_id: str, text: str, tell: object, cancel: threading.Event) -> Trace:
        held.set()
        cancel.set()  # as the button does
        return whole(self, trace, source_id, text, None, cancel)

    monkeypatch.setattr(Pipeline, "rerun", slow)
    app.text_area(key="query-1-films").set_value(EDITED).run()
    app.button(key="query-1-films-run").click().run()
    assert not app.exception and held.is_set()
    assert app.text_area(key="query-1-films").value == EDITED
    assert "Stopped" in html(app) or "stopped" in html(app)

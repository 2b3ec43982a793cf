"""One source in full on the Sources page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sample_sources import build
from tests.pages.conftest import APP, html


@pytest.fixture
def open_source(open_app: Callable[[], AppTest]) -> Callable[[str], AppTest]:
    """Opens the Sources page at the view of one source."""

    def open_(source_id: str) -> AppTest:
        app = open_app().switch_page("pages/sources.py")
        app.query_params["source"] = source_id
        app.run()
        assert not app.exception
        return app

    return open_


def choose(app: AppTest, source_id: str, view: str) -> AppTest:
    app.segmented_control(key=f"view-{source_id}").set_value(view).run()
    assert not app.exception
    return app


def test_a_card_opens_and_goes_back(open_app: Callable[[], AppTest]) -> None:
    app = open_app().switch_page("pages/sources.py").run()
    app.button(key="open-films").click().run()
    assert not app.exception
    assert app.query_params["source"] in ("films", ["films"])
    assert "Films with their year and studio." in html(app)
    next(b for b in app.button if b.label == "All sources").click().run()
    assert "2 registered" in html(app)


def test_what_it_holds_can_be_searched(open_source: Callable[[str], AppTest]) -> None:
    app = open_source("films")
    assert app.dataframe[0].value["name"].tolist() == ["film"]
    assert "studio" in app.dataframe[1].value["column"].tolist()
    app.text_input(key="parts-films").set_value("zebra").run()
    assert "Nothing by that name" in html(app)


def test_a_query_of_ones_own_runs_and_is_kept(open_source: Callable[[str], AppTest]) -> None:
    app = choose(open_source("films"), "films", "Query")
    assert 'FROM "film"' in app.text_area(key="native:films").value
    app.text_area(key="native:films").set_value("SELECT title FROM film WHERE year < 1960").run()
    app.button(key="native:films-run").click().run()
    assert not app.exception
    assert app.dataframe[0].value["title"].tolist() == ["Ikiru"]
    app = choose(choose(app, "films", "Limits"), "films", "Query")
    assert app.text_area(key="native:films").value.endswith("year < 1960")
    assert app.dataframe[0].value["title"].tolist() == ["Ikiru"]


@pytest.mark.parametrize("text", ["DELETE FROM film", "SELECT nothing FROM film", ""])
def test_what_may_not_or_can_not_run_is_explained(open_source: Callable[[str], AppTest], text: str) -> None:
    app = choose(open_source("films"), "films", "Query")
    app.text_area(key="native:films").set_value(text).run()
    app.button(key="native:films-run").click().run()
    assert not app.exception
    assert "or-notice" in html(app)
    assert app.text_area(key="native:films").value == text


def test_limits_are_those_in_force(open_source: Callable[[str], AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNI_QUERY_SECONDS", "7")
    page = html(choose(open_source("films"), "films", "Limits"))
    assert "7 s" in page and "One statement that reads" in page


def test_a_source_that_can_not_be_asked_says_why(open_source: Callable[[str], AppTest]) -> None:
    page = html(open_source("ledger"))
    assert "gone.db does not exist" in page and "can&#x27;t be reached" in page


def test_an_unknown_source_leaves_the_list(open_source: Callable[[str], AppTest]) -> None:
    page = html(open_source("<b>nope"))
    assert "No such source" in page and "&lt;b&gt;nope" in page and "2 registered" in page


def test_filters_and_search_narrow_the_list(open_app: Callable[[], AppTest]) -> None:
    app = open_app().switch_page("pages/sources.py").run()
    app.text_input(key="sources-search").set_value("ledger").run()
    assert "; 1 shown" in html(app) and "Film catalogue" not in html(app)
    app.text_input(key="sources-search").set_value("zebra").run()
    assert "No source fits" in html(app)
    next(b for b in app.button if b.label == "Show all").click().run()
    assert not app.exception and "Film catalogue" in html(app)


@pytest.fixture
def sample_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The app over the sample sources."""
    build.build(build.HERE)
    monkeypatch.setattr("app.state.WARM_UP_AFTER", 1e6)
    monkeypatch.setenv("OMNI_SOURCES", str(build.HERE / "sources.toml"))
    monkeypatch.setenv("OMNI_HOME", str(tmp_path / "home"))
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.session_state["plain_editor"] = True
    yield app


@pytest.mark.slow
@pytest.mark.parametrize("source_id", ["films_sql", "countries", "supply_chain", "handbook"])
def test_each_kind_has_every_view(sample_app: AppTest, source_id: str) -> None:
    app = sample_app.run().switch_page("pages/sources.py")
    app.query_params["source"] = source_id
    app.run()
    for view in app.segmented_control(key=f"view-{source_id}").options:
        choose(app, source_id, view.split()[-1] if "holds" not in view else "What it holds")
        if "Query" in view:
            app.button(key=f"native:{source_id}-run").click().run()
            assert not app.exception
            assert app.dataframe or "or-passage" in html(app)

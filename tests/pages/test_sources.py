"""The Sources page: what is there, and a red reason for what is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import html


def test_sources_are_listed_with_their_state(open_app: Callable[[], AppTest]) -> None:
    app = open_app().switch_page("pages/sources.py").run()
    assert not app.exception
    page = html(app)
    assert "2 registered, 1 can&#x27;t be asked" in page
    assert "gone.db does not exist" in page


def test_an_example_opens_in_ask_and_is_asked(open_app: Callable[[], AppTest]) -> None:
    app = open_app().switch_page("pages/sources.py").run()
    assert app.button(key="example-ledger-0").disabled
    app.button(key="example-films-0").click().run()
    assert not app.exception
    assert app.text_input(key="question").value == "Which films did Toho release?"
    assert "Ikiru" in html(app)


def test_a_broken_manifest_is_explained(open_app: Callable[[], AppTest], manifest: Path) -> None:
    app = open_app().switch_page("pages/sources.py")
    manifest.write_text("[[source]\n")
    app.run()
    assert not app.exception
    assert "The list of sources can&#x27;t be read" in html(app)

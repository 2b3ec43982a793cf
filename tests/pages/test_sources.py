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
    assert "Which films did Toho release?" in page
    assert "gone.db does not exist" in page


def test_a_broken_manifest_is_explained(open_app: Callable[[], AppTest], manifest: Path) -> None:
    app = open_app().switch_page("pages/sources.py")
    manifest.write_text("[[source]\n")
    app.run()
    assert not app.exception
    assert "The list of sources can&#x27;t be read" in html(app)

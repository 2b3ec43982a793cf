"""A small catalog of real SQLite files, and the app as a person opens it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "streamlit_app.py"
VERBATIM = "costs $5 to $9, :red[x], # head, <b>, ~~a~~"

MANIFEST = """
[[source]]
id = "films"
kind = "sql"
engine = "sqlite"
location = "films.db"
title = "Film catalogue"
descriptor = "Films with their year and studio."
examples = ["Which films did Toho release?"]
"""

BROKEN = """
[[source]]
id = "ledger"
kind = "sql"
engine = "sqlite"
location = "gone.db"
title = "Old ledger"
descriptor = "A ledger whose file is gone."
examples = ["What was paid in 1990?"]
"""

FILMS = [("Ran", 1985, "Toho"), ("Ikiru", 1952, "Toho"), ("Alien", 1979, "Fox"), (VERBATIM, 1990, "Toho")]


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A manifest with one source that works and one whose file is gone."""
    monkeypatch.setattr("app.state.WARM_UP_AFTER", 1e6)
    with sqlite3.connect(tmp_path / "films.db") as db:
        db.execute("CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, studio TEXT)")
        db.executemany("INSERT INTO film (title, year, studio) VALUES (?, ?, ?)", FILMS)
    db.close()
    path = tmp_path / "sources.toml"
    path.write_text(MANIFEST + BROKEN)
    monkeypatch.setenv("OMNI_SOURCES", str(path))
    monkeypatch.setenv("OMNI_HOME", str(tmp_path / "home"))
    yield path


@pytest.fixture
def open_app(manifest: Path) -> Callable[[], AppTest]:
    """Opens the app anew, with the plain editor, as custom components have no test driver."""

    def open_() -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=90)
        app.session_state["plain_editor"] = True
        app.run()
        assert not app.exception
        return app

    return open_


def html(app: AppTest) -> str:
    """Everything our own pieces drew."""
    return "\n".join(element.proto.body for element in app.html)

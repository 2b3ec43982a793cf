"""In Chromium: ask, edit a query in the editor, run it again, and see the evidence change, all on this machine."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MANIFEST = """
[[source]]
id = "films"
kind = "sql"
engine = "sqlite"
location = "films.db"
title = "Film catalogue"
descriptor = "Films with their year and studio."
examples = ["Which films did Toho release?"]

[[source]]
id = "crews"
kind = "graph"
engine = "arcadedb"
location = "crews"
title = "Film crews"
descriptor = "People and the films they directed."
examples = ["Who directed Ran?"]
"""


@pytest.fixture
def films_manifest(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "films.db") as db:
        db.execute("CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, studio TEXT)")
        films = [("Ran", 1985, "Toho"), ("Ikiru", 1952, "Toho"), ("Alien", 1979, "Fox")]
        db.executemany("INSERT INTO film (title, year, studio) VALUES (?, ?, ?)", films)
    db.close()
    folder = tmp_path / "crews"
    folder.mkdir()
    nodes = [
        {"id": "p1", "labels": ["Person"], "props": {"name": "Akira Kurosawa"}},
        {"id": "f1", "labels": ["Film"], "props": {"name": "Ran"}},
    ]
    rel = {"id": "r1", "type": "DIRECTED", "start": "p1", "end": "f1", "props": {}}
    (folder / "nodes.jsonl").write_text("\n".join(json.dumps(node) for node in nodes))
    (folder / "rels.jsonl").write_text(json.dumps(rel))
    path = tmp_path / "sources.toml"
    path.write_text(MANIFEST)
    return path


def ask(page: Page, question: str) -> None:
    box = page.get_by_label("Your question")
    box.fill(question)
    box.press("Enter")


def write_query(page: Page, source_id: str, query: str) -> None:
    panel = page.locator(f".st-key-panel-{source_id}")
    editor = panel.frame_locator("iframe[title*='streamlit_ace']").locator("textarea.ace_text-input")
    editor.press("Control+a")
    editor.press_sequentially(query)
    # Ace sends what was typed a moment later.
    page.wait_for_timeout(700)
    panel.get_by_role("button", name="Run again").click()


def test_an_edited_query_changes_the_evidence(tab: Page, app_url: str) -> None:
    tab.goto(app_url)
    ask(tab, "Which films did Toho release?")
    evidence = tab.locator(".or-evidence").filter(has_text="Film catalogue")
    expect(evidence).to_contain_text("Ikiru")
    expect(evidence).to_contain_text("Ran")
    write_query(tab, "films", "SELECT title FROM film WHERE studio = 'Toho' AND year > 1980")
    expect(evidence).not_to_contain_text("Ikiru")
    expect(evidence).to_contain_text("Ran")
    tab.get_by_role("button", name="Back to generated").first.click()
    expect(evidence).to_contain_text("Ikiru")


def test_a_graph_is_drawn_without_the_network(tab: Page, app_url: str) -> None:
    tab.goto(app_url)
    ask(tab, "Who directed Ran?")
    panel = tab.locator(".st-key-panel-crews")
    expect(panel).to_be_visible()
    write_query(tab, "crews", "MATCH p = (:Person)-[:DIRECTED]->(:Film) RETURN p")
    expect(panel.locator(".or-path")).to_contain_text("Akira Kurosawa")
    panel.get_by_role("radio", name="Graph").click()
    canvas = panel.frame_locator("iframe[srcdoc]").locator("#mynetwork canvas")
    expect(canvas).to_be_visible()

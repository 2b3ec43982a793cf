"""Manifests: what is wrong is named with its line and the nearest right word."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import ManifestError, SourceUnavailable, UnknownSource
from core.results import Kind, Language, Status
from core.settings import ROOT, Settings
from core.sources.manifest import load_catalog

ENTRY = """
[[source]]
id = "films"
kind = "sql"
engine = "sqlite"
location = "films.db"
title = "Films"
descriptor = "Films and directors"
"""

WRONG = [
    ("a misspelt key", ENTRY + 'descripter = "x"\n', ["line 9", "'descripter'", "Did you mean 'descriptor'"]),
    ("a misspelt table", '[[sorce]]\nid = "x"\n', ["line 1", "'sorce'", "Did you mean 'source'"]),
    ("single brackets", '[source]\nid = "x"\n', ["[[source]]"]),
    ("two sources of one id", ENTRY + ENTRY, ["line 10", "'films' is taken", "line 2"]),
    ("no title", ENTRY.replace('title = "Films"\n', ""), ["line 2", "has no title"]),
    ("an unknown engine", ENTRY.replace('"sqlite"', '"sqlit"'), ["line 2", "Did you mean 'sqlite'"]),
    ("a kind the engine does not serve", ENTRY.replace('"sql"', '"rdf"'), ["line 2", "serves kind 'sql', not 'rdf'"]),
    ("an id with a slash", ENTRY.replace('"films"', '"a/b"'), ["line 2", "'a/b'"]),
    ("an unknown limit", ENTRY + "[source.limits]\nsecond = 3\n", ["'second'", "Did you mean 'seconds'"]),
    ("a limit below zero", ENTRY + "[source.limits]\nseconds = -1\n", ["seconds", "above 0"]),
    ("a limit that is a text", ENTRY + '[source.limits]\nseconds = "5"\n', ["seconds", "above 0"]),
    ("no TOML", "[[source]\nid =", ["not valid TOML", "line 1"]),
    ("a password in an address", ENTRY.replace('"films.db"', '"postgresql://u:pw@h/db"'), ["secret_env"]),
    ("examples that are no list", ENTRY + 'examples = "x"\n', ["line 9", "examples is a list"]),
    ("examples that are no texts", ENTRY + "examples = [1]\n", ["examples is a list"]),
    ("a title that is a list", ENTRY.replace('title = "Films"', 'title = ["Films"]'), ["line 7", "title is a text"]),
    ("an id that is a number", ENTRY.replace('id = "films"', "id = 5"), ["line 3", "id is a text"]),
    ("a location that is a number", ENTRY.replace('"films.db"', "5"), ["line 6", "location is a text"]),
    ("an engine that is a list", ENTRY.replace('"sqlite"', "[]"), ["engine is a text"]),
    ("limits that are a number", ENTRY + "limits = 3\n", ["limits is a table"]),
    ("limits without end", ENTRY + "[source.limits]\nseconds = inf\n", ["line 10", "above 0"]),
    ("a limit that is no number", ENTRY + "[source.limits]\nseconds = nan\n", ["above 0"]),
    ("half a row", ENTRY + "[source.limits]\nrows = 0.5\n", ["whole number"]),
    ("disabled in words", ENTRY + 'disabled = "no"\n', ["disabled is true or false"]),
    ("an unknown kind", ENTRY.replace('"sql"', '"sq"'), ["serves kind 'sql', not 'sq'"]),
    ("a key in an address", ENTRY.replace('"films.db"', '"https://h/sparql?api_key=pw@x"'), ["secret_env"]),
    ("an address that is none", ENTRY.replace('"films.db"', '"http://[::1"'), ["no valid address"]),
    ("a secret itself", ENTRY + 'secret_env = "hunter2 pw@"\n', ["name of an environment variable"]),
    ("a misspelt key in the second source", ENTRY + ENTRY.replace('"films"', '"b"') + "titel = 1\n", ["line 17", "Did you mean 'title'"]),
    ("an unknown limit in the second source", ENTRY + ENTRY.replace('"films"', '"b"') + "[source.limits]\nrowz = 1\n", ["line 18", "'rows'"]),
    ("one key twice", ENTRY + 'title = "y"\n', ["not valid TOML", "line 9"]),
    ("text that is no manifest", "\x01\x02", ["not valid TOML"]),
]  # fmt: skip


def load(tmp_path: Path, text: str) -> object:
    path = tmp_path / "sources.toml"
    path.write_text(text)
    return load_catalog(Settings(home=tmp_path / "home"), path)


@pytest.mark.parametrize(("text", "says"), [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_wrong_manifest(tmp_path: Path, text: str, says: list[str]) -> None:
    with pytest.raises(ManifestError) as error:
        load(tmp_path, text)
    assert str(tmp_path / "sources.toml") in error.value.message
    assert [s for s in says if s not in error.value.message] == []
    assert "pw@" not in error.value.message


def test_missing_manifest_says_how_to_name_another(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="OMNI_SOURCES or --sources"):
        load_catalog(Settings(), tmp_path / "none.toml")


def test_no_sources_are_no_error(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text("")
    assert len(load_catalog(Settings(home=tmp_path), tmp_path / "sources.toml")) == 0


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "sources.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ENTRY.encode())
    assert "films" in load_catalog(Settings(home=tmp_path), path)


def test_limits_and_defaults(tmp_path: Path) -> None:
    path = tmp_path / "sources.toml"
    path.write_text(ENTRY + "[source.limits]\nseconds = 3\nrows = 7\n")
    limits = load_catalog(Settings(home=tmp_path, result_bytes=99), path)["films"].limits
    assert (limits.seconds, limits.max_items, limits.max_bytes) == (3.0, 7, 99)


def test_a_disabled_source_is_listed_and_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "sources.toml"
    path.write_text(ENTRY + "disabled = true\n")
    catalog = load_catalog(Settings(home=tmp_path), path)
    assert catalog.status("films").status is Status.DISABLED
    assert catalog.cards() == () and [c.id for c in catalog.all_cards()] == ["films"]
    with pytest.raises(SourceUnavailable, match="Disabled"):
        catalog["films"]


def test_the_sample_manifest_holds_two_of_each_kind_and_more() -> None:
    catalog = load_catalog(Settings(), ROOT / "sample_sources" / "sources.toml")
    kinds = [c.kind for c in catalog]
    assert all(kinds.count(kind) >= 2 for kind in (Kind.TEXT, Kind.SQL, Kind.RDF, Kind.GRAPH))
    assert all(len(c.examples) >= 3 and c.descriptor for c in catalog)


def test_only_keeps_what_is_named(tmp_path: Path) -> None:
    path = tmp_path / "sources.toml"
    path.write_text(ENTRY + ENTRY.replace('"films"', '"more"'))
    catalog = load_catalog(Settings(home=tmp_path), path)
    assert [c.id for c in catalog.only(ids=["more", "films"])] == ["films", "more"]
    assert len(catalog.only(language=Language.SPARQL)) == 0
    with pytest.raises(UnknownSource, match="Did you mean 'more'"):
        catalog.only(ids=["mor"])


def test_the_samples_are_registered_without_engines() -> None:
    code = (
        "import sys, time; from core.settings import Settings; from core.sources.manifest import load_catalog\n"
        "began = time.monotonic(); catalog = load_catalog(Settings()); took = time.monotonic() - began\n"
        "heavy = {'torch', 'faiss', 'numpy', 'sqlglot', 'rdflib', 'neo4j', 'bm25s', 'sentence_transformers', 'sqlite3'}\n"
        "print(len(catalog.all_cards()), took < 0.5, sorted(heavy & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.split()[1:] == ["True", "[]"] and int(said.split()[0]) >= 14


def test_a_lost_file_is_a_red_reason_and_the_others_work(tmp_path: Path) -> None:
    path = tmp_path / "sources.toml"
    path.write_text(ENTRY + ENTRY.replace('"films"', '"lost"').replace("films.db", "lost.db"))
    with sqlite3.connect(tmp_path / "films.db") as db:
        db.execute("create table film(title)")
    catalog = load_catalog(Settings(home=tmp_path / "home"), path)
    assert catalog.status("films").status is Status.READY
    lost = catalog.status("lost")
    assert lost.status is Status.ERROR and str(tmp_path / "lost.db") in lost.reason

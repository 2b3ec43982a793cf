"""What every source keeps, whatever its engine: the same cases against SQLite, Oxigraph, ArcadeDB and faiss."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import QueryRejected, QueryTimedOut, SourceUnavailable
from core.results import Passages, Returned
from core.settings import ROOT
from core.sources.base import Limits, Source
from tests.sources.conftest import Engine, open_source


def needs(query: str) -> str:
    """The query, or a skip where this language has no such thing."""
    if not query:
        pytest.skip("this language has no such query")
    return query


def test_the_card_speaks_without_a_connection(engine: Engine) -> None:
    assert engine.source.card.engine == engine.name
    assert engine.source.card.descriptor


def test_check_reaches_the_data(engine: Engine) -> None:
    engine.source.check()


def test_one_item_comes_back(engine: Engine) -> None:
    returned = engine.source.run(engine.query(needs(engine.one)))
    assert len(returned.payload.items) == 1
    assert not returned.truncated and returned.elapsed > 0


def test_nothing_is_an_answer(engine: Engine) -> None:
    returned = engine.source.run(engine.query(needs(engine.none)))
    assert isinstance(returned, Returned) and len(returned.payload.items) == 0


def test_more_than_the_limit_is_cut_and_said(engine: Engine) -> None:
    returned = engine.source.run(engine.query(engine.many), Limits(max_items=2))
    assert len(returned.payload.items) == 2
    assert returned.truncated


def test_just_the_limit_is_not_called_cut(engine: Engine) -> None:
    whole = engine.source.run(engine.query(engine.many), Limits(max_items=9_999))
    assert not whole.truncated


def test_a_result_past_the_byte_limit_is_cut_and_said(engine: Engine) -> None:
    returned = engine.source.run(engine.query(engine.many), Limits(max_bytes=1))
    assert returned.truncated
    assert len(returned.payload.items) <= 2


def test_a_write_is_refused_and_changes_nothing(engine: Engine) -> None:
    write = needs(engine.write)
    before = engine.source.run(engine.query(engine.many)).payload
    with pytest.raises(QueryRejected, match=r"read-only|reads|SELECT"):
        engine.source.run(engine.query(write))
    assert engine.source.run(engine.query(engine.many)).payload == before


def test_nonsense_is_refused(engine: Engine) -> None:
    with pytest.raises(QueryRejected):
        engine.source.run(engine.query(needs(engine.nonsense)))


def test_an_empty_query_is_refused(engine: Engine) -> None:
    with pytest.raises(QueryRejected, match="empty"):
        engine.source.run(engine.query("  "))


@pytest.mark.slow
def test_an_endless_query_is_stopped_and_the_source_lives_on(engine: Engine) -> None:
    forever = needs(engine.forever)
    started = time.monotonic()
    with pytest.raises(QueryTimedOut, match="Stopped after 1 s"):
        engine.source.run(engine.query(forever), Limits(seconds=1))
    assert time.monotonic() - started < 20
    assert len(engine.source.run(engine.query(engine.one)).payload.items) == 1


def test_a_stored_name_is_found_in_any_case(engine: Engine) -> None:
    matches = engine.source.probe([engine.known, "zzyzx"])
    assert matches
    assert {m.term for m in matches} == {engine.known}
    assert all(m.place.owner or m.place.field for m in matches)


def test_describe_names_what_is_there(engine: Engine) -> None:
    assert any(word in str(engine.source.describe()) for word in ("Film", "film", "Playtime"))


def test_two_threads_at_once(engine: Engine) -> None:
    query = engine.query(engine.many)
    with ThreadPoolExecutor(4) as pool:
        payloads = [r.payload for r in pool.map(lambda _: engine.source.run(query), range(8))]
    assert all(len(p.items) == len(payloads[0].items) for p in payloads)


def test_a_closed_source_opens_again(engine: Engine) -> None:
    engine.source.close()
    assert engine.source.run(engine.query(engine.many)).payload.items


OTHER_PROCESS = """
import sys
from pathlib import Path
from core.results import NativeQuery, Origin
from tests.sources.conftest import open_source
engine, location, home, text = sys.argv[1:]
source = open_source(engine, Path(location), Path(home))
print(len(source.run(NativeQuery("x", source.card.language, text, Origin.GIVEN)).payload.items))
"""


@pytest.mark.slow
def test_two_processes_at_once(engine: Engine, folder: Path, home: Path) -> None:
    places = {"sqlite": "films.db", "oxigraph": "films.ttl", "arcadedb": "graph", "faiss": "corpus.jsonl"}
    expected = len(engine.source.run(engine.query(engine.many)).payload.items)
    command = [
        sys.executable,
        "-c",
        OTHER_PROCESS,
        engine.name,
        str(folder / places[engine.name]),
        str(home),
        engine.many,
    ]
    others = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [int(p.communicate(timeout=120)[0]) for p in others] == [expected, expected]
    assert len(engine.source.run(engine.query(engine.many)).payload.items) == expected


BROKEN = [
    ("missing", None, "does not exist"),
    ("empty", b"", "empty|holds no|0 passages|does not exist"),
    ("another format", b"\x00\x01\x02 this is no such file\n" * 40, "not|could not|holds no|no JSON|can't"),
]


@pytest.mark.parametrize(("content", "says"), [c[1:] for c in BROKEN], ids=[c[0] for c in BROKEN])
@pytest.mark.parametrize(
    ("name", "file"),
    [("sqlite", "films.db"), ("oxigraph", "films.ttl"), ("arcadedb", "nodes.jsonl"), ("faiss", "corpus.jsonl")],
)
def test_a_broken_file_says_which_and_why(
    tmp_path: Path, home: Path, name: str, file: str, content: bytes | None, says: str
) -> None:
    place = tmp_path / file
    if content is not None:
        place.write_bytes(content)
    if name == "arcadedb":
        (tmp_path / "rels.jsonl").write_text("")
    source: Source = open_source(name, tmp_path if name == "arcadedb" else place, home)
    if name == "faiss" and content == b"":
        returned = source.run(Engine("faiss", source, "", "", "", "", "", "", "").query("anything"))
        assert returned.payload == Passages(()) and "0 passages" in returned.notes[0]
        return
    with pytest.raises(SourceUnavailable, match=says) as error:
        source.check()
    assert file in error.value.message

"""One ArcadeDB server for the graphs of a home: shared, restarted, loaded whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engines import arcadedb
from core.errors import SourceUnavailable
from core.results import Rows
from core.settings import ROOT, Settings
from core.sources.graph import GraphSource
from tests.engines.test_lifetime import eventually
from tests.sources.conftest import DATA, Engine, open_source

pytestmark = pytest.mark.slow

USER = """
import sys, time
from pathlib import Path
from tests.sources.conftest import open_source
source = open_source("arcadedb", Path(sys.argv[1]), Path(sys.argv[2]))
source.check()
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph folder of our own, so that it can be changed."""
    return Path(shutil.copytree(DATA / "graph", tmp_path_factory.mktemp("data") / "graph"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def graph(folder: Path, home: Path) -> Iterator[Engine]:
    source = open_source("arcadedb", folder, home)
    yield Engine("arcadedb", source, *[""] * 7)
    source.close()


def films(graph: Engine) -> int:
    payload = graph.source.run(graph.query("MATCH (f:Film) RETURN count(f)")).payload
    assert isinstance(payload, Rows)
    return int(str(payload.items[0][0]))


def pids(home: Path) -> tuple[int, int]:
    """The supervisor's and the server's process ids."""
    run = json.loads((home / "graph" / "run.json").read_text())
    return run["pid"], run["server_pid"]


def databases(home: Path) -> list[str]:
    return [p.name for p in (home / "graph" / "root" / "databases").iterdir() if p.is_dir()]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] != "Z"
    except OSError:
        return False


def test_a_server_that_is_killed_is_not_noticed(graph: Engine, home: Path) -> None:
    assert films(graph) == 3
    os.kill(pids(home)[1], signal.SIGKILL)
    assert films(graph) == 3


def test_the_server_dies_with_its_supervisor_and_the_next_use_starts_both(graph: Engine, home: Path) -> None:
    assert films(graph) == 3
    supervisor, server = pids(home)
    os.kill(supervisor, signal.SIGKILL)
    assert eventually(lambda: not runs(server))
    assert films(graph) == 3
    assert pids(home)[0] != supervisor


def test_a_load_that_was_broken_off_is_begun_anew(graph: Engine, folder: Path, home: Path) -> None:
    settings = Settings(home=home)
    database = arcadedb.ensure_loaded(graph.source.card.id, folder, settings)
    (home / "graph" / "loaded" / database).unlink()  # as if the process had been killed before the end
    assert films(graph) == 3
    other = open_source("arcadedb", folder, home)
    assert films(Engine("arcadedb", other, *[""] * 7)) == 3, "nothing is there twice"
    other.close()


def test_a_database_that_somebody_dropped_is_loaded_again(graph: Engine, home: Path) -> None:
    assert films(graph) == 3
    assert isinstance(graph.source, GraphSource)
    arcadedb._command(Settings(home=home), f"drop database {graph.source._loaded()}")
    assert films(graph) == 3


def test_a_failed_load_leaves_the_earlier_graph(graph: Engine, folder: Path, home: Path) -> None:
    assert films(graph) == 3
    whole = (folder / "nodes.jsonl").read_text()
    (folder / "nodes.jsonl").write_text(whole + '{"id": "new", "labels": ["Film"], ')
    try:
        with pytest.raises(SourceUnavailable, match=r"nodes.jsonl line \d+ is not a JSON object"):
            open_source("arcadedb", folder, home).check()
        assert films(graph) == 3
        assert len(databases(home)) == 1, "the half-filled one is gone"
    finally:
        (folder / "nodes.jsonl").write_text(whole)


def test_a_later_version_replaces_the_earlier_and_what_was_broken_off(folder: Path, tmp_path: Path) -> None:
    data = Path(shutil.copytree(folder, tmp_path / "graph-files"))
    early = open_source("arcadedb", data, tmp_path)
    early.check()
    arcadedb._command(Settings(home=tmp_path), "create database films_arcadedb_0123456789ab")
    with (data / "nodes.jsonl").open("a") as nodes:
        nodes.write('\n{"id": "new", "labels": ["Film"], "props": {"title": "Stalker"}}\n')
    late = open_source("arcadedb", data, tmp_path)
    assert films(Engine("arcadedb", late, *[""] * 7)) == 4
    assert len(databases(tmp_path)) == 1
    assert films(Engine("arcadedb", early, *[""] * 7)) == 4, "who had the earlier one open is given the later"
    early.close()
    late.close()


def test_a_full_disk_is_named_with_what_to_do(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(arcadedb, "_load", full)
    with pytest.raises(SourceUnavailable, match=r"No space left.*Free some space"):
        arcadedb.ensure_loaded("one", folder, Settings(home=tmp_path))
    assert not list((tmp_path / "graph" / "loaded").glob("one_*"))


def test_it_ends_with_its_users_also_after_kill_9(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", USER, str(folder), str(tmp_path)]
    users = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [p.stdout and p.stdout.readline() for p in users] == ["ready\n"] * 2, "both start at once"
    server = pids(tmp_path)[1]
    os.kill(users[0].pid, signal.SIGKILL)
    assert runs(server)
    os.kill(users[1].pid, signal.SIGKILL)
    assert eventually(lambda: not runs(server))


def test_a_closed_source_needs_no_server(folder: Path, tmp_path: Path) -> None:
    source = open_source("arcadedb", folder, tmp_path)
    source.check()
    server = pids(tmp_path)[1]
    source.close()
    assert eventually(lambda: not runs(server))


def test_passwords_and_run_file_are_for_the_owner_only(graph: Engine, home: Path) -> None:
    films(graph)
    assert (home / "graph" / "run.json").stat().st_mode & 0o077 == 0
    arguments = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids(home))
    state = arcadedb.server(Settings(home=home)).state()
    for _, password in (state.info["admin"], state.info["reader"]):
        assert str(password).encode() not in arguments

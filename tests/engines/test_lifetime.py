"""A local server belongs to its data directory: it starts once, is shared, restarts, and outlives nobody."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.engines import oxigraph
from core.engines.local import LocalServer
from core.errors import SourceUnavailable
from core.settings import ROOT, Settings

pytestmark = pytest.mark.slow

TTL = "@prefix ex: <http://e/> . ex:a ex:b ex:c ."

USER = """
import sys, time
from pathlib import Path
from core.engines import oxigraph
from core.settings import Settings
server = oxigraph.serve("one", [Path(sys.argv[1])], Settings(home=Path(sys.argv[2])), 5)
print(server.state().info["port"], flush=True)
time.sleep(600)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "one.ttl"
    path.write_text(TTL)
    return path


@pytest.fixture
def server(data: Path, tmp_path: Path) -> Iterator[LocalServer]:
    made = oxigraph.serve("one", [data], Settings(home=tmp_path / "home"), 5)
    yield made
    made.release()


def user(data: Path, home: Path) -> tuple[subprocess.Popen[str], int]:
    """Another process that uses the same server, and the port it was given."""
    command = [sys.executable, "-c", USER, str(data), str(home)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def run_file(server: LocalServer) -> dict[str, object]:
    content: dict[str, object] = json.loads((server.spec.folder / "run.json").read_text())
    return content


def listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def eventually(condition: Callable[[], bool], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.1)
    return condition()


def test_two_processes_share_one_server(server: LocalServer, data: Path, tmp_path: Path) -> None:
    port = server.state().info["port"]
    other, shared = user(data, tmp_path / "home")
    other.kill()
    assert shared == port


def test_it_ends_with_its_last_user_also_after_kill_9(data: Path, tmp_path: Path) -> None:
    first, port = user(data, tmp_path / "home")
    second, _ = user(data, tmp_path / "home")
    os.kill(first.pid, signal.SIGKILL)
    time.sleep(4.5)
    assert listens(port), "the second user still needs it"
    os.kill(second.pid, signal.SIGKILL)
    assert eventually(lambda: not listens(port))


def test_a_server_that_dies_is_restarted(server: LocalServer) -> None:
    before = server.state()
    os.kill(int(str(run_file(server)["server_pid"])), signal.SIGKILL)
    assert eventually(lambda: server.state().generation > before.generation)
    assert listens(server.state().info["port"])


def test_the_server_dies_with_its_supervisor_and_the_next_use_starts_both(server: LocalServer) -> None:
    port = server.state().info["port"]
    os.kill(int(str(run_file(server)["pid"])), signal.SIGKILL)
    assert eventually(lambda: not listens(port))
    assert listens(server.state().info["port"])


def test_two_processes_that_start_at_once_get_one_server(data: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", USER, str(data), str(tmp_path / "home")]
    users = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    try:
        assert len({p.stdout and p.stdout.readline() for p in users}) == 1
    finally:
        for process in users:
            process.kill()


def test_a_killed_supervisor_leaves_no_runtime_folder_behind(server: LocalServer) -> None:
    server.state()
    runtime = Path(str(run_file(server)["socket"])).parent
    assert runtime.stat().st_mode & 0o077 == 0
    os.kill(int(str(run_file(server)["pid"])), signal.SIGKILL)
    server.state()
    assert not runtime.exists()


def test_a_long_temporary_folder_is_no_place_for_a_socket(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setenv("TMPDIR", str(deep))
    assert listens(server.state().info["port"])


def test_restarts_that_users_ask_for_are_no_crashes(server: LocalServer) -> None:
    state = server.state()
    for _ in range(9):
        state = server.restart(state.generation)
    assert listens(state.info["port"])


def test_a_server_that_keeps_ending_is_given_up_with_its_log(server: LocalServer) -> None:
    def crash() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(str(run_file(server)["server_pid"])), signal.SIGKILL)
        time.sleep(0.4)
        server.state()

    server.state()
    with pytest.raises(SourceUnavailable, match="times within a minute; see .*server.log"):
        for _ in range(9):
            crash()


def test_a_loader_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    starter = (
        "import subprocess, sys; subprocess.run([sys.executable, '-m', 'core.engines.bound', '/bin/sh', '-c', "
        "'echo $$; exec sleep 60'])"
    )
    process = subprocess.Popen([sys.executable, "-c", starter], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    loader = int(process.stdout.readline())
    process.kill()
    process.wait()
    assert eventually(lambda: not Path(f"/proc/{loader}/stat").exists() or _is_zombie(loader), 5)


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] == "Z"
    except OSError:
        return True


def test_a_restart_happens_once_for_all_who_ask(server: LocalServer) -> None:
    before = server.state().generation
    assert server.restart(before).generation == before + 1
    assert server.restart(before).generation == before + 1


def test_the_run_file_is_for_its_owner_only(server: LocalServer) -> None:
    server.state()
    assert (server.spec.folder / "run.json").stat().st_mode & 0o077 == 0


def test_children_get_no_secrets(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-children")
    server.state()
    for process in ("pid", "server_pid"):
        environment = Path(f"/proc/{run_file(server)[process]}/environ").read_bytes()
        assert b"PATH=" in environment and b"not-for-children" not in environment


def test_a_port_that_is_taken_is_not_fatal(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.engines import supervisor

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = iter([taken.getsockname()[1]])
        real = supervisor.free_port
        monkeypatch.setattr(supervisor, "free_port", lambda: next(ports, None) or real())
        folder = tmp_path / "store"
        subprocess.run(
            [oxigraph.program(), "load", "-l", str(folder), "-f", str(data)], check=True, capture_output=True
        )
        command = [oxigraph.program(), "serve-read-only", "-l", str(folder), "-b", "127.0.0.1:{port}"]
        spec = {"folder": str(tmp_path), "command": command, "memory_mb": 2_000, "ready_line": False, "environment": {}}
        one = supervisor.Supervisor(spec)
        try:
            one._start()
            assert one.state["port"] != taken.getsockname()[1]
        finally:
            one._stop_child(hard=True)
            shutil.rmtree(one.runtime)


def test_new_data_is_loaded_beside_the_old(server: LocalServer, data: Path, tmp_path: Path) -> None:
    server.state()
    data.write_text(TTL + " ex:d ex:e ex:f .")
    newer = oxigraph.serve("one", [data], Settings(home=tmp_path / "home"), 5)
    assert newer.spec.folder != server.spec.folder
    assert listens(server.state().info["port"]) and listens(newer.state().info["port"])
    newer.release()


def test_a_file_that_is_no_rdf_leaves_nothing_half_loaded(data: Path, tmp_path: Path) -> None:
    data.write_text("this is no turtle at all {")
    with pytest.raises(SourceUnavailable, match=r"one.ttl could not be loaded as RDF: Parser error at line 1 "):
        oxigraph.serve("one", [data], Settings(home=tmp_path / "home"), 5)
    assert not list((tmp_path / "home" / "rdf").glob("one-*/store"))


def test_a_full_disk_is_named_with_what_to_do(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(oxigraph, "_run_load", full)
    with pytest.raises(SourceUnavailable, match="No space left.*Free some space"):
        oxigraph.serve("one", [data], Settings(home=tmp_path / "home"), 5)

"""Attach to a local server, starting it if nobody has: the client's side of `core.engines.supervisor`."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.engines.supervisor import RUNTIME_PREFIX, kept_environment
from core.errors import SourceUnavailable
from core.settings import ROOT

START_SECONDS = 120.0
ANSWER_SECONDS = 100.0
TRIES = 4


@dataclass(frozen=True, slots=True)
class Spec:
    """How one server is started; `folder` is the data directory it belongs to.

    `{port}` in `command` becomes a free port. With `ready_line` the server prints one line of JSON when
    it is up and ends when its standard input closes; otherwise it answers HTTP on the port.
    """

    name: str
    folder: Path
    command: tuple[str, ...]
    memory_mb: int
    """Resident memory past which the server is restarted."""
    ready_line: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """The supervisor's argument."""
        return json.dumps(
            {
                "folder": str(self.folder),
                "command": list(self.command),
                "memory_mb": self.memory_mb,
                "ready_line": self.ready_line,
                "environment": dict(self.environment),
            }
        )


@dataclass(frozen=True, slots=True)
class ServerState:
    """Where a running server is; `generation` counts its starts."""

    generation: int
    info: Mapping[str, Any]


class LocalServer:
    """A lease on one server; thread-safe. The lease lasts until `release` or the end of this process."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None

    def state(self) -> ServerState:
        """The running server, started or restarted if need be.

        Raises:
            SourceUnavailable: It can't be started; the message says where its log is.
        """
        return self._ask({"ask": "state"})

    def restart(self, generation: int) -> ServerState:
        """The server after a restart, unless somebody has restarted it since `generation` already."""
        return self._ask({"ask": "restart", "generation": generation})

    def release(self) -> None:
        """End the lease."""
        with self._lock:
            if self._connection:
                self._connection.close()
                self._connection = None

    def _ask(self, request: dict[str, Any]) -> ServerState:
        with self._lock:
            for number in range(TRIES):
                # A supervisor that is just ending may still accept a connection, and then break it.
                time.sleep(0.2 * number)
                try:
                    answer = self._exchange(request)
                except (OSError, ValueError) as error:
                    self._forget()
                    if number == TRIES - 1:
                        raise SourceUnavailable(
                            f"The local {self.spec.name} server does not answer: {error}. "
                            f"Its log is {self.spec.folder / 'server.log'}."
                        ) from error
                    continue
                if answer["error"]:
                    self._forget()
                    raise SourceUnavailable(f"{self.spec.name}: {answer['error']}")
                generation = answer.pop("generation")
                return ServerState(generation, answer)
        raise AssertionError("the loop returns or raises")

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._connection is None:
            self._connection = attach(self.spec)
        self._connection.sendall(json.dumps(request).encode() + b"\n")
        received = b""
        while not received.endswith(b"\n"):
            part = self._connection.recv(65536)
            if not part:
                raise ConnectionError("its supervisor ended")
            received += part
        answer: dict[str, Any] = json.loads(received)
        return answer

    def _forget(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None


def attach(spec: Spec) -> socket.socket:
    """A connection to the supervisor of `spec.folder`, which is started under a lock if there is none.

    Raises:
        SourceUnavailable: It does not come up.
    """
    from filelock import FileLock

    try:
        spec.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(spec.folder / "start.lock", timeout=START_SECONDS):
            connection = _connect(spec.folder)
            return connection or _start(spec)
    except OSError as error:
        raise SourceUnavailable(f"The local {spec.name} server can't be started in {spec.folder}: {error}.") from error


def _connect(folder: Path) -> socket.socket | None:
    try:
        path = json.loads((folder / "run.json").read_text())["socket"]
    except (OSError, ValueError, KeyError):
        return None
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(ANSWER_SECONDS)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        return None
    return connection


def _clear_away(run_file: Path) -> None:
    """Remove what a supervisor that was killed has left."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        runtime = Path(json.loads(run_file.read_text())["socket"]).parent
        if runtime.name.startswith(RUNTIME_PREFIX):
            shutil.rmtree(runtime, ignore_errors=True)
    run_file.unlink(missing_ok=True)


def _start(spec: Spec) -> socket.socket:
    _clear_away(spec.folder / "run.json")
    log = (spec.folder / "supervisor.log").open("wb")
    environment = kept_environment() | {"PYTHONPATH": str(ROOT)}
    with log:
        process = subprocess.Popen(
            [sys.executable, "-m", "core.engines.supervisor", spec.to_json()],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
    # Reaped by a thread, so that no zombie stays when the server ends before this process does.
    threading.Thread(target=process.wait, daemon=True).start()
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        connection = _connect(spec.folder)
        if connection:
            return connection
        time.sleep(0.03)
    said = (spec.folder / "supervisor.log").read_text(errors="replace").strip().splitlines()
    raise SourceUnavailable(
        f"The local {spec.name} server did not start: {said[-1] if said else 'it said nothing'}. "
        f"Its logs are in {spec.folder}."
    )

"""A small process that owns one local server: starts it, restarts it, and ends it with its last user.

Clients hold a lease by keeping a Unix socket open; the kernel closes it when a client dies, however it
dies. The server dies with this process: its standard input is a pipe from here, and on Linux the kernel
also signals it (the signal is tied to the thread that starts the child, which is this main thread).

    python -m core.engines.supervisor SPEC     SPEC is the JSON of `core.engines.local.Spec`
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

TICK_SECONDS = 0.1
LINGER_SECONDS = 3.0
"""How long a server waits for another user after its last one, so that commands in a row share it."""
FIRST_LEASE_SECONDS = 30.0
START_SECONDS = 60.0
START_TRIES = 5
RESTARTS_PER_MINUTE = 6
RETRY_SECONDS = 10.0
KEPT_VARIABLES = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TZ",
    "LD_LIBRARY_PATH",
    "OPENBLAS_CORETYPE",
    "SYSTEMROOT",
)
RUNTIME_PREFIX = "omni-"
LONGEST_RUNTIME_PARENT = 80
"""A Unix socket's path may have 104 bytes on some systems."""
PR_SET_PDEATHSIG = 1


class StartFailed(Exception):
    """The server did not come up."""


class Supervisor:
    """One server, its clients and its run file."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.folder = Path(spec["folder"])
        self.runtime = Path(tempfile.mkdtemp(prefix=RUNTIME_PREFIX, dir=runtime_parent()))
        self.selector = selectors.DefaultSelector()
        self.listener = socket.socket(socket.AF_UNIX)
        self.clients: dict[socket.socket, bytes] = {}
        self.child: subprocess.Popen[bytes] | None = None
        self.state: dict[str, Any] = {"generation": 0, "error": ""}
        self.restarts: list[float] = []
        self.idle_since = time.monotonic()
        self.served = False
        self.gave_up = 0.0

    def run(self) -> None:
        """Serve until the last lease has ended."""
        try:
            self._listen()
            self._start()
            self._write_run_file()
            self.idle_since = time.monotonic()
            while not self._is_over():
                for key, _ in self.selector.select(TICK_SECONDS):
                    self._accept() if key.fileobj is self.listener else self._read(key.fileobj)  # type: ignore[arg-type]
                self._look_after_child()
        finally:
            self._run_file().unlink(missing_ok=True)
            self._stop_child()
            self.listener.close()
            shutil.rmtree(self.runtime, ignore_errors=True)

    def _listen(self) -> None:
        self.listener.bind(str(self.runtime / "s"))
        self.listener.listen(64)
        self.listener.setblocking(False)
        self.selector.register(self.listener, selectors.EVENT_READ)

    def _is_over(self) -> bool:
        wait = LINGER_SECONDS if self.served else FIRST_LEASE_SECONDS
        return not self.clients and time.monotonic() - self.idle_since > wait

    def _accept(self) -> None:
        client, _ = self.listener.accept()
        client.settimeout(5)
        self.clients[client] = b""
        self.served = True
        self.selector.register(client, selectors.EVENT_READ)

    def _read(self, client: socket.socket) -> None:
        try:
            data = client.recv(4096)
        except OSError:
            data = b""
        if not data:
            self._drop(client)
            return
        *lines, self.clients[client] = (self.clients[client] + data).split(b"\n")
        for line in lines:
            self._answer(client, json.loads(line))

    def _answer(self, client: socket.socket, request: dict[str, Any]) -> None:
        is_wanted = request["ask"] == "restart" and request["generation"] == self.state["generation"]
        is_due = self.child is None and time.monotonic() - self.gave_up > RETRY_SECONDS
        if is_wanted or is_due:
            self._restart(asked=True)
        self._look_after_child()
        try:
            client.sendall(json.dumps(self.state).encode() + b"\n")
        except OSError:
            self._drop(client)

    def _drop(self, client: socket.socket) -> None:
        self.selector.unregister(client)
        del self.clients[client]
        client.close()
        self.idle_since = time.monotonic()

    def _look_after_child(self) -> None:
        if self.child is None:
            return
        if self.child.poll() is not None or self._memory_mb() > self.spec["memory_mb"]:
            self._restart()

    def _memory_mb(self) -> float:
        try:
            pages = int(Path(f"/proc/{self.child.pid}/statm").read_text().split()[1])  # type: ignore[union-attr]
        except (OSError, IndexError, ValueError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def _restart(self, *, asked: bool = False) -> None:
        now = time.monotonic()
        if not asked:
            self.restarts = [t for t in self.restarts if now - t < 60] + [now]
        self._stop_child(hard=True)
        if len(self.restarts) > RESTARTS_PER_MINUTE:
            self._give_up(f"The local server ended {len(self.restarts)} times within a minute; see {self._log()}.")
            return
        try:
            self._start()
            self._write_run_file()
        except StartFailed as error:
            self._give_up(str(error))

    def _give_up(self, reason: str) -> None:
        """Say `reason` to whoever asks, and try again for those who ask later."""
        self.state["error"] = reason
        self.gave_up = time.monotonic()
        self.restarts.clear()

    def _start(self) -> None:
        problem = ""
        for number in range(START_TRIES):
            if number:
                time.sleep(0.5 * number)
            port = free_port()
            command = [part.replace("{port}", str(port)) for part in self.spec["command"]]
            with self._log().open("wb") as log:
                self._log().chmod(0o600)
                self.child = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE if self.spec["ready_line"] else log,
                    stderr=log,
                    env=kept_environment() | self.spec["environment"],
                    cwd=self.folder,
                    preexec_fn=die_with_parent if sys.platform == "linux" else None,
                )
            info = self._wait_ready(port)
            if info is not None:
                self.state = {"generation": self.state["generation"] + 1, "error": "", **info}
                return
            problem = self._log().read_text(errors="replace")[-400:].strip()
            self._stop_child(hard=True)
        raise StartFailed(f"The local server did not start: {problem or 'no word from it'}. Its log is {self._log()}.")

    def _wait_ready(self, port: int) -> dict[str, Any] | None:
        assert self.child is not None
        deadline = time.monotonic() + START_SECONDS
        if self.spec["ready_line"]:
            return _ready_line(self.child, deadline)
        while time.monotonic() < deadline and self.child.poll() is None:
            if _answers(port):
                # Another program may have taken the port between our look and the server's bind.
                time.sleep(0.05)
                return {"port": port} if self.child.poll() is None else None
            time.sleep(0.03)
        return None

    def _stop_child(self, hard: bool = False) -> None:
        if self.child is None:
            return
        child, self.child = self.child, None
        if hard:
            child.kill()
        if child.stdin:
            with contextlib.suppress(OSError):
                child.stdin.close()
        if not self.spec["ready_line"]:
            child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _write_run_file(self) -> None:
        body = {"pid": os.getpid(), "socket": str(self.runtime / "s"), "server_pid": self.child and self.child.pid}
        part = self._run_file().with_suffix(".part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(body | self.state, file)
        part.replace(self._run_file())

    def _run_file(self) -> Path:
        return self.folder / "run.json"

    def _log(self) -> Path:
        return self.folder / "server.log"


def kept_environment() -> dict[str, str]:
    """The variables of this process that a child may see; secrets are not among them."""
    return {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}


def runtime_parent() -> str | None:
    """Where the socket's folder goes: the usual temporary folder, unless its path is too long for a socket."""
    too_long = len(os.fsencode(tempfile.gettempdir())) > LONGEST_RUNTIME_PARENT
    return "/tmp" if too_long else None  # noqa: S108 - the folder made in it is new and its owner's only


def free_port() -> int:
    """A port on loopback that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def die_with_parent() -> None:
    """Ask the kernel to kill this process when the thread that started it ends (Linux)."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _ready_line(child: subprocess.Popen[bytes], deadline: float) -> dict[str, Any] | None:
    assert child.stdout is not None
    received = b""
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while time.monotonic() < deadline and child.poll() is None:
            if not selector.select(0.1):
                continue
            part = os.read(child.stdout.fileno(), 65536)
            if not part:
                return None
            *lines, received = (received + part).split(b"\n")
            for line in lines:
                if line.startswith(b'{"'):
                    info: dict[str, Any] = json.loads(line)
                    return info
    return None


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/query?query=ASK%7B%7D", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


if __name__ == "__main__":
    # A person's Ctrl-C at the terminal ends the program that asked, not the server that others share.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    Supervisor(json.loads(sys.argv[1])).run()

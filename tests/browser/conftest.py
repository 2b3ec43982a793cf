"""A running app and a Chromium that reports every request that leaves the machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import chromium

ROOT = Path(__file__).parents[2]
CHROMIUM_ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
expect.set_options(timeout=60_000)
HERE = ("127.0.0.1", "localhost")


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_up(url: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Wait for a server to answer."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"{url} is not up (exit code {process.poll()})")


@pytest.fixture(scope="module")
def opened_chromium() -> Iterator[Browser]:
    """A headless Chromium, as installed on this machine."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGS)
        yield opened
        opened.close()


@pytest.fixture
def app_url(tmp_path: Path, films_manifest: Path) -> Iterator[str]:
    """The address of the app, started as `make run` starts it."""
    port = free_port()
    environment = {**os.environ, "OMNI_HOME": str(tmp_path / "home"), "OMNI_SOURCES": str(films_manifest)}
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port)]
    with (tmp_path / "app.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture
def tab(opened_chromium: Browser) -> Iterator[Page]:
    """A tab that fails the test when a request goes anywhere but this machine."""
    outside: list[str] = []

    def watch(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in HERE:
            outside.append(url)

    window = opened_chromium.new_page(viewport={"width": 1440, "height": 900})
    window.on("request", lambda request: watch(request.url))
    window.on("websocket", lambda socket: watch(socket.url))
    window.set_default_timeout(60_000)
    yield window
    window.close()
    assert not outside, f"requests left the machine: {outside}"

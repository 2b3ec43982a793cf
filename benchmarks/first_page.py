"""Time of the first page in Chromium against a bare Streamlit page: median of five of each, in one run.

    python -m benchmarks.first_page

Both servers are new for every measurement, so that imports count; a page is there when its last
element is. The two kinds take turns, so that a busy machine is busy for both.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
TARGET = 1.5
BARE = 'import streamlit as st\nst.title("Bare")\nst.text_input("Your question")\nst.html("<p id=last>last</p>")\n'
CHROMIUM_ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def first_page_seconds(browser: Browser, script: Path, last: str, folder: Path) -> float:
    """Seconds from opening the address of a server that has just come up to the page's last element."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.headless", "true", "--browser.gatherUsageStats", "false", "--server.address", "127.0.0.1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "OMNI_HOME": str(folder / "home")}
    process = subprocess.Popen(command, cwd=script.parent, env=environment, **quiet)  # type: ignore[call-overload]
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health")
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        started = time.perf_counter()
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(last).last.wait_for(timeout=120_000)
        seconds = time.perf_counter() - started
        context.close()
        return seconds
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(url: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"{url} is not up")


def measure(rounds: int = ROUNDS) -> tuple[list[float], list[float]]:
    """Seconds of the bare page and of ours, `rounds` of each."""
    bare, ours = [], []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        (folder / "bare.py").write_text(BARE)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_ARGS)
        for _ in range(rounds):
            bare.append(first_page_seconds(browser, folder / "bare.py", "#last", folder))
            ours.append(first_page_seconds(browser, ROOT / "streamlit_app.py", ".st-key-below button", folder))
        browser.close()
    return bare, ours


def main() -> int:
    """Print both medians and their ratio."""
    bare, ours = measure()
    ratio = statistics.median(ours) / statistics.median(bare)
    for name, values in (("bare Streamlit page", bare), ("first page", ours)):
        listed = " ".join(f"{value:.2f}" for value in values)
        print(f"{name:<20} median {statistics.median(values):.2f} s  ({listed})")
    print(f"ratio {ratio:.2f} (target at most {TARGET})")
    return 0 if ratio <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())

"""What every test needs: a state folder of its own, one thread, and a word about what was left out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("OMNI_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from core.settings import Settings
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog
from sample_sources import build

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The path of an installed Chromium, if any."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def bench_dir() -> Path:
    """The benchmark data named by OMNI_BENCH_DIR; the test is skipped where there is none."""
    folder = os.environ.get("OMNI_BENCH_DIR")
    if not folder or not Path(folder).is_dir():
        pytest.skip("OMNI_BENCH_DIR names no folder of benchmark data")
    return Path(folder)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    """The sample sources, built, with a state folder of their own."""
    build.build(build.HERE)
    catalog = load_catalog(Settings(home=tmp_path_factory.mktemp("samples")), build.HERE / "sources.toml")
    yield catalog
    catalog.close()


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests see default settings, whatever the shell that runs them has set."""
    for name in list(os.environ):
        if name.startswith("OMNI_") and name not in ("OMNI_THREADS", "OMNI_BENCH_DIR", "OMNI_HOME"):
            monkeypatch.delenv(name)
    yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if chromium():
        return
    for item in items:
        if "browser" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="Chromium is not installed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not chromium():
        terminalreporter.write_line(
            "Browser tests were left out: no Chromium found. On Debian: apt-get install chromium.", yellow=True
        )

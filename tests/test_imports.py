"""What is heavy is not imported before it is needed, and core never imports Streamlit."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.settings import ROOT

HEAVY = ("torch", "sentence_transformers", "litellm", "faiss", "streamlit", "neo4j", "SPARQLWrapper", "bm25s", "pandas")

LOADS_THE_CATALOG = """
from core.settings import Settings
from core.sources.manifest import load_catalog
load_catalog(Settings())
"""


@pytest.mark.parametrize(
    "code",
    ["import core.pipeline", "import core.cli", "import core.backbone", LOADS_THE_CATALOG],
    ids=["pipeline", "command line", "backbone", "loading the catalog"],
)
def test_heavy_libraries_wait(code: str) -> None:
    probe = f"{code}\nimport sys\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []

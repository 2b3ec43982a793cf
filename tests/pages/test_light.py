"""The first page loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = ("torch", "sentence_transformers", "litellm", "faiss", "rdflib", "neo4j", "pyvis", "streamlit_ace")
ROOT = Path(__file__).parents[2]

SCRIPT = f"""
import sys
import app.answer, app.ask_form, app.page, app.progress, app.source_list, app.state, app.welcome
from core.settings import Settings
from core.sources.manifest import load_catalog
print([name for name in {HEAVY!r} if name in sys.modules])
"""


def test_what_the_pages_import_is_light() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

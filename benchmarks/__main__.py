"""Every measurement, one after the other; each can be run alone.

python -m benchmarks
"""

from __future__ import annotations

import os
import subprocess
import sys

from core.settings import ROOT

MEASUREMENTS = {
    "questions": "our own questions, start to finish",
    "speed": "warm questions: p50, p95, overhead, overlap",
    "outside": "public questions, gold source given (needs OMNI_BENCH_DIR)",
    "first_page": "the first page against a bare Streamlit page (needs Chromium)",
}


def main() -> int:
    """Run each in a process of its own; the exit code counts the failures."""
    failures = 0
    for name, what in MEASUREMENTS.items():
        print(f"\n== {name}: {what}", flush=True)
        if name == "outside" and not os.environ.get("OMNI_BENCH_DIR"):
            print("left out: OMNI_BENCH_DIR names no folder")
            continue
        failures += bool(subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=ROOT, check=False).returncode)
    return failures


if __name__ == "__main__":
    sys.exit(main())

"""Run a program that ends when the process that started it does, even by kill -9 (on Linux).

    python -m core.engines.bound PROGRAM [ARGUMENT]...

The signal is tied to the thread that started this; that thread has to wait for it.
"""

from __future__ import annotations

import os
import sys

from core.engines.supervisor import die_with_parent

if __name__ == "__main__":
    if sys.platform == "linux":
        die_with_parent()
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 - no shell is wanted

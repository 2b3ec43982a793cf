"""Clearing away what earlier states of a source left behind."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path


def keep_newest(folder: Path, name: str, count: int) -> None:
    """Remove all but the newest `count` entries of `folder` whose whole name fits the pattern `name`."""

    def age(path: Path) -> float:
        with contextlib.suppress(OSError):
            return path.stat().st_mtime
        return 0.0

    found = [path for path in folder.iterdir() if re.fullmatch(name, path.name)] if folder.is_dir() else []
    for old in sorted(found, key=age, reverse=True)[count:]:
        with contextlib.suppress(OSError):
            if old.is_dir():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.unlink(missing_ok=True)

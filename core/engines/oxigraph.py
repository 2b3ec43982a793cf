"""Oxigraph: load RDF files into a fresh store, and serve it read-only on loopback."""

from __future__ import annotations

import hashlib
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from core.engines.local import LocalServer, Spec
from core.errors import SourceUnavailable
from core.settings import Settings

LOAD_SECONDS = 600.0
OVERHEAD_MB = 512
"""Resident memory of the store's own caches, on top of what a query may use."""


def fingerprint(files: Sequence[Path]) -> str:
    """A short key of the files' names, sizes and times; changes when any of them does."""
    facts = [f"{f.name}:{f.stat().st_size}:{f.stat().st_mtime_ns}" for f in sorted(files)]
    return hashlib.sha256("|".join(facts).encode()).hexdigest()[:16]


def serve(source_id: str, files: Sequence[Path], settings: Settings, seconds: float) -> LocalServer:
    """A server over the store of `files`, loaded first if this version of them has not been.

    Raises:
        SourceUnavailable: The files can't be parsed, or the disk is full; an earlier store stays as it was.
    """
    folder = settings.home.absolute() / "rdf" / f"{source_id}-{fingerprint(files)}"
    if not (folder / "store").is_dir():
        _load(source_id, files, folder)
    command = (
        program(),
        "serve-read-only",
        "--location",
        str(folder / "store"),
        "--bind",
        "127.0.0.1:{port}",
        "--timeout-s",
        str(math.ceil(seconds)),
    )
    return LocalServer(Spec("Oxigraph", folder, command, settings.heap_mb + OVERHEAD_MB))


def program() -> str:
    """Path of the oxigraph program that its package installs beside Python."""
    found = shutil.which(
        "oxigraph", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    )
    if not found:
        raise SourceUnavailable("The oxigraph program is not installed. Install oxigraph (requirements.txt has it).")
    return found


def _load(source_id: str, files: Sequence[Path], folder: Path) -> None:
    from filelock import FileLock

    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(folder.parent / f"{source_id}.lock"):
            if (folder / "store").is_dir():
                return
            part = folder.parent / f"{folder.name}.part"
            shutil.rmtree(part, ignore_errors=True)
            (part / "store").mkdir(parents=True, mode=0o700)
            try:
                _run_load(files, part / "store")
                shutil.rmtree(folder, ignore_errors=True)
                part.replace(folder)
            finally:
                shutil.rmtree(part, ignore_errors=True)
            _remove_older(source_id, folder)
    except OSError as error:
        raise SourceUnavailable(
            f"The RDF files could not be loaded into {folder.parent}: {error}. "
            "Free some space there, or point OMNI_HOME elsewhere."
        ) from error


def _run_load(files: Sequence[Path], store: Path) -> None:
    command = [program(), "load", "--location", str(store)]
    for file in files:
        command += ["--file", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LOAD_SECONDS, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        names = ", ".join(str(f) for f in files)
        raise SourceUnavailable(f"{names} could not be loaded as RDF: {said[-1] if said else 'no reason given'}.")


def _remove_older(source_id: str, keep: Path) -> None:
    for other in keep.parent.glob(f"{source_id}-{'?' * 16}"):
        # A running supervisor keeps its run file; its store is removed on a later load.
        if other != keep and not (other / "run.json").exists():
            shutil.rmtree(other, ignore_errors=True)

"""Oxigraph: load RDF files into a fresh store, and serve it read-only on loopback."""

from __future__ import annotations

import errno
import hashlib
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from core.engines.local import LocalServer, Spec
from core.engines.supervisor import kept_environment
from core.errors import SourceUnavailable
from core.settings import ROOT, Settings

LOAD_SECONDS = 600.0
QUAD_SUFFIXES = (".nq", ".trig", ".jsonld")
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
    folder = settings.state("rdf") / f"{source_id}-{fingerprint(files)}"
    if not (folder / "store").is_dir():
        _load(source_id, files, folder)
    command: tuple[str, ...] = (
        program(),
        "serve-read-only",
        "--location",
        str(folder / "store"),
        "--bind",
        "127.0.0.1:{port}",
        "--timeout-s",
        str(math.ceil(seconds)),
    )
    if any(file.name.removesuffix(".gz").endswith(QUAD_SUFFIXES) for file in files):
        # Queries see all the graphs of the files at once, as they see all the files.
        command = (*command, "--union-default-graph")
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
            for broken_off in folder.parent.glob(f"{source_id}-{'?' * 16}-*.part"):
                shutil.rmtree(broken_off, ignore_errors=True)
            part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f"{folder.name}-", suffix=".part"))
            (part / "store").mkdir(mode=0o700)
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
        command += ["--file", str(file.absolute())]
    # A loader must not go on after this process was killed.
    bound = [sys.executable, "-m", "core.engines.bound", *command]
    environment = kept_environment() | {"PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            bound, capture_output=True, text=True, timeout=LOAD_SECONDS, check=False, env=environment, cwd=ROOT
        )
    except subprocess.TimeoutExpired as error:
        raise SourceUnavailable(
            f"{', '.join(map(str, files))} could not be loaded within {LOAD_SECONDS:g} s. Split or shorten the files."
        ) from error
    if done.returncode:
        if "No space left" in done.stderr:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        raise SourceUnavailable(_why(done.stderr, files))


def _why(said: str, files: Sequence[Path]) -> str:
    """The loader's complaint, which names the file and the place in it."""
    for line in said.splitlines():
        match = re.match(r"Error while loading file (.*?): (?=[A-Z])(.*)", line)
        if match:
            return f"{match[1]} could not be loaded as RDF: {match[2]}. Correct it there."
    lines = [line for line in said.splitlines() if line.strip()] or ["no reason given"]
    return f"{', '.join(map(str, files))} could not be loaded as RDF: {lines[0][:300]}."


def _remove_older(source_id: str, keep: Path) -> None:
    for other in keep.parent.glob(f"{source_id}-{'?' * 16}"):
        # A running supervisor keeps its run file; its store is removed on a later load.
        if other != keep and not (other / "run.json").exists():
            shutil.rmtree(other, ignore_errors=True)

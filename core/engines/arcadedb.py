"""ArcadeDB: one local server for all property graphs of an OMNI_HOME, and loading graphs into it."""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import urllib.error
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.engines.local import LocalServer, Spec
from core.errors import SourceUnavailable
from core.settings import ROOT, Settings

BATCH = 2_000
FULL_BYTES = 1_000_000
"""Free room at or below which a failed load is put down to a full disk."""
OVERHEAD_MB = 1_024
"""Resident memory of the Java machine on top of its heap."""
_servers: dict[Path, LocalServer] = {}
_users: dict[Path, set[int]] = {}


def server(settings: Settings) -> LocalServer:
    """The server of this OMNI_HOME; one lease in a process."""
    folder = settings.state("graph")
    if folder not in _servers:
        jvm = (
            f"-Xmx{settings.heap_mb}m -Darcadedb.command.timeout={int(settings.query_seconds * 1000)} "
            "-Darcadedb.opencypher.loadCsv.allowFileUrls=false -Darcadedb.opencypher.loadCsv.allowRemoteUrls=false"
        )
        command = (sys.executable, "-m", "core.engines.arcadedb_server", str(folder / "root"))
        environment = {"ARCADEDB_JVM_ARGS": jvm, "PYTHONPATH": str(ROOT)}
        spec = Spec("ArcadeDB", folder, command, settings.heap_mb + OVERHEAD_MB, True, environment)
        _servers[folder] = LocalServer(spec)
    return _servers[folder]


def use(settings: Settings, user: object) -> LocalServer:
    """The server, which `user` needs until it leaves."""
    _users.setdefault(settings.home.absolute(), set()).add(id(user))
    return server(settings)


def leave(settings: Settings, user: object) -> None:
    """End the lease of this process if `user` was the last who needed the server."""
    users = _users.get(settings.home.absolute(), set())
    users.discard(id(user))
    if not users:
        server(settings).release()


def forget(settings: Settings, database: str) -> None:
    """Have `database` loaded anew by the next `ensure_loaded`: the server does not have it any more."""
    (settings.state("graph") / "loaded" / database).unlink(missing_ok=True)


def graph_files(location: Path) -> tuple[Path, Path]:
    """nodes.jsonl and rels.jsonl of a folder, plain or gzipped.

    Raises:
        SourceUnavailable: One of them is missing or empty.
    """
    found = []
    for name in ("nodes.jsonl", "rels.jsonl"):
        path = next((p for p in (location / name, location / f"{name}.gz") if p.is_file()), None)
        if path is None:
            raise SourceUnavailable(f"{location / name} does not exist. Build it, or correct the manifest's location.")
        if path.stat().st_size == 0 and name == "nodes.jsonl":
            raise SourceUnavailable(f"{path} is empty. Build or copy it again.")
        found.append(path)
    return found[0], found[1]


def fingerprint(files: Sequence[Path]) -> str:
    """A short key of the files' sizes and times."""
    facts = [f"{f.absolute()}:{f.stat().st_size}:{f.stat().st_mtime_ns}" for f in files]
    return hashlib.sha256("|".join(facts).encode()).hexdigest()[:12]


def ensure_loaded(source_id: str, location: Path, settings: Settings) -> str:
    """The database that holds this version of the files, loaded first if need be.

    A load that was broken off is begun anew; the database of an earlier version stays until the new one is whole.

    Raises:
        SourceUnavailable: The files can't be read as a graph, or the disk is full.
    """
    from filelock import FileLock

    files = graph_files(location)
    folder = settings.state("graph")
    prefix = re.sub(r"\W", "_", source_id)
    database = f"{prefix}_{fingerprint(files)}"
    done = folder / "loaded" / database
    if done.exists():
        return database
    try:
        done.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(folder / "loaded.lock"):
            if not done.exists():
                _load(database, files, settings)
                done.write_text("")
                _drop_older(prefix, done, settings)
    except OSError as error:
        raise SourceUnavailable(
            f"The graph could not be loaded into {folder}: {error}. "
            "Free some space there, or point OMNI_HOME elsewhere."
        ) from error
    return database


def _command(settings: Settings, text: str) -> None:
    from core.engines.arcadedb_server import command

    info = server(settings).state().info
    command(info["http"], info["admin"][1], text)


def _load(database: str, files: tuple[Path, Path], settings: Settings) -> None:
    from neo4j.exceptions import DriverError, Neo4jError

    for last in (False, True):
        try:
            _fill(database, files, settings)
            return
        except SourceUnavailable:
            _drop(database, settings)
            raise
        except (Neo4jError, DriverError, urllib.error.URLError, ConnectionError) as error:
            # Another user's query past its deadline may have restarted the server under the load.
            refused = isinstance(error, Neo4jError | urllib.error.HTTPError) and not is_gone(error)
            if last or refused:
                folder = server(settings).spec.folder
                is_full = shutil.disk_usage(folder).free < FULL_BYTES
                _drop(database, settings)
                if is_full:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
                said = " ".join(str(getattr(error, "message", "") or error).split())[:300]
                raise SourceUnavailable(
                    f"{files[0].parent} could not be loaded as a property graph: {said}. "
                    f"The server's log is {folder / 'server.log'}."
                ) from error


def _drop(database: str, settings: Settings) -> None:
    """Remove a database; there may be none, and the server may have gone."""
    with contextlib.suppress(OSError, SourceUnavailable):
        _command(settings, f"drop database {database}")


def is_gone(error: Exception) -> bool:
    """Whether `error` tells that the server went away, and nothing of the query or the data."""
    from neo4j.exceptions import ServiceUnavailable, SessionExpired

    return isinstance(error, ServiceUnavailable | SessionExpired | ConnectionError)


def _fill(database: str, files: tuple[Path, Path], settings: Settings) -> None:
    import neo4j

    _drop(database, settings)
    _command(settings, f"create database {database}")
    info = server(settings).state().info
    with (
        neo4j.GraphDatabase.driver(info["bolt"], auth=tuple(info["admin"])) as driver,
        driver.session(database=database) as session,
    ):
        ids = _load_nodes(session, files[0])
        _load_rels(session, files[1], ids)


def _load_nodes(session: Any, path: Path) -> dict[str, str]:
    grouped: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for record in _records(path, ("id",)):
        props = _properties(record.get("props") or {})
        grouped[tuple(record.get("labels") or ())].append({"id": str(record["id"]), "props": props})
    ids: dict[str, str] = {}
    for labels, rows in grouped.items():
        names = "".join(f":{quote(label)}" for label in labels)
        text = f"UNWIND $rows AS row CREATE (n{names}) SET n = row.props RETURN row.id AS id, elementId(n) AS element"
        for start in range(0, len(rows), BATCH):
            ids.update((r["id"], r["element"]) for r in session.run(text, rows=rows[start : start + BATCH]))
    return ids


def _load_rels(session: Any, path: Path, ids: Mapping[str, str]) -> None:
    grouped: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in _records(path, ("start", "type", "end")):
        start, end = ids.get(str(record["start"])), ids.get(str(record["end"]))
        if start and end:  # an extract may end at a node it does not hold
            grouped[record["type"]].append({"s": start, "e": end, "props": _properties(record.get("props") or {})})
    for kind, rows in grouped.items():
        text = (
            "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.s MATCH (b) WHERE elementId(b) = row.e "
            f"CREATE (a)-[r:{quote(kind)}]->(b) SET r = row.props"
        )
        for begin in range(0, len(rows), BATCH):
            session.run(text, rows=rows[begin : begin + BATCH]).consume()


def quote(name: str) -> str:
    """A label, type or property key as Cypher takes it, whatever it contains."""
    return "`" + name.replace("`", "``") + "`"


def _records(path: Path, wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                    missing = [key for key in wanted if key not in record]
                except (ValueError, TypeError):
                    raise SourceUnavailable(f"{path} line {number} is not a JSON object. Correct that line.") from None
                if missing:
                    raise SourceUnavailable(f"{path} line {number} has no {missing[0]!r}. Correct that line.")
                yield record
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
        raise SourceUnavailable(f"{path} is damaged or no JSON-lines file: {error}.") from error


def _properties(props: Mapping[str, Any]) -> dict[str, Any]:
    """Properties as the driver takes them; a property that is itself called date or point is no tag."""
    return {key: _native(value) for key, value in props.items()}


def _native(value: Any) -> Any:
    """Tagged points, dates, times and durations as the driver takes them."""
    from neo4j.spatial import CartesianPoint, WGS84Point
    from neo4j.time import Date, DateTime, Duration, Time

    match value:
        case {"point": coordinates}:
            return (WGS84Point if value.get("crs", 4326) == 4326 else CartesianPoint)(coordinates)
        case {"datetime": str(text)}:
            return DateTime.from_iso_format(text)
        case {"date": str(text)}:
            return Date.from_iso_format(text)
        case {"time": str(text)}:
            return Time.from_iso_format(text)
        case {"duration": str(text)}:
            return Duration.from_iso_format(text)
        case dict():
            return {key: _native(item) for key, item in value.items()}
        case list():
            return [_native(item) for item in value]
    return value


def _drop_older(prefix: str, keep: Path, settings: Settings) -> None:
    """Remove earlier versions, and what a load that was killed has left."""
    databases = keep.parent.parent / "root" / "databases"
    for name in {path.name for place in (keep.parent, databases) for path in place.glob(f"{prefix}_{'?' * 12}")}:
        if name != keep.name:
            (keep.parent / name).unlink(missing_ok=True)
            _drop(name, settings)

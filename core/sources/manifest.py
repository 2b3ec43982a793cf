"""Registration: a sources.toml becomes a catalog; nothing is connected and nothing heavy imported."""

from __future__ import annotations

import importlib
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from core.errors import ManifestError, SourceUnavailable
from core.results import Kind, Language, SourceCard, Status
from core.settings import Settings
from core.sources.base import Limits, Source
from core.sources.catalog import Catalog, SourceStatus
from core.sources.summary import Summaries

ENGINES: dict[str, tuple[Kind, str]] = {
    "faiss": (Kind.TEXT, "core.sources.text:TextSource"),
    "sqlite": (Kind.SQL, "core.sources.sql:SqliteSource"),
    "oxigraph": (Kind.RDF, "core.sources.rdf:RdfSource"),
    "arcadedb": (Kind.GRAPH, "core.sources.graph:GraphSource"),
}
"""Engine name to the kind it serves and its adapter, imported when a source is first used."""

LANGUAGES = {
    Kind.TEXT: Language.TEXT,
    Kind.SQL: Language.SQL,
    Kind.RDF: Language.SPARQL,
    Kind.GRAPH: Language.CYPHER,
}

REQUIRED = ("id", "kind", "engine", "location", "title", "descriptor")
OPTIONAL = ("secret_env", "query_type", "document_style", "examples", "samples", "limits", "disabled", "size")
LIMITS = {"seconds": "seconds", "rows": "max_items", "bytes": "max_bytes", "cell_bytes": "max_cell_bytes"}
TEXTS = (*REQUIRED, "secret_env", "query_type", "document_style", "samples", "size")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SECRET = re.compile(r"passw|pwd|secret|token|api_?key|^key$|auth|credential", re.IGNORECASE)
"""Names of URL parameters whose value is no business of a manifest."""
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def load_catalog(settings: Settings, path: Path | None = None) -> Catalog:
    """The catalog of a manifest; relative locations resolve against it.

    Raises:
        ManifestError: The file is missing, no TOML, or an entry is wrong; the message names file and line.
    """
    path = path or settings.sources
    text, parsed = _read(path)
    unknown = set(parsed) - {"source"}
    if unknown:
        _wrong_key(path, text, sorted(unknown)[0], ("source",))
    entries = parsed.get("source", [])
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise ManifestError(f"{path}: sources are written as [[source]] tables, with double brackets.")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*source\s*\]\]", line)]
    seen: dict[str, int] = {}
    ready: list[tuple[SourceCard, Callable[[], Source]]] = []
    broken: list[tuple[SourceCard, SourceStatus]] = []
    for number, entry in enumerate(entries):
        line = lines[number] if number < len(lines) else 1
        card = _card(path, text, line, entry)
        if card.id in seen:
            raise ManifestError(
                f"{path}: line {line}: the id {card.id!r} is taken by the source at line {seen[card.id]}. "
                "Give one of them another id."
            )
        seen[card.id] = line
        if entry.get("disabled"):
            broken.append((card, SourceStatus(Status.DISABLED, "Disabled in the manifest.")))
        else:
            location = _location(path, line, str(entry["location"]))
            limits = _limits(path, line, text, entry.get("limits", {}), settings)
            ready.append((card, partial(_make, card, location, settings, limits)))
    return Catalog(ready, broken, Summaries(settings))


def default_limits(settings: Settings) -> Limits:
    """The limits that the settings give to every source."""
    return Limits(settings.query_seconds, settings.rows_kept, settings.result_bytes, settings.cell_bytes)


def _make(card: SourceCard, location: Path | str, settings: Settings, limits: Limits) -> Source:
    module, name = ENGINES[card.engine][1].split(":")
    try:
        adapter = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise SourceUnavailable(
            f"The engine {card.engine!r} is not installed: {error}. See requirements.txt."
        ) from error
    source: Source = adapter(card, location, settings, limits)
    return source


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        return text, tomllib.loads(text)
    except FileNotFoundError:
        raise ManifestError(
            f"The manifest {path} does not exist. Name another with OMNI_SOURCES or --sources."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ManifestError(f"The manifest {path} can't be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(f"{path} is not valid TOML: {error}. Correct that line.") from error


def _card(path: Path, text: str, line: int, entry: Mapping[str, Any]) -> SourceCard:
    for key in entry:
        if key not in REQUIRED + OPTIONAL:
            _wrong_key(path, text, key, REQUIRED + OPTIONAL, line)
    missing = [key for key in REQUIRED if key not in entry or entry[key] == ""]
    if missing:
        raise ManifestError(f"{path}: line {line}: this source has no {', '.join(missing)}. Add it.")
    _check_types(path, text, line, entry)
    source_id, engine = entry["id"], entry["engine"]
    if not ID.fullmatch(source_id):
        raise ManifestError(
            f"{path}: line {line}: the id {source_id!r} may only have letters, digits, '_', '-' and '.', at most 64."
        )
    if engine not in ENGINES:
        raise ManifestError(f"{path}: line {line}: no engine {engine!r}.{_guess(engine, ENGINES)}")
    kind = ENGINES[engine][0]
    if entry["kind"] != kind.value:
        raise ManifestError(
            f"{path}: line {line}: the engine {engine!r} serves kind {kind.value!r}, not {entry['kind']!r}."
        )
    return SourceCard(
        id=source_id,
        kind=kind,
        engine=engine,
        language=LANGUAGES[kind],
        title=str(entry["title"]),
        descriptor=str(entry["descriptor"]),
        examples=tuple(entry.get("examples", ())),
        query_type=str(entry.get("query_type", "")),
        document_style=str(entry.get("document_style", "")),
        size=str(entry.get("size", "")),
        samples=str(path.parent / Path(entry["samples"]).expanduser()) if entry.get("samples") else "",
    )


def _check_types(path: Path, text: str, line: int, entry: Mapping[str, Any]) -> None:
    def wrong(key: str, wanted: str) -> ManifestError:
        return ManifestError(f"{path}: line {_line_of(text, key, line)}: {key} is {wanted}.")

    for key in TEXTS:
        if not isinstance(entry.get(key, ""), str) or "\0" in entry.get(key, ""):
            raise wrong(key, 'a text in quotes: "..."')
    examples = entry.get("examples", [])
    if not isinstance(examples, list) or not all(isinstance(e, str) for e in examples):
        raise wrong("examples", 'a list of questions: ["...", "..."]')
    if not isinstance(entry.get("disabled", False), bool):
        raise wrong("disabled", "true or false, without quotes")
    if not isinstance(entry.get("limits", {}), dict):
        raise wrong("limits", "a table: [source.limits], and under it seconds = 10")
    if not VARIABLE.fullmatch(entry.get("secret_env", "NONE")):
        # What stands there instead may be the secret itself, so it is not repeated.
        raise wrong("secret_env", "the name of an environment variable that holds the secret, never the secret itself")


def _location(path: Path, line: int, location: str) -> Path | str:
    if "://" not in location:
        return path.parent / Path(location).expanduser()
    try:
        parts = urlsplit(location)
    except ValueError as error:
        raise ManifestError(f"{path}: line {line}: the location is no valid address ({error}).") from None
    if parts.password or any(SECRET.search(name) for name, _ in parse_qsl(parts.query)):
        raise ManifestError(
            f"{path}: line {line}: the location holds a password or key. Put it in an environment variable and name "
            "that variable with secret_env."
        )
    return location


def _limits(path: Path, line: int, text: str, given: Mapping[str, Any], settings: Settings) -> Limits:
    limits = default_limits(settings)
    for key, value in given.items():
        where = f"{path}: line {_line_of(text, key, line)}"
        if key not in LIMITS:
            raise ManifestError(f"{where}: no limit {key!r}.{_guess(key, LIMITS)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
            raise ManifestError(f"{where}: the limit {key} is {value!r}, but must be a number above 0.")
        name = LIMITS[key]
        if name != "seconds" and value != int(value):
            raise ManifestError(f"{where}: the limit {key} is {value!r}, but must be a whole number.")
        limits = replace(limits, **{name: float(value) if name == "seconds" else int(value)})  # type: ignore[arg-type]
    return limits


def _wrong_key(path: Path, text: str, key: str, known: tuple[str, ...], start: int = 1) -> None:
    raise ManifestError(f"{path}: line {_line_of(text, key, start)}: unknown key {key!r}.{_guess(key, known)}")


def _line_of(text: str, key: str, start: int) -> int:
    """The line at or after `start` that begins with `key`, as a key or as a table's name."""
    pattern = re.compile(rf"\s*\[*\s*[\w.]*\b{re.escape(key)}\b")
    return next((n for n, row in enumerate(text.splitlines(), 1) if n >= start and pattern.match(row)), start)


def _guess(name: str, known: Mapping[str, Any] | tuple[str, ...]) -> str:
    close = get_close_matches(name, list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else f" Known: {', '.join(known)}."

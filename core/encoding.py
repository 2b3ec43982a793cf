"""The JSON form of native values: what JSON lacks is tagged, and comes back as it was."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import math
from collections.abc import Mapping
from typing import Any

from core.results import (
    Bnode,
    Duration,
    Iri,
    Literal,
    Node,
    Passage,
    Passages,
    Path,
    Paths,
    Payload,
    Point,
    Rel,
    Rows,
    Triples,
    Truth,
)

SAFE_INTEGER = 2**53
"""Largest magnitude a JSON number keeps exactly in every reader (IEEE 754 double)."""


def to_json(value: object) -> Any:
    """The JSON form of one native value (DESIGN, "Command line and JSON").

    Floats that JSON has no number for become {"$float": "nan" | "inf" | "-inf"}; lone surrogates
    become U+FFFD, as UTF-8 can't carry them.
    """
    match value:
        case None | bool():
            return value
        case int():
            return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else {"$int": str(value)}
        case float():
            return value if math.isfinite(value) else {"$float": str(value)}
        case str():
            return value.encode("utf-8", "replace").decode() if _has_surrogate(value) else value
        case decimal.Decimal():
            return {"$decimal": str(value)}
        case dt.datetime() | dt.date() | dt.time():
            return {"$date": value.isoformat()}
        case dt.timedelta():
            return {"$duration": _seconds(value)}
        case bytes():
            return {"$bytes": base64.b64encode(value).decode()}
        case Iri():
            return {"$iri": value.value}
        case Literal():
            return {"$literal": value.value, "lang": value.lang, "datatype": value.datatype}
        case Bnode():
            return {"$bnode": value.value}
        case Point():
            return {"$point": list(value.coordinates), "srid": value.srid}
        case Duration():
            parts = [value.months, value.days, value.seconds, value.nanoseconds]
            return {"$duration": parts}
        case Node():
            return {"$node": {"id": value.id, "labels": list(value.labels), "props": _props(value.props)}}
        case Rel():
            body = {"id": value.id, "type": value.type, "start": value.start, "end": value.end}
            return {"$rel": {**body, "props": _props(value.props)}}
        case Path():
            steps = [to_json(value.nodes[0])] if value.nodes else []
            for rel, node in zip(value.rels, value.nodes[1:], strict=True):
                steps += [to_json(rel), to_json(node)]
            return {"$path": steps}
        case Passage():
            return {"id": value.id, "title": to_json(value.title), "text": to_json(value.text), "score": value.score}
        case tuple() | list():
            return [to_json(item) for item in value]
        case Mapping():
            return _props(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def from_json(value: Any) -> Any:
    """The native value that `to_json` wrote; lists come back as tuples."""
    if isinstance(value, list):
        return tuple(from_json(item) for item in value)
    if not isinstance(value, dict):
        return value
    match value:
        case {"$int": text}:
            return int(text)
        case {"$float": text}:
            return float(text)
        case {"$decimal": text}:
            return decimal.Decimal(text)
        case {"$date": text}:
            return _temporal(text)
        case {"$duration": list(parts)}:
            return Duration(*parts)
        case {"$duration": text}:
            return _timedelta(text)
        case {"$bytes": text}:
            return base64.b64decode(text)
        case {"$iri": text}:
            return Iri(text)
        case {"$literal": text}:
            return Literal(text, value.get("lang"), value.get("datatype"))
        case {"$bnode": text}:
            return Bnode(text)
        case {"$point": coordinates}:
            return Point(tuple(coordinates), value["srid"])
        case {"$node": body}:
            return Node(body["id"], tuple(body["labels"]), from_json(body["props"]))
        case {"$rel": body}:
            return Rel(body["id"], body["type"], body["start"], body["end"], from_json(body["props"]))
        case {"$path": steps}:
            parts = [from_json(step) for step in steps]
            return Path(tuple(parts[::2]), tuple(parts[1::2]))
        case {"$map": body}:
            return {key: from_json(item) for key, item in body.items()}
    return {key: from_json(item) for key, item in value.items()}


def payload_items(payload: Payload) -> list[Any]:
    """The `items` of a payload in the JSON contract."""
    return [to_json(item) for item in payload.items]


def payload_columns(payload: Payload) -> list[str] | None:
    """The `columns` of a payload in the JSON contract; None where it has none."""
    return list(payload.columns) if isinstance(payload, Rows | Paths) else None


def payload_from_json(kind: str, columns: list[str] | None, items: list[Any]) -> Payload:
    """The payload that `payload_columns` and `payload_items` wrote."""
    native = from_json(items)
    match kind:
        case "rows":
            return Rows(tuple(columns or ()), native)
        case "triples":
            return Triples(native)
        case "paths":
            return Paths(tuple(columns or ()), native)
        case "passages":
            return Passages(tuple(Passage(**item) for item in native))
        case "truth":
            return Truth(native[0])
    raise ValueError(f"{kind!r} is no payload; expected rows, triples, paths, passages or truth")


def _props(props: Mapping[Any, Any]) -> dict[str, Any]:
    encoded = {str(key): to_json(item) for key, item in props.items()}
    # A stored map may have a key that looks like one of our tags.
    return {"$map": encoded} if any(key.startswith("$") for key in encoded) else encoded


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def _seconds(value: dt.timedelta) -> str:
    return f"{value.days}:{value.seconds}:{value.microseconds}"


def _timedelta(text: str) -> dt.timedelta:
    days, seconds, microseconds = (int(part) for part in text.split(":"))
    return dt.timedelta(days=days, seconds=seconds, microseconds=microseconds)


def _temporal(text: str) -> dt.date | dt.datetime | dt.time:
    if "T" in text:
        return dt.datetime.fromisoformat(text)
    return dt.time.fromisoformat(text) if ":" in text else dt.date.fromisoformat(text)

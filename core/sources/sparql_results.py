"""What a SPARQL engine answers, as payloads of native terms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.errors import QueryFailed
from core.results import Bnode, Iri, Literal, Payload, Rows, Term, Triples, Truth, Value
from core.sources.limiter import Limiter

TRIPLE = re.compile(
    r"(?P<s><[^>]*>|_:\S+) (?P<p><[^>]*>) "
    r"(?:(?P<o><[^>]*>|_:\S+)|\"(?P<text>(?:\\.|[^\"\\])*)\"(?:@(?P<lang>[\w-]+)|\^\^<(?P<type>[^>]*)>)?) ?\.$"
)


def read_payload(form: str, body: bytes, complete: bool, limiter: Limiter) -> Payload:
    """The answer to a query of `form` (SELECT, ASK, CONSTRUCT or DESCRIBE), of which `body` may be the first part only.

    Raises:
        QueryFailed: The engine broke off its answer.
    """
    if form == "ASK":
        return Truth(bool(_json(body)["boolean"]))
    if form == "SELECT":
        if complete:
            parsed = _json(body)
            names, found = parsed["head"]["vars"], parsed["results"]["bindings"]
        else:
            names, found = _cut_json(body)
        return Rows(tuple(names), limiter.take(_bindings(names, found)))
    lines = body.decode("utf-8", "replace").split("\n")
    triples = limiter.take(_triples(lines if complete else lines[:-1]))
    return Triples(triples)  # type: ignore[arg-type]


def read_rows(body: bytes) -> list[tuple[Value, ...]]:
    """The rows of a whole answer to a SELECT."""
    parsed = _json(body)
    return list(_bindings(parsed["head"]["vars"], parsed["results"]["bindings"]))


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError as error:
        raise QueryFailed("The engine's answer was cut off while it ran. Ask for less, or run it again.") from error


def _cut_json(body: bytes) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """Variables and whole bindings of an answer of which only the first part was read."""
    text = body.decode("utf-8", "ignore")
    head = re.search(r'"vars"\s*:\s*(\[[^\]]*\])', text)
    start = re.search(r'"bindings"\s*:\s*\[', text)
    if not head or not start:
        raise QueryFailed("The answer is too large to be read within the limits. Ask for less.")

    def whole() -> Iterator[dict[str, Any]]:
        decoder, position = json.JSONDecoder(), start.end()
        while True:
            while position < len(text) and text[position] in ", \n\r\t":
                position += 1
            try:
                binding, position = decoder.raw_decode(text, position)
            except ValueError:
                return
            yield binding

    return json.loads(head[1]), whole()


def _bindings(names: Sequence[str], found: Iterable[dict[str, Any]]) -> Iterator[tuple[Value, ...]]:
    for binding in found:
        yield tuple(_term(binding[name]) if name in binding else None for name in names)


def _term(cell: dict[str, Any]) -> Term:
    if cell["type"] == "uri":
        return Iri(cell["value"])
    if cell["type"] == "bnode":
        return Bnode(cell["value"])
    return Literal(cell["value"], cell.get("xml:lang"), cell.get("datatype"))


def _triples(lines: Iterable[str]) -> Iterator[tuple[Term, Term, Term]]:
    for line in lines:
        match = TRIPLE.match(line.strip())
        if not match:
            continue
        if match["o"] is not None:
            value: Term = _resource(match["o"])
        else:
            value = Literal(_unescape(match["text"]), match["lang"], match["type"])
        yield _resource(match["s"]), _resource(match["p"]), value


def _resource(text: str) -> Term:
    return Bnode(text[2:]) if text.startswith("_:") else Iri(_unescape(text[1:-1]))


ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


def _unescape(text: str) -> str:
    return re.sub(
        r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))",
        lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else ESCAPES.get(m[3], m[3]),
        text,
    )

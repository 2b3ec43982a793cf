"""A JSON value out of a model's reply, forgiving about what surrounds it and about Python's way of writing it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from core.stages.spoken import spoken, without_channels

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*+")|(?P<single>(?<=[\[{,:\s])'(?:[^'\\]|\\.|'(?=\w))*+'(?=\s*[\]},:]))"""
    r"""|(?P<curly>“[^“”]*+”)|(?P<comma>,(?=\s*[\]}]))|(?P<word>\b(?:True|False|None)\b)|(?P<open>[\[{])|(?P<close>[\]}])""",
    re.S,
)
_WORDS = {"True": "true", "False": "false", "None": "null"}
DEEPEST = 60


def extract_json(reply: str) -> Any:
    """The JSON object of a reply, or its first list where it has no object, whatever stands around it.

    Trailing commas, single and curly quotes, and True, False and None are read as what they mean.

    Raises:
        ValueError: There is none, or it stops in the middle: a part of an answer is no answer.
    """
    reply = without_channels(reply.lstrip("\ufeff"))
    bare = reply.lstrip()
    texts = [bare] if bare.startswith(("{", "[")) else []
    texts.append(spoken(reply))
    cut = False
    for text in texts:
        found: list[Any] = []
        for region in _regions(text):
            cut = cut or region is None
            value = None if region is None else _loaded(_as_sent(region, reply))
            if isinstance(value, dict):
                return value
            found += [value] if value else []
        if found and not cut:
            return found[0]
    said = " ".join(reply.split())[:200]
    raise ValueError(
        f"no JSON in the reply, it stops in the middle: {said!r}" if cut else f"no JSON in the reply: {said!r}"
    )


def _as_sent(region: str, reply: str) -> str:
    """The part of the reply that `region` is what is left of: a value may read like a mark of the template."""
    return next((r for r in _regions(reply) if r and spoken(r) == region), region)


def _regions(text: str) -> Iterator[str | None]:
    """Each outermost bracketed part in turn; None for one that never closes."""
    depth = start = 0
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "open":
            start = start if depth else token.start()
            depth += 1
        elif token.lastgroup == "close" and depth:
            depth -= 1
            if not depth:
                yield text[start : token.end()]
    if depth:
        yield None


def _loaded(region: str) -> Any:
    if _depth(region) > DEEPEST:
        return None
    for attempt in (region, _TOKEN.sub(_strict, region)):
        try:
            return json.loads(attempt, parse_constant=_refuse, strict=False)
        except ValueError:
            continue
    return None


def _depth(region: str) -> int:
    depth = deepest = 0
    for token in _TOKEN.finditer(region):
        depth += {"open": 1, "close": -1}.get(token.lastgroup or "", 0)
        deepest = max(deepest, depth)
    return deepest


def _strict(token: re.Match[str]) -> str:
    text = token.group()
    match token.lastgroup:
        case "single":
            return json.dumps(re.sub(r"\\(['\"\\])", r"\1", text[1:-1]))
        case "curly":
            return json.dumps(text[1:-1])
        case "comma":
            return ""
        case "word":
            return _WORDS[text]
    return text


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")

"""What the contexts of all kinds share: values on one short line, and room that is filled in order."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.encoding import to_json
from core.results import Grounding, Iri, Literal, Value

SAMPLES = 3
LINKED_VALUES = 12
LONGEST_SAMPLE = 40
LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Context:
    """c_b as a model reads it, and what was done to make it fit."""

    text: str
    notes: tuple[str, ...] = ()


def linked_values(grounding: Grounding, comment: str) -> Iterator[str]:
    """Lines that say where the values stand that the question names."""
    values = grounding.values[:LINKED_VALUES]
    if values:
        yield f"{comment} Stored values that the question names:"
        for match in values:
            where = f"{match.place.owner}.{match.place.field}"
            yield one_line(f'{comment}   "{match.term}" is {sample(match.value)} in {where}', 300)


def sample(value: Value) -> str:
    """A stored value as the query languages write it, on one line and cut to a readable length."""
    if isinstance(value, Literal):
        return f'"{one_line(value.value, LONGEST_SAMPLE)}"' + (f"@{value.lang}" if value.lang else "")
    if isinstance(value, Iri):
        return f"<{value.value}>"
    if isinstance(value, str):
        return "'" + one_line(value, LONGEST_SAMPLE).replace("'", "''") + "'"
    return one_line(value.isoformat() if isinstance(value, dt.date | dt.time) else str(to_json(value)), LONGEST_SAMPLE)


def one_line(text: str, most: int = LONGEST_NAME) -> str:
    """Text from data without line breaks, so that it can't begin a line of its own."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def first(linked: Sequence[str], name: str) -> int:
    """Position of the first link to `name`; what is not linked comes last, in its own order."""
    return linked.index(name) if name in linked else len(linked)


def size_of(lines: Iterable[str]) -> int:
    """Characters of lines with their line ends."""
    return sum(len(line) + 1 for line in lines)


def fitting(lines: Iterable[str], room: int) -> list[str]:
    """As many of the first lines as there is room for."""
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def listed(names: Sequence[str], room: int) -> str:
    """Names with commas between them, as many as there is room for, and how many more there are."""
    shown: list[str] = []
    for name in names:
        room -= len(name) + 2
        if shown and room < 0:
            return f"{', '.join(shown)} and {len(names) - len(shown)} more"
        shown.append(name)
    return ", ".join(shown)

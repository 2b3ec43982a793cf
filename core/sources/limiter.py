"""Keeping a result within its limits, whatever engine it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from core.results import Literal, Value
from core.sources.base import Limits

T = TypeVar("T", bound=tuple[object, ...])


class Limiter:
    """Counts items and bytes of one result, and cuts cells that are too long."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._bytes = 0
        self._cut_cells = 0
        self.truncated = False

    def take(self, rows: Iterable[tuple[Value, ...]]) -> tuple[tuple[Value, ...], ...]:
        """Rows within the limits; `truncated` tells whether there were more."""
        kept: list[tuple[Value, ...]] = []
        for row in rows:
            if len(kept) >= self._limits.max_items or self._bytes > self._limits.max_bytes:
                self.truncated = True
                break
            cut = tuple(self._cell(cell) for cell in row)
            self._bytes += sum(size_of(cell) for cell in cut)
            kept.append(cut)
        return tuple(kept)

    def notes(self) -> tuple[str, ...]:
        """What was cut, for the reader."""
        if not self._cut_cells:
            return ()
        return (f"{self._cut_cells} cells longer than {self._limits.max_cell_bytes:,} bytes were cut.",)

    def _cell(self, cell: Value) -> Value:
        most = self._limits.max_cell_bytes
        if size_of(cell) <= most:
            return cell
        if isinstance(cell, str):
            self._cut_cells += 1
            return cell.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
        if isinstance(cell, bytes):
            self._cut_cells += 1
            return cell[:most]
        if isinstance(cell, Literal):
            self._cut_cells += 1
            return Literal(cell.value.encode()[:most].decode("utf-8", "ignore"), cell.lang, cell.datatype)
        return cell


def size_of(cell: Value) -> int:
    """Bytes of a cell, about as its JSON form has them."""
    if isinstance(cell, str):
        return len(cell.encode("utf-8", "replace")) if not cell.isascii() else len(cell)
    if isinstance(cell, bytes):
        return len(cell)
    if isinstance(cell, Literal):
        return len(cell.value) + 40
    if isinstance(cell, tuple):
        return sum(size_of(part) for part in cell)
    return 8 if cell is None or isinstance(cell, int | float) else 64

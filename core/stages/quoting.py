"""Which characters of a text are the query itself, and which stand inside its strings and comments."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.results import Language

_SQL = r"""
    '(?:[^']|'')*+' | "(?:[^"]|"")*+" | (?!```)`(?:[^`]|``)*+` | --[^\n]*+ | /\*(?:[^*]|\*(?!/))*+\*/
"""
_SPARQL = r"""
    '''(?:[^'\\]|\\.|'(?!''))*+''' | \"{3}(?:[^"\\]|\\.|"(?!""))*+\"{3}
    | '(?:[^'\\\n]|\\.)*+' | "(?:[^"\\\n]|\\.)*+" | <[^<>"{}|^`\\\s]*+> | \#[^\n]*+
"""
_CYPHER = r"""
    '(?:[^'\\]|\\.)*+' | "(?:[^"\\]|\\.)*+" | (?!```)`(?:[^`]|``)*+` | //[^\n]*+ | /\*(?:[^*]|\*(?!/))*+\*/
"""
_JSON = r""" "(?:[^"\\]|\\.)*+" """

_QUOTED: Mapping[Language | None, re.Pattern[str]] = {
    language: re.compile(pattern, re.X | re.S)
    for language, pattern in {
        Language.SQL: _SQL, Language.SPARQL: _SPARQL, Language.CYPHER: _CYPHER, None: _JSON,
    }.items()
}  # fmt: skip


class Plain:
    """Tells which positions of `text` stand outside quotes and comments of a language (None: JSON).

    A quote that is never closed hides nothing.
    """

    def __init__(self, text: str, language: Language | None) -> None:
        self._hidden = bytearray(len(text))
        for match in _QUOTED[language].finditer(text):
            start, end = match.span()
            self._hidden[start:end] = b"\x01" * (end - start)

    def __call__(self, position: int) -> bool:
        """Whether the character at `position` is plain; the end of the text is."""
        return position >= len(self._hidden) or not self._hidden[position]

"""Prompts are files; this fills them in."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from string import Template

from core.llm.base import Message

FOLDER = Path(__file__).parent / "prompts"
MARKS = ("sources", "schema", "graph", "collection", "results", "query", "message")
"""Names of the marks between which data stands."""
_MARK = re.compile(rf"<\s*(/?)\s*({'|'.join(MARKS)})\s*>", re.IGNORECASE)
_TEMPLATE_MARK = re.compile(r"<(?=[|｜])|\[(?=/?INST\])")


def render_prompt(name: str, **values: object) -> tuple[Message, ...]:
    """The system and user message of one prompt file; marks inside data are defused.

    Raises:
        KeyError: A placeholder has no value.
    """
    system, user = _parts(name)
    filled = {key: _defused(str(value)) for key, value in values.items()}
    return ("system", system.substitute(filled).strip()), ("user", user.substitute(filled).strip())


@lru_cache
def _parts(name: str) -> tuple[Template, Template]:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    system, user = text.removeprefix("# system\n").split("\n# user\n")
    return Template(system), Template(user)


def _defused(text: str) -> str:
    """Text in which nothing looks like one of the marks that end data, or like a chat template's marks."""
    return _TEMPLATE_MARK.sub(r"\g<0> ", _MARK.sub(r"<\\\1\2>", text))

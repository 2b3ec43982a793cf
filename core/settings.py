"""Every setting: its environment variable, its default and one sentence about it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import SettingError

ROOT = Path(__file__).resolve().parent.parent
SWITCH = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


def _setting(variable: str, default: Any, text: str) -> Any:
    return field(default=default, metadata={"variable": variable, "text": text})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings table; `Settings.load()` reads the environment."""

    home: Path = _setting(
        "OMNI_HOME", Path(".omni"), "Folder for indexes, engine data, history and secrets; owner-only."
    )
    sources: Path = _setting(
        "OMNI_SOURCES", ROOT / "sample_sources" / "sources.toml", "Manifest of the registered sources."
    )
    model: str = _setting(
        "OMNI_MODEL", "", "Model as litellm names it, such as openai/gpt-5.4; empty means the built-in backbone."
    )
    api_base: str = _setting("OMNI_API_BASE", "", "Address of an OpenAI-compatible server for the model.")
    api_key_env: str = _setting(
        "OMNI_API_KEY_ENV", "", "Name of the environment variable that holds the model's key, if not the usual one."
    )
    model_seconds: float = _setting("OMNI_MODEL_SECONDS", 45.0, "Longest wait for one model reply, in seconds.")
    query_seconds: float = _setting("OMNI_QUERY_SECONDS", 15.0, "Longest run of one query, in seconds.")
    question_seconds: float = _setting("OMNI_QUESTION_SECONDS", 60.0, "Longest run of one question, in seconds.")
    rows_shown: int = _setting("OMNI_ROWS_SHOWN", 1_000, "Items of a result that a page draws.")
    rows_kept: int = _setting("OMNI_ROWS_KEPT", 10_000, "Items of a result that are kept.")
    result_bytes: int = _setting("OMNI_RESULT_BYTES", 20_000_000, "Bytes of a result that are kept.")
    cell_bytes: int = _setting("OMNI_CELL_BYTES", 1_000_000, "Bytes of one cell that are kept.")
    question_chars: int = _setting("OMNI_QUESTION_CHARS", 2_000, "Longest question, in characters.")
    heap_mb: int = _setting("OMNI_HEAP_MB", 512, "Memory of one local server, in megabytes.")
    context_chars: int = _setting(
        "OMNI_CONTEXT_CHARS", 6_000, "Characters of a source's schema shown to a model; a small one wants 2,000."
    )
    schema_pruning: bool = _setting(
        "OMNI_SCHEMA_PRUNING", True, "Whether a model is shown only the tables a question is about, and their joins."
    )
    hyde: bool = _setting(
        "OMNI_HYDE",
        True,
        "Whether a model writes a passage to search a corpus with (HyDE), or asks the question as it is.",
    )
    repairs: int = _setting("OMNI_REPAIRS", 1, "Times a model may rewrite a query that its engine refused.")
    selection_margin: float = _setting(
        "OMNI_SELECTION_MARGIN", 0.3, "How far behind the best source others are still asked, in scores; 1 asks k."
    )
    planner_candidates: int = _setting(
        "OMNI_PLANNER_CANDIDATES", 5, "Queries that the built-in planner tries at a source before it keeps one."
    )
    encoder: str = _setting(
        "OMNI_ENCODER", "", "Folder of a sentence-transformers model; empty means the packaged all-MiniLM-L6-v2."
    )
    threads: int = _setting("OMNI_THREADS", 1, "Threads of the encoder and of faiss.")

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Settings from `environ` (the process environment by default); unset or empty means default.

        Raises:
            SettingError: A value is not of its setting's type, or not positive where it must be.
        """
        env = os.environ if environ is None else environ
        given = {}
        for item in dataclasses.fields(cls):
            raw = env.get(item.metadata["variable"], "").strip()
            if raw:
                given[item.name] = _parse(item.metadata["variable"], raw, item.default)
        return cls(**given)

    def state(self, *parts: str) -> Path:
        """Path under `home`, which is made for its owner alone; a home that exists keeps its mode.

        A home that cannot be made is left to whoever writes there, and can name what was not kept.
        """
        home = self.home.absolute()
        with contextlib.suppress(OSError):
            home.mkdir(parents=True, mode=0o700)
        return home.joinpath(*parts)

    @classmethod
    def table(cls) -> tuple[tuple[str, str, str], ...]:
        """(variable, default, sentence) of every setting, in order."""
        rows = []
        for item in dataclasses.fields(cls):
            default = item.default
            rows.append((item.metadata["variable"], _shown(default), item.metadata["text"]))
        return tuple(rows)


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "on" if default else "off"
    return str(default.relative_to(ROOT) if isinstance(default, Path) and default.is_absolute() else default)


def _parse(variable: str, raw: str, default: Any) -> Any:
    if isinstance(default, Path):
        return Path(raw).expanduser()
    if isinstance(default, str):
        return raw
    if isinstance(default, bool):
        if raw.casefold() not in SWITCH:
            raise SettingError(f"{variable} is {raw!r}, but must be on or off. Unset it to use {_shown(default)}.")
        return SWITCH[raw.casefold()]
    try:
        value = type(default)(raw)
    except ValueError:
        wanted = "a whole number" if isinstance(default, int) else "a number"
        raise SettingError(f"{variable} is {raw!r}, but must be {wanted}. Unset it to use {default}.") from None
    lowest = 0 if variable == "OMNI_REPAIRS" else 1 if isinstance(default, int) else 0.1
    if not value >= lowest or value == float("inf"):
        raise SettingError(f"{variable} is {raw!r}, but must be at least {lowest}. Unset it to use {default}.")
    return value

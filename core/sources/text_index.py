"""The two indexes of a corpus: sentence vectors in faiss, built in the background and resumable, and BM25."""

from __future__ import annotations

import atexit
import contextlib
import json
import re
import shutil
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import OmniError, SourceUnavailable
from core.settings import Settings
from core.sources.encoder import encode, encoder_name, text_key
from core.sources.housekeeping import keep_newest

FORMAT = 3
"""Goes up when the form of an index or the cutting of passages changes."""
BATCH = 128
"""Pieces whose vectors are written to disk together; what is lost when a build is broken off."""
KEPT = 3
"""Indexes of earlier states of a corpus that are kept, and as many of other encoders."""
LAST_WORDS = 5.0
"""Seconds that a leaving process waits for the batch in hand."""

STOP = frozenset(
    """a an and are as at be been but by can did do does for from had has have how i if in into is it its of on or our
    that the their them there these they this to was we were what when where which who whom why will with would you
    your""".split()
)


class DenseIndex:
    """Vectors of a corpus' pieces, read from `folder` or built there; searching may begin before it is done."""

    def __init__(self, folder: Path, corpus: str, texts: Sequence[str], settings: Settings) -> None:
        self._folder = folder
        self._texts = texts
        self._settings = settings
        self._meta = {"format": FORMAT, "encoder": encoder_name(settings), "corpus": corpus, "pieces": len(texts)}
        self._done = threading.Event()
        self._leaving = threading.Event()
        self._index: Any = None
        self._failure = ""
        self._made = 0
        self._is_long = False
        self._thread = threading.Thread(target=self._work, daemon=True, name=f"index-{folder.name}")

    def open(self) -> DenseIndex:
        """Read the stored index at once, or begin to build it in the background."""
        if (self._folder / "meta.json").exists():
            self._work()
        else:
            atexit.register(self.leave)
            self._thread.start()
        return self

    def wait(self, seconds: float | None) -> Any:
        """The faiss index, or None when it is not there within `seconds` or can't be made.

        A build that took longer once is long, so the next one who asks does not wait for it at all.
        """
        if seconds is None:
            self._done.wait()
        elif not self._is_long:
            self._is_long = not self._done.wait(seconds)
        return self._index

    def note(self) -> str:
        """Why there is no index, for the reader; empty when there is one."""
        if self._index is not None:
            return ""
        if self._failure:
            return f"Ranked by words alone (BM25), without the encoder: {self._failure}"
        return (
            f"Ranked by words alone (BM25): {self._made:,} of {len(self._texts):,} pieces have their vectors so far. "
            "Ask again when all have."
        )

    def leave(self) -> None:
        """Stop building after the batch in hand; the next process goes on from there."""
        self._leaving.set()
        if self._thread.is_alive():
            self._thread.join(LAST_WORDS)

    def _work(self) -> None:
        try:
            self._index = self._read_or_build()
        except OmniError as error:
            self._failure = error.message
        except OSError as error:
            self._failure = (
                f"The index could not be written to {self._folder.parent}: {error}. "
                "Free some space there, or point OMNI_HOME elsewhere."
            )
        except Exception as error:  # noqa: BLE001 - nobody joins this thread; its failure is told by `note`
            self._failure = f"The index could not be built ({type(error).__name__}: {error})."
        finally:
            self._done.set()
            atexit.unregister(self.leave)

    def _read_or_build(self) -> Any:
        import faiss
        from filelock import FileLock

        faiss.omp_set_num_threads(self._settings.threads)
        self._folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(f"{self._folder}.lock"):
            if not (self._folder / "meta.json").exists():
                if not self._build():
                    return None
                keep_newest(self._folder.parent, _others(self._folder), KEPT)
            return self._read()

    def _build(self) -> bool:
        """Write the index; False when the process leaves before it is done."""
        import faiss
        import numpy as np

        part = self._folder.with_name(self._folder.name + ".building")
        if _meta(part) != self._meta:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            (part / "meta.json").write_text(json.dumps(self._meta))
        # Texts of like length beside each other are encoded in half the time: a batch is as slow as its longest.
        order = sorted(range(len(self._texts)), key=lambda n: (len(self._texts[n]), n))
        vectors: list[Any] = []
        for start in range(0, len(order), BATCH):
            if self._leaving.is_set():
                return False
            batch = [self._texts[n] for n in order[start : start + BATCH]]
            vectors.append(_stored(part / f"{start:08}.npy", batch, self._settings))
            self._made = start + len(batch)
        made = np.concatenate(vectors)
        placed = np.empty_like(made)
        placed[order] = made
        index = faiss.IndexFlatIP(placed.shape[1])
        index.add(placed)
        faiss.write_index(index, str(part / "vectors.faiss"))
        for batch_file in part.glob("*.npy"):
            batch_file.unlink()
        (part / "meta.json").write_text(json.dumps({**self._meta, "dimension": int(placed.shape[1])}))
        shutil.rmtree(self._folder, ignore_errors=True)
        part.replace(self._folder)
        return True

    def _read(self) -> Any:
        import faiss

        meta = _meta(self._folder) or {}
        for key, value in self._meta.items():
            if meta.get(key) != value:
                raise SourceUnavailable(_other(self._folder, key, meta.get(key), value))
        try:
            index = faiss.read_index(str(self._folder / "vectors.faiss"))
        except RuntimeError as error:
            raise SourceUnavailable(f"The index in {self._folder} is damaged. Delete that folder.") from error
        for key, value in (("dimension", index.d), ("pieces", index.ntotal)):
            if meta.get(key) != value:
                raise SourceUnavailable(_other(self._folder, key, value, meta.get(key)))
        return index


def load_bm25(path: Path, texts: Sequence[str]) -> Any:
    """The BM25 index of `texts`, kept in `path`; without room for it it is made again next time."""
    import bm25s

    if path.exists():
        with contextlib.suppress(OSError, ValueError, KeyError):
            return bm25s.BM25.load(str(path))
    index = bm25s.BM25()
    index.index([stems(text) or [""] for text in texts], show_progress=False)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = Path(tempfile.mkdtemp(dir=path.parent, prefix=path.name, suffix=".part"))
        try:
            index.save(str(part))
            part.replace(path)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        keep_newest(path.parent, _others(path), KEPT)
    return index


def stems(text: str) -> list[str]:
    """Stemmed words of a text, alike for passages and questions (Snowball's English stemmer)."""
    import Stemmer

    return list(Stemmer.Stemmer("english").stemWords([w for w in words(text) if w not in STOP]))


def words(text: str) -> list[str]:
    """Words of a text without case."""
    return re.findall(r"\w+", text.casefold())


def index_name(source_id: str, corpus: str, encoder: str = "") -> str:
    """The folder name of an index: source, corpus and encoder, so that none is read for another."""
    return f"{source_id}-{corpus}-{text_key(encoder)[:8] if encoder else 'words'}-{FORMAT}"


def _others(folder: Path) -> str:
    """The pattern of the names that `index_name` gives to one source's indexes of the same sort."""
    source_id, _, sort, _ = folder.name.rsplit("-", 3)
    return re.escape(source_id) + "-[0-9a-f]{16}-" + ("words" if sort == "words" else "[0-9a-f]{8}") + r"(-\d+)?"


def _stored(path: Path, texts: Sequence[str], settings: Settings) -> Any:
    """Vectors of one batch, from disk when an earlier process has made them."""
    import numpy as np

    if path.exists():
        with contextlib.suppress(OSError, ValueError, EOFError):
            kept = np.load(path, allow_pickle=False)
            if kept.dtype == np.float32 and kept.ndim == 2 and len(kept) == len(texts):
                return kept
    made = encode(texts, settings)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.save(file, made)
    part.replace(path)
    return made


def _meta(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / "meta.json").read_text())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _other(folder: Path, key: str, found: object, wanted: object) -> str:
    return f"The index in {folder} was made with {key} {found!r}, but {wanted!r} is wanted. Delete that folder."

"""Opening a SQLite file so that nothing on disk changes, whatever state the file was left in."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from core.errors import SourceUnavailable
from core.sources.housekeeping import keep_newest

HEADER = b"SQLite format 3\x00"
WAL_MODE = b"\x02\x02"
BUSY_SECONDS = 1.0
STEPS = 2_000
"""Virtual machine steps between two looks at the clock."""
CHECK_SECONDS = 0.5
COPIES_KEPT = 2
COPY_TRIES = 3
LONGEST_VALUE = 10_000_000
"""Bytes that a value may grow to inside a query; the progress handler can't stop a single giant one."""
DAMAGE = ("malformed", "not a database", "disk I/O", "locked", "readonly database", "unable to open")
"""What SQLite says when the file, and not the query, is at fault."""


class SqliteFile:
    """A database file, opened read-only, and by way of a copy in `copies` where reading would write beside it."""

    def __init__(self, path: Path, copies: Path) -> None:
        self.path = path
        self._copies = copies

    def stamp(self) -> str:
        """A key of the file as it is now: its path, and size and time of it and of its logs.

        Raises:
            SourceUnavailable: The file is missing.
        """
        try:
            facts = [self.path.stat()]
            facts += [extra.stat() for extra in self._logs() if extra.exists()]
        except OSError as error:
            raise SourceUnavailable(_missing(self.path)) from error
        text = "|".join([str(self.path.absolute()), *(f"{f.st_size}:{f.st_mtime_ns}" for f in facts)])
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]

    @contextlib.contextmanager
    def connect(self, deadline: float) -> Iterator[sqlite3.Connection]:
        """A connection of its own for one use, stopped at `deadline` (on `time.monotonic()`'s clock).

        Raises:
            SourceUnavailable: The file is missing, empty, locked, damaged or of another format.
        """
        db = self._open(deadline)
        try:
            yield db
        finally:
            db.close()

    def check(self) -> None:
        """Open the file and let SQLite look for damage, for as long as a page can wait.

        Raises:
            SourceUnavailable: As for `connect`.
        """
        with self.connect(time.monotonic() + CHECK_SECONDS) as db:
            try:
                found = [str(row[0]) for row in db.execute("PRAGMA quick_check(1)")]
            except sqlite3.Error as error:
                if "interrupted" in str(error):
                    return
                raise self.unavailable(str(error)) from error
        # What breaks a constraint is listed here too, and can still be read.
        if any(text.startswith(("***", "Tree ", "Page ")) for text in found):
            raise self.unavailable(f"malformed ({' '.join(found[0].split())[:120]})")

    def unavailable(self, message: str) -> SourceUnavailable:
        """The error for what SQLite says of the file."""
        if "locked" in message:
            text = f"{self.path} is locked by another program. Close that program, or register a copy of the file."
        else:
            text = f"{self.path} is damaged: {message}. Restore it from a copy."
        return SourceUnavailable(text)

    def _logs(self) -> tuple[Path, Path]:
        return self.path.with_name(self.path.name + "-wal"), self.path.with_name(self.path.name + "-journal")

    def _open(self, deadline: float) -> sqlite3.Connection:
        wal = read_header(self.path)[18:20] == WAL_MODE
        log = self._logs()[0]
        uri = f"{self.path.absolute().as_uri()}?mode=ro"
        if wal and log.exists() and log.stat().st_size:
            return self._open_copy(deadline)
        if wal:
            # Reading a file in WAL mode creates two files beside it, unless it is said not to change.
            uri += "&immutable=1"
        try:
            return _connected(uri, deadline)
        except sqlite3.Error as error:
            if "readonly database" in str(error):  # a write was broken off; undoing it needs to write
                return self._open_copy(deadline)
            raise self.unavailable(str(error)) from error

    def _open_copy(self, deadline: float) -> sqlite3.Connection:
        for last in (False, True):
            try:
                return _connected(f"{self._copy().absolute().as_uri()}?mode=rw", deadline)
            except sqlite3.Error as error:
                if last:
                    raise self.unavailable(str(error)) from error
                shutil.rmtree(self._copies / self.stamp(), ignore_errors=True)
        raise self.unavailable("its log can't be read")

    def _copy(self) -> Path:
        """The file with its log as of one moment; made once for each state of them."""
        for _ in range(COPY_TRIES):
            stamp = self.stamp()
            folder = self._copies / stamp
            if (folder / self.path.name).exists():
                return folder / self.path.name
            try:
                self._copies.mkdir(parents=True, exist_ok=True, mode=0o700)
                part = Path(tempfile.mkdtemp(dir=self._copies, suffix=".part"))
                try:
                    for file in (self.path, *self._logs()):
                        if file.exists():
                            shutil.copy2(file, part / file.name)
                    if self.stamp() != stamp:
                        continue
                    with contextlib.suppress(OSError):  # another process was first
                        part.replace(folder)
                finally:
                    shutil.rmtree(part, ignore_errors=True)
            except OSError as error:
                raise SourceUnavailable(
                    f"{self.path} has unfinished writes, and a copy could not be made in {self._copies}: {error}. "
                    "Free some space there, or point OMNI_HOME elsewhere."
                ) from error
            keep_newest(self._copies, "[0-9a-f]{16}", COPIES_KEPT)
            return folder / self.path.name
        raise SourceUnavailable(f"{self.path} is being written all the time. Register a copy of the file.")


def read_header(path: Path) -> bytes:
    """The first 100 bytes of a SQLite file.

    Raises:
        SourceUnavailable: It is missing, empty, can't be read, or is no SQLite file.
    """
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError as error:
        raise SourceUnavailable(_missing(path)) from error
    except IsADirectoryError as error:
        raise SourceUnavailable(f"{path} is a folder. Name the database file in it as the location.") from error
    except OSError as error:
        raise SourceUnavailable(f"{path} can't be read: {error.strerror}. Check its permissions.") from error
    if not header:
        raise SourceUnavailable(f"{path} is empty. Build or copy the database again.")
    if not header.startswith(HEADER):
        raise SourceUnavailable(f"{path} is not a SQLite database (or is encrypted). Check the manifest's location.")
    return header


def _connected(uri: str, deadline: float) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        db.text_factory = _decode
        db.set_progress_handler(lambda: int(time.monotonic() > deadline), STEPS)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        if hasattr(db, "enable_load_extension"):  # Python may be built without it
            db.enable_load_extension(False)
        db.execute("PRAGMA trusted_schema=OFF")
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _missing(path: Path) -> str:
    return f"{path} does not exist. Build it (make sources for the samples), or correct the manifest's location."

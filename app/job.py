"""One question on its way, in a thread of its own, so that a page can watch it and stop it."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from core.pipeline import Event, Listener

T = TypeVar("T")


class Job(Generic[T]):
    """Runs `ask` in a daemon thread; events queue up until somebody looks."""

    def __init__(self, question: str, ask: Callable[[Listener, threading.Event], T]) -> None:
        self.question = question
        self.started = time.monotonic()
        self.events: list[Event] = []
        self.stopped_at: float | None = None
        self.found: T | None = None
        self.error: Exception | None = None
        self._queue: queue.Queue[Event] = queue.Queue()
        self._cancel = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(ask,), daemon=True, name="question")
        self._thread.start()

    def _work(self, ask: Callable[[Listener, threading.Event], T]) -> None:
        try:
            self.found = ask(self._queue.put, self._cancel)
        except Exception as error:  # noqa: BLE001 - shown on the page that waits for this job
            self.error = error

    @property
    def done(self) -> bool:
        """Whether it has ended, with a result or an error."""
        return not self._thread.is_alive()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def stopping(self) -> bool:
        """Whether somebody pressed stop."""
        return self._cancel.is_set()

    def stop(self) -> None:
        """Ask the pipeline to end now with what it has."""
        if self.stopped_at is None:
            self.stopped_at = time.monotonic()
        self._cancel.set()

    def overdue(self, patience: float) -> bool:
        """Whether it was stopped more than `patience` seconds ago and has not ended."""
        return self.stopped_at is not None and time.monotonic() - self.stopped_at > patience

    def wait(self, seconds: float) -> None:
        """Take in what has happened, waiting at most `seconds` for something to happen."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                left = max(0.0, min(0.05, deadline - time.monotonic()))
                self.events.append(self._queue.get(timeout=left) if left else self._queue.get_nowait())
            except queue.Empty:
                if self.done or time.monotonic() >= deadline:
                    return
            else:
                deadline = min(deadline, time.monotonic())

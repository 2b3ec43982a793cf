"""Run independent jobs side by side under one deadline, none holding back the others."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from core.errors import QueryTimedOut

T = TypeVar("T")

POLL_SECONDS = 0.05


class Stopped(QueryTimedOut):
    """The person pressed stop while this was running."""

    kind = "stopped"


def run_all(
    jobs: Sequence[Callable[[], T]], deadline: float, cancel: threading.Event | None = None
) -> list[T | BaseException]:
    """Results in the order of `jobs`; an exception, or a job not done by `deadline`, stands as its exception.

    `deadline` is on `time.monotonic()`'s clock. The threads are daemons: one that can't be stopped
    never holds the process back.
    """
    done: queue.Queue[tuple[int, T | BaseException]] = queue.Queue()

    def work(index: int, job: Callable[[], T]) -> None:
        try:
            done.put((index, job()))
        except BaseException as error:  # noqa: BLE001 - every failure belongs to its own job
            done.put((index, error))

    for index, job in enumerate(jobs):
        threading.Thread(target=work, args=(index, job), daemon=True, name=f"source-{index}").start()
    outcomes: dict[int, T | BaseException] = {}
    while len(outcomes) < len(jobs) and not (cancel and cancel.is_set()):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            index, outcome = done.get(timeout=min(POLL_SECONDS, left))
        except queue.Empty:
            continue
        outcomes[index] = outcome
    return [outcomes[index] if index in outcomes else _missing(cancel) for index in range(len(jobs))]


def _missing(cancel: threading.Event | None) -> QueryTimedOut:
    if cancel and cancel.is_set():
        return Stopped("Stopped before this source had answered. Ask again to get its result.")
    return QueryTimedOut(
        "This source had not answered when the time for the question was up. "
        "Run its query alone, or raise OMNI_QUESTION_SECONDS."
    )
